"""The one family of errors that a user may meet: each says what, where and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from unicodedata import category

JOINERS = "\u200c\u200d"
"""Within Persian words and within one emoji; they cannot be printed, but belong to a name."""


class PilewatchError(Exception):
    """Something a user gave cannot be used; the message is one sentence fit to be shown.

    The command line prints the message alone and ends with ``exit_code``.
    """

    exit_code = 2

    def __str__(self) -> str:
        """The sentence on one line, whatever the names of files in it are made of."""
        return printable(super().__str__())


class CardError(PilewatchError, ValueError):
    """A text that is no card code, or a card that cannot be."""


class RulesError(PilewatchError, ValueError):
    """A house rule, preset or rules file that cannot be used."""


class SetupError(PilewatchError, ValueError):
    """Players, decks and rules that cannot sit at one table."""


class ScenarioError(PilewatchError, ValueError):
    """A line, event or notation that is malformed."""


def one_of(choices: Iterable[object]) -> str:
    """The choices as words: ``a, b or c``."""
    words = [str(choice) for choice in choices]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def nearest(word: str, known: Iterable[str]) -> str:
    """A trailing hint naming the known word most like ``word``, or nothing if none is near."""
    # With less than that in common, "learned" would be near "lamps.red".
    close = get_close_matches(word.lower(), list(known), n=1, cutoff=0.65)
    return f"; did you mean {close[0]}?" if close else ""


def printable(what: object) -> str:
    r"""A name or sentence as one line: with an escape for what would steer the terminal.

    As Python writes it: a line's end is ``\n``, a byte of no known encoding ``\xe9``.
    """
    return "".join(map(_printable, str(what)))


def _printable(letter: str) -> str:
    if letter.isprintable() or letter in JOINERS or category(letter) == "Zs":
        return letter
    if "\udc80" <= letter <= "\udcff":  # how Python keeps a byte of a file name in no encoding
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return letter.encode("unicode_escape").decode()


def shown(value: object, limit: int = 60) -> str:
    """``value`` as it may stand in a message, cut to ``limit`` characters.

    Texts are in quotation marks; the rest is as JSON and TOML have it.
    """
    text = _as_written(value, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _as_written(value: object, limit: int) -> str:
    """The value in full, or more than ``limit`` characters of it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 4 * limit:
        return "a number of far too many digits"
    if isinstance(value, list | tuple):
        inner = (_as_written(each, limit - 1) for each in value[: max(0, limit)])
        return f"[{', '.join(inner)}]"
    if isinstance(value, dict):
        pairs = (
            f"{_as_written(key, limit - 1)}: {_as_written(each, limit - 1)}"
            for key, each in islice(value.items(), max(0, limit))
        )
        return f"{{{', '.join(pairs)}}}"
    if hasattr(value, "isoformat"):  # a date or time of TOML: the engine has no clock to name them
        return str(value.isoformat())
    return repr(value)
