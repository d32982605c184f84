"""Whether the camera is well placed: a card in the middle, large, sharp and bright enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from firmware.sharpness import BRIGHT, DARK, SHARP, brightness, sharpness
from firmware.words import say
from vision.assemble import Sighting
from vision.frame import Image

#: Height in pixels of the index of a card, rank and suit together, within which reading is sure:
#: below, indices get missed (models/MODEL_CARD.md); above, the pile leaves the picture.
SMALL, LARGE = 22.0, 80.0
#: Where the pile must lie: the middle part of the picture, as shares of its sides.
MIDDLE = (0.25, 0.2, 0.75, 0.8)
GREEN, ORANGE, WHITE = (60, 160, 20), (20, 140, 240), (255, 255, 255)


@dataclass(frozen=True)
class Aim:
    """What one picture says about the camera; ``advice`` is a key of the catalogue under aim.

    ``index`` is the height of the best index in pixels, 0 without one; ``sharp`` and ``bright``
    are in grey levels.
    """

    advice: str
    index: float
    sharp: float
    bright: float
    box: tuple[int, int, int, int] | None = None

    @property
    def good(self) -> bool:
        """Whether the camera can stay as it is."""
        return self.advice == "good"

    @property
    def sentence(self) -> str:
        """The advice in words."""
        return say(f"aim.{self.advice}")

    @property
    def numbers(self) -> str:
        """What was measured, in a line."""
        index, sharp, light = round(self.index), round(self.sharp), round(self.bright)
        return say("aim.numbers", index=index, sharp=sharp, light=light)


def aim(image: Image, sightings: Callable[[Image], list[Sighting]]) -> Aim:
    """What to do next, the first thing first: light, a card, focus, distance, place."""
    bright = brightness(image)
    found = sightings(image) if DARK <= bright <= BRIGHT else []
    box, index = _best(image, found)
    sharp = sharpness(image if box is None else _cut(image, box))

    def told(advice: str) -> Aim:
        return Aim(advice, index, sharp, bright, box)

    if bright < DARK:
        return told("brighter")
    if bright > BRIGHT:
        return told("darker")
    if box is None:
        # Blurred indices are not found at all: then focus comes before any card.
        return told("none" if sharp >= SHARP else "sharper")
    if sharp < SHARP:
        return told("sharper")
    if index < SMALL:
        return told("nearer")
    if index > LARGE:
        return told("farther")
    return told("good" if _in_middle(image, box) else "middle")


def drawn(image: Image, seen: Aim) -> Image:
    """The picture with the place for the pile, the card, and the advice drawn on it."""
    out: Image = image.copy()
    height, width = out.shape[:2]
    left, top, right, bottom = MIDDLE
    corners = (int(left * width), int(top * height)), (int(right * width), int(bottom * height))
    cv2.rectangle(out, *corners, GREEN if seen.good else WHITE, 2)
    if seen.box is not None:
        x0, y0, x1, y1 = seen.box
        cv2.rectangle(out, (x0, y0), (x1, y1), GREEN if seen.good else ORANGE, 2)
    return out


def _best(image: Image, found: list[Sighting]) -> tuple[tuple[int, int, int, int] | None, float]:
    """The card nearest to the middle, and the height of its largest index."""
    if not found:
        return None, 0.0
    height, width = image.shape[:2]

    def off(sighting: Sighting) -> float:
        x0, y0, x1, y1 = sighting.box
        return float(np.hypot((x0 + x1 - width) / width, (y0 + y1 - height) / height))

    nearest = min(found, key=off)
    return nearest.box, max(reading.spot.size for reading in nearest.readings)


def _in_middle(image: Image, box: tuple[int, int, int, int]) -> bool:
    height, width = image.shape[:2]
    x, y = (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height
    return bool(MIDDLE[0] <= x <= MIDDLE[2] and MIDDLE[1] <= y <= MIDDLE[3])


def _cut(image: Image, box: tuple[int, int, int, int]) -> Image:
    """The part of the picture in the box, with a little round it."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = box
    cut = image[max(0, y0 - 8) : min(height, y1 + 8), max(0, x0 - 8) : min(width, x1 + 8)]
    return cut if cut.size else image
