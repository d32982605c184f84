"""The fix menu: oops held opens it, next goes on, pickup does it, oops closes."""

from __future__ import annotations

import pytest
from table_talk import TableTalk

from engine.setup import classic
from firmware.correcting import menu
from firmware.fixes import Leave, SkipTo
from firmware.panel import YesNo
from firmware.tell import Noted, Shown


def table() -> TableTalk:
    """Bob has laid two sevens; Cat is next."""
    return TableTalk(classic("Ann", "Bob", "Cat")).play("land 6C; wait 4; land 6H; land 7H 7S")


def asked(game: TableTalk) -> str:
    screens = [told.screen for told in game.ears.told if isinstance(told, Shown)]
    assert isinstance(screens[-1], YesNo)
    return screens[-1].question


def test_its_lines_are_what_would_stand():
    lines = menu(table().director.game)
    assert [line.label for line in lines] == [
        "One fewer?",
        "Not Bob?",
        "Another's turn?",
        "Somebody left?",
    ]
    assert [line.doings for line in lines[2].more] == [(SkipTo("Ann"),), (SkipTo("Bob"),)]
    left = [(Leave(name),) for name in ("Ann", "Bob", "Cat")]
    assert [line.doings for line in lines[3].more] == left


CASES = {
    "one fewer": ("press pickup", {"turn": "Cat", "pile": 3}, "amend legal"),
    "another's turn": (
        "press next; press next; press pickup; press pickup",
        {"turn": "Ann", "pile": 4},
        "skipto legal",
    ),
    "somebody has left": (
        "press next; press next; press next; press pickup; press next; press next; press pickup",
        {"turn": "Ann", "pile": 4},
        "leave legal",
    ),
    "round to the first line again": (
        "press next; press next; press next; press next; press pickup",
        {"turn": "Cat", "pile": 3},
        "amend legal",
    ),
    "closed by oops: nothing has changed": (
        "press next; press oops",
        {"turn": "Cat", "pile": 4, "screen": "Turn"},
        "play legal",
    ),
    "closed by playing on": (
        "press next; land 9D",
        {"turn": "Ann", "pile": 5, "screen": "Turn"},
        "play legal",
    ),
    "and taken back": ("press pickup; press oops", {"turn": "Cat", "pile": 4}, "undo legal"),
}


@pytest.mark.parametrize(("script", "state", "last"), CASES.values(), ids=CASES)
def test_the_menu(script, state, last):
    game = table().play(f"hold oops; {script}")
    assert {key: game.state[key] for key in state} == state
    assert game.calls[-1] == last


def test_the_panel_asks_line_by_line():
    game = table().play("hold oops")
    assert asked(game) == "One fewer?"
    assert asked(game.play("press next")) == "Not Bob?"
    assert asked(game.play("press next; press pickup")) == "Is it Ann's turn?"


def test_its_lines_are_told_to_those_who_have_no_panel():
    game = table()
    game.play("hold oops; press next; press next; press pickup; press next; press pickup")
    told = [each.text for each in game.ears.told if isinstance(each, Noted)]
    first = ["One fewer?", "Not Bob?", "Another's turn?"]
    assert told == [*first, "Is it Ann's turn?", "Is it Bob's turn?"]


def test_the_play_was_somebody_elses():
    game = table().play("hold oops; press next; press pickup; press next; press pickup")
    assert game.calls[-3:] == ["undo legal", "skipto legal", "play legal"]
    assert game.state["turn"] == "Ann"
    table_now = game.director.game.table
    assert [seat.hand for seat in table_now.seats] == [3, 3, 3]
    assert table_now.stock == 52 - 27 - 1 - 3


def test_it_stands_comes_before_the_menu():
    game = table().play("land 4D; hold oops")
    assert game.calls[-1] == "overrule legal"
    assert not game.director.menu
