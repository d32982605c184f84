"""Which cards nothing covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.cards import parse_card
from tests.vision.made_up import SIZE, lone, sighting
from vision.assemble import Sighting, assemble
from vision.look import Looker
from vision.render import Camera, Placed, Stage, make_deck
from vision.uncovered import across, uncovered


def _index_at(code: str, x: float, y: float) -> Sighting:
    """A card of which one index is seen, there."""
    one = lone(code, 0, 0, score=0.9)
    (reading,) = one.readings
    return replace(one, readings=(replace(reading, spot=replace(reading.spot, x=x, y=y)),))


def test_indices_at_one_side_do_not_frame_a_face() -> None:
    (card,) = assemble(sighting("7H", 300, 300).readings)
    assert across(card) is not None
    top, bottom = (r.spot for r in card.readings)
    below = replace(card.readings[1], spot=replace(bottom, x=top.x))
    assert across(replace(card, readings=(card.readings[0], below))) is None


def test_a_card_with_both_corners_in_view_and_no_index_on_it_is_open() -> None:
    seven, beside = sighting("7H", 300, 300), sighting("KS", 300 + 7 * SIZE, 300)
    assert uncovered([seven, beside]).keys() == {0, 1}


@pytest.mark.parametrize("angle", [0.0, 0.8, -2.0])
def test_a_card_on_which_another_shows_its_index_is_covered(angle: float) -> None:
    seven = sighting("7H", 300, 300, angle)
    assert not uncovered([seven, _index_at("KS", 300 + SIZE, 300 - SIZE)])
    assert uncovered([seven, _index_at("KS", 300 + 5 * SIZE, 300)])


def test_an_index_found_once_more_covers_nothing() -> None:
    seven = sighting("7H", 300, 300)
    first = seven.readings[0].spot
    again = lone("7H", 300, 300, score=0.6)
    moved = replace(again.readings[0], spot=replace(first, x=first.x + 0.3 * SIZE))
    assert 0 in uncovered([seven, replace(again, readings=(moved,))])


def test_what_is_hardly_an_index_covers_nothing() -> None:
    doubtful = replace(_index_at("4C", 300, 300), p_index=0.3)
    assert uncovered([sighting("7H", 300, 300), doubtful]).keys() == {0}


def test_a_card_of_which_one_corner_is_seen_is_not_known_to_be_open() -> None:
    assert not uncovered([lone("7H", 300, 300, score=0.9)])


@pytest.mark.parametrize("laid", [("QH",), ("QH", "5S"), ("QH", "5S", "9D")])
def test_of_a_heap_only_the_card_on_top_is_open(laid: Sequence[str]) -> None:
    stage = Stage(7, make_deck(7, plain=True), camera=Camera((1280, 720), 3.0, 0.2))
    placed = [
        Placed(parse_card(code), 14.0 * k, -11.0 * k, 0.35 * k) for k, code in enumerate(laid)
    ]
    cards = Looker.load().look(stage.draw(placed)).cards
    assert [str(seen.card) for seen in cards if seen.top] == [laid[-1]]
    assert {str(seen.card) for seen in cards} == set(laid)
