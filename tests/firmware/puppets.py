"""Real threads on strings: one runs at a time, in a fixed order, by a clock that is moved by hand.

A thread runs until it waits; then the next one may. When all of them wait, time goes on at a word
of whoever holds the strings. So hours pass in seconds, and the same way each time, while all that
the threads do is done by the threads themselves.
"""

from __future__ import annotations

import math
import threading
from contextlib import ExitStack
from types import SimpleNamespace
from unittest import mock

#: Seconds below which a pause lasts as long as this.
LEAST = 1e-6


class _String:
    """One thread: ``ready`` and ``deadline`` say what it waits for."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)
        self.ready = lambda: True
        self.deadline = math.inf
        self.finished = False


class Puppets:
    """Holds the strings; ``now`` is the time. The thread that made it is the one that moves it."""

    def __init__(self) -> None:
        self.now = 0.0
        self._strings: list[_String] = []
        self._mine = threading.local()
        self._back = threading.Semaphore(0)
        self._patches = ExitStack()

    def hold(self, *modules, **threads) -> None:
        """Let these modules wait by our clock; ``threads``: classes of threads by their places."""
        for module in modules:
            ours = SimpleNamespace(
                Thread=threading.Thread,
                Lock=threading.Lock,
                current_thread=threading.current_thread,
                Event=lambda: Event(self),
                Condition=lambda: Condition(self),
            )
            self._patches.enter_context(mock.patch.object(module, "threading", ours))
            if hasattr(module, "time"):
                clock = SimpleNamespace(monotonic=lambda: self.now)
                self._patches.enter_context(mock.patch.object(module, "time", clock))
        for name, (module, kind) in threads.items():
            self._patches.enter_context(mock.patch.object(module, name, self._puppet(kind)))

    def let_go(self) -> None:
        """Give the modules back as they were."""
        self._patches.close()

    @property
    def waiting(self) -> int:
        """How many threads have not ended."""
        return sum(not string.finished for string in self._strings)

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and everybody do what is due then."""
        self.now += seconds
        self.settle()

    def settle(self) -> None:
        """Let everybody run until all of them wait for something to come."""
        again = True
        while again:
            again = False
            for string in list(self._strings):
                if not string.finished and (self.now >= string.deadline or string.ready()):
                    string.go.release()
                    self._back.acquire()
                    again = True
            self._strings = [string for string in self._strings if not string.finished]

    def wait(self, ready, timeout: float | None = None) -> bool:
        """Wait until ``ready``, or for so many seconds of our clock."""
        deadline = math.inf if timeout is None else self.now + timeout
        if timeout and timeout > 0:
            # What rounding has left of a pause must not be waited for again at the same moment.
            deadline = max(deadline, self.now + LEAST)
        string = getattr(self._mine, "string", None)
        if string is None:
            self.settle()
            while not ready() and self.now < deadline:
                self.now = min([deadline, *(each.deadline for each in self._strings)])
                self.settle()
        elif not ready():
            string.ready, string.deadline = ready, deadline
            self._back.release()
            string.go.acquire()
        return bool(ready())

    def _puppet(self, kind):
        puppets = self

        class Puppet(kind):
            """The same thread, on a string."""

            string = None

            def start(self):
                self.string = _String()
                puppets._strings.append(self.string)
                super().start()

            def run(self):
                puppets._mine.string = self.string
                self.string.go.acquire()
                try:
                    super().run()
                finally:
                    self.string.finished = True
                    puppets._back.release()

            def join(self, timeout=None):
                puppets.wait(lambda: self.string.finished, timeout)

            def is_alive(self):
                return self.string is not None and not self.string.finished

        return Puppet


class Event:
    """As threading's."""

    def __init__(self, puppets: Puppets) -> None:
        self._puppets, self._set = puppets, False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        return self._puppets.wait(lambda: self._set, timeout)


class Condition:
    """As threading's; no lock is needed where one runs at a time."""

    def __init__(self, puppets: Puppets) -> None:
        self._puppets, self._news = puppets, 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def notify_all(self):
        self._news += 1

    def wait(self, timeout=None):
        before = self._news
        return self._puppets.wait(lambda: self._news != before, timeout)

    def wait_for(self, ready, timeout=None):
        return self._puppets.wait(ready, timeout)
