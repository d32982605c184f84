"""What is heard, and in which order: the newest and most important first, stale calls never."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from engine.cards import Card
from engine.events import Play
from engine.say import capital, spoken, words
from engine.verdict import Verdict
from firmware.fixes import Fix
from firmware.tell import Announcement, Asked, Asking, Called, Noted
from firmware.words import language, say


class Weight(IntEnum):
    """How much a call matters; the heavier one goes first."""

    PLAY = 0
    NOTE = 1
    QUESTION = 2
    BURN = 3
    END = 4
    REFUSED = 5


#: Seconds after which a call is about something that has passed.
STALE = {
    Weight.PLAY: 2.0,
    Weight.NOTE: 4.0,
    Weight.QUESTION: 5.0,
    Weight.BURN: 3.0,
    Weight.END: 12.0,
    Weight.REFUSED: 4.0,
}

#: Notes worth a word; the others are only shown.
AUDIBLE = {
    *("note.taken_back", "note.away", "note.away_burn"),
    *("note.not_kept", "note.goes_on", "note.new_night"),
}


@dataclass(frozen=True)
class Call:
    """A sentence, how much it matters, and when it arose."""

    text: str
    weight: Weight
    t: float

    def stale(self, now: float) -> bool:
        """Whether nobody wants to hear it any more."""
        return now - self.t > STALE[self.weight]


class Calls:
    """The calls that wait; there are never more than a few."""

    MOST = 8

    def __init__(self) -> None:
        self._waiting: tuple[Call, ...] = ()

    def put(self, call: Call) -> None:
        """``call`` wants to be heard; an older one of its kind is about what has passed."""
        others = tuple(each for each in self._waiting if each.weight is not call.weight)
        self._waiting = (*others, call)[-self.MOST :]

    def take(self, now: float) -> Call | None:
        """The call to be heard next, None if there is none."""
        fresh = [call for call in self._waiting if not call.stale(now)]
        if not fresh:
            self._waiting = ()
            return None
        best = max(fresh, key=lambda call: (call.weight, call.t))
        self._waiting = tuple(call for call in fresh if call is not best)
        return best

    def heavier(self, weight: Weight, now: float) -> bool:
        """Whether something waits that matters more than this."""
        return any(call.weight > weight and not call.stale(now) for call in self._waiting)


class Voice(Protocol):
    """Whatever makes calls heard."""

    def put(self, call: Call) -> None:
        """``call`` wants to be heard."""
        ...


class CallListener:
    """Has said what the director tells; ``plays``: ordinary plays as well."""

    def __init__(self, voice: Voice, clock: Callable[[], float], plays: bool) -> None:
        self._voice, self._clock, self._plays = voice, clock, plays

    def hear(self, announcement: Announcement) -> None:
        """Have said what belongs to it."""
        call = call_of(announcement, self._clock(), self._plays)
        if call is not None:
            self._voice.put(call)


def call_of(announcement: Announcement, now: float, plays: bool) -> Call | None:
    """What is said to an announcement, None if nothing; ``plays``: ordinary plays as well."""
    if isinstance(announcement, Called):
        return _called(announcement, now, plays)
    if isinstance(announcement, Asked) and not announcement.again:
        return Call(question(announcement), Weight.QUESTION, now)
    if isinstance(announcement, Noted) and announcement.key in AUDIBLE:
        return Call(announcement.text, Weight.NOTE, now)
    return None


def _called(called: Called, now: float, plays: bool) -> Call | None:
    ruling = called.ruling
    if isinstance(called.event, Fix):
        return None
    sentences = spoken(ruling, language())
    if ruling.verdict is not Verdict.LEGAL:
        if ruling.verdict is Verdict.IMPOSSIBLE and isinstance(called.event, Play):
            return None  # it is asked about instead
        return Call(sentences[0], Weight.REFUSED, now)
    if ruling.loser or ruling.finished:
        return Call(" ".join(sentences), Weight.END, now)
    if ruling.burn:
        return Call(sentences[0], Weight.BURN, now)
    fails = ruling.to_json(called.number)["must"] == "pickup"
    if fails:
        return Call(sentences[0], Weight.REFUSED, now)
    return Call(sentences[0], Weight.PLAY, now) if plays else None


def question(asked: Asked) -> str:
    """A question with the cards by their names."""
    if asked.text:
        return asked.text
    if asked.what is Asking.PICKED_UP:
        return say("ask.picked_up", name=asked.player)
    names = [card_name(card) for card in asked.candidates]
    line = say(f"ask.{asked.what.value}", first=names[0], second=names[-1])
    return capital(line, words(language()))


def card_name(card: Card) -> str:
    """The card as it is called, without its suit."""
    return words(language())["one"][card.rank.code]


def is_quiet(hours: str, clock: datetime.time) -> bool:
    """Whether the time of the day lies within hours such as ``22:00-07:30``."""
    if not hours:
        return False
    begin, end = (datetime.time.fromisoformat(part) for part in hours.split("-"))
    if begin <= end:
        return begin <= clock < end
    return clock >= begin or clock < end
