"""Whether a pyramid can still be cleared, exactly, and a way to do it.

Resets are unlimited and the order of the stock never changes, so every card left in stock or
waste can be brought to the top of the waste at any time. The stock is therefore a supply of
ranks, and a card of the pyramid can go *alone* (with one of them) as soon as it is exposed,
while its partners' supply lasts. For the a cards of one rank and the b of the rank that makes
thirteen with it, and s and t such cards in the supply, at least max(0, a - t, b - s) pairs
must be made within the pyramid; with so many the supply is enough for all others, in any
order. Kings need nobody. So a position can be cleared exactly if so many pairs can be chosen
for each rank that taking them, and every other card alone, never gets stuck. Whether a choice
gets stuck is decided by taking whatever can be taken, for taking never hinders. That also
holds for part of a choice, all other cards going alone: if that is stuck, so is all of the
choice. The search tries one partner after the other and turns back as soon as it is stuck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from engine.cards import Card
from engine.pyramid.deal import THIRTEEN, Deal, worth
from engine.pyramid.events import Flip, King, Match, Move, Reset
from engine.pyramid.position import Position, exposed, may_leave

NODE_LIMIT = 20_000
"""After so many tried choices the solver gives up; of 100,000 deals none took 1,600."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``winnable`` is None if the solver gave up after ``nodes`` choices.

    ``pairs`` are the pairs that must be made within the pyramid, as bits of the position;
    all other cards may go as they come.
    """

    winnable: bool | None
    nodes: int
    pairs: tuple[int, ...] = ()


def solve(deal: Deal, position: Position | None = None, limit: int = NODE_LIMIT) -> Answer:
    """Whether the pyramid can be cleared from this position (None: from the deal).

    The same question always gets the same answer: it gives up after ``limit`` choices,
    not after a time.
    """
    at = deal.start if position is None else position
    needs = [_needed(deal, at, value) for value in range(1, THIRTEEN // 2 + 1)]
    if any(need.pairs > len(need.cards) for need in needs):
        return Answer(False, 0)
    return _Search(at.pyramid, deal.rules.cover_pairs, limit).answer(needs)


class _Need(NamedTuple):
    """At least ``pairs`` of ``cards`` must go with one of ``partners``, each a bit."""

    pairs: int
    cards: list[int]
    partners: list[int]


class _Choice(NamedTuple):
    """A card that goes with one of ``partners``, or alone at the cost of ``group``'s slack."""

    card: int
    partners: list[int]
    group: int


def _needed(deal: Deal, position: Position, value: int) -> _Need:
    """What the ranks worth ``value`` and 13 - ``value`` need; the rarer one is to choose."""
    low, high = (_lying(deal.in_pyramid, position.pyramid, v) for v in (value, THIRTEEN - value))
    supply = position.waste | position.stock
    lows, highs = (_lying(deal.in_stock, supply, v) for v in (value, THIRTEEN - value))
    pairs = max(0, len(low) - len(highs), len(high) - len(lows))
    few, many = sorted((low, high), key=len)
    return _Need(pairs, few, many)


def _lying(cards: dict[int, Card], mask: int, value: int) -> list[int]:
    return [place for place, card in cards.items() if place & mask and worth(card) == value]


class _GaveUpError(Exception):
    """The limit of nodes is reached."""


class _Search:
    """Tries choices of pairs, depth first."""

    def __init__(self, pyramid: int, cover_pairs: bool, limit: int) -> None:
        self._pyramid = pyramid
        self._cover_pairs = cover_pairs
        self._limit = limit
        self._nodes = 0

    def answer(self, needs: Sequence[_Need]) -> Answer:
        """The answer for these needs, one for each two ranks."""
        slack = [len(need.cards) - need.pairs for need in needs]
        try:
            choices = sorted(self._choices(needs), key=lambda choice: len(choice.partners))
            pairs = self._choose(choices, (), slack)
        except _GaveUpError:
            return Answer(None, self._nodes)
        return Answer(pairs is not None, self._nodes, pairs or ())

    def _choices(self, needs: Sequence[_Need]) -> Iterator[_Choice]:
        """For each card that may have to go in a pair, the partners that alone are no hindrance."""
        for group, need in enumerate(needs):
            if need.pairs:
                for card in need.cards:
                    able = [each for each in need.partners if self._cleared((card | each,))]
                    yield _Choice(card, able, group)

    def _choose(
        self, choices: Sequence[_Choice], pairs: tuple[int, ...], slack: list[int]
    ) -> tuple[int, ...] | None:
        """All pairs, beginning with ``pairs``, that clear the pyramid; None if there are none."""
        if not choices:
            return pairs
        (card, partners, group), rest = choices[0], choices[1:]
        taken = sum(pairs)
        for partner in partners:
            if not partner & taken:
                more = (*pairs, card | partner)
                if self._cleared(more):
                    found = self._choose(rest, more, slack)
                    if found is not None:
                        return found
        if not slack[group]:
            return None
        slack[group] -= 1
        found = self._choose(rest, pairs, slack)
        slack[group] += 1
        return found

    def _cleared(self, pairs: tuple[int, ...]) -> bool:
        """Whether nothing gets stuck with these pairs, all other cards going alone."""
        self._nodes += 1
        if self._nodes > self._limit:
            raise _GaveUpError
        left, bound = self._pyramid, sum(pairs)
        waiting = list(pairs)
        while left:
            alone = exposed(left) & ~bound
            if alone:
                left ^= alone
                continue
            ready = next((p for p in waiting if may_leave(left, p, self._cover_pairs)), 0)
            if not ready:
                return False
            waiting.remove(ready)
            left ^= ready
        return True


def winning_line(deal: Deal, position: Position, pairs: Sequence[int]) -> list[Move]:
    """Moves that clear the pyramid from ``position``, flips and resets included.

    ``pairs`` are those of the answer that it is winnable. One way, not the shortest.
    """
    moves: list[Move] = []
    waiting = list(pairs)
    while not position.won:
        move, pyramid, waste = _next_removal(deal, position, waiting)
        if move is not None:
            if pyramid in waiting:
                waiting.remove(pyramid)
            position = Position(position.pyramid ^ pyramid, position.waste ^ waste, position.stock)
        elif position.stock:
            move, position = Flip(deal.in_stock[position.stock_top]), position.flipped()
        else:
            move, position = Reset(), position.reset()
        moves.append(move)
    return moves


def _next_removal(
    deal: Deal, position: Position, waiting: Sequence[int]
) -> tuple[Move | None, int, int]:
    """A move that needs no flip, with the bits of pyramid and waste that go; None if there is none.

    Any pair of cards that belong to no pair of ``waiting`` is welcome: it spares the supply.
    """
    pyramid, cards = position.pyramid, deal.in_pyramid
    free = [place for place in cards if place & pyramid and not place & sum(waiting)]
    for place in free:
        if worth(cards[place]) == THIRTEEN and may_leave(pyramid, place, False):
            return King(cards[place]), place, 0
    chosen = [tuple(place for place in cards if place & pair) for pair in waiting]
    for one, other in (*chosen, *combinations(free, 2)):
        thirteen = worth(cards[one]) + worth(cards[other]) == THIRTEEN
        if thirteen and may_leave(pyramid, one | other, deal.rules.cover_pairs):
            return Match(cards[one], cards[other]), one | other, 0
    if top := position.waste_top:
        for place in free:
            thirteen = worth(deal.in_stock[top]) + worth(cards[place]) == THIRTEEN
            if thirteen and may_leave(pyramid, place, False):
                return Match(deal.in_stock[top], cards[place]), place, top
    return None, 0, 0
