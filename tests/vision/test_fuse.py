"""Looks at one rest, taken together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.made_up import SIZE, both_corners, reading
from vision.assemble import assemble
from vision.fuse import fused
from vision.reader import RANKS, Reading


def wavering(code: str, or_else: str, p: float) -> Reading:
    """An index that reads as ``code``, but perhaps is ``or_else``."""
    one, other = reading(code, 100, 100, p=1.0), reading(or_else, 100, 100, p=1.0)
    return replace(one, ranks=(p * one.ranks + (1 - p) * other.ranks).astype(np.float32))


def test_one_look_is_taken_as_it_is() -> None:
    look = [reading("7H", 100, 100)]
    assert fused([look]) == look
    assert fused([]) == []


def test_looks_that_agree_are_one_index() -> None:
    (one,) = fused([[reading("7H", 100, 100)], [reading("7H", 102, 99)]])
    assert one.rank.code == "7"
    assert (one.spot.x, one.spot.y) == (102, 99)


def test_a_wavering_reading_goes_with_most_looks() -> None:
    looks = [
        [wavering("6S", "9S", 0.7)],
        [wavering("9S", "6S", 0.6)],
        [wavering("6S", "9S", 0.8)],
    ]
    (one,) = fused(looks)
    assert one.rank.code == "6"
    assert 0.5 < one.ranks.max() < 0.8


def test_an_index_that_one_look_missed_stays() -> None:
    both = [reading("7H", 100, 100), reading("KS", 400, 300)]
    found = fused([both, both[:1], both])
    assert sorted(r.rank.code for r in found) == ["7", "K"]
    assert min(r.p_index for r in found) > 0.8


def test_what_one_look_alone_half_believed_goes() -> None:
    weak = reading("KS", 400, 300, p=0.85)
    ranks = weak.ranks * 0.85
    ranks[-1] = 0.15
    weak = replace(weak, ranks=(ranks / ranks.sum()).astype(np.float32))
    found = fused([[reading("7H", 100, 100), weak], [reading("7H", 100, 100)]])
    assert next(r for r in found if r.rank.code == "K").p_index < 0.8


def test_neighbours_in_a_fan_stay_two() -> None:
    fan = [reading("7H", 100, 100), reading("7S", 100 + 0.9 * SIZE, 100)]
    found = fused([fan, fan[::-1]])
    assert len(found) == 2
    assert {int(r.suits.argmax()) for r in found} == {2, 3}


def test_corners_that_each_look_saw_one_of_are_of_one_card() -> None:
    first, second = both_corners("7H", 300, 300)
    (card,) = assemble(fused([[first], [second], [first, second]]))
    assert len(card.readings) == 2


def test_chances_stay_chances() -> None:
    (one,) = fused([[reading("7H", 1, 1)], [reading("7H", 1, 1)]])
    assert one.ranks.sum() == pytest.approx(1) and one.suits.sum() == pytest.approx(1)
    assert np.isfinite(one.ranks).all() and one.rank == RANKS[int(one.ranks[:-1].argmax())]
