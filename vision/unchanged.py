"""Whether the place of an index looks as it did at the last rest: then it is no new card's."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.spot import Pixels, Spot

#: Side of the place compared (block heights).
SIDE = 1.1
#: A pixel is as before if it lies between the least and the most of its neighbours there, give or
#: take so many levels and such a share: grain, and a nudge of a pixel, change no more.
LEVELS, SHARE = 16.0, 0.1
#: A place is as before if no more than this share of its pixels is not, and of those that stand out
#: from the paper: the strokes of a thin letter are hardly more of it than grain may be.
CHANGED, INK_CHANGED = 0.05, 0.35
#: Levels (deviation) below which a place shows nothing to compare.
LEAST_CONTRAST = 4.0
#: Ink stands out from its paper so many times more than a pixel may differ.
CLEARLY = 1.5
#: A lamp makes no more difference than this.
GAINS = (0.4, 2.5)


class Before:
    """The picture of the last rest; lamps that change do not change what it shows."""

    def __init__(self, image: Pixels) -> None:
        self._image = image

    def kept(self, image: Pixels, spot: Spot) -> float:
        """How much of what was at ``spot`` before ``image`` still shows: 1, 0.5 or 0.

        A half is what a card laid across leaves of an index.
        """
        h, w = self._image.shape[:2]
        if image.shape[:2] != (h, w):
            return 0.0
        half = max(3, round(spot.size * SIDE / 2))
        x, y = round(spot.x), round(spot.y)
        x0, y0, x1, y1 = max(0, x - half), max(0, y - half), min(w, x + half), min(h, y + half)
        if x1 - x0 < half or y1 - y0 < half:
            return 0.0
        now, then = (_smooth(part[y0:y1, x0:x1]) for part in (image, self._image))
        changed, give = _changed(now, then)
        down, right = (y1 - y0) // 2, (x1 - x0) // 2
        shows, ink = now.mean(2), _ink(now, give)
        if _same(changed, shows, ink):
            # What is printed so faintly might have come or gone unnoticed.
            return 1.0 if _spread(now) > CLEARLY * float(give.mean()) else 0.5
        for part in (np.s_[:down], np.s_[down:], np.s_[:, :right], np.s_[:, right:]):
            if _same(changed[part], shows[part], ink[part]):
                return 0.5
        return 0.0


def _smooth(part: Pixels) -> NDArray[np.float32]:
    """A little blurred: the grain of the sensor is not the same twice."""
    return np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), 0.8), np.float32)


def _changed(
    now: NDArray[np.float32], then: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Pixels that neither light nor a shift of a pixel explains, (h, w), in any colour.

    And the levels that each may differ by, (h, w, 3).
    """
    gain = np.clip(np.median(now / np.maximum(then, 1.0), axis=(0, 1)), *GAINS)
    then = np.asarray(then * gain, np.float32)
    around = np.ones((3, 3), np.uint8)
    give = LEVELS + SHARE * then
    low, high = cv2.erode(then, around) - give, cv2.dilate(then, around) + give
    return np.asarray(((now < low) | (now > high)).any(2)), give


def _ink(now: NDArray[np.float32], give: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Pixels that stand out from the paper, (h, w), in any colour."""
    return np.asarray((np.abs(now - np.median(now, axis=(0, 1))) > give).any(2))


def _spread(shows: NDArray[np.float32]) -> float:
    """Levels between paper and ink in the channel that tells them apart best."""
    dark, light = np.percentile(shows, (3, 97), axis=(0, 1))
    return float((light - dark).max())


def _same(changed: NDArray[np.bool_], shows: NDArray[np.float32], ink: NDArray[np.bool_]) -> bool:
    if shows.std() < LEAST_CONTRAST or changed.mean() > CHANGED:
        return False
    return not ink.any() or bool(changed[ink].mean() <= INK_CHANGED)
