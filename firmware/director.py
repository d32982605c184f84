"""The director: takes every message in turn, asks the referee, and tells the outputs.

It alone changes the game. Its only clock is the time stamp of the messages, so the same
messages always make the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from engine.cards import Card
from engine.events import Amend, Event, Overrule, PickUp, Play, Start, Undo
from engine.game import Game
from engine.ruling import Ruling
from engine.setup import Setup
from engine.verdict import Must, Verdict
from firmware import scene
from firmware.inbox import Button, Correction, Message, Press, Seen
from firmware.panel import Out, Screen, Splash
from firmware.tell import (
    Announcement,
    Asked,
    Asking,
    Called,
    Listener,
    Noted,
    Observed,
    Outputs,
    Shown,
)
from firmware.words import say
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn

#: Seconds. How long *next* adds one of the same to the last play.
ADD_WINDOW = 3.0
#: How long a pile that went without a word may wait for its press before anyone is asked.
PICKUP_GRACE = 2.0
#: After a press and no sign of the pile going: one reminder.
REMIND_AFTER = 10.0
#: A card lifted off just before the rest of the pile was lifted with it.
LIFT_WINDOW = 3.0
#: A question about a card is settled by this much quiet.
QUIET_SETTLES = 8.0
#: How long a passing screen stays.
PASSING = 2.5
SPLASH = 1.5

ORDER = (Cleared, Withdrawn, Unsure, Landed)


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
    """The last play that stands, while it can still be taken back or added to."""

    number: int
    cards: tuple[Card, ...]
    t: float
    player: str | None


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


class Director:
    """One game at one table.

    ``record`` is called with every event before it is announced: the journal's place.
    """

    def __init__(
        self,
        setup: Setup,
        eyes: Eyes,
        listeners: Iterable[Listener] = (),
        record: Callable[[int, Event], None] = lambda number, event: None,
    ) -> None:
        self.setup = setup
        self.game = Game.new(setup)
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
        self.last: Called | None = None  # the last that changed something
        self._laid: Laid | None = None
        self._lifted: Laid | None = None
        self._held: list[Landed] = []
        self._passing: tuple[Screen, float] | None = (
            Splash(setup.rules.name, setup.players),
            SPLASH,
        )
        self._screen: Screen | None = None
        self._prior: dict[Card, float] | None = None

    # -- the inbox ---------------------------------------------------------------------------

    def handle(self, message: Message) -> None:
        """Take one message; everything that follows from it happens before this returns."""
        self.frame, self.t = message.frame, message.t
        self._prior = None
        if isinstance(message, Seen):
            self._see(message.observations)
        elif isinstance(message, Press):
            self._press(message)
        elif isinstance(message, Correction):
            self._correct(message.event)
        else:
            self._tick()
        self._show()

    def finish(self) -> None:
        """No more frames will come: ask what would have been asked in a moment."""
        if self.gone and not self.gone.asked:
            self._ask_picked_up(self.gone)
            self._show()

    def prior(self, card: Card) -> float:
        """How likely ``card`` is the next to be laid, before anyone has looked; 0: impossible."""
        if self._prior is None:
            game = self.game.judge(PickUp())[0] if self.gone else self.game
            self._prior = game.ledger.prior(game.table.turn)
        return self._prior.get(card, 0.0)

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

    # -- what the camera sees ----------------------------------------------------------------

    def _see(self, observations: tuple[Observation, ...]) -> None:
        if self.over:
            return
        for observation in sorted(observations, key=lambda each: ORDER.index(type(each))):
            if isinstance(observation, Cleared):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._cleared(observation)
            elif isinstance(observation, Withdrawn):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._withdrawn(observation)
            elif isinstance(observation, Unsure):
                self._unsure(observation)
            else:
                self._landed(observation)

    def _landed(self, landed: Landed) -> None:
        if self.questions and landed.frame != self.questions[0].frame:
            self._settle_all()
        self._tell(Observed(landed.frame, landed.t, landed))
        self._held.append(landed)
        # Cards that came to rest together are one play, so it waits for the unsure ones.
        if not self.questions:
            self._lay_held()

    def _lay_held(self) -> None:
        if self._held:
            cards = tuple(card for landed in self._held for card in landed.cards)
            when = self._held[0]
            self._held.clear()
            self._lay(cards, when)

    def _lay(self, cards: tuple[Card, ...], when: Moment) -> None:
        if self.owed:
            self.eyes.forget()
            self.owed = None
        if self.gone:
            self._judge(PickUp(), self.gone)
            self.gone = None
        if self.refused and self.refused.doubt:
            self._believe_doubt()
        self.refused = self._laid = self._lifted = None
        if self.must_turn_card:
            self._judge(Start(cards[0]), when)
            cards = cards[1:]
        if cards:
            self._play(cards, when)

    def _play(self, cards: tuple[Card, ...], when: Moment) -> None:
        player = self.turn
        number, ruling = self._judge(Play(cards), when)
        if ruling.verdict is Verdict.LEGAL:
            self._stands(number, cards, ruling, player)
            return
        doubt: tuple[Card, ...] = ()
        if ruling.verdict is Verdict.IMPOSSIBLE:
            doubt = self._second_reading(cards)
        self.refused = Refused(when.frame, when.t, number, cards, ruling, player, doubt)
        if doubt:
            self._tell(Asked(self.frame, self.t, Asking.IMPOSSIBLE, (doubt[-1], cards[-1])))

    def _stands(
        self, number: int, cards: tuple[Card, ...], ruling: Ruling, player: str | None
    ) -> None:
        self._laid = Laid(number, cards, self.t, player)
        self.refused = None
        if ruling.burn:
            self.owed = Owed(True, self.t, player, ruling.removed)

    def _second_reading(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards without their suits, if so they can be: a suit is what is misread most."""
        bare = tuple(card if card.suit is None else Card(card.rank, None) for card in cards)
        if bare == cards:
            return ()
        _, ruling = self.game.judge(Play(bare))
        return () if ruling.verdict is Verdict.IMPOSSIBLE else bare

    def _believe_doubt(self) -> None:
        if self.refused and self.refused.doubt:
            refused, self.refused = self.refused, None
            self._play(refused.doubt, refused)

    def _unsure(self, unsure: Unsure) -> None:
        if self.questions and unsure.frame != self.questions[0].frame:
            self._settle_all()
        self.questions.append(unsure)
        self._tell(Observed(unsure.frame, unsure.t, unsure))
        if len(self.questions) == 1:
            self.choice = 0
            self._ask_which()

    def _ask_which(self, again: bool = False) -> None:
        question = self.questions[0]
        self._tell(
            Asked(self.frame, self.t, Asking.WHICH, question.candidates, self.choice, None, again)
        )

    def _settle_all(self) -> None:
        while self.questions:
            self._settle()

    def _settle(self) -> None:
        """The candidate that is pointed at counts."""
        question = self.questions.pop(0)
        card = question.candidates[self.choice]
        self.choice = 0
        for observation in self.eyes.settle(question.id, card):
            if isinstance(observation, Landed):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._held.append(observation)
        if not self.questions:
            self._lay_held()
        else:
            self._ask_which()

    def _withdrawn(self, withdrawn: Withdrawn) -> None:
        if self.owed or self.gone:
            return  # the pile is on its way out, in handfuls
        if self.questions and set(withdrawn.cards) & set(self.questions[0].candidates):
            self.questions.clear()
            self._held.clear()
        elif self.refused:
            left = without(self.refused.cards, withdrawn.cards)
            if len(left) < len(self.refused.cards):
                self.refused = None
                if left:
                    self._play(left, withdrawn)
                else:
                    self._note("note.same_turn", name=self.turn)
        elif self._laid and not self.must_pick_up:
            left = without(self._laid.cards, withdrawn.cards)
            if not left:
                self._lifted, self._laid = replace(self._laid, t=self.t), None
                self._judge(Undo(), withdrawn)
                self._note("note.taken_back")
            elif len(left) < len(self._laid.cards):
                self._amend(left)

    def _cleared(self, cleared: Cleared) -> None:
        self._settle_as_burn()
        if self.owed:
            self.owed = None
            return
        if self._lifted and self.t - self._lifted.t <= LIFT_WINDOW:
            # Its top went first, the rest followed: nobody took a card back.
            cards, self._lifted = self._lifted.cards, None
            self._play(cards, cleared)
        self._laid = self.refused = None
        if self.must_pick_up:
            self._judge(PickUp(), cleared)
        elif self.game.table.pile is not None:
            self.gone = Gone(cleared.frame, cleared.t)

    def _settle_as_burn(self) -> None:
        """The pile went while a card was in question: if one reading burns, it was that."""
        if not self.questions:
            return
        for i, card in enumerate(self.questions[0].candidates):
            _, ruling = self.game.judge(Play((card,)))
            if ruling.burn:
                self.choice = i
                break
        self._settle_all()

    # -- buttons -----------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if self.over:
            return
        if press.button is Button.PICKUP:
            self._pickup()
        elif press.button is Button.NEXT:
            self._next()
        elif press.held:
            self._oops_held()
        else:
            self._oops()

    def _pickup(self) -> None:
        self._settle_all()
        if self.gone:
            self.gone = None
            self._judge(PickUp(), self)
            return
        if self.owed:
            return  # a burning pile goes to nobody, and a pressed one is on its way
        self.refused = self._laid = None
        player = self.turn
        _, ruling = self._judge(PickUp(), self)
        if ruling.verdict is Verdict.LEGAL:
            self.owed = Owed(False, self.t, player)
        else:
            self._pass(scene.refusal(player, (), ruling))

    def _next(self) -> None:
        if self.questions:
            self.choice = (self.choice + 1) % len(self.questions[0].candidates)
            self._ask_which(again=True)
        elif self.refused and self.refused.doubt:
            self._believe_doubt()
        elif self._laid and self.t - self._laid.t <= ADD_WINDOW:
            more = Card(self._laid.cards[-1].rank, None)
            self._amend((*self._laid.cards, more))

    def _amend(self, cards: tuple[Card, ...]) -> None:
        """The last play was really ``cards``, unless that cannot be."""
        if self._laid is None:
            return
        number, player = self._laid.number, self._laid.player
        event = Amend(number, Play(cards))
        _, ruling = self.game.judge(event)
        if ruling.verdict is not Verdict.LEGAL:
            self._note("note.no_more")
            return
        self.owed = None
        _, ruling = self._judge(event, self)
        self._stands(number, cards, ruling, player)

    def _oops(self) -> None:
        if self.questions:
            self.questions.clear()
            self._lay_held()
        elif self.gone:
            self.gone = None
            self._note("note.not_picked_up")
        elif self.refused and self.refused.doubt:
            self._overrule()
        elif self.refused:
            self.refused = None
        elif self.game.table.begun:
            self.owed = self._laid = None
            self._judge(Undo(), self)

    def _oops_held(self) -> None:
        if self.refused:
            self._overrule()

    def _overrule(self) -> None:
        if self.refused is None:
            return
        number, cards, player = self.refused.number, self.refused.cards, self.refused.player
        _, ruling = self._judge(Overrule(), self)
        if ruling.verdict is Verdict.LEGAL:
            self._stands(number, cards, ruling, player)
            self._note("note.stands")

    def _correct(self, event: Event) -> None:
        self.questions.clear()
        self._held.clear()
        self.refused = self.gone = self.owed = self._laid = self._lifted = None
        self._judge(event, self)

    # -- time --------------------------------------------------------------------------------

    def _tick(self) -> None:
        if self.gone and not self.gone.asked and self.t - self.gone.t >= PICKUP_GRACE:
            self._ask_picked_up(self.gone)
        if self.owed and not self.owed.reminded and self.t - self.owed.t >= REMIND_AFTER:
            self.owed = replace(self.owed, reminded=True)
            self._note("note.away_burn" if self.owed.burn else "note.away", name=self.owed.player)
        if self.questions and self.t - self.questions[0].t >= QUIET_SETTLES:
            self._settle_all()

    def _ask_picked_up(self, gone: Gone) -> None:
        self.gone = replace(gone, asked=True)
        self._tell(Asked(self.frame, self.t, Asking.PICKED_UP, player=self.turn))

    # -- ruling and telling ------------------------------------------------------------------

    def _judge(self, event: Event, when: Moment) -> tuple[int, Ruling]:
        player, table = self.turn, self.game.table
        before = table.pile.size if table.pile else 0
        self.game, ruling = self.game.judge(event)
        self.events += 1
        self._record(self.events, event)
        called = Called(when.frame, when.t, self.events, event, ruling, player, before)
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


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """``cards`` less those of ``gone``; an unknown suit goes with any of its rank."""
    left = list(cards)
    for card in gone:
        for i, other in enumerate(left):
            if other == card or (other.rank == card.rank and None in (other.suit, card.suit)):
                del left[i]
                break
    return tuple(left)
