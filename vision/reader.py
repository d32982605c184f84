"""Read corner indices: rank and suit with calibrated probabilities, or that it is no index."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import Rank, Suit
from vision.learned import FEATURES, LearnedDeck
from vision.session import ModelError, models_folder, open_model
from vision.spot import Pixels, Pyramid, Spot, crops

RANKS = tuple(Rank(r) for r in range(2, 16))
SUITS = tuple(Suit)
#: A first reading this sure, of a crop this well placed, is not read again.
SURE_AT_ONCE = 0.98
SURE_SUIT_AT_ONCE = 0.95
#: How the crops of what is not sure are varied: turn, log scale, right, down.
SHAKES = (
    (0.06, 0.05, 0.03, 0.0),
    (-0.06, -0.05, -0.03, 0.0),
    (0.0, -0.08, 0.0, 0.04),
    (0.0, 0.08, 0.0, -0.04),
)
#: Turns that are tried with what is found this well and reads as no index: where the sign stands
#: beside the rank, the finder takes an index for one that lies on its side, or for half of each.
TURNS = (math.pi / 4, -math.pi / 4, math.pi / 2, -math.pi / 2)
WORTH_TURNING, BARELY_READ, READ_TURNED = 0.4, 0.5, 0.9
#: Another pose that is less surely read than this is not worth correcting.
HINT_OF_SIGN = 0.1
#: Readings nearer than this across and along the way up (block heights) are of one index: a block
#: is narrower than high, and cards in a fan show at least its width.
ONE_INDEX = 0.42, 0.7
_BATCH = 32
#: Logit of what cannot be.
IMPOSSIBLE = -30.0
#: The less sure the finder is of an index, the more likely it is half covered and reads as
#: anything: nothing to fear from ``CLEAN`` on, below it so much for each unit, within limits.
CLEAN, MUDDLED, MUDDLE = 0.85, 0.6, (0.001, 0.3)
NO_FEATURES = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Reading:
    """What one index says; both sum to 1.

    ``ranks`` (15,): 2 … ace, joker, no index; ``suits`` (4,): C D H S.
    """

    spot: Spot
    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    #: (96,): what the crop looks like to the network; empty where nobody will want to know.
    features: NDArray[np.float32] = field(default_factory=lambda: NO_FEATURES)

    @property
    def p_index(self) -> float:
        """Probability that it is an index at all."""
        return float(1 - self.ranks[-1])

    @property
    def muddle(self) -> float:
        """Probability that it says nothing about its card: what is left of it reads as anything."""
        return min(max(MUDDLED * (CLEAN - self.spot.score), MUDDLE[0]), MUDDLE[1])

    @property
    def rank(self) -> Rank:
        """The likeliest rank, given that it is an index."""
        return RANKS[int(np.argmax(self.ranks[:-1]))]


@dataclass(frozen=True)
class Calibration:
    """What makes the probabilities true.

    ``rank`` and ``suit`` are temperatures (Guo et al. 2017) of what an index says. ``index``
    weighs, for being an index at all, a constant, the log odds of the finder's score and of the
    reader's, how far the find's size is from that of the sure finds of the picture (log ratio,
    squared), and whether any other find there is sure: a card in view mostly shows two indices,
    and clutter none.
    """

    rank: float = 1.0
    suit: float = 1.0
    index: tuple[float, ...] = (1.0, 1.0, 1.0, -2.0, 0.0)

    @classmethod
    def load(cls, file: Path) -> Calibration:
        """As it was fitted for a model, beside it; raises ModelError: no guess would do."""
        if not file.is_file():
            raise ModelError(
                f"{file.name} is missing from {file.parent}: expected it beside the models; "
                "install again"
            )
        try:
            told = json.loads(file.read_text())
            found = cls(float(told["rank"]), float(told["suit"]), tuple(map(float, told["index"])))
        except (OSError, ValueError, TypeError, LookupError) as error:
            raise _no_calibration(file) from error
        right = min(found.rank, found.suit) > 0 and len(found.index) == len(cls.index)
        if not (right and np.isfinite([found.rank, found.suit, *found.index]).all()):
            raise _no_calibration(file)
        return found


def _no_calibration(file: Path) -> ModelError:
    return ModelError(
        f"{file} cannot be used: expected two temperatures above 0, rank and suit, and five "
        "weights, index; install again"
    )


def log_odds(p: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of probabilities, kept finite."""
    q = np.clip(np.asarray(p, np.float64), 1e-4, 1 - 1e-4)
    return np.asarray(np.log(q / (1 - q)))


def index_features(spots: Sequence[Spot], p_read: NDArray[np.float32]) -> NDArray[np.float64]:
    """What :attr:`Calibration.index` weighs, (n, 5)."""
    score = np.array([s.score for s in spots], np.float32)
    size = np.log(np.array([s.size for s in spots]))
    sure = (score > 0.6) & (p_read > 0.9)
    odd = np.minimum((size - np.median(size[sure])) ** 2, 2.0) if sure.any() else 0 * size
    company = sure.sum() - sure > 0
    return np.column_stack([np.ones(len(spots)), log_odds(score), log_odds(p_read), odd, company])


def softmax(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Along the last axis."""
    x = logits / temperature
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)


def _once(readings: Sequence[Reading]) -> list[Reading]:
    """``readings`` without those whose pose led to an index that another reads better."""
    kept: list[Reading] = []
    for one in sorted(readings, key=lambda r: -r.p_index * r.spot.score):
        if not any(_on_one_index(one.spot, k.spot) for k in kept):
            kept.append(one)
    return kept


def _on_one_index(a: Spot, b: Spot) -> bool:
    """Whether two readings are of one printed index, ``b`` the better one."""
    c, s, size = math.cos(b.angle), math.sin(b.angle), max(a.size, b.size)
    dx, dy = a.x - b.x, a.y - b.y
    across, along = abs(c * dx + s * dy) / size, abs(-s * dx + c * dy) / size
    return (across / ONE_INDEX[0]) ** 2 + (along / ONE_INDEX[1]) ** 2 < 1


def _moved(spots: Sequence[Spot], poses: NDArray[np.float32]) -> list[Spot]:
    """Spots corrected by the poses (n, 4) of their crops, none of them far."""
    steps = np.clip(poses, -0.6, 0.6).tolist()
    return [spot.moved(*step) for spot, step in zip(spots, steps, strict=True)]


class Outputs(NamedTuple):
    """What the network says of n crops.

    Logits of rank (n, 15) and suit (n, 4), poses (n, 4) and embeddings (n, 96).
    """

    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    poses: NDArray[np.float32]
    features: NDArray[np.float32]


class Reader:
    """The reader network; raises ModelError when it is missing or not a reader.

    ``deck``: what its owner has shown of the deck in play, if anything; DeckError where another
    reader learned it. ``calibration``: by default the one beside the model.
    """

    def __init__(
        self,
        file: Path | None = None,
        deck: LearnedDeck | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        file = file or models_folder() / "reader.onnx"
        self._session = open_model(file)
        if [i.name for i in self._session.get_inputs()] != ["crops"]:
            raise ModelError(
                f"model file {file} is no reader: expected one input named crops; install again"
            )
        #: Tells this network from any other, by its file.
        self.mark = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        self.deck = deck.made_for(self.mark) if deck is not None else None
        #: Whether the deck in play has jokers: where it has none, nothing is read as one.
        self.jokers = True
        self.calibration = calibration or Calibration.load(file.with_name("calibration.json"))

    def outputs(self, pictures: Pixels) -> Outputs:
        """Of crops (n, 64, 48, 3), with what the learned deck adds."""
        if not len(pictures):
            return Outputs(*(np.zeros((0, n), np.float32) for n in (15, 4, 4, FEATURES)))
        parts = [
            self._session.run(None, {"crops": pictures[i : i + _BATCH]})
            for i in range(0, len(pictures), _BATCH)
        ]
        out = Outputs(*(np.concatenate(p) for p in zip(*parts, strict=True)))
        if not self.jokers:
            out.ranks[:, RANKS.index(Rank.JOKER)] = IMPOSSIBLE
        if self.deck is None:
            return out
        ranks, suits = self.deck.evidence(out.features)
        return out._replace(ranks=out.ranks + ranks, suits=out.suits + suits)

    def read(self, pyramid: Pyramid, spots: Sequence[Spot]) -> list[Reading]:
        """One reading an index; a crop that is askew is cut again by its pose.

        Spots that turn out to be one index are read as one.
        """
        if not spots:
            return []
        out = self.outputs(crops(pyramid, spots))
        spots = _moved(spots, out.poses)
        p = softmax(out.ranks, self.calibration.rank)
        askew = np.abs(out.poses).max(1) > 0.12
        again = [
            i
            for i in range(len(spots))
            if p[i, -1] < 0.97 and (askew[i] or p[i].max() < SURE_AT_ONCE)
        ]
        if again:
            second = self.outputs(crops(pyramid, [spots[i] for i in again]))
            for kept, new in zip(out, second, strict=True):
                kept[again] = new
        self._read_turned(pyramid, spots, out)
        self._read_at_usual_size(pyramid, spots, out)
        self._read_on_average(pyramid, spots, out)
        p = softmax(out.ranks, self.calibration.rank)
        q = softmax(out.suits, self.calibration.suit)
        p_index = self._index_probability(spots, 1 - softmax(out.ranks, 1.0)[:, -1])
        p[:, :-1] *= (p_index / np.maximum(1 - p[:, -1], 1e-6))[:, None]
        p[:, -1] = 1 - p_index
        return _once([Reading(spot, p[i], q[i], out.features[i]) for i, spot in enumerate(spots)])

    def _read_turned(self, pyramid: Pyramid, spots: list[Spot], out: Outputs) -> None:
        """Try what is well found and reads as nothing turned; keep it, in place, where it reads."""
        best = softmax(out.ranks, self.calibration.rank)[:, :-1].max(1)
        odd = [
            i
            for i, spot in enumerate(spots)
            if spot.score > WORTH_TURNING and best[i] < BARELY_READ
        ]
        if not odd:
            return
        best[odd] = READ_TURNED
        tried = [spots[i].moved(turn, 0.0, 0.0, 0.0) for turn in TURNS for i in odd]
        self._keep_better(pyramid, spots, out, best, odd * len(TURNS), tried)

    def _read_at_usual_size(self, pyramid: Pyramid, spots: list[Spot], out: Outputs) -> None:
        """Try what reads badly at the size of what reads well; keep it, in place, where it helps.

        Indices in one picture are of one size. A pip or figure beside an index makes the find
        too large.
        """
        p = softmax(out.ranks, self.calibration.rank)
        best = p[:, :-1].max(1)
        sure = [i for i, spot in enumerate(spots) if spot.score > 0.6 and best[i] > SURE_AT_ONCE]
        if len(sure) < 2:
            return
        usual = float(np.median([spots[i].size for i in sure]))
        odd = [
            i
            for i, spot in enumerate(spots)
            if best[i] < 0.9 and spot.score > 0.3 and abs(np.log(spot.size / usual)) > 0.2
        ]
        if not odd:
            return
        tried = [replace(spots[i], size=usual) for i in odd]
        self._keep_better(pyramid, spots, out, best, odd, tried)

    def _keep_better(
        self,
        pyramid: Pyramid,
        spots: list[Spot],
        out: Outputs,
        best: NDArray[np.float32],
        which: Sequence[int],
        tried: list[Spot],
    ) -> None:
        """Read other poses ``tried`` of the spots ``which``, and what shows a sign corrected once.

        Those that read better than ``best`` (n,) are kept, in place.
        """
        for _ in range(2):
            if not which:
                return
            new = self.outputs(crops(pyramid, tried))
            sure = softmax(new.ranks, self.calibration.rank)[:, :-1].max(1)
            for k, i in enumerate(which):
                if sure[k] > best[i]:
                    best[i] = sure[k]
                    spots[i] = tried[k]
                    for kept, better in zip(out, new, strict=True):
                        kept[i] = better[k]
            signs = [k for k in range(len(which)) if sure[k] > HINT_OF_SIGN]
            tried = _moved([tried[k] for k in signs], new.poses[signs])
            which = [which[k] for k in signs]

    def _read_on_average(self, pyramid: Pyramid, spots: Sequence[Spot], out: Outputs) -> None:
        """Read what is not sure from several crops that differ a little; in place.

        The mean of their logits wavers less than any one of them.
        """
        p = softmax(out.ranks, self.calibration.rank)
        q = softmax(out.suits, self.calibration.suit)
        unsure = [
            i
            for i in range(len(spots))
            if p[i, -1] < 0.97 and (p[i].max() < SURE_AT_ONCE or q[i].max() < SURE_SUIT_AT_ONCE)
        ]
        if not unsure:
            return
        varied = [spots[i].moved(*shake) for shake in SHAKES for i in unsure]
        new = self.outputs(crops(pyramid, varied))
        for kept, shaken in zip(out, new, strict=True):
            others = shaken.reshape(len(SHAKES), len(unsure), -1)
            kept[unsure] = (kept[unsure] + others.sum(0)) / (1 + len(SHAKES))

    def _index_probability(
        self, spots: Sequence[Spot], p_read: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """That each find is an index at all, from the finder, the reader and its size."""
        x = index_features(spots, p_read) @ np.array(self.calibration.index)
        return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)
