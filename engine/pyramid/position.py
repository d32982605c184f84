"""A position of the pyramid patience as three numbers, and what is exposed in it."""

from __future__ import annotations

from typing import NamedTuple

STRIDE = 8
"""Bits from one row of the pyramid to the next, so that a card's two covers lie at fixed
distances: the card of row r, place p is bit 8r + p, its covers are 8 and 9 bits above."""


def bit(row: int, place: int) -> int:
    """The bit of a card of the pyramid, both counted from 0; at most seven rows fit."""
    return 1 << (STRIDE * row + place)


def exposed(pyramid: int) -> int:
    """Those cards of ``pyramid`` on which no other lies (pyramid R1, R4)."""
    return pyramid & ~(pyramid >> STRIDE | pyramid >> STRIDE + 1)


def may_leave(pyramid: int, cards: int, cover_pairs: bool) -> bool:
    """Whether one or two cards of the pyramid can leave it at once, whatever their ranks.

    They are exposed, or one is and the other is covered by it alone (pyramid R5, if
    ``cover_pairs``).
    """
    bare = exposed(pyramid)
    if not cards & ~bare:
        return True
    first = cards & bare
    return cover_pairs and not cards & ~first & ~exposed(pyramid ^ first)


class Position(NamedTuple):
    """Which cards lie where: a bit for each card.

    ``pyramid`` has the bits of ``bit``. ``waste`` and ``stock`` have one for each card of
    the stock as dealt, the first to be flipped lowest; so the top of the waste is its
    highest bit, the next card of the stock its lowest, and a reset is one assignment.
    """

    pyramid: int
    waste: int
    stock: int

    @property
    def won(self) -> bool:
        """Whether the pyramid is cleared, whatever stock and waste hold (pyramid R6)."""
        return not self.pyramid

    @property
    def left(self) -> int:
        """How many cards of the pyramid are left."""
        return self.pyramid.bit_count()

    @property
    def waste_top(self) -> int:
        """The bit of the top card of the waste, 0 if there is none."""
        return 1 << self.waste.bit_length() - 1 if self.waste else 0

    @property
    def stock_top(self) -> int:
        """The bit of the card that is flipped next, 0 if there is none."""
        return self.stock & -self.stock

    def flipped(self) -> Position:
        """The position after the next card of the stock, which must be there, is flipped."""
        card = self.stock_top
        return Position(self.pyramid, self.waste | card, self.stock ^ card)

    def reset(self) -> Position:
        """The position after the waste becomes the stock, which must be empty, in its old order."""
        return Position(self.pyramid, 0, self.waste)
