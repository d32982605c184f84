"""How people move cards: each act on the table as a short sequence of scenes.

A scene is what lies there, and a hand or none. Lengths in millimetres, angles in radians,
as the stage has them. Everything is drawn from the generator that is handed in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cards import Card
from vision.render import Hand, Placed

#: Cards are thrown on the middle of the pile, give or take this much.
SCATTER_MM = 32.0
#: From one card of a fan to the next: each index stays in sight.
FAN_MM = (19.0, 25.0)
#: A hand on its way has its fingertips this far from where it goes.
HALFWAY_MM = 150.0
#: A nudge: so far and so much turned, as one.
NUDGE_MM, NUDGE_TURN = 6.0, 0.05


@dataclass(frozen=True)
class Scene:
    """What the camera has before it for one frame."""

    lying: tuple[Placed, ...]
    hand: Hand | None = None


class Hands:
    """The people round the table: where each sits, and what their sleeves look like."""

    def __init__(self, players: Sequence[str], rng: np.random.Generator) -> None:
        turn = float(rng.uniform(0, 2 * math.pi))
        self._at = {
            name: (turn + 2 * math.pi * i / len(players), int(rng.integers(0, 10)))
            for i, name in enumerate(players)
        }
        self._rng = rng

    def hand(self, player: str, x: float, y: float, away: float = 0.0) -> Hand:
        """The player's hand over x, y, or ``away`` millimetres back towards its owner."""
        angle, sleeve = self._at[player]
        lean = angle + float(self._rng.normal(0, 0.08))
        return Hand(x + away * math.cos(lean), y + away * math.sin(lean), lean, sleeve)


def throw(
    cards: Sequence[Card], rng: np.random.Generator, index: float = 0.0
) -> tuple[Placed, ...]:
    """Where cards come to lie that are laid at once: one anywhere, several fanned.

    A fan leaves free at least ``index`` millimetres of each card's side.
    """
    radius = SCATTER_MM * math.sqrt(rng.uniform(0, 1))
    around = rng.uniform(0, 2 * math.pi)
    x, y = radius * math.cos(around), radius * math.sin(around)
    angle = float(rng.uniform(0, 2 * math.pi))
    # Sideways or aslant along the cards, as a fan in the hand is laid down.
    aslant = float(rng.uniform(-0.5, 0.5))
    step = max(float(rng.uniform(*FAN_MM)), index / math.cos(aslant))
    course = angle + float(rng.choice([0.0, math.pi])) + aslant
    spread = float(rng.uniform(-0.05, 0.10))
    middle = (len(cards) - 1) / 2
    return tuple(
        Placed(
            card,
            x + (i - middle) * step * math.cos(course),
            y + (i - middle) * step * math.sin(course),
            angle + (i - middle) * spread,
        )
        for i, card in enumerate(cards)
    )


def laying(
    lying: tuple[Placed, ...], new: tuple[Placed, ...], player: str, hands: Hands
) -> Iterator[Scene]:
    """A hand brings cards and goes; without the scene in which they rest."""
    x, y = middle_of(new)
    near = hands.hand(player, x, y, away=HALFWAY_MM)
    carried = tuple(_carried(card, near, x, y) for card in new)
    yield Scene((*lying, *carried), near)
    yield Scene((*lying, *new), hands.hand(player, x, y, away=40))


def taking_back(
    lying: tuple[Placed, ...], taken: tuple[Placed, ...], player: str, hands: Hands
) -> Iterator[Scene]:
    """A hand takes cards off the pile again; ``lying`` is what stays."""
    x, y = middle_of(taken)
    yield Scene((*lying, *taken), hands.hand(player, x, y, away=12))
    near = hands.hand(player, x, y, away=HALFWAY_MM)
    yield Scene((*lying, *(_carried(card, near, x, y) for card in taken)), near)


def sweeping(lying: tuple[Placed, ...], player: str, hands: Hands) -> Iterator[Scene]:
    """A hand sweeps the whole pile off the table."""
    for away in (40.0, 200.0):
        hand = hands.hand(player, 0, 0, away=away)
        yield Scene(tuple(_carried(card, hand, 0, 0) for card in lying), hand)


def passing(lying: tuple[Placed, ...], player: str, hands: Hands) -> Iterator[Scene]:
    """A hand reaches through the picture and does nothing."""
    for x, y, away in ((90, -30, 90), (-30, 30, 30)):
        yield Scene(lying, hands.hand(player, x, y, away=away))


def nudged(lying: tuple[Placed, ...], rng: np.random.Generator) -> tuple[Placed, ...]:
    """The pile pushed a little, as one."""
    dx, dy = rng.normal(0, NUDGE_MM / 2, 2)
    turn = float(rng.normal(0, NUDGE_TURN / 2))
    c, s = math.cos(turn), math.sin(turn)
    return tuple(
        Placed(
            card.card,
            c * card.x - s * card.y + float(dx),
            s * card.x + c * card.y + float(dy),
            card.angle + turn,
        )
        for card in lying
    )


def middle_of(cards: Sequence[Placed]) -> tuple[float, float]:
    """The middle of where the cards lie."""
    return sum(c.x for c in cards) / len(cards), sum(c.y for c in cards) / len(cards)


def _carried(card: Placed, hand: Hand, x: float, y: float) -> Placed:
    """The card, away from x, y as far as the hand is."""
    return replace(card, x=card.x + hand.x - x, y=card.y + hand.y - y)
