"""The plug is pulled while a game is really running, and nothing that was said is lost."""

from __future__ import annotations

import mishaps
import pytest
import running_game

SAID = 40


def test_a_running_game_that_is_killed_loses_no_ruling_and_says_none_twice():
    with mishaps.quick_folder() as folder:
        told = running_game.kills(folder, seed=3, times=4)
    assert told["announced"] > 0


class BrokenOffError(BrokenPipeError):
    """Ends the program, as when nobody reads its output any more."""


@pytest.fixture
def told(tmp_path, monkeypatch):
    """A game that broke off after so many rulings, and what was said of it."""
    told = running_game.Told(1)

    def hear(crier, announcement):
        if isinstance(announcement, running_game.Called):
            if len(told.lines) == SAID:
                raise BrokenOffError
            told.lines.append(running_game.line(crier, announcement))

    monkeypatch.setattr(running_game.Crier, "hear", hear)
    with pytest.raises(BrokenOffError):
        running_game.play_on(tmp_path, 1)
    return told


def test_power_cut_between_keeping_and_saying_leaves_one_ruling_more(told, tmp_path):
    told.check(tmp_path)
    assert len(told.lines) == SAID + 1


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (lambda lines: lines.insert(7, lines[7]), "not what was kept"),
        (lambda lines: lines.pop(), "are kept"),
        (lambda lines: lines[9][3].update(turn="Nobody"), "means something else"),
    ],
    ids=["said twice", "kept and never said", "another state"],
)
def test_kill_test_would_notice(told, tmp_path, harm, why):
    harm(told.lines)
    with pytest.raises(AssertionError, match=why):
        told.check(tmp_path)
