"""Decks from scanned or drawn artwork: folders of 52 pictures, indices found by their ink.

The artwork is training material that lies outside the repository.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from engine.cards import Card, Rank, Suit
from vision.render.deck import CARD_MM, IndexPlace, Pixels

#: Decks whose index stands elsewhere than at the top left with the suit below it, or is missing.
UNUSABLE = frozenset(
    {
        "kde-Ancient_Egyptians",
        "kde-oxygen",
        "kde-oxygen-air",
        "gnome-tango_nuevo",
        "pysol-1890-grimaud",
        "pysol-belgium-export",
        "pysol-greywyvern",
        "pysol-kabale",
        "pysol-liege",
        "pysol-momoko",
        "pysol-spaced",
        "pysol-stralsund-1890",
        "pysol-sylly",
    }
)
#: Decks that print the index in all four corners.
FOUR_INDICES = frozenset({"gnome-dondorf", "kde-dondorf", "kde-french"})
#: Decks whose court cards have no index.
NO_LETTERS = frozenset({"gnome-guyenne-classic"})
#: Where no component analysis finds the index: x0, y0, x1, y1 as fractions of the card.
BY_HAND = {"gnome-tango": (0.05, 0.051, 0.25, 0.366)}
#: Decks never used for training: what is measured on them is measured on unseen decks.
HELD_OUT = (
    "gnome-anglo_poker",
    "gnome-gnomangelo",
    "kde-konqi",
    "gnome-paris",
    "gnome-tango",
)


def _code(card: Card) -> str:
    rank = "T" if card.rank is Rank.TEN else card.rank.code
    return f"{rank}{card.suit.name if card.suit is not None else ''}"


def _index_box(face: Pixels) -> tuple[float, float, float, float] | None:
    """x0, y0, x1, y1 of the top left index as fractions of the card; None if not clear."""
    h, w = face.shape[:2]
    paper = np.median(face[h // 20 : -h // 20, w // 20 : -w // 20, :3].reshape(-1, 3), axis=0)
    ink = (np.abs(face[..., :3].astype(int) - paper).max(2) > 70) & (face[..., 3] > 200)
    ink[: max(2, h // 100)] = ink[:, : max(2, w // 100)] = False
    corner = ink[: int(0.42 * h), : int(0.3 * w)].astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(corner, connectivity=8)
    parts = []
    for x, y, cw, ch, area in stats[1:count]:
        if (
            area < 0.0006 * h * w
            or ch > 0.3 * h
            or x + cw >= corner.shape[1]
            or y + ch >= corner.shape[0]
        ):
            continue
        parts.append((x, y, x + cw, y + ch))
    if len(parts) < 2:
        return None
    first = min(parts, key=lambda p: p[0] * 1.5 + p[1])
    below = [
        p
        for p in parts
        if p[1] > first[3] - 0.2 * (first[3] - first[1])
        and p[0] < first[2]
        and p[2] > first[0]
        and p[1] < first[3] + 0.08 * h
    ]
    if not below:
        return None
    suit = min(below, key=lambda p: p[1])
    x0, y0 = min(first[0], suit[0]), first[1]
    return x0 / w, y0 / h, max(first[2], suit[2]) / w, suit[3] / h


@dataclass
class ArtDeck:
    """A folder of artwork as a deck; satisfies :class:`vision.render.deck.Deck`."""

    folder: Path
    _faces: dict[str, Pixels] = field(default_factory=dict)
    _box: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.folder.name in BY_HAND:
            self._box = BY_HAND[self.folder.name]
            return
        boxes = []
        for rank in range(2, 10):
            for suit in Suit:
                box = _index_box(self.face(Card(Rank(rank), suit)))
                if box is not None:
                    boxes.append(box)
        if len(boxes) >= 6:
            self._box = tuple(float(v) for v in np.median(np.array(boxes), axis=0))  # type: ignore[assignment]

    @property
    def usable(self) -> bool:
        """Whether the place of its indices is known."""
        return self._box is not None and self.folder.name not in UNUSABLE

    def _picture(self, name: str) -> Pixels:
        if name not in self._faces:
            file = self.folder / f"{name}.webp"
            picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED) if file.is_file() else None
            if picture is None:
                return np.dstack(
                    [np.full((350, 250, 3), 200, np.uint8), np.full((350, 250), 255, np.uint8)]
                )
            if picture.shape[2] == 3:
                picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
            self._faces[name] = picture
        return self._faces[name]

    def face(self, card: Card) -> Pixels:
        """The artwork itself, (h, w, 4) BGRA."""
        return self._picture(_code(card))

    def back(self) -> Pixels:
        """The deck's back, or grey where it has none."""
        return self._picture("back")

    def index_places(self, card: Card) -> tuple[IndexPlace, ...]:
        """Its two or four indices, or none; one place for all cards, the ten a little wider."""
        assert self._box is not None
        if self.folder.name in NO_LETTERS and Rank.JACK <= card.rank <= Rank.KING:
            return ()
        x0, y0, x1, y1 = self._box
        width, height = CARD_MM
        x, y, size = (x0 + x1) / 2 * width, (y0 + y1) / 2 * height, (y1 - y0) * height
        if card.rank is Rank.TEN:
            x += 0.02 * width
        places = [IndexPlace(x, y, size, False), IndexPlace(width - x, height - y, size, True)]
        if self.folder.name in FOUR_INDICES:
            places += [IndexPlace(width - x, y, size, False), IndexPlace(x, height - y, size, True)]
        return tuple(places)


def art_decks(folder: Path, held_out: bool = False) -> list[ArtDeck]:
    """The usable decks under ``folder``: those for training, or those held out."""
    decks = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path.name in HELD_OUT) == held_out and path.name not in UNUSABLE:
            deck = ArtDeck(path)
            if deck.usable:
                decks.append(deck)
    return decks
