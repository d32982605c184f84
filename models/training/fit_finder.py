"""Train the finder on crops of scenes (and, later, of photographs labelled by ``labels``)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.augment import spoil
from models.training.loop import train_as_asked
from models.training.nets import FINDER_CHANNELS, FinderNet
from models.training.shards import SceneStore

CROP, STRIDE, BATCH = 256, 4, 16
CELLS = CROP // STRIDE


def targets(rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Maps for one crop: (9, 64, 64) values, and (2, 64, 64) weights of the heat and of the rest.

    ``rows`` as in :mod:`models.training.scenes`, relative to the crop. Indices less than
    55 % visible, or too small to be read, are neither right nor wrong: heat weight 0.
    """
    value = np.zeros((len(FINDER_CHANNELS), CELLS, CELLS), np.float32)
    weight = np.zeros((2, CELLS, CELLS), np.float32)
    weight[0] = 1.0
    for x, y, angle, size, cx, cy, visible, is_open, _, _ in rows:
        # -2 marks what looked like an index and is none: a plain negative here.
        if 0 <= visible < 0.25 or visible == -2:
            continue
        u, v = x / STRIDE - 0.5, y / STRIDE - 0.5
        spread = 0.5 + 0.09 * size / STRIDE
        reach = int(np.ceil(3 * spread)) if visible >= 0 else int(size * 0.7 / STRIDE) + 1
        x0, x1 = max(0, int(u) - reach), min(CELLS, int(u) + reach + 2)
        y0, y1 = max(0, int(v) - reach), min(CELLS, int(v) + reach + 2)
        if x0 >= x1 or y0 >= y1:
            continue
        yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        if visible < 0.55 or size < 6.5:
            near = np.hypot(xx - u, yy - v) <= max(reach, 1)
            weight[0, y0:y1, x0:x1][near] = 0.0
            continue
        cx, cy = as_of_two(cx, cy, angle)
        bell = np.exp(-((xx - u) ** 2 + (yy - v) ** 2) / (2 * spread**2))
        area = value[:, y0:y1, x0:x1]
        nearer = bell > np.maximum(area[0], 0.35)
        area[0] = np.maximum(area[0], bell)
        fill = np.stack(
            [
                np.full_like(xx, np.cos(angle)),
                np.full_like(xx, np.sin(angle)),
                np.full_like(xx, np.log(size / 16)),
                u - xx,
                v - yy,
                np.full_like(xx, cx / size / 4),
                np.full_like(xx, cy / size / 4),
                np.full_like(xx, is_open),
            ]
        )
        area[1:, nearer] = fill[:, nearer]
        weight[1, y0:y1, x0:x1][nearer] = bell[nearer]
        peak = round(float(v)), round(float(u))
        if 0 <= peak[0] < CELLS and 0 <= peak[1] < CELLS:
            value[0][peak] = 1.0
            weight[0][peak] = 1.0
    return value, weight


def as_of_two(cx: float, cy: float, angle: float) -> tuple[float, float]:
    """The way to the card's middle as a deck with two indices has it, down to the right.

    In a deck with four, half of them have it down to the left. Nothing near an index tells which:
    asked for it, the finder answers something in between.
    """
    c, s = np.cos(angle), np.sin(angle)
    right = c * cx + s * cy
    return (cx, cy) if right >= 0 else (cx - 2 * right * c, cy - 2 * right * s)


def cut(
    image: NDArray[np.uint8], rows: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A random crop, turned by a random quarter, mostly around an index."""
    h, w = image.shape[:2]
    if len(rows) and rng.random() < 0.75:
        x, y = rows[int(rng.integers(len(rows))), :2] + rng.uniform(-110, 110, 2)
    else:
        x, y = rng.uniform(0, w), rng.uniform(0, h)
    left = int(np.clip(x - CROP / 2, 0, max(0, w - CROP)))
    top = int(np.clip(y - CROP / 2, 0, max(0, h - CROP)))
    part = image[top : top + CROP, left : left + CROP]
    part = cv2.copyMakeBorder(
        part,
        0,
        CROP - part.shape[0],
        0,
        CROP - part.shape[1],
        cv2.BORDER_CONSTANT,
        value=(90, 90, 90),
    )
    rows = rows.copy()
    rows[:, 0] -= left
    rows[:, 1] -= top
    for _ in range(int(rng.integers(4))):
        part = np.rot90(part, -1)
        rows[:, [0, 1]] = np.stack([CROP - rows[:, 1], rows[:, 0]], 1)
        rows[:, [4, 5]] = np.stack([-rows[:, 5], rows[:, 4]], 1)
        rows[:, 2] += np.pi / 2
    return np.ascontiguousarray(part), rows


class Batches:
    """Batches from rendered scenes, a share of them from photographs if there are any."""

    def __init__(
        self, scenes: SceneStore, photos: SceneStore | None, seed: int, photo_share: float = 0.4
    ) -> None:
        self._scenes, self._photos, self._seed, self._share = (
            scenes,
            photos,
            seed,
            photo_share if photos else 0.0,
        )

    def __call__(self, step: int) -> tuple[Tensor, Tensor, Tensor]:
        """Pictures (16, 256, 256, 3), values (16, 9, 64, 64), weights (16, 2, 64, 64)."""
        rng = np.random.default_rng([self._seed, step])
        pictures, values, weights = [], [], []
        while len(pictures) < BATCH:
            if self._photos is not None and rng.random() < self._share:
                scene = self._photos.scene(int(rng.integers(len(self._photos))))
                image, table = rescaled(scene.image, scene.indices, rng)
            else:
                scene = self._scenes.scene(int(rng.integers(len(self._scenes))))
                image, table = scene.image, scene.indices
            for _ in range(2):
                part, rows = cut(image, table, rng)
                value, weight = targets(rows)
                pictures.append(spoil(part, rng))
                values.append(value)
                weights.append(weight)
        return (
            torch.from_numpy(np.stack(pictures)),
            torch.from_numpy(np.stack(values)),
            torch.from_numpy(np.stack(weights)),
        )


def rescaled(
    image: NDArray[np.uint8], rows: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A photograph at a random smaller scale, so that its indices take every size."""
    sizes = rows[rows[:, 6] > 0, 3]
    biggest = float(np.median(sizes)) if len(sizes) else 24.0
    low = float(np.clip(9.0 / biggest, 0.15, 1.0))
    scale = float(np.exp(rng.uniform(np.log(low), np.log(min(1.0, max(low, 54 / biggest))))))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rows = rows.copy()
    rows[:, [0, 1, 3, 4, 5]] *= scale
    return np.asarray(small, np.uint8), rows


def loss(net: nn.Module, data: Any) -> dict[str, Tensor]:
    """Penalty-reduced focal loss on the heat (Law & Deng 2018); absolute errors near the peaks."""
    pictures, value, weight = data
    out = net(pictures)
    heat, truth = out[:, 0], value[:, 0]
    p = torch.sigmoid(heat).clamp(1e-5, 1 - 1e-5)
    right = (truth > 0.99).float()
    focal = right * (1 - p) ** 2 * torch.log(p) + (1 - right) * (1 - truth) ** 4 * p**2 * torch.log(
        1 - p
    )
    count = right.sum().clamp(min=8.0)
    near = weight[:, 1]
    mass = near.sum().clamp(min=8.0)

    def off(first: int, last: int) -> Tensor:
        return ((out[:, first:last] - value[:, first:last]).abs().sum(1) * near).sum() / mass

    opened = nn.functional.binary_cross_entropy_with_logits(
        out[:, 8], value[:, 8], reduction="none"
    )
    return {
        "heat": -(focal * weight[:, 0]).sum() / count,
        "angle": off(1, 3),
        "size": off(3, 4),
        "shift": 0.5 * off(4, 6),
        "centre": 0.4 * off(6, 8),
        "open": 0.15 * (opened * near).sum() / mass,
    }


def main() -> None:
    """Train from the command line; goes on where it was stopped."""
    train_as_asked("Train the index finder.", FinderNet(), Batches, loss)


if __name__ == "__main__":
    main()
