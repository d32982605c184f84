"""Train the reader on crops cut from scenes (and, later, from labelled photographs)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.augment import reinked, spoil
from models.training.loop import train_as_asked
from models.training.nets import NONE, ReaderNet
from models.training.scenes import Scene
from models.training.shards import SceneStore
from vision.spot import Pyramid, Spot, crop

BATCH = 128
#: Most indices taken from one scene: decoding it costs more than cutting a crop.
FROM_A_SCENE = 18
#: Least part of an index that must be seen for its crop to carry its label.
VISIBLE = 0.6


def _spot(x: float, y: float, angle: float, size: float) -> Spot:
    return Spot(float(x), float(y), float(angle), float(size), (0.0, 0.0), 1.0, 1.0)


def jittered(truth: Spot, rng: np.random.Generator) -> tuple[Spot, NDArray[np.float32]]:
    """A spot as wrong as the finder's may be, and the pose (4,) that mends it."""
    wild = 2.0 if rng.random() < 0.15 else 1.0
    wrong = truth.moved(
        rng.normal(0, 0.13) * wild, rng.normal(0, 0.1) * wild, *(rng.normal(0, 0.07, 2) * wild)
    )
    c, s = np.cos(wrong.angle), np.sin(wrong.angle)
    dx, dy = truth.x - wrong.x, truth.y - wrong.y
    turn = (truth.angle - wrong.angle + np.pi) % (2 * np.pi) - np.pi
    pose = (
        turn,
        np.log(truth.size / wrong.size),
        (c * dx + s * dy) / wrong.size,
        (-s * dx + c * dy) / wrong.size,
    )
    return wrong, np.asarray(pose, np.float32)


def _negative(
    rows: NDArray[np.float32], shape: tuple[int, ...], rng: np.random.Generator
) -> Spot | None:
    """A place that is no upright index: elsewhere, upside down, across, or at a wrong scale."""
    kind = rng.random()
    if len(rows) and kind < 0.3:
        x, y, angle, size = (float(v) for v in rows[int(rng.integers(len(rows))), :4])
        if kind < 0.15:
            return _spot(x, y, angle + np.pi + rng.normal(0, 0.1), size)
        if kind < 0.22:
            return _spot(x, y, angle + rng.choice([-1, 1]) * rng.uniform(1.1, 2.0), size)
        return _spot(x, y, angle, size * np.exp(rng.choice([-1, 1]) * rng.uniform(0.75, 1.2)))
    size = float(np.exp(rng.uniform(np.log(8), np.log(56))))
    if len(rows) and kind < 0.8:
        near = rows[int(rng.integers(len(rows)))]
        size = float(near[3] * np.exp(rng.normal(0, 0.2)))
        x, y = near[:2] + rng.normal(0, 2.2, 2) * near[3]
    else:
        x, y = rng.uniform(0, shape[1]), rng.uniform(0, shape[0])
    if len(rows):
        others = rows[(rows[:, 6] > 0.12) | (rows[:, 6] < 0)]
        if (
            len(others)
            and (
                np.hypot(others[:, 0] - x, others[:, 1] - y) < 0.75 * np.maximum(others[:, 3], size)
            ).any()
        ):
            return None
    return _spot(x, y, rng.uniform(-np.pi, np.pi), size)


class Batches:
    """Crops, ranks, suits and poses; about three in ten crops are no index."""

    def __init__(
        self, scenes: SceneStore, photos: SceneStore | None, seed: int, photo_share: float = 0.35
    ) -> None:
        self._scenes, self._photos, self._seed, self._share = (
            scenes,
            photos,
            seed,
            photo_share if photos else 0.0,
        )

    def _from(self, scene: Scene, photo: bool, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        pyramid, rows = Pyramid(scene.image), scene.indices
        good = rows[(rows[:, 6] >= VISIBLE) & (rows[:, 3] >= 7)]
        found: list[tuple[Any, ...]] = []
        for row in good[rng.permutation(len(good))[:FROM_A_SCENE]]:
            spot, pose = jittered(_spot(*row[:4]), rng)
            seen = spoil(reinked(crop(pyramid, spot), rng), rng)
            found.append((seen, int(row[8]) - 2, int(row[9]), pose))
        # A photograph's unlabelled area is no certain negative; what was mined is (visible -2).
        mined = rows[rows[:, 6] == -2]
        for row in mined[rng.permutation(len(mined))[:6]]:
            spot, _ = jittered(_spot(*row[:4]), rng)
            seen = spoil(reinked(crop(pyramid, spot), rng), rng)
            found.append((seen, NONE, -1, np.zeros(4, np.float32)))
        wrong = [_negative(rows, scene.image.shape, rng) for _ in range(0 if photo else 6)]
        found += [
            (spoil(reinked(crop(pyramid, spot), rng), rng), NONE, -1, np.zeros(4, np.float32))
            for spot in wrong
            if spot is not None
        ]
        return found

    def __call__(self, step: int) -> tuple[Tensor, ...]:
        """Crops (128, 64, 48, 3), ranks (128,), suits (128,), poses (128, 4)."""
        rng = np.random.default_rng([self._seed, step, 2])
        found: list[tuple[Any, ...]] = []
        while len(found) < BATCH:
            if self._photos is not None and rng.random() < self._share:
                found += self._from(
                    self._photos.scene(int(rng.integers(len(self._photos)))), True, rng
                )
            else:
                found += self._from(
                    self._scenes.scene(int(rng.integers(len(self._scenes)))), False, rng
                )
        pictures, ranks, suits, poses = zip(*found[:BATCH], strict=True)
        return (
            torch.from_numpy(np.stack(pictures)),
            torch.tensor(ranks),
            torch.tensor(suits),
            torch.from_numpy(np.stack(poses)),
        )


def loss(net: nn.Module, data: Any) -> dict[str, Tensor]:
    """Cross-entropies of rank and suit, absolute error of the pose."""
    pictures, rank, suit, pose = data
    rank_logits, suit_logits, pose_out, _ = net(pictures)
    index = rank != NONE
    suited = suit >= 0
    return {
        "rank": nn.functional.cross_entropy(rank_logits, rank),
        "suit": 0.6 * nn.functional.cross_entropy(suit_logits[suited], suit[suited]),
        # A sign-like gradient that never fades: weighted more, it drowns what the letters teach.
        "pose": 0.25 * (pose_out - pose)[index].abs().sum(1).mean(),
    }


def main() -> None:
    """Train from the command line; goes on where it was stopped."""
    train_as_asked("Train the index reader.", ReaderNet(), Batches, loss)


if __name__ == "__main__":
    main()
