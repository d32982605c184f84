"""The tables of the journal file, version by version."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from firmware.journal.errors import DamagedError, VersionError

APPLICATION_ID = 0x50494C45  # "PILE"

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE nights (id INTEGER PRIMARY KEY, mark TEXT NOT NULL UNIQUE)",
        # id is the order of everything and act the order of what is not within a game; both
        # are free of gaps, so that a row that is gone is missed.
        """CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  night INTEGER NOT NULL REFERENCES nights (id),
  seq INTEGER NOT NULL,
  act INTEGER,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  at TEXT NOT NULL,
  sum BLOB NOT NULL,
  UNIQUE (night, seq)
)""",
        "CREATE UNIQUE INDEX acts ON entries (act) WHERE act IS NOT NULL",
        """CREATE TRIGGER entries_stay BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END""",
        """CREATE TRIGGER entries_stand BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'nothing is changed'); END""",
        """CREATE TRIGGER nights_stay BEFORE DELETE ON nights
BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END""",
        """CREATE TRIGGER nights_stand BEFORE UPDATE ON nights
BEGIN SELECT RAISE(ABORT, 'nothing is changed'); END""",
    ),
)
"""The statements that lead from each version to the next, from an empty file on."""

Migrations = Sequence[Sequence[str]]


def migrate(
    connection: sqlite3.Connection,
    migrations: Migrations = MIGRATIONS,
    where: object = "the journal",
) -> int:
    """Bring an open file to the newest version, all or nothing; returns the version it had.

    VersionError if a newer Pilewatch made it, DamagedError if its tables are not those of its
    version; both say ``where``.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(migrations) and not _is(connection, migrations):
        raise VersionError(
            f"{where}: it is of version {version} and this Pilewatch knows {len(migrations)};"
            " install a newer one"
        )
    if not _is(connection, migrations[:version]) or version > len(migrations):
        raise DamagedError(f"{where}: its tables are not those that were made")
    if version < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statements in migrations[version:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has ended it already
                connection.execute("ROLLBACK")
            raise
    return version


def _is(connection: sqlite3.Connection, migrations: Migrations) -> bool:
    """Whether the file's tables are those that these migrations make."""
    found = _tables(connection)
    model = sqlite3.connect(":memory:")
    model.text_factory = connection.text_factory
    try:
        for statements in migrations:
            for statement in statements:
                model.execute(statement)
        return found == _tables(model)
    finally:
        model.close()


def _tables(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return sorted((tuple(row) for row in rows), key=repr)
