"""Whether the place of an index looks as it did at the last rest: then it is no new card's."""

from __future__ import annotations

import cv2
import numpy as np

from vision.spot import Pixels, Spot

#: Normalised cross-correlation from which two pictures of a place are of the same thing.
ALIKE = 0.8
#: Side of the place compared, and how far it may have shifted (block heights).
SIDE, SHIFT = 1.3, 0.12
#: Grey levels (deviation) below which a place shows nothing to compare.
LEAST_CONTRAST = 4.0


class Before:
    """The picture of the last rest, kept grey; lamps that change do not change what it shows."""

    def __init__(self, image: Pixels) -> None:
        self._grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)

    def kept(self, image: Pixels, spot: Spot) -> float:
        """How much of what was at ``spot`` before ``image`` still shows: 1, 0.5 or 0.

        A half is what a card laid across leaves of an index.
        """
        half = max(3, round(spot.size * SIDE / 2))
        x, y = round(spot.x), round(spot.y)
        if self._alike(image, spot.size, x - half, y - half, x + half, y + half):
            return 1.0
        halves = (
            (x - half, y - half, x, y + half),
            (x, y - half, x + half, y + half),
            (x - half, y - half, x + half, y),
            (x - half, y, x + half, y + half),
        )
        return 0.5 if any(self._alike(image, spot.size, *box) for box in halves) else 0.0

    def _alike(self, image: Pixels, size: float, x0: int, y0: int, x1: int, y1: int) -> bool:
        """Whether a box looks as before (Lewis 1995, fast normalised cross-correlation)."""
        h, w = self._grey.shape
        if image.shape[:2] != (h, w):
            return False
        shift = max(1, round(size * SHIFT))
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
        if x1 - x0 < size / 3 or y1 - y0 < size / 3:
            return False
        now = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
        then = self._grey[
            max(0, y0 - shift) : min(h, y1 + shift), max(0, x0 - shift) : min(w, x1 + shift)
        ]
        # A little smoothing: the grain of the sensor is not the same twice.
        now, then = (cv2.GaussianBlur(part, (0, 0), 1.0) for part in (now, then))
        if now.std() < LEAST_CONTRAST:
            return False
        return bool(np.max(cv2.matchTemplate(then, now, cv2.TM_CCOEFF_NORMED)) > ALIKE)
