"""What lies about on a table beside the cards, and must never be read as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Suit
from vision.render.colour import random_colour
from vision.render.glyphs import suit_mask, text_mask

Image = NDArray[Any]


def scatter_objects(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], count: int
) -> None:
    """Things that lie about: coins, phones, glasses' rings, print with letters and digits."""
    h, w = image.shape[:2]
    for _ in range(count):
        x, y = float(rng.uniform(0, w)), float(rng.uniform(0, h))
        kind = rng.random()
        colour = tuple(float(c) for c in random_colour(rng))
        if kind < 0.05:
            _die(rng, image, x, y)
        elif kind < 0.10:
            _dial(rng, image, fonts, x, y)
        elif kind < 0.15:
            _tiles(rng, image, fonts, x, y)
        elif kind < 0.18:
            _signs(rng, image, x, y)
        elif kind < 0.28:
            _label(rng, image, fonts, x, y)
        elif kind < 0.40:
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
                tuple(float(c) for c in random_colour(rng)),
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
    body = tuple(float(c) for c in random_colour(rng))
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
    face = tuple(float(c) for c in random_colour(rng))
    ink = tuple(float(c) for c in random_colour(rng, 5, 80))
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


def _tiles(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], x: float, y: float
) -> None:
    """Keys of a keyboard or a telephone, tiles of a game, days of a calendar: a grid of letters."""
    size, angle = float(rng.uniform(9, 55)), float(rng.uniform(0, 360))
    ground, ink = random_colour(rng), random_colour(rng)
    font, letter = fonts[int(rng.integers(len(fonts)))], float(rng.uniform(0.3, 0.75))
    counted = rng.random() < 0.5
    small = rng.random() < 0.4
    c, s = np.cos(np.radians(-angle)), np.sin(np.radians(-angle))
    columns, rows = (int(n) for n in rng.integers(1, 7, 2))
    for number in range(columns * rows):
        u, v = size * 1.15 * (number % columns), size * 1.15 * (number // columns)
        at = x + c * u - s * v, y + s * u + c * v
        box = cv2.boxPoints((at, (size, size), -angle))
        tile = tuple(float(n) for n in np.clip(ground + rng.normal(0, 4), 0, 255))
        cv2.fillPoly(image, [box.astype(np.int32)], tile, cv2.LINE_AA)
        text = str(number + 1) if counted else str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
        mask = text_mask(font, text)
        colour = tuple(float(n) for n in ink)
        scale = min(size * letter / mask.shape[0], size * 0.85 / mask.shape[1])
        _stamp_turned(image, mask, at, angle, scale, colour)
        if small:
            mask = text_mask(font, str(int(rng.integers(1, 11))))
            low = at[0] + (c - s) * 0.36 * size, at[1] + (s + c) * 0.36 * size
            _stamp_turned(image, mask, low, angle, size * 0.2 / mask.shape[0], colour)


def _signs(rng: np.random.Generator, image: Image, x: float, y: float) -> None:
    """Suit signs without a rank, as on a box of cards, a beer mat or a chip."""
    size, angle = float(rng.uniform(6, 90)), float(rng.uniform(0, 360))
    ink = tuple(float(n) for n in random_colour(rng))
    c, s = np.cos(np.radians(-angle)), np.sin(np.radians(-angle))
    gap = size * float(rng.uniform(1.1, 2.0))
    for number, suit in enumerate(rng.permutation(list(Suit))[: int(rng.integers(1, 5))]):
        mask = suit_mask(Suit(suit), rng)
        at = x + c * gap * number, y + s * gap * number
        _stamp_turned(image, mask, at, angle, size / mask.shape[0], ink)


def _label(
    rng: np.random.Generator, image: Image, fonts: Sequence[Path], x: float, y: float
) -> None:
    """A card of another kind, a sticker, a key: letters or digits over a sign, on pale ground."""
    size, angle = float(rng.uniform(12, 60)), float(rng.uniform(0, 360))
    ground = tuple(float(c) for c in random_colour(rng, 120, 250))
    ink = tuple(float(c) for c in random_colour(rng, 5, 110))
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
