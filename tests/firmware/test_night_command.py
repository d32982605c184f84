"""``pilewatch night``: an evening by hand, nights that travel, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys

import mishaps
import pytest
from night_command import done

from firmware.cli import main
from firmware.journal import Journal, WriteError
from firmware.night.acts import Joined
from firmware.night.book import open_book


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


def test_a_night_that_is_closed_by_resuming_another_is_said(ended):
    ended("open", "Dan,Eva")
    code, _, err = ended("resume", "1")
    assert code == 0
    assert "Night 2 was still on and is over now; night resume 2 goes on with it." in err
    assert ended("resume", "1")[2] == ""


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


REFUSED = {
    "nothing kept": ([], 2, "no night has been kept yet"),
    "nothing to list": (["list"], 2, "no night has been kept yet"),
    "no such night": (["show", "9"], 2, "journal: no night has been kept yet"),
    "export of no night": (["export", "9", "x"], 2, "journal: no night has been kept yet"),
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


@pytest.mark.parametrize("count", [1, 13])
def test_no_night_is_opened_that_no_rules_could_seat(night, count):
    code, _, err = night("open", ",".join(f"P{number}" for number in range(count)))
    assert code == 2
    assert f"no rules seat {count}; expected 2 to 12 players" in err


# -- nights that travel ------------------------------------------------------------------------


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
    code, out, err = night("import", file)
    assert (code, f"{file}: night 2, " in out) == (0, True)
    assert err == f"pilewatch: {file}: what was night 1 there is night 2 here.\n"
    assert done(night("import", file)) == f"{file}: night 2, nothing new\n"
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


# -- what comes from outside, and goes there ---------------------------------------------------


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


# -- what is no journal ------------------------------------------------------------------------


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

    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "journal-1.db").touch()
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


@pytest.mark.parametrize("command", ["night", "night list", "night close", "fix", "backup ."])
def test_what_only_reads_makes_no_journal(tmp_path, capsys, command):
    nowhere = tmp_path / "nowhere"
    assert main([*command.split(), "--journal", str(nowhere)]) == 2
    assert "expected the folder of a journal, there is none" in capsys.readouterr().err
    assert not nowhere.exists()
