"""Deals of the pyramid patience for tests, and the way between the engine and the oracle."""

from __future__ import annotations

from random import Random

from engine.cards import Card, full_deck, parse_card
from engine.pyramid import (
    Deal,
    Flip,
    King,
    Match,
    Move,
    Position,
    PyramidRules,
    Reset,
)
from engine.pyramid.deal import worth
from tests.engine.pyramid_oracle import State, successors

REDUCED = {
    # rows, the values that play, cards of each, cards of the deck that are dealt
    "two ranks": (3, (6, 7), 4, 7),
    "four ranks": (4, (1, 6, 7, 12), 4, 16),
    "kings and some to spare": (4, (2, 5, 8, 11, 13), 3, 15),
    "an odd pack": (4, (3, 4, 9, 10), 4, 14),
    "hardly a stock": (4, (5, 6, 7, 8), 3, 12),
}


def full(seed: int) -> Deal:
    """The full deal of a seed, as ``pilewatch solve --seed`` has it."""
    return Deal.shuffled(Random(seed))


def reduced(kind: str, seed: int, cover_pairs: bool = True) -> Deal:
    """A deal of a reduced deck, small enough for a plain search."""
    rows, values, each, count = REDUCED[kind]
    cards = [card for card in full_deck() if worth(card) in values and int(card.suit or 0) < each]
    Random(seed).shuffle(cards)
    return Deal.of(tuple(cards[:count]), PyramidRules(cover_pairs=cover_pairs), rows)


def plain(deal: Deal, position: Position | None = None) -> State:
    """A position of the engine as the oracle tells it."""
    at = position or deal.start

    def lying(mask: int) -> tuple[str, ...]:
        return tuple(str(card) for turn, card in deal.in_stock.items() if turn & mask)

    pyramid = tuple(
        str(card) if place & at.pyramid else None for place, card in deal.in_pyramid.items()
    )
    return State(pyramid, lying(at.waste), lying(at.stock))


def legal_moves(deal: Deal, position: Position) -> list[Move]:
    """Every legal move, by the oracle."""
    return [move_of(codes) for codes, _ in successors(plain(deal, position))]


def move_of(codes: tuple[str, ...]) -> Move:
    """A move of the oracle as one of the engine."""
    if codes in (("flip",), ("reset",)):
        return Flip() if codes == ("flip",) else Reset()
    cards: list[Card] = [parse_card(code) for code in codes]
    return King(cards[0]) if len(cards) == 1 else Match(cards[0], cards[1])
