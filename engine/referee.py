"""The referee: one event on one table, and the ruling. Undoing and amending is ``game``'s."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Rank
from engine.effects import (
    Effect,
    chance_failed,
    chanced,
    failed,
    passed,
    picked_up,
    played,
    thrown_out,
)
from engine.events import Chance, Event, FaceUp, Fact, Pass, PickUp, Play, Remove, Start, Zone
from engine.moves import Move, face_up_fits, forbidden_finish, objection, read, unfit
from engine.pile import ANYTHING, lay, misfit
from engine.ruling import Ruling, refusal
from engine.table import NOBODY, Table
from engine.verdict import Must, Reason, Verdict


def rule(table: Table, event: Fact, forced: bool = False) -> tuple[Table, Ruling]:
    """The table after the event and the ruling on it; a refused event changes nothing.

    ``forced`` applies a play or a pickup as if it were legal: the table let it stand.
    SetupError if the event names a player who does not sit here.
    """
    if isinstance(event, Play):
        ruling = _rule_play(table, event, forced)
    elif isinstance(event, PickUp):
        ruling = _rule_pickup(table, event, forced)
    elif isinstance(event, Start):
        ruling = _rule_start(table, event)
    elif isinstance(event, FaceUp):
        ruling = _rule_faceup(table, event)
    else:
        ruling = _rule_other(table, event, forced)
    return ruling.table, ruling


def _actor(table: Table, by: str | None) -> int:
    return table.turn if by is None else table.setup.seat(by)


def _legal(event: Event, player: int, effect: Effect) -> Ruling:
    table, burn, removed, finished = effect
    return Ruling(Verdict.LEGAL, None, event, player, table, burn, removed, finished)


def _rule_play(table: Table, play: Play, forced: bool) -> Ruling:
    player = _actor(table, play.by)
    if table.must is Must.NONE:
        return refusal(table, play, player, Reason.GAME_OVER)
    move = read(table, play, player)
    if forced:
        return _legal(play, player, played(table, move))
    reason = objection(table, move)
    if reason is not None:
        return refusal(table, play, player, reason)
    if move.hand:
        return _legal(play, player, played(table, move))
    return _rule_table_card(table, play, move)


def _rule_table_card(table: Table, play: Play, move: Move) -> Ruling:
    """A card from the table may lie there in vain: its player takes it with the pile."""
    if unfit(table, move) is not None:
        return _legal(play, move.player, failed(table, move))
    if forbidden_finish(table, move):
        ruling = _legal(play, move.player, failed(table, move))
        return replace(ruling, reason=Reason.FINISH_FORBIDDEN)
    return _legal(play, move.player, played(table, move))


def _rule_pickup(table: Table, event: PickUp, forced: bool) -> Ruling:
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if table.pile is None:
        reason = Reason.EMPTY_PILE if player == table.turn else Reason.NOT_YOUR_TURN
        return refusal(table, event, player, reason)
    if not forced:
        reason_now = _untimely_pickup(table, event, player)
        if reason_now is not None:
            return refusal(table, event, player, reason_now)
    along = event.along if table.setup.rules.take_face_up else ()
    could = table.must is Must.PLAY and face_up_fits(table, player)
    ruling = _legal(event, player, picked_up(table, player, along))
    return replace(ruling, could_play=True) if could else ruling


def _untimely_pickup(table: Table, event: PickUp, player: int) -> Reason | None:
    if player != table.turn:
        return Reason.NOT_YOUR_TURN
    if table.owes:
        return Reason.MUST_PLAY
    return _wrong_along(table, event.along, player) if event.along else None


def _wrong_along(table: Table, cards: tuple[Card, ...], player: int) -> Reason | None:
    """Why these face-up cards cannot be taken along with the pile."""
    seat, ledger = table.seats[player], table.ledger
    if not table.setup.rules.take_face_up:
        return Reason.NOT_ALLOWED
    unknown = seat.up - ledger.known_in(player, Zone.UP)
    if len(cards) > seat.up or ledger.unknown_among(player, cards, Zone.UP) > unknown:
        return Reason.TOO_MANY_CARDS
    if ledger.conflict(player, cards) is not None:
        return ledger.conflict(player, cards)
    if seat.hand:
        return Reason.HAND_FIRST
    return Reason.MIXED_RANKS if len({card.rank for card in cards}) > 1 else None


def _counts_as(card: Card) -> int:
    return ANYTHING if card.rank is Rank.JOKER else int(card.rank)


def _rule_start(table: Table, event: Start) -> Ruling:
    rules, card = table.setup.rules, event.card
    if not rules.turned_card or table.begun:
        return refusal(table, event, NOBODY, Reason.NOT_ALLOWED)
    if table.ledger.free(card) <= 0:
        return refusal(table, event, NOBODY, table.ledger.where(card, NOBODY))
    after = replace(
        table,
        pile=lay(rules, None, card, _counts_as(card)),
        stock=table.stock - 1,
        ledger=table.ledger.turned(card),
        begun=True,
    )
    return _legal(event, NOBODY, Effect(after))


def _rule_faceup(table: Table, event: FaceUp) -> Ruling:
    if table.must is Must.NONE:
        return refusal(table, event, NOBODY, Reason.GAME_OVER)
    ledger = table.ledger
    for name, cards in event.rows:
        player = table.setup.seat(name)
        if len(cards) > table.seats[player].up:
            return refusal(table, event, player, Reason.TOO_MANY_CARDS)
        reason = ledger.conflict(player, cards)
        if reason is not None:
            return refusal(table, event, player, reason)
        swapped = table.setup.rules.swap and not table.begun
        ledger = ledger.shown(player, cards, swapped)
    return _legal(event, NOBODY, Effect(replace(table, ledger=ledger)))


def _rule_other(table: Table, event: Chance | Pass | Remove, forced: bool) -> Ruling:
    """The moves that only some rules have."""
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if isinstance(event, Pass):
        return _rule_pass(table, event, player, forced)
    if isinstance(event, Chance):
        return _rule_chance(table, event, player)
    return _rule_remove(table, event, player)


def _untimely(table: Table, player: int) -> Reason | None:
    """What stands against any move of this player now."""
    if table.must is Must.PICKUP:
        return Reason.MUST_PICK_UP
    return None if player == table.turn or table.opening else Reason.NOT_YOUR_TURN


def _rule_chance(table: Table, event: Chance, player: int) -> Ruling:
    rules, card, ledger = table.setup.rules, event.card, table.ledger
    reason = None if ledger.free(card) > 0 else ledger.where(card, NOBODY)
    reason = reason or _untimely(table, player)
    if reason is None and not (rules.chance and table.begun):
        reason = Reason.NOT_ALLOWED
    if reason is None and not table.stock:
        reason = Reason.EMPTY_STOCK
    if reason is not None:
        return refusal(table, event, player, reason)
    if misfit(rules, table.pile, _counts_as(card)) is not None:
        return _legal(event, player, chance_failed(table, card, player))
    return _legal(event, player, chanced(table, card, player))


def _rule_pass(table: Table, event: Pass, player: int, forced: bool) -> Ruling:
    """Passing is for the one whose only card cannot be the last, with no pile to take."""
    seat = table.seats[player]
    stuck = (
        bool(table.setup.rules.no_finish_ranks)
        and table.pile is None
        and not table.stock
        and seat.hand + seat.up + seat.down == 1
    )
    reason = _untimely(table, player) or (None if stuck else Reason.NOT_ALLOWED)
    if reason is not None and not forced:
        return refusal(table, event, player, reason)
    return _legal(event, player, passed(table, player))


def _rule_remove(table: Table, event: Remove, player: int) -> Ruling:
    """A set thrown out of the hand must be every card of its rank."""
    cards, seat = event.cards, table.seats[player]
    reason = table.ledger.conflict(player, cards)
    unknown = seat.hand - table.ledger.known_in(player, Zone.HAND)
    if reason is None and (
        len(cards) > seat.hand or table.ledger.unknown_among(player, cards, Zone.HAND) > unknown
    ):
        reason = Reason.TOO_MANY_CARDS
    reason = reason or _untimely(table, player)
    if reason is None and len({card.rank for card in cards}) > 1:
        reason = Reason.MIXED_RANKS
    whole = len(cards) == 4 * table.setup.decks
    if reason is None and not (table.setup.rules.remove_sets and whole and table.begun):
        reason = Reason.NOT_ALLOWED
    if reason is not None:
        return refusal(table, event, player, reason)
    return _legal(event, player, thrown_out(table, cards, player))
