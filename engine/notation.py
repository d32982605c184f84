"""An event as one line of text, as a person would say it, and back again.

``play 7H 7S by Bob from up``, ``faceup Ann KD AH 10S Bob QC``, ``pickup with 4D``,
``play JK joker 9``, ``play 7H call higher``, ``swap AH with 4C by Bob``, ``lift 9D``,
``undo 3``, ``amend 4 pickup``. Names that could be read otherwise stand in quotation marks.
The words are the keys of the JSON form.
"""

from __future__ import annotations

import json
import re
from typing import Any

from engine.cards import parse_card
from engine.errors import CardError, ScenarioError, nearest, one_of, shown
from engine.events import KINDS, Event, from_json, to_json
from engine.position import parse_table, table_line

__all__ = ["event_line", "parse_event", "parse_table", "table_line"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
_PLAIN_NAME = re.compile(r"[^\W\d_][\w.-]*")
_DETAILS = ("by", "from", "with", "under", "joker", "call")
_LISTS = ("play", "remove", "with", "swap")
"""Keys that take a list, even of one."""


def event_line(event: Event) -> str:
    """The event as one line; ``parse_event`` reads it back."""
    data = to_json(event)
    words = ["amend", str(data["amend"])] if "amend" in data else []
    kind = next(key for key in KINDS if key in data)
    words += [kind, *_words(data[kind])]
    for key in _DETAILS:
        if key == "by" and key in data:
            words += [key, _name(data[key])]
        elif key in data:
            words += [key, *_words(data[key])]
    return " ".join(words)


def parse_event(line: str) -> Event:
    """The event of one line; ScenarioError says what was expected instead."""
    tokens = _TOKEN.findall(line)
    if _TOKEN.sub("", line).strip():
        raise ScenarioError(f"{shown(line)}: a quotation mark is left open")
    data: dict[str, Any] = {}
    if tokens[:1] == ["amend"]:
        try:
            data["amend"] = _read_number(tokens[1] if len(tokens) > 1 else "", "amend")
        except ScenarioError as wrong:
            raise ScenarioError(f"{shown(line)}: {wrong}") from None
        tokens = tokens[2:]
    if not tokens or tokens[0] not in KINDS:
        first = tokens[0] if tokens else ""
        raise ScenarioError(
            f"{shown(line)} is no event; expected {one_of(KINDS)}{nearest(first, KINDS)}"
        )
    try:
        return from_json(data | _object(tokens[0], tokens[1:]))
    except ScenarioError as wrong:
        raise ScenarioError(f"{shown(line)}: {wrong}") from None


def _words(value: object) -> list[str]:
    """A value of the JSON form as words; ``true`` needs none."""
    if isinstance(value, dict):
        return [word for name, row in value.items() for word in (_name(name), *row)]
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is True else [str(value)]


def _object(kind: str, tokens: list[str]) -> dict[str, Any]:
    """The JSON form of the words after ``kind``."""
    values: list[str] = []
    found: dict[str, list[str]] = {kind: values}
    for token in tokens:
        if token in _DETAILS:
            values = found.setdefault(token, [])
        else:
            values.append(token)
    data: dict[str, Any] = dict(found)
    for key, words in found.items():
        if key == "by":
            data[key] = _read_name(words[0]) if len(words) == 1 else words
        elif key == "faceup":
            data[key] = _rows(words)
        elif not words:
            data[key] = True
        elif key == "undo" and len(words) == 1:
            data[key] = _read_number(words[0], "undo")
        elif key not in _LISTS and len(words) == 1:
            data[key] = words[0]
    return data


def _read_number(word: str, key: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word):
        raise ScenarioError(f"{key} takes the number of an event, not {shown(word)}")
    return int(word)


def _rows(words: list[str]) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    cards: list[str] = []
    for word in words:
        if _is_card(word):
            cards.append(word)
        else:
            cards = rows.setdefault(_read_name(word), [])
    return rows


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except CardError:
        return False
    return True


def _name(name: str) -> str:
    """A player's name as one token: plain, or quoted where it could be read otherwise."""
    if _PLAIN_NAME.fullmatch(name) and not _is_card(name) and name not in _DETAILS:
        return name
    return json.dumps(name)


def _read_name(token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token))
    except ValueError:
        raise ScenarioError(f"{token} is no name in quotation marks") from None
