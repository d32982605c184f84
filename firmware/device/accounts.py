"""The score of the night for the appliance: kept where it can be, made up for where it could not.

The keeper bears a disk that fails in the middle of a game. Here is what comes before it: a journal
that cannot be opened, or not be written when a game begins. The game is played all the same, and
what happened in it is written as soon as that is possible.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from functools import reduce

from engine.errors import PilewatchError
from engine.game import Game
from engine.setup import Setup
from firmware.director import Director
from firmware.fixes import Doing, judged
from firmware.journal import JournalError, WriteError
from firmware.keeper import Seating, deal, going_on
from firmware.keeping import Keeping
from firmware.night.acts import Abandoned, Act
from firmware.night.book import Book
from firmware.night.night import Night, taken_down
from vision.frame import Frame

log = logging.getLogger("pilewatch")

#: Seconds until a journal that could not be written is tried again.
RETRY = 5.0


class Accounts:
    """Opens the book, begins games in it, and keeps them.

    ``tell`` hears once what is wrong, and None when all is well again: with ``score`` of the disk,
    with ``night`` of a journal that could be written, but has no place for what is played.
    """

    def __init__(
        self, open_book: Callable[[], Book], tell: Callable[[str, str | None], None]
    ) -> None:
        self._open, self._tell = open_book, tell
        self.book: Book | None = None
        self._keeping: Keeping | None = None
        self._unsettled: Keeping | None = None  # the last game's, while it waits for the disk
        self._setup: Setup | None = None
        self._director: Director | None = None
        self._waiting: list[tuple[int, Doing]] = []
        self._again_at = 0.0
        self._told: set[str] = set()
        self._try_open()

    @property
    def night(self) -> Night | None:
        """The night that is on, as far as it could be read."""
        return None if self.book is None else self.book.night

    def names(self, most: int = 40) -> tuple[str, ...]:
        """Who has played here, the latest nights first."""
        if self.book is None:
            return ()
        with contextlib.suppress(PilewatchError, OSError):
            nights = reversed(self.book.nights()[-10:])
            return tuple(dict.fromkeys(name for night in nights for name in night.players))[:most]
        return ()

    def waiting_game(self) -> Seating | None:
        """The game that was not finished, None if there is none."""
        if self.book is None:
            return None
        with contextlib.suppress(PilewatchError):
            return going_on(self.book)
        return None

    def begin(self, setup: Setup) -> Setup:
        """Begin a game; the night says who deals. Returns the set-up that is played."""
        self.end()
        self._setup = setup
        before = self._unsettled
        if before is not None and not isinstance(before.keeper.trouble, JournalError):
            self._unsettled = None  # somebody has ended it by hand: it holds up no other game
        if not self._settled():
            self._complain(WriteError("the game before cannot be written"))
        elif self.book is not None:
            try:
                self._abandon_waiting(self.book)
                seating = deal(self.book, setup)
            except PilewatchError as wrong:
                self._complain(wrong)
            else:
                self._setup = seating.setup
                self._keeping = Keeping(self.book, seating)
        return self._setup

    def go_on(self, seating: Seating) -> None:
        """Go on with the game that was not finished."""
        self.end()
        self._setup = seating.setup
        if self.book is not None:
            self._keeping = Keeping(self.book, seating)

    def end(self) -> None:
        """The game is over, or left; what of it could not be written is kept for later."""
        if self._keeping is not None and not self._keeping.keeper.settle():
            self._unsettled = self._keeping
        self._keeping = self._director = self._setup = None
        self._waiting.clear()

    def meet(self, director: Director) -> None:
        """Keep this director's game from now on."""
        self._director = director
        if self._keeping is not None:
            self._keeping.meet(director)

    def record(self, number: int, doing: Doing) -> None:
        """Write down what was judged, before anybody hears of it."""
        if self._keeping is not None:
            self._keeping.keeper.record(number, doing)
            self._tell_trouble(self._keeping)
        else:
            self._waiting.append((number, doing))

    def after(self, frame: Frame) -> None:
        """A frame has been seen and told of."""
        if self._keeping is not None:
            self._keeping.after(frame)
            self._tell_trouble(self._keeping)

    def tick(self, now: float) -> None:
        """Try again what could not be done; write what waits."""
        if now < self._again_at:
            return
        self._again_at = now + RETRY
        if not self._settled():
            return
        if self._keeping is not None:
            self._keeping.keeper.look()
            self._keeping.keeper.settle()
        elif self.book is None:
            self._try_open()
        if self.book is None:
            return
        if self._keeping is None and self._setup is not None and self._director is not None:
            self._make_up(self.book, self._setup, self._director)
        elif self._keeping is not None and self._keeping.keeper.trouble is not None:
            self._tell_trouble(self._keeping)
        elif self._told and self.book.journal.refusal() is None:
            self._well()

    def close(self) -> None:
        """Let go of the book."""
        book, self.book = self.book, None
        if book is not None:
            book.close()

    # -- what may fail -----------------------------------------------------------------------

    def _settled(self) -> bool:
        """Whether all of the game before is written, after another attempt."""
        if self._unsettled is not None:
            self._unsettled.keeper.look()
            if self._unsettled.keeper.settle():
                self._unsettled = None
        return self._unsettled is None

    def _try_open(self) -> None:
        try:
            self.book = self._open()
        except (PilewatchError, OSError) as wrong:
            self._complain(wrong)
            return
        # A card that went read-only can be read, and so it opens like any other.
        refusal = self.book.journal.refusal()
        if refusal is None:
            self._well()
        else:
            self._complain(WriteError(refusal))

    def _make_up(self, book: Book, setup: Setup, director: Director) -> None:
        """Write down a game that has begun unwritten, as it was played."""
        try:
            self._abandon_waiting(book)
            keeping = Keeping(book, deal(book, setup, by_score=False))
            early = _kept_late(book.opened, setup, [doing for _, doing in self._waiting[:-1]])
            if early:
                book.write(*early)
        except PilewatchError as wrong:
            self._complain(wrong)
            return
        keeping.meet(director)
        # The last one by the keeper, who knows when a game is over.
        for number, doing in self._waiting[-1:]:
            keeping.keeper.record(number, doing)
        self._waiting.clear()
        self._keeping = keeping
        self._well()

    @staticmethod
    def _abandon_waiting(book: Book) -> None:
        def change() -> None:
            book.find()  # somebody may have closed the night, and another begins then
            if book.night is not None and book.night.current is not None:
                book.write(Abandoned("another game was begun"))

        book.again(change)

    def _tell_trouble(self, keeping: Keeping) -> None:
        if keeping.keeper.trouble is not None:
            self._complain(keeping.keeper.trouble)

    def _complain(self, wrong: PilewatchError | OSError) -> None:
        about = "score" if isinstance(wrong, JournalError | OSError) else "night"
        if about not in self._told:
            self._told.add(about)
            log.warning("pilewatch: %s: nothing is being kept (%s)", about, wrong)
            self._tell(about, str(wrong))

    def _well(self) -> None:
        for about in sorted(self._told):
            log.info("pilewatch: %s: is being kept again", about)
            self._tell(about, None)
        self._told.clear()


def _kept_late(night: Night, setup: Setup, doings: list[Doing]) -> list[Act]:
    """The acts by which the doings of a game are written down that could not be at the time."""
    game, batch = Game.new(setup), list[Act]()
    for doing in doings:
        after, _ = judged(game, doing)
        acts = taken_down(night, [doing], game, after)
        night, game = reduce(Night.after, acts, night), after
        batch += acts
    return batch
