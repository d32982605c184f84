"""The long trials count what happened, and run."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cards import parse_card
from models.training.trials import Nothing, Tables, Tally, bounds, nothing, watched
from vision.look import Looker
from vision.observation import Cleared, Landed, Observation


def landed(*codes: str) -> Landed:
    return Landed(1, 0.1, tuple(map(parse_card, codes)), (1.0,) * len(codes))


@pytest.mark.parametrize(
    ("seen", "wrong", "missed"),
    [
        ([landed("7H", "7S")], 0, 0),
        ([landed("7H", "7?")], 0, 0),
        ([landed("7?", "7?")], 0, 0),
        ([landed("7H")], 0, 1),
        ([], 0, 1),
        ([landed("7H", "7D")], 1, 0),
        ([landed("7?", "7?", "7?")], 1, 0),
        ([landed("7H", "7S"), Cleared(1, 0.1)], 1, 0),
    ],
)
def test_a_play_is_right_wrong_or_missed(seen: list[Observation], wrong: int, missed: int) -> None:
    tally = Tally()
    right = tally.add([parse_card("7H"), parse_card("7S")], seen, "here")
    assert (tally.wrong, tally.missed, right) == (wrong, missed, not (wrong or missed))
    assert len(tally.faults) == wrong + missed


def test_bounds_hold_the_share_and_narrow_with_more_plays() -> None:
    few, many = bounds(1, 100), bounds(10, 1000)
    assert few[0] < many[0] < 0.01 < many[1] < few[1]
    assert bounds(0, 50)[0] == 0.0


def test_a_few_plays_and_pictures_are_tried(tmp_path: Path) -> None:
    looker, told = Looker.load(), []
    tallies = watched(looker, Tables(3, tmp_path), 4, lambda: told.append(1))
    assert sum(t.plays for t in tallies.values()) == len(told) == 4
    assert nothing(looker, Tables(3, tmp_path), 2, lambda: None).pictures == Nothing(2).pictures
