"""Everything that may befall the journal: the plug pulled, and the card going bad.

The suite does a few of each; by hand, many: ``python tests/firmware/mishaps.py kill 500``,
``kill-game 500``, ``full 100`` or ``damage 1000``.
"""

from __future__ import annotations

import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from evenings import Batch, evening

from engine.errors import PilewatchError
from firmware.night.acts import Act, act_of
from firmware.night.book import Book, open_book
from firmware.night.night import Night

ROOT = Path(__file__).parents[2]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is such: it is the order that is tried, not the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


# -- the plug is pulled ------------------------------------------------------------------------


def script(seed: int) -> list[Batch]:
    """Two evenings one after the other; the second is not closed."""
    return [*evening(seed, games=2, unrest=0.2), *evening(seed + 1, games=2, close=False)]


def write_on(folder: Path, seed: int) -> None:
    """Write what is still missing of the script; say the number of each batch once it is kept."""
    batches = script(seed)
    with open_book(folder) as book:
        if book.journal.notes:
            _say("note", *book.journal.notes)
        for number in range(written(book, batches), len(batches)):
            first, *rest = batches[number]
            if type(first).__name__ == "Opened":
                book.open_night(first=rest)
            else:
                book.write(*batches[number])
            _say(number)


def written(book: Book, batches: list[Batch]) -> int:
    """How many batches are in the book; AssertionError if there is anything else in it."""
    kept = [acts_of(book, number) for number in book.journal.nights()]
    count = 0
    for acts in kept:
        while acts:
            batch = batches[count]
            assert acts[: len(batch)] == list(batch), f"batch {count} is not what was written"
            acts = acts[len(batch) :]
            count += 1
    return count


def acts_of(book: Book, number: int) -> list[Act]:
    return [act_of(entry.kind, entry.body) for entry in book.journal.read(number)]


def expected(batches: list[Batch]) -> list[Night]:
    """The nights that these batches make, from the acts alone."""
    nights: list[list[Act]] = []
    for batch in batches:
        if type(batch[0]).__name__ == "Opened":
            nights.append([])
        nights[-1].extend(batch)
    return [Night.fold(acts, number) for number, acts in enumerate(nights, 1)]


def kills(folder: Path, seed: int, times: int, longest: float = 0.6) -> Counter[str]:
    """Kill the writer so many times at random instants; AssertionError if anything is lost.

    After each kill all that was said is there, once, and the state is the oracle's.
    """
    chance = random.Random(seed)
    told: Counter[str] = Counter()
    batches, place, said = script(seed), folder / "0", 0
    while told["killed"] < times:
        if said == len(batches):
            place, said = folder / str(sum(told.values())), 0
        command = [sys.executable, __file__, "write", str(place), str(seed)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        ahead = process.stdout.readline()  # it is under way: from here on every instant counts
        lines = [ahead] if ahead else []
        try:
            process.wait(chance.uniform(0, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        process.stdout.close()
        code = process.wait()
        assert code in (0, -signal.SIGKILL), f"the writer ended with {code}"
        assert not [line for line in lines if line.startswith("note")], lines
        # The last line may have been cut off by the kill.
        numbers = [int(line) for line in lines if line.endswith("\n")]
        assert numbers == list(range(said, said + len(numbers))), "something was written twice"
        said += len(numbers)
        with open_book(place) as book:
            assert not book.journal.notes
            kept = written(book, batches)
            # What was kept but not yet said may be one batch.
            assert said <= kept <= said + 1, f"{said} batches were said, {kept} are kept"
            nights = [book.read(number) for number in book.journal.nights()]
        oracle = expected(batches[:kept])
        assert [_state(night) for night in nights] == [_state(night) for night in oracle]
        said = kept
        told["killed" if code else "ended by itself"] += 1
        told["announced"] += len(numbers)
    return told


def _state(night: Night) -> object:
    """All that can be said of a night but its clock."""
    tables = [each.game().table for each in night.rounds]
    return night.seats, night.rounds, night.score, night.open, tables


# -- the card is full --------------------------------------------------------------------------


def fills(folder: Path, seed: int, times: int) -> Counter[str]:
    """Let the writer run into the end of its room so many times, and then go on with room.

    AssertionError if anything that was said is lost.
    """
    chance = random.Random(seed)
    told: Counter[str] = Counter()
    batches = script(seed)
    for fill in range(times):
        place, room, said = folder / str(fill), chance.randrange(40_000, 90_000), 0
        for most in (room, resource.RLIM_INFINITY):
            done = subprocess.run(
                [sys.executable, __file__, "write", str(place), str(seed)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_FSIZE, (most,) * 2),
            )
            assert "Traceback" not in done.stderr, done.stderr
            assert done.returncode in (0, 74)
            said += len(done.stdout.splitlines())
            with open_book(place) as book:
                assert not book.journal.notes
                assert said <= written(book, batches) <= said + 1
            told["went on to the end" if done.returncode == 0 else "was full"] += 1
        assert said == len(batches)
    return told


# -- the card goes bad -------------------------------------------------------------------------

TARGETS = {"database": "journal-1.db", "log": "journal-1.db-wal", "note": "journal-1.head"}


class Snapshot:
    """A journal in the middle of a game, as a pulled plug leaves it, and what is in it."""

    def __init__(self, folder: Path, seed: int = 5) -> None:
        self.folder = folder / "sound"
        batches = script(seed)
        cut = len(batches) - 25
        with open_book(folder / "made") as book:
            for first, *rest in batches[:cut]:
                if type(first).__name__ == "Opened":
                    book.open_night(first=rest)
                else:
                    book.write(first, *rest)
            # The log is still beside the database: nothing was closed.
            shutil.copytree(folder / "made", self.folder)
            self.acts = {number: acts_of(book, number) for number in book.journal.nights()}
        self.copied = {
            number: len(path.read_text().splitlines()) - 1
            for number, path in enumerate(sorted((self.folder / "copies").iterdir()), 1)
        }
        self.next = batches[cut]

    def damaged(self, place: Path, target: str, how: str, chance: random.Random) -> str:
        """Damage a copy, open and read it, and say what became of it.

        AssertionError if a wrong state is shown as right, or more is lost than may be.
        """
        shutil.copytree(self.folder, place)
        if target == "copies":
            path = chance.choice(sorted((place / "copies").iterdir()))
        else:
            path = place / TARGETS[target]
        data = bytearray(path.read_bytes())
        if how == "cut":
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.choice((1, 1, 2, 8, 64))):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        try:
            with open_book(place) as book:
                listed = {night.number: night for night in book.nights()}
                acts = {number: acts_of(book, number) for number in book.journal.nights()}
                for number in acts:
                    assert book.read(number).rounds == Night.fold(acts[number]).rounds
                notes = list(book.journal.notes)
                if acts == self.acts:
                    book.write(*self.next)
        except PilewatchError as refused:
            assert str(refused), "refused without a word"
            return "refused"
        for number, whole in self.acts.items():
            kept = acts.get(number, [])
            assert kept == whole[: len(kept)], "what is there was never written"
            assert len(kept) >= self.copied[number], "what was copied is lost"
            results = [each.result for each in Night.fold(kept, number).rounds]
            assert [each.result for each in listed[number].rounds] == results
        if acts == self.acts:
            return "mended, nothing missing" if notes else "sound"
        assert any("could not be saved" in note for note in notes), "a loss was not told"
        return "mended, the loss told"


def damages(folder: Path, target: str, how: str, times: int, seed: int = 1) -> Counter[str]:
    """Damage so many copies of one journal; counts what became of them."""
    chance = random.Random(f"{target} {how} {seed}")
    snapshot = Snapshot(folder)
    told: Counter[str] = Counter()
    for number in range(times):
        place = folder / f"{target}-{how}-{number}"
        told[snapshot.damaged(place, target, how, chance)] += 1
        shutil.rmtree(place)
    return told


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _main(what: str, *more: str) -> None:
    if what == "write":
        try:
            write_on(Path(more[0]), int(more[1]))
        except PilewatchError as wrong:
            sys.stderr.write(f"{wrong}\n")
            sys.exit(wrong.exit_code)
        return
    with quick_folder() as folder:
        if what == "kill":
            _say(dict(kills(folder, int(more[1]) if more[1:] else 3, int(more[0]))))
        elif what == "kill-game":
            import running_game  # the writers start without it, and many of them are started

            _say(dict(running_game.kills(folder, int(more[1]) if more[1:] else 3, int(more[0]))))
        elif what == "full":
            _say(dict(fills(folder, 3, int(more[0]))))
        else:
            for target in more[1:2] or (*TARGETS, "copies"):
                for how in more[2:3] or ("cut", "flip"):
                    place = folder / f"{target}-{how}"
                    _say(target, how, dict(damages(place, target, how, int(more[0]))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
