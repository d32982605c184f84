"""Training scenes: heaps, fans and scattered cards of many decks, with their truth.

A scene is a picture (uint8 BGR) and a table of its indices, float32 (n, 10):
x, y, angle, size, centre dx, centre dy (pixels), visible 0…1, open 0/1, rank 2…15,
suit 0…3 (-1: none).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from vision.render import Camera, Hand, Placed, Stage, make_deck
from vision.render.deck import Deck, DrawnDeck, IndexPlace, fan_step
from vision.render.glyphs import packaged_fonts
from vision.render.stage import Light
from vision.spot import Pixels

SUITS = tuple(Suit)
ALL_CARDS = tuple(Card(Rank(r), s) for r in range(2, 15) for s in SUITS)
JOKER = Card(Rank.JOKER, None)
SIZE = (640, 480)
#: Share of the scenes that show no card, only what lies about.
BARE = 0.12
#: How many of the drawn decks have their signs put beside the ranks, over those that have them
#: there anyway: few have, and then every index looks like one that lies on its side.
BESIDE = 0.2
#: Share of the scenes of drawn decks whose cards come from several new ones, and from how many: for
#: the reader every letter counts, and what a deck of its own costs is the least of a scene.
SHUFFLED, DECKS = 0.8, 8
#: Share of the scenes whose cards of one rank lie together, as they are played.
SETS = 0.5


@dataclass(frozen=True)
class Scene:
    """One picture and the truth of its indices; ``deck`` names the deck it shows."""

    image: NDArray[np.uint8]
    indices: NDArray[np.float32]
    deck: str


def training_fonts() -> tuple[Path, ...]:
    """Every upright font of the system that has the letters, with the packaged ones."""
    words = (
        "italic",
        "oblique",
        "thin",
        "hairline",
        "symbol",
        "music",
        "dings",
        "math",
        "barcode",
        "braille",
        "uralic",
        "emoji",
        "icons",
    )
    found = [
        f
        for f in sorted(Path("/usr/share/fonts").rglob("*.[to]tf"))
        if not any(w in f.stem.lower() for w in words)
    ]
    good = []
    from PIL import ImageFont

    for file in [*packaged_fonts(), *found]:
        try:
            face = ImageFont.truetype(str(file), 40)
            sizes = {face.getmask(letter).getbbox() for letter in "2345678AJQK"}
        except OSError:
            continue
        heights = [box[3] - box[1] for box in sizes if box]
        # A font without these glyphs draws the same box for all of them.
        if (
            len(sizes) > 6
            and None not in sizes
            and min(heights) > 12
            and max(heights) < 2 * min(heights)
        ):
            good.append(file)
    return tuple(good)


def _heap(
    rng: np.random.Generator, count: int, view: tuple[float, float], narrow: float
) -> list[tuple[float, float, float]]:
    """Poses (x, y, angle) of ``count`` cards, in one of the ways people lay them.

    ``narrow`` is the step in mm of a fan that hardly shows more than its indices.
    """
    w, h = view
    kind = rng.random()
    x, y = rng.uniform(-0.25, 0.25, 2) * (w, h)
    turn = rng.uniform(-np.pi, np.pi)
    if kind < 0.3:  # a messy pile
        spread = np.exp(rng.uniform(np.log(1.5), np.log(45)))  # squared up … thrown about
        return [
            (
                x + rng.normal(0, spread),
                y + rng.normal(0, spread),
                turn + rng.normal(0, rng.uniform(0.1, 3)),
            )
            for _ in range(count)
        ]
    if kind < 0.65:  # fans, rows and staircases
        poses = []
        # A set laid down as one play shows hardly more than its indices.
        tight = rng.random() < 0.5
        step = narrow * rng.uniform(0.75, 1.35) if tight else rng.uniform(9, 40)
        lean = rng.normal(0, 0.15) if tight else rng.uniform(-0.9, 0.9)
        bend = rng.uniform(-0.25, 0.25)
        for i in range(count):
            a = turn + bend * (i - count / 2)
            along = step * (i - count / 2)
            poses.append(
                (
                    x + along * np.cos(a) - lean * along * np.sin(a),
                    y + along * np.sin(a) + lean * along * np.cos(a),
                    a + rng.normal(0, 0.05) + (np.pi if rng.random() < 0.1 else 0),
                )
            )
        return poses
    if kind < 0.85:  # scattered
        return [
            (rng.uniform(-0.52, 0.52) * w, rng.uniform(-0.52, 0.52) * h, rng.uniform(-np.pi, np.pi))
            for _ in range(count)
        ]
    columns = int(np.ceil(np.sqrt(count)))  # laid out in rows
    return [
        (
            (i % columns - columns / 2 + 0.5) * rng.uniform(62, 74),
            (i // columns - columns / 2 + 0.5) * rng.uniform(87, 100),
            turn * (i % 2) * 0.1 + rng.normal(0, 0.08) + (np.pi if rng.random() < 0.3 else 0),
        )
        for i in range(count)
    ]


def random_light(rng: np.random.Generator) -> Light:
    """Any light that people play in, and how the camera copes with it."""
    warm = rng.normal(0, 0.12)
    return Light(
        gain=float(np.exp(rng.normal(-0.22, 0.42))),
        tint=(float(1 - warm), float(1 - warm * 0.3), float(1 + warm * 0.6)),
        unevenness=float(rng.uniform(0, 0.4)),
        blur=float(max(0.0, rng.normal(0.7, 0.5))),
        motion=float(rng.uniform(2, 7)) if rng.random() < 0.12 else 0.0,
        noise=float(abs(rng.normal(2, 5))),
        glares=int(rng.integers(1, 4)) if rng.random() < 0.25 else 0,
        contrast=float(rng.uniform(0.7, 1.2)),
    )


@dataclass(frozen=True)
class ShuffledDecks:
    """Cards of several decks shuffled together: each card is of one of them."""

    decks: tuple[Deck, ...]

    def _of(self, card: Card) -> Deck:
        return self.decks[card.number % len(self.decks)]

    def face(self, card: Card) -> Pixels:
        """As its deck prints it."""
        return self._of(card).face(card)

    def back(self) -> Pixels:
        """That of the first."""
        return self.decks[0].back()

    def index_places(self, card: Card) -> tuple[IndexPlace, ...]:
        """Where its deck prints them."""
        return self._of(card).index_places(card)


class SceneMaker:
    """Makes scenes from a stream of seeds; keeps some decks and replaces them by and by."""

    def __init__(
        self,
        fonts: Sequence[Path],
        art: Sequence[Deck],
        seed: int,
        art_share: float = 0.35,
        kept: int = 12,
    ) -> None:
        """``art_share``: how many of the decks are artwork; none are shuffled if all are."""
        self._fonts, self._art, self._art_share = tuple(fonts), list(art), art_share
        self._rng = np.random.default_rng([seed, 20])
        self._decks: list[tuple[str, Deck]] = [self._new_deck() for _ in range(kept)]

    def _new_deck(self) -> tuple[str, Deck]:
        if self._art and self._rng.random() < self._art_share:
            deck = self._art[int(self._rng.integers(len(self._art)))]
            return deck.folder.name, deck
        return self._drawn()

    def _drawn(self) -> tuple[str, DrawnDeck]:
        seed = int(self._rng.integers(1 << 40))
        deck = make_deck(seed, self._fonts)
        if self._rng.random() < BESIDE:
            deck = DrawnDeck(replace(deck.style, beside=True), seed)
        return f"drawn-{seed}", deck

    def scene(
        self,
        size: tuple[int, int] = SIZE,
        index_px: tuple[float, float] = (8.5, 56.0),
        bare: float = BARE,
    ) -> Scene:
        """One more scene; an index block is ``index_px`` pixels high (log-uniform).

        ``bare`` is the chance that there is no card.
        """
        rng = self._rng
        if rng.random() < 0.25:
            self._decks[int(rng.integers(len(self._decks)))] = self._new_deck()
        name, deck = self._decks[int(rng.integers(len(self._decks)))]
        if name.startswith("drawn") and rng.random() < SHUFFLED:
            name = "drawn, shuffled"
            deck = ShuffledDecks(tuple(self._drawn()[1] for _ in range(DECKS)))
        block = deck.index_places(ALL_CARDS[5])[0].size
        px_per_mm = float(np.exp(rng.uniform(np.log(index_px[0]), np.log(index_px[1])))) / block
        px_per_mm = float(np.clip(px_per_mm, 0.6, 7.5))
        view = size[0] / px_per_mm, size[1] / px_per_mm
        room = view[0] * view[1] / (63 * 88)
        count = int(np.clip(rng.integers(1, max(3, int(1.6 * room) + 2)), 1, 30))
        nothing = rng.random() < bare
        if nothing:
            count = 0
        cards = [ALL_CARDS[i] for i in rng.permutation(52)]
        if rng.random() < SETS:
            order = list(rng.permutation(13))
            cards.sort(key=lambda c: order[c.rank - 2])
        if name.startswith("drawn") and rng.random() < 0.5:
            cards[:2] = [JOKER, JOKER]
            rng.shuffle(cards[: max(4, count)])  # type: ignore[arg-type]
        placed = []
        while len(placed) < count:
            group = int(rng.integers(1, count - len(placed) + 1))
            narrow = fan_step(deck, cards[len(placed)])
            for x, y, angle in _heap(rng, group, view, narrow):
                card = None if rng.random() < 0.05 else cards[len(placed)]
                placed.append(Placed(card, float(x), float(y), float(angle)))
        tilt = float(abs(rng.normal(0, 0.35)))
        camera = Camera(size, px_per_mm, min(tilt, 0.87), float(rng.uniform(-np.pi, np.pi)))
        stage = Stage(
            int(rng.integers(1 << 40)),
            deck,
            camera=camera,
            light=random_light(rng),
            fonts=self._fonts,
            clutter=1.0 if nothing else 0.55,
        )
        hand = None
        if rng.random() < 0.18:
            hand = Hand(
                float(rng.normal(0, 0.3) * view[0]),
                float(rng.normal(0, 0.3) * view[1]),
                float(rng.uniform(-np.pi, np.pi)),
                int(rng.integers(10)),
            )
        image, owner = stage.compose(placed, hand)
        picture = stage.expose(image)
        if rng.random() < 0.4:
            _, coded = cv2.imencode(
                ".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))]
            )
            picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return Scene(picture, _table(stage, placed, owner), name)


def _table(stage: Stage, placed: list[Placed], owner: NDArray[np.int16]) -> NDArray[np.float32]:
    rows = []
    h, w = owner.shape
    seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(placed))
    open_cards = []
    for number, item in enumerate(placed):
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, stage.outline(item).astype(np.int32), 1)
        open_cards.append(seen[number] >= 0.97 * max(1, int(mask.sum())))
    for t in stage.indices(placed, owner):
        suit = -1 if t.card.suit is None else SUITS.index(t.card.suit)
        rows.append(
            (
                t.x,
                t.y,
                t.angle,
                t.size,
                *t.to_centre,
                t.visible,
                float(open_cards[t.owner]),
                float(t.card.rank),
                float(suit),
            )
        )
    return np.asarray(rows, np.float32).reshape(-1, 10)
