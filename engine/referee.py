"""The referee: one event on one table, and the ruling. Undoing and amending is ``game``'s."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Rank
from engine.effects import Effect, failed, passed, picked_up, played
from engine.events import Chance, Event, Fact, FaceUp, Pass, PickUp, Play, Remove, Start, Zone
from engine.moves import fails_blind, objection, read
from engine.pile import lay, misfit
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
    if not forced:
        reason = objection(table, play, move)
        if reason is not None:
            return refusal(table, play, player, reason)
        if fails_blind(table, move):
            return _legal(play, player, failed(table, move))
    return _legal(play, player, played(table, move))


def _rule_pickup(table: Table, event: PickUp, forced: bool) -> Ruling:
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if player != table.turn and not forced:
        return refusal(table, event, player, Reason.NOT_YOUR_TURN)
    if table.pile is None:
        return refusal(table, event, player, Reason.EMPTY_PILE)
    if event.along and not forced:
        return refusal(table, event, player, Reason.NOT_ALLOWED)
    could = table.must is Must.PLAY and _face_up_fits(table, player)
    ruling = _legal(event, player, picked_up(table, player))
    return replace(ruling, could_play=True) if could else ruling


def _face_up_fits(table: Table, player: int) -> bool:
    """Whether a player who plays from the face-up row is known to have a card that fits."""
    if table.seats[player].hand:
        return False
    return any(
        misfit(table.setup.rules, table.pile, _counts_as(card)) is None
        for card in table.ledger.row_of(player)
    )


def _counts_as(card: Card) -> int:
    return 0 if card.rank is Rank.JOKER else int(card.rank)


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
    """Moves that no preset of today has: refused in the order of reasons."""
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if forced and isinstance(event, Pass):
        return _legal(event, player, passed(table, player))
    reason = _unseen(table, event, player)
    if reason is None and table.must is Must.PICKUP:
        reason = Reason.MUST_PICK_UP
    if reason is None and player != table.turn:
        reason = Reason.NOT_YOUR_TURN
    return refusal(table, event, player, reason or Reason.NOT_ALLOWED)


def _unseen(table: Table, event: Chance | Pass | Remove, player: int) -> Reason | None:
    """What contradicts the ledger in a card turned or thrown out."""
    if isinstance(event, Chance):
        ledger, card = table.ledger, event.card
        return None if ledger.free(card) > 0 else ledger.where(card, NOBODY)
    if isinstance(event, Remove):
        if len(event.cards) > table.seats[player].hand:
            return Reason.TOO_MANY_CARDS
        known = table.ledger.known_in(player, Zone.HAND)
        strange = table.ledger.unknown_among(player, event.cards, Zone.HAND)
        if strange > table.seats[player].hand - known:
            return Reason.TOO_MANY_CARDS
        return table.ledger.conflict(player, event.cards)
    return None
