"""``pilewatch judge``: replays written games through the referee."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from engine.errors import PilewatchError, ScenarioError, printable
from engine.rulebook import RuleSet, rule_set
from firmware.arguments import given
from firmware.expectation import difference, missing
from firmware.scenario import AnyGame, begin, judged, lines


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``judge``."""
    parser = sub.add_parser(
        "judge",
        help="replay a written game through the referee",
        description="Replay scenarios (a set-up line, then one event a line) and print the"
        " ruling on each event as a line of JSON.",
    )
    parser.add_argument("scenarios", type=given, nargs="+", metavar="SCENARIO.jsonl")
    parser.add_argument(
        "--check",
        action="store_true",
        help="print only where a ruling differs from what the scenario expects",
    )
    parser.add_argument(
        "--rules", metavar="NAME|FILE.toml", help="house rules in place of the scenario's own"
    )


def run(args: argparse.Namespace) -> int:
    """0; 1 if ``--check`` found a difference; 2 if a scenario was malformed."""
    rules = None if args.rules is None else rule_set(args.rules)
    passed = failed = 0
    code = 0
    for name in args.scenarios:
        try:
            for line, expected, answer in _replay(name, rules):
                if not args.check:
                    if expected is None:
                        sys.stdout.write(json.dumps(answer) + "\n")
                    continue
                if expected is None:
                    continue
                wanted, got = difference(expected, answer)
                passed, failed = passed + (not wanted), failed + bool(wanted)
                if wanted:
                    sys.stdout.write(
                        f"{printable(name)}:{line} expected {json.dumps(wanted)}"
                        f" got {json.dumps(got)}{missing(wanted, got)}\n"
                    )
        except PilewatchError as wrong:
            sys.stdout.flush()
            sys.stderr.write(f"pilewatch: {wrong}\n")
            code = wrong.exit_code
    if args.check:
        sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return code or (1 if failed else 0)


def _replay(
    name: str, rules: RuleSet | None
) -> Iterator[tuple[int, dict[str, Any] | None, dict[str, Any]]]:
    """Line number, what is expected there (None at an event) and the latest answer."""
    game: AnyGame | None = None
    answer: dict[str, Any] | None = None
    events = 0
    for number, data in lines(name):
        try:
            if game is None:
                game = begin(data, rules)
            elif isinstance(data, dict) and "expect" in data:
                yield number, _expectation(data, answer), answer or {}
            else:
                events += 1
                game, answer = judged(game, data, events)
                yield number, None, answer
        except PilewatchError as wrong:
            raise ScenarioError(f"{name}:{number}: {wrong}") from None
    if game is None:
        raise ScenarioError(f"{name}: expected a set-up line, the file is empty")


def _expectation(data: dict[str, Any], answer: dict[str, Any] | None) -> dict[str, Any]:
    expected = data["expect"]
    if not isinstance(expected, dict) or len(data) > 1:
        raise ScenarioError("expected expect with an object and nothing beside it")
    if answer is None:
        raise ScenarioError("expect stands before the first event")
    return expected
