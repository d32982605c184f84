"""The labelled photographs outside the repository: their manifest and what their boxes mean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Photograph:
    """One row of the manifest; ``kind`` says what a box surrounds: card, visible, index or none."""

    path: Path
    folder: str
    split: str
    kind: str
    cards: tuple[str, ...]
    boxes: tuple[Box, ...]

    def pixels(self) -> NDArray[np.uint8]:
        """The picture, (h, w, 3) BGR."""
        picture = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if picture is None:
            raise FileNotFoundError(f"{self.path} is no readable picture")
        return np.asarray(picture, np.uint8)


def photographs(
    root: Path, split: str | None = None, folder: str | None = None
) -> Iterator[Photograph]:
    """The photographs of the manifest under ``root``, in its order."""
    for line in (root / "manifest.jsonl").read_text().splitlines():
        row = json.loads(line)
        where = row["photo"].split("/")[0]
        if (split is None or row["split"] == split) and (folder is None or where == folder):
            yield Photograph(
                root / row["photo"],
                where,
                row["split"],
                row["box"],
                tuple(row["cards"]),
                tuple(tuple(b) for b in row["boxes"]),
            )


def inside(box: Box, x: float, y: float, margin: float = 0.0) -> bool:
    """Whether a point lies in a box, widened by ``margin`` of its longer side."""
    m = margin * max(box[2] - box[0], box[3] - box[1])
    return box[0] - m <= x <= box[2] + m and box[1] - m <= y <= box[3] + m
