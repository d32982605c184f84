"""Written games: a set-up line, then one event a line, of Idiot or of the pyramid patience."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import pyramid
from engine.errors import RulesError, ScenarioError, SetupError
from engine.events import from_json
from engine.game import Game
from engine.pyramid import Deal, Patience, PyramidRules
from engine.rulebook import RuleSet, rule_set
from engine.setup import Setup, check_spelling
from engine.written import decoded, read_text

AnyGame = Game | Patience


def begin(data: object, rules: RuleSet | None = None) -> AnyGame:
    """The game of a set-up line; ``rules`` stands in for those it names.

    SetupError if it cannot be played, or if the rules are those of the other game.
    """
    if rules is None:
        rules = _named_rules(data)
    if isinstance(rules, PyramidRules):
        return Patience.new(Deal.from_json(data, rules))
    if rules is not None and isinstance(data, Mapping) and "pyramid" in data:
        raise SetupError(f"expected players, for {rules.name} is played, not a deal of the pyramid")
    setup = Setup.from_json(data, rules)
    check_spelling(setup.players)
    return Game.new(setup)


def _named_rules(data: object) -> RuleSet | None:
    """The rules that a set-up names, None if it names none in a text."""
    name = data.get("rules") if isinstance(data, Mapping) else None
    if not isinstance(name, str):
        return None
    try:
        return rule_set(name)
    except RulesError as wrong:
        raise SetupError(f"rules: {wrong}") from None


def judged(game: AnyGame, data: object, number: int) -> tuple[AnyGame, dict[str, Any]]:
    """The game after the event of a decoded line, and the answer to it."""
    if isinstance(game, Patience):
        patience, ruling = game.judge(pyramid.from_json(data))
        return patience, ruling.to_json(number)
    after, answer = game.judge(from_json(data))
    return after, answer.to_json(number)


def lines(name: str) -> Iterator[tuple[int, Any]]:
    """The decoded lines of a file with their numbers; blank lines are passed over."""
    text = read_text(name, "scenario", ScenarioError)
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, decoded(line)
        except ScenarioError as wrong:
            raise ScenarioError(
                f"{name}:{number}: expected one JSON object on the line ({wrong})"
            ) from None
