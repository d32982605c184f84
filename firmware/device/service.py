"""A part of the device through its life: set up, at work, failed, and back again.

A service is a state machine that is stepped with the time; ``Worker`` steps it in a thread of its
own, so that a slow display or speaker holds up nobody. Tests and simulated nights step it by hand.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

log = logging.getLogger("pilewatch")

#: Seconds until a part that failed is tried again; the last one is repeated.
PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
#: Seconds of work without a fault after which a part counts as whole again: a speaker that is gone
#: is only noticed at the next sentence.
WHOLE_AFTER = 30.0
#: Seconds that a thread gets to end before it is left behind.
PATIENCE = 2.0
#: A part with nothing to do is looked after this often, in seconds, for a wake-up may get lost.
IDLE = 30.0


class LackingError(Exception):
    """What a part needs is not here and will not come by waiting: a package, a program."""


class Part(Protocol):
    """Something the device has: display, lamps, voice. Any of these may raise anything."""

    @property
    def name(self) -> str:
        """What it is called in the catalogue, under ``part``."""
        ...

    def set_up(self) -> None:
        """Take hold of the hardware; LackingError if there is no point in trying again."""
        ...

    def work(self, now: float) -> float:
        """Do what is due; returns the seconds until something is due by itself."""
        ...

    def tear_down(self) -> None:
        """Let go of the hardware; may be called twice, or before it was set up."""
        ...


@dataclass(frozen=True)
class Report:
    """A part has failed (``why`` says what), or works again (None)."""

    part: str
    why: str | None
    lasting: bool = False


class Service:
    """One part and its state; each fault is reported once, and once that it is over."""

    def __init__(self, part: Part, report: Callable[[Report], None]) -> None:
        self.part = part
        self.failed: str | None = None
        self.lasting = False
        self._report = report
        self._up = False
        self._failures = 0
        self._again_at = self._failed_at = -math.inf

    def step(self, now: float) -> float:
        """Set up what is down, do what is due; returns the seconds until the next step."""
        if self.lasting:
            return IDLE
        if now < self._again_at:
            return self._again_at - now
        try:
            if not self._up:
                self.part.set_up()
                self._up = True
            wait = self.part.work(now)
        except LackingError as lack:
            self.lasting = True
            self._fail(str(lack), now)
            return IDLE
        except Exception as wrong:
            # Drivers raise whatever they like; none of it may reach the game.
            return self._fail(str(wrong) or type(wrong).__name__, now)
        if self.failed is not None and now - self._failed_at >= WHOLE_AFTER:
            self._failures = 0
            self.failed = None
            log.info("pilewatch: %s: works again", self.part.name)
            self._report(Report(self.part.name, None))
        return min(wait, IDLE)

    def stop(self) -> None:
        """Let go of the part."""
        self._up = False
        try:
            self.part.tear_down()
        except Exception as wrong:
            log.info("pilewatch: %s: did not let go (%s)", self.part.name, wrong)

    def _fail(self, why: str, now: float) -> float:
        self.stop()
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._again_at, self._failed_at = now + pause, now
        if self.failed is None:
            log.warning("pilewatch: %s: out of order (%s)", self.part.name, why)
            self._report(Report(self.part.name, why, self.lasting))
        self.failed = why
        return pause


class Worker(threading.Thread):
    """Steps a service until it is told to stop; ``wake`` has it look at once."""

    def __init__(self, service: Service, clock: Callable[[], float]) -> None:
        super().__init__(name=service.part.name, daemon=True)
        self._service = service
        self._clock = clock
        self._news = threading.Event()
        self._stopping = False

    def run(self) -> None:
        """Step, wait, and so on."""
        while not self._stopping:
            wait = self._service.step(self._clock())
            self._news.wait(max(0.0, wait))
            self._news.clear()
        self._service.stop()

    def wake(self) -> None:
        """There is something to do."""
        self._news.set()

    def end(self, patience: float = PATIENCE) -> None:
        """Have the part let go; a driver that hangs is left behind."""
        self._stopping = True
        self.wake()
        if self.is_alive():
            self.join(patience)
