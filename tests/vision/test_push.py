"""How a pile has been pushed, from where its indices lay and lie."""

from __future__ import annotations

import pytest

from tests.vision.made_up import SIZE, both_corners
from vision.push import NO_PUSH, Push, push_of
from vision.spot import Spot

LYING = [r.spot for r in (*both_corners("4D", 300, 300, 0.2), *both_corners("QS", 380, 420, 1.1))]


def about_the_middle(turn: float, x: float, y: float) -> Push:
    """The pile, whose middle is at 340, 360, turned in place and shifted."""
    mx, my = Push(turn).at(340, 360)
    return Push(turn, 340 - mx + x, 360 - my + y)


@pytest.mark.parametrize(
    "push",
    [about_the_middle(*by) for by in ((0.0, 12.0, -7.0), (0.06, -5.0, 20.0), (-0.04, 9.0, 0.0))],
)
def test_a_push_is_told_from_what_has_moved_by_it(push: Push) -> None:
    told = push_of([(spot, push.spot(spot)) for spot in LYING])
    for spot in LYING:
        there, here = push.spot(spot), told.spot(spot)
        assert (here.x, here.y, here.angle) == pytest.approx((there.x, there.y, there.angle))


def test_one_card_laid_elsewhere_at_the_same_time_counts_for_nothing() -> None:
    push = about_the_middle(0.03, 14.0, 6.0)
    moves = [(spot, push.spot(spot)) for spot in LYING]
    other = Spot(900, 200, 0.0, SIZE, (900, 200), 0.9, 0.9)
    told = push_of([*moves, (other, Push(0.0, -30.0, 5.0).spot(other))])
    for spot in LYING:
        assert told.at(spot.x, spot.y) == pytest.approx(push.at(spot.x, spot.y), abs=2)


def test_what_only_wavers_was_not_pushed() -> None:
    wavering = [Push(0.0, 0.9, 0.0), Push(0.0, -0.9, 0.0), Push(0.0, 0.0, 1.0), Push(0.0, 0.0, 0.0)]
    moves = [(spot, w.spot(spot)) for spot, w in zip(LYING, wavering, strict=True)]
    assert push_of(moves) is NO_PUSH
    assert push_of([]) is NO_PUSH
