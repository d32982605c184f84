"""The whole face of a card that lies open: pips, court and colours bear witness beside its indices.

An index is small, and its letter may be of a deck that nobody has seen. How many pips there are, of
what shape and colour, or that a figure is there, is large, and much the same in every deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Rank
from vision.assemble import Sighting
from vision.reader import IMPOSSIBLE, RANKS
from vision.session import ModelError, models_folder, open_model
from vision.spot import Pixels, Pyramid, Spot
from vision.uncovered import CARD, scales, uncovered

FACE_WIDTH, FACE_HEIGHT = 48, 64
#: Millimetres of the card's surroundings that a crop shows beside it, and above and below.
BESIDE, ABOVE = 2.0, 2.0
#: No index is believed more than this where the face says otherwise.
MOST_SURE = 0.99
#: How much the face's evidence counts, and the least chance it gives a rank or a suit.
WEIGHT, LEAST = 0.9, 0.003


def face_crop(pyramid: Pyramid, one: Spot, other: Spot) -> Pixels:
    """The face, (64, 48, 3), upright as index ``one`` is; ``other`` is the index across."""
    c, s = np.cos(one.angle), np.sin(one.angle)
    wide, high = scales(one, other)
    sx = FACE_WIDTH / ((CARD[0] + 2 * BESIDE) * wide)
    sy = FACE_HEIGHT / ((CARD[1] + 2 * ABOVE) * high)
    image, factor = pyramid.level(max(sx, sy))
    x, y = (one.x + other.x) / 2 * factor, (one.y + other.y) / 2 * factor
    sx, sy = sx / factor, sy / factor
    turn = np.array(
        [
            [c * sx, s * sx, FACE_WIDTH / 2 - (c * x + s * y) * sx],
            [-s * sy, c * sy, FACE_HEIGHT / 2 - (-s * x + c * y) * sy],
        ]
    )
    return np.asarray(
        cv2.warpAffine(
            image,
            turn,
            (FACE_WIDTH, FACE_HEIGHT),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def weighed(sighting: Sighting, ranks: NDArray[np.float64], suits: NDArray[np.float64]) -> Sighting:
    """The sighting with its face's evidence: ``ranks`` (15,), the last "cannot say", ``suits``."""
    says = 1 - float(ranks[-1])
    of_rank = says * ranks[:-1] / max(ranks[:-1].sum(), 1e-9) + (1 - says) / 14
    of_suit = says * suits + (1 - says) / 4
    both = _mixed(sighting.ranks) * np.maximum(of_rank, LEAST) ** WEIGHT
    sign = _mixed(sighting.suits) * np.maximum(of_suit, LEAST) ** WEIGHT
    return replace(sighting, ranks=both / both.sum(), suits=sign / sign.sum())


def _mixed(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return MOST_SURE * chances + (1 - MOST_SURE) / len(chances)


class FaceReader:
    """The face network; raises ModelError when it is missing or none."""

    def __init__(self, file: Path | None = None) -> None:
        file = file or models_folder() / "face.onnx"
        self._session = open_model(file)
        if [i.name for i in self._session.get_inputs()] != ["faces"]:
            raise ModelError(
                f"model file {file} reads no faces: expected one input named faces; install again"
            )

    def outputs(self, faces: Pixels) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits of rank (n, 15) and suit (n, 4) of faces (n, 64, 48, 3)."""
        ranks, suits = self._session.run(["ranks", "suits"], {"faces": faces})
        return ranks, suits

    def witness(
        self, pyramid: Pyramid, sightings: Sequence[Sighting], jokers: bool = True
    ) -> list[Sighting]:
        """The sightings, those that nothing covers weighed with what their face says.

        ``jokers``: whether the deck in play has any.
        """
        seen = uncovered(sightings)
        if not seen:
            return list(sightings)
        ranks, suits = self.outputs(np.stack([face_crop(pyramid, *p) for p in seen.values()]))
        if not jokers:
            ranks[:, RANKS.index(Rank.JOKER)] = IMPOSSIBLE
        out = list(sightings)
        for i, rank, suit in zip(seen, _softmax(ranks), _softmax(suits), strict=True):
            out[i] = weighed(out[i], rank, suit)
        return out


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    e = np.exp(np.asarray(logits, float) - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))
