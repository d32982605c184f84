"""What the player of the pyramid patience does: the events, their JSON form and their line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, parse_card
from engine.errors import CardError, ScenarioError, nearest, one_of, shown


@dataclass(frozen=True, slots=True)
class Flip:
    """The next card of the stock goes to the waste; ``card`` is what was seen, if anything."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Two cards go to the foundation together."""

    first: Card
    second: Card

    @property
    def cards(self) -> tuple[Card, Card]:
        """Both cards, as they were named."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class King:
    """A king goes to the foundation by itself."""

    card: Card

    @property
    def cards(self) -> tuple[Card]:
        """The one card."""
        return (self.card,)


@dataclass(frozen=True, slots=True)
class Reset:
    """The waste is turned over and is the stock again."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last move that is not yet taken back is taken back."""


Move = Flip | Match | King | Reset
"""An event that changes the cards by itself."""

Event = Move | Undo

KINDS = ("flip", "match", "king", "reset", "undo")
"""The keys of which an event carries exactly one, and nothing beside it."""


def from_json(data: object) -> Event:
    """The event of one decoded JSON object; ScenarioError says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise ScenarioError(f"expected an event as a JSON object, not {shown(data)}")
    if len(data) != 1 or (kind := next(iter(data))) not in KINDS:
        strange = next((str(key) for key in data if key not in KINDS), "")
        seen = one_of(data) or "nothing"
        raise ScenarioError(
            f"expected one of {one_of(KINDS)}, found {seen}{nearest(strange, KINDS)}"
        )
    value = data[kind]
    if kind == "flip":
        return Flip() if value is True else Flip(_card(value, "flip takes true or a card code"))
    if kind == "match":
        if not isinstance(value, list) or len(value) != 2:
            raise ScenarioError(
                f'match takes a list of two card codes such as ["4H", "9C"], not {shown(value)}'
            )
        first, second = (
            _card(code, "match takes two card codes", ", each with its suit") for code in value
        )
        return Match(first, second)
    if kind == "king":
        return King(_card(value, "king takes a card code"))
    if value is not True:
        raise ScenarioError(f"{kind} takes true, not {shown(value)}")
    return Reset() if kind == "reset" else Undo()


def to_json(event: Event) -> dict[str, Any]:
    """The event as the JSON object that ``from_json`` reads back."""
    if isinstance(event, Flip):
        return {"flip": True if event.card is None else str(event.card)}
    if isinstance(event, Match):
        return {"match": [str(card) for card in event.cards]}
    if isinstance(event, King):
        return {"king": str(event.card)}
    return {"reset": True} if isinstance(event, Reset) else {"undo": True}


def event_line(event: Event) -> str:
    """The event in a few words: ``flip 10C``, ``match 4H 9C``, ``king KD``, ``reset``, ``undo``."""
    ((kind, value),) = to_json(event).items()
    words = value if isinstance(value, list) else [] if value is True else [value]
    return " ".join((kind, *words))


def _card(value: object, takes: str, suited: str = " with its suit") -> Card:
    if not isinstance(value, str):
        raise ScenarioError(f"{takes} such as 10H, not {shown(value)}")
    try:
        card = parse_card(value)
    except CardError as wrong:
        raise ScenarioError(f"{takes}: {wrong}") from None
    if card.suit_unknown:
        raise ScenarioError(f"{takes}{suited}, not {shown(value)}")
    return card
