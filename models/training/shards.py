"""The scenes on disk: numbered shards, each made from its own seed, only when missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.artwork import art_decks
from models.training.command import InputError
from models.training.scenes import Scene, SceneMaker, training_fonts

SCENES_A_SHARD = 200


def write_shard(folder: Path, number: int, art: Path, held_out: bool = False) -> Path:
    """Make shard ``number`` unless it is there; written whole or not at all."""
    target = folder / f"{'held-out' if held_out else 'scenes'}-{number:03d}.npz"
    if target.is_file():
        return target
    decks = art_decks(art, held_out) if art.is_dir() else []
    seed = number + (100_000 if held_out else 0)
    maker = SceneMaker(training_fonts(), decks, seed, art_share=1.0 if held_out else 0.35)
    scenes = [maker.scene() for _ in range(SCENES_A_SHARD)]
    pictures = [
        cv2.imencode(".jpg", s.image, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].ravel() for s in scenes
    ]
    folder.mkdir(parents=True, exist_ok=True)
    half = target.with_suffix(".part")
    with half.open("wb") as out:
        np.savez(
            out,
            bytes=np.concatenate(pictures),
            ends=np.cumsum([len(p) for p in pictures]),
            rows=np.concatenate([s.indices for s in scenes]),
            row_ends=np.cumsum([len(s.indices) for s in scenes]),
            decks=np.array([s.deck for s in scenes]),
        )
    half.replace(target)
    return target


@dataclass
class SceneStore:
    """Scenes of many shards, their pictures kept coded in memory."""

    pictures: list[NDArray[np.uint8]]
    tables: list[NDArray[np.float32]]
    decks: list[str]

    @classmethod
    def load(
        cls, folder: Path, pattern: str = "scenes-*.npz", limit: int | None = None
    ) -> SceneStore:
        """Every shard in ``folder`` that matches, in the order of their names; or InputError."""
        pictures: list[NDArray[np.uint8]] = []
        tables: list[NDArray[np.float32]] = []
        decks: list[str] = []
        for file in sorted(folder.glob(pattern))[:limit]:
            try:
                with np.load(file) as shard:
                    data, rows = shard["bytes"], shard["rows"]
                    pictures += np.split(data, shard["ends"][:-1])
                    tables += np.split(rows, shard["row_ends"][:-1])
                    decks += [str(d) for d in shard["decks"]]
            except (ValueError, TypeError, KeyError, EOFError, BadZipFile):
                raise InputError(f"{file} is damaged; expected scenes of a training") from None
        return cls(pictures, tables, decks)

    def __len__(self) -> int:
        return len(self.pictures)

    def scene(self, number: int) -> Scene:
        """Decoded."""
        image = cv2.imdecode(self.pictures[number], cv2.IMREAD_COLOR)
        return Scene(np.asarray(image, np.uint8), self.tables[number], self.decks[number])

    def __iter__(self) -> Iterator[Scene]:
        return (self.scene(i) for i in range(len(self)))
