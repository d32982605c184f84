"""Indices to cards: two readings half a turn apart around one middle are one card.

Evidence of the indices of one card multiplies. Nothing here knows the rules; the ledger's
prior joins later, for cards that have landed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank
from vision.reader import RANKS, SUITS, Reading

#: Readings less likely than this to be an index at all are dropped.
LEAST_INDEX = 0.5
#: Errors of two indices of one card are not independent; each counts a little less than fully.
TEMPER = 0.85
#: Largest disagreement, in block heights, between the middles that two indices of a card point to.
SAME_CENTRE = 1.9
#: Largest difference in radians from lying the same way or exactly upside down.
SAME_TURN = 0.45


@dataclass(frozen=True)
class Sighting:
    """One physical card as one picture shows it.

    ``ranks`` (14,): 2 … ace, joker, and ``suits`` (4,): C D H S, both posterior
    probabilities; ``centre`` pixels; ``angle`` radians clockwise, modulo half a turn;
    ``size``: index block height in pixels; ``open``: probability that nothing covers it.
    """

    readings: tuple[Reading, ...]
    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]
    p_index: float
    centre: tuple[float, float]
    angle: float
    size: float
    open: float

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 around the indices seen."""
        xs, ys = [], []
        for spot in (r.spot for r in self.readings):
            half = spot.size / 2
            c, s = abs(np.cos(spot.angle)), abs(np.sin(spot.angle))
            w, h = 0.62 * half * c + half * s, 0.62 * half * s + half * c
            xs += [spot.x - w, spot.x + w]
            ys += [spot.y - h, spot.y + h]
        return int(min(xs)), int(min(ys)), int(np.ceil(max(xs))), int(np.ceil(max(ys)))

    def joint(self) -> dict[Card, float]:
        """Probability of each of the 53 cards; suits and rank are read apart."""
        table: dict[Card, float] = {}
        for rank, p_rank in zip(RANKS, self.ranks, strict=True):
            if rank is Rank.JOKER:
                table[Card(rank, None)] = float(p_rank)
                continue
            for suit, p_suit in zip(SUITS, self.suits, strict=True):
                table[Card(rank, suit)] = float(p_rank * p_suit)
        return table


def _turned(a: float, b: float) -> float:
    """Angle between two directions, 0…π."""
    return float(abs((a - b + np.pi) % (2 * np.pi) - np.pi))


def _apart(a: Reading, b: Reading) -> float:
    """How badly two readings fit on one card; infinite where they cannot be one."""
    size = (a.spot.size + b.spot.size) / 2
    ratio = a.spot.size / b.spot.size
    if not 0.5 < ratio < 2.0:
        return np.inf
    turn = _turned(a.spot.angle, b.spot.angle)
    askew = min(turn, np.pi - turn)
    if askew > SAME_TURN:
        return np.inf
    ab = np.array([b.spot.x - a.spot.x, b.spot.y - a.spot.y])
    distance = float(np.hypot(*ab)) / size
    if distance < 1.5:
        return np.inf
    ca, cb = np.array(a.spot.centre), np.array(b.spot.centre)
    gap = float(np.hypot(*(ca - cb))) / size
    # Opposite corners have the card's middle exactly between them, whatever the network thinks.
    if turn > np.pi / 2:
        middle = np.array([a.spot.x + b.spot.x, a.spot.y + b.spot.y]) / 2
        gap = 0.5 * gap + 0.5 * float(np.hypot(*(middle - (ca + cb) / 2))) / size * 2
    if gap > SAME_CENTRE:
        return np.inf
    agree = float((a.ranks[:-1] * b.ranks[:-1]).sum()) + 1e-6
    same_suit = float((a.suits * b.suits).sum()) + 1e-3
    return float(gap + 1.5 * askew - 0.35 * np.log(agree) - 0.12 * np.log(same_suit))


def assemble(readings: Sequence[Reading]) -> list[Sighting]:
    """Cards from readings, best pairs first; each reading belongs to one card."""
    kept = [r for r in readings if r.p_index >= LEAST_INDEX]
    pairs = sorted(
        (cost, i, j)
        for i in range(len(kept))
        for j in range(i)
        if (cost := _apart(kept[i], kept[j])) < SAME_CENTRE + 0.6
    )
    group = list(range(len(kept)))
    members: dict[int, list[int]] = {i: [i] for i in group}
    for _, i, j in pairs:
        a, b = group[i], group[j]
        if a == b or len(members[a]) + len(members[b]) > 4:
            continue
        together = members[a] + members[b]
        if all(np.isfinite(_apart(kept[p], kept[q])) for p in members[a] for q in members[b]):
            for member in members[b]:
                group[member] = a
            members[a] = together
            del members[b]
    return [_card([kept[i] for i in indices]) for indices in members.values()]


def _card(readings: list[Reading]) -> Sighting:
    weight = 1.0 if len(readings) == 1 else TEMPER
    ranks = np.exp(sum(weight * np.log(r.ranks[:-1].astype(float) + 1e-7) for r in readings))
    suits = np.exp(sum(weight * np.log(r.suits.astype(float) + 1e-6) for r in readings))
    none = float(np.prod([1 - r.p_index for r in readings]))
    first = max(readings, key=lambda r: r.spot.score)
    turns = [r.spot.angle for r in readings]
    doubled = np.exp(2j * np.array(turns)).sum()
    opposite = next(
        (r for r in readings if _turned(r.spot.angle, first.spot.angle) > np.pi / 2), None
    )
    if opposite is not None and len(readings) == 2:
        centre = (first.spot.x + opposite.spot.x) / 2, (first.spot.y + opposite.spot.y) / 2
    else:
        x, y = np.mean([r.spot.centre for r in readings], axis=0)
        centre = float(x), float(y)
    return Sighting(
        readings=tuple(readings),
        ranks=ranks / ranks.sum(),
        suits=suits / suits.sum(),
        p_index=1 - none,
        centre=(float(centre[0]), float(centre[1])),
        angle=float(np.angle(doubled) / 2),
        size=float(np.mean([r.spot.size for r in readings])),
        open=float(np.mean([r.spot.open for r in readings])),
    )
