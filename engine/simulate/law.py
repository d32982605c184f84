"""The rules as a player knows them who sees every card: what may be done at an open table."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from engine.cards import Card, Rank, Suit
from engine.events import Zone
from engine.house_rules import HouseRules
from engine.simulate.attempt import Attempt
from engine.simulate.heap import Heap, Laid, stands_for

if TYPE_CHECKING:
    from engine.simulate.open_table import OpenTable


def objection(table: OpenTable, attempt: Attempt) -> str | None:
    """The reason why the attempt is against the rules, or None.

    A card turned in vain is no offence; see ``in_vain``.
    """
    return _LAWS[attempt.what](table, attempt)


def in_vain(table: OpenTable, attempt: Attempt) -> str | None:
    """Why a card that was turned, or laid from the row in need, must be taken with the pile."""
    if attempt.what == "chance" or Zone.HAND not in attempt.zones:
        return _value(table, attempt) or _finish(table, attempt)
    return None


def adds(table: OpenTable, attempt: Attempt) -> bool:
    """Whether the play joins the player's last one, before the next player lays."""
    window, rules = table.window, table.rules
    if window is None or window.player != attempt.player or attempt.player == table.turn:
        return False
    blind = Zone.DOWN in attempt.zones
    if blind != window.blind:
        return False
    ranks = stands_for(rules, attempt.cards, attempt.joker)
    if rules.series != "off" and in_sequence(rules, [window.rank, *ranks]):
        return True
    if any(rank != window.rank for rank in ranks):
        return False
    return rules.match_blind if blind else rules.add_drawn and len(ranks) <= window.drawn


def cuts_in(table: OpenTable, attempt: Attempt) -> bool:
    """Whether the play is one that may be made out of turn."""
    rules, heap = table.rules, table.heap
    if attempt.player == table.turn or rules.cut_in == "off" or table.opening or not heap.cards:
        return False
    if Zone.DOWN in attempt.zones or table.owes_pile:
        return False
    place = len(heap.cards) - 1 if rules.glass_breaks_run else heap.top()
    top = heap.rank(place) if place >= 0 else None
    ranks = stands_for(rules, attempt.cards, attempt.joker)
    if top is None or any(rank != top for rank in ranks):
        return False
    laid = [Laid(card, rank) for card, rank in zip(attempt.cards, ranks, strict=True)]
    return rules.cut_in == "equal" or bool(heap.with_cards(laid).full_run())


def deflects(table: OpenTable, attempt: Attempt) -> bool:
    """Whether red jacks hand the pile on that another player's card makes one take."""
    return (
        table.handed_on
        and table.rules.red_jack_deflects
        and attempt.what == "play"
        and attempt.player == table.turn
        and not attempt.under
        and all(c.rank is Rank.JACK and c.suit in (Suit.D, Suit.H) for c in attempt.cards)
    )


def in_sequence(rules: HouseRules, ranks: list[int | None]) -> bool:
    """Whether these ranks may follow one another in a series."""
    special = (
        *rules.reset_ranks,
        *rules.burn_ranks,
        *rules.lower_ranks,
        *rules.glass_ranks,
        *rules.pickup_ranks,
    )
    ladder = [rank for rank in range(2, 15) if rank not in special]
    if any(rank not in ladder for rank in ranks):
        return False
    steps = [ladder.index(rank) for rank in ranks if rank is not None]
    widest = 1 if rules.series == "strict" else len(ladder)
    return all(0 <= two - one <= widest for one, two in pairwise(steps))


# -- each kind of attempt ----------------------------------------------------------------------


def _play(table: OpenTable, attempt: Attempt) -> str | None:
    rules = table.rules
    if table.owes_pile and not deflects(table, attempt):
        return "must_pick_up"
    own_turn = attempt.player == table.turn or table.opening
    if not (own_turn or adds(table, attempt) or cuts_in(table, attempt)):
        return "not_your_turn"
    if _out_of_order(table, attempt):
        return "hand_first"
    if not attempt.under and not _together(table, attempt):
        return "mixed_ranks"
    ranks = stands_for(rules, attempt.cards, attempt.joker)
    threes = all(card.rank is Rank.THREE for card in attempt.cards)
    if attempt.under and not (rules.sneak_three and threes):
        return "not_allowed"
    if attempt.zones.count(Zone.DOWN) > 1 and rules.series == "off":
        return "not_allowed"
    if attempt.higher and not (rules.lower_choice and ranks[-1] in rules.lower_ranks):
        return "not_allowed"
    if table.owes_pile:
        return _finish(table, attempt)
    if Zone.DOWN in attempt.zones:
        return None
    reason = _value(table, attempt)
    if reason is not None:
        in_need = rules.face_up_fails == "laid" and Zone.HAND not in attempt.zones
        return None if in_need and not table.known_to_fit(attempt.player) else reason
    return _finish(table, attempt)


def _pickup(table: OpenTable, attempt: Attempt) -> str | None:
    seat, rules = table.seats[attempt.player], table.rules
    if attempt.player != table.turn and not table.opening:
        return "not_your_turn"
    if not table.heap.cards:
        return "empty_pile"
    if not table.owes_pile:
        if table.owes_card and not table.last_card(attempt.player):
            return "must_play"
        if not rules.pickup_blind and not seat.hand and not seat.up:
            return "must_play"
    if attempt.cards:
        if not rules.take_face_up:
            return "not_allowed"
        if seat.hand:
            return "hand_first"
        if len({card.rank for card in attempt.cards}) > 1:
            return "mixed_ranks"
    return None


def _chance(table: OpenTable, attempt: Attempt) -> str | None:
    if table.owes_pile:
        return "must_pick_up"
    if attempt.player != table.turn and not table.opening:
        return "not_your_turn"
    return None if table.rules.chance and table.begun else "not_allowed"


def _pass(table: OpenTable, attempt: Attempt) -> str | None:
    rules = table.rules
    if table.owes_pile:
        return "must_pick_up"
    if attempt.player != table.turn and not table.opening:
        return "not_your_turn"
    if table.opening and rules.starter in ("lowest_card", "first_three"):
        return None
    no_ten = bool(rules.burn_ranks) and not rules.ten_on_empty
    no_ten = no_ten and (table.begun or not rules.turned_card)
    if not table.heap.cards and (table.last_card(attempt.player) or no_ten):
        return None
    return "not_allowed"


def _remove(table: OpenTable, attempt: Attempt) -> str | None:
    if table.owes_pile:
        return "must_pick_up"
    if attempt.player != table.turn and not table.opening:
        return "not_your_turn"
    if len({card.rank for card in attempt.cards}) > 1:
        return "mixed_ranks"
    whole = len(attempt.cards) == 4 * table.decks
    return None if table.rules.remove_sets and whole and table.begun else "not_allowed"


def _lift(table: OpenTable, attempt: Attempt) -> str | None:
    window, rules = table.window, table.rules
    if table.owes_pile:
        return "must_pick_up"
    if not rules.match_blind and rules.series == "off":
        return "not_allowed"
    if window is None or not window.blind:
        return "not_allowed"
    return None if window.player == attempt.player else "not_your_turn"


# -- what they have in common ------------------------------------------------------------------


def _out_of_order(table: OpenTable, attempt: Attempt) -> bool:
    """Whether a card from the table comes before its time."""
    seat, zones = table.seats[attempt.player], set(attempt.zones)
    if Zone.DOWN in zones:
        return bool(seat.hand or seat.up)
    if Zone.UP not in zones or not seat.hand:
        return False
    from_row = [c for c, zone in zip(attempt.cards, attempt.zones, strict=True) if zone is Zone.UP]
    whole_hand = len(attempt.cards) - len(from_row) == len(seat.hand)
    last = attempt.cards[-1].rank
    alike = all(card.rank == last for card in from_row)
    return not (table.rules.join_last and not table.stock and whole_hand and alike)


def _together(table: OpenTable, attempt: Attempt) -> bool:
    """Whether the cards are one play: equal, a two and its card, or a series."""
    rules = table.rules
    ranks = stands_for(rules, attempt.cards, attempt.joker)
    if len(set(ranks)) == 1:
        return True
    rest = list(ranks)
    while rules.two == "again" and rest and rest[0] in rules.reset_ranks:
        rest.pop(0)
    if len(rest) < len(ranks):
        one_play = len(set(rest)) == 1
    else:
        one_play = rules.series != "off" and in_sequence(rules, ranks)
    return one_play and not _burns_before_the_last(table.heap, attempt, ranks)


def _burns_before_the_last(heap: Heap, attempt: Attempt, ranks: list[int | None]) -> bool:
    laid = [Laid(card, rank) for card, rank in zip(attempt.cards, ranks, strict=True)]
    return any(
        heap.with_cards(laid[:count]).full_run() and ranks[-1] != ranks[count - 1]
        for count in range(1, len(laid))
    )


def _value(table: OpenTable, attempt: Attempt) -> str | None:
    """Why the cards do not go on the pile."""
    rules, heap = table.rules, table.heap
    ranks = stands_for(rules, attempt.cards, attempt.joker)
    rank = ranks[0]
    if attempt.under or all(card.rank is Rank.JOKER for card in attempt.cards):
        return None
    if rank is None or rank == Rank.JOKER:
        return None
    alike = len(set(ranks)) == 1
    if rules.four_on_any and alike and len(ranks) >= heap.needed(rank):
        return None
    low, high = heap.limits()
    if rank in rules.burn_ranks:
        if heap.top() < 0 and not rules.ten_on_empty:
            return "not_allowed"
        if high is not None and rank > high:
            return None if rules.ten_on_seven else "too_high"
    anywhere = (
        rank in (*rules.reset_ranks, *rules.glass_ranks, *rules.pickup_ranks)
        or (rank in rules.lower_ranks and rules.lower_on_higher)
        or (rank in rules.burn_ranks and rules.ten_on_higher)
    )
    if not anywhere:
        if high is not None and rank > high:
            return "too_high"
        strictly = rules.face_up == "higher" and set(attempt.zones) == {Zone.UP}
        if rank < low or (strictly and rank == low):
            return "too_low"
    special = (
        *rules.reset_ranks,
        *rules.glass_ranks,
        *rules.pickup_ranks,
        *rules.lower_ranks,
        *rules.burn_ranks,
    )
    joins = adds(table, attempt) or cuts_in(table, attempt)
    if rules.pairs and not joins and rank not in special and (low, high) != (0, None):
        return "too_few_cards" if 2 <= table.together > len(ranks) else None
    return None


def _finish(table: OpenTable, attempt: Attempt) -> str | None:
    """Whether a forbidden card would be the player's last."""
    rules, seat = table.rules, table.seats[attempt.player]
    last = attempt.cards[-1].rank
    stands = stands_for(rules, attempt.cards, attempt.joker)[-1]
    if last not in rules.no_finish_ranks and stands not in rules.no_finish_ranks:
        return None
    everything = seat.count() + len(table.stock)
    return (
        "finish_forbidden" if attempt.what == "play" and everything == len(attempt.cards) else None
    )


def fits_by_rank(table: OpenTable, card: Card) -> bool:
    """Whether a single card of the row would fit, however many lie together."""
    attempt = Attempt(table.turn, "play", (card,), (Zone.UP,))
    return _value(table, attempt) in (None, "too_few_cards")


_LAWS = {
    "play": _play,
    "pickup": _pickup,
    "chance": _chance,
    "pass": _pass,
    "remove": _remove,
    "lift": _lift,
}
