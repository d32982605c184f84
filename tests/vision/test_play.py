"""Which of the sightings that are new are a play: single steps, without a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Rank, Suit, parse_card
from tests.vision.made_up import SIZE, lone, reading, sighting
from vision.lying import UNKNOWN, Stillness
from vision.play import (
    SURELY_FOUND,
    _of_suits_left,
    comes_to_light,
    of_one_rank,
    of_the_play,
    plausible,
    seen_twice,
    with_prior,
)
from vision.reader import RANKS, SUITS


def test_a_suit_sign_that_cannot_be_is_read_as_one_that_can() -> None:
    seven = sighting("7S", p_suit=0.9)
    other = _of_suits_left(seven, lambda card: card != parse_card("7S"))
    assert other.suits.sum() == pytest.approx(1.0)
    assert other.suits[SUITS.index(Suit.S)] == 0.0
    sure = sighting("7S", p_suit=0.999)
    assert _of_suits_left(sure, lambda card: card != parse_card("7S")) is sure
    assert _of_suits_left(seven, lambda card: True) is seven


def test_what_was_there_is_not_of_a_play_of_another_rank() -> None:
    old, new = sighting("5D", 300, 300), sighting("KH", 700, 300)
    places = {id(r.spot) for r in old.readings}
    still = Stillness(lambda spot: 0.5 if id(spot) in places else 0.0, True)
    assert of_the_play([old, new], still) == [new]
    assert of_the_play([old], still) == [old]
    unknown = Stillness(lambda spot: 0.0, False)
    assert of_the_play([old, new], unknown) == [old, new]
    equal = sighting("KD", 300, 300)
    still = Stillness(lambda spot: 0.5 if spot.x < 500 else 0.0, True)
    assert of_the_play([equal, new], still) == [equal, new]


@pytest.mark.parametrize(
    ("score", "gap", "there"), [(0.45, 0.55, False), (0.45, 0.75, False), (0.8, 0.55, True)]
)
def test_an_index_seen_twice_is_found_the_second_time_less_surely(
    score: float, gap: float, there: bool
) -> None:
    """However surely both are read: half a block beside an index is no room for another card's."""
    card = sighting("6D", 640, 360)
    corner = card.readings[0].spot
    beside = lone("6D", corner.x + 2.1 * SIZE, corner.y + gap * SIZE + 3.2 * SIZE, score=score)
    assert seen_twice(beside, [card, beside]) is not there


@pytest.mark.parametrize(("kept", "lands"), [(0.5, False), (0.0, True)])
def test_half_an_old_index_that_reads_badly_does_not_land(kept: float, lands: bool) -> None:
    top, rest = sighting("QS", 700, 360), lone("QD", 500, 300, score=0.7)
    rest = replace(rest, ranks=rest.ranks * 0.45 + 0.55 / len(RANKS))
    still = Stillness(lambda spot: kept if spot == rest.readings[0].spot else 0.0, True)
    assert len(plausible([top, rest], still)) == 1 + lands


@pytest.mark.parametrize(("code", "twice"), [("6D", True), ("6H", False)])
def test_an_index_less_than_half_a_block_from_one_of_its_sign_is_that_one(
    code: str, twice: bool
) -> None:
    card = sighting("6D", 640, 360)
    corner = card.readings[0].spot
    beside = lone(code, corner.x + 2.1 * SIZE, corner.y + 0.42 * SIZE + 3.2 * SIZE, score=0.9)
    assert seen_twice(beside, [card, beside]) is twice


def test_another_corner_of_a_card_that_cannot_land_twice_has_come_to_light() -> None:
    """A push uncovers it; where nobody knows what was there before, the ledger knows enough."""
    corner, lying = lone("2H", 640, 360, 0.8), [parse_card("2H"), parse_card("5C")]
    unknown, fresh = UNKNOWN, Stillness(lambda spot: 0.0, known=True)
    assert comes_to_light(corner, lying, lambda card: 0.0, unknown)
    assert not comes_to_light(corner, lying, lambda card: 0.0, fresh)
    assert not comes_to_light(corner, lying, lambda card: 0.1, unknown)
    assert not comes_to_light(corner, lying[1:], lambda card: 0.0, unknown)
    assert not comes_to_light(sighting("2H", 640, 360), lying, lambda card: 0.0, unknown)


def test_a_corner_that_a_card_lay_over_has_come_to_light_once_that_is_gone() -> None:
    corner, lying = lone("2H", 640, 360, 0.8, p=0.999), [parse_card("2H"), parse_card("5C")]
    fresh = Stillness(lambda spot: 0.0, known=True)
    over, beside = sighting("5C", 640, 360), sighting("5C", 100, 100)
    assert comes_to_light(corner, lying, lambda card: 0.0, fresh, [over])
    assert not comes_to_light(corner, lying, lambda card: 0.0, fresh, [beside])
    doubtful = replace(corner, suits=np.array([0.02, 0.1, 0.85, 0.03]))
    assert not comes_to_light(doubtful, lying, lambda card: 0.0, fresh, [over])


def test_what_reads_as_a_card_that_cannot_land_is_less_likely_to_have_landed() -> None:
    doubtful = replace(lone("2H", 640, 360, 0.6, p=0.9), p_index=0.8)
    expected = with_prior(doubtful, lambda card: float(card.rank is Rank.TWO))
    against = with_prior(doubtful, lambda card: float(card.rank is Rank.ACE))
    assert against.p_index < 0.7 < 0.8 == pytest.approx(expected.p_index)
    sure = replace(doubtful, p_index=0.9999)
    assert with_prior(sure, lambda card: float(card.rank is Rank.ACE)).p_index > 0.99


@pytest.mark.parametrize(("aside", "twice"), [(0.6, False), (0.0, True)])
def test_an_index_beside_that_of_an_equal_card_is_no_double_if_its_sign_is_another(
    aside: float, twice: bool
) -> None:
    """The next card of a fan, read badly; what is found above an index is that index again."""
    card = sighting("QH", 640, 360)
    corner = card.readings[0].spot
    up = 0.0 if aside else 0.6
    x, y = corner.x + (aside + 2.1) * SIZE, corner.y + (up + 3.2) * SIZE
    found = lone("QS", x, y, score=0.8)
    signs = np.array([0.25, 0.05, 0.3, 0.4])
    read = replace(found.readings[0], ranks=reading("QS", p=0.6).ranks)
    found = replace(found, suits=signs, readings=(read,))
    assert seen_twice(found, [card, found]) is twice


@pytest.mark.parametrize(("right", "rank"), [(1.1, Rank.NINE), (9.0, Rank.FIVE)])
def test_a_lone_index_in_a_row_with_a_card_is_of_its_rank(right: float, rank: Rank) -> None:
    """As in a fan; one that lies apart may be of another play."""
    top = sighting("9H", 300, 300)
    corner = top.readings[0].spot
    one = lone("5S", 0, 0, score=0.83)
    assert one.readings[0].spot.score > SURELY_FOUND
    x = corner.x + right * SIZE
    beside = replace(one.readings[0], spot=replace(corner, x=x, score=0.83))
    ranks = np.full(14, 0.015)
    ranks[RANKS.index(Rank.FIVE)], ranks[RANKS.index(Rank.NINE)] = 0.8, 0.017
    low = replace(one, readings=(beside,), ranks=ranks / ranks.sum())
    fan, _ = of_one_rank([low, top])
    assert RANKS[int(fan.ranks.argmax())] is rank
    faint = replace(low, readings=(replace(beside, spot=replace(beside.spot, score=0.6)),))
    assert RANKS[int(of_one_rank([faint, top])[0].ranks.argmax())] is Rank.FIVE
