"""The night's book: acts go into the journal first, and what they make of the night follows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from engine.errors import PilewatchError
from firmware import clock
from firmware.folders import forbidden, others, state_folder
from firmware.journal import (
    Addition,
    BehindError,
    ClosedError,
    Entry,
    Journal,
    JournalError,
    NightFile,
    WriteError,
    is_journal,
    packed,
)
from firmware.journal.head import Head
from firmware.night import acts
from firmware.night.acts import (
    Abandoned,
    Act,
    Closed,
    Edited,
    Ended,
    NightError,
    Opened,
    PlayedOn,
    Reopened,
)
from firmware.night.checking import checked
from firmware.night.night import Night
from firmware.night.scoring import PLAIN, Terms
from firmware.sources import is_virtual

FOLDER, TRIALS = "journal", "virtual"
NONE_KEPT = "no night has been kept yet; it begins with the first game"

_T = TypeVar("_T")

_SETTLES = (Ended, Edited, Abandoned, PlayedOn, Closed, Reopened)
"""Acts after which the night's copy is written anew."""


def now() -> str:
    """The device's clock as ISO 8601; it may be wrong, or be of no calendar and empty."""
    return clock.stamp(clock.now())


def open_book(folder: Path | None = None, new: bool = True) -> Book:
    """The book in a folder, or in the one where the device keeps it.

    NightError if there is no place for it, or if there is no journal, unless a ``new`` one may be
    made. WriteError where a journal is not ``new`` and nothing of it can be read, ClosedError
    where this user may not.
    """
    place = folder or usual_folder()
    try:
        return _opened(place, new, given=folder is not None)
    except PermissionError as error:
        raise ClosedError(forbidden(place, error.strerror)) from None


def book_at(source: str) -> Book:
    """The book of the table that a source shows; a virtual one, where nobody plays, has its own."""
    return open_book(usual_folder(TRIALS) if is_virtual(source) else None)


def _opened(folder: Path, new: bool, given: bool) -> Book:
    if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
        raise NightError(f"{folder}: expected the folder of a journal, this is none")
    if given and not new and not folder.exists():
        raise NightError(f"{folder}: expected the folder of a journal, there is none")
    if not is_journal(folder) and not new:
        # Whoever only asks leaves nothing behind, least of all as root.
        raise NightError(f"{folder}: {NONE_KEPT}{others(folder)}")
    book = Book(Journal(folder, now, lambda: secrets.token_hex(8)))
    if not new and book.journal.read_only and not book.journal.nights():
        book.close()
        raise WriteError(book.journal.read_only)
    return book


def usual_folder(name: str = FOLDER) -> Path:
    """Where the device keeps its nights, or by another ``name`` those of a virtual table."""
    state = state_folder()
    if state is None:
        raise NightError("there is no home folder to keep the night in; set STATE_DIRECTORY")
    return state / name


class Book(AbstractContextManager["Book"]):
    """All nights; ``night`` is the one that is open, None if none is.

    Another process may have closed it since it was last read. ``left`` is the one that was
    closed when that was opened here, None if none was open. What cannot be read is mended by
    the journal; ``journal.notes`` tell of it.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.night: Night | None = None
        self.left: Night | None = None
        self._entries: list[Entry] = []
        self._mark = ""
        self.find()

    @property
    def count(self) -> int:
        """How many entries the open night has."""
        return len(self._entries)

    def close(self) -> None:
        """Let go of the journal."""
        self.journal.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing -----------------------------------------------------------------------------

    def open_night(self, terms: Terms = PLAIN, first: Sequence[Act] = ()) -> Night:
        """Begin a new night with its first acts; with the same stroke the open one is closed."""
        batch = (Opened(terms), *first)
        Night.fold(batch)

        def change() -> int:
            since, closing = self._closing()
            return self.journal.begin([_pair(act) for act in batch], closing, since)

        return self._gone_over(self.again(change))

    def resume(self, number: int) -> Night:
        """Go on with a night that was closed; with the same stroke the open one is closed."""

        def change() -> None:
            since, closing = self._closing()
            if self.night is not None and self.night.number == number:
                self.left = None
                return
            self.read(number)
            after = len(self.journal.read(number))
            self.journal.append(number, after, [_pair(Reopened())], closing, since)

        self.again(change)
        return self._gone_over(number)

    def _closing(self) -> tuple[Head, list[Addition]]:
        """How much has been written, and what closes the night that is open by then."""
        self._make_good()
        # In this order: whatever comes in between makes the writing fail, and is asked anew.
        end = self.journal.end()
        self.find()
        self.left = self.night
        if self.night is None:
            return end, []
        return end, [Addition(self.night.number, self.count, [_pair(Closed())])]

    def _gone_over(self, number: int) -> Night:
        """The night of this number, open now unless somebody has closed it since."""
        if self.left is not None:
            self._copy(self.left.number)
        return self._load(number)

    def write(self, *batch: Act) -> Night:
        """Put acts of the open night into the journal, all or none; they are kept on return.

        NightError if they cannot be, WriteError if they cannot be written now, BehindError
        if another process wrote something meanwhile: then the night is as that left it.
        """
        night = self.opened
        for act in batch:
            night.allow(act)
            night = night.after(act)
        pairs = [_pair(act) for act in batch]
        try:
            new = self.journal.append(night.number, self.count, pairs)
        except WriteError:
            raise
        except JournalError:
            if not self._make_good():
                # Kept even if it is over by now: who plays in it is to hear that of the night.
                self.night = self._load(night.number)
                raise
            new = self.journal.append(night.number, self.count, pairs)
        self._entries += new
        self.night = night if night.open else None
        if any(isinstance(act, _SETTLES) for act in batch):
            self._copy(night.number)
        return night

    def again(self, change: Callable[[], _T]) -> _T:
        """What ``change`` returns; asked anew as long as other processes come before it."""
        while True:
            # Each time somebody else was done, so that this ends.
            try:
                return change()
            except BehindError:
                self.find()

    def _make_good(self) -> bool:
        """Write again what damage took of the open night; False if all of it is there.

        The file may be damaged under our hands, but what it held is still known here.
        """
        if self.night is None or not self._lost(self.night.number):
            return False
        self.journal.insert(NightFile(self._mark, self.night.number, tuple(self._entries)))
        return True

    def _lost(self, number: int) -> bool:
        """Whether the journal has less of the open night than is known here."""
        if number not in self.journal.nights():
            return True
        kept = self.journal.read(number)
        return len(kept) < self.count and kept == self._entries[: len(kept)]

    def _copy(self, number: int) -> None:
        """Write the night's copy; what it was made of stands even if that fails."""
        try:
            self.journal.copy(number)
        except WriteError as wrong:
            self.journal.notes.append(f"The copy of night {number} could not be made: {wrong}.")

    def edit(self, number: int, *batch: Act) -> Night:
        """Put acts into a night that need not be the open one."""
        if self.night is not None and self.night.number == number:
            return self.write(*batch)
        entries = self.journal.read(number)
        night = _fold(entries, number)
        for act in batch:
            night.allow(act)
            night = night.after(act)
        self.journal.append(number, len(entries), [_pair(act) for act in batch])
        self._copy(number)
        return night

    def take_in(self, whole: NightFile, where: str) -> tuple[int, int]:
        """Add a night that comes from elsewhere; returns its number and how many entries are new.

        It keeps its number; if another night here has that, it gets the next free one, and that
        is noted. One that is still on there goes on here, unless another is on; then ``resume``
        goes on with it. One that has gone on here in another way becomes a night of its own.
        NightError names ``where`` it comes from if it is no night that can be.
        """
        still_on = checked(whole, where).open
        # What comes from elsewhere gets no entry here, for it may go on there.
        stays = None if self.night is None or not still_on else self._staying(self.night)
        number, new = self.journal.insert(whole, stays)
        if new and number in self._numbers_of_others(whole.mark):
            self.journal.notes.append(
                f"{where}: this night has gone on here in another way; it is night {number} now,"
                " beside the other."
            )
        elif new and number != whole.number:
            self.journal.notes.append(
                f"{where}: what was night {whole.number} there is night {number} here."
            )
        if new:
            self._copy(number)
            self.find()
        return number, new

    def _staying(self, night: Night) -> Addition:
        """What lets the open night be the one that goes on here, though another comes in."""
        return Addition(night.number, self.count, [_pair(Reopened())])

    def _numbers_of_others(self, mark: str) -> list[int]:
        """The numbers of all nights but the one of this mark."""
        return [number for number, each in self.journal.nights().items() if each != mark]

    def news(self) -> list[Act]:
        """The acts that another process has put into the open night since they were last read."""
        if self.night is None:
            return []
        entries = self.journal.read(self.night.number, self.count)
        found = [_act(entry) for entry in entries]
        for act in found:
            self.night = self.night.after(act)
        self._entries += entries
        return found

    # -- reading -----------------------------------------------------------------------------

    def read(self, number: int) -> Night:
        """A whole night, its plays included; PilewatchError if there is none of that number."""
        return _fold(self.journal.read(number), number) if self._has(number) else self._none(number)

    def nights(self) -> list[Night]:
        """All nights in order, without what happened in the games."""
        return [_fold(entries, number) for number, entries in self.journal.acts().items()]

    def last_number(self) -> int:
        """The number of the open night, or of the last one; NightError if there is none."""
        if self.night is not None:
            return self.night.number
        numbers = list(self.journal.nights())
        if not numbers:
            raise NightError(NONE_KEPT)
        return numbers[-1]

    def _has(self, number: int) -> bool:
        return number in self.journal.nights()

    def _none(self, number: int) -> Night:
        last = max(self.journal.nights(), default=None)
        kept = "none has been kept yet" if last is None else f"the last one is {last} (night list)"
        raise NightError(f"there is no night {number}; {kept}")

    @property
    def opened(self) -> Night:
        """The night that is open; NightError if none is."""
        if self.night is None:
            raise NightError("no night is open; one begins with the first game")
        return self.night

    def find(self) -> None:
        """Read the night that is open by now."""
        self.night = None
        number = self._open_number()
        while number is not None and self.night is None:
            self._load(number)
            # Reading may have mended the journal, and then it may be another.
            last, number = number, self._open_number()
            if number == last:
                break

    def _load(self, number: int) -> Night:
        # Read first: that finds out damage, and mends it.
        self._entries = self.journal.read(number)
        night = _fold(self._entries, number)
        self.night = night if night.open else None
        self._mark = self.journal.mark(number) if self._entries else ""
        return night

    def _open_number(self) -> int | None:
        """The night that is not closed, of several the one that was opened last here."""
        kinds = self.journal.doors((acts.OPENED, acts.CLOSED, acts.REOPENED))
        return next((night for night in reversed(kinds) if kinds[night] != acts.CLOSED), None)


def _pair(act: Act) -> tuple[str, str]:
    return acts.kind_of(act), packed(acts.to_json(act))


def _act(entry: Entry) -> Act:
    return acts.act_of(entry.kind, entry.body)


def _fold(entries: list[Entry], number: int) -> Night:
    try:
        return Night.fold(map(_act, entries), number, entries[0].at if entries else "")
    except PilewatchError as wrong:
        raise NightError(f"night {number} cannot be read: {wrong}") from wrong
