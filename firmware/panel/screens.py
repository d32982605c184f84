"""What the panel can show: one frozen dataclass a screen, free of any drawing."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card


@dataclass(frozen=True)
class Splash:
    """Start-up: the rules of tonight and who plays."""

    rules: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class TurnCard:
    """The rules want a card turned up before the first play."""

    dealer: str = ""


@dataclass(frozen=True)
class Turn:
    """Whose turn it is and what must be beaten.

    ``count`` is how many equal cards lie on top. ``owed`` is a line of the catalogue
    about what the player owes; ``last`` says what happened just before. ``hand`` is how many
    cards the player has left to play from: in hand, then face up, then face down.
    """

    player: str
    top: Card | None
    count: int = 1
    owed: str = ""
    last: str = ""
    pile: int = 0
    stock: int = 0
    hand: int = 0


@dataclass(frozen=True)
class Refused:
    """An illegal play: who, the card or cards that lie there wrongly, and why."""

    player: str
    cards: tuple[Card, ...]
    reason: str
    hint: str = ""


@dataclass(frozen=True)
class Burned:
    """A burn: the pile must go, and ``player`` is next (None when the game is over)."""

    player: str | None
    again: bool
    removed: int


@dataclass(frozen=True)
class TakesPile:
    """``player`` must take the pile; ``why`` in a few words."""

    player: str
    why: str = ""
    top: Card | None = None


@dataclass(frozen=True)
class Which:
    """A card that may be one of several; ``choice`` is the one that counts for now."""

    candidates: tuple[Card, ...]
    choice: int = 0
    title: str = ""
    hint: str = ""


@dataclass(frozen=True)
class YesNo:
    """A question that *pickup* confirms and *oops* denies."""

    question: str
    yes: str
    no: str


@dataclass(frozen=True)
class Out:
    """``player`` has no cards left, as the ``place``-th (from 1)."""

    player: str
    place: int


@dataclass(frozen=True)
class Over:
    """The game is over."""

    loser: str | None
    winner: str | None


@dataclass(frozen=True)
class Notice:
    """A short title and a sentence: the camera is gone, safe to unplug, and the like."""

    title: str
    text: str = field(default="")


@dataclass(frozen=True)
class Address:
    """Where the device can be reached, as a number and as a code for phones."""

    address: str


@dataclass(frozen=True)
class Choose:
    """One of several things to choose, ``value`` being the one that is pointed at."""

    title: str
    value: str
    hint: str = ""


@dataclass(frozen=True)
class Lines:
    """A title and up to three short lines; ``hint`` says how it goes on."""

    title: str
    lines: tuple[str, ...]
    hint: str = ""


@dataclass(frozen=True)
class Row:
    """A line of the score: letters, points or games lost of a player, and who wears the hat."""

    player: str
    value: str
    hat: bool = False


@dataclass(frozen=True)
class Scores:
    """How the night stands, between two games."""

    title: str
    rows: tuple[Row, ...]
    hint: str = ""


@dataclass(frozen=True)
class Pattern:
    """The test picture of the doctor: with the wrong driver it is torn or shifted."""

    driver: str


Screen = (
    Splash
    | TurnCard
    | Turn
    | Refused
    | Burned
    | TakesPile
    | Which
    | YesNo
    | Out
    | Over
    | Notice
    | Address
    | Choose
    | Lines
    | Scores
    | Pattern
)
