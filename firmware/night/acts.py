"""What happens in a night beside the plays: the acts of the journal, and their JSON form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.errors import PilewatchError, one_of, shown
from engine.rules import preset_names
from engine.setup import Setup
from firmware import fixes
from firmware.fixes import Doing
from firmware.journal import PLAY
from firmware.night.scoring import PLAIN, Result, Terms


class NightError(PilewatchError, ValueError):
    """An act that this night cannot take; the message says why."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A night begins, for these terms."""

    terms: Terms = PLAIN


@dataclass(frozen=True, slots=True)
class Agreed:
    """The table plays for other terms from now on, those already played included."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class Joined:
    """A player sits down, again or for the first time; ``seat`` None is the last one."""

    player: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A player gets up; what was won and lost stays."""

    player: str


@dataclass(frozen=True, slots=True)
class Seated:
    """The same players sit in this order."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player is called otherwise, also in what has been."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Began:
    """A game is dealt."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class Did:
    """Something happened within the game."""

    doing: Doing


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over, by so many entries of play."""

    result: Result
    plays: int


@dataclass(frozen=True, slots=True)
class Edited:
    """The result of a game (from 1) was really this."""

    game: int
    result: Result
    reason: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Game ``game`` (from 1) does not count; None: the one that is on, not played to its end."""

    reason: str = ""
    game: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """The last game goes on after all: its result, or that it was abandoned, was a mistake."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The night is over; a game that was not finished waits."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """The night goes on after all, or is the one that goes on here of several that are open."""


Act = (
    Opened
    | Agreed
    | Joined
    | Left
    | Seated
    | Renamed
    | Began
    | Did
    | Ended
    | Edited
    | Abandoned
    | PlayedOn
    | Closed
    | Reopened
)

_KINDS: dict[type, str] = {
    Opened: "open",
    Agreed: "agree",
    Joined: "join",
    Left: "leave",
    Seated: "seats",
    Renamed: "rename",
    Began: "begin",
    Did: PLAY,
    Ended: "end",
    Edited: "edit",
    Abandoned: "abandon",
    PlayedOn: "playon",
    Closed: "close",
    Reopened: "reopen",
}
BEGAN = _KINDS[Began]
OPENED, CLOSED, REOPENED = _KINDS[Opened], _KINDS[Closed], _KINDS[Reopened]


def kind_of(act: Act) -> str:
    """The journal's word for such an act."""
    return _KINDS[type(act)]


def to_json(act: Act) -> dict[str, Any]:
    """The act's body, which ``from_json`` reads back."""
    if isinstance(act, Opened | Agreed):
        return {"word": act.terms.word, "points": list(act.terms.points)}
    if isinstance(act, Joined):
        return {"player": act.player} | ({} if act.seat is None else {"seat": act.seat})
    if isinstance(act, Left):
        return {"player": act.player}
    if isinstance(act, Seated):
        return {"players": list(act.players)}
    if isinstance(act, Renamed):
        return {"player": act.player, "name": act.name}
    if isinstance(act, Began):
        return act.setup.to_json()
    if isinstance(act, Did):
        return fixes.to_json(act.doing)
    if isinstance(act, Ended):
        return _result_to_json(act.result) | {"plays": act.plays}
    if isinstance(act, Edited):
        return {"game": act.game, **_result_to_json(act.result), "reason": act.reason}
    if isinstance(act, Abandoned):
        return {"reason": act.reason} | ({} if act.game is None else {"game": act.game})
    return {}


def _result_to_json(result: Result) -> dict[str, Any]:
    return {"out": list(result.out), "loser": result.loser}


def from_json(kind: str, data: Mapping[str, Any]) -> Act:
    """The act of a kind and a body; PilewatchError says what is wrong with it."""
    reader = _READERS.get(kind)
    if reader is None:
        raise NightError(f"a night knows no {shown(kind)}; expected {one_of(_READERS)}")
    return reader(data)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise NightError(f"{key} takes a text, not {shown(value)}")
    return value


def _names(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise NightError(f"{key} takes a list of names, not {shown(value)}")
    return tuple(value)


def _number(data: Mapping[str, Any], key: str, least: int = 0) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise NightError(f"{key} takes a number from {least}, not {shown(value)}")
    return value


def _terms(data: Mapping[str, Any]) -> Terms:
    word, points = data.get("word"), data.get("points", [])
    if word is not None and not isinstance(word, str):
        raise NightError(f"word takes a text, not {shown(word)}")
    if not isinstance(points, list) or any(
        isinstance(each, bool) or not isinstance(each, int) for each in points
    ):
        raise NightError(
            f"points takes a list of numbers, the first place first, not {shown(points)}"
        )
    return Terms(word, tuple(points))


def result_from_json(data: Mapping[str, Any]) -> Result:
    """The result of an object with ``out`` and ``loser``, or ``winner`` in place of ``out``."""
    loser = None if data.get("loser") is None else _text(data, "loser")
    out = _names(data, "out") if data.get("out") is not None else ()
    if data.get("winner") is not None:
        winner = _text(data, "winner")
        if out and out[0] != winner:
            raise NightError(f"winner is {shown(winner)} and first out {shown(out[0])}")
        out = out or (winner,)
    return Result(out, loser)


def _setup(data: Mapping[str, Any]) -> Setup:
    rules = data.get("rules")
    if isinstance(rules, str) and rules.endswith(".toml"):
        # A set-up can name a file of rules, but what is kept holds all of them itself.
        raise NightError(f"rules takes {one_of(preset_names())}, not {shown(rules)}")
    return Setup.from_json(data)


_READERS: dict[str, Callable[[Mapping[str, Any]], Act]] = {
    "open": lambda data: Opened(_terms(data)),
    "agree": lambda data: Agreed(_terms(data)),
    "join": lambda data: Joined(
        _text(data, "player"), _number(data, "seat") if "seat" in data else None
    ),
    "leave": lambda data: Left(_text(data, "player")),
    "seats": lambda data: Seated(_names(data, "players")),
    "rename": lambda data: Renamed(_text(data, "player"), _text(data, "name")),
    "begin": lambda data: Began(_setup(data)),
    PLAY: lambda data: Did(fixes.from_json(data)),
    "end": lambda data: Ended(result_from_json(data), _number(data, "plays")),
    "edit": lambda data: Edited(
        _number(data, "game", 1), result_from_json(data), _text(data, "reason")
    ),
    "abandon": lambda data: Abandoned(
        _text(data, "reason"), _number(data, "game", 1) if "game" in data else None
    ),
    "playon": lambda data: PlayedOn(),
    "close": lambda data: Closed(),
    "reopen": lambda data: Reopened(),
}


@lru_cache(maxsize=4096)
def act_of(kind: str, body: str) -> Act:
    """The act of a journal's entry; PilewatchError says what is wrong with it.

    The same people do the same things night after night, so many are read only once.
    """
    data = json.loads(body)
    if not isinstance(data, dict):
        raise NightError(f"expected an object, not {shown(data)}")
    return from_json(kind, data)
