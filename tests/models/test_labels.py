"""What the photographs' labels tell of jokers, whose marks no earlier network confirms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.training.labels import STACK_OFF, STRIP, TITLE_OFF, jokers
from models.training.photographs import Photograph


def boxes_of(angle: float, off: tuple[float, float], titled: bool, scale: float = 4.0):
    """Boxes around a joker's two marks on a card turned by ``angle``, its middle at 320, 320."""
    c, s = np.cos(angle), np.sin(angle)
    long = 30.0 * scale
    along = angle if titled else angle + np.pi / 2
    wide = long * (abs(np.cos(along)) + STRIP[titled] * abs(np.sin(along)))
    high = long * (abs(np.sin(along)) + STRIP[titled] * abs(np.cos(along)))
    out = []
    for sign in (1, -1):
        dx, dy = -off[0] * scale * sign, -off[1] * scale * sign
        x, y = 320 + c * dx - s * dy, 320 + s * dx + c * dy
        out.append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    return tuple(out)


def photo(cards: tuple[str, ...], boxes: tuple[tuple[float, ...], ...]) -> Photograph:
    return Photograph(Path("one.jpg"), "decks", "train", "index", cards, boxes)


@pytest.mark.parametrize("angle", [-1.2, -0.4, 0.0, 0.3, 1.4, 3.0])
@pytest.mark.parametrize(("off", "titled"), [(TITLE_OFF, True), (STACK_OFF, False)])
def test_two_boxes_tell_which_way_a_joker_lies(angle, off, titled):
    found = jokers(photo(("2D", "JK", "JK"), ((0, 0, 9, 9), *boxes_of(angle, off, titled))))
    assert sorted(found) == [1, 2]
    for number, turned in ((1, angle), (2, angle + np.pi)):
        x, y, told, size, dx, dy = found[number][:6]
        assert np.cos(told - turned) > 0.999
        assert size == pytest.approx(120 / 1.1 if titled else 120, rel=0.02)
        assert (x + dx, y + dy) == pytest.approx((320, 320))


def test_one_box_alone_or_four_tell_nothing():
    two = boxes_of(0.2, TITLE_OFF, True)
    assert jokers(photo(("JK",), two[:1])) == {}
    assert jokers(photo(("JK",) * 4, two + two)) == {}
