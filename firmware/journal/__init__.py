"""The journal: what happened, kept through anything that may befall a small computer."""

from firmware.journal.entry import PLAY, Entry, packed
from firmware.journal.errors import (
    BehindError,
    BusyError,
    ClosedError,
    DamagedError,
    JournalError,
    NightFileError,
    NoRoomError,
    PlaceError,
    WriteError,
)
from firmware.journal.journal import COPIES, Addition, Journal, is_journal
from firmware.journal.nightfile import SUFFIX, NightFile, apart, read_night, to_bytes, write_night

__all__ = [
    "COPIES",
    "PLAY",
    "SUFFIX",
    "Addition",
    "BehindError",
    "BusyError",
    "ClosedError",
    "DamagedError",
    "Entry",
    "Journal",
    "JournalError",
    "NightFile",
    "NightFileError",
    "NoRoomError",
    "PlaceError",
    "WriteError",
    "apart",
    "is_journal",
    "packed",
    "read_night",
    "to_bytes",
    "write_night",
]
