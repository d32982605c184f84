"""A game from a source of frames: frame by frame through watcher and director."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from firmware.controls import Act
from firmware.director import Director
from firmware.inbox import Seen, Tick
from vision.frame import Frame
from vision.observation import Observation


class Sees(Protocol):
    """The part of the watcher that is needed here."""

    def step(self, frame: Frame) -> list[Observation]:
        """What is new in ``frame``."""
        ...


Presses = Callable[[int, float], Iterator[Act]]


def referee(
    frames: Iterable[Frame],
    watcher: Sees,
    director: Director,
    presses: Presses,
    after: Callable[[Frame], None] = lambda frame: None,
) -> int:
    """Referee until the frames end; returns how many there were.

    At each frame first what is pressed, then what is seen: so it is in a replay, too.
    ``after`` is called when everybody has heard.
    """
    count = 0
    for frame in frames:
        count += 1
        for act in presses(frame.index, frame.t):
            director.handle(act)
        observations = watcher.step(frame)
        if observations:
            director.handle(Seen(frame.index, frame.t, tuple(observations)))
        director.handle(Tick(frame.index, frame.t))
        after(frame)
    return count
