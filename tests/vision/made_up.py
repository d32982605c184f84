"""Readings and sightings as a good reader would make them, for tests that need no picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.cards import parse_card
from vision.assemble import Sighting
from vision.reader import RANKS, SUITS, Reading
from vision.spot import Spot

SIZE = 20.0


def reading(
    code: str,
    x: float = 0.0,
    y: float = 0.0,
    angle: float = 0.0,
    centre: tuple[float, float] | None = None,
    p: float = 0.99,
    p_suit: float = 0.99,
    opened: float = 0.9,
) -> Reading:
    """An index of ``code`` at x, y that points to ``centre``."""
    card = parse_card(code)
    ranks = np.full(15, (1 - p) / 14, np.float32)
    ranks[RANKS.index(card.rank)] = p
    suits = np.full(4, (1 - p_suit) / 3, np.float32)
    if card.suit is not None:
        suits[SUITS.index(card.suit)] = p_suit
    return Reading(Spot(x, y, angle, SIZE, centre or (x, y), 0.9, opened), ranks, suits)


def both_corners(code: str, x: float, y: float, turn: float = 0.0, **more: float) -> list[Reading]:
    """The two indices of a card whose middle is at x, y."""
    c, s = np.cos(turn), np.sin(turn)
    dx, dy = -2.1 * SIZE, -3.2 * SIZE
    ox, oy = c * dx - s * dy, s * dx + c * dy
    return [
        reading(code, x + ox, y + oy, turn, (x, y), **more),
        reading(code, x - ox, y - oy, turn + np.pi, (x, y), **more),
    ]


def sighting(
    code: str,
    x: float = 0.0,
    y: float = 0.0,
    angle: float = 0.0,
    p: float = 0.995,
    opened: float = 0.9,
    or_else: str | None = None,
    p_suit: float = 0.99,
) -> Sighting:
    """A card whose middle is at x, y; ``or_else`` gets what is left of the probability."""
    card = parse_card(code)
    ranks, suits = np.full(14, 1e-6), np.full(4, (1 - p_suit) / 3)
    ranks[RANKS.index(card.rank)] = p
    if or_else is not None:
        ranks[RANKS.index(parse_card(or_else).rank)] = 1 - p
    if card.suit is not None:
        suits[SUITS.index(card.suit)] = p_suit
    spots = tuple(both_corners(code, x, y, angle))
    return Sighting(
        spots, ranks / ranks.sum(), suits / suits.sum(), 0.999, (x, y), angle, SIZE, opened
    )


def lone(code: str, x: float, y: float, score: float, p: float = 0.99) -> Sighting:
    """A card of which one index was found, more or less surely."""
    both = sighting(code, x, y, p=p)
    one = both.readings[0]
    return replace(both, readings=(replace(one, spot=replace(one.spot, score=score)),))
