"""Find corner indices in a picture: where, which way up, how big."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.session import ModelError, models_folder, open_model
from vision.spot import Pixels, Spot

#: Long sides, in pixels, at which the finder looks; a picture is never enlarged.
SCALES = (160, 320, 640, 1280)
#: Least heat of a cell that the reader looks at: low, since it rejects what is no index.
LEAST_SCORE = 0.15
#: Least heat of what makes the largest scale look somewhere.
LEAST_HINT = 0.12
LEAST_LOGIT = math.log(LEAST_HINT / (1 - LEAST_HINT))
#: Long side up to which the finder looks at all of the picture, and how far around what it found
#: there it looks at larger scales (block heights).
ALL_OF_IT, AROUND = 640, 2.0
#: Indices this many pixels high (block height) are seen well: the largest scale shows the smaller
#: ones of the picture, the sure of them, no larger, and does not look at what is as large already.
CLEAR, SMALLEST, SURE_HINT = 40.0, 0.2, 0.5
#: An index smaller than this (pixels as looked at) may be two that touch, found as one between
#: them: what a larger scale finds there is trusted rather.
NEAR_ENOUGH, FAR = 14.0, 0.7
#: Two finds nearer than this many block heights are one.
SAME_PLACE = 0.35
#: No more finds than this are kept from one picture, the hottest first.
MOST = 160
_STRIDE, _MULTIPLE = 4, 16
_PAIR, _NEVER = np.dtype("V6"), 1 << 40


def shrunk(image: Pixels, side: int) -> Pixels:
    """The picture with its longer side no longer than ``side`` pixels."""
    h, w = image.shape[:2]
    scale = min(1.0, side / max(h, w))
    return _resized(image, (round(w * scale), round(h * scale)))


def fitted(image: Pixels) -> Pixels:
    """With a border that the network needs: a pixel around, and sides that halve to whole cells."""
    h, w = image.shape[:2]
    return np.asarray(
        cv2.copyMakeBorder(
            image, 1, -h % _MULTIPLE + 1, 1, -w % _MULTIPLE + 1, cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def four_in_one(image: Pixels) -> Pixels:
    """Four neighbouring pixels as one of twelve channels, (h / 2, w / 2, 12); h and w are even.

    Convolving three channels at full resolution would cost more than any other layer.
    """
    h, w = image.shape[:2]
    # Pairs of neighbours move as one item each: half the time of moving their bytes.
    pairs = image.reshape(h, w * 3).view(_PAIR)
    return np.stack([pairs[0::2], pairs[1::2]], axis=2).view(np.uint8)


def _resized(image: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture ``size`` (w, h) pixels large, or a pixel where that is none."""
    h, w = image.shape[:2]
    size = max(1, size[0]), max(1, size[1])
    if size == (w, h):
        return image
    # Between half and whole nothing falls through a linear grid, which is several times as fast.
    how = cv2.INTER_AREA if 2 * size[0] <= w else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))


class Finder:
    """The finder network and how its maps become spots.

    Raises :class:`~vision.session.ModelError` when the model is missing or not a finder.
    """

    def __init__(self, file: Path | None = None, scales: Sequence[int] = SCALES) -> None:
        file = file or models_folder() / "finder.onnx"
        self._session = open_model(file)
        self._scales = tuple(scales)
        takes = [(i.name, i.shape[-1]) for i in self._session.get_inputs()]
        if takes != [("pictures", 12)]:
            raise ModelError(
                f"model file {file} is no finder: expected one input named pictures, of twelve "
                "channels; install again"
            )

    def find(self, image: Pixels) -> list[Spot]:
        """Every index seen in the picture (h, w, 3) BGR, hottest first.

        The smaller scales look at all of it, the largest only at where those saw something small:
        a pile fills a part of the picture.
        """
        h, w = image.shape[:2]
        finds = _Finds()
        middle = max((s for s in self._scales if s <= ALL_OF_IT), default=ALL_OF_IT)
        small, scale = image, 1.0
        for side in sorted((s for s in self._scales if s <= middle), reverse=True):
            scale = min(1.0, side / max(h, w))
            if side < middle and scale == 1.0:
                continue
            small = _resized(small, (round(w * scale), round(h * scale)))
            finds.add(self._at_one_scale(small, 1 / scale), scale)
        for side in (s for s in self._scales if s > middle):
            self._find_around(image, side / max(h, w), min(1.0, middle / max(h, w)), finds)
        return [s for s in finds.suppressed() if s.score >= LEAST_SCORE][:MOST]

    def _find_around(self, image: Pixels, scale: float, seen: float, finds: _Finds) -> None:
        """Look again, at a larger scale, around what looked small when the scale was ``seen``."""
        h, w = image.shape[:2]
        small = [s for s in finds.spots if s.size * seen < CLEAR]
        sure = [s.size for s in small if s.score > SURE_HINT]
        if sure:
            scale = min(scale, CLEAR / float(np.quantile(sure, SMALLEST)))
        scale = min(1.0, scale)
        if scale <= seen:
            return
        for x0, y0, x1, y1 in _around(small, w, h) or [(0, 0, w, h)]:
            size = round((x1 - x0) * scale), round((y1 - y0) * scale)
            part = _resized(image[y0:y1, x0:x1], size)
            finds.add(self._at_one_scale(part, 1 / scale), scale, (x0, y0))

    def _at_one_scale(self, image: Pixels, factor: float) -> list[Spot]:
        (maps,) = self._session.run(None, {"pictures": four_in_one(fitted(image))[None]})
        heat = maps[0, 0]
        rows, columns = np.nonzero(heat >= LEAST_LOGIT)
        hottest = cv2.dilate(heat, np.ones((3, 3), np.uint8))[rows, columns]
        peaks = np.column_stack([rows, columns, maps[0][:, rows, columns].T])
        spots = []
        for row, column, hot, cos, sin, log_size, dx, dy, cx, cy, opened in peaks[
            peaks[:, 2] >= hottest
        ].tolist():
            size = 16 * math.exp(min(max(log_size, -2.0), 3.0)) * factor
            x, y = (column + 0.5 + dx) * _STRIDE * factor, (row + 0.5 + dy) * _STRIDE * factor
            spots.append(
                Spot(
                    x=x,
                    y=y,
                    angle=math.atan2(sin, cos),
                    size=size,
                    centre=(x + cx * 4 * size, y + cy * 4 * size),
                    score=_sigmoid(hot),
                    open=_sigmoid(opened),
                )
            )
        return spots


class _Finds:
    """What was found at all scales, in pixels of the whole picture, and how far it is trusted."""

    def __init__(self) -> None:
        self.spots: list[Spot] = []
        self._trust: list[float] = []

    def add(self, spots: Sequence[Spot], scale: float, corner: tuple[int, int] = (0, 0)) -> None:
        """Finds of one part of the picture, whose upper left ``corner`` is."""
        dx, dy = corner
        for s in spots:
            centre = s.centre[0] + dx, s.centre[1] + dy
            self.spots.append(replace(s, x=s.x + dx, y=s.y + dy, centre=centre))
            self._trust.append(s.score * (FAR if s.size * scale < NEAR_ENOUGH else 1.0))

    def suppressed(self) -> list[Spot]:
        """Of finds that share a place the one most trusted."""
        return suppressed(self.spots, self._trust)


def _around(hints: Sequence[Spot], w: int, h: int) -> list[tuple[int, int, int, int]]:
    """Parts (x0, y0, x1, y1) of a picture that hold what is near any hint; none without hints.

    Two become one where that is less to look at, those first that gain most.
    """
    if not hints:
        return []
    at = np.array([(s.x, s.y) for s in hints])
    reach = AROUND * np.array([[s.size] for s in hints])
    first = np.clip(np.rint(at - reach), 0, [w - 1, h - 1])
    last = np.maximum(np.clip(np.rint(at + reach), 0, [w, h]), first + 1)
    # With its first corner negative, what holds two parts is the larger of each number.
    parts = np.hstack([-first, last]).astype(int)
    area = _area(parts)
    more = _area(np.maximum(parts[:, None], parts)) - area[:, None] - area
    np.fill_diagonal(more, _NEVER)
    while True:
        i, j = divmod(int(more.argmin()), len(parts))
        if more[i, j] > 0:
            break
        parts[i] = np.maximum(parts[i], parts[j])
        # What has become part of another joins no more.
        area[i], area[j] = _area(parts[i]), -_NEVER
        more[j] = more[:, j] = _NEVER
        more[i] = _area(np.maximum(parts[i], parts)) - area[i] - area
        more[i, i] = _NEVER
        more[:, i] = more[i]
    return [(-x0, -y0, x1, y1) for x0, y0, x1, y1 in parts[area > 0].tolist()]


def _area(parts: NDArray[np.int_]) -> NDArray[np.int_]:
    return np.asarray((parts[..., 0] + parts[..., 2]) * (parts[..., 1] + parts[..., 3]))


def suppressed(spots: Sequence[Spot], trust: Sequence[float]) -> list[Spot]:
    """Non-maximum suppression: of finds that share a place the one most trusted stays."""
    kept: list[Spot] = []
    for _, spot in sorted(zip(trust, spots, strict=True), key=lambda pair: -pair[0]):
        if all(
            math.hypot(spot.x - k.x, spot.y - k.y) > SAME_PLACE * max(spot.size, k.size)
            for k in kept
        ):
            kept.append(spot)
    return kept
