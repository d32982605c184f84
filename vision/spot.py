"""Where a corner index seems to be, and the upright crop of it that the reader reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

CROP_WIDTH, CROP_HEIGHT = 48, 64
#: The height in the crop of the index block, rank and suit together.
BLOCK_PX = 40.0
#: Spots nearer than this (block heights) and turned alike (cosine) are of one index: it has not
#: moved, and cards in a fan are further apart.
SAME_INDEX, SAME_WAY_UP = 0.4, 0.85


@dataclass(frozen=True)
class Spot:
    """A corner index in a picture.

    ``x``, ``y``: its middle in pixels; ``angle``: how far its upright is turned clockwise,
    in radians; ``size``: height of the block of rank and suit in pixels; ``centre``: where
    the card's middle should be, in pixels; ``score`` 0…1: that it is an index at all;
    ``open`` 0…1: that nothing covers its card.
    """

    x: float
    y: float
    angle: float
    size: float
    centre: tuple[float, float]
    score: float
    open: float

    def moved(self, turn: float, log_scale: float, right: float, down: float) -> Spot:
        """The spot corrected by a pose in its own frame; shifts in block heights."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        dx, dy = right * self.size, down * self.size
        return replace(
            self,
            x=self.x + c * dx - s * dy,
            y=self.y + s * dx + c * dy,
            angle=(self.angle + turn + math.pi) % (2 * math.pi) - math.pi,
            size=self.size * math.exp(log_scale),
        )


def same_index(a: Spot, b: Spot) -> bool:
    """Whether two spots, of one picture or of two at one rest, are of one printed index."""
    gap = math.hypot(a.x - b.x, a.y - b.y)
    return gap < SAME_INDEX * max(a.size, b.size) and math.cos(a.angle - b.angle) > SAME_WAY_UP


def in_frame(spot: Spot, x: float, y: float) -> NDArray[np.float64]:
    """A point of the picture in the upright frame of an index: right, down; block heights."""
    c, s = math.cos(spot.angle), math.sin(spot.angle)
    dx, dy = x - spot.x, y - spot.y
    return np.array([c * dx + s * dy, -s * dx + c * dy]) / spot.size


class Pyramid:
    """A picture and its halvings, so that large indices are not sampled sparsely."""

    def __init__(self, image: Pixels) -> None:
        self._levels = [image]

    def level(self, scale: float) -> tuple[Pixels, float]:
        """The picture best sampled at ``scale`` (output over input pixels), and its own factor."""
        wanted = 0
        while scale * 2 ** (wanted + 1) <= 1.1 and wanted < 5:
            wanted += 1
        while len(self._levels) <= wanted:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(
                np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._levels[wanted], self._levels[wanted].shape[1] / self._levels[0].shape[1]


def crop(
    pyramid: Pyramid,
    spot: Spot,
    width: int = CROP_WIDTH,
    height: int = CROP_HEIGHT,
    block: float = BLOCK_PX,
) -> Pixels:
    """The index turned upright, (height, width, 3), its block ``block`` pixels high."""
    scale = block / max(spot.size, 1.0)
    image, factor = pyramid.level(scale)
    scale /= factor
    c, s = math.cos(spot.angle) * scale, math.sin(spot.angle) * scale
    x, y = spot.x * factor, spot.y * factor
    turn = np.array([[c, s, width / 2 - c * x - s * y], [-s, c, height / 2 + s * x - c * y]])
    return np.asarray(
        cv2.warpAffine(
            image, turn, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def crops(pyramid: Pyramid, spots: Sequence[Spot]) -> Pixels:
    """All crops together, (n, 64, 48, 3)."""
    if not spots:
        return np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)
    return np.stack([crop(pyramid, spot) for spot in spots])
