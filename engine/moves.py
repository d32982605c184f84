"""From a play as it was seen to a move: whose it is, from which zones, and what it counts as."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.cards import Card, Rank
from engine.events import Play, Zone
from engine.pile import ANYTHING, misfit
from engine.rules import HouseRules
from engine.table import Seat, Table
from engine.verdict import Must, Reason


@dataclass(frozen=True, slots=True)
class Move:
    """A play read with what the table knows.

    ``hand``, ``up`` and ``down`` are its cards by the zone they come from, ``cards`` all of
    them as laid. ``values`` are the ranks that they count as, one for each card, ANYTHING
    for jokers that copy what lies below. ``adds`` tells that the move joins the play on
    top, out of turn; ``under`` that it slides below the pile.
    """

    player: int
    cards: tuple[Card, ...]
    hand: tuple[Card, ...]
    up: tuple[Card, ...]
    down: tuple[Card, ...]
    values: tuple[int, ...]
    adds: bool
    under: bool

    @property
    def wild(self) -> bool:
        """Whether it is of jokers alone, which go on anything."""
        return self.cards[0].rank is Rank.JOKER and all(
            card.rank is Rank.JOKER for card in self.cards
        )


def read(table: Table, play: Play, player: int) -> Move:
    """The move that a play of that player is."""
    cards = play.cards
    values = _values(cards, play.joker)
    hand, up, down = _zones(table, play, player)
    adds = player != table.turn and _may_add(table, player, values, bool(down))
    return Move(player, cards, hand, up, down, values, adds, play.under)


def objection(table: Table, move: Move) -> Reason | None:
    """Why the move does not stand, or None.

    A card that is laid although it does not fit (see ``fails``) is no objection.
    """
    reason = _impossible(table, move) or _untimely(table, move) or _disordered(table, move)
    if reason is not None:
        return reason
    rules = table.setup.rules
    if move.under:
        return None if _sneaks(rules, move) else Reason.NOT_ALLOWED
    if not _one_play(rules, move.values):
        return Reason.MIXED_RANKS
    if move.down:
        return Reason.NOT_ALLOWED if len(move.down) > 1 else None
    reason = unfit(table, move)
    if reason is not None:
        return None if _laid_anyway(table, move) else reason
    return Reason.FINISH_FORBIDDEN if forbidden_finish(table, move) else None


def unfit(table: Table, move: Move) -> Reason | None:
    """Why the cards do not go on the pile, or None if they do."""
    if move.wild or move.under:
        return None
    rules = table.setup.rules
    strictly = bool(move.up) and not move.hand and rules.face_up == "higher"
    return misfit(rules, table.pile, move.values[0], strictly)


def forbidden_finish(table: Table, move: Move) -> bool:
    """Whether this would be a player's last card, of a rank with which nobody may finish."""
    if move.values[-1] not in table.setup.rules.no_finish_ranks:
        return False
    seat = table.seats[move.player]
    left = seat.hand + seat.up + seat.down - len(move.cards)
    return left <= 0 and not table.stock


def _values(cards: tuple[Card, ...], joker: Rank | None) -> tuple[int, ...]:
    """What each card counts as; a joker is as declared, else what the others are."""
    if len(cards) == 1 and cards[0].rank is not Rank.JOKER:
        return (int(cards[0].rank),)
    natural = [int(card.rank) for card in cards if card.rank is not Rank.JOKER]
    if len(natural) == len(cards):
        return tuple(natural)
    stands = int(joker) if joker is not None else natural[0] if natural else ANYTHING
    return tuple(stands if card.rank is Rank.JOKER else int(card.rank) for card in cards)


def _zones(
    table: Table, play: Play, player: int
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """The cards from the hand, from the face-up row and from the face-down ones."""
    seat, cards, source = table.seats[player], play.cards, play.source
    if source is Zone.UP:
        return (), cards, ()
    if source is Zone.DOWN:
        return (), (), cards
    if source is None and not seat.hand:
        down = _plays_blind(table, seat, cards, player)
        return ((), (), cards) if down else ((), cards, ())
    if not table.ledger.rows[player] and len(cards) <= seat.hand:
        return cards, (), ()
    ledger = table.ledger
    hand = [card for card in cards if not ledger.only_in_row(card, player)]
    up = [card for card in cards if card not in hand]
    if source is None and table.setup.rules.join_last and not table.stock:
        while len(hand) > seat.hand and len(up) < seat.up:
            twin = next((card for card in hand if ledger.in_row(card, player)), hand[-1])
            hand.remove(twin)
            up.append(twin)
    return tuple(hand), tuple(up), ()


def _plays_blind(table: Table, seat: Seat, cards: tuple[Card, ...], player: int) -> bool:
    """Whether a player without hand plays face down: the row is empty or has none of these."""
    if not seat.up:
        return True
    ledger = table.ledger
    if not seat.down or ledger.known_in(player, Zone.UP) < seat.up:
        return False
    return not any(ledger.in_row(card, player) for card in cards)


def _may_add(table: Table, player: int, values: tuple[int, ...], blind: bool) -> bool:
    """Whether the player may still add cards of these values to the play on top."""
    last, rules = table.last, table.setup.rules
    if last is None or last.player != player or any(value != last.value for value in values):
        return False
    if blind:
        return rules.match_blind and last.blind
    return rules.add_drawn and last.drew


def _impossible(table: Table, move: Move) -> Reason | None:
    """What contradicts the ledger or the counts."""
    player, ledger = move.player, table.ledger
    reason = ledger.conflict(player, move.cards)
    if reason is not None:
        return reason
    hand, up, down = table.seats[player]
    if move.hand:
        reach = table.stock if table.setup.rules.series != "off" else 0
        if len(move.hand) > hand + reach:
            return Reason.TOO_MANY_CARDS
        if ledger.held[player] and _strangers(table, move.hand, Zone.HAND, player) > (
            hand + reach - ledger.known_in(player, Zone.HAND)
        ):
            return Reason.TOO_MANY_CARDS
    if move.up:
        strangers = _strangers(table, move.up, Zone.UP, player)
        if len(move.up) > up or strangers > up - ledger.known_in(player, Zone.UP):
            return Reason.TOO_MANY_CARDS
    return Reason.TOO_MANY_CARDS if len(move.down) > down else None


def _strangers(table: Table, cards: tuple[Card, ...], zone: Zone, player: int) -> int:
    return table.ledger.unknown_among(player, cards, zone)


def _untimely(table: Table, move: Move) -> Reason | None:
    """What is owed first, or who else is in turn."""
    if table.must is Must.PICKUP:
        return Reason.MUST_PICK_UP
    if move.player != table.turn and not table.opening and not move.adds:
        return Reason.NOT_YOUR_TURN
    if table.setup.rules.turned_card and not table.begun:
        return Reason.NO_START_CARD
    return None


def _disordered(table: Table, move: Move) -> Reason | None:
    """Table cards before their time: hand first, then face up, then face down."""
    if not move.up and not move.down:
        return None
    seat = table.seats[move.player]
    if move.down:
        return Reason.HAND_FIRST if seat.hand or seat.up else None
    if not seat.hand:
        return None
    joined = (
        table.setup.rules.join_last
        and not table.stock
        and len(move.hand) == seat.hand
        and len(set(move.values)) == 1
    )
    return None if joined else Reason.HAND_FIRST


def _sneaks(rules: HouseRules, move: Move) -> bool:
    return rules.sneak_three and all(card.rank is Rank.THREE for card in move.cards)


def _one_play(rules: HouseRules, values: tuple[int, ...]) -> bool:
    """Whether cards of these values may be laid together, in this order."""
    if len(values) == 1 or len(set(values)) == 1:
        return True
    if rules.two == "again":
        follow = [value for value in values if value not in rules.reset_ranks]
        if len(set(follow)) == 1 and values[: len(values) - len(follow)] == tuple(
            value for value in values if value in rules.reset_ranks
        ):
            return True
    return rules.series != "off" and all(
        _follows(rules, low, high) for low, high in pairwise(values)
    )


def _follows(rules: HouseRules, low: int, high: int) -> bool:
    """Whether one value may follow another in a series; burning ranks are left out of it."""
    special = (*rules.burn_ranks, *rules.reset_ranks)
    if low in special or high in special or high < low:
        return False
    between = [value for value in range(low + 1, high) if value not in special]
    return rules.series == "gaps" or not between


def _laid_anyway(table: Table, move: Move) -> bool:
    """Whether a face-up card that does not fit is laid, because no known one of the row fits."""
    rules = table.setup.rules
    if rules.face_up_fails != "laid" or move.hand or not move.up:
        return False
    return not face_up_fits(table, move.player)


def face_up_fits(table: Table, player: int) -> bool:
    """Whether a player who plays from the face-up row is known to have a card that fits."""
    if table.seats[player].hand:
        return False
    rules = table.setup.rules
    return any(
        card.rank is Rank.JOKER
        or misfit(rules, table.pile, int(card.rank), rules.face_up == "higher") is None
        for card in table.ledger.row_of(player)
    )
