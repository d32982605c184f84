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
#: Deviation, in block heights, of the middles that two indices of one card point to.
CENTRE_DEVIATION = 0.45
#: Deviation in radians of how two indices of one card are turned, the half turn apart.
TURN_DEVIATION = 0.2
#: Log odds that two indices which point to one and the same middle are of one card: of two cards
#: that lie alike, the upper would hide the lower.
ONE_CARD = 6.0
#: A clash of readings counts no more than this (log odds): one of them may be a misreading.
CLASH = -4.5
#: Indices nearer than this (block heights) are never two of one card.
CORNERS_APART = 1.5


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


def _log_odds(a: Reading, b: Reading) -> float:
    """Log odds that two readings are of one card, against two cards; -inf where impossible."""
    size = (a.spot.size + b.spot.size) / 2
    if not 0.5 < a.spot.size / b.spot.size < 2.0:
        return -np.inf
    if np.hypot(a.spot.x - b.spot.x, a.spot.y - b.spot.y) < CORNERS_APART * size:
        return -np.inf
    turn = _turned(a.spot.angle, b.spot.angle)
    askew = min(turn, np.pi - turn) / TURN_DEVIATION
    gap = float(np.hypot(*np.subtract(a.spot.centre, b.spot.centre))) / size / CENTRE_DEVIATION
    ranks = np.log(float((a.ranks[:-1] * b.ranks[:-1]).sum()) + 1e-9)
    suits = np.log(float((a.suits * b.suits).sum()) + 1e-9)
    return float(ONE_CARD - (gap**2 + askew**2) / 2 + max(ranks, CLASH) + max(suits, CLASH))


def assemble(readings: Sequence[Reading]) -> list[Sighting]:
    """Cards from readings, the surest pairs first; each reading belongs to one card."""
    kept = [r for r in readings if r.p_index >= LEAST_INDEX]
    odds = {(i, j): _log_odds(kept[i], kept[j]) for i in range(len(kept)) for j in range(i)}
    group = list(range(len(kept)))
    members: dict[int, list[int]] = {i: [i] for i in group}
    for (i, j), odd in sorted(odds.items(), key=lambda item: -item[1]):
        if odd <= 0:
            break
        a, b = group[i], group[j]
        if a == b or len(members[a]) + len(members[b]) > 4:
            continue
        if all(odds[max(p, q), min(p, q)] > -np.inf for p in members[a] for q in members[b]):
            for member in members[b]:
                group[member] = a
            members[a] += members.pop(b)
    return [_card([kept[i] for i in indices]) for indices in members.values()]


def _card(readings: list[Reading]) -> Sighting:
    weight = 1.0 if len(readings) == 1 else TEMPER
    ranks = np.exp(sum(weight * np.log(r.ranks[:-1].astype(float) + 1e-7) for r in readings))
    suits = np.exp(sum(weight * np.log(r.suits.astype(float) + 1e-6) for r in readings))
    none = float(np.prod([1 - r.p_index for r in readings]))
    first = max(readings, key=lambda r: r.spot.score)
    turns = [r.spot.angle for r in readings]
    doubled = np.exp(2j * np.array(turns)).sum()
    x, y = np.mean([r.spot.centre for r in readings], axis=0)
    if len(readings) == 2:
        # Opposite corners have the middle exactly between them, whatever the network thinks.
        between = np.mean([(r.spot.x, r.spot.y) for r in readings], axis=0)
        if np.hypot(*(between - (x, y))) < first.spot.size:
            x, y = between
    return Sighting(
        readings=tuple(readings),
        ranks=ranks / ranks.sum(),
        suits=suits / suits.sum(),
        p_index=1 - none,
        centre=(float(x), float(y)),
        angle=float(np.angle(doubled) / 2),
        size=float(np.mean([r.spot.size for r in readings])),
        open=float(np.mean([r.spot.open for r in readings])),
    )
