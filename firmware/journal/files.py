"""Small files that are there as a whole or not at all, whenever the plug is pulled."""

from __future__ import annotations

import errno
import os
import zlib
from pathlib import Path
from typing import BinaryIO

from firmware.folders import forbidden, hand_over, make_folder, reason
from firmware.journal.errors import NoRoomError, PlaceError, WriteError
from firmware.streams import FULL

MISPLACED = frozenset(
    {
        *(errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENOENT),
        *(errno.ENAMETOOLONG, errno.ELOOP),
    }
)
"""What the system says where the name is wrong, not the disk."""


def write_whole(path: Path, data: bytes) -> None:
    """Put ``data`` into ``path``: beside it first, onto the disk, then in its place.

    A link is followed; folders that are missing are made. NoRoomError or WriteError, and what
    was there before is untouched, if that cannot be; PlaceError if there is no ordinary file.
    """
    try:
        place = Path(os.path.realpath(path))
        if place.is_symlink() or (place.exists() and not place.is_file()):
            raise PlaceError(f"{path}: it is no ordinary file, and is left as it is")
        make_folder(place.parent)
        # Not the whole name and an ending: that may be too long, or somebody else's file.
        beside = f".pilewatch-{zlib.crc32(os.fsencode(place.name)):08x}.part"
        _write_beside(place.with_name(beside), place, data)
        flush_folder(place.parent)
    except OSError as error:
        raise refused(error, path) from None


def _write_beside(beside: Path, place: Path, data: bytes) -> None:
    beside.unlink(missing_ok=True)  # whatever it is, nothing is written into it
    try:
        with beside.open("xb") as file:
            hand_over(file.fileno(), beside.parent)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def open_lock(path: Path) -> BinaryIO:
    """A file to be locked, made if it is not there; for a lock it is enough to read it."""
    try:
        file = path.open("xb")
    except FileExistsError:
        return path.open("rb")
    hand_over(file.fileno(), path.parent)
    return file


def flush_folder(folder: Path) -> None:
    """Put the names in a folder onto the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        # Some file systems of USB sticks know no such thing.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def refused(error: OSError, path: Path) -> WriteError:
    """The error of ours for a file that cannot be written."""
    if error.errno in FULL:
        return NoRoomError(f"{path}: the disk is full, nothing more can be written there")
    if error.errno == errno.EACCES:
        return WriteError(forbidden(path, error.strerror, "write"))
    kind = PlaceError if error.errno in MISPLACED else WriteError
    return kind(f"{path}: it cannot be written ({reason(error, path)})")
