"""What the device tells of itself on the panel: one notice after another, the most urgent first.

Each is shown once and long enough to be read. What has changed before anybody read of it is told
as it is now, or not at all: trouble that came and went is nobody's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from firmware.panel import Notice, Screen
from firmware.words import say

#: Seconds that a notice is shown.
SHOWN = 4.0
#: Seconds after a press in which nothing new is told: whoever pressed wants to see what came of it.
PRESSED = 3.0
#: Seconds after which nobody wants to read any more that something works again.
STALE = 60.0


def trouble(part: str) -> Notice:
    """That a part has failed. What its driver says is for the log; here stands what can be done."""
    mend = f"{say(f'mend.{part}')} {say('device.game_goes_on')}"
    return Notice(say("device.fault", part=say(f"part.{part}")), mend)


def healed(part: str) -> Notice:
    """That it works again."""
    return Notice(say("device.healed", part=say(f"part.{part}")))


class Urgency(IntEnum):
    """How much a notice matters; the more urgent one is told first."""

    WELL = 0
    TROUBLE = 1
    #: What is played may be lost.
    LOSS = 2
    #: Somebody must act, or the game stands still.
    ACT = 3


@dataclass(frozen=True)
class _Notice:
    about: str
    screen: Screen
    urgency: Urgency
    seconds: float
    since: float


class Notices:
    """The notice that is shown, and those that wait; there is never more than one a part."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Notice] = {}
        self._shown: _Notice | None = None
        self._until = self._not_before = -math.inf
        #: What people have been told is in trouble.
        self._troubled: set[str] = set()

    def tell(self, about: str, screen: Screen, urgency: Urgency, now: float) -> None:
        """So it stands with that part from now on."""
        self._waiting.pop(about, None)
        if self._shown is not None and self._shown.about == about:
            self._shown = None
        if (urgency is not Urgency.WELL) != (about in self._troubled):
            self._waiting[about] = _Notice(about, screen, urgency, SHOWN, now)

    def noticed(self, about: str) -> None:
        """That part is in trouble, and nobody has to be told: anybody can see it."""
        self._troubled.add(about)

    def answer(self, screen: Screen, seconds: float, now: float) -> None:
        """Show at once what somebody asked to see."""
        self._shown = _Notice("", screen, Urgency.ACT, seconds, now)
        self._until = now + seconds

    def read(self, now: float) -> None:
        """Somebody has pressed, and so has read what is shown."""
        if self._shown is not None:
            self._shown, self._not_before = None, now + PRESSED

    def screen(self, now: float) -> Screen | None:
        """What is to be shown now, None for the game itself."""
        if self._shown is not None and now >= self._until:
            self._shown = None
        if self._shown is None and now >= self._not_before:
            self._show_next(now)
        return None if self._shown is None else self._shown.screen

    def _show_next(self, now: float) -> None:
        while self._shown is None and self._waiting:
            most = max(self._waiting.values(), key=lambda notice: notice.urgency)
            del self._waiting[most.about]
            well = most.urgency is Urgency.WELL
            (self._troubled.discard if well else self._troubled.add)(most.about)
            if not well or now - most.since <= STALE:
                self._shown, self._until = most, now + most.seconds
