"""How sharp and how bright a picture is, as plain numbers."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image

#: Sharpness below which nothing in the picture is worth reading: see :func:`sharpness`.
SHARP = 12.0
#: Grey level (0–255) below which it is too dark, and above which too bright.
DARK, BRIGHT = 40.0, 225.0


def sharpness(image: Image) -> float:
    """The steepest edges of a picture: the 99.5th percentile of the Laplacian, in grey levels.

    A bare cloth has none and says nothing; a card in focus has many. A percentile and not the
    mean: how much of the picture a card fills must not matter.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(np.percentile(edges, 99.5))


def brightness(image: Image) -> float:
    """The mean grey level, 0 to 255."""
    return float(image.mean())
