"""Nights on a stick and back; photographs that never fill the card."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from firmware.cli import main
from firmware.journal import (
    Entry,
    Journal,
    NightFile,
    NoRoomError,
    evidence,
    packed,
    write_night,
)
from firmware.journal.evidence import Evidence
from firmware.night.backup import FOLDER


@pytest.fixture
def stick(tmp_path, monkeypatch):
    """An empty folder, and a journal of two nights elsewhere."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    for players in ("Åse,ليلى", "Bob,🦊"):
        assert main(["night", "open", players]) == 0
        assert main(["night", "result", "--loser", players.split(",")[0]]) == 0
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def nights(capsys, *where: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["night", "list", "--json", *where]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_backup_is_written_once_and_comes_back_whole(stick, tmp_path, capsys):
    before = nights(capsys)
    assert main(["backup", str(stick)]) == 0
    assert "2 nights written and read back, 0 there already" in capsys.readouterr().out
    assert main(["backup", str(stick)]) == 0
    assert "0 nights written and read back, 2 there already" in capsys.readouterr().out
    shutil.rmtree(tmp_path / "state")
    assert main(["restore", str(stick)]) == 0
    assert "2 nights taken in" in capsys.readouterr().out
    assert nights(capsys) == before
    assert main(["restore", str(stick / FOLDER)]) == 0
    assert "0 nights taken in, 2 here already" in capsys.readouterr().out


def test_a_backup_grows_with_the_night(stick, capsys):
    assert main(["backup", str(stick)]) == 0
    assert main(["night", "join", "Cat"]) == 0
    capsys.readouterr()
    assert main(["backup", str(stick)]) == 0
    assert ": 1 night written and read back, 1 there already" in capsys.readouterr().out


def test_only_a_night_whose_number_is_taken_gets_another_and_that_is_told(stick, tmp_path, capsys):
    before = nights(capsys)
    assert main(["backup", str(stick)]) == 0
    elsewhere = ("--journal", str(tmp_path / "other"))
    assert main(["night", "open", "Cat,Dan", *elsewhere]) == 0
    capsys.readouterr()
    assert main(["restore", str(stick), *elsewhere]) == 0
    out, err = capsys.readouterr()
    assert "2 nights taken in, 0 here already" in out
    assert err.count("\n") == 1
    assert "what was night 1 there is night 3 here." in err
    here = {each["night"]: each["players"] for each in nights(capsys, *elsewhere)}
    assert here == {1: ["Cat", "Dan"], 2: before[1]["players"], 3: before[0]["players"]}
    assert main(["restore", str(stick), *elsewhere]) == 0
    assert capsys.readouterr().err == ""


def test_a_backup_with_damage_is_named_and_the_rest_restored(stick, tmp_path, capsys):
    assert main(["backup", str(stick)]) == 0
    first, second = sorted((stick / FOLDER).iterdir())
    data = bytearray(first.read_bytes())
    data[-20] ^= 1
    first.write_bytes(data)
    elsewhere = ["--journal", str(tmp_path / "other")]
    capsys.readouterr()
    assert main(["restore", str(stick), *elsewhere]) == 1
    told = capsys.readouterr()
    assert "1 night taken in" in told.out
    assert first.name in told.err
    assert [night["players"] for night in nights(capsys, *elsewhere)] == [["Bob", "🦊"]]
    assert second.exists()
    # Written anew by the next backup.
    assert main(["backup", str(stick)]) == 0
    assert main(["restore", str(stick), "--journal", str(tmp_path / "third")]) == 0


def test_a_file_that_is_sound_but_no_night_is_left_out(stick, capsys):
    before = nights(capsys)
    entries = (Entry(1, "leave", packed({"player": "Nobody"}), ""),)
    nonsense = NightFile("f" * 16, 7, entries)
    write_night(stick / FOLDER / nonsense.name, nonsense)
    assert main(["restore", str(stick)]) == 1
    assert "no night that can be" in capsys.readouterr().err
    assert main(["night", "import", str(stick / FOLDER / nonsense.name)]) == 2
    assert nights(capsys) == before


def test_a_link_on_the_stick_is_not_written_through(stick, capsys):
    assert main(["backup", str(stick)]) == 0
    night = next((stick / FOLDER).glob("night-0001-*"))
    night.unlink()
    precious = stick / "precious"
    precious.write_text("mine")
    night.symlink_to(precious)
    assert main(["backup", str(stick)]) == 2
    assert f"{night}: it is a link, and is left as it is" in capsys.readouterr().err
    assert precious.read_text() == "mine"


def test_a_night_is_not_exported_over_the_journal(stick, tmp_path, capsys):
    (journal,) = (tmp_path / "state").rglob("journal-1.db")
    assert main(["night", "export", "1", str(journal)]) == 2
    assert "the journal itself is in that folder" in capsys.readouterr().err
    assert len(nights(capsys)) == 2


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["backup", "/nowhere"], "is the stick plugged in?"),
        (["restore", "/nowhere"], "there is no backup"),
    ],
)
def test_a_stick_that_is_not_there_is_said(stick, capsys, command, why):
    assert main(command) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("moment", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize(
    "command", ["backup {}", "night export 1 {}/night", "night --html -o {}/night"]
)
def test_what_ctrl_c_breaks_off_leaves_no_half_file(
    stick, tmp_path, monkeypatch, capsys, command, moment
):
    assert main(command.format(stick).split()) == 0
    before = {path: path.read_bytes() for path in stick.rglob("*") if path.is_file()}
    assert main(["night", "join", "Cat"]) == 0
    capsys.readouterr()

    def pressed(*args):
        raise KeyboardInterrupt

    for target in (stick, tmp_path / "empty"):
        target.mkdir(exist_ok=True)
        with monkeypatch.context() as patch:
            patch.setattr(moment, pressed)
            assert main(command.format(target).split()) == 130
        assert capsys.readouterr().err == ""
    assert {path: path.read_bytes() for path in stick.rglob("*") if path.is_file()} == before
    assert not [path for path in (tmp_path / "empty").rglob("*") if path.is_file()]


def test_a_restore_onto_a_full_disk_ends_with_that(stick, tmp_path, monkeypatch, capsys):
    assert main(["backup", str(stick)]) == 0
    capsys.readouterr()

    def full(*args):
        raise NoRoomError("journal-1.db: the disk is full")

    monkeypatch.setattr(Journal, "insert", full)
    assert main(["restore", str(stick), "--journal", str(tmp_path / "other")]) == 74
    assert capsys.readouterr().err == "pilewatch: journal-1.db: the disk is full\n"


# -- photographs -------------------------------------------------------------------------------


def test_a_photograph_is_found_by_its_entry(tmp_path):
    pictures = Evidence(tmp_path, limit=100, free=0)
    path = pictures.keep(3, 12, b"picture")
    assert path is not None
    assert path.read_bytes() == b"picture"
    assert pictures.of(3, 12) == path
    assert pictures.of(3, 13) is None


def test_the_oldest_photographs_go_first_whatever_the_clock_says(tmp_path):
    pictures = Evidence(tmp_path, limit=30, free=0)
    for night, seq in ((9, 999), (10, 1), (10, 2), (10, 10)):
        assert pictures.keep(night, seq, b"0123456789")
    assert pictures.of(9, 999) is None
    assert [pictures.of(10, seq) is not None for seq in (1, 2, 10)] == [True] * 3


def test_a_photograph_larger_than_all_room_is_not_kept(tmp_path):
    pictures = Evidence(tmp_path, limit=30, free=0)
    assert pictures.keep(1, 1, b"0123456789")
    assert pictures.keep(1, 2, bytes(31)) is None
    assert pictures.of(1, 1) is not None


def test_photographs_never_fill_the_card(tmp_path, monkeypatch):
    pictures = Evidence(tmp_path, limit=10_000, free=100)
    for seq in range(1, 5):
        pictures.keep(1, seq, b"0123456789")
    folder = tmp_path / evidence.FOLDER

    class Usage(NamedTuple):
        free: int

    room = 140
    monkeypatch.setattr(
        shutil,
        "disk_usage",
        lambda path: Usage(room - sum(each.stat().st_size for each in folder.iterdir())),
    )
    assert pictures.keep(1, 5, b"0123456789")
    assert pictures.of(1, 1) is None
    assert pictures.of(1, 5) is not None
    room = 1
    assert pictures.keep(1, 6, b"0123456789") is None


def test_photographs_on_a_card_gone_read_only_stop_nothing(tmp_path, monkeypatch):
    pictures = Evidence(tmp_path, limit=25, free=0)
    for seq in (1, 2):
        pictures.keep(1, seq, b"0123456789")

    def refused(path, missing_ok=False):
        raise PermissionError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "unlink", refused)
    assert pictures.keep(1, 3, b"0123456789") is None
    assert not pictures.make_room()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    assert Evidence(tmp_path, limit=100, free=50).keep(1, 4, b"0123456789") is None


def test_room_is_measured_on_the_card_of_the_journal(tmp_path, monkeypatch):
    asked = []

    def usage(path):
        asked.append(path)
        return SimpleNamespace(free=1000)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    Evidence(tmp_path / "journal", free=10).keep(1, 1, b"0123456789")
    assert asked == [tmp_path]


def test_a_full_card_can_have_the_room_of_photographs(tmp_path):
    pictures = Evidence(tmp_path, limit=1000, free=0)
    assert not pictures.make_room()
    for seq in range(1, 6):
        pictures.keep(1, seq, b"0123456789")
    assert pictures.make_room()
    assert [pictures.of(1, seq) is not None for seq in range(1, 6)] == [False] * 3 + [True] * 2


# -- nights that went two ways -----------------------------------------------------------------


@pytest.fixture
def parted(stick, tmp_path, capsys):
    """A stick with a longer second night than the one here, which has gone on otherwise."""
    before = tmp_path / "before"
    shutil.copytree(tmp_path / "state", before)
    for name in ("Cat", "Dan", "Eva"):
        assert main(["night", "join", name]) == 0
    assert main(["backup", str(stick)]) == 0
    shutil.rmtree(tmp_path / "state")
    shutil.copytree(before, tmp_path / "state")
    assert main(["night", "join", "Fay"]) == 0
    capsys.readouterr()
    return stick


def test_a_better_backup_is_not_replaced_by_one_that_went_another_way(parted, capsys):
    good = {path: path.read_bytes() for path in (parted / FOLDER).iterdir()}
    assert main(["backup", str(parted)]) == 0
    assert "night 2 has gone on there in another way" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in good} == good
    assert len(list((parted / FOLDER).iterdir())) == 3
    assert main(["night", "join", "Gus"]) == 0
    assert main(["backup", str(parted)]) == 0
    assert len(list((parted / FOLDER).iterdir())) == 3
    assert main(["backup", str(parted)]) == 0
    assert "0 nights written" in capsys.readouterr().out


def test_a_night_that_went_another_way_is_restored_beside_the_one_here(parted, capsys):
    here = nights(capsys)
    for new in (1, 0):
        assert main(["restore", str(parted)]) == 0
        out, err = capsys.readouterr()
        assert f"{new} night{'s' * (not new)} taken in" in out
        assert ("it is night 3 now" in err) == bool(new)
    after = nights(capsys)
    assert after[:2] == here
    assert after[2]["players"] == ["Bob", "🦊", "Cat", "Dan", "Eva"]
    assert main(["night", "join", "Ivy"]) == 0  # the night that was on here still is
    assert "Ivy" in nights(capsys)[1]["players"]


def test_an_open_night_from_elsewhere_grows_here_as_it_grew_there(stick, tmp_path, capsys):
    other, file = tmp_path / "other", tmp_path / "night.jsonl"
    elsewhere = ("--journal", str(other))
    assert main(["night", "open", "Cat,Dan", *elsewhere]) == 0
    for name in ("Eva", "Fay"):
        assert main(["night", "join", name, *elsewhere]) == 0
        assert main(["night", "export", "1", str(file), *elsewhere]) == 0
        assert main(["night", "import", str(file)]) == 0
    assert [each["players"] for each in nights(capsys)] == [
        ["Åse", "ليلى"],
        ["Bob", "🦊"],
        ["Cat", "Dan", "Eva", "Fay"],
    ]
    assert main(["night", "resume", "3"]) == 0
    assert main(["night", "join", "Gus"]) == 0
    assert [each["open"] for each in nights(capsys)] == [False, False, True]
