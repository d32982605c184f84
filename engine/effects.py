"""What a move does to the table once it stands: pile, burn, draw, turn, out and end."""

from __future__ import annotations

from typing import NamedTuple

from engine.events import Zone
from engine.ledger import Ledger
from engine.moves import Move
from engine.pile import Pile, lay
from engine.rules import HouseRules
from engine.table import NOBODY, Seat, Table, next_seat, with_cards
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
    burn = move.value in rules.burn_ranks or (rules.run_burn and pile.run >= rules.run_length)
    removed = 0
    left: Pile | None = pile
    if burn:
        removed, left, ledger = pile.size, None, ledger.burned()
    seat, stock = drawn(rules, _without(table.seats[move.player], move), table.stock)
    again = burn and _leads_after(rules, move.value) == "same"
    return _moved_on(table, move.player, seat, stock, left, ledger, again)._replace(
        burn=burn, removed=removed
    )


def failed(table: Table, move: Move) -> Effect:
    """A card that does not fit lies on the pile until its player takes it all."""
    pile, ledger = _laid(table, move)
    seats = _put(table.seats, move.player, _without(table.seats[move.player], move))
    return Effect(Table(
        table.setup, pile, seats, table.stock, move.player, Must.PICKUP, table.out,
        table.loser, ledger, False, True,
    ))


def picked_up(table: Table, player: int) -> Effect:
    """The pile is in the player's hand and the next one leads."""
    seat, pile = table.seats[player], table.pile
    size = 0 if pile is None else pile.size
    taken = Seat(seat.hand + size, seat.up, seat.down)
    ledger = table.ledger.picked_up(player)
    return _moved_on(table, player, taken, table.stock, None, ledger, False)


def passed(table: Table, player: int) -> Effect:
    """The turn goes on, nothing else changes."""
    return _moved_on(table, player, table.seats[player], table.stock, table.pile,
                     table.ledger, False)


def drawn(rules: HouseRules, seat: Seat, stock: int) -> tuple[Seat, int]:
    """A hand that is too small filled from the stock, as far as that reaches."""
    missing = min(rules.hand - seat.hand, stock)
    if missing <= 0:
        return seat, stock
    return Seat(seat.hand + missing, seat.up, seat.down), stock - missing


def _laid(table: Table, move: Move) -> tuple[Pile, Ledger]:
    """The pile and the ledger with the cards of the move on top."""
    rules, pile, ledger, player = table.setup.rules, table.pile, table.ledger, move.player
    for card in move.cards:
        pile = lay(rules, pile, card, int(card.rank) if move.value is None else move.value)
    assert pile is not None
    for cards, zone in ((move.hand, Zone.HAND), (move.up, Zone.UP), (move.down, Zone.DOWN)):
        if cards:
            ledger = ledger.laid(player, cards, zone)
    if move.hand and len(move.hand) >= table.seats[player].hand:
        ledger = ledger.emptied(player)
    return pile, ledger


def _without(seat: Seat, move: Move) -> Seat:
    """The seat without the cards of the move; a count that was wrong ends at nothing."""
    return Seat(
        max(0, seat.hand - len(move.hand)),
        max(0, seat.up - len(move.up)),
        max(0, seat.down - len(move.down)),
    )


def _leads_after(rules: HouseRules, value: int | None) -> str:
    return rules.after_ten if value in rules.burn_ranks else rules.after_run


def _moved_on(table: Table, player: int, seat: Seat, stock: int, pile: Pile | None,
              ledger: Ledger, again: bool) -> Effect:
    """The table after ``player`` acted and has ``seat``: who is out, who is next, the end."""
    seats = _put(table.seats, player, seat)
    out, loser, must = table.out, table.loser, Must.PLAY
    finished = () if with_cards(seat) or player in out else (player,)
    if again and not finished:
        turn = player
    else:
        turn = next_seat(seats, player)
    if finished:
        out = (*out, *finished)
        left = [each for each in range(len(seats)) if each not in out]
        if len(left) == 1:
            loser = left[0]
        if len(left) <= 1 or table.setup.rules.ends == "winner":
            turn, must = NOBODY, Must.NONE
    after = Table(table.setup, pile, seats, stock, turn, must, out, loser, ledger, False, True)
    return Effect(after, finished=finished)


def _put(seats: tuple[Seat, ...], player: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:player], seat, *seats[player + 1:])
