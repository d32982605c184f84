"""A game as the history of its events: judging, and taking back, amending and overruling.

Every game is a value that shares its past with the one before it, so an event costs the
same late in the night as at its beginning, and undoing is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from engine.cards import Card, Rank
from engine.events import Amend, Event, Fact, Overrule, Undo, Zone
from engine.ledger import Ledger
from engine.pile import misfit
from engine.referee import rule
from engine.ruling import Ruling, refusal
from engine.setup import Setup
from engine.table import NOBODY, Table
from engine.verdict import Reason, Verdict

_RARELY = 0.02
"""The weight of a card from a zone that should not be played from yet."""

_REFUSED = 0.1
"""How often a card is laid that the rules refuse, against one that they let stand."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """A game after ``count`` events.

    ``table`` is the fold of the events that stand. ``event`` is the one that led here
    (None at the beginning), its number ``number`` and its answer ``ruling``; ``forced``
    if the table let it stand. ``past`` is the game without it, the line that an amendment
    plays again; ``undone`` is the game to which an undo goes back.
    """

    setup: Setup
    table: Table
    count: int
    number: int
    event: Event | None
    ruling: Ruling | None
    forced: bool
    past: Game | None
    undone: Game | None

    @staticmethod
    def new(setup: Setup) -> Game:
        """A game after the deal."""
        return Game.at(Table.new(setup))

    @staticmethod
    def at(table: Table) -> Game:
        """A game that goes on from a table, with nothing before it."""
        return Game(table.setup, table, 0, 0, None, None, False, None, None)

    @staticmethod
    def fold(setup: Setup, events: Iterable[Event]) -> Game:
        """The game after all these events."""
        game = Game.new(setup)
        for event in events:
            game, _ = game.judge(event)
        return game

    @property
    def ledger(self) -> Ledger:
        """Where each card can be."""
        return self.table.ledger

    def prior(self, player: int | None = None) -> dict[Card, float]:
        """For each card the probability that it is the next one laid by the player in turn.

        From the zone that is to be played from, what is known to be in it and how many
        cards it has; a card that the rules would refuse is laid one time in ten. 0 where
        a card cannot be.
        """
        table = self.table
        seat = max(0, table.turn if player is None else player)
        hand, up, down = table.seats[seat]
        known = table.ledger.known_in
        if hand:
            unknown = hand - known(seat, Zone.HAND)
            places = table.ledger.weighed(seat, 1.0, _RARELY, max(_RARELY, unknown))
        elif up:
            unknown = up - known(seat, Zone.UP)
            places = table.ledger.weighed(seat, _RARELY, 1.0, max(_RARELY, unknown))
        else:
            places = table.ledger.weighed(seat, _RARELY, _RARELY, max(1, down))
        if hand or up:
            rules, pile = table.setup.rules, table.pile
            for card in places:
                if card.rank is not Rank.JOKER and misfit(rules, pile, int(card.rank)):
                    places[card] *= _REFUSED
        mass = sum(places.values()) or 1.0
        return {card: weight / mass for card, weight in places.items()}

    def __repr__(self) -> str:
        return f"Game(after {self.count} events, {self.table!r})"

    def judge(self, event: Event) -> tuple[Game, Ruling]:
        """The game after the event, and the ruling on it.

        An amendment, or the undo of an earlier event, judges again what followed; its ruling
        tells which later ones changed. SetupError if the event names a player who does not
        sit here.
        """
        if isinstance(event, Undo):
            return self._undo(event)
        if isinstance(event, Overrule):
            return self._overrule(event)
        if isinstance(event, Amend):
            return self._amend(event)
        return self._add(event, self.count + 1, False)

    def history(self) -> Iterator[Game]:
        """The games whose events stand or were refused since, the latest first."""
        game: Game | None = self
        while game is not None and game.event is not None:
            yield game
            game = game.past

    def _add(self, event: Fact, number: int, forced: bool) -> tuple[Game, Ruling]:
        """The game with one more event, numbered ``number``."""
        table, ruling = rule(self.table, event, forced)
        undone = self if ruling.verdict is Verdict.LEGAL else self.undone
        return Game(self.setup, table, number, number, event, ruling, forced, self, undone), ruling

    def _counted(self, count: int) -> Game:
        return Game(
            self.setup,
            self.table,
            count,
            self.number,
            self.event,
            self.ruling,
            self.forced,
            self.past,
            self.undone,
        )

    def _refuse(self, event: Event, reason: Reason) -> tuple[Game, Ruling]:
        return self._counted(self.count + 1), refusal(self.table, event, NOBODY, reason)

    def _undo(self, event: Undo) -> tuple[Game, Ruling]:
        if event.number is not None:
            return self._replay(event, event.number, None, self.count + 1, forced=False)
        back = self.undone
        if back is None:
            return self._refuse(event, Reason.NOTHING_TO_UNDO)
        ruling = Ruling(Verdict.LEGAL, None, event, NOBODY, back.table)
        return back._counted(self.count + 1), ruling

    def _overrule(self, event: Overrule) -> tuple[Game, Ruling]:
        """What was refused last applied as if it were legal, in its own place."""
        for game in self.history():
            refused, past = game.event, game.past
            if past is None or game.ruling is None or game.ruling.stands:
                break
            if isinstance(refused, Amend):
                number, meant = refused.number, refused.event
                return past._replay(event, number, meant, self.count + 1, forced=True)
            if refused is None or isinstance(refused, (Undo, Overrule)):
                continue
            stood, ruling = past._add(refused, game.number, True)
            if ruling.stands:
                answer = replace(ruling, event=event, inner=ruling)
                return replace(stood, count=self.count + 1, undone=self), answer
        return self._refuse(event, Reason.NOTHING_TO_OVERRULE)

    def _amend(self, event: Amend) -> tuple[Game, Ruling]:
        return self._replay(event, event.number, event.event, self.count + 1, forced=False)

    def _replay(
        self,
        event: Event,
        number: int,
        meant: Fact | Undo | Overrule | None,
        count: int,
        forced: bool,
    ) -> tuple[Game, Ruling]:
        """The game with event ``number`` replaced by ``meant`` and what followed judged again.

        None takes it out; ``event`` is what asked for it. What had been refused stays
        forgotten, but for the very last event: its cards still lie there.
        """
        later: list[Game] = []
        place: Game | None = None
        for game in self.history():
            if game.number == number:
                place = game
                break
            if not later or (game.ruling is not None and game.ruling.stands):
                later.append(game)
        if place is None or place.past is None:
            return self._refuse(event, Reason.NO_SUCH_EVENT)
        base = place.past
        if meant is None:
            game, ruling = base, Ruling(Verdict.LEGAL, None, event, NOBODY, base.table)
        elif isinstance(meant, (Undo, Overrule)):
            game, ruling = base.judge(meant)
        else:
            game, ruling = base._add(meant, number, forced)
        if not ruling.stands:
            answer = replace(ruling, event=event, table=self.table, inner=ruling)
            kept = Game(
                self.setup, self.table, count, count, event, answer, False, self, self.undone
            )
            return kept, answer
        game, changed, fallen = game._judged_again(later[::-1])
        answer = replace(ruling, event=event, table=game.table, changed=changed, fallen=fallen)
        if meant is not None:
            answer = replace(answer, inner=ruling)
        return replace(game, count=count, undone=self), answer

    def _judged_again(self, later: list[Game]) -> tuple[Game, tuple[int, ...], tuple[int, ...]]:
        """The game after these events, and which are ruled otherwise and no longer stand."""
        game, changed, fallen = self, [], []
        for entry in later:
            if isinstance(entry.event, (Amend, Undo, Overrule)) or entry.event is None:
                continue
            game, again = game._add(entry.event, entry.number, entry.forced)
            if entry.ruling is None or again.differs(entry.ruling):
                changed.append(entry.number)
                if not again.stands and entry.ruling is not None and entry.ruling.stands:
                    fallen.append(entry.number)
        return game, tuple(changed), tuple(fallen)
