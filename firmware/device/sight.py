"""The camera as the appliance has it: the newest frame, or the sentence that says why not."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from firmware.config import Config
from firmware.controls import Act
from firmware.director import Director
from vision.frame import Frame
from vision.light import ENOUGH, bright_parts
from vision.sources import FrameSource

if TYPE_CHECKING:
    from engine.setup import Setup
    from firmware.virtual import VirtualTable

log = logging.getLogger("pilewatch")


class Sight(Protocol):
    """Where frames come from, whether there is a camera or not."""

    #: Whether the table is played by itself: nobody is there to press the buttons.
    alone: bool
    #: Whether a table that is played by itself has played its game to the end.
    ended: bool

    def poll(self, now: float) -> Frame | None:
        """The newest frame that has not been taken; None if there is none."""
        ...

    def trouble(self, now: float) -> str | None:
        """Why nothing can be seen, None while all is well."""
        ...

    def begin(self, setup: Setup) -> None:
        """A game begins."""
        ...

    def meet(self, director: Director) -> None:
        """This director referees it."""
        ...

    def presses(self, frame: Frame, t: float) -> Iterator[Act]:
        """What is pressed at that frame by those who are in it."""
        ...


class Blind:
    """No camera at all: the game goes by buttons."""

    alone = False
    ended = False

    def poll(self, now: float) -> Frame | None:
        """Nothing."""
        return None

    def trouble(self, now: float) -> str | None:
        """There is no camera to wait for."""
        return "there is no camera"

    def begin(self, setup: Setup) -> None:
        """Nothing to do."""

    def meet(self, director: Director) -> None:
        """Nothing to do."""

    def presses(self, frame: Frame, t: float) -> Iterator[Act]:
        """Nobody."""
        return iter(())


class Camera(Blind):
    """A live camera as a part: ``work`` waits for a frame in a thread of its own.

    The source reopens a camera that stops, and says so in its ``trouble``; the age of the last
    frame is watched here as well, for a driver may hang. A picture in which nothing can be seen
    is none: cards that cannot be made out would be cards that have gone. ``wake`` is called at
    each new frame.
    """

    name = "camera"

    def __init__(
        self, config: Config, open_source: Callable[[], FrameSource], clock: Callable[[], float]
    ) -> None:
        self._open, self._clock = open_source, clock
        self._patience = float(config["camera.patience"])
        self._lock = threading.Lock()
        self._source: FrameSource | None = None
        self._frames: Iterator[Frame] = iter(())
        self._newest: Frame | None = None
        #: When anything could be seen last; None before the first frame: till then nothing is late.
        self._seen_at: float | None = None
        self._dark = False
        self._failed: str | None = None
        self._logged = False
        self._closing = False
        self.wake: Callable[[], None] = lambda: None

    def set_up(self) -> None:
        """Open it; whatever it raises is a reason to try again."""
        with self._remembering():
            source = self._open()
            source.__enter__()
        with self._lock:
            self._source = source
        self._frames = iter(source)
        if self._closing:  # closed while it was being opened
            self.tear_down()

    def tear_down(self) -> None:
        """Close it: a camera left open stays busy. May be called from another thread."""
        with self._lock:
            source, self._source = self._source, None
            self._seen_at = None
        if source is not None:
            source.__exit__(None, None, None)

    def close(self) -> None:
        """Close it for good, from any thread: whoever waits for a frame is let go."""
        self._closing = True
        self.tear_down()

    def work(self, now: float) -> float:
        """Wait for the next frame."""
        with self._remembering():
            frame = next(self._frames, None)
            if self._closing:
                return 1.0
            if frame is None:
                raise OSError("the pictures have ended")
            self._take(frame)
        self.wake()
        return 0.0

    def poll(self, now: float) -> Frame | None:
        """The newest frame; older ones are gone."""
        with self._lock:
            frame, self._newest = self._newest, None
        return frame

    def trouble(self, now: float) -> str | None:
        """Why it could not be opened, the source's own sentence, or what is wrong with frames."""
        with self._lock:
            told = self._failed or getattr(self._source, "trouble", None)
            found = None if told else self._wrong_with_frames(now)
        # What is told by part or source stands in the log already.
        if found is not None and not self._logged:
            log.warning("pilewatch: camera: %s", found)
        self._logged = found is not None
        return told or found

    def _take(self, frame: Frame) -> None:
        grey = frame.image if frame.grey is None else frame.grey
        dark, now = bright_parts(grey) < ENOUGH, self._clock()
        with self._lock:
            self._dark, self._failed = dark, None
            self._newest = None if dark else frame
            if not dark or self._seen_at is None:
                self._seen_at = now

    def _wrong_with_frames(self, now: float) -> str | None:
        if self._seen_at is None or now - self._seen_at <= self._patience:
            return None
        if self._dark:
            return "it is too dark to see anything"
        return f"no picture for {now - self._seen_at:.0f} seconds"

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        """Keep why it failed until a frame comes: it is one trouble, however often it is tried."""
        try:
            yield
        except Exception as wrong:
            with self._lock:
                self._failed = str(wrong) or type(wrong).__name__
            raise


class VirtualSight(Blind):
    """A virtual table, a game at a time; ``make`` gives the table of the game with that seed."""

    alone = True

    def __init__(
        self, seed: int, make: Callable[[Setup, int], VirtualTable], fps: float = 10.0
    ) -> None:
        self._seed, self._make, self._gap = seed, make, 1 / fps
        self.table: VirtualTable | None = None
        self._frames: Iterator[Frame] = iter(())
        self._due = 0.0

    def begin(self, setup: Setup) -> None:
        """People sit down to a game."""
        self.table, self.ended = self._make(setup, self._seed), False
        self._seed += 1
        self._frames = iter(self.table)

    def meet(self, director: Director) -> None:
        """They look at this director's panel."""
        if self.table is not None:
            self.table.meet(director)

    def poll(self, now: float) -> Frame | None:
        """The frame that is due; the table goes on only when it is taken."""
        if now < self._due - 1e-6:
            return None
        self._due = max(self._due + self._gap, now)
        frame = next(self._frames, None)
        self.ended = frame is None
        return frame

    def trouble(self, now: float) -> str | None:
        """A virtual table can always be seen."""
        return None

    def presses(self, frame: Frame, t: float) -> Iterator[Act]:
        """What the people on it press."""
        return iter(()) if self.table is None else self.table.at(frame.index, t)
