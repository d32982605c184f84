"""Every line that the device shows of its own accord, by language; code holds the keys.

What the referee speaks has its own catalogue in the engine.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from engine.say import words as spoken_words

DEFAULT = "en"

_chosen = DEFAULT


def choose(language: str) -> None:
    """Let the device speak ``language`` from now on; PilewatchError lists those there are."""
    global _chosen
    spoken_words(language)
    catalogue(language)
    _chosen = language


def language() -> str:
    """The language of the device, as two letters."""
    return _chosen


@cache
def catalogue(language: str) -> dict[str, str]:
    """The lines of a language by their keys: ``panel.burn`` and so on."""
    text = (resources.files("firmware") / "words" / f"{language}.toml").read_text("utf-8")
    sections = tomllib.loads(text)
    return {
        f"{name}.{key}": line for name, lines in sections.items() for key, line in lines.items()
    }


def say(key: str, **what: object) -> str:
    """The line ``key`` in the language of the device, its blanks filled in.

    Where there is a line ``key_one`` it is taken for a ``count`` of one.
    """
    lines = catalogue(_chosen)
    if what.get("count") == 1:
        return lines.get(f"{key}_one", lines[key]).format(**what)
    return lines[key].format(**what)
