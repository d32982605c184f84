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
    ``under`` slides them beneath the pile. ``joker`` is what jokers stand for. ``higher``
    is the player's call for higher cards after a rank that would ask for lower ones.
    """

    cards: tuple[Card, ...]
    by: str | None = None
    source: Zone | None = None
    under: bool = False
    joker: Rank | None = None
    higher: bool = False


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
class Swap:
    """Before play: ``cards`` of the hand were laid face up in place of ``taken``."""

    cards: tuple[Card, ...]
    taken: tuple[Card, ...]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Lift:
    """A face-down card was looked at and kept in the hand; ``card`` if others saw it too.

    ``by`` None is the player of the face-down card on top.
    """

    card: Card | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last event that changed something is taken back, or event ``number`` is."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class Overrule:
    """The table lets the last refused play stand."""


Fact = Start | FaceUp | Swap | Play | PickUp | Chance | Pass | Remove | Lift
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
    "swap": frozenset({"by", "with"}),
    "play": frozenset({"by", "from", "under", "joker", "call"}),
    "pickup": frozenset({"by", "with"}),
    "chance": frozenset({"by"}),
    "pass": frozenset({"by"}),
    "remove": frozenset({"by"}),
    "lift": frozenset({"by"}),
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
    number = _number(data["amend"], "amend")
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
        return {"undo": True if event.number is None else event.number}
    if isinstance(event, Overrule):
        return {"overrule": True}
    return _moved_to_json(event)


def _moved_to_json(
    event: Play | PickUp | Chance | Pass | Remove | Swap | Lift,
) -> dict[str, Any]:
    out: dict[str, Any]
    if isinstance(event, Play):
        out = _play_to_json(event)
    elif isinstance(event, Swap):
        out = {"swap": _codes(event.cards), "with": _codes(event.taken)}
    elif isinstance(event, Lift):
        out = {"lift": True if event.card is None else str(event.card)}
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


def _play_to_json(event: Play) -> dict[str, Any]:
    out: dict[str, Any] = {"play": _codes(event.cards)}
    if event.source is not None:
        out["from"] = event.source.value
    if event.under:
        out["under"] = True
    if event.joker is not None:
        out["joker"] = event.joker.code
    if event.higher:
        out["call"] = "higher"
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


def _number(value: object, key: str, takes: str = "the number of an event, counted from 1") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ScenarioError(f"{key} takes {takes}, not {shown(value)}")
    return value


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
    call = data.get("call", "lower")
    if call not in ("lower", "higher"):
        raise ScenarioError(f"call takes lower or higher, not {shown(call)}")
    return Play(
        _cards(data["play"], "play"),
        by=_by(data),
        source=None if source is None else Zone(source),
        under=under,
        joker=rank,
        higher=call == "higher",
    )


def _read_pickup(data: Mapping[str, Any]) -> PickUp:
    _true(data, "pickup")
    along = _cards(data["with"], "with") if "with" in data else ()
    return PickUp(by=_by(data), along=along)


def _read_pass(data: Mapping[str, Any]) -> Pass:
    _true(data, "pass")
    return Pass(by=_by(data))


def _read_swap(data: Mapping[str, Any]) -> Swap:
    if "with" not in data:
        raise ScenarioError("swap names with the face-up cards that were taken, found no with")
    return Swap(_cards(data["swap"], "swap"), _cards(data["with"], "with"), by=_by(data))


def _read_lift(data: Mapping[str, Any]) -> Lift:
    card = None if data["lift"] is True else _card(data["lift"], "lift")
    return Lift(card, by=_by(data))


def _read_undo(data: Mapping[str, Any]) -> Undo:
    value = data["undo"]
    if value is True:
        return Undo()
    return Undo(_number(value, "undo", "true or the number of an event, counted from 1"))


def _read_overrule(data: Mapping[str, Any]) -> Overrule:
    _true(data, "overrule")
    return Overrule()


_READERS: dict[str, Callable[[Mapping[str, Any]], Fact | Undo | Overrule]] = {
    "start": lambda data: Start(_card(data["start"], "start")),
    "faceup": _read_faceup,
    "swap": _read_swap,
    "play": _read_play,
    "pickup": _read_pickup,
    "chance": lambda data: Chance(_card(data["chance"], "chance"), by=_by(data)),
    "pass": _read_pass,
    "lift": _read_lift,
    "remove": lambda data: Remove(_cards(data["remove"], "remove"), by=_by(data)),
    "undo": _read_undo,
    "overrule": _read_overrule,
}
