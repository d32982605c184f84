"""Table tops: cloth, wood, tiles, print and plain boards, made from noise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.glyphs import text_mask

Image = NDArray[Any]


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> Image:
    """Noise of unit deviation that varies over about ``cell`` pixels, (h, w)."""
    h, w = shape
    small = rng.standard_normal(
        (max(2, int(h / cell) + 2), max(2, int(w / cell) + 2)), dtype=np.float32
    )
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def _colour(rng: np.random.Generator, low: float = 15, high: float = 235) -> Image:
    grey = rng.uniform(low, high)
    return np.clip(grey + rng.normal(0, 32, 3), 4, 250).astype(np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    h, w = shape
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    along, across = (xx, yy) if rng.random() < 0.5 else (yy, xx)
    bend = smooth_noise(rng, shape, 160) * rng.uniform(5, 30) + along * rng.uniform(-0.1, 0.1)
    grain = (
        np.sin((across + bend) * rng.uniform(0.05, 0.5)) * 0.5 + smooth_noise(rng, shape, 3) * 0.25
    )
    light = rng.uniform(60, 200)
    base = np.array([0.55, 0.75, 1.0], np.float32) * light + rng.normal(0, 10, 3).astype(np.float32)
    shade = grain[..., None] * rng.uniform(6, 35) * np.array([0.8, 0.9, 1.0], np.float32)
    return np.asarray(base + shade, np.float32)


def _weave(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    base = _colour(rng)
    rough = smooth_noise(rng, shape, rng.uniform(1, 3.5)) * rng.uniform(4, 34)
    soft = smooth_noise(rng, shape, rng.uniform(12, 70)) * rng.uniform(0, 14)
    return np.asarray(base + (rough + soft)[..., None], np.float32)


def _pattern(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """Stripes, checks, dots or tiles in two colours."""
    h, w = shape
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u, v = xx * np.cos(angle) + yy * np.sin(angle), -xx * np.sin(angle) + yy * np.cos(angle)
    period = rng.uniform(10, 120)
    kind = int(rng.integers(4))
    if kind == 0:
        mix = (np.sin(u * 2 * np.pi / period) > rng.uniform(-0.6, 0.6)).astype(np.float32)
    elif kind == 1:
        mix = 0.5 * (np.sin(u * 2 * np.pi / period) > 0) + 0.5 * (
            np.sin(v * 2 * np.pi / period) > 0
        )
    elif kind == 2:
        mix = (
            np.hypot((u % period) - period / 2, (v % period) - period / 2)
            < period * rng.uniform(0.15, 0.45)
        ).astype(np.float32)
    else:
        joint = rng.uniform(0.02, 0.08) * period
        mix = ((u % period < joint) | (v % (period * rng.uniform(0.5, 1.5)) < joint)).astype(
            np.float32
        )
    a, b = _colour(rng), _colour(rng)
    return np.asarray(
        a
        + (b - a) * mix[..., None].astype(np.float32)
        + smooth_noise(rng, shape, 2)[..., None] * rng.uniform(1, 9),
        np.float32,
    )


def scatter_objects(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], count: int
) -> None:
    """Things that lie about: coins, phones, glasses' rings, print with letters and digits."""
    h, w = image.shape[:2]
    for _ in range(count):
        x, y = float(rng.uniform(0, w)), float(rng.uniform(0, h))
        kind = rng.random()
        colour = tuple(float(c) for c in _colour(rng))
        if kind < 0.06:
            _die(rng, image, x, y)
        elif kind < 0.12:
            _dial(rng, image, fonts, x, y)
        elif kind < 0.24:
            _label(rng, image, fonts, x, y)
        elif kind < 0.38:
            r = int(rng.uniform(5, 70))
            cv2.circle(
                image,
                (int(x), int(y)),
                r,
                colour,
                -1 if rng.random() < 0.6 else int(rng.integers(2, 8)),
                cv2.LINE_AA,
            )
            cv2.circle(
                image,
                (int(x), int(y)),
                int(r * 0.8),
                tuple(float(c) for c in _colour(rng)),
                1,
                cv2.LINE_AA,
            )
        elif kind < 0.56:
            box = cv2.boxPoints(
                ((x, y), tuple(rng.uniform(15, 240, 2)), float(rng.uniform(0, 180)))
            )
            cv2.fillPoly(image, [box.astype(np.int32)], colour, cv2.LINE_AA)
        else:
            _print_words(rng, image, fonts, x, y, colour)


def _die(rng: np.random.Generator, image: Image, x: float, y: float) -> None:
    """One face of a die."""
    size, angle = float(rng.uniform(14, 70)), float(rng.uniform(0, 90))
    body = tuple(float(c) for c in _colour(rng))
    dot = tuple(float(c) for c in (255 - np.asarray(body)))
    box = cv2.boxPoints(((x, y), (size, size), angle))
    cv2.fillPoly(image, [box.astype(np.int32)], body, cv2.LINE_AA)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    places = [(-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1), (-1, 0), (1, 0)]
    for u, v in places[: int(rng.integers(1, 8))]:
        at = int(x + (c * u - s * v) * size * 0.27), int(y + (s * u + c * v) * size * 0.27)
        cv2.circle(image, at, max(1, int(size * 0.09)), dot, -1, cv2.LINE_AA)


def _dial(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], x: float, y: float
) -> None:
    """A watch or clock: numbers 1 to 12 around, two hands."""
    radius, turn = float(rng.uniform(25, 130)), float(rng.uniform(0, 2 * np.pi))
    face = tuple(float(c) for c in _colour(rng))
    ink = tuple(float(c) for c in _colour(rng, 5, 80))
    centre = int(x), int(y)
    cv2.circle(image, centre, int(radius), face, -1, cv2.LINE_AA)
    cv2.circle(image, centre, int(radius), ink, max(1, int(radius / 15)), cv2.LINE_AA)
    font = fonts[int(rng.integers(len(fonts)))]
    for hour in range(1, 13):
        a = turn + hour * np.pi / 6
        mask = text_mask(font, str(hour))
        at = x + 0.78 * radius * np.sin(a), y - 0.78 * radius * np.cos(a)
        _stamp_turned(image, mask, at, np.degrees(-turn), radius * 0.2 / mask.shape[0], ink)
    for length in (0.5, 0.75):
        a = float(rng.uniform(0, 2 * np.pi))
        tip = int(x + length * radius * np.sin(a)), int(y - length * radius * np.cos(a))
        cv2.line(image, centre, tip, ink, max(1, int(radius / 22)), cv2.LINE_AA)


def _label(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], x: float, y: float
) -> None:
    """A card of another kind, a sticker, a key: letters or digits over a sign, on pale ground."""
    size, angle = float(rng.uniform(12, 60)), float(rng.uniform(0, 360))
    ground = tuple(float(c) for c in _colour(rng, 120, 250))
    ink = tuple(float(c) for c in _colour(rng, 5, 110))
    if rng.random() < 0.7:
        sides = size * float(rng.uniform(1.2, 7)), size * float(rng.uniform(2.2, 9))
        box = cv2.boxPoints(((x, y), sides, -angle))
        cv2.fillPoly(image, [box.astype(np.int32)], ground, cv2.LINE_AA)
    letters = list("BCDEFGHILMNOPRSTUVWXYZ&#%@+=?!0123456789")
    text = "".join(rng.choice(letters, int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))))
    mask = text_mask(fonts[int(rng.integers(len(fonts)))], text)
    scale = size * 0.55 / mask.shape[0]
    c, s = np.cos(np.radians(-angle)), np.sin(np.radians(-angle))
    up = s * size * 0.4, -c * size * 0.4
    # A sign of no suit below it, or nothing: alone, a letter is no index.
    _stamp_turned(image, mask, (x + up[0], y + up[1]), angle, scale, ink)
    low = int(x - up[0]), int(y - up[1])
    kind = int(rng.integers(4))
    if kind == 0:
        cv2.circle(image, low, max(1, int(size * 0.2)), ink, -1, cv2.LINE_AA)
    elif kind == 1:
        box = cv2.boxPoints((low, (size * 0.4, size * 0.3), float(rng.uniform(0, 45)) - angle))
        cv2.fillPoly(image, [box.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 2:
        cv2.circle(image, low, max(2, int(size * 0.2)), ink, max(1, int(size / 16)), cv2.LINE_AA)


def _stamp_turned(
    image: Image,
    mask: Image,
    centre: tuple[float, float],
    angle: float,
    scale: float,
    ink: tuple[float, ...],
) -> None:
    """Print ``mask`` turned by ``angle`` degrees anticlockwise, its middle at ``centre``."""
    h, w = mask.shape
    reach = int(np.ceil(np.hypot(h, w) * scale / 2)) + 1
    left, top = int(centre[0]) - reach, int(centre[1]) - reach
    m = cv2.getRotationMatrix2D((w / 2, h / 2), angle, scale)
    m[:, 2] += (centre[0] - left - w / 2, centre[1] - top - h / 2)
    alpha = cv2.warpAffine(mask, m, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)[..., None]
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(image.shape[1], left + 2 * reach), min(image.shape[0], top + 2 * reach)
    if x1 > x0 and y1 > y0:
        alpha = alpha[y0 - top : y1 - top, x0 - left : x1 - left]
        image[y0:y1, x0:x1] += alpha * (np.asarray(ink, np.float32) - image[y0:y1, x0:x1])


def _print_words(
    rng: np.random.Generator,
    image: Image,
    fonts: Sequence[Path],
    x: float,
    y: float,
    ink: tuple[float, ...],
) -> None:
    h, w = image.shape[:2]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    angle, size = float(rng.uniform(0, 360)), float(rng.uniform(6, 60))
    for line in range(int(rng.integers(1, 5))):
        word = "".join(rng.choice(list(letters), int(rng.integers(1, 10))))
        mask = text_mask(fonts[int(rng.integers(len(fonts)))], word)
        scale = size / max(mask.shape[0], 1)
        m = np.array(cv2.getRotationMatrix2D((0.0, 0.0), angle, scale), np.float64)
        m[:, 2] += (x, y)
        m[:, 2] += m[:, 1] / scale * line * size * 1.4
        corners = (
            np.array(
                [
                    [0, 0, 1],
                    [mask.shape[1], 0, 1],
                    [0, mask.shape[0], 1],
                    [mask.shape[1], mask.shape[0], 1],
                ]
            )
            @ m.T
        )
        x0, y0 = np.maximum(corners.min(0), 0).astype(int)
        x1, y1 = np.minimum(corners.max(0) + 2, (w, h)).astype(int)
        if x1 - x0 < 2 or y1 - y0 < 2:
            continue
        m[:, 2] -= (x0, y0)
        alpha = cv2.warpAffine(mask, m, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)[
            ..., None
        ]
        image[y0:y1, x0:x1] *= 1 - alpha
        image[y0:y1, x0:x1] += alpha * np.asarray(ink, np.float32)


def make_surface(
    rng: np.random.Generator, shape: tuple[int, int], fonts: Sequence[Path], clutter: float = 0.5
) -> Image:
    """A table top, (h, w, 3) float32 BGR 0…255; ``clutter`` is the chance of things lying on it."""
    kind = rng.random()
    if kind < 0.28:
        image = _wood(rng, shape)
    elif kind < 0.6:
        image = _weave(rng, shape)
    elif kind < 0.85:
        image = _pattern(rng, shape)
    else:
        image = (
            _colour(rng)
            + smooth_noise(rng, shape, 80)[..., None] * rng.uniform(0, 12)
            + np.zeros((*shape, 1), np.float32)
        )
    image = np.ascontiguousarray(image, np.float32)
    if rng.random() < clutter:
        scatter_objects(rng, image, fonts, int(rng.integers(1, 9)))
    return np.clip(image, 0, 255)
