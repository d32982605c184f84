"""Signs drawn by ourselves: suits, a card, a flame, a tick, a cross, the idiot's hat."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from PIL import Image, ImageDraw

from engine.cards import Card
from firmware.panel.type import fit, font, put, width
from firmware.words import say

#: Suits in few pixels are set by hand: no drawing survives that size.
SMALL = {
    "H": (".##.##.", "#######", "#######", "#######", ".#####.", "..###..", "...#..."),
    "D": ("...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."),
    "S": ("...#...", "..###..", ".#####.", "#######", "#######", "...#...", "..###.."),
    "C": ("..###..", "..###..", "##.#.##", "#######", "##.#.##", "...#...", "..###.."),
}
SMALL_SIZE = 7
JOKER = "JK"
OVER = 16

Points = Iterable[tuple[float, float]]

FLAME = (
    (0.50, 0.00), (0.62, 0.20), (0.80, 0.38), (0.88, 0.62), (0.80, 0.84), (0.62, 0.98),
    (0.38, 0.98), (0.20, 0.84), (0.12, 0.62), (0.18, 0.42), (0.30, 0.50), (0.36, 0.40),
    (0.36, 0.18),
)  # fmt: skip
FLAME_HEART = (
    (0.52, 0.48), (0.64, 0.66), (0.66, 0.82), (0.56, 0.94), (0.44, 0.94), (0.34, 0.82),
    (0.38, 0.70), (0.45, 0.72),
)  # fmt: skip


@cache
def suit(letter: str, size: int) -> Image.Image:
    """The sign of suit ``letter`` (C D H S) as a mask of ``size`` × ``size`` pixels."""
    if size <= SMALL_SIZE:
        picture = Image.new("1", (SMALL_SIZE, SMALL_SIZE))
        for y, row in enumerate(SMALL[letter]):
            for x, dot in enumerate(row):
                picture.putpixel((x, y), int(dot == "#"))
        return picture
    # Drawn large and thinned out, so that every size keeps its shape.
    big, draw = _canvas(size)
    side = size * OVER

    def disc(x: float, y: float, r: float) -> None:
        draw.ellipse([(x - r) * side, (y - r) * side, (x + r) * side, (y + r) * side], fill=255)

    def shape(*points: tuple[float, float]) -> None:
        _shape(draw, size, points)

    if letter == "D":
        shape((0.5, 0.0), (0.88, 0.5), (0.5, 1.0), (0.12, 0.5))
    elif letter == "H":
        disc(0.265, 0.29, 0.265)
        disc(0.735, 0.29, 0.265)
        shape((0.03, 0.40), (0.97, 0.40), (0.5, 1.0))
        shape((0.2, 0.3), (0.8, 0.3), (0.5, 0.6))
    elif letter == "S":
        shape((0.5, 0.0), (0.96, 0.52), (0.04, 0.52))
        disc(0.255, 0.58, 0.245)
        disc(0.745, 0.58, 0.245)
        shape((0.3, 0.45), (0.7, 0.45), (0.5, 0.75))
        shape((0.5, 0.55), (0.74, 1.0), (0.26, 1.0))
    else:
        disc(0.5, 0.235, 0.235)
        disc(0.24, 0.58, 0.235)
        disc(0.76, 0.58, 0.235)
        disc(0.5, 0.48, 0.13)
        shape((0.5, 0.42), (0.74, 1.0), (0.26, 1.0))
    return _thin_out(big, size)


def stamp(target: Image.Image, sign: Image.Image, xy: tuple[int, int], ink: int = 1) -> None:
    """Put the mask ``sign`` on ``target`` in ``ink``, its top left at ``xy``."""
    target.paste(ink, (*xy, xy[0] + sign.width, xy[1] + sign.height), sign)


def rank_and_suit(card: Card) -> tuple[str, str]:
    """What is printed on ``card``: its rank and the letter of its suit ("" if unknown)."""
    code = str(card)
    if code == JOKER:
        return JOKER, ""
    return code[:-1], "" if code.endswith("?") else code[-1]


def card_face(
    target: Image.Image,
    box: tuple[int, int, int, int],
    card: Card,
    solid: bool = True,
    count: int = 1,
) -> None:
    """Draw ``card`` in ``box``, lit up if ``solid``, else as an outline; ``count`` of its rank."""
    left, top, right, bottom = box
    draw = ImageDraw.Draw(target)
    draw.fontmode = "1"
    ink = 0 if solid else 1
    draw.rounded_rectangle((left, top, right - 1, bottom - 1), 4, fill=int(solid), outline=1)
    rank, letter = rank_and_suit(card)
    wide, high = right - left, bottom - top
    middle = (left + right) // 2
    if rank == JOKER:
        stamp(target, star(20), (middle - 10, top + 5), ink)
        said = say("panel.joker") if count < 2 else f"×{count}"
        put(draw, (middle, bottom - 8), said, font(13 if count < 2 else 16), ink, centre=True)
        return
    size = 26 if high >= 44 else 20
    text, face = fit(rank, wide - 6, (size, size - 2, size - 4, size - 6))
    ascent = -int(face.getbbox("8", anchor="ls", mode="1")[1])
    sign = 15 if high >= 44 else 11
    gap = 4 if high >= 44 else 3
    y = top + (high - ascent - gap - sign) // 2 + ascent
    put(draw, (middle, y), text, face, ink, centre=True)
    x = left + (wide - sign) // 2
    if count > 1:
        x = left + 3
        many, small = fit(f"×{count}", wide - sign - 7, (16, 14, 12, 11))
        put(draw, (right - 3 - width(many, small), y + gap + sign - 2), many, small, ink)
        middle = x + sign // 2
    if letter:
        stamp(target, suit(letter, sign), (x, y + gap), ink)
    else:
        put(draw, (middle, y + gap + sign - 1), "?", font(sign + 3), ink, centre=True)


def _thin_out(big: Image.Image, size: int) -> Image.Image:
    small = big.resize((size, size), Image.Resampling.BOX)
    return small.point(lambda value: 255 if value >= 124 else 0).convert("1")


def _canvas(size: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    big = Image.new("L", (size * OVER, size * OVER))
    return big, ImageDraw.Draw(big)


def _shape(draw: ImageDraw.ImageDraw, size: int, points: Points, ink: int = 255) -> None:
    draw.polygon([(x * size * OVER, y * size * OVER) for x, y in points], fill=ink)


@cache
def star(size: int) -> Image.Image:
    """A star of five points, ``size`` pixels wide."""
    big, draw = _canvas(size)
    points = [
        (0.5 + r * math.sin(i * math.pi / 5), 0.53 - r * math.cos(i * math.pi / 5))
        for i, r in enumerate([0.52, 0.21] * 5)
    ]
    _shape(draw, size, points)
    return _thin_out(big, size)


@cache
def flame(size: int) -> Image.Image:
    """A flame ``size`` pixels high."""
    big, draw = _canvas(size)
    _shape(draw, size, FLAME)
    _shape(draw, size, FLAME_HEART, ink=0)
    return _thin_out(big, size)


@cache
def dunce_cap(size: int) -> Image.Image:
    """The idiot's hat: a cone with a bobble and an I on it, ``size`` pixels wide."""
    big, draw = _canvas(size)
    side = size * OVER
    _shape(draw, size, ((0.5, 0.10), (0.82, 0.88), (0.18, 0.88)))
    draw.ellipse([0.06 * side, 0.78 * side, 0.94 * side, 1.0 * side], fill=255)
    draw.arc([0.14 * side, 0.70 * side, 0.86 * side, 0.90 * side], 20, 160, 0, side // 32)
    draw.ellipse([0.39 * side, 0.0, 0.61 * side, 0.22 * side], fill=255)
    draw.rectangle([0.465 * side, 0.42 * side, 0.535 * side, 0.74 * side], fill=0)
    for y in (0.40, 0.70):
        draw.rectangle([0.41 * side, y * side, 0.59 * side, (y + 0.05) * side], fill=0)
    return _thin_out(big, size)


def tick(draw: ImageDraw.ImageDraw, xy: tuple[int, int], ink: int = 1) -> None:
    """A tick, 9 × 7 pixels."""
    x, y = xy
    draw.line((x, y + 4, x + 3, y + 7, x + 9, y + 1), fill=ink, width=2)


def cross(draw: ImageDraw.ImageDraw, xy: tuple[int, int], size: int, ink: int = 1) -> None:
    """A cross, ``size`` pixels wide."""
    x, y = xy
    draw.line((x, y, x + size, y + size), fill=ink, width=3)
    draw.line((x, y + size, x + size, y), fill=ink, width=3)


def heap(draw: ImageDraw.ImageDraw, xy: tuple[int, int]) -> None:
    """A small heap of cards, 9 × 8 pixels: what the number beside it counts."""
    x, y = xy
    draw.rectangle((x + 3, y, x + 8, y + 5), outline=1)
    draw.rectangle((x, y + 2, x + 5, y + 7), outline=1, fill=0)


def stock(draw: ImageDraw.ImageDraw, xy: tuple[int, int]) -> None:
    """A stack of cards that lie square, 9 × 8 pixels: what is still to be drawn."""
    x, y = xy
    draw.rectangle((x, y, x + 8, y + 3), outline=1)
    draw.line((x, y + 5, x + 8, y + 5), fill=1)
    draw.line((x, y + 7, x + 8, y + 7), fill=1)


def hand(draw: ImageDraw.ImageDraw, xy: tuple[int, int]) -> None:
    """Three cards side by side, 9 × 8 pixels: what the player has left."""
    x, y = xy
    draw.rectangle((x, y + 2, x + 1, y + 7), fill=1)
    draw.rectangle((x + 3, y, x + 5, y + 7), fill=1)
    draw.rectangle((x + 7, y + 2, x + 8, y + 7), fill=1)
