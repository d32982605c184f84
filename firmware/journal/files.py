"""Small files that are there as a whole or not at all, whenever the plug is pulled."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from firmware.journal.errors import NoRoomError, WriteError


def write_whole(path: Path, data: bytes) -> None:
    """Put ``data`` into ``path``: beside it first, onto the disk, then in its place.

    NoRoomError or WriteError, and what was there before is untouched, if that cannot be.
    """
    beside = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        flush_folder(path.parent)
    except OSError as error:
        raise refused(error, path) from None


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
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NoRoomError(f"{path}: the disk is full, nothing more can be written there")
    return WriteError(f"{path}: it cannot be written ({error.strerror or error})")
