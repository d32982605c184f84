"""The journal: what is written is there, and what is not as it was written is found out."""

from __future__ import annotations

import itertools
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.journal import (
    BehindError,
    DamagedError,
    Entry,
    Journal,
    JournalError,
    NightFile,
    NightFileError,
    NoRoomError,
    WriteError,
    packed,
    read_night,
    to_bytes,
    write_night,
)
from firmware.journal.errors import translated
from firmware.journal.schema import MIGRATIONS, migrate
from firmware.journal.store import Store

MARK = "0123456789abcdef"


MARKS = (f"{number:016x}" for number in itertools.count(1))


def journal(folder: Path, clock: str = "1970-01-01T00:00:07") -> Journal:
    return Journal(folder, lambda: clock, lambda: next(MARKS))


def acts(*names: str) -> list[tuple[str, str]]:
    return [("join", packed({"player": name})) for name in names]


def names(entries: list[Entry]) -> list[str]:
    return [entry.data["player"] for entry in entries]


def test_what_is_written_is_there_after_a_restart(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Åse", "Gülşən"))
        book.append(night, 2, acts("ليلى", "🦊"))
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Åse", "Gülşən", "ليلى", "🦊"]
        assert [entry.seq for entry in book.read(night, after=2)] == [3, 4]
        assert book.notes == []


def test_it_is_kept_as_the_card_can_keep_it(tmp_path):
    with Store(tmp_path / "journal-1.db") as store:
        assert store._db.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert store._db.execute("PRAGMA foreign_keys").fetchone() == (1,)


@pytest.mark.parametrize("table", ["entries", "nights"])
@pytest.mark.parametrize("words", ["DELETE FROM {}", "UPDATE {} SET id = id + 1"])
def test_nothing_is_deleted_or_changed(tmp_path, table, words):
    with journal(tmp_path) as book:
        book.begin(acts("Ann"))
    db = sqlite3.connect(tmp_path / "journal-1.db")
    with pytest.raises(sqlite3.IntegrityError, match="nothing is"):
        db.execute(words.format(table))
    db.close()


def test_the_order_does_not_depend_on_the_clock(tmp_path):
    with journal(tmp_path, clock="2026-05-01T20:00:00") as book:
        night = book.begin(acts("Ann"))
    with journal(tmp_path, clock="1970-01-01T00:00:00") as book:
        book.append(night, 1, acts("Bob"))
        later = book.begin(acts("Cat"))
        assert names(book.read(night)) == ["Ann", "Bob"]
        assert list(book.nights()) == [night, later]


def test_entries_of_one_batch_are_kept_all_or_none(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
        with pytest.raises(JournalError):
            book.append(night, 1, [*acts("Bob"), ("join", None)])  # type: ignore[list-item]
        assert names(book.read(night)) == ["Ann"]


def test_who_writes_after_another_is_told(tmp_path):
    with journal(tmp_path) as one, journal(tmp_path) as other:
        night = one.begin(acts("Ann"))
        before = one.version()
        other.append(night, 1, acts("Bob"))
        assert one.version() != before
        with pytest.raises(BehindError):
            one.append(night, 1, acts("Cat"))
        assert names(one.read(night)) == ["Ann", "Bob"]


def test_what_another_writes_while_a_night_is_read_is_no_damage(tmp_path, monkeypatch):
    least = Store._least
    with journal(tmp_path) as one, journal(tmp_path) as other:
        night = one.begin(acts("Ann"))

        def after_another_wrote(store, number):
            monkeypatch.undo()
            other.append(night, 1, acts("Bob"))
            return least(store, number)

        monkeypatch.setattr(Store, "_least", after_another_wrote)
        assert names(one.read(night)) == ["Ann"]
        assert names(one.read(night)) == ["Ann", "Bob"]
        assert one.notes == []


def test_a_full_disk_is_told_and_what_stands_stays(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
        pages = book._store._db.execute("PRAGMA page_count").fetchone()[0]
        book._store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(NoRoomError, match="the disk is full"):
            book.append(night, 1, acts("B" * 100_000))
        assert names(book.read(night)) == ["Ann"]
        book._store._db.execute("PRAGMA max_page_count = 100000")
        book.append(night, 1, acts("Bob"))
        assert names(book.read(night)) == ["Ann", "Bob"]


def test_a_read_only_card_can_be_read_and_is_told(tmp_path, monkeypatch):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
    real = sqlite3.connect

    def connect(path, *args, **kwargs):
        if str(path).startswith(str(tmp_path)):
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return real(path, *args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", connect)
    monkeypatch.setattr(Journal, "_is_damage", lambda self, wrong: False)  # nor a canary
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann"]
        assert "read-only" in (book.read_only or "")
        with pytest.raises(WriteError, match="read-only"):
            book.append(night, 1, acts("Bob"))
        monkeypatch.undo()
        book.append(night, 1, acts("Bob"))
        assert book.read_only is None
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann", "Bob"]


def test_a_journal_that_cannot_be_read_on_a_read_only_card_is_shown_from_its_copies(
    tmp_path, monkeypatch
):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann", "Bob"))
        book.copy(night)
    (tmp_path / "journal-1.db").write_bytes(b"no journal" * 1000)

    def read_only(*args):
        raise WriteError("it cannot be written (Read-only file system)")

    monkeypatch.setattr(Journal, "_open_here", read_only)
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann", "Bob"]
        assert book.notes == [
            f"{tmp_path / 'journal-1.db'}: the journal cannot be read; its copies are shown."
        ]
        with pytest.raises(WriteError, match="Read-only"):
            book.append(night, 2, acts("Cat"))


def test_a_journal_that_could_not_even_be_made_is_made_as_soon_as_it_can_be(tmp_path, monkeypatch):
    def full(*args):
        raise NoRoomError("the disk is full")

    monkeypatch.setattr(Journal, "_build", full)
    with journal(tmp_path) as book:
        assert book.read_only == "the disk is full"
        with pytest.raises(WriteError, match="the disk is full"):
            book.begin(acts("Ann"))
        monkeypatch.undo()
        night = book.begin(acts("Ann"))
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann"]


# -- versions ----------------------------------------------------------------------------------


def test_an_older_file_is_brought_to_the_newest_version(tmp_path):
    path = tmp_path / "journal-1.db"
    with Store(path) as store:
        store.append(MARK, [Entry(1, "join", "{}", "")])
    newer = (*MIGRATIONS, ("CREATE TABLE more (id INTEGER PRIMARY KEY)",))
    with Store(path, newer) as store:
        assert store._db.execute("PRAGMA user_version").fetchone() == (len(newer),)
        assert store._db.execute("SELECT count(*) FROM more").fetchone() == (0,)
        assert [entry.kind for entry in store.read(1)] == ["join"]
    with pytest.raises(JournalError, match=r"journal-1\.db: .* install a newer one") as refused:
        Store(path)
    assert refused.value.exit_code == 2  # as for a night file of a newer version


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "journal-1.db"
    Store(path).close()
    with pytest.raises(DamagedError):
        Store(path, (*MIGRATIONS, ("CREATE TABLE more (id)", "nonsense")))
    Store(path).close()


# -- the copy, and what travels ----------------------------------------------------------------


def night_file() -> NightFile:
    entries = tuple(Entry(i, *act, at="") for i, act in enumerate(acts("Åse", "👩‍🚀", "ليلى"), 1))
    return NightFile(MARK, 3, entries)


def test_a_night_file_reads_back(tmp_path):
    write_night(tmp_path / "night", night_file())
    assert read_night(tmp_path / "night") == night_file()


def test_a_night_file_cut_anywhere_is_refused_as_damage(tmp_path):
    data = to_bytes(night_file())
    path = tmp_path / "night"
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(NightFileError, match="night"):
            read_night(path)


def test_a_night_file_with_any_bit_of_damage_is_refused(tmp_path):
    data = to_bytes(night_file())
    path = tmp_path / "night"
    for bit in range(0, 8 * len(data), 11):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            assert read_night(path) == night_file()
        except NightFileError as wrong:
            assert str(wrong)


def test_damage_in_the_first_line_is_shown_as_text(tmp_path):
    data = to_bytes(night_file()).replace(b'"number":3', b'"number":0')
    (tmp_path / "night").write_bytes(data)
    with pytest.raises(NightFileError, match=r"first line, '\{\"pilewatch"):
        read_night(tmp_path / "night")


def test_a_night_file_of_a_newer_pilewatch_says_so(tmp_path):
    data = to_bytes(night_file()).replace(b'"version":1', b'"version":2')
    (tmp_path / "night").write_bytes(data)
    with pytest.raises(NightFileError, match="install a newer one"):
        read_night(tmp_path / "night")


def test_a_night_travels_once_and_grows_where_it_is_behind(tmp_path):
    whole = night_file()
    with journal(tmp_path) as book:
        assert book.insert(NightFile(whole.mark, 3, whole.entries[:1])) == (3, 1)
        assert book.insert(whole) == (3, 2)
        assert book.insert(whole) == (3, 0)
        assert book.read(3) == list(whole.entries)
        book.append(3, 3, acts("Bob"))
        assert book.insert(whole) == (3, 0)
        other = NightFile(MARK, 3, (*whole.entries, Entry(4, "join", "{}", "")))
        assert book.insert(other) == (4, 4)
        assert book.insert(other) == (4, 0)
        assert book.read(4) == list(other.entries)


# -- odds and ends of the disk ----------------------------------------------------------------


def test_entries_are_json_of_one_form():
    text = packed({"player": "Åse", "seat": 1})
    assert text == '{"player":"Åse","seat":1}'
    assert packed(json.loads(text)) == text


class FullDisk(sqlite3.Connection):
    """A disk that is full when something is written; SQLite takes the rest back by itself."""

    def execute(self, statement, *values):
        if statement.startswith(("CREATE", "INSERT")):
            super().execute("ROLLBACK")
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(statement, *values)


def test_a_disk_that_fills_while_the_tables_are_made_is_full_not_damaged(tmp_path):
    disk = sqlite3.connect(tmp_path / "a.db", isolation_level=None, factory=FullDisk)
    with closing(disk), pytest.raises(sqlite3.OperationalError, match="disk is full") as wrong:
        migrate(disk)
    assert isinstance(translated(wrong.value, tmp_path), NoRoomError)


def test_a_disk_that_is_full_while_the_journal_is_checked_is_no_damage(tmp_path):
    with Store(tmp_path / "a.db") as store:
        store._db.close()
        store._db = sqlite3.connect(tmp_path / "a.db", isolation_level=None, factory=FullDisk)
        with pytest.raises(NoRoomError):
            store.check()


def test_a_fault_on_a_disk_without_room_is_for_want_of_it(tmp_path, monkeypatch):
    fault = sqlite3.OperationalError("disk I/O error")
    assert not isinstance(translated(fault, tmp_path / "a"), NoRoomError)
    monkeypatch.setattr("shutil.disk_usage", lambda where: SimpleNamespace(free=4096))
    assert "the disk is full" in str(translated(fault, tmp_path / "a"))
