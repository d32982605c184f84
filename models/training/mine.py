"""Hard negatives: what the first finder takes for an index in rendered scenes and is none.

They join the scenes' rows (visible -2) for the second training. Rendered truth is complete, so
that nothing real is called wrong; half-hidden indices are left alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.shards import SceneStore
from vision.finder import Finder

MINED = -2.0


def mined(
    finder: Finder, image: NDArray[np.uint8], rows: NDArray[np.float32]
) -> NDArray[np.float32]:
    """``rows`` without old negatives and with the new ones."""
    rows = rows[rows[:, 6] != MINED]
    truth = rows[rows[:, 6] > 0.1]
    wrong = []
    for spot in finder.find(image):
        gap = np.hypot(truth[:, 0] - spot.x, truth[:, 1] - spot.y)
        if not len(truth) or (gap > 0.55 * np.maximum(truth[:, 3], spot.size)).all():
            wrong.append([spot.x, spot.y, spot.angle, spot.size, 0, 0, MINED, 0, 0, -1])
    return np.concatenate([rows, np.asarray(wrong, np.float32).reshape(-1, 10)])


def main() -> None:
    """Mine every shard of rendered scenes, in place."""
    from rich.progress import track

    parser = argparse.ArgumentParser(description="Add hard negatives to the rendered scenes.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="folder with finder.onnx")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    finder = Finder(args.models / "finder.onnx", scales=(640,))
    total = 0
    for file in track(sorted(args.data.glob("scenes-*.npz")), description="mining"):
        store = SceneStore.load(args.data, file.name)
        tables = [mined(finder, scene.image, scene.indices) for scene in store]
        total += int(sum((t[:, 6] == MINED).sum() for t in tables))
        with np.load(file) as shard:
            parts = dict(shard)
        parts["rows"] = np.concatenate(tables)
        parts["row_ends"] = np.cumsum([len(t) for t in tables])
        half = file.with_suffix(".part")
        with half.open("wb") as out:
            np.savez(out, **parts)
        half.replace(file)
    print(f"{total} hard negatives")


if __name__ == "__main__":
    main()
