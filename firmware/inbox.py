"""What reaches the director: what the camera saw, presses, ticks, corrections of the host."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware.fixes import Doing
from vision.observation import Observation


class Button(Enum):
    """The three buttons."""

    PICKUP = "pickup"
    NEXT = "next"
    OOPS = "oops"


#: A press this long (seconds) counts as held.
HELD = 0.8


@dataclass(frozen=True)
class Press:
    """A button pressed at a frame; ``hold`` is how long, in seconds."""

    frame: int
    t: float
    button: Button
    hold: float = 0.0

    @property
    def held(self) -> bool:
        """Whether the button was held rather than pressed."""
        return self.hold >= HELD


@dataclass(frozen=True)
class Seen:
    """Everything that one look at the table gave."""

    frame: int
    t: float
    observations: tuple[Observation, ...]


@dataclass(frozen=True)
class Tick:
    """Time has gone on to this frame. The director knows no other clock."""

    frame: int
    t: float


@dataclass(frozen=True)
class Correction:
    """An event or fix that the host enters by hand: it is applied as it stands.

    ``kept`` tells that it is in the journal already.
    """

    frame: int
    t: float
    event: Doing
    kept: bool = False


Message = Press | Seen | Tick | Correction
