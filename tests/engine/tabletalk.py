"""A game told in one-line notation, for tests that read as a person would tell it."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.notation import parse_event, parse_table
from engine.rules import preset
from engine.ruling import Ruling
from engine.setup import Setup

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


def seated(
    players: int = 3, rules: str = "classic", decks: int | None = None, **options: Any
) -> Setup:
    """A set-up of so many players, the last one dealing."""
    names = NAMES[:players]
    return Setup.new(preset(rules).override(options), names, decks)


class Talk:
    """A game that is told event by event; calling it returns the last ruling."""

    def __init__(
        self,
        players: int = 3,
        rules: str = "classic",
        decks: int | None = None,
        at: str | None = None,
        **options: Any,
    ) -> None:
        setup = seated(players, rules, decks, **options)
        self.game = Game.new(setup) if at is None else Game.at(parse_table(at, setup))

    def __call__(self, *lines: str) -> Ruling:
        ruling: Ruling | None = None
        for line in lines:
            self.game, ruling = self.game.judge(parse_event(line))
        if ruling is None:
            raise ValueError("nothing was told")
        return ruling


def short(ruling: Ruling) -> tuple[str, str | None, str | None]:
    """Verdict, reason and who is next."""
    reason = None if ruling.reason is None else ruling.reason.value
    return ruling.verdict.value, reason, ruling.turn
