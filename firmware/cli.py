"""The command ``pilewatch``: picks the subcommand, and turns every failure into one sentence.

A subcommand is a module of ``firmware.commands`` with ``add_parser(sub)`` and ``run(args) -> int``.
Only the one that is asked for is imported, so that ``pilewatch rules`` does not wait for OpenCV.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from engine.errors import PilewatchError, nearest, one_of, printable, shown
from firmware import __version__, arguments, interrupt, streams

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

#: Every subcommand with what it does, in the order in which a newcomer meets them.
COMMANDS = {
    "demo": "play a whole game on a virtual table, and see what the referee makes of it",
    "look": "read the cards on still photographs",
    "judge": "replay a written game through the referee",
    "rules": "list, print or check house rules",
    "solve": "tell whether a pyramid can be cleared, and how",
    "learn-deck": "learn a deck that is read badly, from its cards laid one after another",
    "watch": "referee from a camera, a video, a folder of frames or a virtual table",
    "run": "be the device: camera, panel, lamps, buttons and voice",
    "config": "print the device's settings, and where each came from",
    "aim": "set the camera up: is the pile in view, sharp, large and bright enough?",
    "night": "show and export the scores of the night",
    "fix": "put right what the referee has got wrong in the game that is on",
    "backup": "put all nights onto a USB stick",
    "restore": "take all nights from a backup",
    "bench": "measure how fast this machine sees and judges",
    "doctor": "check camera, panel, pins, sound, disk and models",
    "test": "run Pilewatch's own tests",
}

EXIT_USAGE = 2
EXIT_SOFTWARE = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit code of the command in ``argv`` (default: the process's own arguments).

    2 for a wrong command line or input, 70 for a mistake of Pilewatch itself, 74 for an output
    that cannot be written, 130 after Ctrl-C.
    With ``PILEWATCH_DEBUG=1`` in the environment a mistake of ours shows its traceback.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    streams.prepare()
    try:
        with interrupt.answered():
            # The launcher holds Ctrl-C back until here.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            try:
                return _answered(words)
            finally:
                sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (``| head``).
        streams.silence()
        return EXIT_BROKEN_PIPE
    except Exception as error:
        unwritable = streams.why_unwritable(error) if isinstance(error, OSError) else None
        if unwritable is not None:
            streams.silence()
            _complain(unwritable)
            return streams.EXIT_IO
        if os.environ.get("PILEWATCH_DEBUG") == "1":
            raise
        return _crashed(error, words)


def _answered(words: list[str]) -> int:
    try:
        return _dispatch(words)
    except PilewatchError as error:
        _complain(str(error))
        return error.exit_code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else (0 if stop.code is None else 1)


def available() -> dict[str, str]:
    """Return the subcommands that this installation has, with what each does."""
    return {
        name: what
        for name, what in COMMANDS.items()
        if importlib.util.find_spec(_module(name)) is not None
    }


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one sentence instead of a page of usage."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.register("type", int, arguments.whole_number)
        self.register("type", Path, arguments.path)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            hint = nearest(str(value), known) or f"; expected {one_of(known)}"
            raise argparse.ArgumentError(action, f"there is no {shown(value)}{hint}")

    def parse_known_args(self, *args: Any, **kwargs: Any) -> tuple[Any, list[str]]:
        """As argparse does, but what is left over is the concern of the command it was given to.

        argparse hands it up to the first parser, whose help knows nothing of it.
        """
        known, over = super().parse_known_args(*args, **kwargs)
        if over:
            self.error(f"unrecognized arguments: {' '.join(map(shown, over))}")
        return known, over

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 after one sentence that names the command and where help is."""
        _complain(f"{message} (see: {self.prog} --help)", name=self.prog)
        raise SystemExit(EXIT_USAGE)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; argparse's own keeps silent about an output that takes nothing."""
        (file or sys.stdout).write(self.format_help())


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in {"-h", "--help", "help"}:
        _say(_overview())
        return 0
    if words[0] == "--version":
        _say(f"pilewatch {__version__}\n")
        return 0
    name = words[0]
    commands = available()
    if name not in commands:
        return _unknown(name, commands)
    module = importlib.import_module(_module(name))
    parser = Parser(prog="pilewatch")
    module.add_parser(parser.add_subparsers(dest="command", metavar="COMMAND", required=True))
    code: int = module.run(parser.parse_args(words))
    return code


def _module(name: str) -> str:
    return f"firmware.commands.{name.replace('-', '_')}"


def _overview() -> str:
    commands = available()
    width = max(map(len, commands), default=0)
    lines = [
        "Pilewatch watches the pile of a game of Idiot and keeps the referee's place.",
        "",
        "usage: pilewatch COMMAND [options]",
        "",
        *(f"  {name:<{width}}  {what}" for name, what in commands.items()),
        "",
        "pilewatch COMMAND --help says more about a command, pilewatch --version what this is.",
    ]
    return "\n".join(lines) + "\n"


def _unknown(name: str, commands: dict[str, str]) -> int:
    kind = "option" if name.startswith("-") else "command"
    near = difflib.get_close_matches(name, commands, n=1)
    hint = f"did you mean {near[0]}?" if near else "pilewatch --help lists what there is."
    _complain(f"there is no {kind} {shown(name)}; {hint}")
    return EXIT_USAGE


def _crashed(error: Exception, words: list[str]) -> int:
    from firmware.crash import write_crash_report

    where = write_crash_report(error, words)
    kept = f"the details are in {where}" if where else "the details could not be written anywhere"
    what = " ".join(str(error).split())
    _complain(f"a mistake inside Pilewatch ({type(error).__name__}: {what}); {kept}.")
    return EXIT_SOFTWARE


def _complain(sentence: str, name: str = "pilewatch") -> None:
    try:
        _say(f"{name}: {printable(sentence)}\n", sys.stderr)
        sys.stderr.flush()
    except OSError:  # if nobody can be told, the exit code still says it
        streams.silence(sys.stderr)


def _say(text: str, stream: IO[str] | None = None) -> None:
    (stream or sys.stdout).write(text)
