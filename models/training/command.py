"""The command lines of the training: what is wrong with them is told in one sentence."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from engine.errors import PilewatchError, printable, shown

EXIT_USAGE, EXIT_IO, EXIT_INTERRUPTED = 2, 74, 130


class InputError(PilewatchError):
    """Something that a command of the training was given cannot be used."""


class PlaceError(PilewatchError):
    """A place where nothing can be written."""

    exit_code = EXIT_IO


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 after one sentence that says where help is."""
        self.exit(EXIT_USAGE, f"{self.prog}: {printable(message)} (see --help)\n")


def at_least(least: int) -> Callable[[str], int]:
    """A type of argument: a whole number, not too long, that is not less."""

    def number(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or int(text) < least:
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {least} to 999999999, not {shown(text)}"
            )
        return int(text)

    return number


def folder(text: str) -> Path:
    """A type of argument: a folder that is there."""
    if not os.path.isdir(text):  # noqa: PTH112  # it has an answer for names that cannot be, too
        raise argparse.ArgumentTypeError(f"expected a folder that is there, not {shown(text)}")
    return Path(text)


def make(place: Path) -> None:
    """Make a folder to write into; PlaceError if that cannot be."""
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise PlaceError(f"{place} cannot be made a folder ({wrong.strerror})") from None
    if not os.access(place, os.W_OK | os.X_OK):
        raise PlaceError(f"{place}: nothing can be written there")


def write(file: Path, data: bytes) -> None:
    """Put ``data`` into a file; PlaceError if that cannot be."""
    try:
        file.write_bytes(data)
    except OSError as wrong:
        raise PlaceError(f"{file} cannot be written ({wrong.strerror})") from None


def told(main: Callable[[], object]) -> int:
    """The exit code of a command; what stopped it has been told in one sentence."""
    try:
        main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except PilewatchError as wrong:
        sentence, code = str(wrong), wrong.exit_code
    except ModuleNotFoundError as wrong:
        sentence = (
            f"the package {wrong.name} is not installed; expected the environment of the training: "
            "pip install -e '.[train]'"
        )
        code = EXIT_USAGE
    except OSError as wrong:
        # What is left of the output has nowhere to go when Python would write it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        where = "the output" if wrong.filename is None else wrong.filename
        sentence, code = printable(f"{where}: {wrong.strerror}"), EXIT_IO
    else:
        return 0
    sys.stderr.write(f"{Path(sys.argv[0]).name}: {sentence}\n")
    return code
