"""``pilewatch solve``: whether a pyramid can be cleared, and how."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from engine.errors import PilewatchError, ScenarioError, printable, shown
from engine.pyramid import (
    NODE_LIMIT,
    Answer,
    Deal,
    Patience,
    Position,
    event_line,
    solve,
    to_json,
    winning_line,
)
from firmware.arguments import given, seed
from firmware.scenario import AnyGame, begin, judged, lines


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``solve``."""
    parser = sub.add_parser(
        "solve",
        help="tell whether a pyramid can be cleared, and how",
        description="Solve the pyramid patience: the deals of set-up lines (after the events that"
        " follow in the file, if any), a deal of its own, or many of them to measure the solver.",
    )
    parser.add_argument("scenarios", type=given, nargs="*", metavar="SCENARIO.jsonl")
    parser.add_argument("--seed", type=seed, metavar="N", help="a deal shuffled with this seed")
    parser.add_argument(
        "--deals",
        type=_count,
        metavar="N",
        help="measure with so many shuffled deals, the first with --seed (1)",
    )
    parser.add_argument(
        "--limit",
        type=_count,
        default=NODE_LIMIT,
        metavar="N",
        help=f"give up after so many tried choices ({NODE_LIMIT})",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """0, whatever the answer; 2 if there is no deal or a malformed one."""
    if bool(args.scenarios) == (args.seed is not None or args.deals is not None):
        raise PilewatchError("expected either scenarios with a deal, or --seed, or --deals")
    if args.deals is not None:
        found = measure(1 if args.seed is None else args.seed, args.deals, args.limit)
        sys.stdout.write((json.dumps(found) if args.json else as_table(found)) + "\n")
        return 0
    if args.seed is not None:
        deal = _dealt(args.seed)
        _tell(f"seed {args.seed}", deal, deal.start, args)
        return 0
    code = 0
    for name in args.scenarios:
        try:
            deal, position = _played(name)
        except PilewatchError as wrong:
            sys.stdout.flush()
            sys.stderr.write(f"pilewatch: {wrong}\n")
            code = wrong.exit_code
        else:
            _tell(name, deal, position, args)
    return code


def measure(first: int, deals: int, limit: int) -> dict[str, Any]:
    """What came out of so many seeded deals, and how long an answer took in milliseconds."""
    answers, times = [], []
    for number in range(first, first + deals):
        deal = _dealt(number)
        answer, took = _timed(deal, deal.start, limit)
        answers.append(answer)
        times.append(took)
    times.sort()
    return {
        "deals": deals,
        "first_seed": first,
        "winnable": sum(answer.winnable is True for answer in answers),
        "dead": sum(answer.winnable is False for answer in answers),
        "unknown": sum(answer.winnable is None for answer in answers),
        "most_nodes": max(answer.nodes for answer in answers),
        "median_ms": round(times[deals // 2], 2),
        "p99_ms": round(times[min(deals - 1, deals * 99 // 100)], 2),
        "max_ms": round(times[-1], 2),
    }


def as_table(found: dict[str, Any]) -> str:
    """The figures of ``measure`` for human eyes."""
    share = 100 * found["winnable"] / found["deals"]
    last = found["first_seed"] + found["deals"] - 1
    return "\n".join(
        (
            f"{found['deals']} deals, seeds {found['first_seed']} to {last}",
            f"can be cleared   {found['winnable']} ({share:.1f} %)",
            f"cannot           {found['dead']}",
            f"unknown          {found['unknown']}",
            f"milliseconds     median {found['median_ms']}, 99 % {found['p99_ms']},"
            f" longest {found['max_ms']}",
            f"choices tried    {found['most_nodes']} at most",
        )
    )


def _dealt(seed: int) -> Deal:
    return Deal.shuffled(Random(seed))  # noqa: S311  # a shuffle is no secret


def _played(name: str) -> tuple[Deal, Position]:
    """The deal of a scenario and the position after its events."""
    game: AnyGame | None = None
    for number, data in lines(name):
        try:
            if game is None:
                game = begin(data)
                if not isinstance(game, Patience):
                    raise ScenarioError("expected a deal of the pyramid, only that can be solved")
            elif not (isinstance(data, dict) and "expect" in data):
                game, _ = judged(game, data, number)
        except PilewatchError as wrong:
            raise ScenarioError(f"{name}:{number}: {wrong}") from None
    if not isinstance(game, Patience):
        raise ScenarioError(f"{name}: expected a set-up line, the file is empty")
    return game.deal, game.position


def _tell(name: str, deal: Deal, position: Position, args: argparse.Namespace) -> None:
    answer, took = _timed(deal, position, args.limit)
    moves = winning_line(deal, position, answer.pairs) if answer.winnable else []
    if args.json:
        found = {
            "deal": name,
            "winnable": answer.winnable,
            "moves": len(moves) if answer.winnable else None,
            "line": [to_json(move) for move in moves],
            "nodes": answer.nodes,
            "ms": round(took, 2),
            "setup": deal.to_json(),
        }
        sys.stdout.write(json.dumps(found) + "\n")
        return
    if position.won:
        told = "is cleared"
    elif answer.winnable:
        told = f"can be cleared, for example in {len(moves)} moves"
    elif answer.winnable is None:
        told = f"unknown, given up after {args.limit} choices"
    else:
        told = "cannot be cleared"
    sys.stdout.write(f"{printable(name)}: {told}\n")
    if args.seed is not None:
        sys.stdout.writelines(f"{line}\n" for line in _drawn(deal))
    # No-break spaces keep a move on one line.
    text = ", ".join(event_line(move).replace(" ", "\xa0") for move in moves)
    for line in textwrap.wrap(text, 90):
        sys.stdout.write("  " + line.replace("\xa0", " ") + "\n")


def _drawn(deal: Deal) -> Iterator[str]:
    """The pyramid as it lies on the table, and the stock below it."""
    for row in deal.rows:
        yield "  " + "".join(f"{card!s:^6}" for card in row).center(6 * len(deal.rows)).rstrip()
    yield from textwrap.wrap(
        "stock: " + " ".join(map(str, deal.stock)), 90, initial_indent="  ", subsequent_indent="  "
    )


def _timed(deal: Deal, position: Position, limit: int) -> tuple[Answer, float]:
    """The solver's answer and the milliseconds it took."""
    began = time.perf_counter()
    answer = solve(deal, position, limit)
    return answer, 1000 * (time.perf_counter() - began)


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 10 or not 1 <= int(text) <= 10**9:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no number from 1 to 1000000000")
    return int(text)
