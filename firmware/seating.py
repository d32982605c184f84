"""From the command line and a folder's ``setup.json`` to a table that can be seated."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engine.errors import SetupError
from engine.setup import Setup, check_spelling
from engine.written import read_object
from firmware.night.names import clean_name, names_in

FILE_NAME = "setup.json"


def add_seating(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who plays, and by which rules."""
    parser.add_argument("--rules", metavar="NAME", help="a rule set, or a file FILE.toml")
    parser.add_argument("--players", metavar="ANN,BOB,…", help="names in seat order")
    parser.add_argument("--first", metavar="NAME", help="who begins")


def seat(args: argparse.Namespace, folder: Path | None = None) -> Setup:
    """The set-up of ``folder``, if it has one, changed by what ``args`` say.

    SetupError or RulesError if that cannot be seated.
    """
    path = folder / FILE_NAME if folder else None
    data = read_setup(path) if path and path.is_file() else {}
    if args.rules is not None:
        data["rules"] = args.rules
        # The switches in the file are those of the rules that it names.
        data.pop("options", None)
    if args.players is not None:
        data["players"] = list(names_in(args.players))
        for key in ("dealer", "first", "decks"):
            data.pop(key, None)
    if args.first is not None:
        data["first"] = clean_name(args.first)
    data.setdefault("rules", "classic")
    if "players" not in data:
        raise SetupError("who plays? Give the names in seat order, as in --players Ann,Bob,Cat")
    if path is None or args.players or args.rules or args.first:
        return _seated(data)
    try:
        return _seated(data)
    except SetupError as wrong:
        raise SetupError(f"{path}: {wrong}") from None


def _seated(data: dict[str, Any]) -> Setup:
    setup = Setup.from_json(data)
    check_spelling(setup.players)
    return setup


def read_setup(path: Path) -> dict[str, Any]:
    """The object in a ``setup.json``; SetupError if it holds something else."""
    return read_object(path, "set-up", SetupError)
