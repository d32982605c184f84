"""Train the face reader on open cards cut from scenes and from labelled photographs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.augment import reinked, spoil
from models.training.fit_reader import BATCH
from models.training.loop import train_as_asked
from models.training.nets import NONE, ReaderNet
from models.training.scenes import Scene
from models.training.shards import SceneStore
from vision.face import face_crop
from vision.spot import Pyramid, Spot
from vision.uncovered import face_each_other

#: Most faces taken from one scene, and the smallest index whose card is worth a look (pixels).
FROM_A_SCENE, LEAST_SIZE = 12, 10.0
#: Least part of both indices in view.
VISIBLE = 0.8
#: How wrong a found index may be: turn, then log scale, right and down (deviations).
WRONG = 0.05, 0.08, 0.08, 0.08
#: How often a face is spoilt so that it cannot be told: what lies open is judged wrongly at times.
COVERED = 0.12


def pairs(rows: NDArray[np.float32]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Rows of two indices across one card, both in view."""
    cards: dict[tuple[int, int, int, int], list[NDArray[np.float32]]] = defaultdict(list)
    for row in rows[(rows[:, 6] >= VISIBLE) & (rows[:, 3] >= LEAST_SIZE)]:
        x, y = row[0] + row[4], row[1] + row[5]
        near = max(4.0, 0.6 * float(row[3]))
        for key, card in cards.items():
            first = card[0]
            gap = np.hypot(first[0] + first[4] - x, first[1] + first[5] - y)
            if key[:2] == (int(row[8]), int(row[9])) and gap < near:
                card.append(row)
                break
        else:
            cards[int(row[8]), int(row[9]), round(float(x)), round(float(y))].append(row)
    return [
        (a, b)
        for card in cards.values()
        for i, a in enumerate(card)
        for b in card[:i]
        if face_each_other(_spot(a), _spot(b))
    ]


def _spot(row: NDArray[np.float32]) -> Spot:
    x, y, angle, size = (float(v) for v in row[:4])
    return Spot(x, y, angle, size, (0.0, 0.0), 1.0, 1.0)


def _half_covered(face: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The face with most of its middle under something plain."""
    out, (h, w) = face.copy(), face.shape[:2]
    top, left = (int(v) for v in rng.integers(0, (h // 3, w // 3)))
    out[top : top + int(h * rng.uniform(0.5, 1)), left : left + int(w * rng.uniform(0.5, 1))] = (
        rng.integers(0, 256, 3)
    )
    return out


class Batches:
    """Faces, ranks and suits."""

    def __init__(
        self, scenes: SceneStore, photos: SceneStore | None, seed: int, photo_share: float = 0.25
    ) -> None:
        self._scenes, self._photos, self._seed = scenes, photos, seed
        self._share = photo_share if photos else 0.0

    def _from(self, scene: Scene, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        pyramid, found = Pyramid(scene.image), []
        both = pairs(scene.indices)
        for i in rng.permutation(len(both))[:FROM_A_SCENE]:
            a, b = both[i] if rng.random() < 0.5 else both[i][::-1]
            face = face_crop(pyramid, *(_spot(row).moved(*rng.normal(0, WRONG)) for row in (a, b)))
            if rng.random() < COVERED:
                found.append((spoil(_half_covered(face, rng), rng), NONE, -1))
            else:
                found.append((spoil(reinked(face, rng), rng), int(a[8]) - 2, int(a[9])))
        return found

    def __call__(self, step: int) -> tuple[Tensor, ...]:
        """Faces (128, 64, 48, 3), ranks (128,), suits (128,)."""
        rng = np.random.default_rng([self._seed, step, 3])
        found: list[tuple[Any, ...]] = []
        while len(found) < BATCH:
            store = self._scenes
            if self._photos is not None and rng.random() < self._share:
                store = self._photos
            found += self._from(store.scene(int(rng.integers(len(store)))), rng)
        faces, ranks, suits = zip(*found[:BATCH], strict=True)
        return torch.from_numpy(np.stack(faces)), torch.tensor(ranks), torch.tensor(suits)


def loss(net: nn.Module, data: Any) -> dict[str, Tensor]:
    """Cross-entropies of rank and suit; a court's rank is a guess, which smoothing keeps modest."""
    faces, rank, suit = data
    rank_logits, suit_logits, _, _ = net(faces)
    suited = suit >= 0
    return {
        "rank": nn.functional.cross_entropy(rank_logits, rank, label_smoothing=0.02),
        "suit": 0.6 * nn.functional.cross_entropy(suit_logits[suited], suit[suited]),
    }


def main() -> None:
    """Train from the command line; goes on where it was stopped."""
    train_as_asked("Train the face reader.", ReaderNet(), Batches, loss)


if __name__ == "__main__":
    main()
