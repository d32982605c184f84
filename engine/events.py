"""What happened at the table: the events of a game, and their JSON form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.cards import Card, Rank, parse_card, parse_rank
from engine.errors import CardError, ScenarioError, nearest, one_of, shown


class Zone(Enum):
    """Where a player's cards come from, in the order in which they must be played."""

    HAND = "hand"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Start:
    """The card that was turned up to begin the pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class FaceUp:
    """Face-up table cards that were shown: pairs of a player's name and the cards."""

    rows: tuple[tuple[str, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True)
class Play:
    """Cards laid on the pile, the lowest first.

    ``by`` None is the player in turn. ``source`` None leaves the zone to the counts.
    ``under`` slides them beneath the pile. ``joker`` is what jokers stand for.
    """

    cards: tuple[Card, ...]
    by: str | None = None
    source: Zone | None = None
    under: bool = False
    joker: Rank | None = None


@dataclass(frozen=True, slots=True)
class PickUp:
    """The pile taken into the hand; ``along`` are face-up cards taken with it."""

    by: str | None = None
    along: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """A card turned from the stock in the hope that it fits."""

    card: Card
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """The player in turn declines to play."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """A full set thrown out of the hand, out of the game."""

    cards: tuple[Card, ...]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last event that changed something is taken back."""


@dataclass(frozen=True, slots=True)
class Overrule:
    """The table lets the last refused play stand."""


Fact = Start | FaceUp | Play | PickUp | Chance | Pass | Remove
"""An event that happened at the table itself."""


@dataclass(frozen=True, slots=True)
class Amend:
    """Event ``number`` (counted from 1) was really ``event``."""

    number: int
    event: Fact | Undo | Overrule


Event = Fact | Amend | Undo | Overrule


# -- JSON ------------------------------------------------------------------------------------

_KEYS: dict[str, frozenset[str]] = {
    "start": frozenset(),
    "faceup": frozenset(),
    "play": frozenset({"by", "from", "under", "joker"}),
    "pickup": frozenset({"by", "with"}),
    "chance": frozenset({"by"}),
    "pass": frozenset({"by"}),
    "remove": frozenset({"by"}),
    "undo": frozenset(),
    "overrule": frozenset(),
}
KINDS: tuple[str, ...] = (*_KEYS, "amend")
"""The keys of which an event carries exactly one (an amend carries one more)."""


def from_json(data: object) -> Event:
    """The event of one decoded JSON object; ScenarioError says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise ScenarioError(f"expected an event as a JSON object, not {shown(data)}")
    if "amend" not in data:
        return _plain(data)
    number = data["amend"]
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ScenarioError(
            f"amend takes the number of an event, counted from 1, not {shown(number)}"
        )
    return Amend(number, _plain({key: data[key] for key in data if key != "amend"}))


def to_json(event: Event) -> dict[str, Any]:
    """The event as the JSON object that ``from_json`` reads back; defaults are left out."""
    if isinstance(event, Amend):
        return {"amend": event.number, **to_json(event.event)}
    if isinstance(event, Start):
        return {"start": str(event.card)}
    if isinstance(event, FaceUp):
        return {"faceup": {name: _codes(cards) for name, cards in event.rows}}
    if isinstance(event, Undo):
        return {"undo": True}
    if isinstance(event, Overrule):
        return {"overrule": True}
    return _moved_to_json(event)


def _moved_to_json(event: Play | PickUp | Chance | Pass | Remove) -> dict[str, Any]:
    out: dict[str, Any]
    if isinstance(event, Play):
        out = {"play": _codes(event.cards)}
        if event.source is not None:
            out["from"] = event.source.value
        if event.under:
            out["under"] = True
        if event.joker is not None:
            out["joker"] = event.joker.code
    elif isinstance(event, PickUp):
        out = {"pickup": True}
        if event.along:
            out["with"] = _codes(event.along)
    elif isinstance(event, Chance):
        out = {"chance": str(event.card)}
    elif isinstance(event, Remove):
        out = {"remove": _codes(event.cards)}
    else:
        out = {"pass": True}
    if event.by is not None:
        out["by"] = event.by
    return out


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _plain(data: Mapping[str, Any]) -> Fact | Undo | Overrule:
    kinds = [key for key in data if key in _KEYS]
    if len(kinds) != 1:
        strange = next((key for key in data if key not in _KEYS), None)
        hint = nearest(str(strange), KINDS) if strange is not None else ""
        seen = one_of(data) or "nothing"
        raise ScenarioError(f"expected one of {one_of(KINDS)}, found {seen}{hint}")
    kind = kinds[0]
    for key in data:
        if key != kind and key not in _KEYS[kind]:
            hint = nearest(str(key), _KEYS[kind])
            raise ScenarioError(f"{kind} has no key {shown(key)}{hint}")
    return _READERS[kind](data)


def _by(data: Mapping[str, Any]) -> str | None:
    name = data.get("by")
    if name is not None and not isinstance(name, str):
        raise ScenarioError(f"by takes a player's name, not {shown(name)}")
    return name


def _card(value: object, key: str) -> Card:
    if not isinstance(value, str):
        raise ScenarioError(f"{key} takes a card code such as 10H, not {shown(value)}")
    try:
        return parse_card(value)
    except CardError as wrong:
        raise ScenarioError(f"{key}: {wrong}") from None


def _cards(value: object, key: str) -> tuple[Card, ...]:
    if not isinstance(value, list) or not value:
        raise ScenarioError(
            f'{key} takes a list of card codes such as ["7H", "7S"], not {shown(value)}'
        )
    return tuple(_card(code, key) for code in value)


def _true(data: Mapping[str, Any], key: str) -> None:
    if data[key] is not True:
        raise ScenarioError(f"{key} takes true, not {shown(data[key])}")


def _read_faceup(data: Mapping[str, Any]) -> FaceUp:
    rows = data["faceup"]
    if not isinstance(rows, Mapping) or not rows:
        raise ScenarioError(f"faceup takes an object of names and cards, not {shown(rows)}")
    return FaceUp(tuple((str(name), _cards(row, "faceup")) for name, row in rows.items()))


def _read_play(data: Mapping[str, Any]) -> Play:
    source, under, joker = data.get("from"), data.get("under", False), data.get("joker")
    if source is not None and source not in ("hand", "up", "down"):
        raise ScenarioError(f"from takes hand, up or down, not {shown(source)}")
    if not isinstance(under, bool):
        raise ScenarioError(f"under takes true or false, not {shown(under)}")
    try:
        rank = None if joker is None else parse_rank(joker)
    except CardError as wrong:
        raise ScenarioError(f"joker: {wrong}") from None
    if rank is Rank.JOKER:
        raise ScenarioError("joker takes the rank it stands for, 2 … 10, J, Q, K or A, not JK")
    return Play(
        _cards(data["play"], "play"),
        by=_by(data),
        source=None if source is None else Zone(source),
        under=under,
        joker=rank,
    )


def _read_pickup(data: Mapping[str, Any]) -> PickUp:
    _true(data, "pickup")
    along = _cards(data["with"], "with") if "with" in data else ()
    return PickUp(by=_by(data), along=along)


def _read_pass(data: Mapping[str, Any]) -> Pass:
    _true(data, "pass")
    return Pass(by=_by(data))


def _read_undo(data: Mapping[str, Any]) -> Undo:
    _true(data, "undo")
    return Undo()


def _read_overrule(data: Mapping[str, Any]) -> Overrule:
    _true(data, "overrule")
    return Overrule()


_READERS: dict[str, Callable[[Mapping[str, Any]], Fact | Undo | Overrule]] = {
    "start": lambda data: Start(_card(data["start"], "start")),
    "faceup": _read_faceup,
    "play": _read_play,
    "pickup": _read_pickup,
    "chance": lambda data: Chance(_card(data["chance"], "chance"), by=_by(data)),
    "pass": _read_pass,
    "remove": lambda data: Remove(_cards(data["remove"], "remove"), by=_by(data)),
    "undo": _read_undo,
    "overrule": _read_overrule,
}
