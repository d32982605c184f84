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
from vision.assemble import Sighting, of_two_cards
from vision.lying import (
    MOVED_ALONE,
    SAME_CARD,
    UNKNOWN,
    Lying,
    Stillness,
    at_known_index,
    covers,
    elsewhere,
    fits,
    half_covered,
    in_place,
    lies_over,
    other_rank,
)
from vision.push import NO_PUSH, Push, push_of
from vision.reader import Reading
from vision.spot import Spot, same_index

#: The finder is this sure of most indices that the reader does not know for any.
FOUND = 0.6
#: What was hidden comes to light less often than a card lands just there, and one whose suit is
#: open is as often another: it must fit so well.
COME_TO_LIGHT = 0.65
#: Corners that a card shows at least, when all of it is in view.
CORNERS = 2


@dataclass(frozen=True)
class Change:
    """How a look differs from the memory.

    ``unread``: in view as before, but not read this time; ``push``: how the whole pile has moved.
    """

    new: tuple[Sighting, ...]
    found: tuple[tuple[Lying, Sighting], ...]
    missing: tuple[Lying, ...]
    unread: tuple[Lying, ...] = ()
    push: Push = NO_PUSH

    @property
    def nothing_left(self) -> bool:
        """No remembered card is to be seen."""
        return not (self.found or self.unread)


def _pushed(lying: Lying, push: Push) -> Lying:
    """The card where a push has taken it, though it is not to be seen there."""
    if push is NO_PUSH:
        return lying
    spots = tuple(map(push.spot, lying.spots))
    return replace(lying, sighting=push.sighting(lying.sighting), spots=spots)


def _refreshed(lying: Lying, sighting: Sighting | None) -> Lying:
    """The card as the last look leaves it; what hardly reads like it tells nothing new of it."""
    if sighting is None:
        return replace(lying, seen=False)
    if fits(sighting, lying) < SAME_CARD and len(sighting.readings) == 1:
        return replace(lying, seen=True)
    spots = tuple(r.spot for r in sighting.readings)
    moved = not (in_place(lying, sighting) or at_known_index(lying, sighting))
    old = () if moved else tuple(k for k in lying.spots if not any(same_index(k, n) for n in spots))
    return replace(lying, sighting=sighting, seen=True, spots=(*old, *spots))


def _only(lying: Lying, old: Sequence[Reading], new: Sequence[Reading]) -> bool:
    """Whether of two groups of indices only the first is the card's, all of whose are known."""
    return len(lying.spots) >= CORNERS and all(
        any(same_index(k, r.spot) for k in lying.spots) == theirs
        for group, theirs in ((old, True), (new, False))
        for r in group
    )


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
        again = [s for s in sightings if any(fits(s, c) > SAME_CARD for c in in_view)]
        moved = [s for s in again if not any(kept(r.spot) for r in s.readings)]
        known = any(kept(spot) > 0 for spot in spots) or (
            not again and _covered(in_view, sightings)
        )
        return Stillness(kept, known and 2 * len(moved) <= len(again))

    def told_apart(self, sightings: Sequence[Sighting], still: Stillness) -> list[Sighting]:
        """The sightings; an index of a card that lies there and that of a new one are two cards.

        Where one, or half of it, is as it was, and all corners of that card have been seen
        elsewhere than where the other has come to lie.
        """
        out: list[Sighting] = []
        for sighting in sightings:
            old = [r for r in sighting.readings if still.known and still.kept(r.spot)]
            new = [r for r in sighting.readings if not still.kept(r.spot)]
            if old and new and any(_only(c, old, new) for c in self.cards):
                out += of_two_cards(sighting, new)
            else:
                out.append(sighting)
        return out

    def compare(self, sightings: Sequence[Sighting], still: Stillness = UNKNOWN) -> Change:
        """How a look differs; changes nothing."""
        scored = []
        for i, lying in enumerate(self.cards):
            for j, sighting in enumerate(sightings):
                fit = fits(sighting, lying)
                if elsewhere(lying, sighting, still):
                    continue
                here = in_place(lying, sighting) and self._still_there(lying, sighting, fit, still)
                if here and not lies_over(lying, sighting, still):
                    scored.append((2 + fit, i, j))
                elif (
                    fit > (MOVED_ALONE if still.fresh(sighting) else SAME_CARD)
                    and lying.card.suit is not None
                ):
                    gap = np.hypot(
                        lying.sighting.centre[0] - sighting.centre[0],
                        lying.sighting.centre[1] - sighting.centre[1],
                    )
                    scored.append((fit - 0.02 * float(gap) / sighting.size, i, j))
                elif half_covered(lying, sighting, sightings, still):
                    scored.append((0.2 + fit, i, j))
        cards, looks, found = set(range(len(self.cards))), set(range(len(sightings))), []
        for _, i, j in sorted(scored, reverse=True):
            if i in cards and j in looks:
                cards.remove(i)
                looks.remove(j)
                found.append((self.cards[i], sightings[j]))
        push = push_of(
            [
                (r.spot, s.spot)
                for c, sighting in found
                for r in c.sighting.readings
                for s in sighting.readings
            ]
        )
        places = [(c, False) for c in self.cards]
        if push is not NO_PUSH:
            places += [(_pushed(c, push), True) for c in self.cards]
        new = [sightings[j] for j in sorted(looks)]
        lost = [self.cards[i] for i in sorted(cards) if self.cards[i].seen]
        return Change(
            new=tuple(
                s
                for s in new
                # A card that a look missed shows both corners when it is seen after all.
                if not (still.old(s) and self._known_already(s, still))
                and not any(half_covered(c, s, sightings, still, moved) for c, moved in places)
            ),
            found=tuple(found),
            missing=tuple(c for c in lost if not still.lies_on(c)),
            unread=tuple(c for c in lost if still.lies_on(c)),
            push=NO_PUSH if still.known or len(found) < len(lost) else push,
        )

    def _known_already(self, sighting: Sighting, still: Stillness) -> bool:
        """Whether what was there before is indices of cards of its rank that were seen then.

        Of a single index that is taken for granted; where nothing of it has changed, one will do.
        """
        known = [k for card in self.cards if not other_rank(card, sighting) for k in card.spots]
        told = [any(same_index(k, r.spot) for k in known) for r in sighting.readings]
        unchanged = all(still.kept(r.spot) == 1.0 for r in sighting.readings)
        return len(told) == 1 or (any(told) if unchanged else all(told))

    def is_strange(self, spot: Spot, still: Stillness) -> bool:
        """Whether the finder is rather sure of an index there, where none has been seen before."""
        return (
            still.known
            and spot.score > FOUND
            and not still.kept(spot)
            and not any(same_index(k, spot) for card in self.cards for k in card.spots)
        )

    @staticmethod
    def _still_there(lying: Lying, sighting: Sighting, fit: float, still: Stillness) -> bool:
        """Whether what lies just where ``lying`` lay is that card.

        What was in view a moment ago may read a little differently this time, its sign all the
        more. What was hidden, or lies where the picture has changed, must be recognised: more
        likely something new covers the place.
        """
        if still.fresh(sighting) or not lying.seen:
            told = lying.seen and lying.card.suit is not None
            return fit > (SAME_CARD if told else COME_TO_LIGHT)
        if fit >= 0.005 or (still.known and not other_rank(lying, sighting)):
            return True
        return float(sighting.ranks.max()) <= (0.9 if still.known else 0.8)

    def confirm(self, change: Change) -> None:
        """Take over where the found cards lie now; the missing are hidden from here on.

        Where the pile was pushed, what is hidden has gone with it.
        """
        now = {id(lying): sighting for lying, sighting in change.found}
        self.cards = [
            _refreshed(_pushed(lying, change.push), now.get(id(lying))) for lying in self.cards
        ]

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
