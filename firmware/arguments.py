"""What a word of the command line may be; each raises ArgumentTypeError with a sentence."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from engine.errors import shown


def whole_number(text: str) -> int:
    """A whole number of at most nine digits."""
    if re.fullmatch("-?[0-9]{1,9}", text):
        return int(text)
    within = " from -999999999 to 999999999" if re.fullmatch("[-+]?[0-9]+", text) else ""
    raise argparse.ArgumentTypeError(f"expected a whole number{within}, not {shown(text)}")


def seed(text: str) -> int:
    """A number that a game is shuffled by."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 0 to 999999999, not {shown(text)}"
        )
    return int(text)


def given(text: str) -> str:
    """A word that is not empty."""
    # An empty one comes of a variable that was not set, and would stand for the present folder.
    if not text:
        raise argparse.ArgumentTypeError("expected a word, not an empty one")
    return text


def path(text: str) -> Path:
    """A file or folder that there is or may be."""
    found = Path(given(text))
    try:
        found.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as wrong:  # a name that is too long, a folder that may not be looked into
        raise argparse.ArgumentTypeError(
            f"{shown(text)} cannot be used ({wrong.strerror})"
        ) from None
    return found


def journal(text: str) -> Path:
    """The folder of a journal; whether this user may use it is told where it is opened."""
    try:
        Path(given(text)).stat()
    except PermissionError:
        return Path(text)
    except OSError:
        pass
    return path(text)


def output(text: str) -> Path:
    """A file to be written, in a folder that is there; whatever is no file is left as it is."""
    if text == "-":
        raise argparse.ArgumentTypeError(
            "expected the name of a file, not '-' (./- is the file of that name)"
        )
    found = path(text)
    if not found.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"{found}: expected a folder that is there, {found.parent} is not"
        )
    if found.exists() and not found.is_file():
        what = "a folder" if found.is_dir() else "no ordinary file"
        raise argparse.ArgumentTypeError(f"{found}: expected a file to write to, this is {what}")
    return found


def source(text: str) -> str:
    """A word that names a camera, a file or a folder."""
    path(text)
    return text
