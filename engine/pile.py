"""The pile as a chain of cards, each knowing what it asks of the card that follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.house_rules import HouseRules
from engine.verdict import Reason

HIGHEST = 15
"""Above every rank: the limit of a card that asks for none."""

ANYTHING = 0
"""The value of a joker that nothing gives another: it goes anywhere and copies what is below."""

JOKER = int(Rank.JOKER)
"""The value of a joker that has a power of its own and stands for no other card."""


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


def lay(
    rules: HouseRules, below: Pile | None, card: Card, value: int, higher: bool = False
) -> Pile:
    """The pile with one more card on top that counts as ``value``.

    ``higher`` tells that its player called for higher cards where it would ask for lower.
    """
    size = 1 if below is None else below.size + 1
    if value and value in rules.glass_ranks:
        low, high = (0, HIGHEST) if below is None else (below.low, below.high)
        return Pile(card, value, below, size, _run(below, value), low, high, True)
    if not value:
        if below is None:
            return Pile(card, ANYTHING, None, 1, 0, 0, HIGHEST)
        run = below.run + 1 if below.value else 0
        return Pile(card, below.value, below, size, run, below.low, below.high, below.glass)
    low, high = _asks(rules, value, higher)
    through = below
    if below is not None and below.glass and not rules.glass_breaks_run:
        through = below.seen
    return Pile(card, value, below, size, _run(through, value), low, high)


def _run(below: Pile | None, value: int) -> int:
    return below.run + 1 if below is not None and below.value == value else 1


def own_value(rules: HouseRules, card: Card) -> int:
    """What a card counts as by itself: its rank, and for a joker ANYTHING or JOKER."""
    if card.rank is not Rank.JOKER:
        return int(card.rank)
    return JOKER if Rank.JOKER in rules.powers else ANYTHING


def slide_under(rules: HouseRules, pile: Pile | None, card: Card) -> Pile:
    """The pile with a card at the bottom; the top stays what it was."""
    bottom = lay(rules, None, card, int(card.rank))
    for node in reversed([] if pile is None else list(pile)):
        bottom = lay(rules, bottom, node.card, node.value, called_higher(rules, node))
    return bottom


def called_higher(rules: HouseRules, node: Pile) -> bool:
    """Whether this card would ask for lower ones, had its player not called for higher."""
    return bool(node.low) and node.value in rules.lower_ranks and not node.glass


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
    if value in rules.burn_ranks and value != JOKER:
        if not rules.ten_on_empty and (pile is None or pile.seen is None):
            return Reason.NOT_ALLOWED
        if pile is None:
            return None
        if pile.high < value and not rules.ten_on_seven:
            return Reason.TOO_HIGH
        if rules.ten_on_higher:
            return None
        return _too_low(pile, value, strictly)
    if pile is None or not value or value == JOKER:
        return None
    if value in rules.reset_ranks or value in rules.glass_ranks or value in rules.pickup_ranks:
        return None
    if rules.lower_on_higher and value in rules.lower_ranks:
        return None
    if value > pile.high:
        return Reason.TOO_HIGH
    return _too_low(pile, value, strictly)


def _too_low(pile: Pile, value: int, strictly: bool) -> Reason | None:
    return Reason.TOO_LOW if value < pile.low or (strictly and value == pile.low) else None


def enough(rules: HouseRules, value: int, decks: int) -> int:
    """How many cards of this value on top of each other burn."""
    if rules.run_whole:
        return 4 * decks
    return rules.short_run_length if value in rules.short_run_ranks else rules.run_length


def burns(rules: HouseRules, pile: Pile, decks: int) -> bool:
    """Whether the run on top is long enough to leave the game."""
    return rules.run_burn and pile.run >= enough(rules, pile.value, decks)


def _asks(rules: HouseRules, value: int, higher: bool) -> tuple[int, int]:
    """The lowest and the highest rank that may follow."""
    if value in rules.lower_ranks and not higher:
        return 0, value if rules.lower_equal else value - 1
    if value in rules.reset_ranks or value == JOKER:
        return 0, HIGHEST
    return value, HIGHEST
