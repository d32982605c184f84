"""A watcher that knows the virtual table instead of looking at it, and can be made to err."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from engine.cards import Card, Rank, Suit
from firmware.virtual import Shot, VirtualTable
from vision.frame import Frame
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn


class NoPictures:
    """A stage that draws nothing."""

    def draw(self, placed, hand=None, tick=0):
        return np.zeros((2, 2, 3), np.uint8)


def as_it_is(image):
    return Shot(b"", image)


class FakeWatcher:
    """Says what lies on ``table`` once nothing has moved for three frames.

    ``doubt`` is how often it asks, ``slip`` how often it takes one card for another,
    ``blind`` how often it misses a play.
    """

    def __init__(
        self, table: VirtualTable, doubt: float = 0, slip: float = 0, blind: float = 0
    ) -> None:
        self.table = table
        self.doubt, self.slip, self.blind = doubt, slip, blind
        self.random = random.Random(1)
        self.known: list[Card] = []
        self.still = 0
        self.open: dict[int, Landed] = {}
        self.asked = 0

    def step(self, frame: Frame) -> list[Observation]:
        self.still = 0 if self.table.moving else self.still + 1
        if self.still != 3:
            return []
        now = [placed.card for placed in self.table.lying]
        before, self.known = self.known, now
        if not now:
            return [Cleared(frame.index, frame.t)] if before else []
        if len(now) < len(before):
            return [Withdrawn(frame.index, frame.t, tuple(before[len(now) :]))]
        if len(now) == len(before):
            return []
        return self._landed(frame, now[len(before) :])

    def _landed(self, frame: Frame, new: Sequence[Card]) -> list[Observation]:
        chance = self.random.random()
        landed = Landed(frame.index, frame.t, tuple(new), (0.99,) * len(new))
        if chance < self.blind:
            return []
        if chance < self.blind + self.slip:
            other = Card(self.random.choice(list(Rank)[:13]), self.random.choice(list(Suit)))
            return [Landed(frame.index, frame.t, (other, *new[1:]), (0.99,) * len(new))]
        if chance < self.blind + self.slip + self.doubt:
            self.asked += 1
            other = Card(Rank.NINE if new[-1].rank is not Rank.NINE else Rank.SIX, new[-1].suit)
            both = [other, new[-1]]
            self.random.shuffle(both)
            self.open[self.asked] = landed
            asked = Unsure(self.asked, frame.index, frame.t, tuple(both), (0.5, 0.4))
            sure = Landed(frame.index, frame.t, tuple(new[:-1]), (0.99,) * (len(new) - 1))
            return [asked, sure] if len(new) > 1 else [asked]
        return [landed]

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        landed = self.open.pop(question_id, None)
        if landed is None:
            return []
        return [Landed(landed.frame, landed.t, (card,), (1.0,), settles=question_id)]

    def forget(self) -> None:
        pass
