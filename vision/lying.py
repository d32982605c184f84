"""One card that lies on the pile, and whether what a look shows there is that card.

A card laid on it, half an index left by one, and the card itself read otherwise look alike; the
place, what was in view there, and what the pictures say of it tell them apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cards import Card, Rank
from vision.assemble import Sighting
from vision.reader import RANKS, SUITS
from vision.spot import Spot, in_frame, same_index

#: A card this near to where it lay (block heights), turned this little (radians), has not moved.
SAME_PLACE, SAME_ANGLE = 0.9, 0.3
#: A reading that fits a remembered card this well, elsewhere on the pile, is that card moved; where
#: the pile has not moved and nothing was there before, so well.
SAME_CARD, MOVED_ALONE = 0.3, 0.7
#: A reading of another rank this sure is of no old index half covered.
SURELY_ANOTHER = 0.95
#: Cards are squared up, but hardly ever land as exactly on an equal one (block heights): there its
#: sign must be this sure to be another.
AS_IT_WAS, CERTAINLY_ANOTHER = 0.12, 0.995
#: The finder is this sure of an index that is whole.
WELL_FOUND = 0.68
#: Log odds that an index found where another was seen is a new card's, not what is left of the old
#: one: a constant; for the log odds that it is whole, and that it is of one rank with a new card
#: that it lies in a row with; if half of what was there is left; for the log odds that it lies just
#: as the old one did, and that it reads as that; if a new card lies so that it can half cover the
#: old one. Fitted on heaps of the decks of training, but the constant, which is one higher: what is
#: no card is mostly told by what follows.
LANDED_THERE = np.array([-2.5, 1.4, 0.6, -5.2, -0.2, -2.2, -3.9])
#: What is told of one index is no surer than this.
LEAST_CHANCE = 0.02
#: Cards of a fan stand the same way up (cosine), no further apart to the right and down than this
#: (block heights).
SAME_WAY, FAN_STEP = 0.9, (2.5, 1.2)
#: How much of it counts that half of what was there is left, where nobody knows; chosen.
NOT_KNOWN = 0.5
#: Deviations of an old index from where it lay, found half covered: block heights, radians.
_OFF, _TURNED = 0.15, 0.1
#: Log odds that it is the old one if it is found just where and as that lay: a new card's lies
#: anywhere that is near enough to be taken for it, turned by anything.
AS_IT_LAY = 2.75
#: Sizes of a card in block heights: half its width and half its height, for what it may hide.
_HALF_CARD = 2.6, 3.7
#: An index with its margin reaches so far from its middle (block heights).
RIM = 1.0


@dataclass(frozen=True)
class Lying:
    """A card on the pile, its ``landing`` by number; ``seen``: the last look showed it.

    ``spots`` are the places of all its indices that were ever seen.
    """

    card: Card
    sighting: Sighting
    landing: int
    seen: bool = True
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True)
class Stillness:
    """What the pictures themselves say of what was there at the last rest already.

    ``kept`` tells how much of a place looks as before (1, a half, nothing); ``known`` is false
    where the whole view has moved or nothing was there, so that it tells nothing.
    """

    kept: Callable[[Spot], float]
    known: bool

    def old(self, sighting: Sighting) -> bool:
        """Certainly there before: one of its indices is where and as it was."""
        return self.known and any(self.kept(r.spot) == 1.0 for r in sighting.readings)

    def fresh(self, sighting: Sighting) -> bool:
        """Certainly not there before, or not in view."""
        return self.known and not any(self.kept(r.spot) for r in sighting.readings)

    def lies_on(self, lying: Lying) -> bool:
        """The card is in view as it was, whatever was read of it this time."""
        spots = [r.spot for r in lying.sighting.readings]
        return self.known and bool(spots) and all(self.kept(spot) == 1.0 for spot in spots)


UNKNOWN = Stillness(lambda spot: 0.0, False)


def likelihood(sighting: Sighting, card: Card) -> float:
    """Probability that the sighting is ``card``; that of the rank if the suit is unknown."""
    p = float(sighting.ranks[RANKS.index(card.rank)])
    if card.suit is not None:
        p *= float(sighting.suits[SUITS.index(card.suit)])
    return p


def fits(sighting: Sighting, lying: Lying) -> float:
    """Probability that the sighting is the card that lies there, as far as that is known.

    A card whose suit is open has the sign that was read of it, for what that is worth.
    """
    p = likelihood(sighting, lying.card)
    if lying.card.suit is None and lying.card.rank is not Rank.JOKER:
        p *= float(sighting.suits @ lying.sighting.suits)
    return p


def _turn(a: float, b: float) -> float:
    """Between two card directions, which repeat every half turn."""
    return float(abs((a - b + np.pi / 2) % np.pi - np.pi / 2))


def in_place(lying: Lying, sighting: Sighting) -> bool:
    """Whether the sighting lies just where the card lay."""
    gap = np.hypot(
        lying.sighting.centre[0] - sighting.centre[0], lying.sighting.centre[1] - sighting.centre[1]
    )
    return bool(
        gap < SAME_PLACE * sighting.size
        and _turn(lying.sighting.angle, sighting.angle) < SAME_ANGLE
    )


def at_known_index(lying: Lying, sighting: Sighting) -> bool:
    """Whether a single index seen is where one of the card's was seen before."""
    spots = [r.spot for r in sighting.readings]
    return len(spots) == 1 and any(same_index(known, spots[0]) for known in lying.spots)


def elsewhere(lying: Lying, sighting: Sighting, still: Stillness) -> bool:
    """Whether a hidden card would have had to move under a pile that has not moved."""
    return (
        still.known
        and not lying.seen
        and still.fresh(sighting)
        and not any(same_index(known, r.spot) for known in lying.spots for r in sighting.readings)
    )


def _was_in_view(lying: Lying, sighting: Sighting) -> bool:
    """Whether the last look showed an index of the card just there."""
    return lying.seen and any(
        same_index(r.spot, s.spot) for r in lying.sighting.readings for s in sighting.readings
    )


def lies_over(lying: Lying, sighting: Sighting, still: Stillness) -> bool:
    """Whether what shows at a known index of ``lying`` is another card's that lies over it.

    The place has changed, and reads as another card: surely so, if an index was in view there,
    which half covered reads as anything. What reads the same is the card itself, uncovered again.
    """
    told = CERTAINLY_ANOTHER if _as_it_was(lying, sighting) else SURELY_ANOTHER
    if not _other_card(lying, sighting, told):
        return False
    sure = float(sighting.ranks.max()) * sighting.p_index > SURELY_ANOTHER
    if sure and _second_best([r.spot.score for r in sighting.readings]) > WELL_FOUND:
        return still.known and not still.old(sighting)
    return still.fresh(sighting) and not _was_in_view(lying, sighting)


def _second_best(scores: Sequence[float]) -> float:
    """Of the corners of a card two are enough, or the only one."""
    return sorted(scores, reverse=True)[:2][-1]


def _as_it_was(lying: Lying, sighting: Sighting) -> bool:
    """Whether each index seen is almost exactly where one of the card's was seen before."""
    return all(
        any(
            np.hypot(k.x - r.spot.x, k.y - r.spot.y) < AS_IT_WAS * k.size
            and _turn(k.angle, r.spot.angle) < SAME_ANGLE
            for k in lying.spots
        )
        for r in sighting.readings
    )


def other_rank(lying: Lying, sighting: Sighting) -> bool:
    """Whether it reads as another rank than the card's."""
    return RANKS[int(sighting.ranks.argmax())] != lying.card.rank


def _other_card(lying: Lying, sighting: Sighting, sure: float = SURELY_ANOTHER) -> bool:
    """Whether it reads as another rank than the card's, or so surely as another suit."""
    other_suit = (
        lying.card.suit is not None
        and float(sighting.suits.max()) > sure
        and SUITS[int(sighting.suits.argmax())] != lying.card.suit
    )
    return other_suit or other_rank(lying, sighting)


def _log_odds(p: float) -> float:
    p = min(max(p, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return math.log(p / (1 - p))


def _as_it_lay(lying: Lying, spot: Spot) -> float:
    """Log odds, from where it lies alone, that an index is one of the card's that were seen."""
    off = [
        (np.hypot(k.x - spot.x, k.y - spot.y) / k.size / _OFF) ** 2
        + (_turn(k.angle, spot.angle) / _TURNED) ** 2
        for k in lying.spots
    ]
    return AS_IT_LAY - float(min(off)) / 2


def _of_one_fan(sighting: Sighting, beside: Sequence[Sighting], still: Stillness) -> float:
    """Probability that it has the rank of one that is new and lies beside it, as in a fan."""
    spot = sighting.readings[0].spot
    return max(
        (
            float(sighting.ranks @ other.ranks) * other.p_index
            for other in beside
            if _is_new(other, sighting, still)
            and any(in_a_row(spot, r.spot) for r in other.readings)
        ),
        default=0.0,
    )


def _is_new(other: Sighting, sighting: Sighting, still: Stillness) -> bool:
    """Whether it is another that may have landed."""
    return other is not sighting and not still.old(other)


def in_a_row(a: Spot, b: Spot) -> bool:
    """Whether two indices stand side by side, the same way up."""
    right, down = np.abs(in_frame(a, b.x, b.y))
    return bool(np.cos(a.angle - b.angle) > SAME_WAY and right < FAN_STEP[0] and down < FAN_STEP[1])


def half_covered(
    lying: Lying,
    sighting: Sighting,
    beside: Sequence[Sighting],
    still: Stillness,
    pushed: bool = False,
) -> bool:
    """Whether what was read is an index of ``lying``, which half covered reads as anything.

    ``beside``: what else the look shows; ``pushed``: the pile has moved, and ``lying`` with it.
    """
    if not at_known_index(lying, sighting):
        return False
    if still.old(sighting):
        return True
    spot = sighting.readings[0].spot
    told = (
        1.0,
        _log_odds(spot.score),
        _log_odds(_of_one_fan(sighting, beside, still)),
        not still.fresh(sighting) if still.known or pushed else NOT_KNOWN,
        _as_it_lay(lying, spot),
        _log_odds(fits(sighting, lying)),
        any(covers(other, sighting) for other in beside if _is_new(other, sighting, still)),
    )
    return float(np.dot(told, LANDED_THERE)) < 0


def covers(over: Sighting, under: Sighting) -> bool:
    """Whether a card that lies as ``over`` can hide one of the indices seen of ``under``."""
    c, s = np.cos(over.angle), np.sin(over.angle)

    def off(spot: Spot) -> tuple[float, float]:
        """Across and along the card, from its middle."""
        dx, dy = spot.x - over.centre[0], spot.y - over.centre[1]
        return abs(c * dx + s * dy), abs(-s * dx + c * dy)

    # Where both its corners are seen, they tell how large it is.
    corners = [off(r.spot) for r in over.readings] if len(over.readings) > 1 else []
    across, along = (
        max([_HALF_CARD[k] * 1.15 * over.size, *(at[k] + RIM * over.size for at in corners)])
        for k in (0, 1)
    )
    places = [off(r.spot) for r in under.readings]
    return any(x < across and y < along for x, y in places)
