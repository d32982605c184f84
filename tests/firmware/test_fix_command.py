"""``pilewatch fix``: what it lists, what it refuses, and that nothing is said before it stands."""

from __future__ import annotations

import evenings
import pytest

from engine.notation import parse_event
from engine.setup import classic
from firmware.cli import main
from firmware.journal.evidence import Evidence
from firmware.night.acts import Began, Did, Ended, Joined, Opened
from firmware.night.book import open_book
from firmware.night.night import Night, result_of
from firmware.night.scoring import Result

PLAYERS = ("Ann", "Bob", "Cat")


@pytest.fixture
def fix(tmp_path, capsys):
    """Runs ``pilewatch fix`` on a game of three events; returns exit code, output, complaints."""
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined(name) for name in PLAYERS])
        events = map(parse_event, ("start 6C", "play 7H", "play 9D"))
        book.write(Began(classic(*PLAYERS)), *map(Did, events))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["fix", *words, "--journal", str(tmp_path)])
        return (code, *capsys.readouterr())

    return run


@pytest.mark.parametrize("number", ["99", "4", "-1"])
def test_nothing_is_missed_after_an_event_that_is_not_there(fix, number):
    code, out, err = fix("missed", number, "pickup")
    assert (code, out) == (2, "")
    assert f"there is no event {number}; the last one is 3" in err


@pytest.mark.parametrize("number", ["99", "-1"])
@pytest.mark.parametrize("words", ["card N 8D", "undo N", "more N", "player N Bob"])
def test_no_other_event_is_there_either(fix, words, number):
    code, _, _ = fix(*words.replace("N", number, 1).split())
    assert code == 2
    assert "  3  Bob           play 9D" in fix()[1]


def test_an_empty_pile_is_set_by_its_word_alone(fix):
    before = fix()[1]
    code, _, err = fix("pile")
    assert code == 2
    assert "the cards that lie there, the lowest first, or none" in err
    assert fix()[1] == before
    assert "0 on the pile" in fix("pile", "none")[1]


def test_settings_are_listed_with_what_they_hide(fix):
    assert fix("skip", "Bob")[0] == 0
    assert fix()[1] == (
        "   4                fix skip Bob\n"
        "What was before fix 4 can be changed once pilewatch fix undo has taken that back.\n"
    )
    assert fix("pile", "7H", "8S")[0] == 0
    assert fix("hand", "Cat", "3", "--up", "2")[0] == 0
    assert fix("missed", "6", "play", "9C")[0] == 0
    assert fix()[1].splitlines()[:4] == [
        "   4                fix skip Bob",
        "   5                fix pile 7H 8S",
        "   6                fix hand Cat 3 --up 2",
        "   7  Bob           play 9C",
    ]


def test_a_setting_that_was_taken_back_is_not_listed(fix):
    fix("skip", "Bob")
    assert fix("undo")[0] == 0
    out = fix()[1]
    assert "fix skip" not in out
    assert "   3  Bob           play 9D" in out


def test_a_game_in_which_nothing_has_happened_is_said_to_be_one(tmp_path, capsys):
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined(name) for name in PLAYERS])
        book.write(Began(classic(*PLAYERS)))
    assert main(["fix", "--journal", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "Nothing has happened in this game yet.\n"


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["skip", "Zoe"], "fix skip: no player 'Zoe' sits here"),
        (["hand", "Zoe", "3"], "fix hand: no player 'Zoe' sits here"),
        (["player", "2", "Zoe"], "fix player: no player 'Zoe' sits here"),
        (["missed", "3", "faceup", "Zoe", "KD"], "faceup: no player 'Zoe' sits here"),
        (["missed", "3", "play", "KD", "by", "Zoe"], "by: no player 'Zoe' sits here"),
        (["leave", "Zoe"], "no 'Zoe' sits here"),
    ],
)
def test_a_stranger_is_named_where_he_stood_and_nothing_else_is_told(fix, words, where):
    code, out, err = fix(*words)
    assert (code, out) == (2, "")
    assert where in err


# -- who left, and did not after all -----------------------------------------------------------


def folded(folder) -> Night:
    with open_book(folder) as book:
        return book.read(1)


def test_a_leave_that_is_undone_never_was(fix, tmp_path):
    assert fix("leave", "Bob")[0] == 0
    assert folded(tmp_path).seats == ("Ann", "Cat")
    assert fix("undo")[0] == 0
    night = folded(tmp_path)
    assert night.seats == PLAYERS
    assert night.rounds[-1].game().table.away == ()


def test_who_has_cards_again_after_leaving_is_back_in_the_game_and_in_the_seats(fix, tmp_path):
    fix("leave", "Ann")
    assert fix("hand", "Ann", "3")[0] == 0
    night = folded(tmp_path)
    assert night.seats == PLAYERS
    assert result_of(night.rounds[-1].game()).out == ()


def test_who_returned_already_sits_only_once_when_the_leave_is_undone(fix, tmp_path):
    fix("leave", "Cat")
    with open_book(tmp_path) as book:
        book.write(Joined("Cat", 0))
    assert fix("undo")[0] == 0
    assert folded(tmp_path).seats == ("Cat", "Ann", "Bob")


# -- what is told of a correction -----------------------------------------------------------------


def test_another_player_is_named_and_what_moved_with_it(fix):
    code, out, _ = fix("player", "2", "Cat")
    assert code == 0
    assert out.splitlines()[:2] == [
        "Corrected: it was Cat, 7♥",
        "what followed is judged otherwise: 1",
    ]
    assert "  3  Ann           play 9D" in out


def test_plays_that_fall_with_an_earlier_event_are_told(fix):
    assert fix("missed", "3", "play", "10H")[0] == 0
    assert fix("missed", "4", "play", "3C")[0] == 0
    code, out, _ = fix("undo", "4")
    assert code == 0
    assert "no longer stand: 5" in out
    assert "  5  Cat           play 3C  (" in out


def test_a_card_that_was_another_tells_which_plays_fall(fix):
    out = fix("card", "2", "JH")[1]
    assert out.startswith("Corrected: J♥\n")
    assert "no longer stand: 3" in out
    assert "  3  Bob           play 9D  (" in out


def test_the_photograph_of_an_event_is_named_with_it(fix, tmp_path):
    with open_book(tmp_path) as book:
        path = Evidence(tmp_path, free=0).keep(1, book.count, b"picture")
    assert fix()[1].splitlines()[-2:] == ["   3  Bob           play 9D", f"{'':20}{path}"]


# -- the end of a game -------------------------------------------------------------------------


def test_a_game_that_a_wrong_last_card_ended_goes_on(tmp_path, capsys):
    with open_book(tmp_path) as book:
        for first, *rest in evenings.evening(4, games=1, close=False):
            book.open_night(first=rest) if isinstance(first, Opened) else book.write(first, *rest)
        assert book.night.rounds[0].result is not None
    assert main(["fix", "undo", "--journal", str(tmp_path)]) == 0
    assert "to play" in capsys.readouterr().out
    assert folded(tmp_path).current is not None


def test_an_end_that_was_entered_is_not_fixed_but_played_on(fix, tmp_path):
    with open_book(tmp_path) as book:
        book.write(Ended(Result((), "Ann"), 3))
    code, _, err = fix("undo")
    assert (code, "night play-on" in err) == (2, True)
