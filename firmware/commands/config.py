"""``pilewatch config``: the settings in force, and where each of them came from."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from firmware.config import (
    VARIABLE,
    Config,
    ConfigError,
    check_outside,
    config_file,
    defaults,
    read_config,
    to_toml,
)


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "config",
        help="print the settings in force, and where each came from",
        description=(
            "Prints the settings in force as TOML, each with where it came from. The file is the"
            " one given, else $PILEWATCH_CONFIG, ~/.config/pilewatch.toml or /etc/pilewatch.toml."
        ),
    )
    add_config(parser)
    parser.add_argument("--defaults", action="store_true", help="print the defaults, to copy")
    parser.add_argument("--bare", action="store_true", help="leave out what the settings mean")


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the option that names another file of settings."""
    parser.add_argument("--config", type=Path, metavar="FILE.toml", help="the file of settings")


def settings(args: argparse.Namespace) -> Config:
    """The settings in force: those of ``--config``, else of the usual file.

    ConfigError says where they were named, if it was not on the command line.
    """
    try:
        return read_config(args.config or config_file())
    except ConfigError as wrong:
        if args.config is None and os.environ.get(VARIABLE):
            raise ConfigError(f"{VARIABLE} names {wrong}") from None
        raise


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    config = defaults() if args.defaults else settings(args)
    check_outside(config)
    sys.stdout.write(to_toml(config, meanings=not args.bare))
    return 0
