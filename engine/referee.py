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
from engine.ledger import Conflict
from engine.moves import face_up_fits, forbidden_finish, objection, read, turned, unfit
from engine.pile import lay, own_value
from engine.ruling import Ruling, refusal
from engine.table import NOBODY, Seat, Table
from engine.verdict import Must, Note, Reason, Verdict


def rule(table: Table, event: Fact, forced: bool = False) -> tuple[Table, Ruling]:
    """The table after the event and the ruling on it; a refused event changes nothing.

    ``forced`` applies the event as if it were legal: the table let it stand, and knows
    better where its cards were. What cannot be done at all is refused even so: a pickup of
    nothing, a card from an empty stock. SetupError if the event names a player who does not
    sit here.
    """
    ruling = _ruled(table, event, forced)
    if forced:
        after = ruling.table if ruling.stands else table
        if ruling.stands:
            after = replace(after, ledger=after.ledger.believed(after.seats))
        ruling = replace(ruling, table=after)
    return ruling.table, ruling


def _ruled(table: Table, event: Fact, forced: bool) -> Ruling:
    if isinstance(event, Play):
        return _rule_play(table, event, forced)
    if isinstance(event, PickUp):
        return _rule_pickup(table, event, forced)
    if isinstance(event, Start):
        return _rule_start(table, event, forced)
    if isinstance(event, FaceUp):
        return _rule_faceup(table, event, forced)
    return _rule_other(table, event, forced)


def _actor(table: Table, by: str | None) -> int:
    return table.turn if by is None else table.setup.seat(by)


def _legal(event: Event, player: int, effect: Effect, notes: tuple[Note, ...] = ()) -> Ruling:
    table, burn, removed, finished = effect
    return Ruling(Verdict.LEGAL, None, event, player, table, burn, removed, finished, notes)


def _conceding(
    table: Table, player: int, cards: tuple[Card, ...], zone: Zone | None = None
) -> Table:
    """The table at which the cards come from there, whatever was known of them."""
    return replace(table, ledger=table.ledger.conceded(player, cards, zone))


def _reason(why: Reason | Conflict | None) -> Reason | None:
    return why.reason if isinstance(why, Conflict) else why


def _not_allowed(table: Table, event: Fact, player: int, untimely: bool) -> Ruling:
    """There is no such move, or only at another time."""
    notes = (Note.NOT_NOW,) if untimely else ()
    return refusal(table, event, player, Reason.NOT_ALLOWED, notes)


# -- plays -----------------------------------------------------------------------------------


def _rule_play(table: Table, play: Play, forced: bool) -> Ruling:
    player = _actor(table, play.by)
    if table.must is Must.NONE:
        return refusal(table, play, player, Reason.GAME_OVER)
    move = read(table, play, player)
    if not forced:
        reason = objection(table, move)
        if reason is not None:
            conflict = table.ledger.conflict(player, move.cards) if reason.impossible else None
            return refusal(table, play, player, conflict or reason)
        if not move.hand and table.must is Must.PLAY:
            if unfit(table, move) is not None:
                return _legal(play, player, failed(table, move))
            if forbidden_finish(table, move):
                ruling = _legal(play, player, failed(table, move))
                return replace(ruling, reason=Reason.FINISH_FORBIDDEN)
    else:
        for cards, zone in ((move.hand, Zone.HAND), (move.up, Zone.UP), (move.down, Zone.DOWN)):
            table = _conceding(table, player, cards, zone)
    effect = played(table, move)
    notes = (Note.CUT_IN,) if move.cuts else ()
    if effect.table.step != table.step:
        notes = (*notes, Note.TURNED_ROUND)
    return _legal(play, player, effect, notes)


def _rule_chance(table: Table, event: Chance, player: int, forced: bool) -> Ruling:
    rules, card = table.setup.rules, event.card
    why: Reason | Conflict | None = _untimely(table, player)
    if table.must is not Must.PICKUP:
        why = _not_unseen(table, card) or why
    if forced:
        table, why = _conceding(table, player, (card,)), None
    elif why is None and not (rules.chance and table.begun):
        return _not_allowed(table, event, player, rules.chance)
    if why is None and not table.stock:
        why = Reason.EMPTY_STOCK
    if why is not None:
        return refusal(table, event, player, why)
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
    why = _wrong_along(table, event.along, player) if event.along else None
    reason = _reason(why)
    if reason is None or not reason.impossible:
        why = _untimely_pickup(table, player) or why
    if table.pile is None:
        why = Reason.NOT_YOUR_TURN if why is Reason.NOT_YOUR_TURN else Reason.EMPTY_PILE
        return refusal(table, event, player, why)
    if why is not None and not forced:
        return refusal(table, event, player, why)
    notes = _about_pickup(table, player)
    if forced:
        table = _conceding(table, player, event.along, Zone.UP)
    return _legal(event, player, picked_up(table, player, event.along), notes)


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


def _wrong_along(table: Table, cards: tuple[Card, ...], player: int) -> Reason | Conflict | None:
    """Why these face-up cards cannot be taken along with the pile."""
    seat, ledger = table.seats[player], table.ledger
    if not table.setup.rules.take_face_up:
        return Reason.NOT_ALLOWED
    unknown = seat.up - ledger.known_in(player, Zone.UP)
    if len(cards) > seat.up or ledger.unknown_among(player, cards, Zone.UP) > unknown:
        return Reason.TOO_MANY_CARDS
    conflict = ledger.conflict_by_zone(player, (), cards)
    if conflict is not None:
        return conflict
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


def _rule_start(table: Table, event: Start, forced: bool) -> Ruling:
    rules, card = table.setup.rules, event.card
    if table.must is Must.NONE:
        return refusal(table, event, NOBODY, Reason.GAME_OVER)
    if forced:
        table = _conceding(table, NOBODY, (card,))
        if not table.stock:
            return refusal(table, event, NOBODY, Reason.EMPTY_STOCK)
    else:
        if not rules.turned_card or table.begun:
            return _not_allowed(table, event, NOBODY, rules.turned_card)
        why = _not_unseen(table, card)
        if why is not None:
            return refusal(table, event, NOBODY, why)
    special = rules.turn_again and _is_special(rules, card)
    another = special and table.stock > 1 and not table.begun
    after = replace(
        table,
        pile=lay(rules, table.pile, card, own_value(rules, card)),
        stock=table.stock - 1,
        ledger=table.ledger.turned(card),
        begun=not another,
    )
    return _legal(event, NOBODY, Effect(after), (Note.TURN_ANOTHER,) if another else ())


def _not_unseen(table: Table, card: Card) -> Conflict | None:
    """Why the card cannot come from the stock or from face down, or None if it can."""
    ledger = table.ledger
    return None if ledger.free(card) > 0 else Conflict(ledger.where(card, NOBODY), card)


def _is_special(rules: HouseRules, card: Card) -> bool:
    ranks = (*rules.powers, *rules.skip_ranks, *rules.reverse_ranks, Rank.JOKER)
    return card.rank in ranks


def _rule_faceup(table: Table, event: FaceUp, forced: bool) -> Ruling:
    if table.must is Must.NONE:
        return refusal(table, event, NOBODY, Reason.GAME_OVER)
    ledger = table.ledger
    for name, cards in event.rows:
        player = table.setup.seat(name, "faceup")
        if len(cards) > table.seats[player].up:
            return refusal(table, event, player, Reason.TOO_MANY_CARDS)
        conflict = ledger.conflict(player, cards)
        if conflict is not None and not forced:
            return refusal(table, event, player, conflict)
        if forced:
            ledger = ledger.conceded(player, cards, Zone.UP)
        swapped = table.setup.rules.swap and not table.begun
        ledger = ledger.shown(player, cards, swapped)
    return _legal(event, NOBODY, Effect(replace(table, ledger=ledger)))


def _rule_swap(table: Table, event: Swap, player: int, forced: bool) -> Ruling:
    """Cards of the hand for as many face-up ones, before anything is played (classic R3)."""
    rules, cards, taken = table.setup.rules, event.cards, event.taken
    fair = len(cards) == len(taken)
    if forced:
        table = _conceding(table, player, cards, Zone.HAND)
        table = _conceding(table, player, taken, Zone.UP)
    elif (why := _wrong_swap(table, event, player)) is not None:
        return refusal(table, event, player, why)
    elif not rules.swap or table.begun or not fair:
        return _not_allowed(table, event, player, rules.swap and table.begun and fair)
    hand, up, down = table.seats[player]
    more = len(cards) - len(taken)
    after = replace(
        table,
        seats=(
            *table.seats[:player],
            Seat(max(0, hand - more), max(0, up + more), down),
            *table.seats[player + 1 :],
        ),
        ledger=table.ledger.swapped(player, cards, taken),
    )
    return _legal(event, player, Effect(after))


def _wrong_swap(table: Table, event: Swap, player: int) -> Reason | Conflict | None:
    """What the hand or the row of the player cannot hold."""
    ledger, seat = table.ledger, table.seats[player]
    conflict = ledger.conflict_by_zone(player, event.cards, event.taken)
    if conflict is not None:
        return conflict
    strangers = ledger.unknown_among(player, event.taken, Zone.UP)
    unseen = ledger.unknown_among(player, event.cards, Zone.HAND)
    if (
        strangers > seat.up - ledger.known_in(player, Zone.UP)
        or unseen > seat.hand - ledger.known_in(player, Zone.HAND)
        or len(event.cards) > min(seat.hand, seat.up)
    ):
        return Reason.TOO_MANY_CARDS
    return None


# -- moves that only some rules have ----------------------------------------------------------


def _rule_other(table: Table, event: Chance | Pass | Remove | Swap | Lift, forced: bool) -> Ruling:
    player = _actor(table, event.by)
    if table.must is Must.NONE:
        return refusal(table, event, player, Reason.GAME_OVER)
    if isinstance(event, Pass):
        return _rule_pass(table, event, player, forced)
    if isinstance(event, Chance):
        return _rule_chance(table, event, player, forced)
    if isinstance(event, Swap):
        return _rule_swap(table, event, player, forced)
    if isinstance(event, Lift):
        return _rule_lift(table, event, forced)
    return _rule_remove(table, event, player, forced)


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
    if reason is not None and not forced:
        return refusal(table, event, player, reason)
    if not (offered or stuck or forced):
        offers = rules.starter in ("lowest_card", "first_three")
        blocked = bool(rules.no_finish_ranks or (rules.burn_ranks and not rules.ten_on_empty))
        return _not_allowed(table, event, player, offers or blocked)
    notes = (Note.NO_LAST_CARD,) if stuck and _stuck(table, player) else ()
    return _legal(event, player, passed(table, player), notes)


def _stuck(table: Table, player: int) -> bool:
    """Whether the player's only card may be one that cannot be the last (norsk, reading 11)."""
    return (
        bool(table.setup.rules.no_finish_ranks)
        and not table.stock
        and sum(table.seats[player]) == 1
    )


def _rule_lift(table: Table, event: Lift, forced: bool) -> Ruling:
    """After a face-down card the next one is lifted, and kept if it does not match (norsk R15)."""
    rules, last = table.setup.rules, table.last
    holder = NOBODY if last is None else last.player
    player = holder if event.by is None else table.setup.seat(event.by)
    if forced:
        player = table.turn if player == NOBODY else player
        if event.card is not None:
            table = _conceding(table, player, (event.card,))
    seat = table.seats[max(0, player)]
    if not forced:
        if table.must is Must.PICKUP:
            return refusal(table, event, player, Reason.MUST_PICK_UP)
        conflict = None if event.card is None else _not_unseen(table, event.card)
        if conflict is not None:
            return refusal(table, event, player, conflict)
        lifts = rules.match_blind or rules.series != "off"
        if not lifts or last is None or not last.blind:
            return _not_allowed(table, event, player, lifts)
        if player != holder:
            return refusal(table, event, player, Reason.NOT_YOUR_TURN)
    if not seat.down:
        return refusal(table, event, player, Reason.TOO_MANY_CARDS)
    return _legal(event, player, lifted(table, player, event.card))


def _rule_remove(table: Table, event: Remove, player: int, forced: bool) -> Ruling:
    """A set thrown out of the hand must be every card of its rank (idiota R14).

    It may be a player's first act, for that is before playing (idiota, reading 8).
    """
    rules, cards = table.setup.rules, event.cards
    if forced:
        table = _conceding(table, player, cards, Zone.HAND)
        return _legal(event, player, thrown_out(table, cards, player))
    why = _wrong_set(table, cards, player)
    if why is not None:
        return refusal(table, event, player, why)
    allowed = rules.remove_sets and len(cards) == 4 * table.setup.decks
    awaited = rules.turned_card and not table.begun
    if not allowed or awaited:
        return _not_allowed(table, event, player, allowed)
    return _legal(event, player, thrown_out(table, cards, player))


def _wrong_set(table: Table, cards: tuple[Card, ...], player: int) -> Reason | Conflict | None:
    """Why these cannot be thrown out together by this player now."""
    if table.must is Must.PICKUP:
        return Reason.MUST_PICK_UP
    seat, ledger = table.seats[player], table.ledger
    conflict = ledger.conflict_by_zone(player, cards, ())
    if conflict is not None:
        return conflict
    unknown = seat.hand - ledger.known_in(player, Zone.HAND)
    if len(cards) > seat.hand or ledger.unknown_among(player, cards, Zone.HAND) > unknown:
        return Reason.TOO_MANY_CARDS
    if (reason := _untimely(table, player)) is not None:
        return reason
    return Reason.MIXED_RANKS if len({card.rank for card in cards}) > 1 else None
