"""``pilewatch night``: what is shown, sent and put right, and what is refused with a sentence."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import subprocess
import sys
from html.parser import HTMLParser

import evenings
import mishaps
import pytest

from engine.setup import classic
from firmware.cli import main
from firmware.journal import Journal, WriteError
from firmware.night.acts import Began, Edited, Ended, Joined, Opened
from firmware.night.book import open_book
from firmware.night.facts import remarks
from firmware.night.night import Night
from firmware.night.report import bar
from firmware.night.scoring import Result

NASTY = '<script>alert("&'


@pytest.fixture(autouse=True)
def _state(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


@pytest.fixture
def night(capsys):
    """Runs ``pilewatch night`` with these words; returns exit code, output and complaints."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["night", *words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def done(told: tuple[int, str, str]) -> str:
    code, out, err = told
    assert (code, err) == (0, "")
    return out


@pytest.fixture(scope="module")
def played():
    """A journal with an evening of two games in it."""
    with mishaps.quick_folder() as folder:
        with open_book(folder) as book:
            for first, *rest in evenings.evening(4, games=2, players=4, close=False):
                if isinstance(first, Opened):
                    book.open_night(first=rest)
                else:
                    book.write(first, *rest)
        yield str(folder)


def test_an_evening_by_hand(night):
    done(night("open", "Åse, Gülşən ,👩‍🚀", "--word", "SHED"))
    done(night("result", "--out", "Åse,👩‍🚀", "--loser", "Gülşən"))
    done(night("join", "ليلى", "--seat", "1"))
    done(night("rename", "Gülşən", "Gül"))
    out = done(night())
    assert "Gül wears the hat." in out
    assert "Next: Gül deals, 👩‍🚀 begins." in out
    done(night("edit", "1", "--loser", "Åse", "--reason", "she hid an ace"))
    done(night("leave", "ليلى"))
    data = json.loads(done(night("show", "1", "--json")))
    assert data["letters"] == {"Åse": "S", "Gül": "", "👩‍🚀": "", "ليلى": ""}
    assert data["seats"] == ["Åse", "Gül", "👩‍🚀"]
    assert data["games"][0]["edits"] == [
        {"out": ["Åse", "👩‍🚀"], "loser": "Gül", "reason": "she hid an ace"}
    ]
    done(night("close"))
    code, _, err = night("join", "Bob")
    assert code == 2
    assert "no night is open" in err
    assert "(still on)" in done(night("resume", "1"))


def test_a_night_is_not_on_any_more_once_somebody_has_the_whole_word(night):
    assert "(still on)" in done(night("open", "Ann,Bob", "--word", "X"))
    assert "(still on)" not in done(night("result", "--loser", "Bob"))
    assert "(still on)" not in done(night("list"))
    assert "(still on)" in done(night("terms", "--word", "XY"))


REFUSED = {
    "nothing kept": ([], 2, "no night has been kept yet"),
    "nothing to list": (["list"], 2, "no night has been kept yet"),
    "no such night": (["show", "9"], 2, "there is no night 9; none has been kept yet"),
    "export of no night": (["export", "9", "x"], 2, "there is no night 9"),
    "no such action": (["sing"], 2, "there is no 'sing'; expected list, show, export"),
    "an action misspelt": (["lsit"], 2, "there is no 'lsit'; did you mean list?"),
    "no number": (["show", "one"], 2, "expected a whole number, not 'one'"),
    "no file": (["import", "/nowhere/night"], 2, "cannot be read"),
    "no results": (["score", "/nowhere/night"], 2, "cannot be read"),
    "a name twice": (["open", "Ann,Ann"], 2, "Ann sits here already"),
    "no name": (["open", "Ann,,Bob"], 2, "'' is no name"),
    "a list as a page": (["list", "--html"], 2, "night show N --html"),
    "points in words": (["open", "Ann,Bob", "--points", "many"], 2, "points takes numbers"),
}


@pytest.mark.parametrize(("words", "code", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_said_in_a_sentence(night, words, code, why):
    got, _, err = night(*words)
    assert got == code
    assert why in err
    assert err.count("\n") == 1


def test_the_night_as_a_table(night, played):
    out = done(night("--journal", played))
    assert "Night 1" in out
    assert "Longest game: number" in out
    assert "█" in out
    assert "Gülşən Əliyeva" in out


def test_the_night_as_csv(night, played):
    rows = list(
        csv.DictReader(io.StringIO(done(night("--csv", "--journal", played)).lstrip("\ufeff")))
    )
    assert len(rows) == 8
    assert {row["game"] for row in rows} == {"1", "2"}
    assert sorted(row["place"] for row in rows[:4]) == ["1", "2", "3", "4"]
    assert sum(row["lost"] == "1" for row in rows) == 2


def test_a_name_that_a_spreadsheet_would_compute(night):
    done(night("open", "=1+1,Bob"))
    done(night("result", "--loser", "=1+1"))
    assert "'=1+1" in done(night("--csv"))


def test_the_list_of_nights(night):
    done(night("open", "Ann,Bob"))
    night("open", "Cat,🦊")
    out = done(night("list")).splitlines()
    assert [line.split()[0] for line in out] == ["night", "1", "2"]
    lines = [json.loads(line) for line in done(night("list", "--json")).splitlines()]
    assert [line["players"] for line in lines] == [["Ann", "Bob"], ["Cat", "🦊"]]
    assert [line["open"] for line in lines] == [False, True]
    assert len(done(night("list", "--csv")).splitlines()) == 3


class Page(HTMLParser):
    """The text of a page; AssertionError for tags that are left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "rect"):
            self.open.append(tag)
        self.loads += [value for key, value in attrs if key in ("src", "href")]

    def handle_startendtag(self, tag, attrs):
        assert tag == "rect"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_needs_nothing_else_and_holds_any_name(night):
    names = ["Åse", "Gülşən", "Íñigo", "ليلى", "👩‍🚀", NASTY]
    done(night("open", ",".join(names), "--word", "<b>"))
    done(night("result", "--out", "Åse,ليلى", "--loser", NASTY))
    text = done(night("--html"))
    page = Page(text)
    assert page.loads == []
    assert "<script" not in text
    assert "<b>" not in text
    for name in names:
        assert name in page.words
    # Set apart, so that a name which runs from right to left turns nothing else around.
    assert f"\u2068{NASTY}\u2069 wears the hat." in page.words


def test_a_page_of_a_whole_evening_can_be_put_into_a_file(night, played, tmp_path):
    done(night("show", "--html", "-o", str(tmp_path / "night.html"), "--journal", played))
    page = Page((tmp_path / "night.html").read_text())
    assert "Plays in each game" in page.words


def test_a_night_travels_to_another_device(night, played, tmp_path):
    file = str(tmp_path / "night")
    done(night("export", "1", file, "--journal", played))
    before = json.loads(done(night("show", "1", "--json", "--journal", played)))
    assert "night 1, " in done(night("import", file))
    assert "nothing new" in done(night("import", file))
    after = json.loads(done(night("show", "1", "--json")))
    assert after == before
    assert after["open"]


def test_a_night_that_arrives_does_not_disturb_the_one_that_is_on(night, played, tmp_path):
    file = str(tmp_path / "night")
    done(night("export", "1", file, "--journal", played))
    done(night("open", "Dan,Eve"))
    done(night("import", file))
    assert "Eve" in done(night())
    # Both are open: the one that arrived goes on where it came from.
    assert [json.loads(line)["open"] for line in done(night("list", "--json")).splitlines()] == [
        True,
        True,
    ]
    assert "Eve" in done(night())
    code, out, err = night("resume", "2")
    assert (code, err.count("Night 1 was still on and is over now")) == (0, 1)
    assert "Night 2" in out


def test_a_night_with_damage_is_not_taken_in(night, played, tmp_path):
    file = tmp_path / "night"
    done(night("export", "1", str(file), "--journal", played))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data)
    code, _, err = night("import", str(file))
    assert code == 2
    assert "damaged" in err
    assert "no night has been kept yet" in night("list", "--json")[2]


# -- written results ---------------------------------------------------------------------------

LETTERS = {
    "rules": "idiota",
    "players": ["Ann", "Bob"],
    "games": [{"winner": "Ann", "loser": "Bob", "expect": {"letters": {"Bob": "I"}}}] * 2,
}


def test_written_results_are_scored(night, tmp_path):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(LETTERS))
    first, second = map(json.loads, done(night("score", str(file))).splitlines())
    assert first == {
        "letters": {"Ann": "", "Bob": "I"},
        "hat": "Bob",
        "next_dealer": "Bob",
        "next_starter": "Ann",
        "over": False,
        "loser_of_the_night": None,
    }
    assert second["letters"]["Bob"] == "ID"


def test_what_differs_from_the_expectation_is_shown(night, tmp_path):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(LETTERS))
    code, out, _ = night("score", str(file), "--check")
    assert code == 1
    wanted, got = '{"letters": {"Bob": "I"}}', '{"letters": {"Bob": "ID"}}'
    assert out.splitlines() == [
        f"{file}: game 2: expected {wanted} got {got}",
        "1 passed, 1 failed",
    ]


WRONG = {
    "no json": ("{", "expected one JSON object"),
    "no object": ("[]", "expected one JSON object"),
    "strange key": ('{"rule": "hat"}', "has no key 'rule'; did you mean rules"),
    "no games": ('{"rules": "hat", "players": ["A", "B"]}', "games takes a list"),
    "no rules": ('{"players": ["A", "B"], "games": []}', "rules takes the name"),
    "one player": ('{"rules": "hat", "players": ["A"], "games": []}', "two players"),
    "castle for five": (
        '{"rules": "castle", "players": ["A", "B", "C", "D", "E"], "games": []}',
        "2 to 4 players",
    ),
    "a stranger": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{"loser": "C"}]}',
        "game 1: no 'C' plays here; expected A or B",
    ),
    "both": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{"winner": "A", "loser": "A"}]}',
        "cannot end a game twice",
    ),
    "neither": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{}]}',
        "a winner or a loser",
    ),
    "after the end": (
        '{"rules": "hat", "players": ["A", "B"], "word": "X",'
        ' "games": [{"loser": "A"}, {"loser": "B"}]}',
        "game 2: the night was over",
    ),
}


@pytest.mark.parametrize(("text", "why"), WRONG.values(), ids=WRONG)
def test_malformed_results_are_refused(night, tmp_path, text, why):
    file = tmp_path / "results.json"
    file.write_text(text)
    code, _, err = night("score", str(file))
    assert code == 2
    assert why in err
    assert str(file) in err


def test_bars():
    assert bar(4, 4, 2) == "██"
    assert bar(1, 4, 2) == "▌"
    assert bar(0, 0) == ""


# -- what comes from outside -------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--json", "-o"], ["export", "1"]], ids=["output", "export"])
def test_an_output_follows_links_and_leaves_alone_what_is_no_file(night, tmp_path, words):
    done(night("open", "Ann,Bob"))
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "fifo")
    done(night(*words, str(tmp_path / "link")))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").stat().st_size > 0
    for name, why in (
        ("fifo", "expected a file to write to, this is no ordinary file"),
        ("", "expected a file to write to, this is a folder"),
        ("none/file", f"expected a folder that is there, {tmp_path / 'none'} is not"),
    ):
        code, _, err = night(*words, str(tmp_path / name))
        assert (code, f"{tmp_path / name}: {why}" in err) == (2, True)
    assert (tmp_path / "fifo").is_fifo()
    assert not (tmp_path / "none").exists()
    code, _, err = night(*words, "")
    assert code == 2
    assert "expected a word, not an empty one" in err


def test_a_full_disk_leaves_nothing_half(night, tmp_path, monkeypatch):
    done(night("open", "Ann,Bob"))
    (tmp_path / "out").mkdir()

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    code, _, err = night("--json", "-o", str(tmp_path / "out" / "file"))
    assert code == 74
    assert "out/file: the disk is full" in err
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("words", [["import"], ["score"]])
def test_what_never_ends_and_what_never_comes_are_refused_at_once(night, tmp_path, words):
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", str(tmp_path / "fifo"), str(tmp_path)):
        code, _, err = night(*words, path)
        assert code == 2
        assert "no ordinary file" in err


@pytest.mark.parametrize("instead", ["a file", "a link that leads nowhere"])
@pytest.mark.parametrize("words", [["list"], ["open", "Ann,Bob"]], ids=["list", "open"])
def test_what_is_no_folder_is_no_journal(night, tmp_path, words, instead):
    place = tmp_path / "journal"  # the usual one, named or not
    if instead == "a file":
        place.touch()
    else:
        place.symlink_to("/nowhere/stick")
    for named in ([], ["--journal", str(place)]):
        told = f"pilewatch: {place}: expected the folder of a journal, this is none\n"
        assert night(*words, *named) == (2, "", told)


READS = [[], ["list"], ["show", "1"], ["export", "1", "night"], ["close"]]


@pytest.mark.parametrize("words", READS, ids=["night", "list", "show", "export", "close"])
def test_a_journal_of_which_nothing_can_be_read_is_refused(night, tmp_path, monkeypatch, words):
    def read_only(*args):
        raise WriteError("journal: it cannot be written (Read-only file system)")

    monkeypatch.setattr(Journal, "_open_here", read_only)
    told = "pilewatch: journal: it cannot be written (Read-only file system)\n"
    assert night(*words) == (74, "", told)
    assert main(["backup", str(tmp_path)]) == 74


def test_nights_are_listed_from_their_copies_where_the_journal_is_no_file(night, tmp_path):
    done(night("open", "Ann,Bob"))
    done(night("result", "--loser", "Bob"))
    place = tmp_path / "journal" / "journal-1.db"
    place.unlink()
    place.mkdir()
    code, out, err = night("list")
    assert (code, "Ann, Bob" in out) == (0, True)
    assert err == (
        f"pilewatch: {place}: it is no ordinary file. It is kept as journal-1.db, and a new"
        " journal was made of its copies and of what is sound in it. Nothing is missing.\n"
    )


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


def test_names_that_differ_only_in_capitals_do_not_sit_together(night):
    assert "cannot be told apart" in night("open", "Ann,ann")[2]
    done(night("open", "Ann,Bob"))
    assert "Bob sits here already" in night("join", "bOB")[2]
    assert "cannot be told apart" in night("rename", "Ann", "bob")[2]
    done(night("rename", "Ann", "ANN"))


def test_players_stand_in_the_table_as_they_sit(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("leave", "Ann"))
    out = done(night("join", "Dan", "--seat", "2"))
    at = [out.index(name) for name in ("Bob", "Dan", "Cat", "Ann")]
    assert at == sorted(at)
    page = done(night("--html"))
    at = [page.index(f"<bdi>{name}</bdi>") for name in ("Bob", "Dan", "Cat", "Ann")]
    assert at == sorted(at)


def test_a_night_that_is_on_is_marked_and_not_left_without_a_word(night):
    done(night("open", "Ann,Bob"))
    code, _, err = night("open", "Cat,Dan")
    assert code == 0
    assert err == (
        "pilewatch: Night 1 was still on and is over now; night resume 1 goes on with it.\n"
    )
    first, second = done(night("list")).splitlines()[1:]
    assert "(still on)" not in first
    assert "(still on)" in second


def test_who_comes_second_tries_again(night, tmp_path):
    done(night("open", "Ann,Bob"))
    command = [sys.executable, "-P", "-m", "firmware", "night", "join"]
    joining = [
        subprocess.Popen(
            [*command, name],
            stdout=subprocess.DEVNULL,
            cwd=mishaps.ROOT,
            env=os.environ | {"PYTHONPATH": str(mishaps.ROOT)},
        )
        for name in ("Cat", "Dan", "Eve", "Fay")
    ]
    assert [process.wait() for process in joining] == [0, 0, 0, 0]
    seats = json.loads(done(night("--json")))["seats"]
    assert sorted(seats) == ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay"]


def test_what_another_process_wrote_meanwhile_is_taken_into_account(tmp_path):
    with open_book(tmp_path) as mine, open_book(tmp_path) as other:
        mine.open_night(first=[Joined("Ann")])
        other.resume(1)
        other.write(Joined("Bob"))
        tried = []

        def join():
            tried.append(mine.opened.seats)
            return mine.write(Joined("Cat"))

        assert mine.again(join).seats == ("Ann", "Bob", "Cat")
        assert tried == [("Ann",), ("Ann", "Bob")]


# -- one person, one name ------------------------------------------------------------------------


def test_who_comes_back_in_another_spelling_is_the_same_person(night):
    done(night("open", "Ann,Cat", "--word", "SHED"))
    done(night("result", "--loser", "Cat"))
    done(night("leave", "Cat"))
    done(night("join", "cat"))
    data = json.loads(done(night("--json")))
    assert data["letters"] == {"Ann": "", "Cat": "S"}
    assert data["seats"] == ["Ann", "Cat"]


@pytest.mark.parametrize("name", ["Fa\ty", "Fa\ny", "Fay\n", "\x1bFay", "Fa\u2028y"])
def test_a_name_with_a_tab_or_a_line_end_is_refused_wherever_names_come_in(night, capsys, name):
    done(night("open", "Ann,Bob"))
    refused = f"{name!r} is no name; expected 1 to 40 letters that can be shown"
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


def test_nobody_is_called_as_somebody_who_has_gone_home(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("leave", "Cat"))
    code, _, err = night("rename", "Bob", "CAT")
    assert (code, "cannot be told apart" in err) == (2, True)
    done(night("rename", "Cat", "CAT"))


# -- ends that were none -----------------------------------------------------------------------


@pytest.fixture
def ended(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("result", "--winner", "Ann", "--loser", "Bob"))
    return night


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


@pytest.mark.parametrize("seat", ["-1", "0", "5", "99"])
def test_nobody_joins_at_a_seat_that_is_not_there(ended, seat):
    told = f"pilewatch: there is no seat {seat}; expected 1 to 4\n"
    assert ended("join", "Eve", "--seat", seat) == (2, "", told)
    done(ended("join", "Eve", "--seat", "4"))
    assert json.loads(done(ended("--json")))["seats"] == ["Ann", "Bob", "Cat", "Eve"]


# -- words that do not go together -------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["--json", "--csv"], ["--json", "show", "--html"], ["list", "--csv", "--html"]]
)
def test_one_form_at_a_time(ended, words):
    code, out, err = ended(*words)
    assert (code, out) == (2, "")
    assert "one form at a time" in err


def test_a_night_that_is_closed_by_resuming_another_is_said(ended):
    ended("open", "Dan,Eva")
    code, _, err = ended("resume", "1")
    assert code == 0
    assert "Night 2 was still on and is over now; night resume 2 goes on with it." in err
    assert ended("resume", "1")[2] == ""


def test_the_result_of_a_game_that_is_on_is_of_its_own_rules(night):
    with open_book() as book:
        book.open_night(first=[Joined(name) for name in ("Ann", "Bob", "Cat")])
        book.write(Began(classic("Ann", "Bob", "Cat")))
    code, _, err = night("result", "--rules", "norsk", "--loser", "Ann")
    assert (code, "is played by classic, not norsk" in err) == (2, True)
    done(night("result", "--rules", "classic", "--loser", "Ann"))


# -- outputs that have few letters -------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["--json"], ["--csv"], ["list"], ["show", "--html"]])
def test_letters_that_the_output_has_no_code_for_are_escaped(night, words):
    done(night("open", "Åse,Gülşən,👩‍🚀"))
    done(night("result", "--loser", "Gülşən"))
    plain = os.environ | {"LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    told = subprocess.run(
        [sys.executable, "-m", "firmware", "night", *words],
        env=plain,
        capture_output=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, b"")
    assert told.stdout.isascii()
    assert b"G\\u00fcl" in told.stdout
    if words == ["--json"]:
        assert json.loads(told.stdout)["seats"] == ["Åse", "Gülşən", "👩‍🚀"]


# -- for a spreadsheet -------------------------------------------------------------------------


def table(night, *words):
    text = done(night("--csv", *words))
    assert text.startswith("\ufeffnight,game,")  # or Excel garbles the names
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_csv_has_what_people_laugh_about(night, played):
    rows = table(night, "--journal", played)
    data = json.loads(done(night("--json", "--journal", played)))
    for player in data["players"]:
        mine = [row for row in rows if row["player"] == player["name"]]
        for column in ("burns", "pickups", "cards_taken", "illegal", "blind", "blind_luck"):
            assert sum(int(row[column]) for row in mine) == player[column]
        assert sum(int(row["laid"]) for row in mine) == player["plays"]
        assert max(int(row["biggest_pickup"]) for row in mine) == player["biggest_pickup"]
        assert max(int(row["lost_in_a_row"]) for row in mine) == player["losing_streak"]


def test_the_csv_has_letters_points_hat_and_reasons_game_by_game(night):
    done(night("open", "Ann,Bob,Cat", "--word", "SHED", "--points", "3,1,-1"))
    done(night("result", "--out", "Ann,Cat", "--loser", "Bob"))
    done(night("result", "--out", "Cat,Bob", "--loser", "Ann"))
    done(night("edit", "2", "--loser", "Bob", "--reason", "she hid an ace"))
    done(night("result", "--out", "Ann,Cat", "--loser", "Bob"))
    done(night("abandon", "3", "--reason", "entered twice"))
    columns = ("game", "letters", "points", "hat", "lost_in_a_row", "abandoned", "reasons")
    bob = [[row[key] for key in columns] for row in table(night) if row["player"] == "Bob"]
    assert bob == [
        ["1", "S", "-1", "1", "1", "0", ""],
        ["2", "SH", "-2", "1", "2", "0", "she hid an ace"],
        ["3", "SH", "-2", "1", "2", "1", "entered twice"],
    ]


# -- what is refused before anything is made ---------------------------------------------------


@pytest.mark.parametrize("command", ["night", "night list", "night close", "fix", "backup ."])
def test_what_only_reads_makes_no_journal(tmp_path, capsys, command):
    nowhere = tmp_path / "nowhere"
    assert main([*command.split(), "--journal", str(nowhere)]) == 2
    assert "expected the folder of a journal, there is none" in capsys.readouterr().err
    assert not nowhere.exists()


@pytest.mark.parametrize("count", [1, 13])
def test_no_night_is_opened_that_no_rules_could_seat(night, count):
    code, _, err = night("open", ",".join(f"P{number}" for number in range(count)))
    assert code == 2
    assert f"no rules seat {count}; expected 2 to 12 players" in err


def test_a_name_too_long_for_the_charts_is_drawn_narrower(night):
    long = "Wilhelmina-Alexandrine von und zu Oben"
    done(night("open", f"{long},Bob"))
    done(night("result", "--loser", long))
    chart = done(night("--html")).partition("<svg")[2].partition("</svg>")[0]
    assert chart.count("textLength=") == chart.count(long) == 1
