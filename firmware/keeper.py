"""The keeper of the score: what the director judges goes into the journal before it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from engine.errors import PilewatchError
from engine.game import Game
from engine.setup import Setup
from firmware.director import Director
from firmware.fixes import Doing, judged
from firmware.inbox import Correction
from firmware.journal import BehindError, NoRoomError, WriteError
from firmware.night.acts import (
    Act,
    Agreed,
    Began,
    Closed,
    Did,
    Ended,
    Joined,
    Left,
    NightError,
    PlayedOn,
    Reopened,
    Seated,
)
from firmware.night.book import Book
from firmware.night.night import Night, taken_down
from firmware.tell import Noted
from firmware.words import say

_BESIDE = (Joined, Left, Seated, Agreed, Closed, Reopened)
"""Acts that leave the game that is on as it is."""


@dataclass(frozen=True)
class Seating:
    """What is to be played: ``setup``, and the ``game`` that goes on, None if it is new.

    ``undealt``: the journal does not know of it yet, for it cannot be written. ``over`` is the
    night that was over, so that this game is the first of another.
    """

    setup: Setup
    game: Game | None = None
    undealt: bool = False
    over: Night | None = None


def going_on(book: Book) -> Seating | None:
    """The game of the open night that is not finished, None if there is none."""
    current = None if book.night is None else book.night.current
    if current is None:
        return None
    game = current.game()
    return Seating(game.setup, game)


def deal(book: Book, setup: Setup, by_score: bool = True) -> Seating:
    """Begin a game: the night says who deals and begins, unless this is its first.

    Without ``by_score`` the set-up stands as it is: the game is being played already.
    Whoever is new sits down, whoever is missing has got up. Once somebody has the whole word it
    is the first game of another night, which is played for the same. A game that was not
    finished must be abandoned before (NightError).
    """
    return book.again(lambda: _dealt(book, setup, by_score))


def _dealt(book: Book, setup: Setup, by_score: bool) -> Seating:
    night = book.night or book.open_night()
    setup = replace(setup, players=tuple(map(night.spelt, setup.players)))
    batch: list[Act] = [Left(name) for name in night.seats if name not in setup.players]
    batch += [Joined(name) for name in setup.players if name not in night.seats]
    seats = [name for name in night.seats if name in setup.players]
    seats += [name for name in setup.players if name not in night.seats]
    if tuple(seats) != setup.players:
        batch.append(Seated(setup.players))
    if by_score:
        # With those who sit there by then: who has gone home neither deals nor begins.
        setup = reduce(Night.after, batch, night).next_setup(setup)
    if night.current is None and night.score.over:
        # With one stroke: a power cut leaves no night in which nobody sits.
        book.open_night(night.terms, (*map(Joined, setup.players), Began(setup)))
        return Seating(setup, over=night)
    book.write(*batch, Began(setup))
    return Seating(setup)


def deal_anyway(book: Book, setup: Setup) -> Seating:
    """As ``deal``; where nothing can be written now, that is left to the keeper."""
    night = book.night
    try:
        return deal(book, setup)
    except WriteError:
        return Seating(setup if night is None else night.next_setup(setup), undealt=True)


class Keeper:
    """Keeps one director's game in the book.

    While nothing can be written the game goes on, everybody is told so once, and what is
    missing is written as soon as that is possible again. ``make_room`` frees what can be
    spared on a full disk. ``seating`` is how the game was dealt.
    """

    def __init__(
        self,
        book: Book,
        seating: Seating,
        make_room: Callable[[], bool] = lambda: False,
    ) -> None:
        self._book = book
        self._undealt = seating.setup if seating.undealt else None
        self._over = seating.over
        self._make_room = make_room
        self._waiting: list[Act] = []
        self._set_aside: list[Doing] = []
        #: Why what is played is not being kept.
        self.trouble: PilewatchError | None = None
        self._director: Director | None = None
        self._game: int | None = None
        self._version = book.journal.version()

    @property
    def behind(self) -> int:
        """How many acts could not be written yet."""
        return len(self._waiting)

    def meet(self, director: Director) -> None:
        """``director`` is the one whose game this keeps."""
        self._director = director
        if self._undealt is not None:
            self._write()
        elif self._book.night is not None:
            self._game = len(self._book.night.rounds)
            self._tell_new_night(self._book.night)

    def record(self, number: int, doing: Doing) -> None:
        """Write down what was judged; called before anybody is told of it."""
        director, night = self._director, self._night()
        if director is None or night is None or not night.rounds:
            return
        ended = None if director.before.table.over else _ended(night)
        if ended is not None:
            # Somebody has put an end to it by hand, and that stands.
            self._set_aside.append(doing)
            self._complain(ended)
            return
        self._waiting += taken_down(night, [doing], director.before, director.game)
        self._write()

    def _night(self) -> Night | None:
        """The night as it will be once everything is written that waits."""
        night = self._book.night
        if self._undealt is not None:
            names = self._undealt.players
            night = Night(0, players=names, seats=names, open=True).after(Began(self._undealt))
        if night is not None and self._waiting:
            # Somebody may have closed it meanwhile; what waits is for when it goes on.
            night = reduce(Night.after, self._waiting, replace(night, open=True))
        return night

    def settle(self) -> bool:
        """Write what waits; returns whether nothing does any more."""
        if self._waiting:
            self._write()
        return not self._waiting

    def look(self) -> None:
        """Hear what another process has written meanwhile, and write what waits."""
        director = self._director
        version = self._book.journal.version()
        if director is None or self._undealt is not None or version == self._version:
            return
        self._version = version
        news = [act for act in self._book.news() if not isinstance(act, _BESIDE)]
        if any(isinstance(act, PlayedOn) for act in news):
            # What was judged since somebody ended the game is of the game after all.
            self._waiting += map(Did, self._set_aside)
            self._set_aside.clear()
        doings = [act.doing for act in news if isinstance(act, Did)]
        # With the last card of a game comes its end.
        single = len(doings) == 1 and all(isinstance(act, Did | Ended) for act in news)
        if single and not self._waiting:
            director.handle(Correction(director.frame, director.t, doings[0], kept=True))
            return
        if news:
            self._catch_up(director)
        over, night = director.game.table.over, self._book.night
        stopped = None if over or night is None else _ended(night) or _closed(night)
        if stopped is not None:
            # Said at once, and not only when the next card lands.
            self._complain(stopped)
        elif not over or self._waiting or self.trouble is not None:
            self._write()

    def _catch_up(self, director: Director) -> None:
        """The journal is right, whatever the director thought; behind it comes what waits."""
        night = self._book.night
        if night is None or len(night.rounds) != self._game:
            return
        night, game = replace(night, open=True), night.rounds[-1].game()
        doings = [act.doing for act in self._waiting if isinstance(act, Did)]
        self._waiting.clear()
        if not night.rounds[-1].unfinished and not game.table.over:
            self._set_aside += doings  # ended by hand, once more
            doings = []
        for doing in doings:
            try:
                after, _ = judged(game, doing)
                batch = taken_down(night, [doing], game, after)
                night, game = reduce(Night.after, batch, night), after
            except PilewatchError as wrong:
                # It came too late: who it was about has left, say, or has another name.
                self._tell("note.fix_refused", str(wrong))
            else:
                self._waiting += batch
        before = director.game.table
        director.adopt(game)
        if game.table != before and not game.table.over:
            count = game.table.pile.size if game.table.pile else 0
            self._tell("note.goes_on", say("note.goes_on", name=director.turn, count=count))

    def _write(self) -> None:
        try:
            self._write_behind_others()
        except NoRoomError as full:
            if not self._make_room():
                self._complain(full)
                return
            self._try_again()
        except (NightError, WriteError) as wrong:
            self._complain(wrong)

    def _try_again(self) -> None:
        try:
            self._write_behind_others()
        except (NightError, WriteError) as wrong:
            self._complain(wrong)

    def _write_behind_others(self) -> None:
        """Write what waits; if another process put the table right just now, that came first."""
        try:
            self._write_once()
        except BehindError:
            if self._director is not None:
                self._catch_up(self._director)
            self._write_behind_others()

    def _write_once(self) -> None:
        if self._undealt is not None:
            self._over = deal(self._book, self._undealt, by_score=False).over
            self._undealt = None
            self._game = len(self._book.opened.rounds)
            self._tell_new_night(self._book.opened)
        if len(self._book.opened.rounds) != self._game:
            raise NightError("another game has been begun since")
        if self._waiting:
            self._book.write(*self._waiting)
            self._waiting.clear()
        for note in self._book.journal.notes:
            self._tell("note.journal", say("note.journal", why=note))
        self._book.journal.notes.clear()
        if self.trouble is not None:
            self.trouble = None
            self._tell("note.kept_again", say("note.kept_again"))

    def _tell_new_night(self, night: Night) -> None:
        """Say that another night was begun, and why: nobody has asked for it."""
        over, self._over = self._over, None
        if self._director is not None and over is not None:
            loser = over.score.loser
            self._director.announce("note.new_night", name=loser, number=night.number)

    def _complain(self, wrong: PilewatchError) -> None:
        if self.trouble is None:
            self._tell("note.not_kept", say("note.not_kept", why=str(wrong)))
        self.trouble = wrong

    def _tell(self, key: str, text: str) -> None:
        director = self._director
        if director is not None:
            director.outputs.tell(Noted(director.frame, director.t, key, text))


def _ended(night: Night) -> NightError | None:
    """Why nothing can be added to the last game, None if it is not over."""
    last = night.rounds[-1]
    if last.unfinished:
        return None
    how = "has its result already" if last.abandoned is None else "was abandoned"
    return NightError(f"game {last.number} {how}; pilewatch night play-on goes on with it")


def _closed(night: Night) -> NightError | None:
    """Why nothing can be added to the night, None if it is open."""
    if night.open:
        return None
    go_on = f"pilewatch night resume {night.number} goes on with it"
    return NightError(f"night {night.number} was closed; {go_on}")
