"""Indices to cards: two readings half a turn apart around one middle are one card.

Evidence of the indices of one card multiplies, tempered. Nothing here knows the rules; the ledger's
prior joins later, for cards that have landed.
"""

from __future__ import annotations

import math
from cmath import phase, rect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank
from vision.corners import CORNERS_APART, EDGE, ONE_SIZE, alike, completed, joined
from vision.reader import RANKS, SUITS, Reading
from vision.spot import in_frame

#: Readings less likely than this to be an index at all are dropped.
LEAST_INDEX = 0.5
#: How alike the indices of one card err: one print, in one light. n of them count as
#: n / (1 + (n - 1) · this) that know nothing of each other (Kish 1965, the design effect). Between
#: what two, three and four corners of drawn decks ask for.
ERR_TOGETHER = 0.3
#: How the way from index to index may differ from what two guesses of the card's middle make of
#: it: its length as a log ratio, its course in radians. How large an index is printed for its card
#: differs from deck to deck, so that the length is known much less well than the course.
LENGTH, COURSE = 0.4, 0.09
#: The length once the cards in view, or those seen before, have told it for this deck.
LENGTH_KNOWN = 0.1
#: It is told by two indices of which each lies where the other points (cosine).
DIAGONAL = 0.97
#: As many surely paired cards tell it.
PAIRS_TO_KNOW = 2
#: Deviation in radians of how two indices of one card are turned, the half turn apart.
TURN_DEVIATION = 0.2
#: How far (half squares of deviations) a corner is out of place, or askew, for all that it matters:
#: half covered, or the other corner of four, an index points elsewhere. Beyond, it is impossible.
MISPLACED, ASKEW, NEVER = 3.0, 4.0, 4.0
#: A misreading is no less likely than this (log): clashes count no more. Signs are small, and of a
#: deck never seen they are misread more often than ranks.
RANK_CLASH, SUIT_CLASH = -7.0, -2.0
#: Log odds that two indices are of one card: a constant, and weights of the misplacement, of what
#: of it is impossible, of the skew, and of how well ranks, suits and colours agree. Fitted on heaps
#: of one pack and of two, of the decks of training.
ONE_CARD = 4.0, -0.5, -1.0, -0.75, 1.15, 1.9, 0.4
#: The log odds need be no better than this where one card must show two corners.
ON_TOP = -3.3
#: What is read this surely is no part of a court figure, and no pip.
NO_FIGURE = 0.9
#: Signs are of one colour if this is as likely (log).
SAME_COLOUR = math.log(0.15)
#: They say the same card if this is as likely (log).
ONE_ON_TOP = math.log(0.4)
#: All corners of a card agree with each other no worse than this.
CLASH = -3.5


@dataclass(frozen=True)
class Sighting:
    """One physical card as one picture shows it.

    ``ranks`` (14,): 2 … ace, joker, and ``suits`` (4,): C D H S, both posterior
    probabilities; ``centre`` pixels; ``angle`` radians clockwise, modulo half a turn;
    ``size``: index block height in pixels; ``open``: probability that nothing covers it.
    """

    readings: tuple[Reading, ...]
    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]
    p_index: float
    centre: tuple[float, float]
    angle: float
    size: float
    open: float

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 around the indices seen."""
        xs, ys = [], []
        for spot in (r.spot for r in self.readings):
            half = spot.size / 2
            c, s = abs(np.cos(spot.angle)), abs(np.sin(spot.angle))
            w, h = 0.62 * half * c + half * s, 0.62 * half * s + half * c
            xs += [spot.x - w, spot.x + w]
            ys += [spot.y - h, spot.y + h]
        return int(min(xs)), int(min(ys)), int(np.ceil(max(xs))), int(np.ceil(max(ys)))

    def joint(self) -> dict[Card, float]:
        """Probability of each of the 53 cards; suits and rank are read apart."""
        table: dict[Card, float] = {}
        for rank, p_rank in zip(RANKS, self.ranks, strict=True):
            if rank is Rank.JOKER:
                table[Card(rank, None)] = float(p_rank)
                continue
            for suit, p_suit in zip(SUITS, self.suits, strict=True):
                table[Card(rank, suit)] = float(p_rank * p_suit)
        return table


def _turned(a: float, b: float) -> float:
    """Angle between two directions, 0…π."""
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)


def _way(a: Reading, b: Reading) -> tuple[complex, complex]:
    """From ``a`` to ``b`` as they lie, and as their guesses of its middle have it: x + iy."""
    way = complex(b.spot.x - a.spot.x, b.spot.y - a.spot.y)
    return way, complex(*a.spot.centre) - complex(*b.spot.centre) + way


def _log_odds(a: Reading, b: Reading, stretch: float | None = None) -> float:
    """Log odds that two readings are of one card, against two cards; -inf where impossible.

    ``stretch``: how much longer the way from index to index is in this deck than guessed,
    None where it is not known.
    """
    size = (a.spot.size + b.spot.size) / 2
    if not 0.5 < a.spot.size / b.spot.size < 2.0:
        return -np.inf
    way, guess = _way(a, b)
    if abs(way) < CORNERS_APART * size or abs(guess) < size:
        return -np.inf
    length = abs(guess) * (stretch or 1.0)
    turn = _turned(a.spot.angle, b.spot.angle)
    askew = min(turn, math.pi - turn) / TURN_DEVIATION
    # The way as seen along the guessed course: ahead, and to its right.
    ahead = way * guess.conjugate() / abs(guess)
    if ahead.real <= size:
        return -np.inf
    along = math.log(ahead.real / length) / (LENGTH_KNOWN if stretch else LENGTH)
    across = ahead.imag / (ahead.real * COURSE + 0.15 * size)
    off = (along**2 + across**2) / 2
    ranks, suits, colours = alike(a, b)
    told = (
        1.0,
        min(off, MISPLACED),
        max(off - NEVER, 0.0),
        min(askew**2 / 2, ASKEW),
        max(ranks, RANK_CLASH),
        max(suits, SUIT_CLASH),
        colours,
    )
    return sum(weight * value for weight, value in zip(ONE_CARD, told, strict=True))


def _grouped(kept: Sequence[Reading], stretch: float | None) -> list[list[int]]:
    """Which readings are of one card, the surest pairs joined first."""
    odds = {
        (i, j): _log_odds(kept[i], kept[j], stretch) for i in range(len(kept)) for j in range(i)
    }
    group = list(range(len(kept)))
    members: dict[int, list[int]] = {i: [i] for i in group}
    for (i, j), odd in sorted(odds.items(), key=lambda item: -item[1]):
        if odd <= 0:
            break
        a, b = group[i], group[j]
        if a == b or len(members[a]) + len(members[b]) > 4:
            continue
        # Four corners agree all with all; a bad pair among them means two cards.
        between = [odds[max(p, q), min(p, q)] for p in members[a] for q in members[b]]
        if min(between) > CLASH:
            for member in members[b]:
                group[member] = a
            members[a] += members.pop(b)
    return list(members.values())


def _stretch(kept: Sequence[Reading], groups: Sequence[Sequence[int]]) -> float | None:
    """How much longer the way between two indices is than guessed, from the pairs found."""
    told = (_ratio(kept[g[0]], kept[g[1]]) for g in groups if len(g) >= 2)
    ratios = [ratio for ratio in told if ratio is not None]
    return float(np.median(ratios)) if len(ratios) >= PAIRS_TO_KNOW else None


def assemble(readings: Sequence[Reading], stretch: float | None = None) -> list[Sighting]:
    """Cards from readings; each reading belongs to one card.

    ``stretch``: how much longer than guessed the way between a card's indices is in this
    deck, if it is known already (see :func:`stretch_of`).
    """
    kept = [r for r in readings if r.p_index >= LEAST_INDEX]
    groups = _grouped(kept, stretch)
    if stretch is None and (stretch := _stretch(kept, groups)) is not None:
        groups = _grouped(kept, stretch)
    groups = joined(kept, completed(kept, groups, RANK_CLASH), RANK_CLASH)
    return _without_figures([_card([kept[i] for i in group], stretch or 1.0) for group in groups])


def with_a_top(new: Sequence[Sighting]) -> list[Sighting]:
    """What landed, with two lone corners joined that may be one card, if none shows both.

    The card on top shows both its corners: where only their signs read apart, they are one.
    """
    lone = [s for s in new if len(s.readings) == 1]
    if len(lone) < len(new) or len(lone) < 2:
        return list(new)
    odds, a, b = max(
        ((_one_card_on_top(a.readings[0], b.readings[0]), a, b) for a, b in combinations(lone, 2)),
        key=lambda pair: pair[0],
    )
    if odds < ON_TOP:
        return list(new)
    return [*(s for s in new if s is not a and s is not b), as_one(a, b)]


def _one_card_on_top(a: Reading, b: Reading) -> float:
    """Log odds that two corners are of one card; signs of two colours are hardly ever mixed up.

    Of one rank and sign, and upside down to each other, they are, wherever they seem to point.
    """
    ranks, suits, colours = alike(a, b)
    gap = abs(_way(a, b)[0]) / (a.spot.size + b.spot.size) * 2
    if _upside_down(a, b) and ranks + suits > ONE_ON_TOP and EDGE[0] < gap < EDGE[1]:
        return 0.0
    return _log_odds(a, b) if colours > SAME_COLOUR else -np.inf


def _upside_down(a: Reading, b: Reading) -> bool:
    """Whether two indices of one size stand so to each other."""
    one_size = abs(math.log(a.spot.size / b.spot.size)) < ONE_SIZE
    return one_size and _turned(a.spot.angle, b.spot.angle) > math.pi - TURN_DEVIATION


def _without_figures(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Leave out what is printed on a card that lies open: no other index can be there.

    Court figures and pips look like indices now and then, if not for sure.
    """
    frames = [
        s
        for s in sightings
        if len(s.readings) >= 2
        and s.ranks.max() > 0.9
        and s.open > 0.6
        and _turned(s.readings[0].spot.angle, s.readings[1].spot.angle) > np.pi / 2
    ]
    return [
        s
        for s in sightings
        if len(s.readings) > 1
        or (s.readings[0].spot.score > 0.5 and s.p_index * s.ranks.max() > NO_FIGURE)
        or not any(_inside(s, f) for f in frames)
    ]


def _inside(sighting: Sighting, frame: Sighting) -> bool:
    """Whether the only index of ``sighting`` lies on the card of ``frame``, given its diagonal."""
    spot, corner = sighting.readings[0].spot, frame.readings[0].spot
    c, s = np.cos(corner.angle), np.sin(corner.angle)

    def upright(x: float, y: float) -> tuple[float, float]:
        dx, dy = x - frame.centre[0], y - frame.centre[1]
        return abs(c * dx + s * dy), abs(-s * dx + c * dy)

    right, down = upright(spot.x, spot.y)
    half_width, half_height = upright(corner.x, corner.y)
    rim = 0.35 * frame.size
    return right < half_width + rim and down < half_height + rim


def gap_between(sighting: Sighting, other: Sighting) -> float:
    """From the first index of ``sighting`` to the next one of ``other``, in block heights."""
    spot = sighting.readings[0].spot
    gaps = (math.hypot(r.spot.x - spot.x, r.spot.y - spot.y) for r in other.readings)
    return min(gaps) / spot.size


def gap_aside(sighting: Sighting, other: Sighting) -> float:
    """How far the next index of ``other`` is to either side of the first of ``sighting``.

    Block heights of the first, whose way up tells the sides.
    """
    spot = sighting.readings[0].spot
    ways = (in_frame(spot, r.spot.x, r.spot.y) for r in other.readings)
    return float(abs(min(ways, key=np.linalg.norm)[0]))


def apart_from(sighting: Sighting, other: Sighting) -> bool:
    """Whether an index of ``sighting`` is surely of no card that lies as ``other``.

    It is too near to an index of that, as in a fan, or beyond the rectangle of its diagonal.
    """
    if gap_between(sighting, other) < EDGE[0]:
        return True
    diagonal = len(other.readings) == 2 and (
        _turned(*(r.spot.angle for r in other.readings)) > math.pi / 2
    )
    return diagonal and len(sighting.readings) == 1 and not _inside(sighting, other)


def as_one(a: Sighting, b: Sighting) -> Sighting:
    """The card that shows the indices of both."""
    return _card([*a.readings, *b.readings], 1.0)


def of_two_cards(one: Sighting, part: Sequence[Reading]) -> tuple[Sighting, Sighting]:
    """``one`` as the card that shows ``part`` of its indices, and the one that shows the others."""
    rest = [r for r in one.readings if r not in part]
    return _card(list(part), 1.0), _card(rest, 1.0)


def _ratio(a: Reading, b: Reading) -> float | None:
    """How much longer the way from ``a`` to ``b`` is than guessed; None: they are no diagonal."""
    way, guess = _way(a, b)
    if min(abs(way), abs(guess)) < a.spot.size or math.cos(phase(way / guess)) < DIAGONAL:
        return None
    return abs(way) / abs(guess)


def stretch_of(sightings: Sequence[Sighting]) -> list[float]:
    """What each card seen by two sure, like indices tells of the way between them."""
    ratios = []
    for sighting in sightings:
        pair = sighting.readings[:2]
        if len(pair) == 2 and sighting.p_index > 0.99 and sighting.ranks.max() > 0.99:
            ratio = _ratio(*pair)
            ratios += [] if ratio is None else [ratio]
    return ratios


def _card(readings: list[Reading], stretch: float) -> Sighting:
    weight = 1 / (1 + (len(readings) - 1) * ERR_TOGETHER)
    p_index = np.array([[r.p_index] for r in readings])
    # What may be no index at all says the less about the card.
    says_rank = np.array([r.ranks[:-1] for r in readings]) + (1 - p_index) / len(RANKS) + 1e-7
    says_suit = np.array([r.suits for r in readings]) * p_index + (1 - p_index) / len(SUITS) + 1e-6
    ranks = np.exp(weight * np.log(says_rank).sum(0))
    suits = np.exp(weight * np.log(says_suit).sum(0))
    spots = [r.spot for r in readings]
    places = [complex(s.x, s.y) for s in spots]
    guesses = [
        at + stretch * (complex(*s.centre) - at) for at, s in zip(places, spots, strict=True)
    ]
    middle, between = sum(guesses) / len(spots), sum(places) / len(spots)
    # Opposite corners have the middle exactly between them, whatever the network thinks.
    if len(spots) == 2 and abs(between - middle) < max(spots, key=lambda s: s.score).size:
        middle = between
    return Sighting(
        readings=tuple(readings),
        ranks=ranks / ranks.sum(),
        suits=suits / suits.sum(),
        p_index=1 - float(np.prod(1 - p_index)),
        centre=(middle.real, middle.imag),
        angle=phase(sum(rect(1.0, 2 * s.angle) for s in spots)) / 2,
        size=fmean(s.size for s in spots),
        open=fmean(s.open for s in spots),
    )
