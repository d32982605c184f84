"""What a decision was made from: the crop, and what each index in it said."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from engine.cards import Card
from vision.assemble import Sighting
from vision.reader import RANKS, SUITS, Reading
from vision.spot import Pixels

#: Decisions kept; with crops of at most ``CROP_PX`` a side they take about 12 MB.
KEPT = 160
CROP_PX = 160


@dataclass(frozen=True)
class Decision:
    """One card that was acted on or asked about.

    ``candidates`` and ``p`` best first; ``readings``: what each index alone was read as, with
    its probability; ``crop``: the card as it was seen, at most 160 pixels a side.
    """

    frame: int
    t: float
    candidates: tuple[Card, ...]
    p: tuple[float, ...]
    asked: bool
    readings: tuple[tuple[Card, float], ...]
    crop: Pixels = field(compare=False, repr=False)


class Evidence:
    """The newest decisions, the oldest first; bounded."""

    def __init__(self, kept: int = KEPT) -> None:
        self.decisions: deque[Decision] = deque(maxlen=kept)

    def keep(self, decision: Decision) -> None:
        """Add one; the oldest makes room."""
        self.decisions.append(decision)

    def of_frame(self, frame: int) -> tuple[Decision, ...]:
        """What was decided at the rest that began with ``frame``."""
        return tuple(d for d in self.decisions if d.frame == frame)


def read_alone(reading: Reading) -> tuple[Card, float]:
    """What one index says without the others: its likeliest card and that card's probability."""
    rank = int(reading.ranks[:-1].argmax())
    p = float(reading.ranks[rank])
    if rank == len(RANKS) - 1:
        return Card(RANKS[rank], None), p
    suit = int(reading.suits.argmax())
    return Card(RANKS[rank], SUITS[suit]), p * float(reading.suits[suit])


def crop_of(image: Pixels, sighting: Sighting) -> Pixels:
    """The part of a picture around all indices of a sighting, shrunk to ``CROP_PX``."""
    pad = round(sighting.size)
    x0, y0, x1, y1 = sighting.box
    h, w = image.shape[:2]
    x0, y0, x1, y1 = max(0, x0 - pad), max(0, y0 - pad), min(w, x1 + pad), min(h, y1 + pad)
    part = image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    step = max(1, -(-max(part.shape[:2]) // CROP_PX))
    return np.ascontiguousarray(part[::step, ::step])
