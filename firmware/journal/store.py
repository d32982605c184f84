"""One journal file: SQLite, append-only, every row checked when it is read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from firmware.journal.entry import PLAY, SUM_BYTES, Entry
from firmware.journal.errors import BehindError, DamagedError, translated
from firmware.journal.head import Head, read_head, write_head
from firmware.journal.schema import MIGRATIONS, Migrations, migrate

WAIT = 5.0
"""Seconds to wait for another process that is writing."""

_COLUMNS = "e.night, n.mark, e.seq, e.kind, e.body, e.at, e.sum, e.act"
_FROM = "FROM entries e JOIN nights n ON n.id = e.night"


class Batch(NamedTuple):
    """Entries to be written into one night; a new one gets ``number`` if that is free."""

    mark: str
    entries: Sequence[Entry]
    number: int | None = None


class Store:
    """The entries of all nights in one SQLite file.

    Nights are numbered from 1 in the order in which they came, and each has a ``mark``
    that no other has, here or on another device. Any method may raise DamagedError,
    WriteError, NoRoomError or BusyError.
    """

    def __init__(self, path: Path, migrations: Migrations = MIGRATIONS) -> None:
        self.path = path
        self._head_path = path.with_suffix(".head")
        # Before the file is opened: a writer puts down the row first and then the note.
        self._head = read_head(self._head_path)
        fresh = not path.exists()
        if not fresh and not path.is_file():
            raise DamagedError(f"{path}: it is no ordinary file")
        with self._errors():
            self._db = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
        try:
            with self._errors():
                # Text that is no UTF-8 must come as damage, wherever it is.
                self._db.text_factory = bytes
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.execute("PRAGMA foreign_keys = ON")
                if migrate(self._db, migrations, path) == 0 and not fresh and self._head:
                    raise DamagedError(f"{path}: the journal is empty and was not")
            self._check_end()
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing -----------------------------------------------------------------------------

    def append(self, mark: str, entries: Sequence[Entry], number: int | None = None) -> int:
        """Write entries of one night, all or none of them; returns the night's number."""
        return self.write([Batch(mark, entries, number)])[0]

    def write(self, batches: Sequence[Batch], since: Head | None = None) -> list[int]:
        """Write entries of several nights, all or none of them; returns the nights' numbers.

        They are on the disk when this returns. BehindError if a night has other entries by now
        than those that the first of its new ones follows, or if ``since`` is not the end of
        the file any more.
        """
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                head = self._end()
                if self._head and head < self._head:
                    raise DamagedError(f"{self.path}: the last entries are missing")
                if since is not None and head != since:
                    raise BehindError(f"{self.path}: another process has written meanwhile")
                nights = []
                for batch in batches:
                    night, head = self._add(batch, head)
                    nights.append(night)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        write_head(self._head_path, head)
        self._head = head
        return nights

    def _add(self, batch: Batch, head: Head) -> tuple[int, Head]:
        mark, entries, number = batch
        night = self._night(mark) or self._new_night(mark, number)
        known = self._count(night)
        if entries[0].seq != known + 1:
            raise BehindError(
                f"night {night} has gone on meanwhile: it has {known} entries,"
                f" not {entries[0].seq - 1}; try again"
            )
        for entry in entries:
            head = self._insert(night, mark, entry, head)
        return night, head

    def _insert(self, night: int, mark: str, entry: Entry, head: Head) -> Head:
        is_play = entry.kind == PLAY
        head = Head(head.entries + 1, head.acts + (not is_play))
        self._db.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                head.entries,
                night,
                entry.seq,
                None if is_play else head.acts,
                entry.kind,
                entry.body,
                entry.at,
                entry.checksum(mark),
            ),
        )
        return head

    def _new_night(self, mark: str, number: int | None) -> int:
        taken = self._db.execute("SELECT 1 FROM nights WHERE id = ?", (number,)).fetchone()
        wanted = None if taken else number
        cursor = self._db.execute("INSERT INTO nights VALUES (?, ?)", (wanted, mark))
        return int(cursor.lastrowid or 0)

    def flush(self) -> None:
        """Move what is in the write-ahead log into the file itself."""
        with self._errors():
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # -- reading -----------------------------------------------------------------------------

    def version(self) -> int:
        """A number that changes when another process writes."""
        with self._errors():
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def end(self) -> Head:
        """How much has been written by now."""
        with self._one_moment():
            return self._end()

    def nights(self) -> dict[int, str]:
        """The mark of each night by its number, in order."""
        with self._errors():
            rows = self._db.execute("SELECT id, mark FROM nights ORDER BY id").fetchall()
        return {int(night): _text(mark) for night, mark in rows}

    def mark(self, night: int) -> str | None:
        """The mark of a night, None if there is none of that number."""
        with self._errors():
            row = self._db.execute("SELECT mark FROM nights WHERE id = ?", (night,)).fetchone()
        return None if row is None else _text(row[0])

    def read(self, night: int, after: int = 0) -> list[Entry]:
        """The entries of a night that follow entry ``after``, in order, each of them checked."""
        query = f"SELECT {_COLUMNS} {_FROM} WHERE e.night = ? AND e.seq > ? ORDER BY e.seq"
        with self._one_moment():
            entries = [entry for _, entry, _ in self._rows(query, (night, after))]
            least = self._least(night)
        for seq, entry in enumerate(entries, after + 1):
            if entry.seq != seq:
                raise DamagedError(f"{self.path}: entry {seq} of night {night} is missing")
        if after + len(entries) < least:
            raise DamagedError(f"{self.path}: the last entries of night {night} are missing")
        return entries

    def _least(self, night: int) -> int:
        """How many entries a night has at least, by ways that do not use its own index."""
        # A page of an index that has lost its last rows is no fault to SQLite.
        with self._errors():
            act = self._db.execute(
                "SELECT max(seq) FROM entries INDEXED BY acts WHERE night = ? AND act IS NOT NULL",
                (night,),
            ).fetchone()[0]
            last = self._db.execute(
                "SELECT night, seq FROM entries ORDER BY id DESC LIMIT 1"
            ).fetchone()
            return max(int(act or 0), int(last[1]) if last and last[0] == night else 0)

    def acts(self) -> dict[int, list[Entry]]:
        """The acts of all nights by their number: everything but what happens in the games."""
        query = f"SELECT {_COLUMNS} {_FROM} WHERE e.act IS NOT NULL ORDER BY e.act"
        found: dict[int, list[Entry]] = {}
        count = 0
        for night, entry, act in self._rows(query, ()):
            count += 1
            if act != count:
                raise DamagedError(f"{self.path}: act {count} is missing")
            found.setdefault(night, []).append(entry)
        if self._head and count < self._head.acts:
            raise DamagedError(f"{self.path}: the last of {self._head.acts} acts are missing")
        return found

    def last_kinds(self, kinds: Sequence[str]) -> dict[int, str]:
        """By night, the kind of its last act that is of one of these kinds; the latest one last."""
        places = ", ".join("?" * len(kinds))
        query = (
            f"SELECT night, kind FROM entries WHERE act IS NOT NULL AND kind IN ({places})"  # noqa: S608
            " ORDER BY act"
        )
        with self._errors():
            rows = self._db.execute(query, tuple(kinds)).fetchall()
        latest: dict[int, str] = {}
        for night, kind in rows:
            latest.pop(int(night), None)
            latest[int(night)] = _text(kind)
        return latest

    def check(self) -> None:
        """Read everything; DamagedError if anything is not as it was written."""
        with self._errors():
            # A bit in the header makes SQLite take a sound file for a read-only one.
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute("INSERT INTO nights (mark) VALUES ('probe')")
            finally:
                if self._db.in_transaction:  # a full disk has ended it already
                    self._db.execute("ROLLBACK")
            told = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if told != b"ok":
            why = told.decode(errors="replace").removeprefix("*** in database main ***")
            raise DamagedError(f"{self.path}: the journal is damaged ({' '.join(why.split())})")
        self.acts()
        for night in self.nights():
            self.read(night)

    def _rows(
        self, query: str, values: tuple[object, ...]
    ) -> Iterator[tuple[int, Entry, int | None]]:
        with self._errors():
            for night, mark, seq, kind, body, at, checksum, act in self._db.execute(query, values):
                entry = entry_of(mark, seq, kind, body, at, checksum)
                if entry is None:
                    raise DamagedError(f"{self.path}: entry {seq} of night {night} is damaged")
                yield night, entry, act

    # -- the end of the file -----------------------------------------------------------------

    def _check_end(self) -> None:
        """DamagedError if entries are missing that are known to have been written.

        Without that knowledge everything is read.
        """
        if self._head is None:
            self.check()
            head = self.end()
            if head.entries:
                write_head(self._head_path, head)
                self._head = head
            return
        end = self.end()
        if end.entries < self._head.entries or end.acts < self._head.acts:
            raise DamagedError(
                f"{self.path}: {self._head.entries} entries were written and {end.entries} are left"
            )

    def _end(self) -> Head:
        entries = self._db.execute("SELECT max(id) FROM entries").fetchone()[0]
        acts = self._db.execute("SELECT max(act) FROM entries WHERE act IS NOT NULL").fetchone()[0]
        return Head(int(entries or 0), int(acts or 0))

    def _night(self, mark: str) -> int | None:
        row = self._db.execute("SELECT id FROM nights WHERE mark = ?", (mark,)).fetchone()
        return None if row is None else int(row[0])

    def _count(self, night: int) -> int:
        query = "SELECT max(seq) FROM entries WHERE night = ?"
        return int(self._db.execute(query, (night,)).fetchone()[0] or 0)

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """While all that is read is of one moment, whatever other processes write meanwhile."""
        with self._errors():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise translated(error, self.path) from error
        except (TypeError, ValueError, OverflowError, UnicodeError) as error:
            # Numbers where text stood, and the like: only a damaged file holds such.
            raise DamagedError(f"{self.path}: the journal is damaged ({error})") from error


def entry_of(mark: Any, seq: Any, kind: Any, body: Any, at: Any, checksum: Any) -> Entry | None:
    """The entry of a row's values (texts as bytes), None if they are not what was written."""
    if not isinstance(seq, int) or not isinstance(checksum, bytes) or len(checksum) != SUM_BYTES:
        return None
    try:
        entry = Entry(seq, kind.decode(), body.decode(), at.decode())
        return entry if entry.checksum(mark.decode()) == checksum else None
    except (AttributeError, UnicodeDecodeError):
        # A number where text stood, or text that is none.
        return None


def _text(value: object) -> str:
    if not isinstance(value, bytes):
        raise DamagedError(f"the journal is damaged (a number where text stood: {value!r})")
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise DamagedError("the journal is damaged (text that cannot be decoded)") from None


def numbered(kinds: Iterable[tuple[str, str]], after: int, at: str) -> list[Entry]:
    """Entries of pairs of kind and body that follow entry ``after``."""
    return [Entry(after + i, kind, body, at) for i, (kind, body) in enumerate(kinds, 1)]
