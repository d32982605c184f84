"""One referee for a journal: two would each write half a game into it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from firmware.journal.files import open_lock
from firmware.night.acts import NightError

LOCK = "referee.lock"


@contextmanager
def alone_at(folder: Path) -> Iterator[None]:
    """While this process is the one that referees into the journal of ``folder``.

    NightError if another one does. It ends with its process, also one that is killed; where no
    lock can be had, on a card that went read-only, nothing can be written either.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open_lock(folder / LOCK))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NightError(
                f"{folder}: another pilewatch referees there already; expected one at a time, stop"
                " that one first (systemctl stop pilewatch, if it is the device)"
            ) from None
        except OSError:
            pass
        yield
