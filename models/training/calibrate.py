"""Find the temperatures that make the reader's probabilities true.

Measured on rendered scenes of decks the reader was not trained on, and on photographs of the
``train`` split only: ``val`` stays unseen. Half the weight each.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.labels import label
from models.training.nets import NONE
from models.training.photographs import photographs
from models.training.shards import SceneStore
from vision.finder import Finder
from vision.reader import Reader, softmax
from vision.spot import Pyramid, crops

TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(3.0), 60))


def nearest(
    rows: NDArray[np.float32], x: float, y: float, size: float
) -> NDArray[np.float32] | None:
    """The row of the index at a place, or None where no index is."""
    if not len(rows):
        return None
    gap = np.hypot(rows[:, 0] - x, rows[:, 1] - y)
    best = int(gap.argmin())
    return rows[best] if gap[best] < 0.35 * max(size, float(rows[best, 3])) else None


def best_temperature(
    logits: NDArray[np.float32], truth: NDArray[np.int64], weight: NDArray[np.float64]
) -> float:
    """The temperature of the least weighted negative log-likelihood."""

    def cost(t: float) -> float:
        p = softmax(logits, t)[np.arange(len(truth)), truth]
        return float(-(weight * np.log(p + 1e-9)).sum())

    return float(min(TEMPERATURES, key=cost))


def calibrate(
    models: Path, scenes: Path, photos: Path, most: int = 150, tell: Callable[[str], None] = print
) -> None:
    """Write ``calibration.json`` beside the models."""
    finder, reader = Finder(models / "finder.onnx"), Reader(models / "reader.onnx")
    ranks, suits, rank_truth, suit_truth, source = [], [], [], [], []

    def add(image: NDArray[np.uint8], rows: NDArray[np.float32], origin: int) -> None:
        spots = finder.find(image)
        if not spots:
            return
        pyramid = Pyramid(image)
        spots = [r.spot for r in reader.read(pyramid, spots)]
        rank_logits, suit_logits, _ = reader.logits(crops(pyramid, spots))
        for spot, r, s in zip(spots, rank_logits, suit_logits, strict=True):
            row = nearest(rows, spot.x, spot.y, spot.size)
            # Elsewhere in a photograph nobody knows what is right; half-hidden is neither.
            if (row is None and origin == 1) or (row is not None and row[6] < 0.6):
                continue
            ranks.append(r)
            suits.append(s)
            rank_truth.append(NONE if row is None else int(row[8]) - 2)
            suit_truth.append(-1 if row is None else int(row[9]))
            source.append(origin)

    store = SceneStore.load(scenes, "held-out-*.npz")
    for number in range(len(store) // 2, len(store)):
        scene = store.scene(number)
        add(scene.image, scene.indices, 0)
    if photos.is_dir():
        wanted = [p for p in photographs(photos, "train") if p.kind in ("card", "visible")]
        for photo in wanted[:: max(1, len(wanted) // most)]:
            add(*label(photo, finder, reader), 1)
    where = np.array(source)
    weight = np.where(
        where == 1, 1 / max(1, int((where == 1).sum())), 1 / max(1, int((where == 0).sum()))
    )
    suited = np.array(suit_truth) >= 0
    found = {
        "rank": best_temperature(np.array(ranks), np.array(rank_truth), weight),
        "suit": best_temperature(
            np.array(suits)[suited], np.array(suit_truth)[suited], weight[suited]
        ),
    }
    (models / "calibration.json").write_text(json.dumps(found, indent=1) + "\n")
    tell(f"temperatures from {len(ranks)} crops: {found}")
