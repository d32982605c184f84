"""A whole table as one line of text, and back again.

Ten fields between blanks::

    2 play 24 5C,7H,7S 3/3{KD,AH,10S}/3;5{4C}/3/3 10H,9D - - begun -

turn (seat from 1), what is owed, stock, pile from the lowest card (``JK=9`` a joker
that stands for a nine, ``7H^`` a seven with which its player called for higher), each seat's
hand/face up/face down with the cards known to be there,
cards out of the game, seats that are out, the loser, flags, and the play that may still be
added to (``seat:value:drawn`` with ``b`` for blind). The flags ``together:2`` and
``lifted:3`` carry the number of cards laid last, and a seat. ``-`` is nothing.
"""

from __future__ import annotations

import re

from engine.cards import Card, Rank, parse_card, parse_rank
from engine.errors import ScenarioError, shown
from engine.house_rules import HouseRules
from engine.ledger import Bag, Ledger, bag_of, cards_in
from engine.pile import ANYTHING, JOKER, Pile, called_higher, lay, own_value
from engine.setup import Setup
from engine.table import NOBODY, Last, Seat, Table
from engine.verdict import Must

_FLAGS = ("begun", "opening", "owes", "passed_on")


def table_line(table: Table) -> str:
    """The whole table as one line; ``parse_table`` reads it back with the set-up."""
    ledger = table.ledger
    seats = [
        f"{seat.hand}{_known(ledger.held[i])}/{seat.up}{_known(ledger.rows[i])}/{seat.down}"
        for i, seat in enumerate(table.seats)
    ]
    flags = [name for name in _FLAGS if getattr(table, name)]
    flags += ["reversed"] if table.step < 0 else []
    flags += [f"together:{table.together}"] if table.together else []
    flags += [f"lifted:{seat + 1}" for seat in table.lifted]
    flags += [f"away:{seat + 1}" for seat in table.away]
    return " ".join(
        [
            _seat(table.turn),
            table.must.value,
            str(table.stock),
            ",".join(_laid(table.setup.rules, table.pile)) or "-",
            ";".join(seats),
            ",".join(map(str, cards_in(ledger.gone))) or "-",
            ",".join(map(_seat, table.out)) or "-",
            _seat(table.loser),
            ",".join(flags) or "-",
            _last(table.last),
        ]
    )


def parse_table(line: str, setup: Setup) -> Table:
    """The table of one line, at which ``setup`` sits; ScenarioError names a bad field."""
    fields = line.split()
    if len(fields) != 10:
        raise ScenarioError(f"expected the ten fields of a table, found {len(fields)}")
    turn, must, stock, pile, seats, gone, out, loser, flags, last = fields
    try:
        heap = _parse_pile(pile, setup)
        counts, held, rows = _parse_seats(seats, len(setup.players))
        burned = bag_of(_parse_cards(gone))
        lying = bag_of(heap.cards()) if heap else 0
        ledger = Ledger(
            setup.decks,
            setup.decks * setup.rules.jokers,
            sum(held) + sum(rows) + burned + lying,
            lying,
            burned,
            held,
            rows,
        )
        names = [] if flags == "-" else flags.split(",")
        numbers = [each.partition(":") for each in names if ":" in each]
        return Table(
            setup,
            heap,
            counts,
            int(stock),
            _parse_seat(turn),
            Must(must),
            tuple(_parse_seat(each) for each in out.split(",")) if out != "-" else (),
            _parse_seat(loser),
            ledger,
            "opening" in names,
            "begun" in names,
            "owes" in names,
            _parse_last(last),
            -1 if "reversed" in names else 1,
            sum(int(number) for name, _, number in numbers if name == "together"),
            "passed_on" in names,
            tuple(int(number) - 1 for name, _, number in numbers if name == "lifted"),
            tuple(int(number) - 1 for name, _, number in numbers if name == "away"),
        )
    except (ValueError, KeyError, IndexError) as wrong:
        raise ScenarioError(f"{shown(line)} is no table ({wrong})") from None


def _seat(seat: int) -> str:
    return "-" if seat == NOBODY else str(seat + 1)


def _parse_seat(text: str) -> int:
    return NOBODY if text == "-" else int(text) - 1


def _known(bag: Bag) -> str:
    return "{" + ",".join(map(str, cards_in(bag))) + "}" if bag else ""


def _laid(rules: HouseRules, pile: Pile | None) -> list[str]:
    if pile is None:
        return []
    return [_laid_card(rules, node) for node in pile][::-1]


def _laid_card(rules: HouseRules, node: Pile) -> str:
    stands = node.card.rank is Rank.JOKER and node.value not in (ANYTHING, JOKER)
    return (
        str(node.card)
        + (f"={Rank(node.value).code}" if stands else "")
        + ("^" if called_higher(rules, node) else "")
    )


def _parse_cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else tuple(parse_card(code) for code in text.split(","))


def _parse_pile(text: str, setup: Setup) -> Pile | None:
    pile: Pile | None = None
    for code in [] if text == "-" else text.split(","):
        name, _, stands = code.removesuffix("^").partition("=")
        card = parse_card(name)
        value = int(parse_rank(stands)) if stands else own_value(setup.rules, card)
        pile = lay(setup.rules, pile, card, value, code.endswith("^"))
    return pile


def _parse_seats(
    text: str, players: int
) -> tuple[tuple[Seat, ...], tuple[Bag, ...], tuple[Bag, ...]]:
    counts: list[Seat] = []
    held: list[Bag] = []
    rows: list[Bag] = []
    for each in text.split(";"):
        match = re.fullmatch(r"(\d+)(?:\{(.+?)\})?/(\d+)(?:\{(.+?)\})?/(\d+)", each)
        if match is None:
            raise ValueError(f"{each} is no seat such as 3/3/3")
        hand, known, up, row, down = match.groups()
        counts.append(Seat(int(hand), int(up), int(down)))
        held.append(bag_of(_parse_cards(known or "-")))
        rows.append(bag_of(_parse_cards(row or "-")))
    if len(counts) != players:
        raise ValueError(f"{len(counts)} seats for {players} players")
    return tuple(counts), tuple(held), tuple(rows)


def _last(last: Last | None) -> str:
    if last is None:
        return "-"
    return f"{_seat(last.player)}:{last.value}:{last.drew}{'b' if last.blind else ''}"


def _parse_last(text: str) -> Last | None:
    if text == "-":
        return None
    player, value, marks = text.split(":")
    drew = int(marks.removesuffix("b"))
    return Last(_parse_seat(player), int(value), drew, marks.endswith("b"))
