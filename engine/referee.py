"""The referee: one event on one table, and the ruling. Undoing and amending is ``game``'s."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Rank
from engine.effects import (
    Effect,
    chance_failed,
    chanced,
    failed,
    lifted,
    passed,
    picked_up,
    played,
    thrown_out,
)
from engine.events import (
    Chance,
    Event,
    FaceUp,
    Fact,
    Lift,
    Pass,
    PickUp,
    Play,
    Remove,
    Start,
    Swap,
    Zone,
)
from engine.house_rules import HouseRules
from engine.moves import face_up_fits, forbidden_finish, objection, read, turned, unfit
from engine.pile import lay, own_value
from engine.ruling import Ruling, refusal
from engine.table import NOBODY, Table
from engine.verdict import Must, Note, Reason, Verdict


def rule(table: Table, event: Fact, forced: bool = False) -> tuple[Table, Ruling]:
    """The table after the event and the ruling on it; a refused event changes nothing.

    ``forced`` applies a play, a pickup or a pass as if it were legal: the table let it
    stand. SetupError if the event names a player who does not sit here.
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


def _legal(event: Event, player: int, effect: Effect, notes: tuple[Note, ...] = ()) -> Ruling:
    table, burn, removed, finished = effect
    return Ruling(Verdict.LEGAL, None, event, player, table, burn, removed, finished, notes)


# -- plays -----------------------------------------------------------------------------------


def _rule_play(table: Table, play: Play, forced: bool) -> Ruling:
    player = _actor(table, play.by)
    if table.must is Must.NONE:
        return refusal(table, play, player, Reason.GAME_OVER)
    move = read(table, play, player)
    if not forced:
        reason = objection(table, move)
        if reason is not None:
            return refusal(table, play, player, reason)
        if not move.hand and table.must is Must.PLAY:
            if unfit(table, move) is not None:
                return _legal(play, player, failed(table, move))
            if forbidden_finish(table, move):
                ruling = _legal(play, player, failed(table, move))
                return replace(ruling, reason=Reason.FINISH_FORBIDDEN)
    effect = played(table, move)
    notes = (Note.CUT_IN,) if move.cuts else ()
    if effect.table.step != table.step:
        notes = (*notes, Note.TURNED_ROUND)
    return _legal(play, player, effect, notes)


def _rule_chance(table: Table, event: Chance, player: int) -> Ruling:
    rules, card = table.setup.rules, event.card
    reason = Reason.MUST_PICK_UP if table.must is Must.PICKUP else None
    reason = reason or _not_unseen(table, card) or _untimely(table, player)
    if reason is None and not (rules.chance and table.begun):
        reason = Reason.NOT_ALLOWED
    if reason is None and not table.stock:
        reason = Reason.EMPTY_STOCK
    if reason is not None:
        return refusal(table, event, player, reason)
    move = turned(table, card, player)
    if unfit(table, move) is not None:
        return _legal(event, player, chance_failed(table, move))
    effect = chanced(table, move)
    notes = (Note.TURNED_ROUND,) if effect.table.step != table.step else ()
    return _legal(event, player, effect, notes)


# -- taking the pile -------------------------------------------------------------------------


def _rule_pickup(table: Table, event: PickUp, forced: bool) -> Ruling:
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    reason = _wrong_along(table, event.along, player) if event.along else None
    if reason is None or not reason.impossible:
        reason = _untimely_pickup(table, player) or reason
    if table.pile is None:
        reason = Reason.NOT_YOUR_TURN if reason is Reason.NOT_YOUR_TURN else Reason.EMPTY_PILE
        return refusal(table, event, player, reason)
    if reason is not None and not forced:
        return refusal(table, event, player, reason)
    along = event.along if reason is None else ()
    return _legal(event, player, picked_up(table, player, along), _about_pickup(table, player))


def _untimely_pickup(table: Table, player: int) -> Reason | None:
    if player != table.turn and not table.opening:
        return Reason.NOT_YOUR_TURN
    if table.must is Must.PICKUP:
        return None
    hand, up, down = table.seats[player]
    if table.owes and not _stuck(table, player):
        return Reason.MUST_PLAY
    blind = not hand and not up and down > 0
    return Reason.MUST_PLAY if blind and not table.setup.rules.pickup_blind else None


def _wrong_along(table: Table, cards: tuple[Card, ...], player: int) -> Reason | None:
    """Why these face-up cards cannot be taken along with the pile."""
    seat, ledger = table.seats[player], table.ledger
    if not table.setup.rules.take_face_up:
        return Reason.NOT_ALLOWED
    unknown = seat.up - ledger.known_in(player, Zone.UP)
    if len(cards) > seat.up or ledger.unknown_among(player, cards, Zone.UP) > unknown:
        return Reason.TOO_MANY_CARDS
    reason = ledger.conflict(player, cards)
    if reason is not None:
        return reason
    if seat.hand:
        return Reason.HAND_FIRST
    return Reason.MIXED_RANKS if len({card.rank for card in cards}) > 1 else None


def _about_pickup(table: Table, player: int) -> tuple[Note, ...]:
    if table.must is Must.PICKUP:
        return ()
    notes = (Note.COULD_PLAY,) if face_up_fits(table, player) else ()
    if table.setup.rules.chance_first and table.stock:
        notes = (*notes, Note.NO_CHANCE)
    return notes


# -- before play -----------------------------------------------------------------------------


def _rule_start(table: Table, event: Start) -> Ruling:
    rules, card = table.setup.rules, event.card
    if table.must is Must.NONE:
        return refusal(table, event, NOBODY, Reason.GAME_OVER)
    if not rules.turned_card or table.begun:
        return refusal(table, event, NOBODY, Reason.NOT_ALLOWED)
    reason = _not_unseen(table, card)
    if reason is not None:
        return refusal(table, event, NOBODY, reason)
    another = rules.turn_again and table.stock > 1 and _is_special(rules, card)
    after = replace(
        table,
        pile=lay(rules, table.pile, card, own_value(rules, card)),
        stock=table.stock - 1,
        ledger=table.ledger.turned(card),
        begun=not another,
    )
    return _legal(event, NOBODY, Effect(after), (Note.TURN_ANOTHER,) if another else ())


def _not_unseen(table: Table, card: Card) -> Reason | None:
    """Why the card cannot come from the stock or from face down, or None if it can."""
    ledger = table.ledger
    return None if ledger.free(card) > 0 else ledger.where(card, NOBODY)


def _is_special(rules: HouseRules, card: Card) -> bool:
    ranks = (*rules.powers, *rules.skip_ranks, *rules.reverse_ranks, Rank.JOKER)
    return card.rank in ranks


def _rule_faceup(table: Table, event: FaceUp) -> Ruling:
    if table.must is Must.NONE:
        return refusal(table, event, NOBODY, Reason.GAME_OVER)
    ledger = table.ledger
    for name, cards in event.rows:
        player = table.setup.seat(name, "faceup")
        if len(cards) > table.seats[player].up:
            return refusal(table, event, player, Reason.TOO_MANY_CARDS)
        reason = ledger.conflict(player, cards)
        if reason is not None:
            return refusal(table, event, player, reason)
        swapped = table.setup.rules.swap and not table.begun
        ledger = ledger.shown(player, cards, swapped)
    return _legal(event, NOBODY, Effect(replace(table, ledger=ledger)))


def _rule_swap(table: Table, event: Swap, player: int) -> Ruling:
    """Cards of the hand for as many face-up ones, before anything is played (classic R3)."""
    ledger, seat = table.ledger, table.seats[player]
    reason = ledger.conflict(player, event.cards + event.taken)
    strangers = ledger.unknown_among(player, event.taken, Zone.UP)
    if reason is None and strangers > seat.up - ledger.known_in(player, Zone.UP):
        reason = Reason.TOO_MANY_CARDS
    unseen = ledger.unknown_among(player, event.cards, Zone.HAND)
    if reason is None and (
        len(event.cards) > min(seat.hand, seat.up)
        or unseen > seat.hand - ledger.known_in(player, Zone.HAND)
    ):
        reason = Reason.TOO_MANY_CARDS
    fair = table.setup.rules.swap and not table.begun and len(event.cards) == len(event.taken)
    if reason is None and not fair:
        reason = Reason.NOT_ALLOWED
    if reason is not None:
        return refusal(table, event, player, reason)
    after = replace(table, ledger=ledger.swapped(player, event.cards, event.taken))
    return _legal(event, player, Effect(after))


# -- moves that only some rules have ----------------------------------------------------------


def _rule_other(table: Table, event: Chance | Pass | Remove | Swap | Lift, forced: bool) -> Ruling:
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if isinstance(event, Pass):
        return _rule_pass(table, event, player, forced)
    if isinstance(event, Chance):
        return _rule_chance(table, event, player)
    if isinstance(event, Swap):
        return _rule_swap(table, event, player)
    if isinstance(event, Lift):
        return _rule_lift(table, event)
    return _rule_remove(table, event, player)


def _untimely(table: Table, player: int) -> Reason | None:
    """What stands against any move of this player now."""
    if table.must is Must.PICKUP:
        return Reason.MUST_PICK_UP
    return None if player == table.turn or table.opening else Reason.NOT_YOUR_TURN


def _rule_pass(table: Table, event: Pass, player: int, forced: bool) -> Ruling:
    """Passing is for who has no legal move and no pile to take, and for offering to begin."""
    rules = table.setup.rules
    offered = table.opening and rules.starter in ("lowest_card", "first_three")
    begun = table.begun or not rules.turned_card
    no_ten = begun and bool(rules.burn_ranks) and not rules.ten_on_empty
    stuck = table.pile is None and (_stuck(table, player) or no_ten)
    reason = _untimely(table, player)
    if reason is None and not (offered or stuck):
        reason = Reason.NOT_ALLOWED
    if reason is not None and not forced:
        return refusal(table, event, player, reason)
    notes = (Note.NO_LAST_CARD,) if stuck and _stuck(table, player) else ()
    return _legal(event, player, passed(table, player), notes)


def _stuck(table: Table, player: int) -> bool:
    """Whether the player's only card may be one that cannot be the last (norsk, reading 11)."""
    return (
        bool(table.setup.rules.no_finish_ranks)
        and not table.stock
        and sum(table.seats[player]) == 1
    )


def _rule_lift(table: Table, event: Lift) -> Ruling:
    """After a face-down card the next one is lifted, and kept if it does not match (norsk R15)."""
    rules, last = table.setup.rules, table.last
    holder = NOBODY if last is None else last.player
    player = holder if event.by is None else table.setup.seat(event.by)
    seat = table.seats[max(0, player)]
    reason = Reason.MUST_PICK_UP if table.must is Must.PICKUP else None
    if reason is None and event.card is not None:
        reason = _not_unseen(table, event.card)
    if reason is None and not (rules.match_blind or rules.series != "off"):
        reason = Reason.NOT_ALLOWED
    if reason is None and (last is None or not last.blind):
        reason = Reason.NOT_ALLOWED
    if reason is None and player != holder:
        reason = Reason.NOT_YOUR_TURN
    if reason is None and not seat.down:
        reason = Reason.TOO_MANY_CARDS
    if reason is not None:
        return refusal(table, event, player, reason)
    return _legal(event, player, lifted(table, player, event.card))


def _rule_remove(table: Table, event: Remove, player: int) -> Ruling:
    """A set thrown out of the hand must be every card of its rank (idiota R14)."""
    cards, seat = event.cards, table.seats[player]
    reason = Reason.MUST_PICK_UP if table.must is Must.PICKUP else None
    reason = reason or table.ledger.conflict(player, cards)
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
