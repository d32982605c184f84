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

    def unchanged(self, image: Pixels, spot: Spot) -> bool:
        """Whether ``image`` shows at ``spot`` what was there before (Lewis 1995, fast NCC)."""
        h, w = self._grey.shape
        if image.shape[:2] != (h, w):
            return False
        half, shift = max(3, round(spot.size * SIDE / 2)), max(1, round(spot.size * SHIFT))
        x, y = round(spot.x), round(spot.y)
        x0, y0, x1, y1 = max(0, x - half), max(0, y - half), min(w, x + half), min(h, y + half)
        if x1 - x0 < half or y1 - y0 < half:
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
