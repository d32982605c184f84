"""The journal after damage, kills and power cuts: mended or told, and no word is lost."""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path

import mishaps
import pytest
from test_journal import acts, journal, names

from firmware.journal.head import Head, read_head, write_head
from firmware.journal.schema import MIGRATIONS


def test_the_note_of_the_head_knows_its_own_damage(tmp_path):
    path = tmp_path / "head"
    assert read_head(path) is None
    write_head(path, Head(70_000, 12))
    assert read_head(path) == Head(70_000, 12)
    data = bytearray(path.read_bytes())
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        assert read_head(path) is None


def test_a_damaged_row_is_mended_from_the_copy(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann", "Bob", "Cat"))
        book.copy(night)
        book.append(night, 3, acts("Dan"))
    db = sqlite3.connect(tmp_path / "journal-1.db")
    db.execute("DROP TRIGGER entries_stand")
    db.execute("UPDATE entries SET body = replace(body, 'Bob', 'Rob')")
    db.execute(MIGRATIONS[0][4])
    db.commit()
    db.close()
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann", "Bob", "Cat", "Dan"]
        assert "Nothing is missing" in book.notes[0]
        assert "kept as journal-1.db" in book.notes[0]
        book.append(night, 4, acts("Eve"))
    assert (tmp_path / "journal-1.db").exists()
    with journal(tmp_path) as book:
        assert names(book.read(night))[-1] == "Eve"
        assert book.notes == []


def test_damage_is_told_on_one_line(tmp_path):
    with journal(tmp_path) as book:
        book.begin(acts(*(f"Player {number}" for number in range(999))))
    path = tmp_path / "journal-1.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)
    with journal(tmp_path) as book:
        book.read(1)
        assert "could not be saved" in book.notes[0]
        assert book.notes[0].isprintable()


def test_a_header_whose_damage_makes_the_file_read_only_is_mended(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
    data = bytearray((tmp_path / "journal-1.db").read_bytes())
    data[18] |= 4  # the version of the format for writing
    (tmp_path / "journal-1.db").write_bytes(data)
    with journal(tmp_path) as book:
        book.append(night, 1, acts("Bob"))
        assert names(book.read(night)) == ["Ann", "Bob"]
        assert "kept as journal-1.db" in book.notes[0]


def test_a_journal_that_is_gone_comes_back_from_its_copies(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
        book.copy(night)
    for path in tmp_path.glob("journal-1.*"):
        path.unlink()
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann"]
        assert "the journal is gone" in book.notes[0]


@pytest.mark.parametrize("left", [[".head"], [".db-wal"], [".head", ".db-wal"]], ids=" ".join)
def test_damage_that_takes_the_journal_but_not_what_lies_beside_it_is_mended(tmp_path, left):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann", "Bob"))
        wal = (tmp_path / "journal-1.db-wal").read_bytes()
        book.copy(night)
        book.append(night, 2, acts("Cat"))
    (tmp_path / "journal-1.db").unlink()
    if ".db-wal" in left:
        (tmp_path / "journal-1.db-wal").write_bytes(wal)
    if ".head" not in left:
        (tmp_path / "journal-1.head").unlink()
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann", "Bob"]
        assert "the journal is gone" in book.notes[0]
        told = "1 entry (a play, a result and the like) could not be saved: night 1, the last one,"
        assert (told in book.notes[0]) == (".head" in left)
        book.append(night, 2, acts("Dan"))
    with journal(tmp_path) as book:
        assert (names(book.read(night)), book.notes) == (["Ann", "Bob", "Dan"], [])


@pytest.mark.parametrize("instead", [Path.mkdir, os.mkfifo], ids=["a folder", "a fifo"])
@pytest.mark.parametrize("copied", [True, False], ids=["copied", "not copied"])
def test_damage_that_left_no_file_in_the_journals_place_is_mended(tmp_path, instead, copied):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann", "Bob"))
        if copied:
            book.copy(night)
    (tmp_path / "journal-1.db").unlink()
    (tmp_path / "journal-1.head").unlink()
    instead(tmp_path / "journal-1.db")
    with journal(tmp_path) as book:
        (note,) = book.notes
        assert note.startswith(f"{tmp_path / 'journal-1.db'}: it is no ordinary file. It is kept")
        assert note.endswith("Nothing is missing." if copied else "No night was found in them.")
        assert list(book.nights()) == [night] * copied
        book.begin(acts("Cat"))


def test_damage_that_leaves_only_a_note_of_the_journal_is_told(tmp_path):
    with journal(tmp_path) as book:
        book.begin(acts("Ann"))
    (tmp_path / "journal-1.db").unlink()
    with journal(tmp_path) as book:
        assert book.nights() == {}
        assert (
            "1 entry (a play, a result and the like) could not be saved: no night is left."
            in (book.notes[0])
        )
        book.begin(acts("Bob"))
    with journal(tmp_path) as book:
        assert (list(book.nights()), book.notes) == ([1], [])


def test_damage_that_tears_nights_apart_says_where_each_of_them_ends(tmp_path):
    with journal(tmp_path) as book:
        book.begin(acts("Ann", "Bob", "Cat"))
        book.begin(acts("Dan", "Eve"))
    db = sqlite3.connect(tmp_path / "journal-1.db")
    for statement in ("DROP TRIGGER entries_stay", "DELETE FROM entries WHERE id IN (2, 5)"):
        db.execute(statement)
    db.execute(MIGRATIONS[0][3])
    db.commit()
    db.close()
    with journal(tmp_path) as book:
        assert book.notes[0].endswith(
            "3 entries (plays, results and the like) could not be saved: night 1 ends with entry"
            " 1; night 2, the last one, ends with entry 1."
        )


def test_an_emptied_journal_is_damage_and_not_a_new_one(tmp_path):
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
        book.copy(night)
    (tmp_path / "journal-1.db").write_bytes(b"")
    with journal(tmp_path) as book:
        assert names(book.read(night)) == ["Ann"]
        assert book.notes


def test_power_lost_while_a_new_journal_was_made_does_no_harm(tmp_path):
    (tmp_path / "journal-1.new").write_bytes(b"half a journal")
    (tmp_path / "journal-1.new-wal").write_bytes(b"half a log")
    with journal(tmp_path) as book:
        night = book.begin(acts("Ann"))
        assert names(book.read(night)) == ["Ann"]


def test_a_writer_notices_that_another_has_mended_the_damage(tmp_path):
    with journal(tmp_path) as one:
        night = one.begin(acts("Ann"))
        one.copy(night)
        path = tmp_path / "journal-1.db"
        path.write_bytes(bytes(path.stat().st_size))
        with journal(tmp_path) as other:
            assert other.notes
            one.append(night, 1, acts("Bob"))
            assert names(other.read(night)) == ["Ann", "Bob"]


@pytest.fixture(scope="module")
def snapshot():
    with mishaps.quick_folder() as folder:
        yield mishaps.Snapshot(folder)


@pytest.mark.parametrize("how", ["cut", "flip"])
@pytest.mark.parametrize("target", [*mishaps.TARGETS, "copies"])
def test_damage_is_mended_or_told(snapshot, target, how):
    chance = random.Random(f"{target} {how}")
    with mishaps.quick_folder() as folder:
        told = [snapshot.damaged(folder / str(i), target, how, chance) for i in range(3)]
    if target in ("note", "copies"):
        assert set(told) == {"sound"}
    if target == "log":
        assert set(told) == {"mended, the loss told"}


def test_killed_at_any_instant_nothing_that_was_said_is_lost():
    with mishaps.quick_folder() as folder:
        told = mishaps.kills(folder, seed=3, times=3)
    assert told["announced"] > 0


def test_power_and_room_run_out_and_nothing_that_was_said_is_lost():
    with mishaps.quick_folder() as folder:
        assert mishaps.fills(folder, seed=3, times=1) == {"was full": 1, "went on to the end": 1}


def test_kill_test_would_notice_an_entry_that_is_lost(tmp_path):
    batches = mishaps.script(3)
    with mishaps.open_book(tmp_path) as book:
        book.open_night(first=batches[0][1:])
        book.write(*batches[1])
        book.write(*batches[3])
        with pytest.raises(AssertionError, match="batch 2"):
            mishaps.written(book, batches)
