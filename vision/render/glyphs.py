"""Masks of ranks, words and suit signs: the ink that decks are printed with.

A mask is a float32 array (h, w) in 0…1, cropped to its ink.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from engine.cards import Suit
from engine.errors import PilewatchError

Mask = NDArray[Any]

#: Packages that come with this one, whose font files print the decks of the virtual table.
FONT_PACKAGES = ("font_source_sans_pro", "font_source_serif_pro", "font_lato")
_DRAWN_HEIGHT = 160


@lru_cache(maxsize=1)
def packaged_fonts() -> tuple[Path, ...]:
    """Upright font files of the font packages, in a fixed order: a seed draws one deck anywhere.

    Raises PilewatchError where one of the packages is not installed.
    """
    files: list[Path] = []
    for name in FONT_PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None:
            raise PilewatchError(
                f"the fonts that virtual decks are printed with are incomplete: expected the "
                f"package {name.replace('_', '-')} beside Pilewatch; install it again"
            )
        for folder in spec.submodule_search_locations or []:
            files += [
                file
                for file in sorted(Path(folder).rglob("*.[to]tf"))
                if not any(word in file.stem for word in ("Italic", "It.", "Thin", "Hairline"))
                and not file.stem.endswith("It")
            ]
    return tuple(files)


def crop_to_ink(mask: Mask) -> Mask:
    """The smallest part of ``mask`` that holds all its ink; at least one pixel."""
    rows, columns = np.where(mask.max(axis=1) > 0.2)[0], np.where(mask.max(axis=0) > 0.2)[0]
    if not len(rows) or not len(columns):
        return np.zeros((1, 1), np.float32)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@lru_cache(maxsize=4096)
def text_mask(font: Path, text: str, stacked: bool = False) -> Mask:
    """``text`` in ``font``, about 160 px high; ``stacked`` sets one letter under another."""
    if stacked:
        letters = [text_mask(font, letter) for letter in text]
        width = max(letter.shape[1] for letter in letters)
        rows = []
        for letter in letters:
            indent = (width - letter.shape[1]) // 2
            rows.append(np.pad(letter, ((0, 24), (indent, width - letter.shape[1] - indent))))
        return crop_to_ink(np.vstack(rows))
    face = ImageFont.truetype(str(font), _DRAWN_HEIGHT)
    box = face.getbbox(text)
    left, top = box[0], box[1]
    canvas = Image.new("L", (max(1, int(box[2] - left) + 8), max(1, int(box[3] - top) + 8)))
    ImageDraw.Draw(canvas).text((4 - left, 4 - top), text, fill=255, font=face)
    return crop_to_ink(np.asarray(canvas, np.float32) / 255)


def _fill(outlines: list[NDArray[Any]], size: int = 160) -> Mask:
    """Closed outlines in the unit square, filled together."""
    image = np.zeros((size, size), np.uint8)
    for outline in outlines:
        points = np.round((outline * 0.9 + 0.05) * size * 16).astype(np.int32)
        cv2.fillPoly(image, [points], (255.0,), cv2.LINE_AA, shift=4)
    return crop_to_ink(image.astype(np.float32) / 255)


def _bezier(*points: tuple[float, float]) -> NDArray[Any]:
    """A cubic Bézier curve through its end points, 24 samples."""
    p = np.asarray(points, float)
    t = np.linspace(0, 1, 24)[:, None]
    weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
    return np.asarray(sum(w * q for w, q in zip(weights, p, strict=True)))


def _mirrored(right: NDArray[Any]) -> NDArray[Any]:
    """A closed outline from its right half, given from top to bottom."""
    left = right[::-1].copy()
    left[:, 0] = 1 - left[:, 0]
    return np.vstack([right, left])


def _circle(x: float, y: float, r: float) -> NDArray[Any]:
    a = np.linspace(0, 2 * np.pi, 48)
    return np.stack([x + r * np.cos(a), y + r * np.sin(a)], 1)


def _stem(rng: np.random.Generator, top: float) -> NDArray[Any]:
    foot = rng.uniform(0.12, 0.26)
    return _mirrored(
        np.vstack(
            [
                [[0.5 + rng.uniform(0.02, 0.05), top]],
                _bezier((0.53, 0.75), (0.54, 0.88), (0.5 + foot * 0.7, 0.97), (0.5 + foot, 1.0)),
            ]
        )
    )


def _heart(rng: np.random.Generator, top: float = 0.0, bottom: float = 1.0) -> NDArray[Any]:
    """A heart between two heights; upside down (a spade's body) when top > bottom."""
    notch, shoulder, tip = rng.uniform(0.14, 0.3), rng.uniform(0.3, 0.62), rng.uniform(0.5, 0.66)
    right = np.vstack(
        [
            _bezier((0.5, notch), (0.56, -0.06), (0.98, -0.1), (1.0, shoulder * 0.62)),
            _bezier((1.0, shoulder * 0.62), (1.0, shoulder), (0.5 + tip * 0.4, 0.78), (0.5, 1.0)),
        ]
    )
    right[:, 1] = top + (bottom - top) * np.clip(right[:, 1], 0, 1)
    return _mirrored(right)


def suit_mask(suit: Suit, rng: np.random.Generator) -> Mask:
    """A suit sign of a random cut, about 145 px high, its width varied by up to a fifth."""
    if suit is Suit.H:
        mask = _fill([_heart(rng)])
    elif suit is Suit.S:
        body = rng.uniform(0.78, 0.92)
        mask = _fill([_heart(rng, top=body, bottom=0.0), _stem(rng, body * 0.62)])
    elif suit is Suit.D:
        bulge = rng.uniform(-0.13, 0.05)
        sides = [(0.5, 0.0), (1.0, 0.5)], [(1.0, 0.5), (0.5, 1.0)]
        middles = (0.75 + bulge, 0.25 - bulge), (0.75 + bulge, 0.75 + bulge)
        mask = _fill(
            [
                _mirrored(
                    np.vstack(
                        [_bezier(a, m, m, b) for (a, b), m in zip(sides, middles, strict=True)]
                    )
                )
            ]
        )
        mask = cv2.resize(
            mask, None, fx=rng.uniform(0.7, 1.0), fy=1.0, interpolation=cv2.INTER_AREA
        )
    else:
        r = rng.uniform(0.2, 0.26)
        low, wide = rng.uniform(0.52, 0.62), rng.uniform(0.23, 0.28)
        leaves = [_circle(0.5, r, r), _circle(0.5 - wide, low, r), _circle(0.5 + wide, low, r)]
        middle = _circle(0.5, 0.46, rng.uniform(0.08, 0.15))
        mask = _fill([*leaves, middle, _stem(rng, 0.45)])
    stretch = rng.uniform(0.85, 1.12)
    return cv2.resize(mask, None, fx=float(stretch), fy=1.0, interpolation=cv2.INTER_AREA)
