"""Standard input, output and errors as a program may find them: closed, full, not listened to."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import json
import os
import sys
from pathlib import Path
from typing import IO

from engine.errors import PilewatchError
from firmware.folders import forbidden

#: What the system says of a disk, or of a device in its place, that takes no more.
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
EXIT_IO = 74  # EX_IOERR of sysexits.h
ESCAPED = "pilewatch-escaped"
"""The name of the way in which letters are written that an output has no code for."""
LETTERS_FAIL = frozenset({"strict", "surrogateescape"})
"""Ways in which an output treats letters that end the program where it has no code for one."""
_UNWRITABLE = FULL | {errno.EIO, errno.EROFS, errno.EBADF}


class OutputError(PilewatchError):
    """Standard output takes no more; what is still written to it goes nowhere."""

    exit_code = EXIT_IO


def prepare() -> None:
    """See that all three are there, and that no letter ends the program for want of its code.

    Otherwise the next file that is opened would take the place of one, and get what was meant
    for it. In an output that was closed nothing can be written, and whoever tries is told so.
    """
    while (number := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass
    os.close(number)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    # In the C locale Python lets bytes through that are no letters, and nothing else.
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in LETTERS_FAIL:
        # A person sees that one is missing; a program reads it all the same.
        sys.stdout.reconfigure(errors="replace" if sys.stdout.isatty() else ESCAPED)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What stands in place of letters that the output has no code for, and where to go on.

    Escapes as JSON has them: a program reads them as the letters.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPED, _escaped)


def silence(stream: IO[str] | None = None) -> None:
    """Let what is still to be written to ``stream``, or to standard output, go nowhere.

    Python would complain once more when it flushes at exit, with an exit code of its own.
    """
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def write(text: str) -> None:
    """Put ``text`` on standard output, to be read at once; OutputError where it takes none.

    BrokenPipeError if its reader has gone.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as wrong:
        silence()
        told = why_unwritable(wrong) or f"standard output cannot be written ({wrong.strerror})"
        raise OutputError(told) from None


def why_unwritable(error: OSError) -> str | None:
    """A sentence for what takes nothing, or may not be used; None for an error of another kind."""
    if error.errno == errno.EACCES and error.filename is not None:
        return forbidden(Path(os.fsdecode(error.filename)), error.strerror)
    if error.errno not in _UNWRITABLE:
        return None
    if error.errno == errno.EBADF:
        return "standard output is closed; expected a place to write to"
    where = f"{error.filename}: " if error.filename is not None else ""
    if error.errno in FULL:
        return f"{where}the disk is full, nothing more can be written"
    return f"{where}it cannot be written ({error.strerror})"
