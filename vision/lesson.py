"""A lesson: the owner lays the cards of a deck one after another, and each is told from the rest.

Nobody says which card it is. Each card of a deck is there once, so that what reads alike is told
apart by what is left: four jacks lettered B that read as eights, beside four eights that read
more so, are the jacks. The soft assignment of what was seen to the cards of the deck is Sinkhorn's
(1964): likelihoods, scaled by turns until every sight is one card and no card is two sights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank
from vision.assemble import Sighting
from vision.learned import LearnedDeck
from vision.reader import RANKS, SUITS
from vision.spot import Pixels
from vision.unchanged import Before

#: A sight is that of a card if the assignment says so with this probability.
SURE = 0.8
#: What is less likely an index than this teaches nothing.
LEAST_INDEX = 0.4
#: Two sights of one reading this alike (cosine) are of one card that was moved. Where both read so
#: surely, they need be no more alike than this: of 1,300 cards of decks never seen 3 read surely as
#: another, and one card in two lights is seldom less alike.
SAME_SIGHT, SURELY_READ, ALIKE = 0.985, 0.9, 0.9
#: The network may be quite wrong on an odd deck: no card is less likely than this to start with.
FLOOR = 1e-4
#: No sight is learned as a card that it is less likely than this to be: something else is amiss.
LEAST_LIKELY = 1e-3
#: Middles of what is found of one card are no further apart than this (block heights).
BESIDE = 5.0
#: Power of the likelihoods: one that is ahead in the assignment is well ahead.
SHARPEN = 2.0
_ROUNDS = 300


@dataclass(frozen=True)
class Sight:
    """One card as it was laid: how likely each card is, and what its indices look like."""

    likelihood: NDArray[np.float64]
    features: tuple[NDArray[np.float32], ...]
    read_as: Card

    def like(self, other: Sight) -> bool:
        """Whether both show one card: read alike, and looking the same."""
        sure = min(self.likelihood.max(), other.likelihood.max()) >= SURELY_READ
        return self.read_as == other.read_as and any(
            _cosine(a, b) > (ALIKE if sure else SAME_SIGHT)
            for a in self.features
            for b in other.features
        )


@dataclass(frozen=True)
class Learned:
    """What came of a lesson.

    ``corrected``: each card that read as another, and as which; ``doubtful`` sights could be more
    than one card.
    """

    deck: LearnedDeck
    cards: tuple[Card, ...]
    missing: tuple[Card, ...]
    corrected: tuple[tuple[Card, Card], ...]
    doubtful: int


class Lesson:
    """Collects the cards as they are shown. ``cards`` are all that the deck has."""

    def __init__(
        self,
        looks: Callable[[Pixels], Sequence[Sighting]],
        deck: LearnedDeck,
        cards: Sequence[Card],
    ) -> None:
        self._looks, self._deck = looks, deck
        self._cards = tuple(dict.fromkeys(cards))
        self._sights: list[Sight] = []
        self._named: list[tuple[Card, Sight]] = []
        self._before: Before | None = None

    def show(self, image: Pixels, card: Card | None = None) -> list[Card]:
        """A picture of one card or of several; what they read as.

        ``card`` names the only card in it, where that is known. Of several it is no name.
        """
        seen = _laid_open(self._looks(image))
        if card is None or _side_by_side(seen):
            return [self._add(s) for s in seen]
        if not seen:
            return []
        sight = self._sight(max(seen, key=lambda s: s.p_index))
        self._named.append((card, sight))
        return [sight.read_as]

    def lay(self, image: Pixels) -> list[Card]:
        """A picture at rest of a heap that grows: only what was not there before counts."""
        before, self._before = self._before, Before(image)
        new = [
            s
            for s in self._looks(image)
            if before is None or not any(before.kept(image, r.spot) for r in s.readings)
        ]
        return [self._add(s) for s in _laid_open(new)]

    def result(self) -> Learned:
        """The deck with all that was shown, and what it still misses."""
        unnamed = [(self._named_like(sight), sight) for sight in self._sights]
        told = [*self._named, *((card, sight) for card, sight in unnamed if card is not None)]
        named = {card for card, _ in told}
        open_cards = [c for c in self._cards if c not in named]
        places = [self._cards.index(c) for c in open_cards]
        rest = [sight for card, sight in unnamed if card is None]
        likelihood = np.array([s.likelihood[places] for s in rest]).reshape(len(rest), len(places))
        for sight, share, p in zip(rest, assigned(likelihood), likelihood, strict=True):
            best = int(share.argmax()) if len(share) else -1
            if best >= 0 and share[best] >= SURE and p[best] >= LEAST_LIKELY:
                told.append((open_cards[best], sight))
        deck = self._deck
        for card, sight in told:
            deck = deck.with_card(card, sight.features)
        found = {card for card, _ in told}
        return Learned(
            deck,
            tuple(sorted(found)),
            tuple(c for c in self._cards if c not in found and c not in self._deck.cards),
            tuple((card, sight.read_as) for card, sight in told if sight.read_as != card),
            len(self._named) + len(self._sights) - len(told),
        )

    def _named_like(self, sight: Sight) -> Card | None:
        """The card that was named and is shown here once more."""
        return next(
            (c for c, known in self._named if sight.read_as == c and sight.like(known)), None
        )

    def _sight(self, sighting: Sighting) -> Sight:
        table = sighting.joint()
        likelihood = np.array([table.get(card, 0.0) for card in self._cards]) + FLOOR
        best = RANKS[int(sighting.ranks.argmax())]
        suit = None if best is Rank.JOKER else SUITS[int(sighting.suits.argmax())]
        features = tuple(r.features for r in sighting.readings)
        return Sight(likelihood / likelihood.sum(), features, Card(best, suit))

    def _add(self, sighting: Sighting) -> Card:
        sight = self._sight(sighting)
        for i, old in enumerate(self._sights):
            if sight.like(old):
                self._sights[i] = Sight(
                    old.likelihood, (*old.features, *sight.features)[-6:], old.read_as
                )
                break
        else:
            self._sights.append(sight)
        return sight.read_as


def _laid_open(seen: Sequence[Sighting]) -> list[Sighting]:
    """Cards with both corners in view; if there is none, the likeliest of the others.

    Beside a card that lies open, a single corner is more likely a figure printed on it.
    """
    seen = [s for s in seen if s.p_index >= LEAST_INDEX]
    both = [s for s in seen if len(s.readings) > 1]
    return both or sorted(seen, key=lambda s: -s.p_index)[:1]


def _side_by_side(seen: Sequence[Sighting]) -> bool:
    """Whether cards lie beside each other; the corners of one may be found as two cards."""
    return any(
        math.dist(a.centre, b.centre) > BESIDE * max(a.size, b.size)
        for a, b in combinations(seen, 2)
    )


def assigned(likelihood: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of each sight (row) in each card (column): rows sum to 1, columns to 1 at most."""
    if likelihood.size == 0:
        return likelihood
    share = likelihood**SHARPEN
    share /= share.sum(1, keepdims=True)
    for _ in range(_ROUNDS):
        share /= np.maximum(share.sum(0, keepdims=True), 1.0)
        share /= share.sum(1, keepdims=True)
    return np.asarray(share)


def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6))
