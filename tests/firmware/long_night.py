"""A whole night at the device, at high speed, while its parts fail at random and come back.

``python tests/firmware/long_night.py HOURS [SEED]`` plays one and prints what came of it.
Everything is the real thing but the ends: the lens looks at a virtual table whose cards are told
instead of read, the pins are gpiozero's mock pins, the OLED is luma's dummy, and sentences are
counted. Camera, panel, lamps, buttons and voice work in their own threads, and the camera in its
driver's as well; all of them wait by the clock of the night. The presses of the people go through
the pins, with bounces.
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

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]

import numpy as np
from failing_parts import (
    BROKEN,
    FailingContact,
    FailingLamp,
    FailingLens,
    FailingScreen,
    FailingSentence,
)
from fake_watcher import FakeWatcher, NoPictures, as_it_is
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from puppets import Puppets

from firmware.config import parse_config
from firmware.device import crew as crew_module
from firmware.device import service
from firmware.device.appliance import Appliance, Where
from firmware.device.crew import Crew
from firmware.device.display import Display
from firmware.device.gpio import Contacts
from firmware.device.lamps import Lamps
from firmware.device.sight import Camera
from firmware.device.voice import Speech
from firmware.inbox import Button, Press
from firmware.journal import Journal, WriteError
from firmware.night.book import Book
from firmware.panel import Choose, Lines, Over
from firmware.tell import Called, Noted
from firmware.virtual import VirtualTable
from firmware.words import say
from vision import live
from vision.render.glyphs import text_mask

STEP = 0.1
CONFIG = parse_config(
    '[game]\nplayers = ["Ann", "Bob", "Cat"]\n[camera]\nfps = 10\n[voice]\nsays = "all"\n', "night"
)
#: Seconds until somebody presses what the panel wants.
READS = 1.0
#: Seconds between two faults, and how long one lasts.
FAULT_EVERY, FAULT_LASTS = (20.0, 120.0), (1.0, 40.0)
#: What may go wrong, and the part that is told of then ("" where nothing is to be told).
FAULTS = {
    "frames": "sight",
    "driver": "sight",
    "dark": "sight",
    "panel": "panel",
    "bus": "panel",
    "lamps": "lamps",
    "buttons": "buttons",
    "voice": "voice",
    "disk": "score",
    "clock": "",
}
#: What is told in a game of a disk, and whether all is well then.
KEPT = {"note.not_kept": False, "note.kept_again": True}
#: Seconds for which a press that was not heard may be what a wrong call comes of.
EXCUSED = 60.0
#: How a table looks by day, and by night without a lamp.
LIGHT, DARK = np.full((8, 8, 3), 150, np.uint8), np.zeros((8, 8, 3), np.uint8)


class NightCamera(Camera):
    """The device's own camera, before a table whose people use the real buttons."""

    def __init__(self, night: Night) -> None:
        puppets = night.puppets
        super().__init__(CONFIG, self._source_of(night), lambda: puppets.now)
        self._night = night

    @staticmethod
    def _source_of(night: Night):
        def lens():
            return FailingLens(night.picture, night.puppets.wait)

        return lambda: live.LiveSource(lens, "the camera", 10.0, tell=lambda sentence: None)

    def begin(self, setup):
        self._night.sit_down(setup)

    def meet(self, director):
        if self._night.table is not None:
            self._night.table.meet(director)

    def presses(self, frame, t):
        return self._night.acts_at(0, t)


class EyesOf(FakeWatcher):
    """Sees nothing where no table is laid."""

    def step(self, frame):
        return [] if self.table is None else super().step(frame)


@dataclass
class Tally:
    """What came of a night.

    ``unheard`` are those of the ``wrong`` calls that come of a press while none could be heard: a
    pickup without its press is called together with the next card, so that both calls are wrong.
    ``reported`` and ``healed`` go by parts; "keeping" is what a game itself tells of the disk.
    """

    games: int = 0
    plays: int = 0
    called: int = 0
    wrong: int = 0
    unheard: int = 0
    told: int = 0
    kept: int = 0
    what: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    reported: dict[str, int] = field(default_factory=dict)
    healed: dict[str, int] = field(default_factory=dict)


class Night:
    """The device, the people, and what goes wrong. To be closed, as ``with`` does."""

    def __init__(self, folder: Path, seed: int = 1, faults: bool = True) -> None:
        Device.pin_factory = MockFactory()
        BROKEN.clear()
        FailingScreen.shown = FailingSentence.said = FailingLens.open = FailingLens.most_open = 0
        self.puppets = Puppets()
        self.puppets.hold(
            service, live, Worker=(crew_module, service.Worker), _Reader=(live, live._Reader)
        )
        self.random = random.Random(seed)
        self.tally = Tally()
        self.table: VirtualTable | None = None
        self.true: list[str | None] = []
        self.day = 1_800_000_000
        self.pushes: list[tuple[float, int, bool]] = []
        self._pushed_at: dict[int, float] = {}
        self._frames = iter(())
        self._moved_at = 0.0
        self._put_right = []
        self._seed = 0
        self._press_at = 0.0
        self._going_home = False
        self._folder = folder
        self._faulty = faults
        self._next_fault = 30.0
        self._running: tuple[str, float] | None = None
        self._blind = False
        self._wrong = self._excused = 0
        self._excused_at = 0.0
        self.sight = NightCamera(self)
        crew = Crew(
            display=Display(CONFIG, FailingScreen),
            lamps=Lamps(CONFIG, FailingLamp),
            voice=Speech(CONFIG, start=FailingSentence),
            camera=self.sight,
        )
        crew.voice.set_up = lambda: None  # the programs are not needed here
        later = []
        crew.contacts = Contacts(
            CONFIG, lambda edge: later[0].put(edge), lambda: self.now, FailingContact.make
        )
        self.appliance = Appliance(
            CONFIG, crew, self.sight, self.watch_for, self.open_book, lambda: self.now,
            listeners=(self,),
        )  # fmt: skip
        later.append(self.appliance)
        reported = self.appliance._reported

        def count(report):
            self._count(report.part, report.why is None)
            reported(report)

        self.appliance._reported = count
        crew.start(lambda: self.now)
        self.puppets.settle()

    @property
    def now(self) -> float:
        return self.puppets.now

    def __enter__(self) -> Night:
        return self

    def __exit__(self, *error: object) -> None:
        BROKEN.clear()
        self.appliance.crew.end()
        self.puppets.settle()
        self.appliance.accounts.close()
        self.puppets.let_go()

    def _count(self, part: str, well: bool) -> None:
        into = self.tally.healed if well else self.tally.reported
        into[part] = into.get(part, 0) + 1

    # -- what the device stands on -------------------------------------------------------------

    def open_book(self) -> Book:
        journal = Journal(self._folder, self.clock, lambda: f"{self.random.getrandbits(64):016x}")
        for name in ("append", "begin"):
            setattr(journal, name, self.on_this_disk(getattr(journal, name)))
        refusal = journal.refusal
        journal.refusal = lambda: "the disk is read-only" if "disk" in BROKEN else refusal()
        return Book(journal)

    def on_this_disk(self, write):
        def maybe(*args):
            if "disk" in BROKEN:
                raise WriteError("the disk is read-only")
            return write(*args)

        return maybe

    def clock(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S+0000", time.gmtime(self.day + self.now))

    def sit_down(self, setup) -> None:
        """People play another game."""
        self.count_table()
        self.forget_doubles()
        self._excused = 0
        self.table = VirtualTable(setup, self._seed + 1, NoPictures(), as_it_is)
        self._seed += 1
        self._frames = iter(self.table)

    @staticmethod
    def forget_doubles() -> None:
        """Mock pins remember all their states, and the table the letters of each deck it drew."""
        text_mask.cache_clear()
        for pin in Device.pin_factory.pins.values():
            pin.clear_states()

    def picture(self, dark: bool):
        """What the lens sees; people wait while it is dark, and go on as long as it looks."""
        if not dark:
            self._moved_at = self.now
            next(self._frames, None)
        return DARK if dark else LIGHT

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
        return EyesOf(self.table)

    def hear(self, announcement) -> None:
        if isinstance(announcement, Called):
            self.tally.told += 1
        elif isinstance(announcement, Noted) and announcement.key in KEPT:
            self._count("keeping", KEPT[announcement.key])

    # -- people and mishaps --------------------------------------------------------------------

    def read_the_panel(self) -> None:
        """Between games people press what the panel wants, and again if it does not listen."""
        screen, button = self.appliance.screen, None
        if isinstance(screen, Choose):
            # Three sit down: the panel offers to leave it at two.
            two = screen.value == say("set_up.enough") and len(self.appliance._lobby.seats) < 3
            button = Button.NEXT if two else Button.PICKUP
        elif self.appliance.where is Where.SCORES:
            button = None if self._going_home else Button.NEXT
        elif isinstance(screen, Lines | Over):
            button = Button.NEXT
        if button is None:
            self._press_at = self.now + READS
        elif self.now >= self._press_at:
            self.push(Press(0, self.now, button))
            self._press_at = self.now + READS

    def acts_at(self, late: int, t: float):
        """What is due ``late`` frames after the last; fingers go to the pins, the rest is given."""
        due = [] if self.table is None else [*self.table.at(self.table.index - 1 + late, t)]
        for act in due:
            if isinstance(act, Press):
                self.push(act)
            else:
                self._put_right.append(act)
        given, self._put_right = self._put_right, []
        return given

    def press_on(self) -> None:
        """A finger that is on its way to a button does not wait for a camera that has stopped."""
        late = round((self.now - self._moved_at) / STEP)
        if late > 1:
            self._put_right = self.acts_at(late, self.now)

    def push(self, act: Press) -> None:
        """A finger on a button, with contacts that bounce."""
        pin, at = CONFIG[f"buttons.{act.button.value}"], self.now
        if at - self._pushed_at.get(pin, -1.0) < 1.0:
            return  # somebody else was quicker
        self._pushed_at[pin] = at
        if "buttons" in BROKEN | set(self.appliance.faults):
            self._excused, self._excused_at = self._excused + 2, self.now
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
            BROKEN.discard(self._running[0])
            self._running = None
            self._next_fault = self.now + self.random.uniform(*FAULT_EVERY)
        if self._faulty and self._running is None and self.now >= self._next_fault:
            what = self.random.choice(list(FAULTS))
            self.tally.faults[what] = self.tally.faults.get(what, 0) + 1
            self._running = (what, self.now + self.random.uniform(*FAULT_LASTS))
            BROKEN.add(what)
            if what == "clock":
                self.day += self.random.randint(-(10**6), 10**6)

    # -- the night -----------------------------------------------------------------------------

    def step(self) -> None:
        """A tenth of a second for everybody."""
        self.puppets.pass_time(STEP)
        self.read_the_panel()
        self.press_on()
        self.move_fingers()
        self.appliance.step(self.now)
        self.puppets.settle()
        if self._blind != ("sight" in self.appliance.faults):
            self._blind = not self._blind
            self._count("sight", well=not self._blind)
        wrong = 0 if self.table is None else self.table.score.wrong
        unheard = min(max(0, wrong - self._wrong), self._excused)
        self.tally.unheard += unheard
        self._excused = 0 if self.now - self._excused_at > EXCUSED else self._excused - unheard
        self._wrong = wrong

    def play(self, seconds: float) -> Tally:
        end = self.now + seconds
        while self.now < end:
            self.break_something()
            self.step()
        return self.finish()

    def finish(self) -> Tally:
        """All faults mended; the last game is played to its end, and everything is counted."""
        BROKEN.clear()
        self._faulty, self._running, self._going_home = False, None, True
        limit = self.now + 3600
        while self.appliance.where is not Where.SCORES or self.appliance.faults:
            self.step()
            assert self.now < limit, f"the night does not end: {self.appliance.screen}"
        self.count_table()
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


@dataclass(frozen=True)
class Mark:
    """What the process uses at some minute."""

    minute: int
    kilobytes: int
    threads: int
    files: int


def mark(minute: float) -> Mark:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = len(list(Path("/proc/self/fd").iterdir()))
    kilobytes = pages * resource.getpagesize() // 1024
    return Mark(round(minute), kilobytes, threading.active_count(), files)


def main() -> None:
    hours = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        with Night(Path(folder), seed) as night:
            marks = [mark(0)]
            step = night.step

            def marking():
                if night.now // 300 > (night.now - STEP) // 300 and not BROKEN:
                    marks.append(mark(night.now / 60))
                step()

            night.step = marking
            tally = night.play(hours * 3600)
        true, kept = night.losers()
        out = {
            **vars(tally),
            "wrong_scores": sum(a != b for a, b in zip(true, kept, strict=False))
            + abs(len(true) - len(kept)),
            "lost": tally.told - tally.kept,
            "marks": [tuple(vars(each).values()) for each in (*marks, mark(night.now / 60))],
            "threads_left": night.puppets.waiting,
            "cameras_open_at_once": FailingLens.most_open,
            "screens": FailingScreen.shown,
            "said": FailingSentence.said,
            "seconds": round(time.monotonic() - began),
        }
        sys.stdout.write(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()
