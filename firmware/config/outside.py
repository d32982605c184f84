"""What the settings name that lies elsewhere: a file of rules, a deck, a video or a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.errors import PilewatchError
from engine.rules import find_rules
from firmware.config.keys import ConfigError
from firmware.config.reading import Config
from firmware.decks import expect_deck
from firmware.sources import check_there


def _check_deck(name: str) -> None:
    if name:
        expect_deck(name)


_FINDS: dict[str, Callable[[str], object]] = {
    "game.rules": find_rules,
    "game.deck": _check_deck,
    "camera.source": check_there,
}


def faults(config: Config) -> Iterator[ConfigError]:
    """What is wrong with each thing that is named, and is not there or cannot be used."""
    for name, find in _FINDS.items():
        try:
            find(config[name])
        except PilewatchError as wrong:
            yield ConfigError(f"{config.origin[name]}: {name}: {wrong}")


def check_outside(config: Config) -> None:
    """ConfigError for the first of the faults."""
    for wrong in faults(config):
        raise wrong
