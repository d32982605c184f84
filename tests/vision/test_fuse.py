"""Looks at one rest, taken together."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import parse_card
from tests.vision.made_up import SIZE, sighting
from vision.fuse import fused
from vision.reader import RANKS


def rank_of(one: object) -> str:
    return RANKS[int(one.ranks.argmax())].code  # type: ignore[attr-defined]


def test_one_look_is_taken_as_it_is() -> None:
    look = [sighting("7H", 100, 100)]
    assert fused([look]) == look
    assert fused([]) == []


def test_looks_that_agree_are_one_card() -> None:
    (one,) = fused([[sighting("7H", 100, 100)], [sighting("7H", 102, 99)]])
    assert rank_of(one) == "7"
    assert one.centre == (102, 99)


def test_a_wavering_reading_goes_with_most_looks() -> None:
    looks = [
        [sighting("6S", 100, 100, p=0.7, or_else="9S")],
        [sighting("9S", 100, 100, p=0.6, or_else="6S")],
        [sighting("6S", 100, 100, p=0.8, or_else="9S")],
    ]
    (one,) = fused(looks)
    assert rank_of(one) == "6"
    assert 0.5 < one.ranks.max() < 0.8


def test_a_card_that_one_look_missed_stays() -> None:
    both = [sighting("7H", 100, 100), sighting("KS", 400, 300)]
    cards = fused([both, both[:1], both])
    assert sorted(rank_of(c) for c in cards) == ["7", "K"]
    assert min(c.p_index for c in cards) > 0.8


def test_what_one_look_alone_half_believed_goes() -> None:
    weak = sighting("KS", 400, 300)
    object.__setattr__(weak, "p_index", 0.85)
    cards = fused([[sighting("7H", 100, 100), weak], [sighting("7H", 100, 100)]])
    assert next(c for c in cards if rank_of(c) == "K").p_index < 0.8


def test_neighbours_in_a_fan_stay_two_cards() -> None:
    fan = [sighting("7H", 100, 100), sighting("7S", 100 + 0.9 * SIZE, 100)]
    cards = fused([fan, fan[::-1]])
    assert len(cards) == 2
    assert {int(c.suits.argmax()) for c in cards} == {2, 3}


def test_chances_stay_chances() -> None:
    (one,) = fused([[sighting("7H", 1, 1)], [sighting("7H", 1, 1)]])
    assert one.ranks.sum() == pytest.approx(1) and one.suits.sum() == pytest.approx(1)
    assert np.isfinite(one.ranks).all() and parse_card("7H").rank == RANKS[int(one.ranks.argmax())]
