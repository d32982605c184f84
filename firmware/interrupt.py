"""Ctrl-C, answered when it can be.

A library written in C that is interrupted while it is imported calls that an import that failed,
and leaves itself half there: nobody could tell it from one that is broken. So Ctrl-C waits until it
has come.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

#: Seconds until it is looked again whether the library has come.
SOON = 0.01


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """While it lasts Ctrl-C raises KeyboardInterrupt, though not within the import of a library.

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
    if not _in_library(frame):
        raise KeyboardInterrupt
    # Not threading.Thread: its locks may be held by whom the signal has met.
    _thread.start_new_thread(_again, ())


def _again() -> None:
    time.sleep(SOON)
    _thread.interrupt_main()


def _in_library(frame: FrameType | None) -> bool:
    """Whether this stands on the import of a module written in C."""
    while frame is not None:
        if frame.f_code.co_qualname.startswith("ExtensionFileLoader."):
            return True
        frame = frame.f_back
    return False
