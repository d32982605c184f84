"""Ctrl-C, answered when it can be.

A library written in C that is interrupted while it is imported calls that an import that failed,
and leaves itself half there: nobody could tell it from one that is broken. So Ctrl-C waits for the
end of an import.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

#: Seconds until it is looked again whether the import is over.
SOON = 0.05
_IMPORTING = "<frozen importlib._bootstrap>"


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """While it lasts Ctrl-C raises KeyboardInterrupt, though not in the middle of an import.

    Whoever answers it already, or is deaf to it, stays so.
    """
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        if ours and signal.getsignal(signal.SIGINT) is _interrupted:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted(number: int, frame: FrameType | None) -> None:
    if not _is_importing(frame):
        raise KeyboardInterrupt
    again = threading.Timer(SOON, _thread.interrupt_main)
    again.daemon = True
    again.start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False
