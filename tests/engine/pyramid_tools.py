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
    Patience,
    Position,
    PyramidRules,
    Reset,
    Ruling,
    from_json,
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


def dealt(bottom: str, above: str = "", stock: str = "", **options: bool) -> Deal:
    """A full deal with these cards in rows 7 and 6 from the left, and first in the stock.

    All other cards lie in ascending order, beginning at the point of the pyramid.
    """
    parts = [[parse_card(code) for code in part.split()] for part in (bottom, above, stock)]
    named = {card for part in parts for card in part}
    others = [card for card in full_deck() if card not in named]
    low, row6, first = parts
    row6 += [others.pop() for _ in range(6 - len(row6))]
    low += [others.pop() for _ in range(7 - len(low))]
    cards = others[:15] + row6 + low + first + others[15:]
    return Deal.of(tuple(cards), PyramidRules(**options))


def told(game: Patience, *lines: str) -> Ruling:
    """The ruling on the last of these events, written as ``event_line`` has them."""
    rulings = []
    for line in lines:
        kind, *codes = line.split()
        value: object = codes if kind == "match" else codes[0] if codes else True
        game, ruling = game.judge(from_json({kind: value}))
        rulings.append(ruling)
    return rulings[-1]
