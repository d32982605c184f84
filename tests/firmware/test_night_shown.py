"""What ``pilewatch night`` shows of a night: tables, CSV, the list and the page."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from night_command import done

from firmware.night.report import bar

NASTY = '<script>alert("&'


def test_the_night_as_a_table(night, played):
    out = done(night("--journal", played))
    assert "Night 1" in out
    assert "Longest game: number" in out
    assert "█" in out
    assert "Gülşən Əliyeva" in out


def test_players_stand_in_the_table_as_they_sit(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("leave", "Ann"))
    out = done(night("join", "Dan", "--seat", "2"))
    at = [out.index(name) for name in ("Bob", "Dan", "Cat", "Ann")]
    assert at == sorted(at)
    page = done(night("--html"))
    at = [page.index(f"<bdi>{name}</bdi>") for name in ("Bob", "Dan", "Cat", "Ann")]
    assert at == sorted(at)


def test_who_has_left_is_marked_and_nobody_else(night):
    done(night("open", "Ann,Bob,Cat"))
    done(night("result", "--loser", "Bob"))
    out = done(night("leave", "Bob"))
    assert "Bob (has left)" in out
    page = done(night("--html"))
    assert "<bdi>Bob</bdi> <small>(has left)</small>" in page
    assert out.count("has left") == page.count("has left") == 1
    players = json.loads(done(night("--json")))["players"]
    assert [each["name"] for each in players if each["left"]] == ["Bob"]
    assert [row["player"] for row in table(night) if row["left"] == "1"] == ["Bob"]
    assert "has left" not in done(night("join", "bob"))


def test_what_the_night_is_played_for_is_said_back(night):
    out = done(night("open", "Ann,Bob", "--word", "SHED", "--points", "3,-1"))
    told = ["Who loses collects the word SHED.", "Points for the places: 3, -1."]
    assert [line for line in told if line in out.splitlines()] == told
    assert all(f"<p>{line}</p>" in done(night("--html")) for line in told)
    data = json.loads(done(night("--json")))
    assert (data["word"], data["points"]) == ("SHED", [3, -1])
    out = done(night("terms", "--word", "", "--points", ""))
    assert "No word is collected." in out
    assert "Points" not in out


def test_a_word_that_the_rules_bring_is_told_with_the_first_game(night):
    assert "word" not in done(night("open", "Ann,Bob"))
    out = done(night("result", "--rules", "idiota", "--loser", "Bob"))
    assert "Who loses collects the word IDIOTA." in out


def test_bars():
    assert bar(4, 4, 2) == "██"
    assert bar(1, 4, 2) == "▌"
    assert bar(0, 0) == ""


def test_the_list_of_nights(night):
    done(night("open", "Ann,Bob"))
    night("open", "Cat,🦊")
    out = done(night("list")).splitlines()
    assert [line.split()[0] for line in out] == ["night", "1", "2"]
    lines = [json.loads(line) for line in done(night("list", "--json")).splitlines()]
    assert [line["players"] for line in lines] == [["Ann", "Bob"], ["Cat", "🦊"]]
    assert [line["open"] for line in lines] == [False, True]
    assert len(done(night("list", "--csv")).splitlines()) == 3


@pytest.mark.parametrize(
    "words", [["--json", "--csv"], ["--json", "show", "--html"], ["list", "--csv", "--html"]]
)
def test_one_form_at_a_time(ended, words):
    code, out, err = ended(*words)
    assert (code, out) == (2, "")
    assert "one form at a time" in err


@pytest.mark.parametrize("coding", ["ascii", "ascii:surrogateescape"])
@pytest.mark.parametrize("words", [[], ["--json"], ["--csv"], ["list"], ["show", "--html"]])
def test_letters_that_the_output_has_no_code_for_are_escaped(night, words, coding):
    done(night("open", "Åse,Gülşən,👩‍🚀"))
    done(night("result", "--loser", "Gülşən"))
    plain = os.environ | {"LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": coding}
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


@pytest.mark.parametrize("coding", ["ascii:surrogateescape", "latin-1"])
def test_on_a_terminal_letters_that_it_cannot_show_are_marked(night, coding):
    done(night("open", "Åse,Gülşən,👩‍🚀"))
    reading, terminal = os.openpty()
    told = subprocess.run(
        [sys.executable, "-m", "firmware", "night"],
        env=os.environ | {"PYTHONUTF8": "0", "PYTHONIOENCODING": coding},
        stdout=terminal,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(terminal)
    assert (told.returncode, told.stderr) == (0, b"")
    shown = os.read(reading, 65536).decode("latin-1")
    os.close(reading)
    assert ("G?l??n" if coding.startswith("ascii") else "Gül??n") in shown
    assert "\\u" not in shown


# -- for a spreadsheet -------------------------------------------------------------------------


def table(night, *words):
    text = done(night("--csv", *words))
    assert text.startswith("\ufeffnight,game,")  # or Excel garbles the names
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


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


# -- the page ----------------------------------------------------------------------------------


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


def test_letters_that_would_run_over_the_edge_of_their_chart_are_drawn_narrower(night):
    word = "ABCDEFGHIJKLMNOPQRSTUVWX"
    done(night("open", "Ann,Bob", "--word", word))
    for _ in word[:-1]:
        done(night("result", "--loser", "Bob"))
    chart = done(night("--html")).partition("<svg")[2].partition("</svg>")[0]
    assert f'lengthAdjust="spacingAndGlyphs">{word[:-1]}</text>' in chart


def test_games_have_no_column_on_the_page_in_which_nothing_stands(night, ended, played):
    assert "remark" not in Page(done(night("--html"))).words
    assert "plays" not in Page(done(night("--html"))).words
    assert "plays" in Page(done(night("--html", "--journal", played))).words
    done(night("edit", "1", "--loser", "Cat", "--reason", "he hid an ace"))
    assert "remark" in Page(done(night("--html"))).words


def test_a_name_too_long_for_the_charts_is_drawn_narrower(night):
    long = "Wilhelmina-Alexandrine von und zu Oben"
    done(night("open", f"{long},Bob"))
    done(night("result", "--loser", long))
    chart = done(night("--html")).partition("<svg")[2].partition("</svg>")[0]
    assert chart.count("textLength=") == chart.count(long) == 1
