"""``pilewatch backup``: all nights onto a USB stick or into a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.errors import printable
from firmware.arguments import journal
from firmware.commands.night import tell_notes
from firmware.night.acts import NightError
from firmware.night.backup import back_up
from firmware.night.book import NONE_KEPT, open_book


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the arguments of ``backup``."""
    parser = sub.add_parser(
        "backup",
        help="put all nights onto a USB stick",
        description="Writes each night into FOLDER as a file of its own and reads it back."
        " Only what has changed since the last time is written.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--journal", type=journal, metavar="DIR", help="the folder of the journal")


def nights(count: int) -> str:
    """So many nights, in words."""
    return f"{count} night{'' if count == 1 else 's'}"


def run(args: argparse.Namespace) -> int:
    """Back up, say what was done, and return 0; NightError if no night has been kept."""
    with open_book(args.journal, new=False) as book:
        try:
            done = back_up(book.journal, args.folder)
            where = book.journal.folder
        finally:
            tell_notes(book)
    if not done.written and not done.same:
        raise NightError(f"{where}: {NONE_KEPT}, so there is nothing to back up")
    sys.stdout.write(
        f"{printable(args.folder)}: {nights(len(done.written))} written and read back,"
        f" {len(done.same)} there already, of {printable(where)}\n"
    )
    for told in done.beside:
        sys.stderr.write(f"pilewatch: {printable(told)}\n")
    return 0
