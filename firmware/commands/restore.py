"""``pilewatch restore``: all nights of a backup."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.errors import printable
from firmware.arguments import journal
from firmware.commands.backup import nights
from firmware.commands.night import tell_notes
from firmware.night.backup import restore
from firmware.night.book import open_book


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the arguments of ``restore``."""
    parser = sub.add_parser(
        "restore",
        help="take all nights from a backup",
        description="Takes in every night of a backup. What is here already stays, and gains"
        " what it lacks; damaged files are named and left out.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--journal", type=journal, metavar="DIR", help="the folder of the journal")


def run(args: argparse.Namespace) -> int:
    """Restore, say what was done; 1 if a file had to be left out."""
    with open_book(args.journal) as book:
        try:
            done = restore(book, args.folder)
            where = book.journal.folder
        finally:
            tell_notes(book)
    sys.stdout.write(
        f"{printable(args.folder)}: {nights(len(done.written))} taken in,"
        f" {len(done.same)} here already, in {printable(where)}\n"
    )
    for wrong in done.wrong:
        sys.stderr.write(f"pilewatch: {wrong}\n")
    return 1 if done.wrong else 0
