"""Signs drawn by ourselves: suits, a card, a flame, a tick, a cross, the idiot's hat."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw

from engine.cards import Card
from firmware.panel.type import fit, font, put, width

#: Suits in few pixels are set by hand: no drawing survives that size.
SMALL = {
    "H": ("  .##.##.", "  #######", "  #######", "  #######", "  .#####.", "  ..###..", "  ...#..."),
    "D": ("  ...#...", "  ..###..", "  .#####.", "  #######", "  .#####.", "  ..###..", "  ...#..."),
    "S": ("  ...#...", "  ..###..", "  .#####.", "  #######", "  #######", "  ...#...", "  ..###.."),
    "C": ("  ..###..", "  ..###..", "  ##.#.##", "  #######", "  ##.#.##", "  ...#...", "  ..###.."),
}
SMALL_SIZE = 7
OVER = 16


@cache
def suit(letter: str, size: int) -> Image.Image:
    """The sign of suit ``letter`` (C D H S) as a mask of ``size`` × ``size`` pixels."""
    if size <= SMALL_SIZE:
        picture = Image.new("1", (SMALL_SIZE, SMALL_SIZE))
        for y, row in enumerate(SMALL[letter]):
            for x, dot in enumerate(row.strip()):
                picture.putpixel((x, y), int(dot == "#"))
        return picture
    # Drawn large and thinned out, so that every size keeps its shape.
    side = size * OVER
    big = Image.new("L", (side, side))
    draw = ImageDraw.Draw(big)

    def disc(x: float, y: float, r: float) -> None:
        draw.ellipse([(x - r) * side, (y - r) * side, (x + r) * side, (y + r) * side], fill=255)

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([(x * side, y * side) for x, y in points], fill=255)

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
    small = big.resize((size, size), Image.Resampling.BOX)
    return small.point(lambda value: 255 if value >= 120 else 0).convert("1")


def stamp(target: Image.Image, sign: Image.Image, xy: tuple[int, int], ink: int = 1) -> None:
    """Put the mask ``sign`` on ``target`` in ``ink``, its top left at ``xy``."""
    target.paste(ink, (*xy, xy[0] + sign.width, xy[1] + sign.height), sign)


def rank_and_suit(card: Card) -> tuple[str, str]:
    """What is printed on ``card``: its rank and the letter of its suit ("" if unknown)."""
    code = str(card)
    if code == "JK":
        return "★", ""
    return code[:-1], "" if code.endswith("?") else code[-1]


def card_face(target: Image.Image, box: tuple[int, int, int, int], card: Card,
              solid: bool = True) -> None:
    """Draw ``card`` in ``box``, lit up if ``solid``, else as an outline."""
    left, top, right, bottom = box
    draw = ImageDraw.Draw(target)
    draw.fontmode = "1"
    ink = 0 if solid else 1
    draw.rounded_rectangle((left, top, right - 1, bottom - 1), 4, fill=int(solid), outline=1)
    rank, letter = rank_and_suit(card)
    wide, high = right - left, bottom - top
    if rank == "★":
        face = font(14)
        put(draw, ((left + right) // 2, top + high // 2 - 1), "JOKER"[:2], font(20), ink, "ms")
        put(draw, ((left + right) // 2, top + high - 8), "joker", fit("joker", wide - 6, (13, 12, 11))[1],
            ink, "ms")
        return
    size = 26 if high >= 44 else 20
    text, face = fit(rank, wide - 6, (size, size - 2, size - 4, size - 6))
    ascent = -int(face.getbbox("8", anchor="ls", mode="1")[1])
    sign = 15 if high >= 44 else 11
    gap = 4 if high >= 44 else 3
    y = top + (high - ascent - gap - sign) // 2 + ascent
    # "10" is tight: the advance of its last digit would push it off the middle.
    put(draw, (left + (wide - width(text, face)) // 2 + (0 if len(text) > 1 else 1), y), text, face,
        ink, "ls")
    x = left + (wide - sign) // 2
    if letter:
        stamp(target, suit(letter, sign), (x, y + gap), ink)
    else:
        put(draw, ((left + right) // 2, y + gap + sign - 1), "?", font(sign + 3), ink, "ms")


def flame(target: Image.Image, xy: tuple[int, int], size: int, ink: int = 1) -> None:
    """A flame ``size`` pixels high."""
    outer = ((0.50, 0.00), (0.62, 0.20), (0.80, 0.38), (0.88, 0.62), (0.80, 0.84), (0.62, 0.98),
             (0.38, 0.98), (0.20, 0.84), (0.12, 0.62), (0.18, 0.42), (0.30, 0.50), (0.36, 0.40),
             (0.36, 0.18))
    inner = ((0.52, 0.48), (0.64, 0.66), (0.66, 0.82), (0.56, 0.94), (0.44, 0.94), (0.34, 0.82),
             (0.38, 0.70), (0.45, 0.72))
    sign = Image.new("L", (size * OVER, size * OVER))
    draw = ImageDraw.Draw(sign)
    draw.polygon([(x * size * OVER, y * size * OVER) for x, y in outer], fill=255)
    draw.polygon([(x * size * OVER, y * size * OVER) for x, y in inner], fill=0)
    small = sign.resize((size, size), Image.Resampling.BOX)
    stamp(target, small.point(lambda value: 255 if value >= 128 else 0).convert("1"), xy, ink)


def tick(draw: ImageDraw.ImageDraw, xy: tuple[int, int], ink: int = 1) -> None:
    """A tick, 9 × 7 pixels."""
    x, y = xy
    draw.line((x, y + 4, x + 3, y + 7, x + 9, y + 1), fill=ink, width=2)


def cross(draw: ImageDraw.ImageDraw, xy: tuple[int, int], size: int, ink: int = 1) -> None:
    """A cross, ``size`` pixels wide."""
    x, y = xy
    draw.line((x, y, x + size, y + size), fill=ink, width=3)
    draw.line((x, y + size, x + size, y), fill=ink, width=3)


def hat(target: Image.Image, xy: tuple[int, int], size: int, ink: int = 1) -> None:
    """The idiot's hat: three horns with bells, ``size`` pixels wide."""
    sign = Image.new("L", (size * OVER, size * OVER))
    draw = ImageDraw.Draw(sign)
    horns = ((0.14, 0.80), (0.08, 0.36), (0.30, 0.52), (0.50, 0.12), (0.70, 0.52), (0.92, 0.36),
             (0.86, 0.80))
    draw.polygon([(x * size * OVER, y * size * OVER) for x, y in horns], fill=255)
    for x, y in ((0.08, 0.30), (0.50, 0.09), (0.92, 0.30)):
        r = 0.08
        draw.ellipse([(x - r) * size * OVER, (y - r) * size * OVER, (x + r) * size * OVER,
                      (y + r) * size * OVER], fill=255)
    draw.rectangle([0.12 * size * OVER, 0.84 * size * OVER, 0.88 * size * OVER, 0.94 * size * OVER],
                   fill=255)
    small = sign.resize((size, size), Image.Resampling.BOX)
    stamp(target, small.point(lambda value: 255 if value >= 128 else 0).convert("1"), xy, ink)
