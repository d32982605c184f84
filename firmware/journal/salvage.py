"""Gathering what is sound: from a damaged journal file and from the copies of its nights."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from firmware.journal.entry import Entry
from firmware.journal.errors import DamagedError
from firmware.journal.files import refused
from firmware.journal.nightfile import SUFFIX, NightFile, salvage_night
from firmware.journal.store import entry_of

_STEP = 64
_BEYOND = 4096
"""So many entry numbers past the last known one are tried, where the end is not known."""


@dataclass
class Found:
    """The sound entries of one night, whatever file they were in."""

    number: int
    entries: dict[int, Entry] = field(default_factory=dict)

    def unbroken(self) -> list[Entry]:
        """The entries from the first on up to the first that is missing."""
        out: list[Entry] = []
        while len(out) + 1 in self.entries:
            out.append(self.entries[len(out) + 1])
        return out


def gather(database: Path | None, copies: Path, most: int) -> dict[str, Found]:
    """What is sound in a damaged journal file and in the copies, by the marks of the nights.

    ``most`` is how many entries the file is known to have had. The file itself is not
    touched: SQLite would write to it on opening.
    """
    found: dict[str, Found] = {}
    for path in sorted(copies.glob(f"night-*{SUFFIX}")):
        night = salvage_night(path)
        if night:
            _add(found, night)
    if database is not None and database.is_file():
        for night in _from_database(database, most):
            _add(found, night)
    return found


def _add(found: dict[str, Found], night: NightFile) -> None:
    place = found.setdefault(night.mark, Found(night.number))
    for entry in night.entries:
        place.entries.setdefault(entry.seq, entry)


def _from_database(database: Path, most: int) -> Iterator[NightFile]:
    try:
        with tempfile.TemporaryDirectory(prefix="repair-", dir=database.parent) as folder:
            copy = Path(folder) / database.name
            shutil.copyfile(database, copy)
            log = database.with_name(database.name + "-wal")
            if log.exists():
                shutil.copyfile(log, copy.with_name(log.name))
            yield from _read(copy, most)
    except OSError as error:
        raise refused(error, database) from None


def _read(path: Path, most: int) -> list[NightFile]:
    """The sound rows; a page that cannot be read costs only the rows on it."""
    marks: dict[int, str] = {}
    entries: dict[int, list[Entry]] = {}
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        with contextlib.suppress(sqlite3.Error):
            # Rows are worth having even if a trigger beside them is not.
            db.execute("PRAGMA writable_schema = ON")
        for night, mark in _nights(db):
            if isinstance(night, int) and isinstance(mark, bytes):
                marks[night] = mark.decode(errors="replace")
        end = most or _last(db) + _BEYOND
        for first in range(1, end + 1, _STEP):
            for row in _between(db, first, min(first + _STEP - 1, end)):
                night, seq, kind, body, at, checksum = row
                if night not in marks:
                    continue
                entry = entry_of(marks[night].encode(), seq, kind, body, at, checksum)
                if entry:
                    entries.setdefault(night, []).append(entry)
    return [NightFile(marks[night], night, tuple(rows)) for night, rows in entries.items()]


def _nights(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    with contextlib.suppress(sqlite3.Error):
        rows.extend(db.execute("SELECT id, mark FROM nights"))
    return rows


def _last(db: sqlite3.Connection) -> int:
    with contextlib.suppress(sqlite3.Error):
        last = db.execute("SELECT max(id) FROM entries").fetchone()[0]
        if isinstance(last, int):
            return min(max(last, 0), 1 << 24)
    return 0


def _between(db: sqlite3.Connection, first: int, last: int) -> list[tuple[object, ...]]:
    query = "SELECT night, seq, kind, body, at, sum FROM entries WHERE id BETWEEN ? AND ?"
    try:
        return db.execute(query, (first, last)).fetchall()
    except (sqlite3.Error, OverflowError):
        if first == last:
            return []
        middle = (first + last) // 2
        return _between(db, first, middle) + _between(db, middle + 1, last)


def told(wrong: DamagedError, path: Path | None, found: dict[str, Found], most: int) -> str:
    """What was wrong with the journal at ``path`` and what became of it, in sentences."""
    kept = "" if path is None else f" It is kept as {path.name}, and"
    where = "a new journal was made of its copies and of what is sound in it."
    return f"{wrong}.{kept} {where if path else where.capitalize()} {_loss(found, most)}"


def _loss(found: dict[str, Found], most: int) -> str:
    """What is missing of ``most`` entries that there were."""
    nights = sorted(found.values(), key=lambda night: night.number)
    saved = sum(len(night.unbroken()) for night in nights)
    torn = [night for night in nights if len(night.unbroken()) < len(night.entries)]
    apart = sum(len(night.entries) - len(night.unbroken()) for night in torn)
    missing = max(most - saved, apart)
    if not missing:
        return "Nothing is missing." if found else "No night was found in them."
    ends = [f"night {night.number} ends with entry {len(night.unbroken())}" for night in torn]
    if most - saved > apart or not torn:
        # Which nights they were in went with them; mostly it is the end that is lost.
        rest = [night for night in nights if night not in torn][-1:]
        ends += [
            f"night {n.number}, the last one, ends with entry {len(n.unbroken())}" for n in rest
        ]
    what = (
        "entry (a play, a result and the like)"
        if missing == 1
        else "entries (plays, results and the like)"
    )
    left = "; ".join(ends) if ends else "no night is left"
    return f"{missing} {what} could not be saved: {left}."
