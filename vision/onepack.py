"""Sightings of one card that its corners have not brought together, in a picture of one pack.

Seen aslant, the corners of a card with four indices make no rectangle. But a pack holds each card
once: what surely reads as the same card, and can be of one, is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

from vision.assemble import Sighting, as_one
from vision.corners import EDGE
from vision.reader import Reading

#: Two sightings read as the same card if this is as likely: at the table a card of a set is not to
#: be lost; in a photograph it is enough that one card is likelier than two.
ALIKE, ALIKE_STILL = 0.75, 0.5
#: Indices of a card stand the same way, or upside down, however aslant it is seen (cosine).
STANDS = 0.75
#: So far apart they are (block heights): those of a fan are hardly one.
NEAR, FAR = 1.2, EDGE[1]
#: No card has more indices.
MOST_CORNERS = 4


def of_one_pack(sightings: Sequence[Sighting], alike: float = ALIKE) -> list[Sighting]:
    """``sightings`` with those joined that are of one card, the likeliest first.

    ``alike``: how likely they must read as the same.
    """
    out = list(sightings)
    while True:
        pairs = [(_same(a, b), a, b) for a, b in combinations(out, 2) if _can_be_one(a, b)]
        same, a, b = max(pairs, key=lambda pair: pair[0], default=(0.0, None, None))
        if a is None or b is None or same < alike:
            return out
        out = [as_one(a, b) if s is a else s for s in out if s is not b]


def _same(a: Sighting, b: Sighting) -> float:
    """Probability that both read as one card; a joker has no suit."""
    joker = float(a.ranks[-1] * b.ranks[-1])
    return float(a.ranks[:-1] @ b.ranks[:-1]) * float(a.suits @ b.suits) + joker


def _can_be_one(a: Sighting, b: Sighting) -> bool:
    """Whether their corners may be those of one card, which seen aslant are anywhere."""
    if len(a.readings) + len(b.readings) > MOST_CORNERS:
        return False
    return all(_can_be_corners(r, s) for r, s in product(a.readings, b.readings))


def _can_be_corners(a: Reading, b: Reading) -> bool:
    """Whether two indices stand as those of one card, neither side by side nor far apart."""
    gap = math.hypot(a.spot.x - b.spot.x, a.spot.y - b.spot.y)
    stands = abs(math.cos(a.spot.angle - b.spot.angle)) > STANDS
    least, most = NEAR * min(a.spot.size, b.spot.size), FAR * max(a.spot.size, b.spot.size)
    return stands and least < gap < most
