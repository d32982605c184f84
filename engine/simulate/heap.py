"""The pile of an open table: what lies there, read afresh from the top each time."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card, Rank
from engine.house_rules import HouseRules


@dataclass(slots=True)
class Laid:
    """A card on the pile; ``stands`` is what it stands for, None for what lies below it."""

    card: Card
    stands: int | None
    higher: bool = False


@dataclass(slots=True)
class Heap:
    """The cards of the pile, the lowest first."""

    rules: HouseRules
    decks: int
    cards: list[Laid] = field(default_factory=list)

    def rank(self, place: int) -> int | None:
        """What the card at that place counts as; None for a joker with nothing to copy."""
        while place >= 0 and self.cards[place].stands is None:
            place -= 1
        return self.cards[place].stands if place >= 0 else None

    def looked_through(self, place: int) -> bool:
        """Whether the card at that place is glass."""
        return self.rank(place) in self.rules.glass_ranks

    def top(self) -> int:
        """The place of the topmost card that is not glass; -1 if there is none."""
        place = len(self.cards) - 1
        while place >= 0 and self.looked_through(place):
            place -= 1
        return place

    def limits(self) -> tuple[int, int | None]:
        """The lowest rank that follows, and the highest where lower is asked for."""
        place = self.top()
        rank = self.rank(place) if place >= 0 else None
        if rank is None or rank == Rank.JOKER or rank in self.rules.reset_ranks:
            return 0, None
        while self.cards[place].stands is None:
            place -= 1
        if rank in self.rules.lower_ranks and not self.cards[place].higher:
            return 0, rank if self.rules.lower_equal else rank - 1
        return rank, None

    def run(self) -> list[int]:
        """The places of the equal cards on top."""
        places: list[int] = []
        place = len(self.cards) - 1
        rank = self.rank(place) if self.cards else None
        while place >= 0 and rank is not None:
            if self.rank(place) == rank:
                places.append(place)
            elif rank in self.rules.glass_ranks or not self._within_runs(place):
                break
            place -= 1
        return places

    def _within_runs(self, place: int) -> bool:
        """Whether that card does not part a run of others."""
        return self.looked_through(place) and not self.rules.glass_breaks_run

    def needed(self, rank: int) -> int:
        """How many equal cards of the rank burn."""
        if self.rules.run_whole:
            return 4 * self.decks
        if rank in self.rules.short_run_ranks:
            return self.rules.short_run_length
        return self.rules.run_length

    def full_run(self) -> list[int]:
        """The places of the run on top if it burns, or nothing."""
        run = self.run()
        if not self.rules.run_burn or not run:
            return []
        return run if len(run) >= self.needed(self.rank(run[0]) or 0) else []

    def with_cards(self, cards: list[Laid]) -> Heap:
        """The pile with more cards on top."""
        return Heap(self.rules, self.decks, self.cards + cards)


def stands_for(
    rules: HouseRules, cards: tuple[Card, ...], declared: Rank | None
) -> list[int | None]:
    """What each of the cards laid together stands for, None for a joker that copies."""
    own = (*rules.reset_ranks, *rules.burn_ranks, *rules.glass_ranks, *rules.pickup_ranks)
    others = [int(card.rank) for card in cards if card.rank is not Rank.JOKER]
    joker: int | None = None
    if Rank.JOKER in own:
        joker = int(Rank.JOKER)
    elif declared is not None:
        joker = int(declared)
    elif others:
        joker = others[-1]
    return [joker if card.rank is Rank.JOKER else int(card.rank) for card in cards]
