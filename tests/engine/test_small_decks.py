"""Every table that can be reached with a very small pack: numbers kept as a net.

Three ranks of two suits and two players. At each table everything is tried that cards, a
button or a player can do; what stands leads to the next table. A number that changes means
that a rule changed.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from engine.cards import CARDS, Card, parse_card
from engine.events import Chance, Fact, Lift, Pass, PickUp, Play, Start
from engine.ledger import bag_of, bag_size
from engine.notation import table_line
from engine.referee import rule
from engine.rules import preset
from engine.setup import Setup
from engine.table import Table

TWOS = "2C 2D 9C 9D 10C 10D"
SEVENS = "7C 7D 9C 9D 10C 10D"
ACES = "8C 8D 10C 10D AC AD"


def small_table(rules: str, pack: list[Card], up: int, down: int) -> Table:
    """A deal of one card to each hand; all cards outside the pack are known to be nowhere."""
    deal = {"hand": 1, "up": up, "down": down, "jokers": 0}
    table = Table.new(Setup.new(preset(rules).override(deal), ("Ann", "Bob"), 1, first="Ann"))
    others = bag_of(card for card in CARDS[:52] if card not in pack)
    ledger = replace(table.ledger, known=others)
    return replace(table, stock=len(pack) - 2 * (1 + up + down), ledger=ledger)


def everything(table: Table, pack: list[Card]) -> list[Fact]:
    """All that could be done at the table."""
    rules = table.setup.rules
    if rules.turned_card and not table.begun:
        return [Start(card) for card in pack]
    plays = [(card,) for card in pack]
    plays += [pair for pair in combinations(pack, 2) if pair[0].rank == pair[1].rank]
    if rules.two == "again":
        plays += [
            (a, b)
            for a in pack
            for b in pack
            if a.rank in rules.reset_ranks and b.rank not in rules.reset_ranks
        ]
    facts: list[Fact] = [PickUp(), Pass(), *map(Play, plays)]
    if rules.chance:
        facts += [Chance(card) for card in pack]
    if table.last is not None:
        again = table.setup.players[table.last.player]
        facts += [Lift(), *(Play((card,), by=again) for card in pack)]
    return facts


def reachable(first: Table, pack: list[Card]) -> tuple[int, int]:
    """How many tables can be reached, and how many of them end the game."""
    seen, ends, todo = {table_line(first)}, 0, [first]
    while todo:
        table = todo.pop()
        for fact in everything(table, pack):
            after, ruling = rule(table, fact)
            if not ruling.stands:
                continue
            line = table_line(after)
            if line in seen:
                continue
            lying = 0 if after.pile is None else after.pile.size
            gone = bag_size(after.ledger.gone)
            assert sum(map(sum, after.seats)) + after.stock + lying + gone == len(pack)
            seen.add(line)
            ends += after.over
            if not after.over:
                todo.append(after)
    return len(seen), ends


@pytest.mark.parametrize(
    ("rules", "codes", "up", "down", "tables", "ends"),
    [
        ("classic", TWOS, 1, 0, 4372, 1719),
        ("jokers", SEVENS, 1, 0, 2426, 683),
        ("norsk", TWOS, 1, 0, 3808, 812),
        ("hat", TWOS, 1, 0, 2301, 1040),
        ("castle", TWOS, 1, 0, 2301, 1040),
        ("idiota", TWOS, 1, 0, 3519, 1460),
        ("classic", ACES, 1, 0, 3386, 1163),
        ("jokers", ACES, 1, 0, 3386, 1163),
        ("norsk", ACES, 1, 0, 3430, 896),
        ("hat", ACES, 1, 0, 2839, 950),
        ("castle", ACES, 1, 0, 2839, 950),
        ("idiota", ACES, 1, 0, 3779, 1076),
    ],
)
def test_the_reachable_tables_of_a_small_pack(
    rules: str, codes: str, up: int, down: int, tables: int, ends: int
) -> None:
    pack = [parse_card(code) for code in codes.split()]
    assert reachable(small_table(rules, pack, up, down), pack) == (tables, ends)
