"""A table in a few words: what happens, one act a line, and what the director made of it.

land 7H 7S      cards come to rest
unsure 6S 9S    a card that may be either
take 5D         cards are taken back
clear           the pile goes
press oops      a button; "hold oops" holds it
wait 4          seconds pass
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card, parse_card
from engine.setup import Setup, classic
from firmware.director import Director
from firmware.inbox import Button, Press, Seen, Tick
from firmware.tell import Announcement, Asked, Called, Noted, Observed, Shown
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn

FPS = 10


@dataclass
class Ears:
    """Keeps all that was told."""

    told: list[Announcement] = field(default_factory=list)

    def hear(self, announcement: Announcement) -> None:
        self.told.append(announcement)


@dataclass
class FakeEyes:
    """Answers questions as the watcher does."""

    open: dict[int, Unsure] = field(default_factory=dict)
    forgotten: int = 0

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        unsure = self.open.pop(question_id)
        return [Landed(unsure.frame, unsure.t, (card,), (0.6,), settles=question_id)]

    def forget(self) -> None:
        self.forgotten += 1


class TableTalk:
    """A director, what it hears and what it says."""

    def __init__(self, setup: Setup) -> None:
        self.eyes = FakeEyes()
        self.ears = Ears()
        self.director = Director(setup, self.eyes, [self.ears])
        self.frame = 0

    def play(self, script: str) -> TableTalk:
        for line in script.strip().splitlines():
            for act in line.split(";"):
                self.act(act.strip())
        return self

    def act(self, act: str) -> None:
        verb, *words = act.split()
        if verb == "wait":
            for _ in range(round(float(words[0]) * FPS)):
                self.frame += 1
                self.director.handle(Tick(self.frame, self.t))
            return
        self.frame += 5
        if verb in ("press", "hold"):
            hold = 1.0 if verb == "hold" else 0.0
            self.director.handle(Press(self.frame, self.t, Button(words[0]), hold))
        else:
            seen = tuple(self.observation(part.split()) for part in act.split(" and "))
            self.director.handle(Seen(self.frame, self.t, seen))
        self.director.handle(Tick(self.frame, self.t))

    def observation(self, words: list[str]) -> Observation:
        cards = tuple(map(parse_card, words[1:]))
        p = (0.99,) * len(cards)
        if words[0] == "land":
            return Landed(self.frame, self.t, cards, p)
        if words[0] == "take":
            return Withdrawn(self.frame, self.t, cards)
        if words[0] == "clear":
            return Cleared(self.frame, self.t)
        number = self.frame * 10 + len(self.eyes.open)
        unsure = Unsure(number, self.frame, self.t, cards, (0.55, 0.41, 0.02)[: len(cards)])
        self.eyes.open[number] = unsure
        return unsure

    @property
    def t(self) -> float:
        return self.frame / FPS

    @property
    def calls(self) -> list[str]:
        """Each ruling in a word or two: ``legal``, ``illegal too_low``, ``burn`` and so on."""
        out = []
        for told in self.ears.told:
            if isinstance(told, Called):
                word = "burn" if told.ruling.burn else told.ruling.verdict.value
                reason = f" {told.ruling.reason.value}" if told.ruling.reason else ""
                out.append(f"{type(told.event).__name__.lower()} {word}{reason}")
        return out

    @property
    def asked(self) -> list[str]:
        return [
            told.what.value for told in self.ears.told if isinstance(told, Asked) and not told.again
        ]

    @property
    def notes(self) -> list[str]:
        return [told.key for told in self.ears.told if isinstance(told, Noted)]

    @property
    def observed(self) -> list[Observation]:
        return [told.observation for told in self.ears.told if isinstance(told, Observed)]

    @property
    def screens(self) -> list[str]:
        return [type(told.screen).__name__ for told in self.ears.told if isinstance(told, Shown)]

    @property
    def state(self) -> dict[str, object]:
        table = self.director.game.table
        return {
            "turn": self.director.turn,
            "pile": table.pile.size if table.pile else 0,
            "top": str(table.top) if table.top else None,
            "must": table.must.value,
            "screen": self.screens[-1],
        }


def table() -> TableTalk:
    """Ann, Bob and Cat by the classic rules; Ann begins on a turned six."""
    return TableTalk(classic("Ann", "Bob", "Cat")).play("land 6C; wait 2")
