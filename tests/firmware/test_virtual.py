"""Whole games at the virtual table, seen by a watcher that needs no eyes."""

from __future__ import annotations

import pytest
from fake_watcher import FakeWatcher, NoPictures, as_it_is
from table_talk import Ears

from engine.errors import PilewatchError
from engine.setup import classic
from engine.simulate import Lay
from firmware.controls import Controls, control_line, read_controls
from firmware.director import Director
from firmware.session import referee
from firmware.sources import seed_of
from firmware.tell import Called, Observed
from firmware.virtual import VirtualTable


def play(seed, **errors):
    table = VirtualTable(classic("Ann", "Bob", "Cat"), seed, NoPictures(), as_it_is)
    watcher = FakeWatcher(table, **errors)
    ears = Ears()
    director = Director(table.setup, watcher, [ears])
    table.meet(director)
    referee(table, watcher, director, table.at)
    return table, director, ears


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_game_seen_well_is_called_without_fault(seed):
    table, director, _ = play(seed)
    assert table.score.faults == []
    assert table.score.asked == 0
    laid = sum(isinstance(act, Lay) for act in table.dealer)
    assert (table.score.plays, table.score.called) == (laid, laid)
    assert director.over


@pytest.mark.parametrize("seed", range(6))
def test_questions_are_answered_and_nothing_goes_wrong(seed):
    table, director, _ = play(seed, doubt=0.3)
    assert table.score.faults == []
    assert table.score.asked > 10
    assert table.score.called == table.score.plays
    assert director.over


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("error", ["slip", "blind"])
def test_a_fault_is_counted_once_and_the_game_put_right(seed, error):
    table, director, _ = play(seed, **{error: 0.1})
    landings = table.score.plays
    assert 1 <= table.score.wrong <= 0.25 * landings
    assert director.over
    assert director.game.table.name(director.game.table.loser) == table.dealer.acts[-1].truth.loser


def test_a_missed_play_is_not_called():
    table, _, _ = play(3, blind=0.1)
    assert table.score.called < table.score.plays


@pytest.mark.parametrize("errors", [{}, {"doubt": 0.2}, {"slip": 0.1}])
def test_the_presses_written_down_make_the_same_game(tmp_path, errors):
    table, _, first = play(5, **errors)
    path = tmp_path / "controls.jsonl"
    path.write_text("".join(control_line(act) + "\n" for act in table.acts))
    controls = read_controls(path)
    seen = {}
    for told in first.told:
        if isinstance(told, Observed):
            seen.setdefault(told.frame, []).append(told)

    again = VirtualTable(classic("Ann", "Bob", "Cat"), 5, NoPictures(), as_it_is)
    watcher = FakeWatcher(again, **errors)
    ears = Ears()
    director = Director(again.setup, watcher, [ears])
    again.meet(director)
    referee(again, watcher, director, lambda frame, t: _drain(again, controls, frame, t))
    assert [told for told in ears.told if isinstance(told, Called)] == [
        told for told in first.told if isinstance(told, Called)
    ]


def _drain(table: VirtualTable, controls: Controls, frame: int, t: float):
    list(table.at(frame, t))
    return controls.at(frame, t)


def test_the_same_seed_makes_the_same_game():
    assert [str(c.event) for c in _calls(play(4))] == [str(c.event) for c in _calls(play(4))]


def _calls(game):
    return [told for told in game[2].told if isinstance(told, Called)]


@pytest.mark.parametrize("spec", ["virtual:", "virtual:x", "virtual:-1", "virtual:1.5"])
def test_a_seed_is_a_whole_number(spec):
    with pytest.raises(PilewatchError, match="whole number"):
        seed_of(spec)
