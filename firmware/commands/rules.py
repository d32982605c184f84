"""``pilewatch rules``: lists, prints and checks house rules."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from engine.errors import printable
from engine.rulebook import as_toml, read_rule_set, rule_set, rule_set_names
from firmware.arguments import given


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``rules``."""
    parser = sub.add_parser(
        "rules",
        help="list, print or check house rules",
        description="Without arguments list the presets; with a name print one as TOML.",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", metavar="NAME", help="the preset to print")
    what.add_argument("--check", type=given, metavar="FILE.toml", help="check a file of one's own")


def run(args: argparse.Namespace) -> int:
    """0; RulesError names file, key, value and choices of what cannot be used."""
    if args.check is not None:
        rules = read_rule_set(args.check)
        sys.stdout.write(printable(f"{args.check}: good ({rules.title})") + "\n")
    elif args.name is not None:
        sys.stdout.write(as_toml(rule_set(args.name)))
    else:
        width = max(map(len, rule_set_names()))
        for name in rule_set_names():
            sys.stdout.write(f"{name:<{width}}  {rule_set(name).title}\n")
    return 0
