"""What the director tells, and to whom: outputs that may fail without stopping the game."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.cards import Card
from engine.ruling import Ruling
from firmware.fixes import Doing
from firmware.panel import Screen
from firmware.streams import OutputError
from vision.observation import Observation

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Observed:
    """What the camera saw, as the director heard it."""

    frame: int
    t: float
    observation: Observation


@dataclass(frozen=True)
class Called:
    """A ruling: event ``number`` (from 1), ``player`` being in turn and ``pile`` cards lying.

    ``host``: it was entered by hand to put the game right.
    """

    frame: int
    t: float
    number: int
    event: Doing
    ruling: Ruling
    player: str | None
    pile: int = 0
    host: bool = False


class Asking(Enum):
    """What the table is asked."""

    WHICH = "which"
    PICKED_UP = "picked_up"
    IMPOSSIBLE = "impossible"
    MISMATCH = "mismatch"


@dataclass(frozen=True)
class Asked:
    """A question, or the same one with another ``choice`` pointed at.

    ``text`` is the question itself, where it is about more than cards and a player.
    """

    frame: int
    t: float
    what: Asking
    candidates: tuple[Card, ...] = ()
    choice: int = 0
    player: str | None = None
    again: bool = False
    text: str = ""


@dataclass(frozen=True)
class Noted:
    """Something worth a soft word that changes nothing: ``key`` of the catalogue."""

    frame: int
    t: float
    key: str
    text: str


@dataclass(frozen=True)
class Shown:
    """The panel has another picture."""

    frame: int
    t: float
    screen: Screen


Announcement = Observed | Called | Asked | Noted | Shown


class Listener(Protocol):
    """An output: panel, lamps, voice, phone, a file. May raise; the game goes on."""

    def hear(self, announcement: Announcement) -> None:
        """Take note of ``announcement``."""
        ...


#: Seconds until an output that failed is tried again; doubled each time up to the second.
RETRY_FIRST, RETRY_MOST = 1.0, 60.0


class Outputs:
    """Tells every listener; one that fails is logged once and retried with back-off.

    Time is that of the announcements, so a replay behaves as the game did.
    """

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self._lines = [_Line(listener) for listener in listeners]

    def add(self, listener: Listener) -> None:
        """Tell ``listener`` too from now on."""
        self._lines.append(_Line(listener))

    def tell(self, announcement: Announcement) -> None:
        """Pass ``announcement`` on to all who can hear it."""
        for line in self._lines:
            line.tell(announcement)


class _Line:
    """The line to one listener."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._failures = 0
        self._again_at = 0.0

    def tell(self, announcement: Announcement) -> None:
        if self._failures and announcement.t < self._again_at:
            return
        try:
            self._listener.hear(announcement)
        except (BrokenPipeError, OutputError):
            # Nobody can read the program's own output any more: that ends the program.
            raise
        except Exception as error:
            name = type(self._listener).__name__
            if not self._failures:
                log.warning("%s failed (%s) and will be tried again", name, error)
            self._again_at = announcement.t + min(RETRY_FIRST * 2**self._failures, RETRY_MOST)
            self._failures = min(self._failures + 1, 10)
        else:
            if self._failures:
                log.info("%s works again", type(self._listener).__name__)
            self._failures = 0
