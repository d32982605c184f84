"""Corners of one card that do not point to one middle.

Half covered, an index points nowhere, and finds its other corner by the measure of the deck alone.

And there are decks that print the index in all four corners. The finder tells the way from an
index to its card's middle as two-index decks have it, down to the right. So the two corners of a
diagonal find each other, the other two do not. Here a found diagonal looks for the other corners
where they must be; and once one has been found in a picture, single indices may pair along an edge
of the card, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from vision.reader import RANKS, SUITS, Reading
from vision.spot import in_frame

Group = list[int]

#: Two indices surely say the same, and stand on one line (cosine of the angle between them), so
#: many block heights apart: the ends of an edge.
SURELY_ALIKE, STRAIGHT, EDGE = 0.8, 0.97, (2.5, 14.0)
#: Indices nearer than this (block heights) are never two of one card.
CORNERS_APART = 1.5
#: Indices of one card stand the same way, or upside down (cosine of the angle between them).
STANDS = 0.8
#: From index to index a card is so much higher than wide.
HIGHER = 1.35
#: Indices of one size differ by no more than this as they are found (log ratio).
ONE_SIZE = 0.2
#: A clash of colours counts no more than this (log odds).
COLOUR_CLASH = -3.0
#: Log odds that a like index just where a corner must be is of this card.
IN_ITS_CORNER = 5.0
#: They must be so good for the first card found with more than two: most decks have two indices.
FIRST_OF_FOUR = 2.0
#: Deviation of such an index from its place, in block heights.
OFF_CORNER = 0.6
#: Deviations of three corners from a right angle that stands as their indices do (radians), and
#: from the usual shape of a card (log ratio): seen aslant, and index from index.
OFF_AXES, OFF_SHAPE = 0.12, 0.2
#: The same where only the deck's usual measure tells the place.
OFF_EDGE = 0.5


def _turn(a: Reading, b: Reading) -> float:
    """Cosine of the angle between two indices: 1 the same way up, -1 upside down."""
    return math.cos(a.spot.angle - b.spot.angle)


def part_missing(size: float, usual: float) -> float:
    """Probability that an index is half covered, for it is found smaller than usual."""
    return min(max(math.log(usual / size) - ONE_SIZE, 0.0), 0.5)


def alike(a: Reading, b: Reading) -> tuple[float, float, float]:
    """Logs of the probabilities that two indices say the same rank, suit and colour.

    The indices of a card are of one size: what is found much smaller is half covered, and reads
    as anything.
    """
    part = part_missing(*sorted((a.spot.size, b.spot.size)))
    muddled = 1 - (1 - a.muddle) * (1 - b.muddle) * (1 - part)
    ranks = float(a.ranks[:-1] @ b.ranks[:-1])
    suits = float(a.suits @ b.suits)
    ranks += muddled * (1 / len(RANKS) - ranks)
    suits += muddled * (1 / len(SUITS) - suits)
    red = [float(r.suits[1] + r.suits[2]) for r in (a, b)]
    colours = math.log(red[0] * red[1] + (1 - red[0]) * (1 - red[1]) + 1e-9)
    return math.log(ranks), math.log(suits), max(colours, COLOUR_CLASH)


def _like(readings: Sequence[Reading], one: Group, two: Group, clash: float) -> float:
    """Log odds of what two groups of indices say, if they are of one card."""
    a, b = (_together([readings[i] for i in group]) for group in (one, two))
    ranks, suits, colours = alike(a, b)
    return max(ranks, clash) + max(suits, clash) + colours


def _together(group: Sequence[Reading]) -> Reading:
    """What indices of one card say together, with the place and size of the surest of them.

    That each of them is half covered, and says nothing, is the less likely the more they are.
    """
    first = max(group, key=lambda r: r.p_index * r.spot.score)
    if len(group) == 1:
        return first
    ranks = np.prod([r.ranks[:-1] + 1e-4 for r in group], axis=0)
    suits = np.prod([r.suits + 1e-4 for r in group], axis=0)
    score = 1 - math.prod(1 - r.spot.score for r in group)
    return replace(
        first,
        spot=replace(first.spot, score=score),
        ranks=np.append((1 - first.ranks[-1]) * ranks / ranks.sum(), first.ranks[-1]),
        suits=suits / suits.sum(),
    )


def _surest_first(readings: Sequence[Reading], group: Group) -> list[Reading]:
    """In blocks of the surest a card is measured: half covered, an index is found too small."""
    return sorted((readings[i] for i in group), key=lambda r: -r.p_index * r.spot.score)


def _diagonal(readings: Sequence[Reading], group: Group) -> NDArray[np.float64] | None:
    """Right and down from one index to the other, if the two are a card's diagonal."""
    if len(group) != 2 or _turn(readings[group[0]], readings[group[1]]) > -STANDS:
        return None
    a, b = _surest_first(readings, group)
    way = in_frame(a.spot, b.spot.x, b.spot.y)
    return way if abs(way[0]) > 1 and way[1] > 1 else None


def _corner_odds(
    a: Reading, b: Reading, way: NDArray[np.float64], first: bool, off: float
) -> float:
    """Log odds that ``b`` is where another corner of the card of ``a`` is.

    ``way``: the card's diagonal, right and down; ``first``: it is known to begin at ``a``.
    """
    turn = _turn(a, b)
    if abs(turn) < STANDS or not 0.5 < a.spot.size / b.spot.size < 2.0:
        return -np.inf
    corners = np.array([(1, 0)] if turn > 0 else [(0, 1), (1, 1)])
    there = in_frame(a.spot, b.spot.x, b.spot.y)
    gaps = there - corners * way if first else np.abs(there) - corners * np.abs(way)
    return IN_ITS_CORNER - float((gaps**2).sum(1).min()) / off**2 / 2


def joined(readings: Sequence[Reading], groups: Sequence[Group], clash: float) -> list[Group]:
    """``groups`` of indices, one a card, with the other corners of four-index cards joined.

    The surest first, and only what fits all of a card's corners: side by side in a fan, the
    corners of two cards are hardly an index apart.
    """
    groups = _crossed(readings, [list(g) for g in groups], clash)
    diagonals = [way for g in groups if (way := _diagonal(readings, g)) is not None]
    edges = _edges(readings, groups)
    ways = [np.abs(way) for way in diagonals] or edges or [np.array([3.0, 5.0])]
    usual = np.median(ways, axis=0)
    four = bool(edges) or any(len(g) > 2 for g in groups)
    odds: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    while True:
        best: tuple[float, Group, Group] | None = None
        least = 0.0 if four else FIRST_OF_FOUR
        for one, two in combinations(groups, 2):
            # The first card found with more than two indices tells that the deck has four.
            if len(one) + len(two) > 4 or (len(one) == len(two) and not four):
                continue
            key = tuple(one), tuple(two)
            if key not in odds:
                odds[key] = _joint_odds(readings, one, two, usual, clash)
            if odds[key] > (best[0] if best else least):
                best = odds[key], one, two
        if best is None:
            three = _three_cornered(readings, groups, clash)
            if three is None:
                return groups
            groups = [g for g in groups if g[0] not in three] + [three]
        else:
            _, one, two = best
            groups = [g for g in groups if g is not one and g is not two] + [one + two]
        four = True


def _joint_odds(
    readings: Sequence[Reading], one: Group, two: Group, usual: NDArray[np.float64], clash: float
) -> float:
    """Log odds that two groups of indices are corners of one card."""
    if any(_too_near(readings[i], readings[j]) for i, j in product(one, two)):
        return -np.inf
    if len(one) + len(two) == 4 and len(one) != 2:
        place = _fourth_odds(readings, *sorted((one, two), key=len))
    else:
        place = min(_pair_odds(readings, one, two, usual))
        three = [readings[i] for i in (*one, *two)]
        if len(three) == 3 and _stand_as_one(three):
            place = max(place, _three_odds(three))
    return place + _like(readings, one, two, clash) if place > 0 else -np.inf


def _too_near(a: Reading, b: Reading) -> bool:
    """Whether two indices lie side by side, as those of a fan do and those of a card cannot."""
    gap = math.hypot(a.spot.x - b.spot.x, a.spot.y - b.spot.y)
    return gap < CORNERS_APART * (a.spot.size + b.spot.size) / 2


def _fourth_odds(readings: Sequence[Reading], lone: Group, three: Group) -> float:
    """Log odds that an index is where three corners of a card leave the fourth, seen aslant too."""
    at = np.array([(readings[i].spot.x, readings[i].spot.y) for i in (*lone, *three)])
    size = float(np.mean([readings[i].spot.size for i in (*lone, *three)]))
    # Two of the three are a diagonal, whichever: the fourth lies across it from the other one.
    gaps = [np.hypot(*(at[1:].sum(0) - 2 * at[k] - at[0])) / size for k in (1, 2, 3)]
    return IN_ITS_CORNER - (float(min(gaps)) / OFF_CORNER) ** 2 / 2


def _three_cornered(
    readings: Sequence[Reading], groups: Sequence[Group], clash: float
) -> Group | None:
    """The single indices of one rank that are most surely three corners of one card, if any are.

    So a card is told whose diagonals do not find each other, the first of its deck all the more.
    """
    lone = [g[0] for g in groups if len(g) == 1]
    best, most = None, FIRST_OF_FOUR
    for a, b, c in combinations(lone, 3):
        corners = [readings[i] for i in (a, b, c)]
        if len({int(r.ranks[:-1].argmax()) for r in corners}) > 1 or not _stand_as_one(corners):
            continue
        like = _like(readings, [a], [b], clash) + _like(readings, [a, b], [c], clash)
        odds = _three_odds(corners) + like
        if odds > most:
            best, most = [a, b, c], odds
    return best


def _stand_as_one(three: Sequence[Reading]) -> bool:
    """Whether three indices are of one size, two one way up and the third upside down."""
    turns = [_turn(a, b) for a, b in combinations(three, 2)]
    sizes = [r.spot.size for r in three]
    upright = sum(turn > STANDS for turn in turns)
    return upright == 1 and min(map(abs, turns)) > STANDS and max(sizes) < 2 * min(sizes)


def _three_odds(three: Sequence[Reading]) -> float:
    """Log odds that three indices are at three corners of a card, from their places alone."""
    at = np.array([(r.spot.x, r.spot.y) for r in three])
    sides = [float(np.hypot(*(at[(k + 1) % 3] - at[(k + 2) % 3]))) for k in range(3)]
    # The corner across from the longest side has the other two beside and below it.
    k = int(np.argmax(sides))
    ways = [in_frame(three[k].spot, *at[j]) for j in range(3) if j != k]
    beside, below = sorted(ways, key=lambda w: abs(w[1]))
    if min(abs(beside[0]), abs(below[1])) < CORNERS_APART:
        return -np.inf
    skew = float(np.hypot(beside[1] / abs(beside[0]), below[0] / abs(below[1])))
    shape = float(np.log(abs(below[1]) / abs(beside[0]) / HIGHER))
    return IN_ITS_CORNER - (skew / OFF_AXES) ** 2 / 2 - (shape / OFF_SHAPE) ** 2 / 2


def _pair_odds(
    readings: Sequence[Reading], one: Group, two: Group, usual: NDArray[np.float64]
) -> list[float]:
    """Log odds of the places of each two indices of two groups, as those of corners of one card."""
    told = next((g for g in (one, two) if _diagonal(readings, g) is not None), None)
    places = []
    for i, j in product(one, two):
        if told is not None:
            a, b = (i, j) if i in told else (j, i)
            # Seen aslant, the two are of different size: each measures the card in its own blocks.
            across = readings[told[1] if a == told[0] else told[0]].spot
            way, off = in_frame(readings[a].spot, across.x, across.y), OFF_CORNER
        else:
            # In blocks of the surer one a card is measured.
            a, b = sorted((i, j), key=lambda k: -readings[k].p_index * readings[k].spot.score)
            way, off = usual, OFF_EDGE
        places.append(_corner_odds(readings[a], readings[b], way, told is not None, off))
    return places


def completed(readings: Sequence[Reading], groups: Sequence[Group], clash: float) -> list[Group]:
    """``groups`` with lone indices paired that lie as far apart as those of other cards do.

    Half covered, an index points to no middle, and finds its other corner only by the measure of
    the deck: the way between the corners of cards in the same picture.
    """
    ways = [way for g in groups if (way := _diagonal(readings, g)) is not None]
    if not ways:
        return list(groups)
    usual = np.median(ways, axis=0)
    odds = []
    singles = [g for g in groups if len(g) == 1]
    for i, one in enumerate(singles):
        for j, two in enumerate(singles):
            # The surer of the two tells best which way the card lies.
            a, b = readings[one[0]], readings[two[0]]
            surer = a.p_index * a.spot.score >= b.p_index * b.spot.score
            if i == j or not surer or _turn(a, b) > -STANDS:
                continue
            gap = in_frame(a.spot, b.spot.x, b.spot.y) - usual
            near = IN_ITS_CORNER - float(gap @ gap) / OFF_EDGE**2 / 2
            odds.append((near + _like(readings, one, two, clash), i, j))
    paired: list[Group] = []
    used: set[int] = set()
    for odd, i, j in sorted(odds, reverse=True):
        if odd > 0 and i not in used and j not in used:
            paired.append(singles[i] + singles[j])
            used |= {i, j}
    lone = [group for k, group in enumerate(singles) if k not in used]
    return [group for group in groups if len(group) > 1] + paired + lone


def _crossed(readings: Sequence[Reading], groups: list[Group], clash: float) -> list[Group]:
    """Two diagonals of like indices that cross in their middles are one card's."""
    out: list[Group] = []
    for group in groups:
        for other in out:
            if _diagonal(readings, group) is None or _diagonal(readings, other) is None:
                continue
            # All indices of one card stand the same way or upside down.
            if abs(_turn(readings[group[0]], readings[other[0]])) < 0.9:
                continue
            size = readings[group[0]].spot.size
            ends = [[(readings[i].spot.x, readings[i].spot.y) for i in g] for g in (group, other)]
            if min(math.dist(one, two) for one, two in product(*ends)) < EDGE[0] * size:
                continue
            gap = float(np.hypot(*np.subtract(*np.mean(ends, axis=1)))) / size
            like = _like(readings, group, other, clash)
            if IN_ITS_CORNER - (gap / OFF_CORNER) ** 2 / 2 + like > 0:
                other += group
                break
        else:
            out.append(group)
    return out


def _edges(readings: Sequence[Reading], groups: Sequence[Group]) -> list[NDArray[np.float64]]:
    """The diagonals, right and down, of cards that show both indices of an edge; none for most.

    Indices of the same card, the same suit too, on one line are of a card with four: two packs may
    hold the card twice, but they hardly ever lie so.
    """
    lone = [g[0] for g in groups if len(g) == 1]
    pairs = [(g[0], g[1]) for g in groups if len(g) == 2]
    ways = []
    for one, two in ((readings[i], readings[j]) for i, j in [*combinations(lone, 2), *pairs]):
        if float((one.ranks[:-1] * two.ranks[:-1]).sum() * (one.suits @ two.suits)) < SURELY_ALIKE:
            continue
        right, down = np.abs(in_frame(one.spot, two.spot.x, two.spot.y))
        turn = _turn(one, two)
        if turn > STRAIGHT and EDGE[0] < right < EDGE[1] and down < OFF_EDGE:
            ways.append(np.array([right, right * HIGHER]))
        elif turn < -STRAIGHT and EDGE[0] < down < EDGE[1] and right < OFF_EDGE:
            ways.append(np.array([down / HIGHER, down]))
    return ways
