"""Find what makes the reader's probabilities true: temperatures, and a weighing of the evidence.

Measured on rendered scenes of decks the reader was not trained on, on rendered tables without a
card, and on photographs of the ``train`` split only: ``val`` stays unseen. Whether a find is an
index is weighed on all three alike, for what lies about on a table is in view for longer than the
cards; what an index says, on the decks that were not trained on alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.training.fit_reader import VISIBLE
from models.training.labels import label
from models.training.mine import MINED
from models.training.nets import NONE
from models.training.photographs import photographs
from models.training.scenes import SceneMaker, training_fonts
from models.training.shards import SceneStore
from vision.finder import Finder
from vision.reader import Calibration, Reader, index_features, softmax
from vision.spot import Pyramid, crops

#: Tables without a card, from a seed that no shard has.
BARE_SCENES, BARE_SEED = 400, 300_000
#: Where a crop is from.
RENDERED, PHOTO, BARE = range(3)
#: Log odds by which an index that is alone in view is less likely one than here: tables are looked
#: at more often before a card lies on them than in these scenes and photographs.
ALONE = 0.7
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


def best_temperature(logits: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """The temperature of the least negative log-likelihood."""

    def cost(t: float) -> float:
        p = softmax(logits, t)[np.arange(len(truth)), truth]
        return float(-np.log(p + 1e-9).sum())

    return float(min(TEMPERATURES, key=cost))


def logistic(
    x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[float]:
    """Weights of a logistic regression by Newton's method, held a little towards zero."""
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (weight * (p - y)) + 1e-3 * w
        bend = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(x.shape[1])
        w -= np.linalg.solve(bend, slope)
    return [round(float(v), 4) for v in w]


def calibrate(
    models: Path, scenes: Path, photos: Path, most: int = 150, tell: Callable[[str], None] = print
) -> None:
    """Write ``calibration.json`` beside the models."""
    finder = Finder(models / "finder.onnx")
    # Not what an earlier run has left there.
    reader = Reader(models / "reader.onnx", calibration=Calibration())
    ranks, suits, rank_truth, suit_truth, source = [], [], [], [], []
    features: list[NDArray[np.float64]] = []

    def add(image: NDArray[np.uint8], rows: NDArray[np.float32], origin: int) -> None:
        spots = finder.find(image)
        if not spots:
            return
        pyramid = Pyramid(image)
        spots = [r.spot for r in reader.read(pyramid, spots)]
        rank_logits, suit_logits, _, _ = reader.outputs(crops(pyramid, spots))
        p_read = 1 - softmax(rank_logits, 1.0)[:, -1]
        told = index_features(spots, p_read)
        for i, spot in enumerate(spots):
            row = nearest(rows, spot.x, spot.y, spot.size)
            # Elsewhere in a photograph nobody knows what is right; half-hidden is neither.
            known = row[6] >= VISIBLE or row[6] == MINED if row is not None else origin != PHOTO
            if not known:
                continue
            none = row is None or row[6] == MINED
            ranks.append(rank_logits[i])
            suits.append(suit_logits[i])
            rank_truth.append(NONE if none or row is None else int(row[8]) - 2)
            suit_truth.append(-1 if none or row is None else int(row[9]))
            features.append(told[i])
            source.append(origin)

    store = SceneStore.load(scenes, "held-out-*.npz")
    for number in range(len(store) // 2, len(store)):
        scene = store.scene(number)
        add(scene.image, scene.indices, RENDERED)
    maker = SceneMaker(training_fonts(), [], BARE_SEED)
    for _ in range(BARE_SCENES):
        scene = maker.scene(bare=1.0)
        add(scene.image, scene.indices, BARE)
    if photos.is_dir():
        wanted = [p for p in photographs(photos, "train") if p.kind != "none"]
        for photo in wanted[:: max(1, len(wanted) // most)]:
            add(*label(photo, finder, reader), PHOTO)
    where, truth = np.array(source), np.array(rank_truth)
    weight = 1 / np.bincount(where, minlength=3).clip(1)[where]
    index = truth != NONE
    # Of decks that are known by heart every reading is right, however sure it is.
    strange = index & (where == RENDERED)
    suited = strange & (np.array(suit_truth) >= 0)
    found: dict[str, Any] = {
        "rank": best_temperature(np.array(ranks)[strange, :NONE], truth[strange]),
        "suit": best_temperature(np.array(suits)[suited], np.array(suit_truth)[suited]),
        "index": logistic(np.array(features), index.astype(float), weight * len(weight)),
    }
    constant, *others, company = found["index"]
    found["index"] = [round(constant - ALONE, 4), *others, round(company + ALONE, 4)]
    (models / "calibration.json").write_text(json.dumps(found, indent=1) + "\n")
    tell(f"from {len(ranks)} crops: {found}")
