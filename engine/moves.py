"""From a play as it was seen to a move: whose it is, from which zones, and what it counts as."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.events import Play, Zone
from engine.pile import misfit
from engine.table import Seat, Table
from engine.verdict import Must, Reason


@dataclass(frozen=True, slots=True)
class Move:
    """A play read with what the table knows.

    ``hand``, ``up`` and ``down`` are its cards by the zone they come from, ``cards`` all of
    them as laid. ``value`` is the one rank they count as: 0 for jokers that copy what lies
    below, None when the ranks differ.
    """

    player: int
    cards: tuple[Card, ...]
    hand: tuple[Card, ...]
    up: tuple[Card, ...]
    down: tuple[Card, ...]
    value: int | None


def read(table: Table, play: Play, player: int) -> Move:
    """The move that a play of that player is."""
    seat, cards = table.seats[player], play.cards
    value = _value(cards, play.joker)
    zone = play.source
    if zone is None or zone is Zone.HAND:
        if seat.hand or zone is Zone.HAND:
            up = tuple(c for c in cards if table.ledger.only_in_row(c, player))
            hand = tuple(c for c in cards if c not in up) if up else cards
            return Move(player, cards, hand, up, (), value)
        zone = _table_zone(table, seat, cards, player)
    if zone is Zone.UP:
        return Move(player, cards, (), cards, (), value)
    return Move(player, cards, (), (), cards, value)


def objection(table: Table, play: Play, move: Move) -> Reason | None:
    """Why the move does not stand, or None. A blind card is no objection whatever it shows."""
    if table.must is Must.NONE:
        return Reason.GAME_OVER
    reason = _impossible(table, move) or _untimely(table, move)
    if reason is not None:
        return reason
    if play.under:
        return Reason.NOT_ALLOWED
    seat = table.seats[move.player]
    if (seat.hand and (move.up or move.down)) or (seat.up and move.down):
        return Reason.HAND_FIRST
    if move.value is None:
        return Reason.MIXED_RANKS
    if move.down:
        return Reason.NOT_ALLOWED if len(move.down) > 1 else None
    return misfit(table.setup.rules, table.pile, move.value)


def fails_blind(table: Table, move: Move) -> bool:
    """Whether the move is a face-down card that does not go on the pile."""
    return bool(move.down) and misfit(
        table.setup.rules, table.pile, move.value or 0
    ) is not None


def _value(cards: tuple[Card, ...], joker: Rank | None) -> int | None:
    """The rank that the cards count as together; None when they differ."""
    value = 0
    for card in cards:
        if card.rank is Rank.JOKER:
            continue
        if value and value != card.rank:
            return None
        value = int(card.rank)
    if joker is None or not any(card.rank is Rank.JOKER for card in cards):
        return value
    return int(joker) if value in (0, joker) else None


def _table_zone(table: Table, seat: Seat, cards: tuple[Card, ...], player: int) -> Zone:
    """The zone of a player without hand: the row, unless it is known to hold none of these."""
    if not seat.up:
        return Zone.DOWN
    ledger = table.ledger
    if ledger.known_in(player, Zone.UP) < seat.up:
        return Zone.UP
    in_row = any(ledger.in_row(card, player) for card in cards)
    return Zone.UP if in_row or not seat.down else Zone.DOWN


def _impossible(table: Table, move: Move) -> Reason | None:
    """What contradicts the ledger or the counts."""
    ledger, seat, player = table.ledger, table.seats[move.player], move.player
    reason = ledger.conflict(player, move.cards)
    if reason is not None:
        return reason
    for cards, zone, has in (
        (move.hand, Zone.HAND, seat.hand),
        (move.up, Zone.UP, seat.up),
        (move.down, Zone.DOWN, seat.down),
    ):
        if cards and (
            len(cards) > has
            or ledger.unknown_among(player, cards, zone) > has - ledger.known_in(player, zone)
        ):
            return Reason.TOO_MANY_CARDS
    return None


def _untimely(table: Table, move: Move) -> Reason | None:
    """What is owed first, or who else is in turn."""
    if table.must is Must.PICKUP:
        return Reason.MUST_PICK_UP
    if move.player != table.turn and not table.opening:
        return Reason.NOT_YOUR_TURN
    if table.setup.rules.turned_card and not table.begun:
        return Reason.NO_START_CARD
    return None
