"""The director's desk: the game, what is open, and how it is judged and told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from engine.cards import Card
from engine.game import Game
from engine.ruling import Ruling
from engine.setup import Setup
from engine.verdict import Must, Verdict
from firmware import scene
from firmware.fixes import Doing, judged
from firmware.panel import Notice, Out, Screen, Splash
from firmware.tell import Announcement, Called, Listener, Noted, Outputs, Shown
from firmware.words import say
from vision.observation import Landed, Observation, Unsure

#: Seconds that a passing screen stays, and the first one of all.
PASSING, SPLASH = 2.5, 1.5


class Eyes(Protocol):
    """What the director asks of the watcher."""

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        """The question was about ``card``; returns what landed after all."""
        ...

    def forget(self) -> None:
        """The cards that lie there are gone as far as the game is concerned."""
        ...


class Moment(Protocol):
    """A frame and its time in seconds."""

    @property
    def frame(self) -> int:
        """The number of the frame."""
        ...

    @property
    def t(self) -> float:
        """Seconds from the first frame."""
        ...


@dataclass(frozen=True)
class Laid:
    """The last play that stands, while it can still be taken back or added to.

    ``steps`` are the undos that take it back, ``added`` the cards that only *next* told of.
    """

    number: int
    cards: tuple[Card, ...]
    t: float
    player: str | None
    steps: int = 1
    added: int = 0


@dataclass(frozen=True)
class Refused:
    """Cards that lie on the pile and do not count; ``doubt`` may be what they really are."""

    frame: int
    t: float
    number: int
    cards: tuple[Card, ...]
    ruling: Ruling
    player: str | None
    doubt: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Gone:
    """The pile went and nobody said why."""

    frame: int
    t: float
    asked: bool = False


@dataclass(frozen=True)
class Owed:
    """The pile has to go: after a burn, or because a pickup was pressed."""

    burn: bool
    t: float
    player: str | None
    removed: int = 0
    reminded: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the fix menu: what it does, one after another, or the lines behind it."""

    label: str
    doings: tuple[Doing, ...] = ()
    more: tuple[Line, ...] = ()


class Desk:
    """One game at one table, and what is open in it.

    ``before`` is the game without the last event, whichever that was.
    ``questions`` are the cards that could not be read, ``choice`` the candidate pointed at;
    ``mismatch`` is what lies there after a restart in place of what should;
    ``menu`` is the fix menu while it is open, ``line`` the one pointed at;
    ``refused`` lies there and does not count; ``gone`` and ``owed`` are about a pile that
    went, or has to. ``last`` is the last call that changed something.
    """

    def __init__(
        self,
        setup: Setup,
        eyes: Eyes,
        listeners: Iterable[Listener] = (),
        record: Callable[[int, Doing], None] = lambda number, doing: None,
    ) -> None:
        self.setup = setup
        self.game = self.before = Game.new(setup)
        self.eyes = eyes
        self.outputs = Outputs(listeners)
        self._record = record
        self.events = 0
        self.frame, self.t = 0, 0.0
        self.questions: list[Unsure] = []
        self.choice = 0
        self.refused: Refused | None = None
        self.gone: Gone | None = None
        self.owed: Owed | None = None
        self.last: Called | None = None
        self.menu: tuple[Line, ...] = ()
        self.line = 0
        self.mismatch: tuple[Card, ...] | None = None
        self._laid: Laid | None = None
        self._lifted: Laid | None = None
        self._held: list[Landed] = []
        self._seen_off = 0  # the event by which a pile that was owed went, without a press
        self._passing: tuple[Screen, float] | None = (
            Splash(setup.rules.name, setup.players),
            SPLASH,
        )
        self._screen: Screen | None = None
        self._prior: dict[Card, float] | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.table.over

    @property
    def turn(self) -> str | None:
        """The player who acts next."""
        return self.game.table.name(self.game.table.turn)

    @property
    def must_pick_up(self) -> bool:
        """Whether a card that failed lies on the pile, to be taken with it."""
        return self.game.table.must is Must.PICKUP

    @property
    def must_turn_card(self) -> bool:
        """Whether the rules want a card turned first."""
        return self.setup.rules.turned_card and not self.game.table.begun

    def adopt(self, game: Game) -> None:
        """Go on from this game: nothing that was open in the one before is so any more."""
        self.setup, self.game, self.events = game.setup, game, game.count
        self.before = game
        self.questions.clear()
        self._held.clear()
        self.refused = self.gone = self.owed = self.last = None
        self._laid = self._lifted = None

    def announce(self, key: str, **what: object) -> None:
        """Say a line of the catalogue, and show it for a moment."""
        self._pass(Notice(say(key, **what)))
        self._note(key, **what)

    def _judge(
        self, event: Doing, when: Moment, host: bool = False, kept: bool = False
    ) -> tuple[int, Ruling]:
        """Judge, write down (unless it is ``kept`` already), and only then tell."""
        player, table = self.turn, self.game.table
        before = table.pile.size if table.pile else 0
        after, ruling = judged(self.game, event)
        self.before, self.game = self.game, after
        self.events += 1
        if not kept:
            self._record(self.events, event)
        called = Called(when.frame, when.t, self.events, event, ruling, player, before, host)
        if ruling.verdict is Verdict.LEGAL:
            self.last = called
        self._tell(called)
        if len(ruling.out) > len(table.out) and not self.over:
            self._pass(Out(ruling.out[-1], len(ruling.out)))
        return self.events, ruling

    def _note(self, key: str, **what: object) -> None:
        self._tell(Noted(self.frame, self.t, key, say(key, **what)))

    def _tell(self, announcement: Announcement) -> None:
        self.outputs.tell(announcement)

    def _pass(self, screen: Screen) -> None:
        self._passing = (screen, self.t + PASSING)

    def _show(self) -> None:
        if self._passing and self.t >= self._passing[1]:
            self._passing = None
        screen = self._passing[0] if self._passing else scene.of(self)
        if screen != self._screen:
            self._screen = screen
            self._tell(Shown(self.frame, self.t, screen))
