"""What a printer chooses once for a whole deck: fonts, sizes, colours, letters, layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.cards import Rank, Suit

Colour = tuple[float, float, float]

#: Letters of the court cards, and of ten and ace where they differ, by printing country.
LETTERS: dict[str, dict[Rank, str]] = {
    "en": {},
    "en-T": {Rank.TEN: "T"},
    "de": {Rank.JACK: "B", Rank.QUEEN: "D"},
    "sv": {Rank.JACK: "Kn", Rank.QUEEN: "D", Rank.ACE: "E"},
    "da": {Rank.JACK: "B", Rank.QUEEN: "D", Rank.ACE: "E"},
    "fr": {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"},
    "fr-1": {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R", Rank.ACE: "1"},
    "pl": {Rank.JACK: "W", Rank.QUEEN: "D"},
}


@dataclass(frozen=True)
class DeckStyle:
    """The choices a printer makes once for a whole deck; lengths in mm, colours BGR."""

    rank_font: Path
    rank_height: float
    rank_width: float  # of the glyph's natural width
    ten_width: float  # most that a "10" takes, in rank heights
    suit_height: float
    gap: float
    margin_x: float
    margin_y: float
    four_indices: bool
    beside: bool  # suit beside the rank, not under it
    letters: str
    paper: Colour
    inks: dict[Suit, Colour]
    pip_height: float
    court: str  # "figure", "letter", "none"
    frame: bool
    clear_index: bool  # court figure and frame begin beside the index, not under it
    corner: float
    border: Colour | None
    wear: float  # how much of the ink is rubbed off, 0…1
    joker: str  # "stacked", "sideways", "flat", "star", "title"
    joker_word: str
    joker_font: Path


def _inks(rng: np.random.Generator, dark: bool) -> dict[Suit, Colour]:
    def near(*bgr: float) -> Colour:
        b, g, r = (float(np.clip(c + rng.normal(0, 14), 0, 255)) for c in bgr)
        return (b, g, r)

    if dark:
        gold, pale = near(60, 160, 200), near(205, 225, 230)
        red = gold if rng.random() < 0.5 else near(50, 40, 215)
        black = gold if rng.random() < 0.3 else pale
        return {Suit.C: black, Suit.S: black, Suit.H: red, Suit.D: red}
    black, red = near(28, 24, 24), near(40, 30, 205)
    if rng.random() < 0.15:
        return {
            Suit.C: near(50, 130, 30),
            Suit.S: black,
            Suit.H: red,
            Suit.D: near(200, 90, 30) if rng.random() < 0.7 else near(30, 120, 230),
        }
    if rng.random() < 0.04:
        red = black
    return {Suit.C: black, Suit.S: black, Suit.H: red, Suit.D: red}


def random_style(seed: int, fonts: Sequence[Path], plain: bool = False) -> DeckStyle:
    """A style drawn from ``seed``; ``plain`` keeps to what ordinary shops sell (see make_deck)."""
    rng = np.random.default_rng([seed, 0])
    # Choices that ordinary decks do not have, apart, so that those stay as they are.
    odd = np.random.default_rng([seed, 4])
    if plain:
        fonts = [file for file in fonts if "Light" not in file.stem] or fonts
    font = fonts[int(rng.integers(len(fonts)))]
    dark = not plain and rng.random() < 0.14
    jumbo = rng.random() < 0.18
    rank_height = float(
        rng.uniform(9.5, 17.0) if jumbo else rng.uniform(6.2 if plain else 4.6, 9.5)
    )
    if dark:
        paper = tuple(float(c) for c in rng.uniform(12, 55) + rng.normal(0, 5, 3))
        if rng.random() < 0.25:
            paper = (
                float(rng.uniform(20, 50)),
                float(rng.uniform(20, 45)),
                float(rng.uniform(90, 150)),
            )
    else:
        white = rng.uniform(225, 255)
        paper = (
            float(white - abs(rng.normal(0, 9))),
            float(white - abs(rng.normal(0, 4))),
            float(white),
        )
        if not plain and rng.random() < 0.08:
            paper = tuple(float(c) for c in rng.uniform(150, 250, 3))
    letters = "en"
    if not plain and rng.random() < 0.28:
        letters = str(rng.choice([name for name in LETTERS if name != "en"]))
    beside = not plain and rng.random() < 0.05
    titled = not plain and odd.random() < 0.4
    word = str(odd.choice(["Joker", "JOKER", "joker", "Jolly"])) if titled else "JOKER"
    style = DeckStyle(
        rank_font=font,
        rank_height=rank_height,
        rank_width=float(rng.uniform(0.65, 1.1)),
        ten_width=1.15 if plain else float(odd.uniform(0.62, 1.2)),
        wear=float(odd.uniform(0.1, 0.5)) if not plain and odd.random() < 0.18 else 0.0,
        suit_height=float(
            rank_height * rng.uniform(0.68 if plain else 0.5, 1.0 if not jumbo else 0.9)
        ),
        gap=float(rank_height * rng.uniform(0.06, 0.28)),
        margin_x=float(rng.uniform(1.6, 4.5)),
        margin_y=float(rng.uniform(2.2, 6.0)),
        four_indices=bool(rng.random() < 0.2) and not plain,
        beside=bool(beside),
        letters=letters,
        paper=(paper[0], paper[1], paper[2]),
        inks=_inks(rng, bool(dark)),
        pip_height=float(rng.uniform(9, 16)),
        court=str(rng.choice(["figure", "letter", "none"], p=[0.88, 0.08, 0.04]))
        if not plain
        else "figure",
        frame=bool(rng.random() < 0.7),
        clear_index=plain or odd.random() < 0.5,
        corner=float(rng.uniform(2.0, 4.5)),
        border=None if rng.random() < 0.8 else (60.0, 60.0, 60.0),
        joker=str(rng.choice(["stacked", "sideways", "flat", "star"], p=[0.5, 0.2, 0.2, 0.1])),
        joker_word=word,
        joker_font=fonts[int(odd.integers(len(fonts)))] if titled else font,
    )
    return replace(style, joker="title") if titled else style
