"""A whole night at the device, at high speed, while its parts fail at random and come back.

``python tests/firmware/long_night.py HOURS [SEED]`` plays one and prints what came of it.
Everything is the real thing but the ends: the camera is a virtual table whose cards are told
instead of looked at, the pins are gpiozero's mock pins, the OLED is luma's dummy, and sentences
are counted. The presses of the people go through the pins, with bounces.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from fake_watcher import FakeWatcher, NoPictures, as_it_is
from gpiozero import LED, Device
from gpiozero import Button as Contact
from gpiozero.pins.mock import MockFactory
from luma.core.device import dummy

from firmware.config import parse_config
from firmware.controls import Act
from firmware.device.appliance import Appliance, Where
from firmware.device.crew import Crew
from firmware.device.display import Display
from firmware.device.gpio import Contacts
from firmware.device.lamps import Lamps
from firmware.device.sight import VirtualSight
from firmware.device.voice import Speech
from firmware.inbox import Press
from firmware.journal import Journal, WriteError
from firmware.night.book import Book
from firmware.tell import Called
from firmware.virtual import VirtualTable
from vision.frame import Frame

STEP = 0.1
CONFIG = parse_config('[camera]\nsource = "virtual:1"\n[voice]\nsays = "all"\n', "night")
#: Seconds between two faults, and how long one lasts.
FAULT_EVERY, FAULT_LASTS = (20.0, 120.0), (1.0, 40.0)


class FailingScreen(dummy):
    """The makers' own dummy, whose wire comes loose now and then."""

    loose = False
    shown = 0

    def display(self, image):
        if FailingScreen.loose:
            raise OSError(5, "Input/output error")
        FailingScreen.shown += 1
        super().display(image)

    def contrast(self, level):
        if FailingScreen.loose:
            raise OSError(5, "Input/output error")


class CountedSentence:
    """A sentence that takes a second; no sound device, no sentence."""

    gone = False
    said = 0

    def __init__(self, config, text):
        if CountedSentence.gone:
            raise OSError("audio open error: No such device")
        CountedSentence.said += 1

    def over(self):
        return True

    def stop(self):
        pass


class StoppingSight(VirtualSight):
    """A virtual table whose camera stops now and then, and whose people use real buttons."""

    def __init__(self, night: Night) -> None:
        super().__init__(1, night.make_table)
        self.stopped = False
        self._night = night

    def poll(self, now: float) -> Frame | None:
        return None if self.stopped else super().poll(now)

    def trouble(self, now: float) -> str | None:
        return "it gives no pictures" if self.stopped else None

    def presses(self, frame, t):
        for act in super().presses(frame, t):
            if isinstance(act, Press):
                self._night.push(act)
            else:
                yield act


@dataclass
class Tally:
    """What came of a night."""

    games: int = 0
    plays: int = 0
    called: int = 0
    wrong: int = 0
    told: int = 0
    kept: int = 0
    what: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    reported: dict[str, int] = field(default_factory=dict)
    healed: dict[str, int] = field(default_factory=dict)


class Night:
    """The device, the people, and what goes wrong."""

    def __init__(self, folder: Path, seed: int = 1, faults: bool = True) -> None:
        Device.pin_factory = MockFactory()
        FailingScreen.loose = CountedSentence.gone = False
        FailingScreen.shown = CountedSentence.said = 0
        self.random = random.Random(seed)
        self.now = 0.0
        self.tally = Tally()
        self.table: VirtualTable | None = None
        self.true: list[str | None] = []
        self.watcher: FakeWatcher | None = None
        self.read_only = False
        self.day = 1_800_000_000
        self.pushes: list[tuple[float, int, bool]] = []
        self._folder = folder
        self._faulty = faults
        self._next_fault = 30.0
        self._running: tuple[str, float] | None = None
        self.sight = StoppingSight(self)
        crew = Crew(
            display=Display(CONFIG, lambda: FailingScreen(128, 64, mode="1")),
            lamps=Lamps(CONFIG, LED),
            voice=Speech(CONFIG, start=CountedSentence),
        )
        crew.voice.set_up = lambda: None  # the programs are not needed here
        later = []
        crew.contacts = Contacts(
            CONFIG,
            lambda edge: later[0].put(edge),
            lambda: self.now,
            lambda pin: Contact(pin, pull_up=True, bounce_time=None),
        )
        self.appliance = Appliance(
            CONFIG, crew, self.sight, self.watch_for, self.open_book, lambda: self.now,
            listeners=(self,),
        )  # fmt: skip
        later.append(self.appliance)
        reported = self.appliance._reported

        def count(report):
            into = self.tally.healed if report.why is None else self.tally.reported
            into[report.part] = into.get(report.part, 0) + 1
            reported(report)

        self.appliance._reported = count

    # -- what the device stands on -------------------------------------------------------------

    def open_book(self) -> Book:
        journal = Journal(self._folder, self.clock, lambda: f"{self.random.getrandbits(64):016x}")
        for name in ("append", "begin"):
            setattr(journal, name, self.on_this_disk(getattr(journal, name)))
        return Book(journal)

    def on_this_disk(self, write):
        def maybe(*args):
            if self.read_only:
                raise WriteError("the disk is read-only")
            return write(*args)

        return maybe

    def clock(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S+0000", time.gmtime(self.day + self.now))

    def make_table(self, setup, seed) -> VirtualTable:
        self.count_table()
        self.table = VirtualTable(setup, seed, NoPictures(), as_it_is)
        return self.table

    def count_table(self) -> None:
        """Take down what the last table knows, and let go of it: nothing here may grow."""
        table, self.table = self.table, None
        if table is not None:
            self.tally.games += 1
            self.tally.plays += table.score.plays
            self.tally.called += table.score.called
            self.tally.wrong += table.score.wrong
            self.tally.what += table.score.faults
            self.true.append(table.dealer.acts[-1].truth.loser)

    def watch_for(self, setup, prior) -> FakeWatcher:
        return FakeWatcher(self.table)

    def hear(self, announcement) -> None:
        if isinstance(announcement, Called):
            self.tally.told += 1

    # -- people and mishaps --------------------------------------------------------------------

    def push(self, act: Act) -> None:
        """A finger on a button, with contacts that bounce."""
        pin = CONFIG[f"buttons.{act.button.value}"]
        at = self.now
        for _ in range(self.random.randrange(4)):
            self.pushes += [(at, pin, True), (at, pin, False)]
        self.pushes += [(at, pin, True), (at + 0.15 + act.hold, pin, False)]

    def move_fingers(self) -> None:
        waiting, self.pushes = self.pushes, []
        for at, pin, down in waiting:
            if at > self.now + 1e-9:
                self.pushes.append((at, pin, down))
            elif down:
                Device.pin_factory.pin(pin).drive_low()
            else:
                Device.pin_factory.pin(pin).drive_high()

    def break_something(self) -> None:
        if self._running is not None and self.now >= self._running[1]:
            self.set_fault(self._running[0], on=False)
            self._running = None
            self._next_fault = self.now + self.random.uniform(*FAULT_EVERY)
        if self._faulty and self._running is None and self.now >= self._next_fault:
            what = self.random.choice(["camera", "panel", "voice", "disk", "clock"])
            self.tally.faults[what] = self.tally.faults.get(what, 0) + 1
            self.set_fault(what, on=True)
            self._running = (what, self.now + self.random.uniform(*FAULT_LASTS))

    def set_fault(self, what: str, on: bool) -> None:
        if what == "camera":
            self.sight.stopped = on
        elif what == "panel":
            FailingScreen.loose = on
        elif what == "voice":
            CountedSentence.gone = on
        elif what == "disk":
            self.read_only = on
        elif on:
            self.day += self.random.randint(-(10**6), 10**6)

    # -- the night -----------------------------------------------------------------------------

    def play(self, seconds: float) -> Tally:
        end = self.now + seconds
        while self.now < end:
            self.now += STEP
            self.break_something()
            self.move_fingers()
            self.appliance.step(self.now)
            self.appliance.crew.step(self.now)
        return self.close()

    def close(self) -> Tally:
        """All faults mended; the last game is played to its end, and everything is counted."""
        if self._running is not None:
            self.set_fault(self._running[0], on=False)
        self._faulty, self._running = False, None
        limit = self.now + 3600
        while self.now < limit and not (
            self.appliance.where is Where.SCORES and not self.appliance.faults
        ):
            self.now += STEP
            self.move_fingers()
            self.appliance.step(self.now)
            self.appliance.crew.step(self.now)
        self.count_table()
        self.appliance.crew.end()
        self.appliance.accounts.close()
        return self.tally

    def losers(self) -> tuple[list[str | None], list[str | None]]:
        """Who lost each game, by the tables' own truth and by what was kept."""
        with Book(Journal(self._folder, self.clock, lambda: "x")) as book:
            kept = []
            for number in book.journal.nights():
                night = book.read(number)
                kept += [each.result and each.result.loser for each in night.rounds]
                self.tally.kept += sum(len(each.doings) for each in night.rounds)
        return self.true, kept


def memory() -> int:
    """Kilobytes in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


def main() -> None:
    hours = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        night = Night(Path(folder), seed)
        began = time.monotonic()
        marks: list[tuple[float, int, int]] = []
        original = night.appliance.step

        def step(now):
            if int(now) % 300 == 0 and (not marks or now - marks[-1][0] > 60):
                marks.append((now, memory(), threading.active_count()))
            original(now)

        night.appliance.step = step
        tally = night.play(hours * 3600)
        true, kept = night.losers()
        out = {
            **vars(tally),
            "wrong_scores": sum(a != b for a, b in zip(true, kept, strict=False))
            + abs(len(true) - len(kept)),
            "lost": tally.told - tally.kept,
            "kb_and_threads": [(round(at / 60), kb, n) for at, kb, n in marks],
            "screens": FailingScreen.shown,
            "said": CountedSentence.said,
            "seconds": round(time.monotonic() - began),
        }
        sys.stdout.write(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()
