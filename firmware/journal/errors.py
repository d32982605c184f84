"""What can go wrong with the journal, and SQLite's errors turned into it in one place."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from engine.errors import PilewatchError
from firmware.folders import forbidden, owner
from firmware.streams import EXIT_IO


class JournalError(PilewatchError):
    """The journal cannot be used as asked; the message says why and what to do."""

    exit_code = EXIT_IO


class WriteError(JournalError):
    """The disk is full or read-only, or was taken out; what is written already stands."""


class NoRoomError(WriteError):
    """The disk is full."""


class ReadOnlyError(WriteError):
    """SQLite takes the file for one that may only be read."""


class PlaceError(WriteError):
    """No file can have that name: a folder is missing, or something else is in its place."""

    exit_code = 2


class BusyError(WriteError):
    """Another process holds the journal for longer than anybody would wait."""


class BehindError(JournalError):
    """Another process wrote into the same night since it was last read."""


class ClosedError(JournalError):
    """This user may not even look at it."""


class DamagedError(JournalError):
    """What is in the file is not what was written."""


class VersionError(JournalError):
    """A newer Pilewatch has made the journal."""

    exit_code = 2


class NightFileError(JournalError, ValueError):
    """A file of a night that is damaged, or is none."""

    exit_code = 2


_CANNOT_WRITE = ("disk i/o error", "unable to open")


_LEAST = 128 << 10
"""Bytes that a journal takes to be written to; with fewer, any fault is for want of them."""


def _is_full(where: object) -> bool:
    try:
        return shutil.disk_usage(Path(str(where)).parent).free < _LEAST
    except OSError:
        return False


def translated(error: sqlite3.Error, where: object) -> JournalError:
    """The error of ours that SQLite's one means; ``where`` is the file.

    What is neither full, read-only nor busy is damage: the statements themselves are fixed.
    """
    text = str(error).lower()
    if "full" in text:
        return NoRoomError(f"{where}: the disk is full, nothing more can be written there")
    if "locked" in text or "busy" in text:
        return BusyError(f"{where}: another Pilewatch is writing there; try again in a moment")
    cannot = any(words in text for words in _CANNOT_WRITE)
    if cannot and _is_full(where):
        # Not every file system says so.
        return NoRoomError(f"{where}: the disk is full, nothing more can be written there")
    if "readonly" in text or cannot:
        kind = ReadOnlyError if "readonly" in text else WriteError
        path = Path(str(where))
        if owner(path):
            return kind(forbidden(path, str(error), "write"))
        return kind(
            f"{where}: it cannot be written ({error}); the card may be read-only, worn out or"
            " removed"
        )
    return DamagedError(f"{where}: the journal is damaged ({error})")
