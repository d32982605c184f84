"""Keeps a photograph of what was decided against somebody, asked, or put right."""

from __future__ import annotations

import cv2

from engine.verdict import Verdict
from firmware.journal.evidence import Evidence
from firmware.night.book import Book
from firmware.tell import Announcement, Asked, Called
from vision.frame import Frame

WIDTH, QUALITY = 960, 80
"""Pixels across, and JPEG quality: enough to see a corner of a card."""


class Photographer:
    """Hears what is told, and keeps the frame of a decision that may be disputed."""

    def __init__(self, book: Book, evidence: Evidence) -> None:
        self._book, self._evidence = book, evidence
        self._wanted = False

    def hear(self, announcement: Announcement) -> None:
        """Remember whether this one should be kept."""
        if isinstance(announcement, Called):
            disputed = announcement.ruling.verdict is not Verdict.LEGAL
            self._wanted |= disputed or announcement.host or announcement.ruling.burn
        elif isinstance(announcement, Asked):
            self._wanted = True

    def look(self, frame: Frame) -> None:
        """Keep the frame, if anything in it was worth it."""
        night = self._book.night
        if not self._wanted or night is None:
            return
        self._wanted = False
        height, width = frame.image.shape[:2]
        size = (min(width, WIDTH), round(height * min(width, WIDTH) / width))
        image = cv2.resize(frame.image, size)
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if done:
            self._evidence.keep(night.number, self._book.count, data.tobytes())
