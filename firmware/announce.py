"""Announcements as lines: JSON for programs, words for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.cards import Card
from engine.events import Amend, Overrule, PickUp, Play, Start, Undo
from engine.ruling import Ruling
from engine.verdict import Verdict
from firmware.fixes import Fix, SetHand, SetPile, SkipTo
from firmware.tell import Announcement, Asked, Asking, Called, Noted, Observed
from firmware.words import say
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn

Write = Callable[[str], object]

HOST = "✎"
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "?": ""}


class JsonLines:
    """Writes each observation, question and ruling as a line of JSON."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def hear(self, announcement: Announcement) -> None:
        """Write the line of ``announcement``, if it has one."""
        data = to_json(announcement)
        if data is not None:
            self._write(json.dumps(data, ensure_ascii=False) + "\n")


class PlainLines:
    """Writes what a person at the table would want to know, a line each."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._t = 0.0

    def hear(self, announcement: Announcement) -> None:
        """Write the line of ``announcement``, if it has one."""
        # A settled question is about an earlier frame, but it is said now.
        self._t = max(self._t, announcement.t)
        for mark, text in lines(announcement):
            self._write(f"{self._t:7.1f}  {mark} {text}\n")


def to_json(announcement: Announcement) -> dict[str, Any] | None:
    """The JSON object of an announcement; None for those that have no line."""
    at: dict[str, Any] = {"frame": announcement.frame, "t": round(announcement.t, 3)}
    if isinstance(announcement, Observed):
        return at | _observation(announcement.observation)
    if isinstance(announcement, Called):
        ruling = announcement.ruling.to_json(announcement.number)
        if isinstance(announcement.event, Fix):
            ruling["say"] = _fixed(announcement.event, announcement.ruling)
        return at | {"ruling": ruling}
    if isinstance(announcement, Asked) and not announcement.again:
        # What the camera is unsure of has its own line, with probabilities.
        if announcement.what is Asking.PICKED_UP:
            return at | {"asked": "picked_up", "player": announcement.player}
        if announcement.what is Asking.MISMATCH:
            return at | {"asked": "mismatch", "candidates": _codes(announcement.candidates)}
        if announcement.what is Asking.IMPOSSIBLE:
            return at | {"asked": "impossible", "candidates": _codes(announcement.candidates)}
    return None


def _observation(observation: Observation) -> dict[str, Any]:
    if isinstance(observation, Landed):
        return {"landed": _codes(observation.cards), "p": [round(p, 4) for p in observation.p]}
    if isinstance(observation, Unsure):
        p = [round(p, 4) for p in observation.p]
        return {"unsure": [{"candidates": _codes(observation.candidates), "p": p}]}
    if isinstance(observation, Withdrawn):
        return {"withdrawn": _codes(observation.cards)}
    return {"cleared": True}


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def pretty(cards: tuple[Card, ...]) -> str:
    """Cards with the signs of their suits: ``10♥ K♠``."""
    codes = (str(card) for card in cards)
    return " ".join("joker" if code == "JK" else code[:-1] + SIGNS[code[-1]] for code in codes)


def lines(announcement: Announcement) -> list[tuple[str, str]]:
    """What a person is told: pairs of a mark (✓ ✗ ♨ ? · ★, ✎ by the host) and a line."""
    if isinstance(announcement, Called):
        if announcement.host:
            return [(HOST, line) for _, line in _called(announcement)]
        return _called(announcement)
    if isinstance(announcement, Asked) and not announcement.again:
        return [("?", question(announcement))]
    if isinstance(announcement, Noted):
        return [("·", announcement.text)]
    if isinstance(announcement, Observed):
        seen = announcement.observation
        if isinstance(seen, Withdrawn):
            return [("·", say("line.withdrawn", cards=pretty(seen.cards)))]
        if isinstance(seen, Cleared):
            return [("·", say("line.cleared"))]
    return []


def question(asked: Asked) -> str:
    """A question as a sentence."""
    if asked.text:
        return asked.text
    if asked.what is Asking.PICKED_UP:
        return say("ask.picked_up", name=asked.player)
    names = [pretty((card,)) for card in asked.candidates]
    first, second = names[0], names[-1]
    return say(f"ask.{asked.what.value}", first=first, second=second)


def _called(called: Called) -> list[tuple[str, str]]:
    event, ruling, name = called.event, called.ruling, called.player
    if isinstance(event, Fix):
        return [("✓", _fixed(event, ruling))]
    cards = pretty(event.cards) if isinstance(event, Play) else ""
    if ruling.verdict is not Verdict.LEGAL:
        reason = say(f"reason.{ruling.why}") if ruling.why else ""
        key = "line.refused" if cards else "line.refused_pickup"
        mark = "✗" if ruling.verdict is Verdict.ILLEGAL else "?"
        return [(mark, say(key, name=name, cards=cards, reason=reason))]
    if isinstance(event, Start):
        out = [("·", say("line.start", cards=pretty((event.card,))))]
    elif isinstance(event, Undo):
        out = [("·", say("line.undo", next=ruling.turn))]
    elif isinstance(event, Overrule):
        out = [("✓", say("line.overrule"))]
    elif isinstance(event, Amend):
        out = [("✓", _amended(event, ruling))]
    elif isinstance(event, PickUp):
        out = [("✓", say("line.pickup", name=name, count=called.pile))]
    else:
        fails = ruling.to_json(called.number)["must"] == "pickup"
        out = [("✓", say("line.fails" if fails else "line.play", name=name, cards=cards))]
    if ruling.changed:
        out.append(("✓", say("line.changed", count=len(ruling.changed))))
    if ruling.fallen:
        out.append(("✗", say("line.fallen", numbers=", ".join(map(str, ruling.fallen)))))
    if ruling.burn:
        key = "line.burn" if ruling.turn else "line.burn_last"
        out.append(("♨", say(key, count=ruling.removed, next=ruling.turn)))
    return out + _ending(called)


def _amended(amend: Amend, ruling: Ruling) -> str:
    event = amend.event
    name = getattr(event, "by", None)
    if isinstance(event, PickUp):
        inner = ruling.inner or ruling
        players = inner.table.setup.players
        return say("line.amend_pickup", name=name or players[inner.player])
    cards = (event.card,) if isinstance(event, Start) else getattr(event, "cards", ())
    if name is None:
        return say("line.amend", cards=pretty(cards))
    return say("line.amend_by", name=name, cards=pretty(cards))


def _fixed(fix: Fix, ruling: Ruling) -> str:
    if isinstance(fix, SkipTo):
        return say("line.fix_skip", name=fix.player)
    if isinstance(fix, SetHand):
        return say("line.fix_hand", name=fix.player, count=fix.hand)
    if isinstance(fix, SetPile):
        return say("line.fix_pile", count=ruling.pile, next=ruling.turn)
    return say("line.fix_leave", name=fix.player, next=ruling.turn)


def _ending(called: Called) -> list[tuple[str, str]]:
    ruling = called.ruling
    out = []
    if ruling.out and called.player == ruling.out[-1] and isinstance(called.event, Play):
        out.append(("★", say("line.out", name=ruling.out[-1])))
    if ruling.loser:
        out.append(("★", say("line.over", name=ruling.loser)))
    return out
