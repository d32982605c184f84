"""A deck that its owner has shown: what its indices look like to the reader's network.

Reference embeddings stand beside the network (Snell 2017, "Prototypical Networks", with every
reference kept): a crop that looks like a known index of this deck gains likelihood for its rank
and suit. A crop that looks like none of them is read by the network alone.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from engine.errors import PilewatchError

#: Length of the reader's embedding.
FEATURES = 96
#: Logits gained for each unit of likeness (cosine) above ``ALIKE``: more helps odd decks little
#: more, and makes ordinary ones too sure of themselves.
GAIN, ALIKE = 8.0, 0.55
#: Most logits that likeness adds to a crop's being an index at all: figures are alike, too.
MOST_FOR_AN_INDEX = 1.0
#: Most references of one card that are kept, the newest: both corners in some lights.
A_CARD = 12
SUITS = tuple(Suit)
RANK_CLASSES = 15


class DeckError(PilewatchError):
    """A file of a learned deck is missing or damaged."""


@dataclass(frozen=True)
class LearnedDeck:
    """References of one deck.

    ``features`` (n, 96) as the network gives them; ``ranks`` (n,) 2…15 and ``suits`` (n,) 0…3,
    -1 for a joker, say what each is of. ``reader`` marks the network whose embeddings they are
    (:attr:`vision.reader.Reader.mark`): another's mean something else.
    """

    name: str
    reader: str
    features: NDArray[np.float32]
    ranks: NDArray[np.int8]
    suits: NDArray[np.int8]

    @classmethod
    def new(cls, name: str, reader: str) -> LearnedDeck:
        """A deck of which nothing is known."""
        nothing = np.zeros(0, np.int8)
        return cls(name, reader, np.zeros((0, FEATURES), np.float32), nothing, nothing)

    @classmethod
    def load(cls, file: Path) -> LearnedDeck:
        """From a file of :meth:`save`; raises DeckError, and OSError where it cannot be opened."""
        with file.open("rb") as held:
            try:
                with np.load(held, allow_pickle=False) as parts:
                    deck = cls(
                        file.stem,
                        str(parts["reader"]) if "reader" in parts else "",
                        parts["features"].astype(np.float32),
                        parts["ranks"].astype(np.int8),
                        parts["suits"].astype(np.int8),
                    )
            except Exception as error:
                # A damaged archive makes its decoders raise nearly anything.
                raise DeckError(
                    f"{file} is no learned deck: expected a file that pilewatch learn-deck wrote"
                ) from error
        n = len(deck.ranks)
        if deck.features.shape != (n, FEATURES) or deck.suits.shape != (n,):
            raise DeckError(
                f"{file} is no learned deck: expected {FEATURES} numbers for each of {n} references"
            )
        jokers = deck.ranks == int(Rank.JOKER)
        if not (
            np.isfinite(deck.features).all()
            and ((deck.ranks >= 2) & (deck.ranks <= int(Rank.JOKER))).all()
            and np.array_equal(deck.suits < 0, jokers)
            and (deck.suits < len(SUITS)).all()
        ):
            raise DeckError(f"{file} is no learned deck: expected numbers, of cards that there are")
        return deck

    def made_for(self, reader: str) -> LearnedDeck:
        """The deck itself; raises :class:`DeckError` where another reader learned it."""
        if self.reader != reader:
            raise DeckError(
                f"the deck {self.name} was learned with another version of the reader: "
                f"expected one of this version; show it once more with pilewatch learn-deck "
                f"{shlex.quote(self.name)} SOURCE --anew"
            )
        return self

    def save(self, file: Path) -> None:
        """Write whole or not at all; about 20 kB."""
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".part")
        with half.open("wb") as out:
            np.savez_compressed(
                out,
                reader=np.array(self.reader),
                features=self.features.astype(np.float16),
                ranks=self.ranks,
                suits=self.suits,
            )
        half.replace(file)

    @property
    def cards(self) -> frozenset[Card]:
        """Every card of which something is known."""
        return frozenset(
            Card(Rank(int(r)), SUITS[int(s)] if s >= 0 else None)
            for r, s in zip(self.ranks, self.suits, strict=True)
        )

    def with_card(self, card: Card, features: Iterable[NDArray[np.float32]]) -> LearnedDeck:
        """The deck with more references of a card; one of unknown suit teaches nothing."""
        new = [f for f in features if f.shape == (FEATURES,)]
        if not new or (card.suit is None and card.rank is not Rank.JOKER):
            return self
        suit = -1 if card.suit is None else SUITS.index(card.suit)
        mine = np.flatnonzero((self.ranks == int(card.rank)) & (self.suits == suit))
        gone = mine[: max(0, len(mine) + len(new) - A_CARD)]
        return LearnedDeck(
            self.name,
            self.reader,
            np.concatenate([np.delete(self.features, gone, 0), np.stack(new[-A_CARD:])]),
            np.append(np.delete(self.ranks, gone), [int(card.rank)] * len(new[-A_CARD:])).astype(
                np.int8
            ),
            np.append(np.delete(self.suits, gone), [suit] * len(new[-A_CARD:])).astype(np.int8),
        )

    def evidence(
        self, features: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What likeness adds to the logits of rank (n, 15) and suit (n, 4) of crops (n, 96)."""
        ranks = np.zeros((len(features), RANK_CLASSES), np.float32)
        suits = np.zeros((len(features), len(SUITS)), np.float32)
        if not len(self.ranks) or not len(features):
            return ranks, suits
        # What all indices of the deck share says nothing.
        middle = self.features.mean(0)
        known, asked = _unit(self.features - middle), _unit(features - middle)
        gain = GAIN * np.maximum(asked @ known.T - ALIKE, 0.0)
        for rank in np.unique(self.ranks):
            ranks[:, int(rank) - 2] = gain[:, self.ranks == rank].max(1)
        for suit in np.unique(self.suits[self.suits >= 0]):
            suits[:, int(suit)] = gain[:, self.suits == suit].max(1)
        # It tells ranks apart; whether a thing is an index at all it tells a little only.
        ranks[:, :-1] -= np.maximum(ranks.max(1, keepdims=True) - MOST_FOR_AN_INDEX, 0)
        return ranks, suits


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6))
