"""One look at a still picture: the cards it shows, and those it would ask about."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.cards import Card, Rank
from vision.assemble import Sighting, assemble, stretch_of
from vision.face import FaceReader
from vision.finder import Finder
from vision.fuse import fused
from vision.learned import LearnedDeck
from vision.onepack import ALIKE_STILL, of_one_pack
from vision.reader import RANKS, SUITS, Reader, Reading
from vision.session import models_folder
from vision.spot import Pixels, Pyramid
from vision.uncovered import uncovered

#: A rank this likely is acted on, below it the table is asked: a wrong call costs nine questions.
SURE_RANK = 0.9
#: A joker's mark is any lettering: one that stands alone must be this likely to be acted on.
SURE_LONE_JOKER = 0.97
#: A suit this likely is named; below it the card is ``10?``, which Idiot can be played with.
SURE_SUIT = 0.85
#: What is less likely than this to be a card at all is not worth a question.
WORTH_ASKING = 0.7
#: So many cards with two sure indices tell where a deck prints them.
KNOWN_AFTER = 3


@dataclass(frozen=True)
class CardSeen:
    """A card that is acted on without asking; ``p`` of the whole card, ``p_rank`` of its rank."""

    card: Card
    p: float
    p_rank: float
    box: tuple[int, int, int, int]
    top: bool
    sighting: Sighting


@dataclass(frozen=True)
class CardUnsure:
    """A card to ask about: candidates and their probabilities, best first."""

    candidates: tuple[Card, ...]
    p: tuple[float, ...]
    box: tuple[int, int, int, int]
    sighting: Sighting


@dataclass(frozen=True)
class Look:
    """What one picture shows; ``ms`` is how long the look took."""

    cards: tuple[CardSeen, ...]
    unsure: tuple[CardUnsure, ...]
    ms: float


def decide(sighting: Sighting, top: bool = False) -> CardSeen | CardUnsure | None:
    """Act, ask, or (None) let it go."""
    best = int(np.argmax(sighting.ranks))
    rank, p_rank = RANKS[best], float(sighting.ranks[best] * sighting.p_index)
    lone_joker = rank is Rank.JOKER and len(sighting.readings) == 1
    if p_rank >= (SURE_LONE_JOKER if lone_joker else SURE_RANK):
        if rank is Rank.JOKER:
            return CardSeen(Card(rank, None), p_rank, p_rank, sighting.box, top, sighting)
        suit = int(np.argmax(sighting.suits))
        p_suit = float(sighting.suits[suit])
        if p_suit < SURE_SUIT:
            return CardSeen(Card(rank, None), p_rank, p_rank, sighting.box, top, sighting)
        return CardSeen(
            Card(rank, SUITS[suit]), p_rank * p_suit, p_rank, sighting.box, top, sighting
        )
    if sighting.p_index < WORTH_ASKING:
        return None
    ranked = sorted(sighting.joint().items(), key=lambda item: -item[1])
    by_rank: dict[Rank, tuple[Card, float]] = {}
    for card, p in ranked:
        by_rank.setdefault(card.rank, (card, p))
    two = sorted(by_rank.values(), key=lambda item: -item[1])[:2]
    return CardUnsure(tuple(c for c, _ in two), tuple(p for _, p in two), sighting.box, sighting)


class Looker:
    """Finder, reader, assembly and face reader together."""

    def __init__(self, finder: Finder, reader: Reader, faces: FaceReader) -> None:
        self.finder, self.reader, self.faces = finder, reader, faces
        self._ratios: deque[float] = deque(maxlen=25)

    @classmethod
    def load(
        cls, folder: Path | None = None, deck: LearnedDeck | None = None, jokers: bool = True
    ) -> Looker:
        """With the models of ``folder``, by default the installed ones; raises ModelError.

        ``jokers``: whether the deck in play has any.
        """
        folder = folder or models_folder()
        reader = Reader(folder / "reader.onnx", deck)
        reader.jokers = jokers
        return cls(Finder(folder / "finder.onnx"), reader, FaceReader(folder / "face.onnx"))

    def readings(self, image: Pixels, pyramid: Pyramid | None = None) -> list[Reading]:
        """Every index seen in a picture (h, w, 3) BGR, whose pyramid may be there already."""
        return self.reader.read(pyramid or Pyramid(image), self.finder.find(image))

    def cards_of(self, looks: Sequence[Sequence[Reading]], image: Pixels) -> list[Sighting]:
        """Every card, sure or not, from the readings of one picture or of several of one rest.

        ``image`` is the last of them. Pictures of one deck after another: what they tell of where
        its indices are is kept.
        """
        known = float(np.median(self._ratios)) if len(self._ratios) >= KNOWN_AFTER else None
        found = assemble(fused(looks), known)
        self._ratios.extend(stretch_of(found))
        return self.faces.witness(Pyramid(image), found, self.reader.jokers)

    def sightings(self, image: Pixels) -> list[Sighting]:
        """The cards of one picture, one of many of the same deck."""
        return self.cards_of([self.readings(image)], image)

    def look(self, image: Pixels) -> Look:
        """The cards a picture shows, from top left to bottom right, whatever was seen before."""
        start = time.perf_counter()
        pyramid = Pyramid(image)
        found = of_one_pack(assemble(self.readings(image, pyramid)), ALIKE_STILL)
        sightings = sorted(
            self.faces.witness(pyramid, found, self.reader.jokers),
            key=lambda s: (round(s.centre[1] / max(s.size, 1) / 4), s.centre[0]),
        )
        tops, cards, unsure = uncovered(sightings), [], []
        for i, sighting in enumerate(sightings):
            decided = decide(sighting, top=i in tops)
            if isinstance(decided, CardSeen):
                cards.append(decided)
            elif decided is not None:
                unsure.append(decided)
        return Look(tuple(cards), tuple(unsure), (time.perf_counter() - start) * 1000)
