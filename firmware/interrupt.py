"""Ctrl-C, a closed terminal and a polite request to end, answered when they can be.

A command that is ended from outside comes to its end as by Ctrl-C: what it holds is kept, and what
it has opened is closed.

A library written in C that is interrupted while it is imported calls that an import that failed,
and leaves itself half there: nobody could tell it from one that is broken. So the answer waits
until it has come.
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


#: What is answered here, unless it is answered already or ignored, as after nohup.
_UNANSWERED = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGHUP: signal.SIG_DFL,
    signal.SIGTERM: signal.SIG_DFL,
}


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """While it lasts Ctrl-C raises KeyboardInterrupt, SIGHUP and SIGTERM SystemExit.

    The code is that of a process ended by them, 128 and more. None of it is raised within the
    import of a library. Whoever answers a signal already, or is deaf to it, stays so.
    """
    main = threading.current_thread() is threading.main_thread()
    ours = {n: old for n, old in _UNANSWERED.items() if main and signal.getsignal(n) is old}
    for number in ours:
        signal.signal(number, _interrupted)
    try:
        yield
    finally:
        for number, old in ours.items():
            if signal.getsignal(number) is _interrupted:
                signal.signal(number, old)


def _interrupted(number: int, frame: FrameType | None) -> None:
    if _in_library(frame):
        # Not threading.Thread: its locks may be held by whom the signal has met.
        _thread.start_new_thread(_again, (number,))
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise SystemExit(128 + number)


def _again(number: int) -> None:
    time.sleep(SOON)
    _thread.interrupt_main(signal.Signals(number))


def _in_library(frame: FrameType | None) -> bool:
    """Whether this stands on the import of a module written in C."""
    while frame is not None:
        if frame.f_code.co_qualname.startswith("ExtensionFileLoader."):
            return True
        frame = frame.f_back
    return False
