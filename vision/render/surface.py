"""Table tops: cloth, wood, tiles, print and plain boards, made from noise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.clutter import scatter_objects
from vision.render.colour import random_colour

Image = NDArray[Any]
#: Most things that lie about on one table.
MOST_THINGS = 24


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> Image:
    """Noise of unit deviation that varies over about ``cell`` pixels, (h, w)."""
    h, w = shape
    small = rng.standard_normal(
        (max(2, int(h / cell) + 2), max(2, int(w / cell) + 2)), dtype=np.float32
    )
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


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
    base = random_colour(rng)
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
    a, b = random_colour(rng), random_colour(rng)
    return np.asarray(
        a
        + (b - a) * mix[..., None].astype(np.float32)
        + smooth_noise(rng, shape, 2)[..., None] * rng.uniform(1, 9),
        np.float32,
    )


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
            random_colour(rng)
            + smooth_noise(rng, shape, 80)[..., None] * rng.uniform(0, 12)
            + np.zeros((*shape, 1), np.float32)
        )
    image = np.ascontiguousarray(image, np.float32)
    if rng.random() < clutter:
        scatter_objects(rng, image, fonts, int(np.exp(rng.uniform(0, np.log(MOST_THINGS)))))
    return np.clip(image, 0, 255)
