"""Written results replayed: the file of ``pilewatch night score``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import PilewatchError, ScenarioError, nearest, one_of, shown
from engine.rules import find_rules
from engine.setup import Setup, check_spelling
from engine.written import read_object
from firmware.night.acts import NightError, result_from_json
from firmware.night.names import check_name
from firmware.night.scoring import Score, Scored, Terms, completed
from firmware.night.tables import score_to_json

_KEYS = ("rules", "players", "games", "note", "word", "points", "options", "decks", "dealer")
_GAME_KEYS = ("winner", "loser", "out", "expect", "note", "players", "rules", "dealer")


def replayed(path: Path) -> Iterator[tuple[int, dict[str, Any] | None, dict[str, Any]]]:
    """Game by game: its number, what the file expects after it (or None), and the score.

    ScenarioError names the file, the game and what was expected.
    """
    data = read_object(path, "file of results", ScenarioError)
    try:
        _check_keys(data, _KEYS, "a file of results")
        games = data.get("games")
        if not isinstance(games, list):
            raise ScenarioError(f"games takes a list of results, not {shown(games)}")
        terms = Terms(_word(data.get("word")), _points(data.get("points", [])))
        seats = _seated(data, data)
    except PilewatchError as wrong:
        raise ScenarioError(f"{path}: {wrong}") from None
    score = Score(word=terms.word or "")
    everybody = list(seats.players)
    for number, game in enumerate(games, 1):
        try:
            if not isinstance(game, Mapping):
                raise ScenarioError(f"expected a result as an object, not {shown(game)}")
            _check_keys(game, _GAME_KEYS, "a game")
            if score.over:
                raise NightError(f"the night was over: {score.loser} has the whole word")
            scored = _scored(game, data, score, seats)
            everybody += [name for name in scored.seats if name not in everybody]
            score = score.after(scored, terms)
        except PilewatchError as wrong:
            raise ScenarioError(f"{path}: game {number}: {wrong}") from None
        expect = game.get("expect")
        if expect is not None and not isinstance(expect, Mapping):
            raise ScenarioError(f"{path}: game {number}: expect takes an object")
        answer = score_to_json(score, everybody)
        yield number, None if expect is None else dict(expect), answer


def _scored(game: Mapping[str, Any], data: Mapping[str, Any], score: Score, seats: Setup) -> Scored:
    setup = _seated(dict(data) | dict(game), game) if {"players", "rules"} & set(game) else seats
    result = result_from_json(game)
    names = (*result.out, *([result.loser] if result.loser else []))
    if not names:
        raise NightError("a result names a winner or a loser, or both")
    for name in names:
        setup.seat(name) if name in setup.players else _unknown(name, setup.players)
        if names.count(name) > 1:
            raise NightError(f"{name} cannot end a game twice")
    dealer = game.get("dealer") or score.dealer or setup.players[setup.dealer]
    return Scored(setup.rules, setup.players, completed(result, setup.players), dealer)


def _unknown(name: str, players: tuple[str, ...]) -> None:
    raise NightError(f"no {shown(name)} plays here; expected {one_of(players)}")


def _seated(data: Mapping[str, Any], where: Mapping[str, Any]) -> Setup:
    rules = data.get("rules")
    if not isinstance(rules, str):
        raise ScenarioError(f"rules takes the name of a rule set, not {shown(rules)}")
    keys = {"rules": rules, "players": data.get("players")}
    for key in ("options", "decks", "dealer"):
        if data.get(key) is not None and (key != "dealer" or key in where):
            keys[key] = data[key]
    find_rules(rules)
    setup = Setup.from_json(keys)
    check_spelling(setup.players)
    for name in setup.players:
        check_name(name)
    return setup


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in data:
        if key not in known:
            raise ScenarioError(f"{what} has no key {shown(key)}{nearest(str(key), known)}")


def _word(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ScenarioError(f"word takes a text, not {shown(value)}")
    return value


def _points(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or any(
        isinstance(each, bool) or not isinstance(each, int) for each in value
    ):
        raise ScenarioError(f"points takes numbers, the first place first, not {shown(value)}")
    return tuple(value)
