"""Find corner indices in a picture: where, which way up, how big."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.session import ModelError, models_folder, open_model
from vision.spot import Pixels, Spot

#: Long sides, in pixels, at which the finder looks; a picture is never enlarged.
SCALES = (320, 640, 1280)
#: Least heat of a cell that the reader looks at: low, since it rejects what is no index.
LEAST_SCORE = 0.15
#: Least heat of what makes the largest scale look somewhere.
LEAST_HINT = 0.05
#: Long side up to which the finder looks at all of the picture, and how far around what it found
#: there it looks at larger scales (block heights).
ALL_OF_IT, AROUND = 640, 2.5
#: Two finds nearer than this many block heights are one.
SAME_PLACE = 0.45
#: No more finds than this are kept from one picture, the hottest first.
MOST = 160
_STRIDE, _MULTIPLE = 4, 16


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


class Finder:
    """The finder network and how its maps become spots.

    Raises :class:`~vision.session.ModelError` when the model is missing or not a finder.
    """

    def __init__(self, file: Path | None = None, scales: Sequence[int] = SCALES) -> None:
        file = file or models_folder() / "finder.onnx"
        self._session = open_model(file)
        self._scales = tuple(scales)
        if [i.name for i in self._session.get_inputs()] != ["pictures"]:
            raise ModelError(
                f"model file {file} is no finder: expected one input named pictures; install again"
            )

    def find(self, image: Pixels) -> list[Spot]:
        """Every index seen in the picture (h, w, 3) BGR, hottest first.

        The smaller scales look at all of it, the largest only at where those saw anything:
        a pile fills a part of the picture.
        """
        h, w = image.shape[:2]
        spots: list[Spot] = []
        done: set[tuple[int, int]] = set()
        for side in self._scales:
            scale = min(1.0, side / max(h, w))
            size = max(1, round(w * scale)), max(1, round(h * scale))
            if size in done:
                continue
            x0, y0, x1, y1 = _around(spots, w, h) if done and side > ALL_OF_IT else (0, 0, w, h)
            done.add(size)
            part = image[y0:y1, x0:x1]
            if scale < 1.0:
                small = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
                part = np.asarray(cv2.resize(part, small, interpolation=cv2.INTER_AREA), np.uint8)
            spots += [
                replace(s, x=s.x + x0, y=s.y + y0, centre=(s.centre[0] + x0, s.centre[1] + y0))
                for s in self._at_one_scale(part, 1 / scale)
            ]
        return suppressed([s for s in spots if s.score >= LEAST_SCORE])[:MOST]

    def _at_one_scale(self, image: Pixels, factor: float) -> list[Spot]:
        h, w = image.shape[:2]
        padded = cv2.copyMakeBorder(
            image, 0, -h % _MULTIPLE, 0, -w % _MULTIPLE, cv2.BORDER_REPLICATE
        )
        (maps,) = self._session.run(None, {"pictures": padded[None]})
        heat = _sigmoid(maps[0, 0])
        peak = (heat >= LEAST_HINT) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
        rows, columns = np.nonzero(peak)
        spots = []
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            _, cos, sin, log_size, dx, dy, cx, cy, opened = (
                float(v) for v in maps[0, :, row, column]
            )
            size = 16 * float(np.exp(np.clip(log_size, -2, 3))) * factor
            x, y = (column + 0.5 + dx) * _STRIDE * factor, (row + 0.5 + dy) * _STRIDE * factor
            spots.append(
                Spot(
                    x=x,
                    y=y,
                    angle=float(np.arctan2(sin, cos)),
                    size=size,
                    centre=(x + cx * 4 * size, y + cy * 4 * size),
                    score=float(heat[row, column]),
                    open=float(1 / (1 + np.exp(-opened))),
                )
            )
        return spots


def _around(hints: Sequence[Spot], w: int, h: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of the part of a picture that holds all hints; all of it without any."""
    if not hints:
        return 0, 0, w, h
    x, y = np.array([s.x for s in hints]), np.array([s.y for s in hints])
    pad = AROUND * np.array([s.size for s in hints])
    x0, y0 = max(0, int((x - pad).min())), max(0, int((y - pad).min()))
    x1, y1 = min(w, int((x + pad).max()) + 1), min(h, int((y + pad).max()) + 1)
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def suppressed(spots: Sequence[Spot]) -> list[Spot]:
    """Non-maximum suppression: of finds that share a place the hottest stays."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda s: -s.score):
        if all(
            np.hypot(spot.x - k.x, spot.y - k.y) > SAME_PLACE * max(spot.size, k.size) for k in kept
        ):
            kept.append(spot)
    return kept
