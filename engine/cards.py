"""Playing cards: ranks, suits, their codes, and the decks they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache

from engine.errors import CardError, shown


class Rank(IntEnum):
    """What a card counts as; the order is the game's, aces high and the joker apart."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    JOKER = 15

    @property
    def code(self) -> str:
        """The rank as it stands in a card's code: ``2`` … ``10``, ``J``, ``Q``, ``K``, ``A``."""
        return _RANK_CODES[self]


class Suit(IntEnum):
    """The four suits; their order only makes sorting stable, no rule looks at it."""

    C = 0
    D = 1
    H = 2
    S = 3


_RANK_CODES: dict[Rank, str] = {
    rank: {11: "J", 12: "Q", 13: "K", 14: "A", 15: "JK"}.get(int(rank), str(int(rank)))
    for rank in Rank
}

JOKER_NUMBER = 52
KINDS = 66
"""How many numbers cards have: 52 suited, the joker, 13 ranks whose suit is unknown."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card; ``suit`` None means a joker, or a card whose suit nobody could read.

    ``number`` is 0 … 51 for suited cards by rank then suit, 52 for the joker and
    53 … 65 for the ranks with unknown suit.
    """

    rank: Rank
    suit: Suit | None
    number: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rank is Rank.JOKER:
            if self.suit is not None:
                raise CardError(f"a joker has no suit, not {self.suit.name}")
            number = JOKER_NUMBER
        elif self.suit is None:
            number = JOKER_NUMBER - 1 + self.rank
        else:
            number = (self.rank - 2) * 4 + self.suit
        object.__setattr__(self, "number", number)

    def __hash__(self) -> int:
        return self.number

    def __lt__(self, other: Card) -> bool:
        return self._order < other._order

    def __le__(self, other: Card) -> bool:
        return self._order <= other._order

    def __gt__(self, other: Card) -> bool:
        return self._order > other._order

    def __ge__(self, other: Card) -> bool:
        return self._order >= other._order

    @property
    def _order(self) -> tuple[int, int]:
        return self.rank, -1 if self.suit is None else self.suit

    @property
    def suit_unknown(self) -> bool:
        """Whether this is a card of which only the rank is known."""
        return self.number > JOKER_NUMBER

    def __str__(self) -> str:
        if self.rank is Rank.JOKER:
            return "JK"
        return self.rank.code + ("?" if self.suit is None else self.suit.name)


def _all_kinds() -> tuple[Card, ...]:
    suited = [Card(rank, suit) for rank in Rank if rank is not Rank.JOKER for suit in Suit]
    unknown = [Card(rank, None) for rank in Rank if rank is not Rank.JOKER]
    return (*suited, Card(Rank.JOKER, None), *unknown)


CARDS: tuple[Card, ...] = _all_kinds()
"""Every kind of card, at the index of its number."""

_BY_CODE: dict[str, Card] = {str(card): card for card in CARDS}
_RANK_BY_CODE: dict[str, Rank] = {rank.code: rank for rank in Rank}


def parse_card(code: str) -> Card:
    """The card of a code such as ``10H``, ``as``, ``10?`` or ``JK``; CardError otherwise."""
    card = _BY_CODE.get(code.strip().upper()) if isinstance(code, str) else None
    if card is None:
        raise CardError(
            f"{shown(code)} is no card; expected a rank 2 … 10, J, Q, K or A and a suit"
            " C, D, H or S, such as 10H, or JK"
        )
    return card


def parse_rank(code: str) -> Rank:
    """The rank of ``2`` … ``10``, ``J``, ``Q``, ``K``, ``A`` or ``JK``; CardError otherwise."""
    rank = _RANK_BY_CODE.get(code.strip().upper()) if isinstance(code, str) else None
    if rank is None:
        raise CardError(f"{shown(code)} is no rank; expected 2 … 10, J, Q, K, A or JK")
    return rank


@cache
def full_deck(decks: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """All cards of ``decks`` packs shuffled together, each with ``jokers`` jokers; sorted."""
    one = CARDS[:JOKER_NUMBER] + (CARDS[JOKER_NUMBER],) * jokers
    return tuple(sorted(one * decks))
