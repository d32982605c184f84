"""How a pile has been pushed: its cards lie elsewhere, but as they lay to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from vision.assemble import Sighting
from vision.spot import Spot

#: A pile has been pushed if its indices have moved so far (block heights): found anew, they waver.
PUSHED = 0.1
#: A push takes them no further (block heights) and turns them no more (cosine): the rest is laid.
FAR, SAME_WAY = 2.0, 0.9
#: Two indices tell how a pile has turned if they lie so far apart (block heights).
LEVER = 4.0


@dataclass(frozen=True)
class Push:
    """By ``turn`` (radians) about the upper left of the picture, then by ``x``, ``y`` pixels."""

    turn: float = 0.0
    x: float = 0.0
    y: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the pile has come to lie."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return c * x - s * y + self.x, s * x + c * y + self.y

    def spot(self, spot: Spot) -> Spot:
        """Where an index has come to lie."""
        x, y = self.at(spot.x, spot.y)
        return replace(spot, x=x, y=y, angle=spot.angle + self.turn, centre=self.at(*spot.centre))

    def sighting(self, card: Sighting) -> Sighting:
        """The card as it would be seen now."""
        readings = tuple(replace(r, spot=self.spot(r.spot)) for r in card.readings)
        angle = card.angle + self.turn
        return replace(card, readings=readings, centre=self.at(*card.centre), angle=angle)


NO_PUSH = Push()


def push_of(moves: Sequence[tuple[Spot, Spot]]) -> Push:
    """What took most indices from the first to the second place of each, if anything did."""
    moves = [(a, b) for a, b in moves if _may_be_pushed(a, b)]
    if not moves:
        return NO_PUSH
    size = float(np.median([a.size for a, _ in moves]))
    far = float(np.median([_gap(a, b) for a, b in moves]))
    if far < PUSHED * size:
        return NO_PUSH
    turns = [
        math.remainder(_way(b, d) - _way(a, c), math.tau)
        for (a, b), (c, d) in combinations(moves, 2)
        if _gap(a, c) > LEVER * size
    ]
    turned = Push(float(np.median(turns)) if turns else 0.0)
    shifts = [np.subtract((b.x, b.y), turned.at(a.x, a.y)) for a, b in moves]
    x, y = np.median(shifts, axis=0).tolist()
    return Push(turned.turn, x, y)


def _may_be_pushed(a: Spot, b: Spot) -> bool:
    return math.cos(a.angle - b.angle) > SAME_WAY and _gap(a, b) < FAR * a.size


def _gap(a: Spot, b: Spot) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def _way(a: Spot, b: Spot) -> float:
    return math.atan2(b.y - a.y, b.x - a.x)
