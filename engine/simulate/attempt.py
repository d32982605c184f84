"""What a player at an open table does, and what is true of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.events import Chance, Lift, Pass, PickUp, Play, Remove, Zone


@dataclass(frozen=True, slots=True)
class Attempt:
    """One act of a player; ``zones`` are where its cards come from, one for each.

    ``what`` is ``play``, ``pickup``, ``chance``, ``pass``, ``remove`` or ``lift``. The cards
    of a pickup are those of the face-up row taken along.
    """

    player: int
    what: str
    cards: tuple[Card, ...] = ()
    zones: tuple[Zone, ...] = ()
    under: bool = False
    joker: Rank | None = None
    higher: bool = False

    def event(
        self, by: str | None, source: Zone | None
    ) -> Play | PickUp | Chance | Pass | Remove | Lift:
        """What the referee is told of it: no more than a camera and buttons would."""
        if self.what == "play":
            return Play(self.cards, by, source, self.under, self.joker, self.higher)
        if self.what == "pickup":
            return PickUp(by, self.cards)
        if self.what == "chance":
            return Chance(self.cards[0], by)
        if self.what == "remove":
            return Remove(self.cards, by)
        return Lift(self.cards[0], by) if self.what == "lift" else Pass(by)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is true of an attempt: ``reason`` is why it is against the rules, or None.

    A card that is turned in vain is no offence: ``reason`` is None or ``finish_forbidden``
    and ``stands`` holds.
    """

    stands: bool
    reason: str | None = None
    burn: bool = False
    removed: int = 0
