"""A table as bad evenings have it: dim and grainy, lamps switched, shadows, torches, bumps.

Stands in for the stage of the virtual table. What happens at a time depends on the seed and that
time alone, so that a game can be played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Suit
from vision.frame import Image
from vision.render import Hand, Placed, Stage, make_deck
from vision.render.deck import Deck, IndexPlace, Pixels
from vision.render.stage import Light

SUITS = tuple(Suit)
#: Something happens to the light, or to the camera, once in so many frames.
SPELL = 60
#: Brightness that a lamp may leave, and how auto-exposure hunts after a step (frame by frame).
LEVELS, HUNTING = (0.6, 1.25), (1.22, 0.86, 1.1, 0.96)
#: Frames that a shadow or a torch takes to cross the view, and that a bump lasts.
CROSSING, SHAKING = 14, 3
#: A bumped camera shows all so many pixels elsewhere.
BUMP = 7.0


class TwoDecks:
    """Cards of two printers shuffled together, as a drawer gives them."""

    def __init__(self, one: Deck, other: Deck, seed: int) -> None:
        self._decks, self._seed = (one, other), seed

    def _of(self, card: Card) -> Deck:
        suit = 0 if card.suit is None else 1 + SUITS.index(card.suit)
        mixed = np.random.default_rng([self._seed, 50, int(card.rank), suit])
        return self._decks[int(mixed.integers(2))]

    def face(self, card: Card) -> Pixels:
        """As the card's own printer has it."""
        return self._of(card).face(card)

    def back(self) -> Pixels:
        """The first printer's."""
        return self._decks[0].back()

    def index_places(self, card: Card) -> tuple[IndexPlace, ...]:
        """As the card's own printer has them."""
        return self._of(card).index_places(card)


@dataclass(frozen=True)
class _Spell:
    """What happens in one spell: at frame ``at`` of it, and what is left of it afterwards."""

    kind: str
    at: int
    level: float
    shift: tuple[float, float]
    course: float


class RoughStage:
    """Draws what a camera sees there; see :class:`vision.render.Stage` for the units."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 51])
        self._seed = seed
        self.deck = TwoDecks(make_deck(seed, plain=True), make_deck(seed + 1, plain=True), seed)
        light = Light(
            gain=float(rng.uniform(0.55, 0.85)),
            tint=(float(rng.uniform(0.75, 1.0)), 0.95, 1.0),
            unevenness=float(rng.uniform(0.15, 0.35)),
            blur=float(rng.uniform(0.4, 0.9)),
            noise=float(rng.uniform(6.0, 10.0)),
        )
        self._stage = Stage(seed, self.deck, light=light, clutter=0.5)
        self._spell = cache(self._new_spell)

    def draw(self, placed: Sequence[Placed], hand: Hand | None = None, tick: int = 0) -> Image:
        """The picture that the camera takes at frame ``tick``."""
        image = self._stage.compose(placed, hand)[0]
        number, frame = divmod(tick, SPELL)
        before, now = self._spell(number - 1), self._spell(number)
        since = frame - now.at
        image *= self._brightness(before, now, since, frame)
        if 0 <= since < CROSSING and now.kind in ("shadow", "torch"):
            _cross(image, now, since / CROSSING)
        shift = before.shift if since < 0 else now.shift
        if now.kind == "bump" and 0 <= since < SHAKING:
            shift = (2 * now.shift[0] - before.shift[0], now.shift[1])
        if shift != (0.0, 0.0):
            move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
            size = image.shape[1], image.shape[0]
            image = cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REPLICATE)
        return self._stage.expose(image, tick)

    @staticmethod
    def _brightness(before: _Spell, now: _Spell, since: int, frame: int) -> float:
        if now.kind == "dusk":
            return before.level + (now.level - before.level) * frame / SPELL
        if now.kind != "lamp" or since < 0:
            return before.level if now.kind == "lamp" else now.level
        return now.level * (HUNTING[since] if since < len(HUNTING) else 1.0)

    def _new_spell(self, number: int) -> _Spell:
        if number < 0:
            return _Spell("calm", 0, 1.0, (0.0, 0.0), 0.0)
        rng = np.random.default_rng([self._seed, 52, number])
        before = self._spell(number - 1)
        kind = str(rng.choice(["calm", "lamp", "dusk", "shadow", "torch", "bump"]))
        level = float(rng.uniform(*LEVELS)) if kind in ("lamp", "dusk") else before.level
        x, y = (float(n) for n in rng.normal(0, BUMP / 2, 2))
        return _Spell(
            kind,
            int(rng.integers(5, SPELL - CROSSING - 5)),
            level,
            (x, y) if kind == "bump" else before.shift,
            float(rng.uniform(0, 2 * np.pi)),
        )


def _cross(image: NDArray[np.float32], spell: _Spell, part: float) -> None:
    """A soft shadow, or a torch's bright spot, ``part`` of its way across the view."""
    h, w = image.shape[:2]
    small_h, small_w = h // 8, w // 8
    reach = 1.2 * (part - 0.5) * w
    x, y = w / 2 + reach * np.cos(spell.course), h / 2 + reach * np.sin(spell.course)
    yy, xx = np.mgrid[0:small_h, 0:small_w] * 8.0
    spot = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * (0.16 * w) ** 2)).astype(np.float32)
    spot = cv2.resize(spot, (w, h))[..., None]
    image *= 1 + spot * (0.9 if spell.kind == "torch" else -0.55)
