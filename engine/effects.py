"""What a move does to the table once it stands: pile, burn, draw, turn, out and end."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.cards import Card, Rank
from engine.events import Zone
from engine.ledger import Ledger
from engine.moves import Move
from engine.pile import ANYTHING, Pile, burns, lay, slide_under, without_run
from engine.rules import HouseRules
from engine.table import NOBODY, Last, Seat, Table, next_seat, with_cards
from engine.verdict import Must


class Effect(NamedTuple):
    """The table after a move and what it took out of the game, or out of play."""

    table: Table
    burn: bool = False
    removed: int = 0
    finished: tuple[int, ...] = ()


def played(table: Table, move: Move) -> Effect:
    """The move stands: its cards lie on the pile, or burn it; the player draws."""
    rules = table.setup.rules
    pile, ledger = _laid(table, move)
    before = _without(table.seats[move.player], move)
    seat, stock = drawn(rules, before, table.stock)
    if move.under:
        return _moved_on(table, move.player, seat, stock, pile, ledger)
    value = move.values[-1]
    if rules.reverse_ranks:
        table = _turned_round(table, move)
    last = None
    if rules.add_drawn or rules.match_blind:
        last = Last(move.player, value, stock < table.stock, bool(move.down))
    skips = sum(value in rules.skip_ranks for value in move.values) if rules.skip_ranks else 0
    return _settled(
        table,
        move.player,
        seat,
        stock,
        pile,
        ledger,
        value,
        last,
        rules.after_ten,
        rules.after_run,
        skips,
    )


def chanced(table: Table, card: Card, player: int) -> Effect:
    """A card of the stock that fits lies on the pile; nobody draws."""
    rules = table.setup.rules
    value = ANYTHING if card.rank is Rank.JOKER else int(card.rank)
    pile = lay(rules, table.pile, card, value)
    after = rules.after_chance_burn
    return _settled(
        table,
        player,
        table.seats[player],
        table.stock - 1,
        pile,
        table.ledger.turned(card),
        value,
        None,
        after,
        after,
    )


def chance_failed(table: Table, card: Card, player: int) -> Effect:
    """A card of the stock that does not fit lies on the pile until the player takes it all."""
    value = ANYTHING if card.rank is Rank.JOKER else int(card.rank)
    pile = lay(table.setup.rules, table.pile, card, value)
    return Effect(
        _owing(table, player, table.seats, table.stock - 1, pile, table.ledger.turned(card))
    )


def failed(table: Table, move: Move) -> Effect:
    """A card that does not fit lies on the pile until its player takes it all."""
    pile, ledger = _laid(table, move)
    seats = _put(table.seats, move.player, _without(table.seats[move.player], move))
    return Effect(_owing(table, move.player, seats, table.stock, pile, ledger))


def picked_up(table: Table, player: int, along: tuple[Card, ...] = ()) -> Effect:
    """The pile is in the player's hand, with face-up cards taken ``along``."""
    seat, pile = table.seats[player], table.pile
    size = 0 if pile is None else pile.size
    taken = Seat(seat.hand + size + len(along), seat.up - len(along), seat.down)
    ledger = table.ledger.picked_up(player)
    if along:
        ledger = ledger.laid(player, along, Zone.UP).picked_up(player)
    again = table.setup.rules.after_pickup == "same"
    return _moved_on(table, player, taken, table.stock, None, ledger, again)


def passed(table: Table, player: int) -> Effect:
    """The turn goes on, nothing else changes."""
    return _moved_on(table, player, table.seats[player], table.stock, table.pile, table.ledger)


def thrown_out(table: Table, cards: tuple[Card, ...], player: int) -> Effect:
    """Cards of the hand left the game; the turn stays, and only an empty hand draws."""
    seat = table.seats[player]
    left, stock = Seat(seat.hand - len(cards), seat.up, seat.down), table.stock
    if not left.hand:
        left, stock = drawn(table.setup.rules, left, stock)
    ledger = table.ledger.thrown_out(player, cards)
    effect = _moved_on(table, player, left, stock, table.pile, ledger, again=True)
    return effect._replace(removed=len(cards))


def drawn(rules: HouseRules, seat: Seat, stock: int) -> tuple[Seat, int]:
    """A hand that is too small filled from the stock, as far as that reaches.

    The hand may be below nothing: a series takes cards that are drawn while it is laid.
    """
    missing = min(rules.hand - seat.hand, stock)
    if missing <= 0:
        return (seat if seat.hand >= 0 else Seat(0, seat.up, seat.down)), stock
    return Seat(max(0, seat.hand + missing), seat.up, seat.down), stock - missing


def _laid(table: Table, move: Move) -> tuple[Pile, Ledger]:
    """The pile and the ledger with the cards of the move on top (or at the bottom)."""
    rules, ledger, player = table.setup.rules, table.ledger, move.player
    pile = _with_cards(rules, table.pile, move)
    for cards, zone in ((move.hand, Zone.HAND), (move.up, Zone.UP), (move.down, Zone.DOWN)):
        if cards:
            ledger = ledger.laid(player, cards, zone)
    if move.hand and len(move.hand) >= table.seats[player].hand:
        ledger = ledger.emptied(player)
    return pile, ledger


def _with_cards(rules: HouseRules, pile: Pile | None, move: Move) -> Pile:
    first, *others = zip(move.cards, move.values, strict=True)
    if move.under:
        below = slide_under(rules, pile, first[0])
        for card, _ in others:
            below = slide_under(rules, below, card)
        return below
    top = lay(rules, pile, *first)
    for card, value in others:
        top = lay(rules, top, card, value)
    return top


def _without(seat: Seat, move: Move) -> Seat:
    """The seat without the cards of the move; a count that was wrong ends at nothing."""
    return Seat(
        seat.hand - len(move.hand),
        max(0, seat.up - len(move.up)),
        max(0, seat.down - len(move.down)),
    )


def _settled(
    table: Table,
    player: int,
    seat: Seat,
    stock: int,
    pile: Pile,
    ledger: Ledger,
    value: int,
    last: Last | None,
    after_ten: str,
    after_run: str,
    skips: int = 0,
) -> Effect:
    """What lies on top now burns or stays; then the turn goes on, or does not."""
    rules = table.setup.rules
    ten = value in rules.burn_ranks
    if not ten and not burns(rules, pile, table.setup.decks):
        again = rules.two == "again" and value in rules.reset_ranks
        return _moved_on(table, player, seat, stock, pile, ledger, again, again, last, skips)
    left = None
    if not ten and rules.run_takes == "run":
        left = without_run(pile)
    gone = pile.size - (0 if left is None else left.size)
    ledger = ledger.burned(
        tuple(node.card for node, _ in zip(pile, range(gone), strict=False))
        if left is not None
        else None
    )
    again = (after_ten if ten else after_run) == "same"
    table_after, _, _, finished = _moved_on(table, player, seat, stock, left, ledger, again)
    return Effect(table_after, True, gone, finished)


def _owing(
    table: Table, player: int, seats: tuple[Seat, ...], stock: int, pile: Pile, ledger: Ledger
) -> Table:
    """The table on which a failed card lies and its player owes the pickup."""
    return Table(
        table.setup,
        pile,
        seats,
        stock,
        player,
        Must.PICKUP,
        table.out,
        table.loser,
        ledger,
        False,
        True,
        False,
        None,
        table.step,
    )


def _moved_on(
    table: Table,
    player: int,
    seat: Seat,
    stock: int,
    pile: Pile | None,
    ledger: Ledger,
    again: bool = False,
    owes: bool = False,
    last: Last | None = None,
    skips: int = 0,
) -> Effect:
    """The table after ``player`` acted and has ``seat``: who is out, who is next, the end."""
    seats = _put(table.seats, player, seat)
    if with_cards(seat) or player in table.out:
        turn = player if again and with_cards(seat) else _next(table, seats, player, skips)
        return Effect(
            Table(
                table.setup,
                pile,
                seats,
                stock,
                turn,
                Must.PLAY,
                table.out,
                table.loser,
                ledger,
                False,
                True,
                owes,
                last,
                table.step,
            )
        )
    out = (*table.out, player)
    left = [each for each in range(len(seats)) if each not in out]
    over = len(left) <= 1 or table.setup.rules.ends == "winner"
    loser = left[0] if len(left) == 1 else table.loser
    after = Table(
        table.setup,
        pile,
        seats,
        stock,
        NOBODY if over else _next(table, seats, player, skips),
        Must.NONE if over else Must.PLAY,
        out,
        loser,
        ledger,
        False,
        True,
        False,
        last,
        table.step,
    )
    return Effect(after, finished=(player,))


def _next(table: Table, seats: tuple[Seat, ...], player: int, skips: int) -> int:
    """The player who leads after ``player`` when so many are passed over."""
    turn = next_seat(seats, player, table.step)
    for _ in range(skips):
        turn = next_seat(seats, turn, table.step)
    return turn


def _turned_round(table: Table, move: Move) -> Table:
    """The table with the direction that an odd number of reversing cards turns round."""
    turns = sum(value in table.setup.rules.reverse_ranks for value in move.values)
    return replace(table, step=-table.step) if turns % 2 else table


def _put(seats: tuple[Seat, ...], player: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:player], seat, *seats[player + 1 :])
