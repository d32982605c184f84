"""Lamps: a verdict in green or red, and one a seat for whose turn it is.

What they say can be told without seeing colours: a legal play is one long light, a refusal three
short ones, a burn both by turns, a question a slow blinking of both.

Where the camera sees their light, they are dark while it looks: lit only for a moment after each
call, and what the camera takes in that moment is not looked at.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.events import Undo
from engine.verdict import Verdict
from firmware.config import Config
from firmware.panel import Turn
from firmware.tell import Announcement, Asked, Called, Shown


@dataclass(frozen=True)
class Step:
    """Green and red for so many seconds."""

    green: bool
    red: bool
    seconds: float


Pattern = tuple[Step, ...]

DARK: Pattern = ()
LEGAL: Pattern = (Step(True, False, 0.8),)
REFUSED: Pattern = (Step(False, True, 0.2), Step(False, False, 0.15)) * 3
BURN: Pattern = (Step(True, False, 0.15), Step(False, True, 0.15)) * 5
QUESTION: Pattern = (Step(True, True, 0.5), Step(False, False, 0.5)) * 4
TAKEN_BACK: Pattern = (Step(True, False, 0.15), Step(False, False, 0.15), Step(True, False, 0.15))


#: Where the camera sees the lamps: seconds that they are lit at least, so that a seat can be seen,
#: and at most, for the next card must not wait long.
LEAST_LIT, MOST_LIT = 0.8, 1.5
#: Seconds after which no picture that is still on its way shows their light.
AFTERGLOW = 0.4


def lasts(pattern: Pattern) -> float:
    """Seconds that a pattern takes."""
    return sum(step.seconds for step in pattern)


def at(pattern: Pattern, past: float) -> tuple[bool, bool, float]:
    """Green, red, and the seconds until that changes, ``past`` seconds after the beginning."""
    for step in pattern:
        if past < step.seconds:
            return step.green, step.red, step.seconds - past
        past -= step.seconds
    return False, False, float("inf")


def pattern_of(announcement: Announcement) -> Pattern | None:
    """What the lamps say to an announcement; None: nothing new."""
    if isinstance(announcement, Asked):
        return None if announcement.again else QUESTION
    if not isinstance(announcement, Called):
        return None
    ruling = announcement.ruling
    if ruling.verdict is Verdict.ILLEGAL:
        return REFUSED
    if ruling.verdict is Verdict.IMPOSSIBLE:
        return QUESTION
    if ruling.burn:
        return BURN
    return TAKEN_BACK if isinstance(announcement.event, Undo) else LEGAL


class Lamps:
    """The lamps as a part; ``make`` gives a lamp of gpiozero for a pin."""

    name = "lamps"

    def __init__(self, config: Config, make: Callable[[int], Any]) -> None:
        self._make = make
        self._pins = (int(config["lamps.green"]), int(config["lamps.red"]))
        self._seat_pins = tuple(config["lamps.seats"])
        self._lamps: list[Any] = []
        self._seats: list[Any] = []
        self._pattern: Pattern = DARK
        self._since = -math.inf
        self._turn: int | None = None
        self._in_view = bool(config["lamps.in_view"])
        self._lit_until = -math.inf
        self.wake: Callable[[], None] = lambda: None

    def say(self, pattern: Pattern, now: float) -> None:
        """Show a pattern once."""
        self._pattern, self._since = pattern, now
        self._light(now, lasts(pattern))

    def seat(self, number: int | None, now: float) -> None:
        """It is the turn of this seat, from 0; None: of nobody."""
        if number != self._turn:
            self._turn = number
            self._light(now, 0.0)

    def dazzles(self, now: float) -> bool:
        """Whether their light may be what moves in the picture."""
        return self._in_view and now < self._lit_until + AFTERGLOW

    def set_up(self) -> None:
        """Take the pins that something is connected to."""
        self._lamps = [self._make(pin) if pin else None for pin in self._pins]
        self._seats = [self._make(pin) if pin else None for pin in self._seat_pins]

    def tear_down(self) -> None:
        """All dark, and the pins free."""
        lamps, self._lamps, self._seats = [*self._lamps, *self._seats], [], []
        for lamp in lamps:
            if lamp is not None:
                # Closing alone lets the pin float, and some lamps glow on.
                with contextlib.suppress(Exception):
                    lamp.off()
                lamp.close()

    def work(self, now: float) -> float:
        """Set every lamp as it should be now."""
        green, red, wait = at(self._pattern, now - self._since)
        wanted = [green, red, *(number == self._turn for number in range(len(self._seats)))]
        if self._in_view:
            wait = min(wait, self._lit_until - now)
            if wait <= 0:
                wanted, wait = [False] * len(wanted), math.inf
        for lamp, on in zip([*self._lamps, *self._seats], wanted, strict=True):
            if lamp is not None and bool(lamp.is_lit) != on:
                (lamp.on if on else lamp.off)()
        return wait

    def _light(self, now: float, seconds: float) -> None:
        lit = min(max(seconds, LEAST_LIT), MOST_LIT)
        self._lit_until = max(self._lit_until, now + lit)
        self.wake()


class LampListener:
    """Tells the lamps what the director tells; ``seats`` are the players in order."""

    def __init__(self, lamps: Lamps, clock: Callable[[], float], seats: tuple[str, ...]) -> None:
        self._lamps, self._clock, self._seats = lamps, clock, seats

    def hear(self, announcement: Announcement) -> None:
        """Show what belongs to it."""
        if isinstance(announcement, Shown) and isinstance(announcement.screen, Turn):
            self._turn(announcement.screen.player)
        pattern = pattern_of(announcement)
        if pattern is not None:
            self._lamps.say(pattern, self._clock())
        if isinstance(announcement, Called):
            self._turn(announcement.ruling.turn)

    def _turn(self, player: str | None) -> None:
        seat = self._seats.index(player) if player in self._seats else None
        self._lamps.seat(seat, self._clock())
