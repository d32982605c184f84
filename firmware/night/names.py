"""Names of people, in any writing."""

from __future__ import annotations

import unicodedata

from engine.errors import JOINERS, SetupError, shown
from engine.setup import LONGEST_NAME, check_spelling

LONGEST = LONGEST_NAME
LONGEST_REASON = 200


def clean_name(text: str) -> str:
    """The name as it is kept: composed letters, single blanks; SetupError if it is none.

    A tab or the end of a line is no blank within a name.
    """
    letters = unicodedata.normalize("NFC", text)
    blanked = "".join(" " if unicodedata.category(each) == "Zs" else each for each in letters)
    name = " ".join(filter(None, blanked.split(" ")))
    check_name(name)
    return name


def names_in(text: str) -> tuple[str, ...]:
    """The names of a list with commas, each as it is kept."""
    return tuple(map(clean_name, text.split(",")))


def check_differ(names: tuple[str, ...]) -> None:
    """SetupError if two of the names are the same, or cannot be told apart."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SetupError(f"{shown(twice)} stands there twice; names must differ")
    check_spelling(names)


def check_name(name: str) -> None:
    """SetupError if this cannot be shown as a name."""
    letters = _without_joiners(name)
    if not letters.strip() or not letters.isprintable() or len(name) > LONGEST:
        raise SetupError(
            f"{shown(name)} is no name; expected 1 to {LONGEST} letters that can be"
            f" shown{_unlike(letters)}"
        )


def check_reason(reason: str) -> None:
    """SetupError if this cannot be shown on a line, as the reason for something; empty is none."""
    letters = _without_joiners(reason)
    if not letters.isprintable() or len(reason) > LONGEST_REASON:
        raise SetupError(
            f"{shown(reason)} is no reason; expected up to {LONGEST_REASON} letters that can be"
            f" shown, on one line{_unlike(letters)}"
        )


def legible(text: str) -> str:
    """The text with a mark in place of each letter that cannot be shown."""
    return "".join(
        letter if letter.isprintable() or letter in JOINERS else "\ufffd" for letter in text
    )


def _unlike(letters: str) -> str:
    """A trailing hint at the first letter that cannot be shown, or nothing."""
    hidden = next((each for each in letters if not each.isprintable()), None)
    return "" if hidden is None else f", unlike U+{ord(hidden):04X}"


def _without_joiners(text: str) -> str:
    return "".join(letter for letter in text if letter not in JOINERS)
