"""What lies on the pile as far as it has been seen, the covered cards included.

A look shows only what is uncovered. The memory says what is new in it, what has gone that
should still be seen, and what is merely hidden by now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from engine.cards import Card
from vision.assemble import Sighting
from vision.reader import RANKS, SUITS
from vision.spot import Spot, same_index

#: A card this near to where it lay (block heights), turned this little (radians), has not moved.
SAME_PLACE, SAME_ANGLE = 0.9, 0.3
#: A reading that fits a remembered card this well, elsewhere on the pile, is that card moved.
SAME_CARD = 0.3
#: A reading of another rank this sure is of no old index half covered.
SURELY_ANOTHER = 0.95
#: A sign this sure to be another may be a new card's.
LIKELY_ANOTHER = 0.8
#: The finder is this sure of an index that is whole.
WELL_FOUND = 0.68
#: Log odds that an index read where another was seen is a new card's: a constant; for the log odds
#: that its card lies open, that it is a whole index and that its rank is right; for how well its
#: rank agrees with another that is new; if half of what was there is left; if the old index was in
#: view a moment ago; if it has the old one's rank. Fitted on heaps of the decks of training.
LANDED_THERE = np.array([0.3, 2.2, 1.1, 0.8, 1.1, -3.0, -3.1, -0.8])
#: How much of it counts that half of what was there is left, where nobody knows; chosen. Where the
#: pile has been pushed so far (block heights), what shows at a card's place is mostly that card.
NOT_KNOWN, PUSHED = 0.5, 0.1
#: Deviations of an old index from where it lay, found half covered: block heights, radians.
_OFF, _TURNED = 0.15, 0.1
#: Log odds that it is the old one if it is found just where and as that lay: a new card's lies
#: anywhere that is near enough to be taken for it, turned by anything.
AS_IT_LAY = 2.75
#: Sizes of a card in block heights: half its width and half its height, for what it may hide.
_HALF_CARD = 2.6, 3.7
#: An index with its margin reaches so far from its middle (block heights).
RIM = 1.0
#: A pile that has not been pushed.
NO_PUSH = 0.0, 0.0


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
class Change:
    """How a look differs from the memory."""

    new: tuple[Sighting, ...]
    found: tuple[tuple[Lying, Sighting], ...]
    missing: tuple[Lying, ...]

    @property
    def nothing_left(self) -> bool:
        """No remembered card is to be seen."""
        return not self.found


def likelihood(sighting: Sighting, card: Card) -> float:
    """Probability that the sighting is ``card``; that of the rank if the suit is unknown."""
    p = float(sighting.ranks[RANKS.index(card.rank)])
    if card.suit is not None:
        p *= float(sighting.suits[SUITS.index(card.suit)])
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


def _at_known_index(lying: Lying, sighting: Sighting, shift: tuple[float, float]) -> bool:
    """Whether a single index seen is where one of the card's was seen before.

    ``shift``: how far the pile has been pushed since, in pixels.
    """
    spots = [r.spot for r in sighting.readings]
    return len(spots) == 1 and any(
        same_index(replace(known, x=known.x + shift[0], y=known.y + shift[1]), spots[0])
        for known in lying.spots
    )


def _elsewhere(lying: Lying, sighting: Sighting, still: Stillness) -> bool:
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


def _shift(found: Sequence[tuple[Lying, Sighting]]) -> tuple[float, float]:
    """How far the cards found again have moved, the median of their indices; pixels."""
    moves = [
        (s.spot.x - r.spot.x, s.spot.y - r.spot.y)
        for lying, sighting in found
        for r in lying.sighting.readings
        for s in sighting.readings
        if np.cos(r.spot.angle - s.spot.angle) > 0.9
        and np.hypot(s.spot.x - r.spot.x, s.spot.y - r.spot.y) < 2 * r.spot.size
    ]
    if not moves:
        return NO_PUSH
    x, y = np.median(np.array(moves), axis=0)
    return float(x), float(y)


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


def _lies_over(lying: Lying, sighting: Sighting, still: Stillness) -> bool:
    """Whether what shows at a known index of ``lying`` is another card's that lies over it.

    The place has changed, and reads as another card: surely so, if an index was in view there,
    which half covered reads as anything. What reads the same is the card itself, uncovered again.
    """
    if not _other_card(lying, sighting):
        return False
    sure = float(sighting.ranks.max()) * sighting.p_index > SURELY_ANOTHER
    if sure and min(r.spot.score for r in sighting.readings) > WELL_FOUND:
        return still.known and not still.old(sighting)
    return still.fresh(sighting) and not _was_in_view(lying, sighting)


def _other_rank(lying: Lying, sighting: Sighting) -> bool:
    return RANKS[int(sighting.ranks.argmax())] != lying.card.rank


def _other_card(lying: Lying, sighting: Sighting, sure: float = SURELY_ANOTHER) -> bool:
    """Whether it reads as another rank than the card's, or so surely as another suit."""
    other_suit = (
        lying.card.suit is not None
        and float(sighting.suits.max()) > sure
        and SUITS[int(sighting.suits.argmax())] != lying.card.suit
    )
    return other_suit or _other_rank(lying, sighting)


def _as_it_lay(lying: Lying, spot: Spot, shift: tuple[float, float]) -> float:
    """Log odds, from where it lies alone, that an index is one of the card's that were seen."""
    off = [
        (np.hypot(k.x + shift[0] - spot.x, k.y + shift[1] - spot.y) / k.size / _OFF) ** 2
        + (_turn(k.angle, spot.angle) / _TURNED) ** 2
        for k in lying.spots
    ]
    return AS_IT_LAY - float(min(off)) / 2


def _landed_there(
    lying: Lying,
    sighting: Sighting,
    beside: Sequence[Sighting],
    still: Stillness,
    shift: tuple[float, float],
) -> bool:
    """Whether a lone index of another card, not just as it was before, is a new card's.

    Or it is what a new card has left of the old one's, which reads as anything.
    """
    others = [s for s in beside if s is not sighting and not still.old(s)]
    agree = max((float(sighting.ranks @ s.ranks) * s.p_index for s in others), default=0.0)
    whole, sure = sighting.readings[0].spot.score, float(sighting.ranks.max()) * sighting.p_index
    # Half covered, an index reads as anything with certainty: that counts only so much.
    chances = np.clip([sighting.open, whole, sure], 0.05, 0.95)
    pushed = np.hypot(*shift) > PUSHED * sighting.size
    told = (
        1.0,
        *np.log(chances / (1 - chances)),
        agree,
        not still.fresh(sighting) if still.known or pushed else NOT_KNOWN,
        _was_in_view(lying, sighting),
        not _other_rank(lying, sighting),
    )
    lay = _as_it_lay(lying, sighting.readings[0].spot, shift)
    return float(np.dot(told, LANDED_THERE)) > lay


def _half_covered(
    lying: Lying,
    sighting: Sighting,
    beside: Sequence[Sighting],
    still: Stillness,
    shift: tuple[float, float] = NO_PUSH,
) -> bool:
    """Whether what was read is an index of ``lying``, which half covered reads as anything.

    ``beside``: what else the look shows.
    """
    if not _at_known_index(lying, sighting, shift):
        return False
    if not _other_card(lying, sighting, LIKELY_ANOTHER) or still.old(sighting):
        return True
    return not _landed_there(lying, sighting, beside, still, shift)


def _refreshed(lying: Lying, sighting: Sighting | None) -> Lying:
    """The card as the last look leaves it; what hardly reads like it tells nothing new of it."""
    if sighting is None:
        return replace(lying, seen=False)
    if likelihood(sighting, lying.card) < SAME_CARD and len(sighting.readings) == 1:
        return replace(lying, seen=True)
    spots = tuple(r.spot for r in sighting.readings)
    moved = not in_place(lying, sighting)
    old = () if moved else tuple(k for k in lying.spots if not any(same_index(k, n) for n in spots))
    return replace(lying, sighting=sighting, seen=True, spots=(*old, *spots))


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


def _covered(in_view: Sequence[Lying], sightings: Sequence[Sighting]) -> bool:
    """Whether every card lies under what is seen now."""
    return all(any(covers(s, lying.sighting) for s in sightings) for lying in in_view)


class PileMemory:
    """The cards of the pile, the lowest first."""

    def __init__(self) -> None:
        self.cards: list[Lying] = []
        self._landings = 0

    def stillness(
        self, kept: Callable[[Spot], float], sightings: Sequence[Sighting] = ()
    ) -> Stillness:
        """What ``kept`` is worth: nothing, if cards are in view and none has kept its place.

        Half an index that looks as before, beside what came to lie on it, has not moved; nor has a
        pile of which ``sightings`` cover all that was in view and show none of it elsewhere. But
        where most of what they show again lies where the picture has changed, it was pushed.
        """
        kept = cache(kept)
        in_view = [c for c in self.cards if c.seen]
        spots = [r.spot for c in in_view for r in c.sighting.readings]
        again = [s for s in sightings if any(likelihood(s, c.card) > SAME_CARD for c in in_view)]
        moved = [s for s in again if not any(kept(r.spot) for r in s.readings)]
        known = any(kept(spot) > 0 for spot in spots) or (
            not again and _covered(in_view, sightings)
        )
        return Stillness(kept, known and 2 * len(moved) <= len(again))

    def compare(self, sightings: Sequence[Sighting], still: Stillness = UNKNOWN) -> Change:
        """How a look differs; changes nothing."""
        scored = []
        for i, lying in enumerate(self.cards):
            for j, sighting in enumerate(sightings):
                fit = likelihood(sighting, lying.card)
                if _elsewhere(lying, sighting, still):
                    continue
                here = in_place(lying, sighting) and self._still_there(lying, sighting, fit, still)
                if here and not _lies_over(lying, sighting, still):
                    scored.append((2 + fit, i, j))
                elif fit > SAME_CARD and lying.card.suit is not None:
                    gap = np.hypot(
                        lying.sighting.centre[0] - sighting.centre[0],
                        lying.sighting.centre[1] - sighting.centre[1],
                    )
                    scored.append((fit - 0.02 * float(gap) / sighting.size, i, j))
                elif _half_covered(lying, sighting, sightings, still):
                    scored.append((0.2 + fit, i, j))
        cards, looks, found = set(range(len(self.cards))), set(range(len(sightings))), []
        for _, i, j in sorted(scored, reverse=True):
            if i in cards and j in looks:
                cards.remove(i)
                looks.remove(j)
                found.append((self.cards[i], sightings[j]))
        shift = _shift(found)
        new = [sightings[j] for j in sorted(looks)]
        return Change(
            new=tuple(
                s
                for s in new
                # A card that a look missed shows both corners when it is seen after all.
                if not (still.old(s) and self._known_already(s))
                and not any(
                    _half_covered(c, s, sightings, still, push)
                    for c in self.cards
                    for push in (NO_PUSH, shift)
                )
            ),
            found=tuple(found),
            missing=tuple(
                self.cards[i]
                for i in sorted(cards)
                if self.cards[i].seen and not still.lies_on(self.cards[i])
            ),
        )

    def _known_already(self, sighting: Sighting) -> bool:
        """Whether what was there before is indices of cards of its rank that were seen then.

        Of a single index that is taken for granted.
        """
        known = [k for card in self.cards if not _other_rank(card, sighting) for k in card.spots]
        return len(sighting.readings) == 1 or all(
            any(same_index(k, r.spot) for k in known) for r in sighting.readings
        )

    @staticmethod
    def _still_there(lying: Lying, sighting: Sighting, fit: float, still: Stillness) -> bool:
        """Whether what lies just where ``lying`` lay is that card.

        What was in view a moment ago may read a little differently this time, its sign all the
        more. What was hidden, or lies where the picture has changed, must be recognised: more
        likely something new covers the place.
        """
        if still.fresh(sighting) or not lying.seen:
            return fit > SAME_CARD
        if fit >= 0.005 or (still.known and not _other_rank(lying, sighting)):
            return True
        return float(sighting.ranks.max()) <= (0.98 if still.known else 0.8)

    def confirm(self, change: Change) -> None:
        """Take over where the found cards lie now; the missing are hidden from here on."""
        now = {id(lying): sighting for lying, sighting in change.found}
        self.cards = [_refreshed(lying, now.get(id(lying))) for lying in self.cards]

    def land(self, cards: Sequence[tuple[Card, Sighting]]) -> None:
        """Put cards on top, the lowest first: one landing."""
        self._landings += 1
        self.cards += [
            Lying(card, sighting, self._landings, spots=tuple(r.spot for r in sighting.readings))
            for card, sighting in cards
        ]

    def remove(self, gone: Sequence[Lying]) -> None:
        """Cards that were taken back."""
        ids = {id(lying) for lying in gone}
        self.cards = [lying for lying in self.cards if id(lying) not in ids]

    def clear(self) -> None:
        """Nothing lies there."""
        self.cards = []

    def last_landing(self) -> tuple[Lying, ...]:
        """The cards that landed last and still lie there."""
        if not self.cards:
            return ()
        last = max(lying.landing for lying in self.cards)
        return tuple(lying for lying in self.cards if lying.landing == last)
