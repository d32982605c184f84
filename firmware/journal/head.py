"""The last entry that was written, noted beside the journal file.

SQLite passes over the damaged end of its write-ahead log without a word, and then the last
entries are missing. The note tells that they were there. It is written after the entry and
not flushed, so it may lag behind the journal, but is never ahead of a sound one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
from pathlib import Path
from typing import NamedTuple

from firmware.folders import hand_over

_FORM = struct.Struct(">QQ")
_SUM = 8


class Head(NamedTuple):
    """How many entries were written, and how many acts among them."""

    entries: int
    acts: int


def read_head(path: Path) -> Head | None:
    """The note in a file, None if it is missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) != _FORM.size + _SUM or data[_FORM.size :] != _sum(data[: _FORM.size]):
        return None
    return Head(*_FORM.unpack(data[: _FORM.size]))


def write_head(path: Path, head: Head) -> None:
    """Note ``head``; a disk that cannot take it is no reason to stop."""
    data = _FORM.pack(*head)
    with contextlib.suppress(OSError):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        try:
            hand_over(file, path.parent)
            os.pwrite(file, data + _sum(data), 0)
        finally:
            os.close(file)


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM).digest()
