"""A looker that takes the indices in sight from the stage instead of from the picture.

With it the real watcher can be tried on whole games without any model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from firmware.virtual import VirtualTable
from vision.assemble import Sighting, assemble
from vision.reader import RANKS, SUITS, Reading
from vision.render import Camera, IndexTruth, Placed, Stage, make_deck
from vision.spot import Spot


def small_stage(seed: int) -> Stage:
    """A stage with a quarter of the pixels, for tests."""
    camera = Camera((640, 360), px_per_mm=1.1, tilt=0.15, turn=0.2)
    return Stage(seed, make_deck(seed, plain=True), camera=camera)


@dataclass
class TruthLooker:
    """Sees every index of which ``least`` is in sight, as surely as ``sure``."""

    stage: Stage
    sure: float = 0.995
    least: float = 0.8
    table: VirtualTable | None = None
    _last: tuple[tuple[Placed, ...], list[Sighting]] | None = field(default=None)

    def readings(self, image: np.ndarray) -> list[Reading]:
        return []

    def cards_of(self, looks: object, image: np.ndarray) -> list[Sighting]:
        lying = self.table.lying
        if self._last is None or self._last[0] is not lying:
            self._last = (lying, assemble(self._readings(lying)))
        return self._last[1]

    def _readings(self, lying: Sequence[Placed]) -> list[Reading]:
        _, owner = self.stage.compose(lying)
        return [
            self._reading(index, open_=index.owner == len(lying) - 1)
            for index in self.stage.indices(lying, owner)
            if index.visible >= self.least
        ]

    def _reading(self, index: IndexTruth, open_: bool) -> Reading:
        spot = Spot(
            index.x,
            index.y,
            index.angle,
            index.size,
            (index.x + index.to_centre[0], index.y + index.to_centre[1]),
            0.99,
            0.95 if open_ else 0.05,
        )
        ranks = np.full(len(RANKS) + 1, (1 - self.sure) / len(RANKS), np.float32)
        ranks[RANKS.index(index.card.rank)] = self.sure
        suits = np.full(len(SUITS), (1 - self.sure) / 3, np.float32)
        suits[SUITS.index(index.card.suit)] = self.sure
        return Reading(spot, ranks, suits)
