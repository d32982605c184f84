"""The pyramid patience told once more, as plainly as can be: card codes in tuples, no bits.

Written from the rules alone, it shares nothing with ``engine.pyramid``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(value): value for value in range(2, 11)}
MoveCodes = tuple[str, ...]


class State(NamedTuple):
    """The pyramid row by row, None where a card is gone; the stock's next card comes first."""

    pyramid: tuple[str | None, ...]
    waste: tuple[str, ...]
    stock: tuple[str, ...]


def worth(code: str) -> int:
    return VALUES[code[:-1]]


def covers(cards: int) -> list[tuple[int, ...]]:
    """For each card of a pyramid of so many, the places of the two cards on it."""
    table: list[tuple[int, ...]] = []
    row, start = 1, 0
    while start < cards:
        for place in range(row):
            on_it = (start + row + place, start + row + place + 1)
            table.append(on_it if on_it[1] < cards else ())
        start, row = start + row, row + 1
    return table


def successors(state: State, cover_pairs: bool = True) -> Iterator[tuple[MoveCodes, State]]:
    """Every legal move, ``("flip",)``, ``("reset",)`` or the codes that go, and what follows."""
    pyramid, waste, stock = state
    if not any(pyramid):
        return
    if stock:
        yield ("flip",), State(pyramid, (*waste, stock[0]), stock[1:])
    elif waste:
        yield ("reset",), State(pyramid, (), waste)
    if waste and worth(waste[-1]) == 13:
        yield (waste[-1],), State(pyramid, waste[:-1], stock)
    on_it = covers(len(pyramid))
    lying = [place for place, code in enumerate(pyramid) if code]
    bare = [place for place in lying if not any(pyramid[each] for each in on_it[place])]
    for place in bare:
        code = pyramid[place] or ""
        if worth(code) == 13:
            yield (code,), State(without(pyramid, place), waste, stock)
        if waste and worth(code) + worth(waste[-1]) == 13:
            yield (code, waste[-1]), State(without(pyramid, place), waste[:-1], stock)
        for other in lying:
            partner = pyramid[other] or ""
            if worth(code) + worth(partner) != 13:
                continue
            still = [each for each in on_it[other] if pyramid[each]]
            if (other in bare and place < other) or (cover_pairs and still == [place]):
                yield (code, partner), State(without(pyramid, place, other), waste, stock)


def without(pyramid: tuple[str | None, ...], *places: int) -> tuple[str | None, ...]:
    return tuple(None if place in places else code for place, code in enumerate(pyramid))


def winnable(state: State, cover_pairs: bool = True) -> bool:
    """Whether any sequence of moves clears the pyramid: a plain breadth-first search."""
    seen, queue = {state}, deque([state])
    while queue:
        now = queue.popleft()
        if not any(now.pyramid):
            return True
        for _, after in successors(now, cover_pairs):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return False
