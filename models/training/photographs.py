"""The labelled photographs outside the repository: their manifest and what their boxes mean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.command import InputError

MANIFEST = "manifest.jsonl"

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
        # OpenCV would tell of a file that is not there by itself, in words of its own.
        there = self.path.is_file()
        picture = cv2.imread(str(self.path), cv2.IMREAD_COLOR) if there else None
        if picture is None:
            raise InputError(f"{self.path}, which the manifest names, is no readable picture")
        return np.asarray(picture, np.uint8)


def photographs(
    root: Path, split: str | None = None, folder: str | None = None
) -> Iterator[Photograph]:
    """The photographs of the manifest under ``root``, in its order; InputError where it is none."""
    manifest = root / MANIFEST
    for number, data in enumerate(_lines(manifest), 1):
        try:
            photo = _photograph(root, json.loads(data))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError(
                f"{manifest}:{number}: expected a row with photo, split, box, cards and boxes"
            ) from None
        if split in (None, photo.split) and folder in (None, photo.folder):
            yield photo


def _lines(manifest: Path) -> list[str]:
    try:
        return manifest.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is no text"
        raise InputError(f"{manifest}: the photographs' labels cannot be read ({why})") from None


def _photograph(root: Path, row: dict[str, Any]) -> Photograph:
    return Photograph(
        root / row["photo"],
        row["photo"].split("/")[0],
        row["split"],
        row["box"],
        tuple(row["cards"]),
        tuple(tuple(b) for b in row["boxes"]),
    )


def inside(box: Box, x: float, y: float, margin: float = 0.0) -> bool:
    """Whether a point lies in a box, widened by ``margin`` of its longer side."""
    m = margin * max(box[2] - box[0], box[3] - box[1])
    return box[0] - m <= x <= box[2] + m and box[1] - m <= y <= box[3] + m
