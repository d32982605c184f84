"""The referee of the pyramid patience: one move in one position, by the rules alone."""

from __future__ import annotations

from enum import Enum

from engine.cards import Card
from engine.pyramid.deal import THIRTEEN, Deal, worth
from engine.pyramid.events import Flip, King, Match, Move, Reset
from engine.pyramid.position import Position, may_leave
from engine.verdict import Verdict


class Reason(Enum):
    """Why an event does not stand; the impossible ones contradict what is known."""

    GAME_OVER = "game_over"
    NOT_IN_DECK = "not_in_deck"
    CARD_ALREADY_GONE = "card_already_gone"
    HELD_BY_OTHER = "held_by_other"
    EMPTY_STOCK = "empty_stock"
    EMPTY_WASTE = "empty_waste"
    STOCK_LEFT = "stock_left"
    IN_STOCK = "in_stock"
    COVERED = "covered"
    NOT_13 = "not_13"
    NOT_A_KING = "not_a_king"
    NOTHING_TO_UNDO = "nothing_to_undo"

    @property
    def verdict(self) -> Verdict:
        """Impossible where the event contradicts what is known, else illegal."""
        return Verdict.IMPOSSIBLE if self in _IMPOSSIBLE else Verdict.ILLEGAL


_IMPOSSIBLE = (Reason.NOT_IN_DECK, Reason.CARD_ALREADY_GONE, Reason.HELD_BY_OTHER)


def moved(deal: Deal, position: Position, move: Move) -> Position | Reason:
    """The position after the move, or why it does not stand (pyramid R3 to R6)."""
    if position.won:
        return Reason.GAME_OVER
    if isinstance(move, Flip):
        return _flipped(deal, position, move)
    if isinstance(move, Reset):
        return _reset(position)
    return _removed(deal, position, move)


def _flipped(deal: Deal, position: Position, flip: Flip) -> Position | Reason:
    if not position.stock:
        return Reason.EMPTY_STOCK
    if flip.card is not None and flip.card != deal.in_stock[position.stock_top]:
        # The order of the stock is known: another card here was misread.
        return _vanished(deal, position, flip.card) or Reason.HELD_BY_OTHER
    return position.flipped()


def _reset(position: Position) -> Position | Reason:
    if position.stock:
        return Reason.STOCK_LEFT
    return position.reset() if position.waste else Reason.EMPTY_WASTE


def _removed(deal: Deal, position: Position, move: Match | King) -> Position | Reason:
    """What cannot be comes first, then what cannot be reached, then the ranks."""
    for card in move.cards:
        if (reason := _vanished(deal, position, card)) is not None:
            return reason
    if (reason := _out_of_reach(deal, position, move.cards)) is not None:
        return reason
    if isinstance(move, King):
        if worth(move.card) != THIRTEEN:
            return Reason.NOT_A_KING
    elif sum(map(worth, move.cards)) != THIRTEEN:
        return Reason.NOT_13
    pyramid, stock = _bits(deal, move.cards)
    return Position(position.pyramid & ~pyramid, position.waste & ~stock, position.stock)


def _vanished(deal: Deal, position: Position, card: Card) -> Reason | None:
    """Why this card can lie nowhere: it is none of the pack, or on the foundation."""
    if card in deal.places:
        lies = position.pyramid & deal.places[card]
    elif card in deal.turns:
        lies = (position.waste | position.stock) & deal.turns[card]
    else:
        return Reason.NOT_IN_DECK
    return None if lies else Reason.CARD_ALREADY_GONE


def _out_of_reach(deal: Deal, position: Position, cards: tuple[Card, ...]) -> Reason | None:
    """Why these cards, which all lie, are not available; of the waste only the top is."""
    pyramid, stock = _bits(deal, cards)
    if stock & position.stock:
        return Reason.IN_STOCK
    if stock & ~position.waste_top:
        return Reason.COVERED
    return None if may_leave(position.pyramid, pyramid, deal.rules.cover_pairs) else Reason.COVERED


def _bits(deal: Deal, cards: tuple[Card, ...]) -> tuple[int, int]:
    """The bits of the cards in the pyramid, and of those in stock and waste."""
    pyramid = stock = 0
    for card in cards:
        pyramid |= deal.places.get(card, 0)
        stock |= deal.turns.get(card, 0)
    return pyramid, stock
