"""The whole device measured at a virtual table: until a call is made, while idle, while playing.

Drawing the table is no part of it: frames are drawn ahead. The game goes by a clock of its own, on
which a step takes as long as it took, and a frame that came meanwhile gives way to a newer one, as
before a camera. Camera, pins and sound are not measured.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from luma.core.device import dummy

from engine.events import Play, Start
from engine.setup import Setup
from firmware.config import parse_config
from firmware.device.appliance import Appliance
from firmware.device.build import watchers
from firmware.device.crew import Crew
from firmware.device.display import Display
from firmware.device.sight import Camera, Sight, VirtualSight
from firmware.measure import reference
from firmware.night.book import open_book
from firmware.tell import Announcement, Asked, Called
from firmware.virtual import VirtualTable
from vision.frame import Frame, Image
from vision.live import LiveSource

FPS = 15
SEED = 7
#: Seconds for which nothing moves, and before them, until threads and caches are at rest.
IDLE, BEFORE = 5.0, 1.0
CONFIG = parse_config("", "bench")


@dataclass(frozen=True)
class TableTimes:
    """What was measured; shares are of one core, ``work_per_reference`` of the fixed piece."""

    calls: int
    asked: int
    call_s: float
    call_99_s: float
    work_ms: float
    work_per_reference: float
    playing_share: float
    idle_share: float
    peak_mib: float


class DrawnAhead(VirtualSight):
    """A virtual table whose next frame is drawn before it is wanted."""

    def __init__(self) -> None:
        super().__init__(SEED, lambda setup, seed: VirtualTable(setup, seed, fps=FPS), FPS)
        self.next: Frame | None = None

    def begin(self, setup: Setup) -> None:
        """People sit down to a game."""
        super().begin(setup)
        self.next = None

    def draw(self) -> None:
        """Draw the next frame, in place of one that nobody had time for."""
        self.next = next(self._frames, None)
        self.ended = self.table is not None and self.next is None

    def poll(self, now: float) -> Frame | None:
        """The frame that is drawn."""
        frame, self.next = self.next, None
        return frame


@dataclass
class Stopwatch:
    """Takes the time from the rest of the cards to the call, of those that need no question."""

    waited: list[float] = field(default_factory=list)
    asked: int = 0
    #: When the cards came to rest that nothing has been told of.
    rest: float | None = None
    _zero: float = 0.0

    def set_to(self, t: float) -> None:
        """It is ``t`` now, and goes on by itself."""
        self._zero = t - time.perf_counter()

    @property
    def now(self) -> float:
        """What time it is."""
        return self._zero + time.perf_counter()

    def hear(self, announcement: Announcement) -> None:
        """Stop at the first call after a rest."""
        if self.rest is None:
            return
        if isinstance(announcement, Asked):
            self.asked, self.rest = self.asked + 1, None
        elif isinstance(announcement, Called) and isinstance(announcement.event, Play | Start):
            self.waited.append(self.now - self.rest)
            self.rest = None


def at_table(calls: int) -> TableTimes:
    """Idle, and then play until so many calls have been made."""
    idle = idle_share()
    sight, watch = DrawnAhead(), Stopwatch()
    piece, pieces, works = reference(), list[float](), list[float]()
    taken, clock, spent, moved = 0.0, 0.0, 0.0, True
    with device(sight, lambda: clock, watch) as appliance:
        while len(watch.waited) < calls:
            sight.draw()
            taken += 1 / FPS
            if clock > taken + 1 / FPS:
                continue  # there is a newer one when the last step is done
            clock = max(clock, taken)
            moving = sight.table is not None and sight.table.moving
            if moved and not moving:
                watch.rest = taken
            moved, told = moving, len(watch.waited)
            watch.set_to(clock)
            cpu = time.process_time()
            appliance.step(clock)
            appliance.crew.step(clock)
            spent += time.process_time() - cpu
            work, clock = watch.now - clock, watch.now
            if len(watch.waited) > told:
                works.append(work)
                pieces.append(seconds(piece))
    return TableTimes(
        len(watch.waited),
        watch.asked,
        statistics.median(watch.waited),
        float(np.percentile(watch.waited, 99)),
        1000 * statistics.median(works),
        statistics.median(a / b for a, b in zip(works, pieces, strict=True)),
        spent / taken,
        idle,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def idle_share() -> float:
    """The share of a core that the device takes, threads and all, while nothing moves."""
    source = LiveSource(StillLens, "the still camera", FPS)
    camera = Camera(CONFIG, lambda: source, time.monotonic)
    shares: list[float] = []
    with device(camera, time.monotonic) as appliance:

        def look_on() -> None:
            time.sleep(BEFORE)
            began, spent = time.perf_counter(), time.process_time()
            time.sleep(IDLE)
            shares.append((time.process_time() - spent) / (time.perf_counter() - began))
            appliance.stop()

        camera.wake = appliance.wake
        appliance.crew.start(time.monotonic)
        onlooker = threading.Thread(target=look_on)
        onlooker.start()
        appliance.run()
        onlooker.join()
    return shares[0]


class StillLens:
    """A camera before a table on which nothing moves; the grain of its pictures does."""

    def __init__(self) -> None:
        grey = np.full((720, 1280, 3), 120, np.uint8)
        rng = np.random.default_rng(0)
        self._images = [cv2.add(grey, rng.integers(0, 8, grey.shape, np.uint8)) for _ in range(4)]
        self._number = 0

    def read(self) -> tuple[Image, Image | None]:
        """The next picture, when it is time."""
        time.sleep(1 / FPS)
        self._number += 1
        image = np.asarray(self._images[self._number % 4], np.uint8)
        return image, None

    def focus(self) -> float | None:
        """Nothing to be moved."""
        return None

    def close(self) -> None:
        """Nothing to give back."""


@contextmanager
def device(sight: Sight, clock: Callable[[], float], *listeners: Stopwatch) -> Iterator[Appliance]:
    """The device with a panel that nobody sees, and a journal that nobody keeps."""
    crew = Crew(display=Display(CONFIG, lambda: dummy(128, 64, mode="1")))
    crew.camera = sight if isinstance(sight, Camera) else None
    with tempfile.TemporaryDirectory() as folder:
        appliance = Appliance(
            CONFIG, crew, sight, watchers(CONFIG), lambda: open_book(Path(folder)), clock,
            listeners=listeners,
        )  # fmt: skip
        try:
            yield appliance
        finally:
            crew.end()
            appliance.accounts.close()


def main() -> None:
    """Print what was measured, as JSON: in a process of its own, for its memory is measured."""
    cv2.setNumThreads(1)
    sys.stdout.write(json.dumps(vars(at_table(int(sys.argv[1])))) + "\n")


if __name__ == "__main__":
    main()
