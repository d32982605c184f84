"""``pilewatch night``: the scores of the night, shown, sent and put right."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import printable
from firmware.arguments import journal, output
from firmware.expectation import difference, missing
from firmware.journal import NightFile, read_night, write_night
from firmware.journal.files import write_whole
from firmware.night.acts import NightError
from firmware.night.book import NONE_KEPT, Book, open_book
from firmware.night.editing import ACTIONS, add_actions
from firmware.night.night import Night
from firmware.night.replay import replayed
from firmware.night.tables import list_to_csv, list_to_json, night_to_csv, night_to_json


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the arguments of ``night``."""
    parser = sub.add_parser(
        "night",
        help="show and export the scores of the night",
        description="Show the night that is on, or the last one; list and send nights; say who"
        " comes and goes, and put results right.",
    )
    forms = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    forms.add_argument("--json", action="store_true", help="as one JSON object")
    forms.add_argument("--csv", action="store_true", help="for a spreadsheet")
    forms.add_argument("--html", action="store_true", help="as one page to send to the others")
    forms.add_argument("-o", "--output", type=output, metavar="FILE", help="write it to a file")
    where = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    where.add_argument("--journal", type=journal, metavar="DIR", help="the folder of the journal")
    for part in (forms, where):
        for action in part._actions:
            parser._add_action(action)
    does = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))
    does.add_parser("list", parents=[forms, where], help="all nights, a line each")
    show = does.add_parser("show", parents=[forms, where], help="one night")
    show.add_argument("number", nargs="?", type=int, metavar="N", help="the last one, if left out")
    send = does.add_parser("export", parents=[where], help="write a night to a file to carry away")
    send.add_argument("number", type=int, metavar="N")
    send.add_argument("file", type=output, metavar="FILE")
    take = does.add_parser("import", parents=[where], help="take in the night of such a file")
    take.add_argument("file", type=Path, metavar="FILE")
    score = does.add_parser("score", help="replay written results")
    score.add_argument("file", type=Path, metavar="FILE.json")
    score.add_argument("--check", action="store_true", help="print only what differs from expect")
    add_actions(does, where)


def run(args: argparse.Namespace) -> int:
    """0; 1 if ``score --check`` found a difference."""
    if args.action == "score":
        return _score(args)
    # The groups of argparse do not reach across an action and what stands before it.
    forms = [f"--{form}" for form in ("json", "csv", "html") if getattr(args, form, False)]
    if len(forms) > 1:
        raise NightError(f"{' and '.join(forms)}: expected one form at a time")
    if args.action == "list" and "--html" in forms:
        raise NightError("night list has no page; night show N --html has one for each night")
    with open_book(getattr(args, "journal", None), new=args.action in ("open", "import")) as book:
        try:
            return _with_book(book, args)
        finally:
            tell_notes(book)


def tell_notes(book: Book) -> None:
    """Say what was wrong with the journal, and what became of it."""
    sys.stdout.flush()
    # What ends the command is told by itself.
    if book.journal.read_only not in (None, str(sys.exc_info()[1])):
        book.journal.notes.insert(0, f"{book.journal.read_only}; until it can be, nothing is kept.")
    for note in book.journal.notes:
        sys.stderr.write(f"pilewatch: {printable(note)}\n")
    book.journal.notes.clear()


def _with_book(book: Book, args: argparse.Namespace) -> int:
    if args.action in ACTIONS:
        with _uninterrupted():
            night = book.again(lambda: ACTIONS[args.action](book, args))
            _write(args, _shown(night, args))
    elif args.action == "list":
        _write(args, _listed(book.nights(), args))
    elif args.action == "export":
        whole = _whole(book, args.number)
        if args.file.resolve().parent == book.journal.folder.resolve():
            raise NightError(
                f"{args.file}: the journal itself is in that folder; expected another to write to"
            )
        write_night(args.file, whole)
        sys.stdout.write(
            f"{printable(args.file)}: night {whole.number}, {len(whole.entries)} entries\n"
        )
    elif args.action == "import":
        return _import(book, args.file)
    else:
        number = getattr(args, "number", None)
        _write(args, _shown(book.read(book.last_number() if number is None else number), args))
    return 0


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits: what is written is told, or it would be entered once more."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _whole(book: Book, number: int) -> NightFile:
    book.read(number)
    return book.journal.night_file(number)


def _import(book: Book, path: Path) -> int:
    """Take in a night, after making sure that it is one."""
    whole = read_night(path)
    number, new = book.again(lambda: book.take_in(whole, str(path)))
    what = f"{new} new {'entry' if new == 1 else 'entries'}" if new else "nothing new"
    sys.stdout.write(f"{printable(path)}: night {number}, {what}\n")
    return 0


def _shown(night: Night, args: argparse.Namespace) -> str:
    from firmware.night.statistics import statistics_of

    statistics = statistics_of(night)
    if getattr(args, "csv", False):
        return night_to_csv(night, statistics)
    if getattr(args, "json", False):
        return _json(night_to_json(night, statistics))
    if getattr(args, "html", False):
        from firmware.night.page import page

        return page(night, statistics)
    from firmware.night.report import print_night

    return _printed(args, lambda console: print_night(console, night, statistics))


def _listed(nights: list[Night], args: argparse.Namespace) -> str:
    if not nights:
        raise NightError(NONE_KEPT)
    if getattr(args, "csv", False):
        return list_to_csv(nights)
    if getattr(args, "json", False):
        return "".join(_json(list_to_json(night)) for night in nights)
    from firmware.night.listing import list_lines

    return "".join(list_lines(nights))


def _printed(args: argparse.Namespace, draw: Callable[[Any], None]) -> str:
    """What ``draw`` puts on a console as wide as the terminal."""
    from rich.console import Console

    plain = hasattr(args, "output") or not sys.stdout.isatty()
    console = Console(width=100 if plain else None, no_color=plain)
    with console.capture() as captured:
        draw(console)
    return captured.get()


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _write(args: argparse.Namespace, text: str) -> None:
    if hasattr(args, "output"):
        write_whole(args.output, text.encode())
    else:
        sys.stdout.write(text)


def _score(args: argparse.Namespace) -> int:
    passed = failed = 0
    for number, expected, answer in replayed(args.file):
        if not args.check:
            sys.stdout.write(_json(answer))
        elif expected is not None:
            wanted, got = difference(expected, answer)
            passed, failed = passed + (not wanted), failed + bool(wanted)
            if wanted:
                sys.stdout.write(
                    f"{printable(args.file)}: game {number}: expected"
                    f" {json.dumps(wanted, ensure_ascii=False)} got"
                    f" {json.dumps(got, ensure_ascii=False)}{missing(wanted, got)}\n"
                )
    if args.check:
        sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return 1 if failed else 0
