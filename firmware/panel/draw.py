"""Each screen as a picture: pure functions from a screen to 128 × 64 pixels, mode "1"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from PIL import Image, ImageDraw

from firmware.panel import screens, signs
from firmware.panel.between import choose, lines, pattern, scores
from firmware.panel.code import code
from firmware.panel.type import (
    ELLIPSIS,
    LINE_SIZES,
    SMALL_SIZES,
    fit,
    fit_named,
    font,
    put,
    put_lines,
    put_name,
    shorten,
    squeeze,
    width,
)
from firmware.words import say

SIZE = (128, 64)
#: The card on top stands at the right, full height but for the count beneath.
CARD_BOX = (90, 0, 128, 50)
LEFT_ROOM = 86
#: Pixels that the tick takes before what was played last.
TICK = 13
#: Pixels between two counts along the lower edge.
BETWEEN = 3


def draw(screen: screens.Screen) -> Image.Image:
    """The picture of ``screen``."""
    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    PAINTERS[type(screen)](image, pen, screen)
    return image


def _splash(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Splash) -> None:
    text, face = fit("Pilewatch", 124, (28, 26, 24))
    put(pen, (64, 24), text, face, centre=True)
    for i, letter in enumerate("SHCD"):
        signs.stamp(image, signs.suit(letter, 7), (37 + i * 16, 31))
    _footer(pen, ", ".join(screen.players), y=49)
    _footer(pen, screen.rules, y=62)


def _turn_card(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.TurnCard) -> None:
    pen.rounded_rectangle((91, 4, 126, 52), 4, outline=1)
    for y in range(8, 50, 4):
        for x in range(95 + (y // 4 % 2) * 2, 124, 4):
            pen.point((x, y), fill=1)
    put_lines(pen, (0, 6, LEFT_ROOM, 50), say("panel.turn_card"), (22, 20, 18), weight="Bold")
    if screen.dealer:
        _footer(pen, say("panel.deals", name=screen.dealer), left=True)


def _turn(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Turn) -> None:
    put_name(pen, (0, 0, LEFT_ROOM, 33), screen.player)
    if screen.owed:
        line, small = fit(screen.owed, LEFT_ROOM, LINE_SIZES, "Semibold")
        put(pen, (0, 45), line, small)
    room = _counts(pen, screen)
    if screen.last:
        _last(pen, screen.last, room)
    if screen.top is None:
        _empty_place(pen)
    else:
        signs.card_face(image, CARD_BOX, screen.top, count=screen.count)


def _last(pen: ImageDraw.ImageDraw, last: str, room: int) -> None:
    """What happened just before: the tick gives way first, then the name, then what was played."""
    line, small = squeeze(last, room - TICK, SMALL_SIZES, "Regular")
    if line != last:
        line, small = squeeze(last, room, SMALL_SIZES, "Regular")
        if not line.endswith(ELLIPSIS):
            put(pen, (0, 61), line, small)
            return
        # It lies on top for all to see; who laid it does not.
        line, small = fit(last.split(" ")[0].rstrip(":"), room - TICK, SMALL_SIZES, "Regular")
    signs.tick(pen, (0, 53))
    put(pen, (TICK, 61), line, small)


def _counts(pen: ImageDraw.ImageDraw, screen: screens.Turn) -> int:
    """Hand, stock and pile from the right along the lower edge; returns where they begin."""
    face = font(12, "Semibold")
    left = 128 + BETWEEN
    for sign, count in (
        (signs.heap, screen.pile),
        (signs.stock, screen.stock),
        (signs.hand, screen.hand),
    ):
        if count:
            left -= width(str(count), face) + 11 + BETWEEN
            sign(pen, (left, 54))
            put(pen, (left + 11, 62), str(count), face)
    return min(left, 128) - BETWEEN


def _empty_place(pen: ImageDraw.ImageDraw) -> None:
    left, top, right, bottom = CARD_BOX
    for x in range(left + 4, right - 3, 4):
        pen.line((x, top, x + 1, top), fill=1)
        pen.line((x, bottom - 1, x + 1, bottom - 1), fill=1)
    for y in range(top + 4, bottom - 3, 4):
        pen.line((left, y, left, y + 1), fill=1)
        pen.line((right - 1, y, right - 1, y + 1), fill=1)


def _refused(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Refused) -> None:
    # Light on dark everywhere else: the one screen the other way round cannot be missed.
    pen.rectangle((0, 0, 127, 63), fill=1)
    signs.cross(pen, (4, 6), 11, ink=0)
    right = 88 if screen.cards else 126
    put_name(pen, (20, 1, right, 22), screen.player, (22, 20, 18, 16, 14, 12, 11), ink=0)
    room = 124
    if screen.cards:
        room = 86
        _card_in_reverse(image, pen, (91, 3, 125, 46), screen)
    put_lines(
        pen, (4, 22, 4 + room - 4, 49), screen.reason, (16, 14, 13, 12, 11), ink=0, weight="Bold"
    )
    line, small = fit(screen.hint, 122, SMALL_SIZES, "Semibold")
    put(pen, (4, 60), line, small, ink=0)


def _card_in_reverse(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    box: tuple[int, int, int, int],
    screen: screens.Refused,
) -> None:
    pen.rounded_rectangle((box[0], box[1], box[2] - 1, box[3] - 1), 4, fill=0)
    signs.card_face(image, (box[0], box[1], box[2], box[3]), screen.cards[-1], solid=False)


def _burned(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Burned) -> None:
    signs.stamp(image, signs.flame(44), (0, 0))
    text, face = fit(say("panel.burn"), 84, (34, 30, 28, 24, 22, 20))
    put(pen, (44, 32), text, face)
    if screen.player is None:
        return
    key = "panel.again" if screen.again else "panel.next"
    line, small = fit_named(
        lambda name: say(key, name=name), screen.player, 126, (20, 18, 16, 14, 13, 12), "Semibold"
    )
    put(pen, (64, 60), line, small, centre=True)


def _takes_pile(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.TakesPile) -> None:
    room = LEFT_ROOM if screen.top else 126
    put_name(pen, (0, 0, room, 31), screen.player)
    put_lines(pen, (0, 31, room, 49), say("panel.takes"), (16, 14, 13, 12, 11), weight="Bold")
    line, small = fit(screen.why, room, SMALL_SIZES, "Regular")
    put(pen, (0, 61), line, small)
    if screen.top:
        signs.card_face(image, CARD_BOX, screen.top, solid=False)


def _which(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Which) -> None:
    shown = screen.candidates[:3]
    line, small = fit(screen.title, 128, SMALL_SIZES, "Semibold")
    put(pen, (64, 9), line, small, centre=True)
    wide, gap = 34, 22 if len(shown) == 2 else 8
    left = (128 - len(shown) * wide - (len(shown) - 1) * gap) // 2
    for i, card in enumerate(shown):
        x = left + i * (wide + gap)
        signs.card_face(image, (x, 13, x + wide, 51), card, solid=i == screen.choice)
    if len(shown) == 2:
        put(pen, (64, 38), say("panel.or"), font(14, "Semibold"), centre=True)
    line, small = fit(screen.hint, 128, SMALL_SIZES, "Regular")
    put(pen, (64, 62), line, small, centre=True)


def _yes_no(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.YesNo) -> None:
    put_lines(
        pen, (2, 0, 126, 46), screen.question, (22, 20, 18, 16, 14, 12), weight="Bold", centre=True
    )
    yes, small = fit(screen.yes, 60, SMALL_SIZES, "Semibold")
    pen.rounded_rectangle((0, 49, 62, 63), 4, fill=1)
    put(pen, (31, 60), yes, small, ink=0, centre=True)
    no, small = fit(screen.no, 58, SMALL_SIZES, "Semibold")
    pen.rounded_rectangle((65, 49, 127, 63), 4, outline=1)
    put(pen, (96, 60), no, small, centre=True)


def _out(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Out) -> None:
    put_name(pen, (2, 0, 126, 36), screen.player, centre=True)
    key = "panel.out_first" if screen.place == 1 else "panel.out"
    put_lines(pen, (0, 36, 128, 62), say(key), (22, 20, 18, 16), weight="Semibold", centre=True)


def _over(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Over) -> None:
    if screen.loser is None:
        put_lines(pen, (2, 4, 126, 60), say("panel.over"), (24, 20), weight="Bold", centre=True)
        return
    signs.stamp(image, signs.dunce_cap(42), (0, 2))
    put_name(pen, (45, 0, 127, 28), screen.loser)
    line, small = fit(say("panel.idiot"), 82, LINE_SIZES, "Semibold")
    put(pen, (45, 41), line, small)
    if screen.winner is not None:
        _footer(pen, say("panel.winner", name=screen.winner))


def _notice(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Notice) -> None:
    title = (1, 0, 127, 26 if screen.text else 64)
    put_lines(
        pen, title, screen.title, (24, 22, 20, 18, 16, 14, 12, 11), weight="Bold", centre=True
    )
    put_lines(pen, (1, 26, 127, 64), screen.text, (16, 14, 13, 12, 11), centre=True)


def _address(image: Image.Image, pen: ImageDraw.ImageDraw, screen: screens.Address) -> None:
    side = SIZE[1]
    picture = code(screen.address)
    pen.rectangle((0, 0, side - 1, side - 1), fill=1)
    image.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    line, face = fit(say("device.address"), 60, LINE_SIZES, "Semibold")
    put(pen, (68, 13), line, face)
    # A number breaks at its dots; nothing else in it may be torn apart.
    put_lines(pen, (68, 18, 128, 64), _breaking(screen.address), (16, 14, 13, 12, 11, 10))


def _breaking(address: str) -> str:
    """The address with a blank after every second part, where it may break."""
    return re.sub(r"([^.:]*[.:][^.:]*[.:])(?=.)", r"\1 ", address)


def _footer(pen: ImageDraw.ImageDraw, text: str, y: int = 61, left: bool = False) -> None:
    line, face = fit(text, 126, SMALL_SIZES, "Regular")
    line = shorten(line, face, 126)
    put(pen, (0 if left else 64, y), line, face, centre=not left)


PAINTERS: dict[type, Callable[[Image.Image, ImageDraw.ImageDraw, Any], None]] = {
    screens.Splash: _splash,
    screens.TurnCard: _turn_card,
    screens.Turn: _turn,
    screens.Refused: _refused,
    screens.Burned: _burned,
    screens.TakesPile: _takes_pile,
    screens.Which: _which,
    screens.YesNo: _yes_no,
    screens.Out: _out,
    screens.Over: _over,
    screens.Notice: _notice,
    screens.Address: _address,
    screens.Choose: choose,
    screens.Lines: lines,
    screens.Scores: scores,
    screens.Pattern: pattern,
}
