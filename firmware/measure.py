"""Measurements of this machine for ``pilewatch bench``; one thread, medians, no judgement."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

from engine import events
from engine.game import Game
from engine.setup import classic
from engine.simulate import Dealer, Lay, Start, TakePile
from firmware.journal import COPIES
from firmware.night.acts import Began, Did, Ended, Joined
from firmware.night.book import open_book
from firmware.night.scoring import Result
from vision.frame import Image
from vision.settle import Settler

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Enough of the yardstick, 1.0 billion multiplications, to be a YOLOv8n-sized detector at 640×640.
REFERENCES_PER_DETECTOR = 4.1


@dataclass(frozen=True)
class LookTimes:
    """Medians over the rounds: a look, the yardstick, and the one over the other, in one run."""

    look_ms: float
    reference_ms: float
    ratio: float


@dataclass(frozen=True)
class Fresh:
    """A fresh process: seconds from start to end, and the most memory it held."""

    seconds: float
    peak_mib: float


@dataclass(frozen=True)
class NightTimes:
    """A night's journal: until a ruling is on the disk, until it is open again, and its size."""

    ruling_ms: float
    reopen_ms: float
    kib: float


def look_times(
    look: Callable[[], object], reference: Callable[[], object], rounds: int
) -> LookTimes:
    """Time ``look`` and ``reference`` by turns, so that a busy moment strikes both alike."""
    look()
    reference()
    looks, references = [], []
    for _ in range(rounds):
        references.append(_milliseconds(reference))
        looks.append(_milliseconds(look))
    return LookTimes(
        statistics.median(looks),
        statistics.median(references),
        statistics.median(a / b for a, b in zip(looks, references, strict=True)),
    )


def reference() -> Callable[[], object]:
    """Return the yardstick: one run of ``models/reference.onnx`` on one thread."""
    from vision.session import models_folder, open_model

    session = open_model(models_folder() / "reference.onnx")
    entry = session.get_inputs()[0]
    picture = np.random.default_rng(0).normal(0, 1, entry.shape).astype(np.float32)
    return lambda: session.run(None, {entry.name: picture})


def settle_us(picture: Image, frames: int) -> float:
    """Return the median time in µs that settling spends on a frame in which nothing moves."""
    rng = np.random.default_rng(0)
    grain = [rng.integers(-4, 5, picture.shape, np.int16) for _ in range(4)]
    noisy = [cv2.add(picture, g, dtype=cv2.CV_8U) for g in grain]
    settler = Settler()
    times = []
    for index in range(frames):
        image = cast(Image, noisy[index % len(noisy)])
        started = time.perf_counter()
        settler.step(image, index / 15)
        times.append(1e6 * (time.perf_counter() - started))
    return statistics.median(times)


def events_per_second(games: int) -> float:
    """Return how many events of simulated games the referee judges in a second."""
    setup = classic("Ann", "Bob", "Cat")
    count, seconds = 0, 0.0
    for seed in range(games):
        dealer = Dealer(setup, seed)
        facts = [events.FaceUp(tuple(dealer.rows.items())), *map(_fact, dealer)]
        game = Game.new(setup)
        started = time.perf_counter()
        for fact in facts:
            if fact is not None:
                game, _ = game.judge(fact)
                count += 1
        seconds += time.perf_counter() - started
    return count / seconds


def night_times(folder: Path, games: int) -> NightTimes:
    """Keep an evening of simulated games in a journal in ``folder``, and open it again."""
    setup = classic("Ann", "Bob", "Cat")
    times, count = [], 0
    with open_book(folder) as book:
        book.open_night(first=[Joined(name) for name in setup.players])
        for seed in range(games):
            book.write(Began(setup))
            dealer = Dealer(setup, seed)
            facts = [events.FaceUp(tuple(dealer.rows.items())), *map(_fact, dealer)]
            for fact in facts:
                if fact is not None:
                    times.append(_milliseconds(partial(book.write, Did(fact))))
                    count += 1
            book.write(Ended(Result((), setup.players[seed % 3]), count))
        copies = sum(path.stat().st_size for path in (folder / COPIES).iterdir())
    kept = sum(path.stat().st_size for path in folder.glob("journal-*.db"))

    def reopen() -> None:
        with open_book(folder) as again:
            again.read(again.last_number()).rounds[-1].game()

    return NightTimes(statistics.median(times), _milliseconds(reopen), (kept + copies) / 1024)


def fresh_process(arguments: Sequence[str], rounds: int) -> Fresh:
    """Run ``pilewatch`` with ``arguments`` in processes of their own; medians of time and memory.

    Raises RuntimeError if it fails.
    """
    seconds, memory = [], []
    for _ in range(rounds):
        started = time.perf_counter()
        done = _child("-c", _CHILD, *arguments)
        seconds.append(time.perf_counter() - started)
        if done.returncode:
            raise RuntimeError(f"pilewatch {' '.join(arguments)} failed: {done.stderr.strip()}")
        memory.append(int(done.stderr.split()[-1]) / 1024)
    return Fresh(statistics.median(seconds), statistics.median(memory))


def table_times(calls: int) -> dict[str, Any]:
    """What :mod:`firmware.measure_table` measures, in a process of its own.

    Raises RuntimeError if it fails.
    """
    done = _child("-m", "firmware.measure_table", str(calls))
    if done.returncode:
        raise RuntimeError(f"the game at a virtual table failed: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _child(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", *arguments]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


# The child tells its own peak: what the parent is told after the end counts the parent's memory
# too, which the child shares for an instant when it is made.
_CHILD = """
import sys
from firmware.cli import main
code = main(sys.argv[1:])
with open("/proc/self/status") as status:
    sys.stderr.write(next(line.split()[1] for line in status if line.startswith("VmHWM")))
sys.exit(code)
"""


def _fact(act: object) -> events.Event | None:
    match act:
        case Start():
            return events.Start(act.card)
        case Lay():
            return events.Play(act.cards)
        case TakePile():
            return events.PickUp()
    return None  # taking a card back and clearing a burn are no events


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)
