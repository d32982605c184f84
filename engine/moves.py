"""From a play as it was seen to a move: whose it is, from which zones, and what it counts as."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.cards import Card, Rank, Suit
from engine.events import Play, Zone
from engine.house_rules import HouseRules
from engine.ledger import Origin
from engine.pile import ANYTHING, HIGHEST, burns, enough, lay, misfit, own_value
from engine.table import Seat, Table
from engine.verdict import Must, Reason


@dataclass(frozen=True, slots=True)
class Move:
    """A play read with what the table knows.

    ``hand``, ``up`` and ``down`` are its cards by the zone they come from, ``cards`` all of
    them as laid. ``values`` are the ranks that they count as, one for each card, ANYTHING
    for jokers that copy what lies below. ``adds`` tells that the move joins the play on
    top, ``cuts`` that it cuts in with equal cards, both out of turn; ``under`` that it
    slides below the pile; ``higher`` that its player calls for higher cards.
    """

    player: int
    cards: tuple[Card, ...]
    hand: tuple[Card, ...]
    up: tuple[Card, ...]
    down: tuple[Card, ...]
    values: tuple[int, ...]
    adds: bool = False
    cuts: bool = False
    under: bool = False
    higher: bool = False

    @property
    def wild(self) -> bool:
        """Whether it is of jokers alone, which go on anything."""
        return self.cards[0].rank is Rank.JOKER and all(
            card.rank is Rank.JOKER for card in self.cards
        )

    def acting(self, ranks: tuple[Rank, ...]) -> int:
        """How many of its cards act as one of these ranks, by value or as a joker."""
        return sum(
            value in ranks or (card.rank is Rank.JOKER and Rank.JOKER in ranks)
            for card, value in zip(self.cards, self.values, strict=True)
        )


def read(table: Table, play: Play, player: int) -> Move:
    """The move that a play of that player is."""
    rules = table.setup.rules
    values = _values(rules, play.cards, play.joker)
    hand, up, down = _zones(table, play, player)
    adds = cuts = False
    if player != table.turn and table.pile is not None and table.must is Must.PLAY:
        adds = _may_add(table, player, values, bool(down))
        cuts = not adds and not down and _may_cut_in(table, play.cards, values)
    return Move(player, play.cards, hand, up, down, values, adds, cuts, play.under, play.higher)


def objection(table: Table, move: Move) -> Reason | None:
    """Why the move does not stand, or None.

    A card that is laid although it does not fit (see ``unfit``) is no objection.
    """
    if table.must is Must.PICKUP and not deflects(table, move):
        return Reason.MUST_PICK_UP
    reason = _impossible(table, move) or _untimely(table, move) or _disordered(table, move)
    if reason is not None:
        return reason
    rules = table.setup.rules
    if not move.under and not _one_play(table, move):
        return Reason.MIXED_RANKS
    if not _has_such_a_move(rules, move):
        return Reason.NOT_ALLOWED
    if table.must is Must.PICKUP:
        return Reason.FINISH_FORBIDDEN if forbidden_finish(table, move) else None
    if move.down:
        return None
    reason = unfit(table, move)
    if reason is not None:
        return None if _laid_anyway(table, move) else reason
    return Reason.FINISH_FORBIDDEN if forbidden_finish(table, move) else None


def unfit(table: Table, move: Move) -> Reason | None:
    """Why the cards do not go on the pile, or None if they do."""
    if move.wild or move.under:
        return None
    rules = table.setup.rules
    if rules.four_on_any and _four_together(table, move):
        return None
    strictly = bool(move.up) and not move.hand and rules.face_up == "higher"
    reason = misfit(rules, table.pile, move.values[0], strictly)
    if reason is None and rules.pairs and not (move.adds or move.cuts):
        return _too_few(table, move)
    return reason


def forbidden_finish(table: Table, move: Move) -> bool:
    """Whether this would be a player's last card, of a rank with which nobody may finish."""
    ranks = table.setup.rules.no_finish_ranks
    if not ranks or not (move.values[-1] in ranks or move.cards[-1].rank in ranks):
        return False
    seat = table.seats[move.player]
    return sum(seat) + table.stock <= len(move.cards)


def turned(table: Table, card: Card, player: int) -> Move:
    """The move that a card turned from the stock is."""
    return Move(player, (card,), (), (), (), (own_value(table.setup.rules, card),))


def _values(rules: HouseRules, cards: tuple[Card, ...], joker: Rank | None) -> tuple[int, ...]:
    """What each card counts as; a joker is as declared, else what the others are."""
    if len(cards) == 1 and cards[0].rank is not Rank.JOKER:
        return (int(cards[0].rank),)
    natural = [int(card.rank) for card in cards if card.rank is not Rank.JOKER]
    if len(natural) == len(cards):
        return tuple(natural)
    stands = own_value(rules, next(card for card in cards if card.rank is Rank.JOKER))
    if stands == ANYTHING:
        stands = int(joker) if joker is not None else natural[-1] if natural else ANYTHING
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
    origins = table.ledger.origins(player, cards)
    from_row = {place for place, origin in enumerate(origins) if origin is Origin.ROW}
    draws_between = table.setup.rules.series != "off" and table.stock
    if source is None and not draws_between:
        from_row |= _from_the_row(table, player, origins)
    hand = tuple(card for place, card in enumerate(cards) if place not in from_row)
    return hand, tuple(cards[place] for place in sorted(from_row)), ()


def _from_the_row(table: Table, player: int, origins: tuple[Origin, ...]) -> frozenset[int]:
    """The places of the cards that come from the row because the hand cannot hold them.

    First what is known to lie there. Where the last of the hand may be joined by cards of
    the row, others follow, last those known to be in the hand: the whole hand is laid then.
    """
    hand, up, _ = table.seats[player]
    certain = origins.count(Origin.ROW)
    either = origins.count(Origin.EITHER)
    joins = table.setup.rules.join_last and not table.stock
    strangers = either + origins.count(Origin.UNKNOWN)
    unfitting = strangers - max(0, hand - table.ledger.known_in(player, Zone.HAND))
    count = len(origins) - certain - hand
    count = max(min(either, unfitting), count if joins else min(either, count))
    spare = [place for place, origin in enumerate(origins) if origin is not Origin.ROW]
    spare.sort(key=lambda place: (origins[place], place), reverse=True)
    return frozenset(spare[: max(0, min(count, up - certain))])


def _plays_blind(table: Table, seat: Seat, cards: tuple[Card, ...], player: int) -> bool:
    """Whether a player without hand plays face down: the row is empty or has none of these."""
    if not seat.up:
        return True
    ledger = table.ledger
    if not seat.down or ledger.known_in(player, Zone.UP) < seat.up:
        return False
    return not any(ledger.in_row(card, player) for card in cards)


def _may_add(table: Table, player: int, values: tuple[int, ...], blind: bool) -> bool:
    """Whether the player may still add cards of these values to the play on top.

    hat R10: as many equal cards as were drawn; norsk R15: an equal face-down card;
    norsk R13: the next cards of a series.
    """
    last, rules = table.last, table.setup.rules
    if last is None or last.player != player or blind != last.blind:
        return False
    if rules.series != "off" and all(
        _follows(rules, low, high) for low, high in pairwise((last.value, *values))
    ):
        return True
    if any(value != last.value for value in values):
        return False
    return rules.match_blind if blind else rules.add_drawn and len(values) <= last.drew


def _may_cut_in(table: Table, cards: tuple[Card, ...], values: tuple[int, ...]) -> bool:
    """Whether cards equal to the top may be laid out of turn, by the house rule ``cut_in``."""
    rules, pile = table.setup.rules, table.pile
    if rules.cut_in == "off" or table.opening or pile is None:
        return False
    top = pile.seen if pile.glass and not rules.glass_breaks_run else pile
    if top is None or not top.value or any(value != top.value for value in values):
        return False
    if rules.cut_in == "equal":
        return True
    for card, value in zip(cards, values, strict=True):
        pile = lay(rules, pile, card, value)
    return burns(rules, pile, table.setup.decks)


def deflects(table: Table, move: Move) -> bool:
    """Whether red jacks pass the pickup on that a card made the player in turn owe."""
    return (
        table.passed_on
        and table.setup.rules.red_jack_deflects
        and move.player == table.turn
        and not move.under
        and all(
            card.rank is Rank.JACK and card.suit in (Suit.D, Suit.H, None) for card in move.cards
        )
    )


def _impossible(table: Table, move: Move) -> Reason | None:
    """What contradicts the ledger or the counts."""
    player, ledger = move.player, table.ledger
    conflict = ledger.conflict(player, move.cards)
    if conflict is not None:
        return conflict.reason
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
    """Who else is in turn, or what must be turned first."""
    if move.player != table.turn and not (table.opening or move.adds or move.cuts):
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
        and all(card.rank == move.cards[-1].rank for card in move.up)
    )
    return None if joined else Reason.HAND_FIRST


def _has_such_a_move(rules: HouseRules, move: Move) -> bool:
    """Whether these rules have what is done here beside laying cards."""
    if move.under and not (
        rules.sneak_three and all(card.rank is Rank.THREE for card in move.cards)
    ):
        return False
    if len(move.down) > 1 and rules.series == "off":
        return False
    return not move.higher or (rules.lower_choice and move.values[-1] in rules.lower_ranks)


def _one_play(table: Table, move: Move) -> bool:
    """Whether the cards may be laid together, in this order."""
    values, rules = move.values, table.setup.rules
    if len(values) == 1 or len(set(values)) == 1:
        return True
    resets = 0
    while rules.two == "again" and resets < len(values) and values[resets] in rules.reset_ranks:
        resets += 1
    in_order = (
        len(set(values[resets:])) == 1
        if resets
        else rules.series != "off"
        and all(_follows(rules, low, high) for low, high in pairwise(values))
    )
    return in_order and not _burns_halfway(table, move)


def _burns_halfway(table: Table, move: Move) -> bool:
    """Whether the pile would be gone before the last card lies on it: no play goes on then."""
    rules, pile = table.setup.rules, table.pile
    for card, value in zip(move.cards[:-1], move.values, strict=False):
        pile = lay(rules, pile, card, value)
        if burns(rules, pile, table.setup.decks) and move.values[-1] != value:
            return True
    return False


def _follows(rules: HouseRules, low: int, high: int) -> bool:
    """Whether one value may follow another in a series; ranks with a place of their own not.

    norsk R13: 9 and J are neighbours, for the ten burns; no ten and no two in a series.
    """
    special = rules.powers
    if low in special or high in special or high < low:
        return False
    between = [value for value in range(low + 1, high) if value not in special]
    return rules.series == "gaps" or not between


def _four_together(table: Table, move: Move) -> bool:
    rules, value = table.setup.rules, move.values[0]
    return len(set(move.values)) == 1 and len(move.values) >= enough(
        rules, value, table.setup.decks
    )


def _too_few(table: Table, move: Move) -> Reason | None:
    """Equal cards laid together want as many; cards that go on anything need not."""
    rules, pile, value = table.setup.rules, table.pile, move.values[0]
    if table.together < 2 or pile is None or value in rules.powers:
        return None
    if pile.low == 0 and pile.high == HIGHEST:
        return None
    return Reason.TOO_FEW_CARDS if len(move.cards) < table.together else None


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
        misfit(rules, table.pile, own_value(rules, card), rules.face_up == "higher") is None
        for card in table.ledger.row_of(player)
    )
