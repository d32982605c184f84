"""The pile as a chain of cards, each knowing what it asks of the card that follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import Card
from engine.rules import HouseRules
from engine.verdict import Reason

HIGHEST = 15
"""Above every rank: the limit of a card that asks for none."""

ANYTHING = 0
"""The value of a joker that nothing gives another: it goes anywhere and copies what is below."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pile:
    """The top card and the pile below it (None: the table).

    ``value`` is the rank that the card counts as, or ANYTHING. The next card must be
    ``low`` or higher and ``high`` or lower, unless its own rank goes on anything.
    ``run`` counts the cards of one value that end in this one; ``glass`` is a card that is
    seen through, for comparing and, where the rules say so, for runs.
    """

    card: Card
    value: int
    below: Pile | None
    size: int
    run: int
    low: int
    high: int
    glass: bool = False

    @property
    def seen(self) -> Pile | None:
        """The topmost card, this one or below, that is not seen through."""
        node: Pile | None = self
        while node is not None and node.glass:
            node = node.below
        return node

    def __iter__(self) -> Iterator[Pile]:
        """The chain from the top downwards."""
        node: Pile | None = self
        while node is not None:
            yield node
            node = node.below

    def cards(self) -> tuple[Card, ...]:
        """All cards, the lowest first."""
        return tuple(node.card for node in self)[::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pile) or self.size != other.size:
            return False
        return all(
            mine.card == theirs.card and mine.value == theirs.value
            for mine, theirs in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.card, self.size))

    def __repr__(self) -> str:
        return f"Pile({' '.join(map(str, self.cards()))})"


def lay(rules: HouseRules, below: Pile | None, card: Card, value: int) -> Pile:
    """The pile with one more card on top that counts as ``value``."""
    size = 1 if below is None else below.size + 1
    if value and value in rules.glass_ranks:
        low, high = (0, HIGHEST) if below is None else (below.low, below.high)
        return Pile(card, value, below, size, _run(below, value), low, high, True)
    if below is None:
        low, high = _asks(rules, value)
        return Pile(card, value, None, 1, 1 if value else 0, low, high)
    if not value:
        return Pile(
            card, below.value, below, size, below.run + 1, below.low, below.high, below.glass
        )
    low, high = _asks(rules, value)
    through = below.seen if below.glass and not rules.glass_breaks_run else below
    return Pile(card, value, below, size, _run(through, value), low, high)


def _run(below: Pile | None, value: int) -> int:
    return below.run + 1 if below is not None and below.value == value else 1


def slide_under(rules: HouseRules, pile: Pile | None, card: Card) -> Pile:
    """The pile with a card at the bottom; the top stays what it was."""
    bottom = lay(rules, None, card, int(card.rank))
    for node in reversed([] if pile is None else list(pile)):
        bottom = lay(rules, bottom, node.card, node.value)
    return bottom


def without_run(pile: Pile) -> Pile | None:
    """What lies below the run on top; glass within the run goes with it."""
    left = pile.run
    node: Pile | None = pile
    while node is not None and left:
        left -= node.value == pile.value
        node = node.below
    return node


def misfit(
    rules: HouseRules, pile: Pile | None, value: int, strictly: bool = False
) -> Reason | None:
    """Why a card that counts as ``value`` does not go on the pile, or None if it does.

    ``strictly`` asks for a higher card where an equal one would do.
    """
    if pile is None or not value:
        return None
    if value in rules.burn_ranks:
        return Reason.TOO_HIGH if pile.high < value and not rules.ten_on_seven else None
    if value in rules.reset_ranks or value in rules.glass_ranks:
        return None
    if value in rules.lower_ranks and rules.lower_on_higher:
        return None
    if value > pile.high:
        return Reason.TOO_HIGH
    if value < pile.low or (strictly and value == pile.low):
        return Reason.TOO_LOW
    return None


def burns(rules: HouseRules, pile: Pile, decks: int) -> bool:
    """Whether the run on top is long enough to leave the game."""
    if not rules.run_burn:
        return False
    if rules.run_whole:
        return pile.run >= 4 * decks
    short = pile.value in rules.short_run_ranks
    return pile.run >= (rules.short_run_length if short else rules.run_length)


def _asks(rules: HouseRules, value: int) -> tuple[int, int]:
    """The lowest and the highest rank that may follow."""
    if value in rules.lower_ranks:
        return 0, value
    if value in rules.reset_ranks:
        return 0, HIGHEST
    return value, HIGHEST
