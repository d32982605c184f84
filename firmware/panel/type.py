"""Setting type on a 128 × 64 panel: the largest face that fits, and nothing over the edge."""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import util
from pathlib import Path

from PIL import ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont
Box = tuple[int, int, int, int]

#: Sizes in pixels that look well without anti-aliasing, the largest first.
NAME_SIZES = (34, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12)
LINE_SIZES = (16, 14, 13, 12, 11)
SMALL_SIZES = (13, 12, 11)
#: Up to this size letters are set one by one.
SET_BY_LETTER = 16
ELLIPSIS = "…"
#: Rows of the panel.
HEIGHT = 64


@cache
def font(size: int, weight: str = "Bold") -> Font:
    """The panel's face at ``size`` pixels, from the package that carries the files."""
    found = util.find_spec("font_source_sans_pro")
    if found is None or found.origin is None:
        raise FileNotFoundError("The package font-source-sans-pro is not installed.")
    path = Path(found.origin).parent / "files" / f"SourceSansPro-{weight}.ttf"
    return ImageFont.truetype(str(path), size)


def word_space(face: Font) -> int:
    """Pixels between words: at small sizes the face's own would round to almost nothing."""
    return max(3, round(face.size * 0.26))


def width(text: str, face: Font) -> int:
    """Pixels that ``text`` is wide, its ink included where it leans out of its advance."""
    words = text.split(" ")
    return sum(_word_width(word, face) for word in words) + word_space(face) * (len(words) - 1)


def _word_width(word: str, face: Font) -> int:
    if not word:
        return 0
    pieces = _pieces(word, face)
    if len(pieces) == 1:
        left, _, right, _ = face.getbbox(word, mode="1")
        return int(max(right, face.getlength(word, mode="1")) - min(left, 0) + 0.999)
    letter, x = pieces[-1]
    _, right, advance = _letter(letter, face)
    return x + max(right, int(advance + 0.999))


def _pieces(word: str, face: Font) -> list[tuple[str, int]]:
    """The parts in which a word is written, and where each begins.

    Small letters are set one by one: where a word is set as a whole, some touch, for their places
    are rounded to pixels, and "yandırır" reads as another word.
    """
    if face.size > SET_BY_LETTER:
        return [(word, 0)]
    letters: list[str] = []
    for sign in word:
        if letters and unicodedata.combining(sign):
            letters[-1] += sign
        else:
            letters.append(sign)
    pieces, place, edge = [], 0.0, -1
    for letter in letters:
        left, right, advance = _letter(letter, face)
        x = max(round(place), edge + 1 - left)
        edge, place = x + right, place + advance
        pieces.append((letter, x))
    return pieces


@lru_cache(maxsize=4096)
def _letter(letter: str, face: Font) -> tuple[int, int, float]:
    """The columns that a letter inks, from its place on, and how far the next one stands."""
    mask, (left, _) = face.getmask2(letter, mode="1", anchor="ls")
    box = mask.getbbox() or (0, 0, 0, 0)
    return int(left + box[0]), int(left + box[2]), float(face.getlength(letter, mode="1"))


def shorten(text: str, face: Font, room: int) -> str:
    """``text``, or its beginning with an ellipsis, not wider than ``room`` pixels."""
    if width(text, face) <= room:
        return text
    ends = range(len(text))
    most = bisect(ends, room, key=lambda end: width(_cut(text, end), face)) - 1
    return _cut(text, most) if most > 0 else ""


def _cut(text: str, end: int) -> str:
    return text[:end].rstrip() + ELLIPSIS


def fit(text: str, room: int, sizes: Sequence[int], weight: str = "Bold") -> tuple[str, Font]:
    """The largest face of ``sizes`` in which ``text`` fits; shortened if none does."""
    for size in sizes:
        face = font(size, weight)
        if width(text, face) <= room:
            return text, face
    face = font(sizes[-1], weight)
    return shorten(text, face, room), face


def fit_named(
    line: Callable[[str], str], name: str, room: int, sizes: Sequence[int], weight: str = "Bold"
) -> tuple[str, Font]:
    """As ``fit`` for a line with a name in it, of which the name is what gets shortened."""
    text, face = fit(line(name), room, sizes, weight)
    for end in range(len(name) - 1, 0, -1):
        if text == line(name) or (width(text, face) <= room and not text.endswith(ELLIPSIS)):
            break
        text, face = fit(line(name[:end].rstrip() + ELLIPSIS), room, sizes[-1:], weight)
    return text, face


def squeeze(text: str, room: int, sizes: Sequence[int], weight: str = "Bold") -> tuple[str, Font]:
    """As ``fit`` for a line that begins with a name, of which the name is what gets shortened."""
    name, blank, rest = text.partition(" ")
    colon = ":" if name.endswith(":") else ""
    name = name.removesuffix(":")
    return fit_named(lambda short: short + colon + blank + rest, name, room, sizes, weight)


def wrap(text: str, face: Font, room: int) -> list[str]:
    """``text`` broken at spaces into lines of at most ``room`` pixels."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, face) <= room:
            lines[-1] = longer
        else:
            lines.append(shorten(word, face, room))
    return lines


def put(
    draw: ImageDraw.ImageDraw,
    xy: tuple[int, int],
    text: str,
    face: Font,
    ink: int = 1,
    centre: bool = False,
) -> None:
    """Write ``text`` on the base line through ``xy``, from there on or centred on it."""
    x, y = xy
    _, top, _, bottom = face.getbbox(text or " ", anchor="ls", mode="1")
    # Letters with signs stacked above or below them would otherwise lose these at the edge.
    y = max(min(y, HEIGHT - int(bottom)), -int(top))
    if centre:
        x -= width(text, face) // 2
    for word in text.split(" "):
        for piece, start in _pieces(word, face):
            draw.text((x + start, y), piece, font=face, fill=ink, anchor="ls")
        x += _word_width(word, face) + word_space(face)


def put_name(
    draw: ImageDraw.ImageDraw,
    box: Box,
    text: str,
    sizes: Sequence[int] = NAME_SIZES,
    ink: int = 1,
    centre: bool = False,
) -> None:
    """Write ``text`` on one line of ``box``, as large as it fits, its ink in the middle."""
    left, top, right, bottom = box
    for size in sizes:
        text_cut, face = fit(text, right - left, (size,))
        _, ink_top, _, ink_bottom = face.getbbox(text_cut or " ", anchor="ls", mode="1")
        if text_cut == text and ink_bottom - ink_top <= bottom - top:
            break
    y = int(top + (bottom - top - (ink_bottom - ink_top)) // 2 - ink_top)
    put(draw, ((left + right) // 2 if centre else left, y), text_cut, face, ink, centre)


def put_lines(
    draw: ImageDraw.ImageDraw,
    box: Box,
    text: str,
    sizes: Sequence[int],
    ink: int = 1,
    weight: str = "Semibold",
    centre: bool = False,
) -> int:
    """Set ``text`` in ``box`` as large as its lines fit; returns the y below the last line.

    The lines stand in the middle of the box's height. What does not fit even in the
    smallest size is cut at the last line that does.
    """
    left, top, right, bottom = box
    face, lines, step = font(sizes[-1], weight), [""], sizes[-1]
    for size in sizes:
        face, step = font(size, weight), leading(size)
        lines = wrap(text, face, right - left)
        uncut = not any(line.endswith(ELLIPSIS) for line in lines) or size == sizes[-1]
        if uncut and len(lines) * step <= bottom - top:
            break
    most = max(1, (bottom - top) // step)
    if len(lines) > most:
        last = shorten(" ".join(lines[most - 1 :]), face, right - left)
        lines = [*lines[: most - 1], last]
    y = top + (bottom - top - len(lines) * step) // 2
    for line in lines:
        x = (left + right) // 2 if centre else left
        put(draw, (x, y + cap_top(face, step)), line, face, ink, centre)
        y += step
    return y


def leading(size: int) -> int:
    """Pixels from one baseline to the next."""
    return size + 1


def cap_top(face: Font, step: int) -> int:
    """Where in a line of ``step`` pixels the baseline lies."""
    ascent = -int(face.getbbox("H", anchor="ls", mode="1")[1])
    return (step + ascent) // 2
