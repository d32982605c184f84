"""The journal: a folder that keeps every night through power cuts and worn-out cards.

``journal-N.db`` is the newest of its generations. A damaged one stays where it is, and a new
one is made of what is sound in it and of ``copies``, where each night stands as a file that
was read back. Nothing here depends on the clock.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

from firmware.folders import hand_over, make_folder
from firmware.journal.entry import Entry
from firmware.journal.errors import (
    DamagedError,
    JournalError,
    ReadOnlyError,
    WriteError,
)
from firmware.journal.files import flush_folder, open_lock, refused, write_whole
from firmware.journal.head import Head, read_head
from firmware.journal.nightfile import SUFFIX, NightFile, apart, write_night
from firmware.journal.salvage import Found, gather, told
from firmware.journal.store import Batch, Store, numbered

COPIES = "copies"

_T = TypeVar("_T")


Kinds = Sequence[tuple[str, str]]
"""Entries to be, as pairs of kind and body."""


class Addition(NamedTuple):
    """What is to be written into a night behind its entry ``after``."""

    night: int
    after: int
    kinds: Kinds


def is_journal(folder: Path) -> bool:
    """Whether there is anything of a journal in a folder; OSError if nobody may look."""
    if not folder.exists():
        return False
    names = [each.name for each in folder.iterdir()]
    return COPIES in names or any(name.startswith("journal-") for name in names)


class Journal:
    """All nights, in a folder that need not exist yet.

    ``now`` is the device's clock as ISO 8601, ``new_mark`` gives a mark (16 hexadecimal
    digits) that nobody has. ``notes`` are sentences about what was wrong when it was
    opened or read, for the person to hear; ``read_only`` tells why nothing can be kept.
    """

    def __init__(self, folder: Path, now: Callable[[], str], new_mark: Callable[[], str]) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.read_only: str | None = None
        self._now, self._new_mark = now, new_mark
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._store = self._open()

    def close(self) -> None:
        """Let go of all files; may be called twice."""
        self._store.close()
        if self._scratch:
            self._scratch.cleanup()
            self._scratch = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing -----------------------------------------------------------------------------

    def begin(self, kinds: Kinds, also: Sequence[Addition] = (), since: Head | None = None) -> int:
        """Write the first entries of a new night; returns its number.

        What is ``also`` to be written comes before it, all of it or nothing. BehindError if
        anything was written after ``since``.
        """
        self._writable()
        first = Batch(self._new_mark(), numbered(kinds, 0, self._now()))
        return self._write(lambda: [*map(self._batch, also), first], since)[-1]

    def append(
        self,
        night: int,
        after: int,
        kinds: Kinds,
        also: Sequence[Addition] = (),
        since: Head | None = None,
    ) -> list[Entry]:
        """Write entries of a night that follow its entry ``after``, and returns them.

        They are on the disk then. BehindError if another process wrote more entries meanwhile;
        WriteError (also NoRoomError, BusyError) if it cannot be done now, and then nothing of
        it is written. ``also`` and ``since`` as in ``begin``.
        """
        self._writable()
        entries = numbered(kinds, after, self._now())
        self._write(
            lambda: [*map(self._batch, also), Batch(self._mark(night), entries)],
            since,
        )
        return entries

    def insert(self, night: NightFile, beside: Addition | None = None) -> tuple[int, int]:
        """Take in a night, or the entries it has more than the one here.

        Returns its number and how many entries were new. A night that has gone on here in
        another way stays as it is, and the one taken in becomes another. ``beside`` is written
        behind what is new, unless that went into the very night it is for.
        """
        self._writable()
        number = next((n for n, mark in self.nights().items() if mark == night.mark), None)
        mine = [] if number is None else self.read(number)
        if number is not None:
            other = apart(night, NightFile(night.mark, number, tuple(mine)))
            if other is not None:
                return self.insert(other, beside)
        new = night.entries[len(mine) :]
        if not new:
            return number or 0, 0
        also = [] if beside is None or beside.night == number else [beside]
        first = Batch(night.mark, new, night.number)
        return self._write(lambda: [first, *map(self._batch, also)])[0], len(new)

    def _write(
        self, batches: Callable[[], Sequence[Batch]], since: Head | None = None
    ) -> list[int]:
        return self._sound(lambda: self._store.write(batches(), since))

    def _batch(self, addition: Addition) -> Batch:
        entries = numbered(addition.kinds, addition.after, self._now())
        return Batch(self._mark(addition.night), entries)

    def copy(self, night: int) -> Path:
        """Write the verified copy of a night as it stands, and returns where it is."""
        self._writable()
        whole = self.night_file(night)
        path = self.folder / COPIES / whole.name
        write_night(path, whole)
        self._store.flush()
        return path

    def refusal(self) -> str | None:
        """Why nothing can be kept now, None if it can: a canary is written and read back."""
        try:
            self._writable()
        except (JournalError, OSError) as wrong:
            return str(wrong)
        return self._canary()

    # -- reading -----------------------------------------------------------------------------

    def version(self) -> int:
        """A number that changes when another process has written."""
        return self._store.version()

    def end(self) -> Head:
        """How much has been written by now, in all nights together."""
        return self._sound(lambda: self._store.end())

    def nights(self) -> dict[int, str]:
        """The mark of each night by its number, in order."""
        return self._sound(lambda: self._store.nights())

    def read(self, night: int, after: int = 0) -> list[Entry]:
        """The entries of a night that follow entry ``after``, each of them checked."""
        return self._sound(lambda: self._store.read(night, after))

    def acts(self) -> dict[int, list[Entry]]:
        """By night, everything but what happened in the games, each entry checked."""
        return self._sound(lambda: self._store.acts())

    def doors(self, kinds: Sequence[str]) -> dict[int, str]:
        """By night, the last entry's kind of those that are of these kinds; the latest last."""
        return self._sound(lambda: self._store.last_kinds(kinds))

    def night_file(self, night: int) -> NightFile:
        """A night as it is written to files."""
        return NightFile(self._mark(night), night, tuple(self.read(night)))

    def mark(self, night: int) -> str:
        """The mark of a night; JournalError if there is none of that number."""
        return self._sound(lambda: self._mark(night))

    def _mark(self, night: int) -> str:
        mark = self._store.mark(night)
        if mark is None:
            raise JournalError(f"there is no night {night} in {self.folder}")
        return mark

    # -- opening and mending -----------------------------------------------------------------

    def _open(self) -> Store:
        try:
            return self._open_here()
        except WriteError as wrong:
            return self._aside(wrong)

    def _open_here(self) -> Store:
        """The journal in its folder, mended if it has to be; WriteError if that cannot be now."""
        try:
            make_folder(self.folder)
            with self._alone():
                path = self._newest()
                if path is None:
                    return self._first()
            return Store(path)
        except DamagedError as wrong:
            return self._mend(wrong)
        except WriteError as wrong:
            if not self._is_damage(wrong):
                raise
            return self._mend(DamagedError(str(wrong)))
        except OSError as error:
            raise refused(error, self.folder) from None

    def _first(self) -> Store:
        """A journal where there was none, unless something tells that there was."""
        if self._generations() or any((self.folder / COPIES).glob(f"*{SUFFIX}")):
            raise DamagedError(f"{self.folder}: the journal is gone")
        return self._build({}, 1)

    def _mend(self, wrong: DamagedError) -> Store:
        """A new generation of what is sound; the damaged one stays as it is."""
        try:
            return self._mended(wrong)
        except OSError as error:
            raise refused(error, self.folder) from None

    def _mended(self, wrong: DamagedError) -> Store:
        with self._alone():
            path = self._newest()
            if path is not None:
                # Somebody else may have mended it while this one waited.
                try:
                    return _checked(path)
                except DamagedError as again:
                    wrong = again
                except ReadOnlyError as again:
                    wrong = DamagedError(str(again))
            last = max(self._generations(), default=0)
            head = read_head(path.with_suffix(".head") if path else self._file(last, ".head"))
            most = 0 if head is None else head.entries
            found = gather(path, self.folder / COPIES, most)
            # What is left of an older one, a note or a log, must not be taken for the new one's.
            store = self._build(found, last + 1)
        self.notes.append(told(wrong, path, found, most))
        return store

    def _build(self, found: dict[str, Found], generation: int) -> Store:
        """A journal file of these entries, there as a whole or not at all."""
        path = self._file(generation)
        for stale in self.folder.glob("*.new*"):
            stale.unlink()
        new = path.with_suffix(".new")
        try:
            with Store(new) as store:
                _fill(store, found)
                store.flush()
        except WriteError:
            for half in self.folder.glob("*.new*"):
                half.unlink()
            raise
        with new.open("rb") as file:
            os.fsync(file.fileno())
            hand_over(file.fileno(), self.folder)
        new.with_suffix(".head").unlink(missing_ok=True)
        new.replace(path)
        flush_folder(self.folder)
        return Store(path)

    def _aside(self, wrong: WriteError) -> Store:
        """What can be read, else what its copies hold, elsewhere; for now nothing is kept."""
        self.read_only = str(wrong)
        self._scratch = tempfile.TemporaryDirectory(prefix="pilewatch-", dir=_memory())
        place = Path(self._scratch.name)
        newest = self._newest()
        try:
            if newest is not None:
                return _copied(newest, place)
        except (OSError, DamagedError, WriteError):
            self.notes.append(f"{newest}: the journal cannot be read; its copies are shown.")
        store = Store(place / "copies.db")
        _fill(store, gather(None, self.folder / COPIES, 0))
        return store

    def _writable(self) -> None:
        if self.read_only is not None:
            self._come_back(self.read_only)
        newest = self._newest()
        if newest is not None and newest != self._store.path:
            # Another process has mended it; what is written to the old one would be lost.
            self._store.close()
            self._store = Store(newest)

    def _come_back(self, why: str) -> None:
        """Go on in the journal's own folder, if there is room again; WriteError if there is not."""
        try:
            store = self._open_here()
        except WriteError:
            raise WriteError(why) from None
        self.close()
        self._store, self.read_only = store, None

    def _sound(self, act: Callable[[], _T]) -> _T:
        """What ``act`` returns, after mending the journal if that shows to be damaged.

        ``act`` asks for the store only when it is called: the second time it is another.
        """
        try:
            return act()
        except (DamagedError, WriteError) as wrong:
            if self._scratch or not self._is_damage(wrong):
                raise
            self._store.close()
            self._store = self._mend(DamagedError(str(wrong)))
            return act()

    def _is_damage(self, wrong: JournalError) -> bool:
        """Whether it is the file, not the card: that one takes a canary and gives it back."""
        if isinstance(wrong, DamagedError):
            return True
        return isinstance(wrong, ReadOnlyError) and self._canary() is None

    def _canary(self) -> str | None:
        """Why the card does not take a small file and give it back; None if it does."""
        canary = self.folder / "canary"
        try:
            write_whole(canary, b"canary")
            if canary.read_bytes() == b"canary":
                return None
        except (OSError, WriteError) as wrong:
            return str(wrong)
        finally:
            with suppress(OSError):
                canary.unlink(missing_ok=True)
        return f"{self.folder}: what is written does not come back; the card may be worn out"

    def _newest(self) -> Path | None:
        files = [self._file(generation) for generation in self._generations()]
        return next((path for path in reversed(files) if path.exists()), None)

    def _generations(self) -> list[int]:
        """The numbers of which there is anything, be it only what lay beside a journal."""
        found = self.folder.glob("journal-*")
        named = (re.match(r"journal-(\d+)\.(db|head)", each.name) for each in found)
        return sorted({int(each[1]) for each in named if each and int(each[1])})

    def _file(self, generation: int, suffix: str = ".db") -> Path:
        return self.folder / f"journal-{generation}{suffix}"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other process makes or mends the journal."""
        with open_lock(self.folder / "journal.lock") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _memory() -> Path | None:
    """A folder in memory, where there is one: a full disk may hold the temporary files, too."""
    folder = Path("/dev/shm")  # noqa: S108 - what is made there has a name of its own
    return folder if os.access(folder, os.W_OK) else None


def _fill(store: Store, found: dict[str, Found]) -> None:
    """Write what was found into an empty store, each night up to the first entry it lacks."""
    for mark, night in sorted(found.items(), key=lambda each: each[1].number):
        entries = night.unbroken()
        if entries:
            store.append(mark, entries, night.number)


def _copied(path: Path, folder: Path) -> Store:
    """A journal file copied into a folder, with the log beside it."""
    for name in (path.name, f"{path.name}-wal"):
        if path.with_name(name).exists():
            shutil.copyfile(path.with_name(name), folder / name)
    return Store(folder / path.name)


def _checked(path: Path) -> Store:
    store = Store(path)
    try:
        store.check()
    except BaseException:
        store.close()
        raise
    return store
