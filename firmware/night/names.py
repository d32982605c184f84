"""Names of people, in any writing."""

from __future__ import annotations

import unicodedata

from engine.errors import SetupError, shown
from engine.setup import LONGEST_NAME

LONGEST = LONGEST_NAME
_JOINERS = "\u200c\u200d"
"""Within Persian words and within one emoji; nothing else that cannot be printed is a name."""


def clean_name(text: str) -> str:
    """The name as it is kept: composed letters, single blanks; SetupError if it is none."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    check_name(name)
    return name


def check_name(name: str) -> None:
    """SetupError if this cannot be shown as a name."""
    printable = "".join(letter for letter in name if letter not in _JOINERS)
    if not printable.strip() or not printable.isprintable() or len(name) > LONGEST:
        raise SetupError(
            f"{shown(name)} is no name; expected 1 to {LONGEST} letters that can be shown"
        )
