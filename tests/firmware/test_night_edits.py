"""``pilewatch night``: who sits there under which name, how games ended, and what was put right."""

from __future__ import annotations

import json

import pytest
from night_command import done

from engine.setup import classic
from firmware.cli import main
from firmware.night.acts import Began, Edited, Ended, Joined, Opened
from firmware.night.book import open_book
from firmware.night.facts import remarks
from firmware.night.night import Night
from firmware.night.scoring import Result

# -- one person, one name ----------------------------------------------------------------------


def test_names_that_differ_only_in_capitals_do_not_sit_together(night):
    assert "cannot be told apart" in night("open", "Ann,ann")[2]
    done(night("open", "Ann,Bob"))
    assert "Bob sits here already" in night("join", "bOB")[2]
    assert "cannot be told apart" in night("rename", "Ann", "bob")[2]
    done(night("rename", "Ann", "ANN"))


def test_who_comes_back_in_another_spelling_is_the_same_person(night):
    done(night("open", "Ann,Cat", "--word", "SHED"))
    done(night("result", "--loser", "Cat"))
    done(night("leave", "Cat"))
    done(night("join", "cat"))
    data = json.loads(done(night("--json")))
    assert data["letters"] == {"Ann": "", "Cat": "S"}
    assert data["seats"] == ["Ann", "Cat"]


def test_nobody_is_called_as_somebody_who_has_gone_home(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("leave", "Cat"))
    code, _, err = night("rename", "Bob", "CAT")
    assert (code, "cannot be told apart" in err) == (2, True)
    done(night("rename", "Cat", "CAT"))


@pytest.mark.parametrize("name", ["Fa\ty", "Fa\ny", "Fay\n", "\x1bFay", "Fa\u2028y"])
def test_a_name_with_a_tab_or_a_line_end_is_refused_wherever_names_come_in(night, capsys, name):
    done(night("open", "Ann,Bob"))
    hidden = next(letter for letter in name if not letter.isprintable())
    refused = (
        f"{name!r} is no name; expected 1 to 40 letters that can be shown,"
        f" unlike U+{ord(hidden):04X}"
    )
    for words in (
        ["open", f"Dan,{name}"],
        ["join", name],
        ["leave", name],
        ["rename", "Ann", name],
        ["seats", f"{name},Ann"],
        ["result", "--winner", name],
        ["result", "--out", f"Ann,{name}"],
    ):
        assert night(*words) == (2, "", f"pilewatch: {refused}\n")
    for options in (["--players", f"Dan,{name}"], ["--players", "Ann,Bob", "--first", name]):
        assert main(["watch", "virtual:7", *options]) == 2
        assert refused in capsys.readouterr().err


@pytest.mark.parametrize("seat", ["-1", "0", "5", "99"])
def test_nobody_joins_at_a_seat_that_is_not_there(ended, seat):
    told = f"pilewatch: there is no seat {seat}; expected 1 to 4\n"
    assert ended("join", "Eve", "--seat", seat) == (2, "", told)
    done(ended("join", "Eve", "--seat", "4"))
    assert json.loads(done(ended("--json")))["seats"] == ["Ann", "Bob", "Cat", "Eve"]


# -- results and their reasons -----------------------------------------------------------------


@pytest.mark.parametrize("game", ["0", "-1", "2"])
def test_a_game_that_is_not_there_is_not_edited(night, game):
    done(night("open", "Ann,Bob"))
    done(night("result", "--loser", "Ann"))
    code, _, err = night("edit", game, "--loser", "Bob", "--reason", "so")
    assert code == 2
    assert f"there is no game {game}; the night has 1" in err


def test_an_edit_keeps_what_it_does_not_name(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("result", "--winner", "Ann", "--loser", "Bob"))
    done(night("edit", "1", "--loser", "Cat", "--reason", "so"))
    game = json.loads(done(night("--json")))["games"][0]
    assert (game["winner"], game["loser"]) == ("Ann", "Cat")


@pytest.mark.parametrize("words", [["result"], ["edit", "1", "--reason", "so"]], ids=" ".join)
def test_not_everybody_can_be_out(night, words):
    done(night("open", "Bob,Ann"))
    done(night("result", "--loser", "Ann"))
    code, _, err = night(*words, "--out", "Bob,Ann")
    assert code == 2
    assert "somebody is left with cards" in err


def test_the_result_of_a_game_that_is_on_is_of_its_own_rules(night):
    with open_book() as book:
        book.open_night(first=[Joined(name) for name in ("Ann", "Bob", "Cat")])
        book.write(Began(classic("Ann", "Bob", "Cat")))
    code, _, err = night("result", "--rules", "norsk", "--loser", "Ann")
    assert (code, "is played by classic, not norsk" in err) == (2, True)
    done(night("result", "--rules", "classic", "--loser", "Ann"))


@pytest.mark.parametrize("reason", ["a\n\x1b[31mx", "\x07", "x" * 201])
@pytest.mark.parametrize(
    "act", [["edit", "1", "--loser", "Bob"], ["abandon"]], ids=["edit", "abandon"]
)
def test_a_reason_is_a_line_that_can_be_shown(night, reason, act):
    done(night("open", "Ann,Bob"))
    done(night("result", "--loser", "Ann"))
    code, _, err = night(*act, "--reason", reason)
    assert code == 2
    assert "is no reason; expected up to 200 letters" in err
    assert "\x1b" not in err


def test_a_reason_of_another_device_shows_no_more_than_letters():
    night = Night.fold([Opened(), Joined("Ann"), Joined("Bob"), Began(classic("Ann", "Bob"))])
    night = night.after(Ended(Result((), "Ann"), 0))
    assert (
        remarks(night.after(Edited(1, Result((), "Bob"), "a\x1b[31m")))[1].count("\ufffd[31m") == 1
    )


# -- ends that were none -----------------------------------------------------------------------


def test_a_result_that_was_entered_twice_is_taken_out_with_its_reason(ended):
    done(ended("result", "--winner", "Ann", "--loser", "Bob"))
    code, _, err = ended("abandon", "2")
    assert (code, "for a reason" in err) == (2, True)
    done(ended("abandon", "2", "--reason", "entered twice"))
    data = json.loads(done(ended("--json")))
    assert [player["losses"] for player in data["players"]] == [0, 1, 0]
    assert data["games"][1]["abandoned"] == "entered twice"
    assert data["games"][1]["edits"][0]["loser"] == "Bob"


@pytest.mark.parametrize("end", [["abandon"], ["result", "--loser", "Ann"]], ids=" ".join)
def test_a_game_that_was_ended_by_mistake_is_played_on(night, end):
    with open_book() as book:
        book.open_night(first=[Joined(name) for name in ("Ann", "Bob", "Cat")])
        book.write(Began(classic("Ann", "Bob", "Cat")))
    done(night(*end))
    done(night("play-on"))
    with open_book() as book:
        assert book.night.current.number == 1
        assert book.night.score.losses == {}


def test_no_game_is_played_on_that_was_not_ended(night):
    done(night("open", "Ann,Bob"))
    code, _, err = night("play-on")
    assert (code, "no game that was ended" in err) == (2, True)


def test_there_is_no_end_but_to_a_game(ended):
    assert "no game is on that could end" in ended("abandon")[2]
    assert "there is no game 7" in ended("abandon", "7", "--reason", "so")[2]


def test_only_the_result_that_stands_is_shown_as_changed(ended):
    done(ended("abandon", "1", "--reason", "entered twice"))
    assert "abandoned: entered twice" in done(ended())
    out = done(ended("play-on"))
    assert not [word for word in ("abandoned", "changed", "entered twice") if word in out]
    assert "changed" not in done(ended("result", "--loser", "Cat"))
    assert "changed: she hid an ace" in done(
        ended("edit", "1", "--loser", "Ann", "--reason", "she hid an ace")
    )
    assert "changed" not in done(ended("play-on"))
    out = done(ended("abandon"))
    assert "abandoned" in out
    assert "changed" not in out
    reasons = [each["reason"] for each in json.loads(done(ended("--json")))["games"][0]["edits"]]
    assert reasons == ["entered twice", "she hid an ace", ""]
