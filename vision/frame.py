"""One picture from the camera, with its place in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.errors import PilewatchError

Image = npt.NDArray[np.uint8]
"""Pixels as uint8: ``(H, W, 3)`` in the order blue, green, red, or ``(H, W)`` grey."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: ``index`` counts from 0, ``t`` is in seconds from the first frame.

    ``image`` is (H, W, 3) uint8 BGR and belongs to the reader: no source changes it afterwards.
    ``grey`` is a small (h, w) uint8 picture of the same instant where the camera makes one by
    itself; settling takes it instead of shrinking ``image``.
    """

    index: int
    t: float
    image: Image
    grey: Image | None = None


class SourceError(PilewatchError):
    """Frames cannot be had from where they were asked for."""
