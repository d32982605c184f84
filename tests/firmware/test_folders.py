"""Whose the journal is: found on an installed device, left to its owner, told to who may not."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from the_device import TheDevice

from firmware import checks, folders
from firmware.cli import main
from firmware.config import faults, parse_config
from firmware.crash import write_crash_report
from firmware.decks import deck_file, expect_room
from firmware.folders import state_folder
from firmware.night.alone import alone_at
from firmware.night.backup import FOLDER
from firmware.night.book import open_book

SERVICE, STRANGER = 1, 65534
ASKS = [["night"], ["night", "list"], ["night", "export", "1", "night"], ["fix"], ["backup", "."]]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """No folder is named, and there is a home."""
    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def installed(home, tmp_path, monkeypatch):
    """The folder of the service on a device where this program is the installed one."""
    monkeypatch.setattr(folders, "PROGRAM", Path(folders.__file__).parents[1])
    monkeypatch.setattr(folders, "DEVICE", tmp_path / "device")
    (tmp_path / "device").mkdir()
    return tmp_path / "device"


@pytest.fixture
def state(monkeypatch):
    """A state folder that everybody may reach, and that belongs to the service."""
    folder = Path(tempfile.mkdtemp())
    (folder / "state").mkdir()
    for each in (folder, folder / "state"):
        each.chmod(0o755)
        os.chown(each, SERVICE, SERVICE)
    monkeypatch.setenv("STATE_DIRECTORY", str(folder / "state"))
    monkeypatch.chdir(folder)
    yield folder / "state"
    os.seteuid(0)
    shutil.rmtree(folder)


def owners(folder):
    return {path.lstat().st_uid for path in folder.rglob("*")}


# -- which one it is -------------------------------------------------------------------------------


def test_the_installed_program_finds_the_nights_of_its_service(installed, home, tmp_path, capsys):
    assert state_folder() == installed
    assert deck_file("mine").parent == installed / "decks"
    assert main(["night", "open", "Ann,Bob"]) == 0
    (tmp_path / "stick").mkdir()
    assert main(["backup", str(tmp_path / "stick")]) == 0
    assert f"1 night written and read back, 0 there already, of {installed}/journal" in (
        capsys.readouterr().out
    )
    assert not home.exists()


def test_whoever_names_another_folder_gets_that(installed, tmp_path):
    assert state_folder({"STATE_DIRECTORY": "/s", "HOME": "/h"}) == Path("/s")
    installed.rmdir()  # removed, or never started
    assert state_folder({"HOME": "/h"}) == Path("/h/.local/state/pilewatch")


def test_a_checkout_on_the_device_keeps_to_its_own(installed, home, monkeypatch, capsys):
    monkeypatch.setattr(folders, "PROGRAM", Path("/opt/pilewatch"))
    assert state_folder() == home / ".local" / "state" / "pilewatch"
    assert main(["night"]) == 2
    assert f"the device itself keeps them in {installed}, where" in capsys.readouterr().err


# -- who only asks leaves nothing ------------------------------------------------------------------


@pytest.mark.parametrize("words", ASKS, ids=" ".join)
def test_who_only_asks_makes_no_journal_and_hears_where_there_is_none(
    home, tmp_path, monkeypatch, capsys, words
):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    told = f"pilewatch: {home}/.local/state/pilewatch/journal: no night has been kept yet"
    assert capsys.readouterr().err.startswith(told)
    assert list(tmp_path.iterdir()) == []


def test_a_backup_of_a_journal_without_nights_is_none(home, tmp_path, capsys):
    with open_book():
        pass
    assert main(["backup", str(tmp_path)]) == 2
    assert "so there is nothing to back up" in capsys.readouterr().err
    assert not (tmp_path / FOLDER).exists()


@pytest.mark.parametrize(
    "words",
    [
        ["night", "open", "Ann,Bob"],
        ["night", "open", "Ann,Bob", "--journal", "notes.txt/journal"],
        ["look", "--annotate", "notes.txt", "a.jpg"],
        ["look", "--annotate", "notes.txt/drawn", "a.jpg"],
        ["demo", "--frames", "notes.txt/frames"],
    ],
    ids=" ".join,
)
def test_a_file_in_place_of_a_folder_is_named(home, tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "notes.txt"))
    assert main(words) in (2, 74)
    assert "notes.txt is no folder)" in capsys.readouterr().err
    assert "notes.txt is no folder)" in checks.disk(state_folder()).said
    assert Path("notes.txt").read_bytes() == b""


def test_no_file_is_called_by_a_dash(home, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["night", "open", "Ann,Bob"]) == 0
    for words in (["night", "export", "1", "-"], ["night", "-o", "-"], ["doctor", "--report=-"]):
        assert main(words) == 2
        assert "expected the name of a file, not '-'" in capsys.readouterr().err
    assert not (tmp_path / "-").exists()


# -- root, and others ------------------------------------------------------------------------------


@needs_root
def test_what_root_makes_belongs_to_whose_folder_it_is_in(state):
    assert main(["night", "open", "Ann,Bob"]) == 0
    assert main(["night", "result", "--loser", "Ann"]) == 0
    with open_book() as book, alone_at(book.journal.folder):
        assert len(owners(state)) == 1
    expect_room(deck_file("mine"))
    write_crash_report(ValueError("x"), [])
    assert owners(state) == {SERVICE}
    names = {path.name for path in state.rglob("*")}
    assert {"journal-1.db", "referee.lock", "decks", "pilewatch-crash.log", "copies"} <= names


@needs_root
def test_the_service_goes_on_with_a_journal_that_root_has_begun(state):
    assert main(["night", "open", "Ann,Bob"]) == 0
    os.seteuid(SERVICE)
    assert main(["night", "join", "Cat"]) == 0
    with open_book() as book:
        assert book.journal.refusal() is None
        assert book.journal.notes == []


@needs_root
def test_no_link_gives_away_a_file_of_the_system(state):
    theirs = state.parent / "shadow"
    theirs.touch()
    os.chown(theirs, 0, 0)
    (state / "pilewatch-crash.log").symlink_to(theirs)
    (state / "journal").mkdir()
    for name in ("journal-1.head", "journal.lock", "referee.lock"):
        (state / "journal" / name).symlink_to(theirs)
    main(["night", "open", "Ann,Bob"])
    with alone_at(state / "journal"):
        write_crash_report(ValueError("x"), [])
    assert theirs.stat().st_uid == 0


@needs_root
@pytest.mark.parametrize("closed", ["state", "journal"])
@pytest.mark.parametrize("words", [*ASKS, ["night", "open", "Cat,Dan"], ["restore", "stick"]])
def test_who_may_not_look_hears_who_may(state, capsys, words, closed):
    assert main(["night", "open", "Ann,Bob"]) == 0
    assert main(["backup", str(state.parent)]) == 0
    (state.parent / FOLDER).rename(state.parent / "stick")
    capsys.readouterr()
    (state if closed == "state" else state / "journal").chmod(0o700)
    os.seteuid(STRANGER)
    assert main(words) == 74
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{state}/journal" in err
    assert "it belongs to daemon: run it as sudo -u daemon pilewatch …" in err


@needs_root
def test_who_may_only_read_is_shown_what_there_is(state, capsys):
    assert main(["night", "open", "Ann,Bob"]) == 0
    os.seteuid(STRANGER)
    assert main(["night", "list", "--json"]) == 0
    out, err = capsys.readouterr()
    assert '"players": ["Ann", "Bob"]' in out
    assert "this user may not write it" in err
    assert main(["night", "join", "Cat"]) == 74


@needs_root
def test_no_deck_is_learned_where_it_could_not_be_kept(state, capsys):
    import vision.lesson  # while the libraries can still be read
    import vision.look  # noqa: F401

    state.chmod(0o700)
    photographs = state.parent / "photographs"
    photographs.mkdir()
    os.seteuid(STRANGER)
    for words in (["learn-deck", "mine", str(photographs)], ["look", "--deck=mine", "x.jpg"]):
        assert main(words) == 74
        assert "it belongs to daemon" in capsys.readouterr().err
    (fault,) = faults(parse_config('[game]\ndeck = "mine"\n[camera]\nsource = "none"\n', "x"))
    assert "game.deck: " in str(fault)
    assert "it belongs to daemon" in str(fault)


@needs_root
@pytest.mark.usefixtures("pins")
def test_a_journal_that_root_has_made_is_told_in_the_log_at_the_start(state, caplog):
    (state / "journal").mkdir()  # as an earlier version did
    os.seteuid(SERVICE)
    device = TheDevice(state / "journal")
    assert device.screen.title == "Score: trouble"
    device.close()
    told = "score: nothing is being kept"
    assert caplog.text.count(told) == 1
    assert f"{state}/journal: this user may not write it" in caplog.text


@needs_root
@pytest.mark.parametrize(
    ("user", "path", "mode", "owner"),
    [
        (SERVICE, "journal", 0o500, SERVICE),
        (SERVICE, "journal", 0, SERVICE),
        (SERVICE, "journal/journal.lock", 0, SERVICE),
        (SERVICE, "journal", 0o755, 0),
        (SERVICE, "journal/journal-1.db", 0o644, 0),
        (0, "journal", 0o755, 0),
        (0, "journal/journal-1.db", 0o644, 0),
    ],
)
def test_the_doctor_finds_what_the_service_cannot_write(state, user, path, mode, owner):
    assert main(["night", "open", "Ann,Bob"]) == 0
    assert checks.disk(state).well
    os.chown(state / path, owner, owner)
    (state / path).chmod(mode)
    os.seteuid(user)
    found = checks.disk(state)
    assert found.said == f"{state / path} cannot be written by daemon"
    assert found.mend.startswith(f"sudo chown -R daemon: {state}")


@needs_root
def test_the_doctor_is_to_be_run_as_whose_folder_it_is(state):
    os.seteuid(STRANGER)
    found = checks.disk(state)
    assert (found.well, found.mend) == (False, "Run it as daemon.")
    assert "it belongs to daemon" in found.said
