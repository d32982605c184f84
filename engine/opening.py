"""Who begins, where the cards decide it: for a host who sees them, and for make-believe games."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card, Rank
from engine.house_rules import HouseRules


def first_player(rules: HouseRules, hands: Sequence[Sequence[Card]], dealer: int) -> int:
    """The seat that begins with these hands, play going to the left of ``dealer``.

    ``lowest_card``: who holds the lowest card; of two the one whose next card is lower, else
    who sits nearest to the dealer's left (norsk R4). Twos and jokers are special and do not
    count (norsk, reading 6). ``first_three``: the first from the dealer's left who has a
    three, or else a four, and so on (hat R6). Otherwise the dealer's left.
    """
    seats = [(dealer + step) % len(hands) for step in range(1, len(hands) + 1)]
    ladders = {seat: _ladder(hands[seat]) for seat in seats}
    if rules.starter == "lowest_card":
        return min(seats, key=ladders.__getitem__)
    if rules.starter == "first_three":
        return min(seats, key=lambda seat: ladders[seat][:1])
    return seats[0]


def _ladder(hand: Sequence[Card]) -> list[int]:
    """The ranks of a hand that count for beginning, the lowest first; too high if none."""
    ranks = sorted(int(card.rank) for card in hand if Rank.TWO < card.rank < Rank.JOKER)
    return ranks or [int(Rank.JOKER)]
