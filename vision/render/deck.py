"""A deck of cards of a random, self-consistent look, printed face by face on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from vision.render.court import half_figure
from vision.render.glyphs import Mask, packaged_fonts, suit_mask, text_mask
from vision.render.style import LETTERS, Colour, DeckStyle, random_style
from vision.render.surface import smooth_noise

Pixels = NDArray[Any]

#: A card is 63 × 88 mm (poker size); faces are drawn at 5 pixels a millimetre.
CARD_MM = (63.0, 88.0)
FACE_PX_PER_MM = 5.0
#: Heights of a joker's index, in those of a rank.
_JOKER_HEIGHTS = {"stacked": 3.2, "sideways": 3.0, "flat": 0.6, "star": 1.2, "title": 0.9}
#: A court figure leaves no more than this beside it for the index (mm).
WIDEST_INSET = 20.0


@dataclass(frozen=True)
class IndexPlace:
    """Where one corner index is printed: centre and block size in mm from the card's top left.

    ``flipped`` is true for the two lower corners, printed upside down. ``size`` is the
    height of rank and suit together (for wide blocks their width over 1.1).
    """

    x: float
    y: float
    size: float
    flipped: bool


class Deck(Protocol):
    """What the stage needs of a deck: drawn ones and scanned artwork alike."""

    def face(self, card: Card) -> Pixels:
        """The card's face, (h, w, 4) BGRA, the alpha its rounded outline."""
        ...

    def back(self) -> Pixels:
        """The pattern on the back, (h, w, 4) BGRA."""
        ...

    def index_places(self, card: Card) -> tuple[IndexPlace, ...]:
        """Every index printed on the card's face."""
        ...


def fan_step(deck: Deck, card: Card) -> float:
    """Millimetres of the card's left side that its index takes, and a little more.

    That much a fan leaves free of the card below.
    """
    places = [place for place in deck.index_places(card) if place.x < CARD_MM[0] / 2]
    return max((place.x + 0.3 * place.size for place in places), default=0.0) + 1.5


def _stamp(
    face: NDArray[Any],
    mask: Mask,
    x: float,
    y: float,
    h: float,
    w: float,
    ink: Colour,
    flip: bool = False,
) -> None:
    """Print ``mask`` in ``ink``, its middle at x, y, h by w pixels; cut off at the border."""
    width, height = max(1, round(w)), max(1, round(h))
    stamp = cv2.resize(
        mask[::-1, ::-1] if flip else mask, (width, height), interpolation=cv2.INTER_AREA
    )
    top, left = round(y - height / 2), round(x - width / 2)
    y0, x0 = max(0, top), max(0, left)
    y1, x1 = min(face.shape[0], top + height), min(face.shape[1], left + width)
    if y1 <= y0 or x1 <= x0:
        return
    alpha = stamp[y0 - top : y1 - top, x0 - left : x1 - left, None]
    face[y0:y1, x0:x1] = face[y0:y1, x0:x1] * (1 - alpha) + np.asarray(ink, np.float32) * alpha


_PIP_ROWS: dict[int, list[tuple[float, float]]] = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.0), (0.5, 1.0)],
    3: [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    4: [(0, 0), (1, 0), (0, 1), (1, 1)],
    5: [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)],
    6: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    7: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    8: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25), (0.5, 0.75)],
    9: [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 0.5)],
    10: [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}


@dataclass
class DrawnDeck:
    """A deck printed from a :class:`DeckStyle`; faces are drawn once and kept."""

    style: DeckStyle
    seed: int
    _suits: dict[Suit, Mask] = field(default_factory=dict)
    _faces: dict[Card | None, Pixels] = field(default_factory=dict)
    _outline: Pixels | None = None
    _rim: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.seed, 1])
        self._suits = {suit: suit_mask(suit, rng) for suit in Suit}

    def rank_text(self, rank: Rank) -> str:
        """What this deck prints for ``rank``."""
        if rank is Rank.JOKER:
            return self.style.joker_word
        return LETTERS[self.style.letters].get(rank, rank.code)

    def _rank_mask(self, rank: Rank) -> Mask:
        style = self.style
        if rank is Rank.JOKER:
            if style.joker == "star":
                return _star()
            mask = text_mask(
                style.joker_font, self.rank_text(rank), stacked=style.joker == "stacked"
            )
            return np.ascontiguousarray(mask.T[:, ::-1]) if style.joker == "sideways" else mask
        return text_mask(style.rank_font, self.rank_text(rank))

    def _block(
        self, card: Card
    ) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
        """Sizes (w, h) in mm of the rank, of the suit, and of the block they make."""
        style = self.style
        rank = self._rank_mask(card.rank)
        if card.rank is Rank.JOKER:
            h = min(style.rank_height, 9.5) if style.joker == "title" else style.rank_height
            h *= _JOKER_HEIGHTS[style.joker]
            widest = 34.0 if style.joker == "title" else 20.0
            w = min(h * rank.shape[1] / rank.shape[0], widest)
            return (w, h), (0.0, 0.0), (w, h)
        rank_h = style.rank_height
        natural = rank_h * rank.shape[1] / rank.shape[0] * style.rank_width
        limit = rank_h * (style.ten_width if len(self.rank_text(card.rank)) > 1 else 1.0)
        rank_w = min(natural, limit)
        suit = self._suits[card.suit or Suit.C]
        suit_h = style.suit_height
        suit_w = suit_h * suit.shape[1] / suit.shape[0]
        if style.beside:
            return (
                (rank_w, rank_h),
                (suit_w, suit_h),
                (rank_w + style.gap + suit_w, max(rank_h, suit_h)),
            )
        return (
            (rank_w, rank_h),
            (suit_w, suit_h),
            (max(rank_w, suit_w), rank_h + style.gap + suit_h),
        )

    def index_places(self, card: Card) -> tuple[IndexPlace, ...]:
        """Two or four indices; see :class:`IndexPlace`."""
        (_, _), (_, _), (w, h) = self._block(card)
        column = max(self.style.rank_height * 0.72, self.style.suit_height * 0.9)
        x = self.style.margin_x + max(column, w) / 2
        y = self.style.margin_y + h / 2
        size = max(h, w / 1.1)
        width, height = CARD_MM
        places = [IndexPlace(x, y, size, False), IndexPlace(width - x, height - y, size, True)]
        if self.style.four_indices and card.rank is not Rank.JOKER:
            places += [IndexPlace(width - x, y, size, False), IndexPlace(x, height - y, size, True)]
        return tuple(places)

    def _print_indices(self, face: NDArray[Any], card: Card, ink: Colour) -> None:
        k, style = FACE_PX_PER_MM, self.style
        (rank_w, rank_h), (suit_w, suit_h), (block_w, block_h) = self._block(card)
        for place in self.index_places(card):
            sign = -1.0 if place.flipped else 1.0
            dx, dy = (block_w - rank_w) / 2 if style.beside else 0.0, (block_h - rank_h) / 2
            if style.beside:
                dy = 0.0
            rank = self._rank_mask(card.rank)
            _stamp(
                face,
                rank,
                (place.x - sign * dx) * k,
                (place.y - sign * dy) * k,
                rank_h * k,
                rank_w * k,
                ink,
                place.flipped,
            )
            if card.suit is not None and suit_h:
                dx = (block_w - suit_w) / 2 if style.beside else 0.0
                dy = 0.0 if style.beside else (block_h - suit_h) / 2
                _stamp(
                    face,
                    self._suits[card.suit],
                    (place.x + sign * dx) * k,
                    (place.y + sign * dy) * k,
                    suit_h * k,
                    suit_w * k,
                    ink,
                    place.flipped,
                )

    def _print_ornaments(self, face: NDArray[Any]) -> None:
        """Stars and moons about the corners where a joker's title begins."""
        rng = np.random.default_rng([self.seed, 6])
        k, (width, height) = FACE_PX_PER_MM, CARD_MM
        blue, green, red = (float(c) for c in rng.uniform(0, 255, 3))
        for _ in range(int(rng.integers(0, 7))):
            size, mask = rng.uniform(2, 6), _star() if rng.random() < 0.6 else _moon()
            x, y = rng.uniform(2, 22), rng.uniform(2, 16)
            for flip in (False, True):
                at = (width - x, height - y) if flip else (x, y)
                _stamp(
                    face, mask, at[0] * k, at[1] * k, size * k, size * k, (blue, green, red), flip
                )

    def _print_pips(self, face: NDArray[Any], card: Card, ink: Colour) -> None:
        k, (width, height) = FACE_PX_PER_MM, CARD_MM
        mask = self._suits[card.suit or Suit.C]
        count = 1 if card.rank is Rank.ACE else int(card.rank)
        pip = self.style.pip_height * (2.2 if count == 1 else 1.0)
        side = max(self.style.margin_x + self.style.rank_height + pip * 0.55, 17.0)
        top = 10.0 + pip / 2
        for u, v in _PIP_ROWS[count]:
            x, y = side + u * (width - 2 * side), top + v * (height - 2 * top)
            _stamp(
                face,
                mask,
                x * k,
                y * k,
                pip * k,
                pip * k * mask.shape[1] / mask.shape[0],
                ink,
                flip=v > 0.5,
            )

    def _print_figure(self, face: NDArray[Any], card: Card, ink: Colour) -> None:
        """A made-up court figure or joker: bright shapes, the same upside down."""
        rng = np.random.default_rng([self.seed, 3, card.number])
        k, (width, height) = FACE_PX_PER_MM, CARD_MM
        inset = rng.uniform(7, 13) if self.style.frame else rng.uniform(5, 15)
        if self.style.clear_index:
            place, (*_, (block_w, _)) = self.index_places(card)[0], self._block(card)
            inset = min(max(inset, place.x + block_w / 2 + 0.8), WIDEST_INSET)
        x0, y0 = int(inset * k), int(rng.uniform(5, 12) * k)
        w, h = int(width * k) - 2 * x0, int(height * k) // 2 - y0
        half = half_figure(rng, (h, w), self.style.paper, ink)
        figure = np.vstack([half, half[::-1, ::-1]])
        if self.style.frame:
            cv2.rectangle(figure, (0, 0), (w - 1, 2 * h - 1), (150, 60, 20), 3)
        else:
            yy, xx = np.meshgrid(np.linspace(-1, 1, 2 * h), np.linspace(-1, 1, w), indexing="ij")
            inside = (np.abs(xx) ** 3 + np.abs(yy) ** 8 < 0.9)[..., None]
            figure = np.where(inside, figure, np.asarray(self.style.paper, np.float32))
        face[y0 : y0 + 2 * h, x0 : x0 + w] = figure
        if card.suit is not None and self.style.court == "figure":
            mask, pip = self._suits[card.suit], self.style.pip_height
            for flip in (False, True):
                px, py = inset + pip * 0.65, y0 / k + pip * 0.7
                px, py = (width - px, height - py) if flip else (px, py)
                _stamp(
                    face,
                    mask,
                    px * k,
                    py * k,
                    pip * k,
                    pip * k * mask.shape[1] / mask.shape[0],
                    ink,
                    flip,
                )

    def face(self, card: Card) -> Pixels:
        """(440, 315, 4) BGRA."""
        if card not in self._faces:
            k = FACE_PX_PER_MM
            shape = round(CARD_MM[1] * k), round(CARD_MM[0] * k), 3
            face = np.empty(shape, np.float32)
            face[:] = self.style.paper
            ink = self.style.inks[
                card.suit if card.suit is not None else Suit.H if self.seed % 2 else Suit.S
            ]
            if Rank.JACK <= card.rank <= Rank.KING or card.rank is Rank.JOKER:
                if self.style.court == "letter" and card.rank is not Rank.JOKER:
                    mask = self._rank_mask(card.rank)
                    _stamp(
                        face,
                        mask,
                        shape[1] / 2,
                        shape[0] / 2,
                        150,
                        min(150 * mask.shape[1] / mask.shape[0], 160),
                        ink,
                    )
                elif self.style.court != "none":
                    self._print_figure(face, card, ink)
            elif self.style.court != "none" or card.rank is Rank.ACE:
                self._print_pips(face, card, ink)
            if card.rank is Rank.JOKER and self.style.joker == "title":
                self._print_ornaments(face)
            self._print_indices(face, card, ink)
            if self.style.wear:
                self._rub(face, card)
            self._faces[card] = self._cut(face)
        return self._faces[card]

    def _rub(self, face: NDArray[Any], card: Card) -> None:
        """Take ink away in patches, as many games do."""
        rng = np.random.default_rng([self.seed, 5, card.number])
        patches = smooth_noise(rng, (face.shape[0], face.shape[1]), 25) * 0.5
        fine = smooth_noise(rng, (face.shape[0], face.shape[1]), 4) * 0.5
        gone = np.clip(self.style.wear * (0.6 + patches + fine), 0, 0.75)[..., None]
        face += (np.asarray(self.style.paper, np.float32) * 0.96 - face) * gone

    def back(self) -> Pixels:
        """A pattern of one or two colours inside a pale border."""
        if None not in self._faces:
            rng = np.random.default_rng([self.seed, 2])
            h, w = round(CARD_MM[1] * FACE_PX_PER_MM), round(CARD_MM[0] * FACE_PX_PER_MM)
            face = np.empty((h, w, 3), np.float32)
            face[:] = self.style.paper
            yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
            a, b = rng.uniform(0.1, 0.6, 2)
            wave = (
                np.sin(xx * a + yy * b) * np.sin(xx * a - yy * b)
                if rng.random() < 0.6
                else np.sin(np.hypot(xx - w / 2, yy - h / 2) * a)
            )
            colour = np.asarray(
                [(60, 40, 190), (160, 60, 30), (50, 120, 40), (30, 30, 30), (120, 40, 110)][
                    int(rng.integers(5))
                ],
                np.float32,
            )
            mix = (wave > rng.uniform(-0.5, 0.3)).astype(np.float32)[..., None] * rng.uniform(
                0.6, 1.0
            )
            edge = int(rng.uniform(0, 5) * FACE_PX_PER_MM)
            inner = face * (1 - mix) + colour * mix
            face[edge : h - edge, edge : w - edge] = inner[edge : h - edge, edge : w - edge]
            self._faces[None] = self._cut(face)
        return self._faces[None]

    def _cut(self, face: NDArray[Any]) -> Pixels:
        """Round the corners and tint the very rim, as a cut edge looks."""
        if self._outline is None:
            h, w = face.shape[:2]
            r = round(self.style.corner * FACE_PX_PER_MM)
            outline = np.zeros((h, w), np.uint8)
            cv2.rectangle(outline, (r, 0), (w - 1 - r, h - 1), (255.0,), -1)
            cv2.rectangle(outline, (0, r), (w - 1, h - 1 - r), (255.0,), -1)
            for x, y in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
                cv2.circle(outline, (x, y), r, (255.0,), -1, cv2.LINE_AA)
            self._outline = outline
            self._rim = cv2.erode(outline, np.ones((3, 3), np.uint8), borderValue=(0.0,)) < 128
        face[self._rim] = self.style.border or tuple(c * 0.75 for c in self.style.paper)
        return np.dstack([cv2.convertScaleAbs(np.clip(face, 0, 255)), self._outline])


def _star() -> Mask:
    image = np.zeros((160, 160), np.uint8)
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    radius = np.where(np.arange(10) % 2 == 0, 78, 32)
    points = np.stack([80 + radius * np.cos(angle), 80 + radius * np.sin(angle)], 1)
    cv2.fillPoly(image, [points.astype(np.int32)], (255.0,), cv2.LINE_AA)
    return image.astype(np.float32) / 255


def _moon() -> Mask:
    image = np.zeros((160, 160), np.uint8)
    cv2.circle(image, (80, 80), 76, (255.0,), -1, cv2.LINE_AA)
    cv2.circle(image, (112, 80), 62, (0.0,), -1, cv2.LINE_AA)
    return image.astype(np.float32) / 255


def make_deck(seed: int, fonts: Sequence[Path] | None = None, plain: bool = False) -> DrawnDeck:
    """A deck of a look drawn from ``seed``: any of ``fonts`` (the packaged ones by default).

    ``plain`` keeps to what is sold in ordinary shops: pale paper, black and red ink,
    English letters of 6 mm or more in no thin face, suit under the rank, two indices.
    """
    return DrawnDeck(random_style(seed, fonts or packaged_fonts(), plain), seed)
