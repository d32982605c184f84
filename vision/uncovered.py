"""Which cards nothing covers: both corners of one are in view, and no other's index lies on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.assemble import Sighting
from vision.spot import Spot, in_frame

#: From one index to the one across the card, in mm: a card of 63 × 88 mm less the usual margins.
ACROSS, ALONG = 52.0, 68.0
CARD = 63.0, 88.0
#: What lies within so much of a card lies on it; the rest is left to cards that lie beside it.
WITHIN = 0.95
#: What is this likely an index is one.
AN_INDEX = 0.5


def scales(one: Spot, other: Spot) -> tuple[float, float]:
    """Pixels a millimetre across and along the card: seen aslant they differ."""
    right, down = np.abs(in_frame(one, other.x, other.y)) * one.size
    return max(float(right), 0.1) / ACROSS, max(float(down), 0.1) / ALONG


def face_each_other(one: Spot, other: Spot) -> bool:
    """Whether two indices of a card stand at opposite corners, not at the same side."""
    wide, high = scales(one, other)
    return bool(np.cos(one.angle - other.angle) < -0.8 and 0.6 < wide / high < 1.7)


def across(sighting: Sighting) -> tuple[Spot, Spot] | None:
    """Two indices of the card that face each other across its middle, if they are in view."""
    spots = [r.spot for r in sighting.readings]
    for i, one in enumerate(spots):
        for other in spots[:i]:
            if face_each_other(one, other):
                return one, other
    return None


def uncovered(sightings: Sequence[Sighting]) -> dict[int, tuple[Spot, Spot]]:
    """Those of the cards of one picture that nothing covers, by number, and their corners.

    An index in view on a card can only be that of a card on top of it. On 70 rendered heaps of
    decks never seen, 272 cards were read: all 64 open ones are told, and 8 others, 7 of which show
    90 %.
    """
    pairs = {i: pair for i, s in enumerate(sightings) if (pair := across(s)) is not None}
    spots = [
        (i, r.spot)
        for i, s in enumerate(sightings)
        for r in s.readings
        if s.p_index * r.p_index > AN_INDEX
    ]
    return {
        i: pair
        for i, pair in pairs.items()
        if not any(j != i and _lies_on(spot, *pair) for j, spot in spots)
    }


def _lies_on(spot: Spot, one: Spot, other: Spot) -> bool:
    """Whether the spot is within the card whose corners across are ``one`` and ``other``."""
    if min(np.hypot(spot.x - k.x, spot.y - k.y) / k.size for k in (one, other)) < 0.5:
        return False  # one of its own, found once more
    middle = in_frame(one, other.x, other.y) / 2
    right, down = np.abs(in_frame(one, spot.x, spot.y) - middle) * one.size
    wide, high = scales(one, other)
    return bool(right < WITHIN * wide * CARD[0] / 2 and down < WITHIN * high * CARD[1] / 2)
