"""The measuring itself: what counts as right, wrong, asked, twice and stray."""

from __future__ import annotations

import pytest

from engine.cards import Card, parse_card
from models.training.evaluate import Score, compare
from tests.vision.made_up import both_corners, reading, sighting
from vision.assemble import Sighting
from vision.look import CardSeen, CardUnsure, Look

BOX = (0.0, 0.0, 200.0, 250.0)


def seen(code: str, x: float = 100, y: float = 120) -> CardSeen:
    s = sighting("2C", x, y)
    return CardSeen(parse_card(code), 0.99, 0.99, s.box, True, s)


def asked(*codes: str) -> CardUnsure:
    s = sighting("2C", 100, 120)
    return CardUnsure(tuple(map(parse_card, codes)), (0.5, 0.4), s.box, s)


def score(look: Look, *truths: tuple[str, tuple[float, float, float, float]]) -> Score:
    result = Score()
    compare(look, [(parse_card(code), [box]) for code, box in truths], result, "photo")
    return result


CASES = [
    pytest.param([seen("7H")], [], {"rank_right": 1, "card_right": 1, "wrong": 0}, id="right"),
    pytest.param(
        [seen("7?")], [], {"rank_right": 1, "card_right": 0, "suit_open": 1}, id="suit open"
    ),
    pytest.param([seen("7S")], [], {"rank_right": 1, "suit_wrong": 1, "wrong": 0}, id="suit wrong"),
    pytest.param([seen("8H")], [], {"rank_right": 0, "wrong": 1, "reported": 1}, id="rank wrong"),
    pytest.param([], [], {"rank_right": 0, "reported": 0, "asked": 0}, id="missed"),
    pytest.param([], [asked("7H", "9H")], {"asked": 1, "wrong": 0}, id="asked"),
    pytest.param(
        [seen("7H"), seen("7H", 90)], [], {"rank_right": 1, "twice": 1, "wrong": 0}, id="twice"
    ),
    pytest.param(
        [seen("7H"), seen("9C", 90)], [], {"rank_right": 1, "wrong": 1}, id="a second, wrong"
    ),
    pytest.param([seen("7H"), seen("9C", 900, 900)], [], {"stray": 1, "wrong": 0}, id="stray"),
]


@pytest.mark.parametrize(("cards", "unsure", "expected"), CASES)
def test_one_labelled_card(
    cards: list[CardSeen], unsure: list[CardUnsure], expected: dict[str, int]
) -> None:
    result = score(Look(tuple(cards), tuple(unsure), 1.0), ("7H", BOX))
    assert {name: getattr(result, name) for name in expected} == expected
    assert result.labelled == 1


def test_a_label_without_suit_counts_for_the_rank_only() -> None:
    result = score(Look((seen("7H"),), (), 1.0), ("7?", BOX))
    assert (result.rank_right, result.with_suit, result.card_right) == (1, 0, 0)


def test_one_report_answers_one_of_two_labels() -> None:
    result = score(Look((seen("7H"),), (), 1.0), ("7H", BOX), ("7S", BOX))
    assert (result.labelled, result.rank_right, result.card_right) == (2, 1, 1)


def test_a_card_of_another_size_in_the_box_still_counts_by_its_index() -> None:
    one = reading("7H", 20, 30, centre=(100, 120))
    alone = Sighting(
        (one,), one.ranks[:-1] / one.ranks[:-1].sum(), one.suits, 0.99, (100, 120), 0, 20, 1
    )
    look = Look((CardSeen(Card(one.rank, None), 0.99, 0.99, alone.box, True, alone),), (), 1.0)
    assert score(look, ("7H", BOX)).rank_right == 1


def test_made_up_corners_are_half_a_turn_apart() -> None:
    a, b = both_corners("7H", 0, 0)
    assert abs(a.spot.angle - b.spot.angle) == pytest.approx(3.14159, abs=1e-4)
