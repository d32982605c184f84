"""What the referee answers to one event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import say
from engine.cards import Card
from engine.events import Amend, Event, Undo
from engine.ledger import Conflict
from engine.table import Seat, Table
from engine.verdict import Must, Note, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on ``event`` by the player of seat ``player`` and the table after it.

    ``removed`` counts the cards that this event took out of the game; ``finished`` are
    the seats that played their last card with it; ``notes`` what else is worth saying.
    ``changed`` are the numbers of later events that are ruled otherwise after an event was
    amended or taken back, ``fallen`` those of them that no longer stand. ``card`` is the one
    that contradicts what is known; ``inner`` is the ruling, in its own place, on the event
    that an amendment or an overrule puts there.
    """

    verdict: Verdict
    reason: Reason | None
    event: Event
    player: int
    table: Table
    burn: bool = False
    removed: int = 0
    finished: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    changed: tuple[int, ...] = ()
    fallen: tuple[int, ...] = ()
    card: Card | None = None
    inner: Ruling | None = None

    @property
    def innermost(self) -> Ruling:
        """The ruling on what happened at the table itself: its own one, or this."""
        return self if self.inner is None else self.inner.innermost

    @property
    def stands(self) -> bool:
        """Whether the event changed the table."""
        return self.verdict is Verdict.LEGAL

    @property
    def why(self) -> str | None:
        """The reason as words are looked up by: a move at the wrong time is not forbidden."""
        if self.reason is None:
            return None
        return Note.NOT_NOW.value if Note.NOT_NOW in self.notes else self.reason.value

    @property
    def could_play(self) -> bool:
        """Whether a pile was taken although a face-up card was known to fit."""
        return Note.COULD_PLAY in self.notes

    def differs(self, other: Ruling) -> bool:
        """Whether this is another answer than ``other`` to the same event."""
        mine = (self.verdict, self.reason, self.player, self.burn, self.removed, self.must)
        theirs = (
            other.verdict,
            other.reason,
            other.player,
            other.burn,
            other.removed,
            other.must,
        )
        return mine != theirs

    @property
    def say(self) -> str:
        """The ruling in a few English words; ``engine.say`` has the other languages."""
        return say.sentence(self)

    @property
    def turn(self) -> str | None:
        """Who acts next, None once the game is over."""
        return self.table.name(self.table.turn)

    @property
    def must(self) -> Must:
        """What that player owes."""
        return self.table.must

    @property
    def top(self) -> Card | None:
        """The card on top of the pile."""
        return self.table.top

    @property
    def pile(self) -> int:
        """How many cards lie on the pile."""
        return 0 if self.table.pile is None else self.table.pile.size

    @property
    def stock(self) -> int:
        """How many cards are left to draw."""
        return self.table.stock

    @property
    def out(self) -> tuple[str, ...]:
        """Who has no cards left, the first to finish first."""
        return tuple(self.table.setup.players[seat] for seat in self.table.out)

    @property
    def loser(self) -> str | None:
        """Who is left with cards, once all others are out."""
        return self.table.name(self.table.loser)

    @property
    def hands(self) -> dict[str, Seat]:
        """How many cards each player has, by name in seat order."""
        return dict(zip(self.table.setup.players, self.table.seats, strict=True))

    def to_json(self, number: int) -> dict[str, Any]:
        """The answer line to event ``number``, as ``pilewatch judge`` prints it.

        That to an amendment, or to an undo of an earlier event, also has ``changed``.
        """
        answer: dict[str, Any] = {
            "event": number,
            "verdict": self.verdict.value,
            "reason": None if self.reason is None else self.reason.value,
            "say": self.say,
            "burn": self.burn,
            "removed": self.removed,
            "turn": self.turn,
            "must": self.must.value,
            "top": None if self.top is None else str(self.top),
            "pile": self.pile,
            "stock": self.stock,
            "out": list(self.out),
            "loser": self.loser,
            "hands": {name: seat._asdict() for name, seat in self.hands.items()},
        }
        if isinstance(self.event, Amend) or (
            isinstance(self.event, Undo) and self.event.number is not None
        ):
            answer["changed"] = list(self.changed)
        return answer


def refusal(
    table: Table, event: Event, player: int, why: Reason | Conflict, notes: tuple[Note, ...] = ()
) -> Ruling:
    """The ruling on an event that does not stand: the table is as it was."""
    reason, card = why if isinstance(why, Conflict) else (why, None)
    return Ruling(reason.verdict, reason, event, player, table, notes=notes, card=card)
