"""A game that is really running, and the plug pulled: director, keeper and journal at full speed.

The child plays evenings of simulated games through the very loop of ``watch --night``, only
that nobody draws or reads a picture, and writes each ruling into a file as it is told. The
parent has it killed, holds what was said against what was kept, and lets it go on.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import numpy as np

from engine import simulate
from engine.cards import Card
from engine.events import Amend, Play
from engine.game import Game
from engine.rules import preset
from engine.setup import Setup
from firmware import controls, fixes
from firmware.director import Director
from firmware.fixes import judged
from firmware.inbox import Button, Correction, Press
from firmware.keeper import deal, going_on
from firmware.keeping import Keeping
from firmware.night.acts import Closed
from firmware.night.book import Book, open_book
from firmware.night.night import Round, result_of
from firmware.score import same_cards
from firmware.session import referee
from firmware.tell import Announcement, Called
from vision.frame import Frame
from vision.observation import Cleared, Landed, Observation, Withdrawn

ROOT = Path(__file__).parents[2]
PEOPLE = ("Åse", "Gülşən", "🦊")
RULES = ("classic", "hat", "castle")
NIGHTS, GAMES = 2, 3
"""So many a child plays before it ends by itself."""

SECONDS = 0.5
"""From frame to frame, by the clock of the game."""

Step = Observation | controls.Act


# -- the child -----------------------------------------------------------------------------------


def dealer_of(setup: Setup, seed: int, night: int, game: int) -> simulate.Dealer:
    """The open table of a game: the same one after each restart."""
    return simulate.Dealer(setup, (seed * 100 + night) * 100 + game, mischief=0.1)


def counted(act: simulate.Act) -> bool:
    """Whether the referee has an event that stands for the act."""
    legal = isinstance(act, simulate.Lay) and act.verdict == "legal"
    return legal or isinstance(act, simulate.Start | simulate.TakePile)


def stand(game: Game) -> int:
    """How many acts of the table the game knows of."""
    return sum(each.ruling is not None and each.ruling.stands for each in game.history())


@dataclass
class Hands:
    """People who play one game, each step in a frame of its own; frames and watcher in one."""

    dealer: simulate.Dealer
    done: int
    director: Director | None = None
    step_now: Step | None = None

    def frames(self) -> Iterator[Frame]:
        """A frame for each step, and some in which nothing happens."""
        image = np.zeros((9, 16, 3), np.uint8)
        for index, step in enumerate(self._steps()):
            self.step_now = step
            yield Frame(index, index * SECONDS, image)

    def presses(self, frame: int, t: float) -> Iterator[controls.Act]:
        """What is pressed or put right in this frame."""
        if isinstance(self.step_now, Press | Correction):
            yield self._timed(self.step_now, frame, t)

    def step(self, frame: Frame) -> list[Observation]:
        """What is seen in this frame."""
        now = self.step_now
        if now is None or isinstance(now, Press | Correction):
            return []
        return [self._timed(now, frame.index, frame.t)]

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        return []

    def forget(self) -> None:
        pass

    @staticmethod
    def _timed(step: Any, frame: int, t: float) -> Any:
        return replace(step, frame=frame, t=t)

    def _steps(self) -> Iterator[Step | None]:
        acts, done = list(self.dealer), 0
        if self.done:
            reached = [act for act in acts if counted(act)][self.done - 1]
            yield landed(reached.truth.pile) if reached.truth.pile else None
        yield from [None] * 8  # after a restart an empty table is believed after a while
        for act in acts:
            done += counted(act)
            if done > self.done:
                yield from self._act(act, random.Random(done).random())
                yield from [None] * 7  # nobody is asked, and no two acts are taken for one

    def _act(self, act: simulate.Act, chance: float) -> Iterator[Step | None]:
        if isinstance(act, simulate.Lay) and act.verdict == "legal" and chance < 0.3:
            yield from self._mistaken(act, chance)
        elif isinstance(act, simulate.Start | simulate.Lay):
            yield landed((act.card,) if isinstance(act, simulate.Start) else act.cards)
        elif isinstance(act, simulate.TakeBack):
            yield Withdrawn(0, 0, act.cards)
        elif isinstance(act, simulate.TakePile):
            assert self.director is not None
            if not self.director.must_pick_up:
                yield Press(0, 0, Button.PICKUP)
            yield Cleared(0, 0)
        else:
            yield Cleared(0, 0)

    def _mistaken(self, act: simulate.Lay, chance: float) -> Iterator[Step | None]:
        """Cards that a press takes back and that are laid again, or of which somebody says whose.

        Wherever it is broken off, the table is as it was before the cards or after them.
        """
        assert self.director is not None
        yield landed(act.cards)
        if chance < 0.15:
            yield Press(0, 0, Button.OOPS)
            yield landed(act.cards)
        elif self.director.last is not None and not self.director.over:
            yield Correction(0, 0, Amend(self.director.last.number, Play(act.cards, act.player)))


def landed(cards: tuple[Card, ...]) -> Landed:
    return Landed(0, 0, cards, (0.99,) * len(cards))


@dataclass
class Crier:
    """Says each ruling as a line of a file; nothing of that waits in the process."""

    said: Path
    night: int
    game: int

    def hear(self, announcement: Announcement) -> None:
        if isinstance(announcement, Called):
            with self.said.open("ab", buffering=0) as file:
                file.write((json.dumps(line(self, announcement)) + "\n").encode())


def line(crier: Crier, called: Called) -> list[Any]:
    """What is said of a ruling: where it belongs, what happened, and how it was judged."""
    ruling = called.ruling.to_json(called.number)
    return [crier.night, crier.game, fixes.to_json(called.event), ruling]


def said_in(folder: Path) -> Path:
    """The file in which stands what was said of the games in a folder."""
    return folder.with_name(f"{folder.name}.said")


def play_on(folder: Path, seed: int, nights: int = NIGHTS) -> None:
    """Play what is left of so many evenings, each ruling kept and then told."""
    with open_book(folder) as book:
        if book.journal.notes:
            raise AssertionError(book.journal.notes)
        while book.night is not None or len(book.journal.nights()) < nights:
            night = book.night or book.open_night()
            if len(night.counted) == GAMES:
                book.again(lambda: book.write(Closed()))
            else:
                play_game(book, seed)


def play_game(book: Book, seed: int) -> None:
    number = len(book.opened.rounds)
    setup = Setup.new(preset(RULES[number % len(RULES)]), PEOPLE)
    seating = going_on(book) or deal(book, setup)
    night = book.opened
    dealer = dealer_of(seating.setup, seed, night.number, len(night.rounds))
    hands = Hands(dealer, 0 if seating.game is None else stand(seating.game))
    keeping = Keeping(book, seating)
    crier = Crier(said_in(book.journal.folder), night.number, len(night.rounds))
    director = Director(seating.setup, hands, [crier], keeping.keeper.record)
    hands.director = director
    keeping.meet(director)
    referee(hands.frames(), hands, director, hands.presses, keeping.after)
    assert director.over, "the game is not what was played at the table"


# -- the parent ----------------------------------------------------------------------------------


@dataclass
class Told:
    """All that was said so far, and after a kill perhaps one ruling that was only kept."""

    seed: int
    lines: list[list[Any]] = field(default_factory=list)
    _read: int = 0

    def hear(self, folder: Path) -> int:
        """Take in what was said since the last time; returns how many rulings that are."""
        path = said_in(folder)
        said = path.read_bytes().splitlines() if path.exists() else []
        new = [json.loads(each) for each in said[self._read :]]
        self.lines += new
        self._read = len(said)
        return len(new)

    def check(self, folder: Path) -> None:
        """AssertionError unless all that was said is kept, once, and means what was said."""
        with open_book(folder) as book:
            assert not book.journal.notes, book.journal.notes
            nights = [book.read(number) for number in book.journal.nights()]
        rounds = [(night.number, each) for night in nights for each in night.rounds]
        kept = [
            [number, each.number, fixes.to_json(doing)]
            for number, each in rounds
            for doing in each.doings
        ]
        said = [line[:3] for line in self.lines]
        assert kept[: len(said)] == said, "what was said is not what was kept"
        assert len(kept) <= len(said) + 1, f"{len(said)} rulings were said, {len(kept)} are kept"
        self.lines += [[*line, None] for line in kept[len(said) :]]
        for number, each in rounds[-2:]:
            rulings = [line[3] for line in self.lines if line[:2] == [number, each.number]]
            self._check_game(number, each, rulings)

    def _check_game(self, night: int, played: Round, rulings: list[dict[str, Any] | None]) -> None:
        """Each ruling is what was said, and the table is what the open one was by then."""
        game = Game.new(played.setup)
        for number, (doing, said) in enumerate(zip(played.doings, rulings, strict=True), 1):
            game, ruling = judged(game, doing)
            if said is not None:
                assert ruling.to_json(number) == said, "what was kept means something else"
        assert game.table == played.game().table
        assert played.result == (result_of(game) if game.table.over else None)
        acts = dealer_of(played.setup, self.seed, night, played.number)
        done = stand(game)
        if done:
            check_truth([act for act in acts if counted(act)][done - 1].truth, game)


def check_truth(truth: simulate.Truth, game: Game) -> None:
    """AssertionError unless the referee's table is the open one, as far as anybody can see."""
    table = game.table
    assert (table.name(table.turn), table.must.value) == (truth.turn, truth.must)
    assert same_cards(table.pile.cards() if table.pile else (), truth.pile)
    seats = {name: (true.hand, true.up, true.down) for name, true in truth.hands.items()}
    assert dict(zip(table.setup.players, map(tuple, table.seats), strict=True)) == seats
    assert tuple(table.setup.players[seat] for seat in table.out) == truth.out
    assert table.name(table.loser) == truth.loser


def kills(folder: Path, seed: int, times: int, longest: float = 0.6) -> Counter[str]:
    """Kill the running game so many times at random instants; what that came to.

    AssertionError if anything that was said is lost, kept twice or means something else.
    """
    chance = random.Random(seed)
    count: Counter[str] = Counter()
    place, told = folder / "0", Told(seed)
    command = [sys.executable, __file__]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        while count["killed"] < times:
            nursery.stdin.write(f"{place} {told.seed} {chance.uniform(0, longest)}\n")
            code = int(nursery.stdout.readline())
            assert code in (0, -signal.SIGKILL), f"the game ended with {code}"
            count["announced"] += told.hear(place)
            told.check(place)
            count["killed" if code else "ended by itself"] += 1
            if code == 0:
                place, told = folder / str(sum(count.values())), Told(told.seed + 1)
    return count


def nursery() -> None:
    """Play in a child for each line (folder, seed, seconds), kill it then, and say how it ended.

    What takes long to start is started once.
    """
    for line in sys.stdin:
        folder, seed, seconds = line.split()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                play_on(Path(folder), int(seed))
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        time.sleep(float(seconds))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        play_on(Path(sys.argv[1]), int(sys.argv[2]), nights=1)
    else:
        nursery()
