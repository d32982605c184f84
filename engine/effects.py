"""What a move does to the table once it stands: pile, burn, draw, turn, out and end."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.cards import Card
from engine.events import Zone
from engine.house_rules import HouseRules
from engine.ledger import Ledger
from engine.moves import Move, deflects
from engine.pile import Pile, burns, lay, slide_under, without_run
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
    rules, player = table.setup.rules, move.player
    pile, ledger = _laid(table, move)
    before = _without(table.seats[player], move, series=rules.series != "off")
    seat, stock = drawn(rules, before, table.stock)
    if move.under:
        return _moved_on(table, player, seat, stock, pile, ledger, together=table.together)
    if deflects(table, move):
        return _deflected(table, player, seat, stock, pile, ledger)
    last = None
    if rules.add_drawn or rules.match_blind or rules.series != "off":
        last = Last(player, move.values[-1], table.stock - stock, bool(move.down))
    after = (rules.after_ten, rules.after_run)
    return _settled(table, move, seat, stock, pile, ledger, last, after)


def chanced(table: Table, move: Move) -> Effect:
    """A card of the stock that fits lies on the pile; nobody draws."""
    rules, card = table.setup.rules, move.cards[0]
    pile = lay(rules, table.pile, card, move.values[0])
    ledger = table.ledger.turned(card)
    seat, after = table.seats[move.player], (rules.after_chance_burn,) * 2
    return _settled(table, move, seat, table.stock - 1, pile, ledger, None, after)


def chance_failed(table: Table, move: Move) -> Effect:
    """A card of the stock that does not fit lies on the pile until the player takes it all."""
    card = move.cards[0]
    pile = lay(table.setup.rules, table.pile, card, move.values[0])
    ledger = table.ledger.turned(card)
    return Effect(_owing(table, move.player, table.seats, table.stock - 1, pile, ledger))


def failed(table: Table, move: Move) -> Effect:
    """A card that does not fit lies on the pile until its player takes it all."""
    pile, ledger = _laid(table, move)
    seat = _without(table.seats[move.player], move, series=False)
    seats = _put(table.seats, move.player, seat)
    return Effect(_owing(table, move.player, seats, table.stock, pile, ledger))


def picked_up(table: Table, player: int, along: tuple[Card, ...] = ()) -> Effect:
    """The pile is in the player's hand, with face-up cards taken ``along``."""
    seat, pile = table.seats[player], table.pile
    size = 0 if pile is None else pile.size
    taken = Seat(seat.hand + size + len(along), max(0, seat.up - len(along)), seat.down)
    ledger = table.ledger.picked_up(player)
    if along:
        ledger = ledger.laid(player, along, Zone.UP).picked_up(player)
    again = table.setup.rules.after_pickup == "same"
    return _moved_on(table, player, taken, table.stock, None, ledger, again)


def passed(table: Table, player: int) -> Effect:
    """The turn goes on, nothing else changes; in the opening it is the next one's to begin."""
    if table.opening:
        return Effect(replace(table, turn=next_seat(table.seats, player, table.step)))
    seat, pile, ledger = table.seats[player], table.pile, table.ledger
    return _moved_on(table, player, seat, table.stock, pile, ledger, together=table.together)


def thrown_out(table: Table, cards: tuple[Card, ...], player: int) -> Effect:
    """Cards of the hand left the game; the turn stays, and only an empty hand draws.

    Thrown out of turn, or while the pile is to be taken, they leave it what it was.
    """
    seat = table.seats[player]
    left, stock = Seat(max(0, seat.hand - len(cards)), seat.up, seat.down), table.stock
    if not left.hand:
        left, stock = drawn(table.setup.rules, left, stock)
    ledger = table.ledger.thrown_out(player, cards)
    effect = _moved_on(
        table,
        player,
        left,
        stock,
        table.pile,
        ledger,
        again=True,
        owes=table.owes,
        last=table.last,
        together=table.together,
    )
    after = effect.table
    owed = table.must is Must.PICKUP and not effect.finished
    if not (after.over or table.opening) and (owed or player != table.turn):
        after = replace(after, turn=table.turn, must=table.must, passed_on=table.passed_on)
    return effect._replace(table=after, removed=len(cards))


def lifted(table: Table, player: int, card: Card | None) -> Effect:
    """A face-down card is in the player's hand, to be played the next time."""
    hand, up, down = table.seats[player]
    ledger = table.ledger if card is None else table.ledger.lifted(player, card)
    return Effect(
        replace(
            table,
            seats=_put(table.seats, player, Seat(hand + 1, up, down - 1)),
            ledger=ledger,
            last=None,
            lifted=(*table.lifted, player),
        )
    )


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
    draws_between = rules.series != "off" and table.stock
    if move.hand and len(move.hand) >= table.seats[player].hand and not draws_between:
        ledger = ledger.emptied(player)
    return pile, ledger


def _with_cards(rules: HouseRules, pile: Pile | None, move: Move) -> Pile:
    first, *others = zip(move.cards, move.values, strict=True)
    if move.under:
        below = slide_under(rules, pile, first[0])
        for card, _ in others:
            below = slide_under(rules, below, card)
        return below
    top = lay(rules, pile, *first, move.higher)
    for card, value in others:
        top = lay(rules, top, card, value, move.higher)
    return top


def _without(seat: Seat, move: Move, series: bool) -> Seat:
    """The seat without the cards of the move; a count that was wrong ends at nothing.

    In a ``series`` the hand may go below nothing, for one draws between.
    """
    hand = seat.hand - len(move.hand)
    return Seat(
        hand if series else max(0, hand),
        max(0, seat.up - len(move.up)),
        max(0, seat.down - len(move.down)),
    )


def _settled(
    table: Table,
    move: Move,
    seat: Seat,
    stock: int,
    pile: Pile,
    ledger: Ledger,
    last: Last | None,
    after: tuple[str, str],
) -> Effect:
    """What lies on top now acts, burns or stays; then the turn goes on, or does not.

    ``after`` says who leads after a ten and after a run.
    """
    rules, player, value = table.setup.rules, move.player, move.values[-1]
    again, step = False, table.step
    if rules.reverse_ranks:
        table, again = _turned_round(table, move, seat)
    if value in rules.pickup_ranks:
        return _passed_on(table, move, seat, stock, pile, ledger)
    ten = value in rules.burn_ranks
    if not ten and not burns(rules, pile, table.setup.decks):
        owes = rules.two == "again" and value in rules.reset_ranks
        skips = _skips(rules, move, pile) if rules.skip_ranks else 0
        together = len(move.cards) + (table.together if move.adds or move.cuts else 0)
        return _moved_on(
            table,
            player,
            seat,
            stock,
            pile,
            ledger,
            again or owes,
            owes,
            last,
            skips,
            table.turn if move.adds and table.step == step else NOBODY,
            together,
        )
    left = None
    if not ten and rules.run_takes == "run":
        left = without_run(pile)
    gone = pile.size - (0 if left is None else left.size)
    ledger = ledger.burned(
        tuple(node.card for node, _ in zip(pile, range(gone), strict=False))
        if left is not None
        else None
    )
    again = after[0 if ten else 1] == "same"
    table_after, _, _, finished = _moved_on(table, player, seat, stock, left, ledger, again)
    return Effect(table_after, True, gone, finished)


def _passed_on(
    table: Table, move: Move, seat: Seat, stock: int, pile: Pile, ledger: Ledger
) -> Effect:
    """The cards leave the game; what lies below them is the next player's to take."""
    ranks = table.setup.rules.pickup_ranks
    left: Pile | None = pile
    gone: list[Card] = []
    while left is not None and left.value in ranks and len(gone) < len(move.cards):
        gone.append(left.card)
        left = left.below
    ledger = ledger.burned(tuple(gone))
    after, _, _, finished = _moved_on(table, move.player, seat, stock, left, ledger)
    if left is not None and not after.over:
        after = replace(after, must=Must.PICKUP, passed_on=True)
    return Effect(after, False, len(gone), finished)


def _deflected(
    table: Table, player: int, seat: Seat, stock: int, pile: Pile, ledger: Ledger
) -> Effect:
    """The pile with a red jack on it is the player's after this one to take."""
    after, _, _, finished = _moved_on(table, player, seat, stock, pile, ledger)
    if not after.over:
        after = replace(after, must=Must.PICKUP, passed_on=True)
    return Effect(after, finished=finished)


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
        0,
        False,
        table.lifted,
        table.away,
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
    waiting: int = NOBODY,
    together: int = 0,
) -> Effect:
    """The table after ``player`` acted and has ``seat``: who is out, who is next, the end.

    ``waiting`` is who was in turn while the player added to his last play.
    """
    seats = _put(table.seats, player, seat)
    out, loser, over = table.out, table.loser, False
    finished: tuple[int, ...] = ()
    if not with_cards(seat) and player not in out:
        finished = (player,)
        out = (*out, player)
        left = [each for each in range(len(seats)) if each not in (*out, *table.away)]
        over = len(left) <= 1 or table.setup.rules.ends == "winner"
        loser = left[0] if len(left) == 1 else loser
    stays = again and with_cards(seat)
    turn = player if stays else _next(table, seats, player, skips, waiting)
    holding = table.lifted
    if holding:
        holding = tuple(each for each in holding if each != player)
    after = Table(
        table.setup,
        pile,
        seats,
        stock,
        NOBODY if over else turn,
        Must.NONE if over else Must.PLAY,
        out,
        loser,
        ledger,
        False,
        True,
        owes and not finished,
        last,
        table.step,
        together,
        False,
        holding,
        table.away,
    )
    return Effect(after, finished=finished)


def _next(table: Table, seats: tuple[Seat, ...], player: int, skips: int, waiting: int) -> int:
    """The player who leads after ``player`` when so many are passed over.

    Who passes over everybody else plays again, however many cards that took.
    """
    turn = next_seat(seats, player, table.step) if waiting == NOBODY else waiting
    for _ in range(skips):
        if turn == player:
            break
        turn = next_seat(seats, turn, table.step)
    return turn


def _skips(rules: HouseRules, move: Move, pile: Pile) -> int:
    """How many players the cards of the move pass over."""
    skips = move.acting(rules.skip_ranks)
    seen = pile.seen
    if rules.glass_skips and seen is not None and seen.value in rules.skip_ranks:
        skips += move.acting(rules.glass_ranks)
    return skips


def _turned_round(table: Table, move: Move, seat: Seat) -> tuple[Table, bool]:
    """The table with the direction after reversing cards, and whether the player stays on."""
    rules = table.setup.rules
    turns = move.acting(rules.reverse_ranks)
    if turns and not rules.reverse_each:
        turns = 1
    if turns % 2 == 0:
        return table, False
    seats = _put(table.seats, move.player, seat)
    two_left = sum(map(with_cards, seats)) == 2
    stays = two_left and with_cards(seat) and rules.reverse_two == "same"
    return replace(table, step=-table.step), stays


def _put(seats: tuple[Seat, ...], player: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:player], seat, *seats[player + 1 :])
