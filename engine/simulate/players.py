"""Players of several temperaments, who see their own cards and think of something to do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.events import Zone
from engine.simulate import law
from engine.simulate.attempt import Attempt
from engine.simulate.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class Temperament:
    """How somebody plays: the shares of acts that are random, mistaken, or a cheat."""

    name: str
    at_random: float
    mistakes: float
    cheats: float


TEMPERAMENTS = (
    Temperament("careful", 0.0, 0.0, 0.0),
    Temperament("random", 0.9, 0.03, 0.0),
    Temperament("forgetful", 0.15, 0.2, 0.0),
    Temperament("cheating", 0.05, 0.02, 0.3),
)


def think(
    table: OpenTable, player: int, temper: Temperament, chance: random.Random
) -> Attempt | None:
    """What the player in turn does now; None if the rules leave nothing to do."""
    draw = chance.random()
    if draw < temper.mistakes + temper.cheats:
        tries = list((mistakes if draw < temper.mistakes else cheats)(table, player, chance))
        chance.shuffle(tries)
        wrong = next((each for each in tries if law.objection(table, each)), None)
        if wrong is not None:
            return wrong
    ideas = list(choices(table, player, chance))
    chance.shuffle(ideas)
    if chance.random() >= temper.at_random:
        ideas.sort(key=_cost)
    return next((each for each in ideas if not law.objection(table, each)), None)


def interject(table: OpenTable, player: int, chance: random.Random) -> Attempt | None:
    """What a player does who is not in turn: adds, cuts in or lifts, if that is allowed."""
    tries = [
        Attempt(player, "play", cards, (zone,) * len(cards), joker=joker)
        for zone in (_zone(table, player),)
        for cards, joker in _sets(table.seats[player].zone(zone), chance)
    ]
    if table.seats[player].down:
        tries.append(Attempt(player, "lift", (table.seats[player].down[-1],), (Zone.DOWN,)))
    allowed = [each for each in tries if not law.objection(table, each)]
    return chance.choice(allowed) if allowed else None


def choices(table: OpenTable, player: int, chance: random.Random) -> Iterator[Attempt]:
    """All that the player might sensibly think of, allowed or not."""
    seat, rules = table.seats[player], table.rules
    zone = _zone(table, player)
    if zone is Zone.DOWN:
        if seat.down:
            yield Attempt(player, "play", (seat.down[-1],), (Zone.DOWN,))
    else:
        yield from _plays(table, player, zone, chance)
    yield Attempt(player, "pickup")
    if rules.take_face_up and seat.up:
        yield Attempt(player, "pickup", (chance.choice(seat.up),))
        yield Attempt(player, "pickup", tuple(c for c in seat.up if c.rank == seat.up[0].rank))
    if table.stock and rules.chance:
        yield Attempt(player, "chance", (table.stock[-1],))
    if rules.remove_sets:
        for cards in _ranks(seat.hand):
            if cards[0].rank is not Rank.JOKER:
                yield Attempt(player, "remove", cards, (Zone.HAND,) * len(cards))
    yield Attempt(player, "pass")


def mistakes(table: OpenTable, player: int, chance: random.Random) -> Iterator[Attempt]:
    """What somebody does who does not pay attention: low cards, the wrong turn or button."""
    yield from choices(table, player, chance)
    other = chance.randrange(len(table.seats))
    zone = _zone(table, other)
    if table.seats[other].zone(zone):
        card = chance.choice(table.seats[other].zone(zone))
        yield Attempt(other, "play", (card,), (zone,))
    yield Attempt(other, "pickup")


def cheats(table: OpenTable, player: int, chance: random.Random) -> Iterator[Attempt]:
    """What somebody tries who knows better: two ranks, table cards early, other rules' moves."""
    seat = table.seats[player]
    zone = _zone(table, player)
    for early in (Zone.UP, Zone.DOWN):
        for count in (1, 2):
            if len(seat.zone(early)) >= count:
                cards = tuple(chance.sample(seat.zone(early), count))
                yield Attempt(player, "play", cards, (early,) * count)
    mine = seat.zone(zone)
    if len(mine) > 1:
        two = tuple(chance.sample(mine, 2))
        yield Attempt(player, "play", two, (zone,) * 2)
        yield (
            Attempt(player, "remove", two, (Zone.HAND,) * 2)
            if seat.hand[1:]
            else Attempt(player, "pass")
        )
    if mine:
        card = chance.choice(mine)
        yield Attempt(player, "play", (card,), (zone,), under=True)
        yield Attempt(player, "play", (card,), (zone,), higher=True)
    if table.stock:
        yield Attempt(player, "chance", (table.stock[-1],))
    if seat.up:
        yield Attempt(player, "pickup", tuple(seat.up[:2]))
    if seat.down:
        yield Attempt(player, "lift", (seat.down[-1],), (Zone.DOWN,))
    yield from mistakes(table, player, chance)


# -- plays -------------------------------------------------------------------------------------


def _zone(table: OpenTable, player: int) -> Zone:
    seat = table.seats[player]
    if seat.hand:
        return Zone.HAND
    return Zone.UP if seat.up else Zone.DOWN


def _ranks(cards: list[Card]) -> list[tuple[Card, ...]]:
    """The cards, those of one rank together."""
    ranks: dict[Rank, list[Card]] = {}
    for card in cards:
        ranks.setdefault(card.rank, []).append(card)
    return [tuple(group) for group in ranks.values()]


def _sets(
    cards: list[Card], chance: random.Random
) -> Iterator[tuple[tuple[Card, ...], Rank | None]]:
    """Sets of equal cards, with jokers among them, and what the jokers are declared to be."""
    jokers = tuple(card for card in cards if card.rank is Rank.JOKER)
    for group in _ranks(cards):
        for count in range(1, len(group) + 1):
            yield group[:count], None
            if jokers and group[0].rank is not Rank.JOKER:
                yield (*group[:count], *jokers[: chance.randint(1, len(jokers))]), None
    if jokers:
        ranks = [rank for rank in Rank if rank is not Rank.JOKER]
        yield jokers[: chance.randint(1, len(jokers))], chance.choice(ranks)


def _plays(table: OpenTable, player: int, zone: Zone, chance: random.Random) -> Iterator[Attempt]:
    seat, rules = table.seats[player], table.rules
    cards = seat.zone(zone)
    sets = list(_sets(cards, chance))
    for group, joker in sets:
        yield Attempt(player, "play", group, (zone,) * len(group), joker=joker)
        if rules.lower_choice:
            yield Attempt(player, "play", group, (zone,) * len(group), joker=joker, higher=True)
        if rules.sneak_three and group[0].rank is Rank.THREE:
            yield Attempt(player, "play", group, (zone,) * len(group), under=True)
        if rules.two == "again" and group[0].rank in rules.reset_ranks:
            for follow, _ in sets:
                both = (*group, *follow)
                if Counter(both) <= Counter(cards) and follow[0].rank != group[0].rank:
                    yield Attempt(player, "play", both, (zone,) * len(both))
    if rules.series != "off":
        yield from _series(table, player, zone)
    if zone is Zone.HAND and rules.join_last and seat.up:
        last = sorted(seat.hand, key=lambda card: card.rank not in rules.reset_ranks)
        whole = len({card.rank for card in last} - set(rules.reset_ranks)) <= 1
        known = seat.shown if table.stock else seat.up
        alike = tuple(card for card in known if whole and card.rank == last[-1].rank)
        for count in range(1, len(alike) + 1):
            zones = (Zone.HAND,) * len(last) + (Zone.UP,) * count
            yield Attempt(player, "play", (*last, *alike[:count]), zones)


def _series(table: OpenTable, player: int, zone: Zone) -> Iterator[Attempt]:
    """Longer and longer series, drawing after each card."""
    seat, stock = table.seats[player], list(table.stock)
    mine = list(seat.zone(zone))
    laid: list[Card] = []
    while mine:
        ranks: list[int | None] = [int(card.rank) for card in laid]
        following = [
            card for card in mine if law.in_sequence(table.rules, [*ranks, int(card.rank)])
        ]
        if not following:
            return
        card = min(following)
        mine.remove(card)
        laid.append(card)
        while zone is Zone.HAND and len(mine) < table.rules.hand and stock:
            mine.append(stock.pop())
        if len(laid) > 1:
            yield Attempt(player, "play", tuple(laid), (zone,) * len(laid))


_USUAL = {"remove": 5.0, "lift": 50.0, "chance": 60.0, "pickup": 80.0, "pass": 100.0}
_DEAR = {Rank.TWO: 25.0, Rank.TEN: 30.0, Rank.JOKER: 35.0}


def _cost(attempt: Attempt) -> float:
    """How unwilling a careful player is: low cards first, the pile last."""
    if attempt.what != "play":
        return _USUAL[attempt.what]
    rank = attempt.cards[0].rank
    return _DEAR.get(rank, float(rank)) - 0.1 * len(attempt.cards)
