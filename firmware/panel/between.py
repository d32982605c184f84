"""The screens before and between games: choosing, what is special tonight, the score."""

from __future__ import annotations

from PIL import Image, ImageDraw

from firmware.panel import screens, signs
from firmware.panel.type import (
    SMALL_SIZES,
    cap_top,
    fit,
    font,
    put,
    put_lines,
    put_name,
    shorten,
    width,
)

TITLE_SIZES = (14, 13, 12, 11)
#: So many rows of the score stand below each other; more take two columns.
ROWS = 4


def choose(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Choose) -> None:
    """The title above, what is pointed at large in the middle, how to go on beneath."""
    _title(pen, screen.title)
    put_name(pen, (2, 15, 126, 48), screen.value, (28, 26, 24, 22, 20, 18, 16, 14, 12), centre=True)
    _hint(pen, screen.hint)


def lines(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Lines) -> None:
    """A title and lines, all of one size."""
    _title(pen, screen.title)
    bottom = 50 if screen.hint else 63
    shown = screen.lines[:3]
    if len(shown) == 1:
        put_lines(pen, (2, 15, 126, bottom), shown[0], (18, 16, 14, 13, 12, 11), centre=True)
    else:
        step = (bottom - 15) // max(1, len(shown))
        size = _common_size(shown, 124, step)
        for i, line in enumerate(shown):
            text, face = fit(line, 124, (size, 11), "Semibold")
            put(pen, (64, 15 + i * step + cap_top(face, step)), text, face, centre=True)
    _hint(pen, screen.hint)


def scores(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Scores) -> None:
    """A row a player; the hat stands before the name of who wears it."""
    _title(pen, screen.title)
    columns = 1 if len(screen.rows) <= ROWS else 2
    high = 11 if screen.hint else 12
    each = -(-len(screen.rows) // columns)
    wide = 128 // columns - (4 if columns == 2 else 0)
    high = min(high, 36 // each if screen.hint and each > 3 else high)
    for i, row in enumerate(screen.rows):
        left = (i // each) * (wide + 8)
        y = 15 + (i % each) * high + 9
        _row(image, pen, row, left, left + wide, y)
    if each <= 3 or not screen.hint:
        _hint(pen, screen.hint)


def _row(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    row: screens.Row,
    left: int,
    right: int,
    y: int,
) -> None:
    face = font(11, "Semibold")
    value = shorten(row.value, face, (right - left) // 2)
    room = right - left - width(value, face) - 14
    if row.hat:
        signs.stamp(image, signs.dunce_cap(9), (left, y - 9))
    put(pen, (left + 11, y), shorten(row.player, face, room), face)
    put(pen, (right - width(value, face), y), value, face)


def pattern(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Pattern) -> None:
    """A frame on the outermost pixels, a cross, and the driver's name."""
    pen.rectangle((0, 0, 127, 63), outline=1)
    pen.line((0, 0, 127, 63), fill=1)
    pen.line((0, 63, 127, 0), fill=1)
    pen.rectangle((24, 18, 103, 45), fill=0, outline=1)
    text, face = fit(screen.driver, 74, (20, 18, 16))
    put(pen, (64, 38), text, face, centre=True)


def _common_size(shown: tuple[str, ...], room: int, step: int) -> int:
    for size in (16, 14, 13, 12):
        if size <= step + 1 and all(width(line, font(size, "Semibold")) <= room for line in shown):
            return size
    return 11


def _title(pen: ImageDraw.ImageDraw, text: str) -> None:
    line, face = fit(text, 126, TITLE_SIZES, "Semibold")
    put(pen, (64, 11), line, face, centre=True)


def _hint(pen: ImageDraw.ImageDraw, text: str) -> None:
    if text:
        line, face = fit(text, 126, SMALL_SIZES, "Regular")
        put(pen, (64, 61), line, face, centre=True)
