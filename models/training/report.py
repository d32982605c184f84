"""Pictures and tables of how readings fail: by deck, size and light, what is taken for what.

    python -m models.training.evaluate --report FOLDER …

writes ``confusion.png``, ``reliability.png`` and ``worst.png`` there and prints the tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from models.training.command import make, write
from vision.reader import RANKS

Image = NDArray[np.uint8]
_INK, _PAPER, _GRID = (40, 40, 40), 255, (210, 210, 210)


@dataclass(frozen=True)
class Record:
    """One labelled card and what became of it.

    ``seen`` None: it was not reported; ``p`` of the rank read or asked, 0 if missed; ``size`` of
    its index in pixels, ``light`` the mean grey level around it, ``corners`` of it in view (0
    where the labels do not say); ``crop`` the card as the picture shows it.
    """

    deck: str
    card: Card
    seen: Card | None
    asked: bool
    p: float
    size: float
    light: float
    corners: int
    crop: Image
    name: str
    #: Whether the label was the first of the candidates asked about.
    first: bool = False

    @property
    def right(self) -> bool:
        """Whether the rank was reported as labelled."""
        return self.seen is not None and self.seen.rank == self.card.rank


#: How records are told apart, each with the name of its group.
GROUPS: dict[str, Callable[[Record], str]] = {
    "deck": lambda r: r.deck,
    "index height": lambda r: _bucket(r.size, (12, 18, 28, 45), "px"),
    "light": lambda r: _bucket(r.light, (50, 90, 140, 190), "grey"),
    "corners in view": lambda r: str(r.corners) if r.corners else "not labelled",
    "card": lambda r: (
        "court" if 11 <= r.card.rank <= 13 else "joker" if r.card.rank == 15 else "pips"
    ),
}


def _bucket(value: float, edges: Sequence[float], unit: str) -> str:
    for low, high in zip((0, *edges), edges, strict=False):
        if value < high:
            return f"{low:3.0f} to {high:.0f} {unit}"
    return f"{edges[-1]:3.0f} {unit} and more"


def by_group(records: Iterable[Record], key: Callable[[Record], str]) -> list[tuple[str, ...]]:
    """Rows of group, labelled, recall, wrong of reported, asked; percentages."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    rows = []
    for name, group in sorted(groups.items()):
        reported = [r for r in group if r.seen is not None]
        wrong = sum(not r.right for r in reported)
        rows.append(
            (
                name,
                str(len(group)),
                f"{100 * sum(r.right for r in group) / len(group):.1f}",
                f"{100 * wrong / max(1, len(reported)):.2f}",
                f"{100 * sum(r.asked for r in group) / len(group):.1f}",
            )
        )
    return rows


def calibration_error(
    records: Iterable[Record], bins: int = 15
) -> tuple[float, NDArray[np.float64]]:
    """Expected calibration error (Naeini 2015), and (k, 3): mean p, share right, count.

    Of all cards that were read, whether reported or asked about. Bins of equal counts: nearly
    everything is read with more than 99 %.
    """
    read = [(r.p, r.right or r.first) for r in records if r.p > 0]
    if not read:
        return 0.0, np.zeros((0, 3))
    pairs = np.array(sorted(read, key=lambda one: one[0]), float)
    parts = [part for part in np.array_split(pairs, bins) if len(part)]
    table = np.array([(part[:, 0].mean(), part[:, 1].mean(), len(part)) for part in parts])
    weight = table[:, 2] / table[:, 2].sum()
    return float((weight * np.abs(table[:, 0] - table[:, 1])).sum()), table


def confusion_picture(records: Iterable[Record]) -> Image:
    """Ranks as labelled (rows) and as reported (columns), counts of what is wrong in red."""
    cell, codes = 46, [r.code for r in RANKS]
    count = np.zeros((len(RANKS), len(RANKS)), int)
    for record in records:
        if record.seen is not None:
            count[RANKS.index(record.card.rank), RANKS.index(record.seen.rank)] += 1
    side = cell * (len(RANKS) + 1)
    image = np.full((side, side, 3), _PAPER, np.uint8)
    for i, code in enumerate(codes):
        _write(image, code, 8, (i + 1) * cell + 29)
        _write(image, code, (i + 1) * cell + 8, 29)
        for j in range(len(codes)):
            n, (x, y) = count[i, j], ((j + 1) * cell, (i + 1) * cell)
            if n:
                strength = min(1.0, np.log1p(n) / (8 if i == j else 3))
                tint = (
                    (1 - strength, 1.0, 1 - strength) if i == j else (1 - strength, 1 - strength, 1)
                )
                colour = tuple(float(255 - 90 * (1 - t) if i == j else 255 * t) for t in tint)
                cv2.rectangle(image, (x, y), (x + cell, y + cell), colour, -1)
                _write(image, str(n), x + 4, y + 29)
            cv2.rectangle(image, (x, y), (x + cell, y + cell), _GRID, 1)
    return image


def reliability_picture(records: Iterable[Record]) -> Image:
    """How often what is read with a probability is right; on the diagonal it is calibrated."""
    error, table = calibration_error(records)
    side, pad = 420, 50
    image = np.full((side + 2 * pad, side + 2 * pad, 3), _PAPER, np.uint8)
    corner, far = (pad, pad + side), (pad + side, pad)
    cv2.rectangle(image, (pad, pad), (pad + side, pad + side), _GRID, 1)
    cv2.line(image, corner, far, _GRID, 1, cv2.LINE_AA)
    for p, right, n in table:
        at = int(pad + side * p), int(pad + side * (1 - right))
        cv2.circle(image, at, int(3 + np.log1p(n)), (180, 90, 30), -1, cv2.LINE_AA)
    _write(image, f"expected calibration error {error:.4f}", pad, pad - 16)
    _write(image, "probability read", pad + side - 150, pad + side + 32)
    return image


def worst_sheet(records: Iterable[Record], most: int = 40, columns: int = 8) -> Image:
    """The worst errors: what was reported wrongly, the surest first, then what was missed."""
    wrong = sorted((r for r in records if not r.right), key=lambda r: (r.seen is None, -r.p))[:most]
    tile, text = 150, 38
    rows = max(1, -(-len(wrong) // columns))
    image = np.full((rows * (tile + text), columns * tile, 3), _PAPER, np.uint8)
    for i, record in enumerate(wrong):
        x, y = i % columns * tile, i // columns * (tile + text)
        crop = record.crop
        scale = (tile - 6) / max(crop.shape[:2])
        size = max(1, int(crop.shape[1] * scale)), max(1, int(crop.shape[0] * scale))
        small = cv2.resize(
            crop, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        )
        image[y + 2 : y + 2 + size[1], x + 2 : x + 2 + size[0]] = small
        fate = (
            f"{record.seen} {record.p:.2f}"
            if record.seen
            else "asked"
            if record.asked
            else "missed"
        )
        _write(image, f"{record.card}: {fate}", x + 2, y + tile + 14, 0.42)
        _write(image, record.name[-22:], x + 2, y + tile + 30, 0.34)
    return image


def _write(image: Image, text: str, x: int, y: int, size: float = 0.55) -> None:
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 1, cv2.LINE_AA)


def write_report(records: Sequence[Record], folder: Path) -> None:
    """Print the tables and write the pictures into ``folder``; PlaceError if that cannot be."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=100)
    for title, key in GROUPS.items():
        table = Table(title, "labelled", "rank recall %", "wrong %", "asked %")
        for row in by_group(records, key):
            table.add_row(*row)
        console.print(table)
    console.print(f"expected calibration error {calibration_error(records)[0]:.4f}")
    make(folder)
    for name, picture in (
        ("confusion", confusion_picture(records)),
        ("reliability", reliability_picture(records)),
        ("worst", worst_sheet(records)),
    ):
        write(folder / f"{name}.png", cv2.imencode(".png", picture)[1].tobytes())
