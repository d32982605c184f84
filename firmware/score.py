"""Holds what the director called against what is true, act by act.

A fault is counted once, where it is made. Then the host puts the game right, so that what
follows from it is not counted again.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import simulate
from engine.cards import Card
from engine.events import Amend, Event, Overrule, PickUp, Play, Start, Undo
from engine.game import Game
from engine.verdict import Verdict
from firmware.fixes import Doing
from firmware.tell import Announcement, Asked, Called

Acts = Start | Play | PickUp


@dataclass
class Score:
    """The score of a game; also hears what the director tells.

    ``faults`` are sentences about what was wrong, in order.
    """

    plays: int = 0
    called: int = 0
    asked: int = 0
    faults: list[str] = field(default_factory=list)
    _calls: list[Called] = field(default_factory=list)
    _acts: list[tuple[simulate.Act, int]] = field(default_factory=list)
    _true: list[Acts] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        """How many acts were called wrongly, or not at all."""
        return len(self.faults)

    def hear(self, announcement: Announcement) -> None:
        """Keep calls and count questions."""
        if isinstance(announcement, Called):
            if not announcement.host:
                self._calls.append(announcement)
        elif isinstance(announcement, Asked) and not announcement.again:
            self.asked += 1

    def began(self, act: simulate.Act, frame: int) -> None:
        """People begin ``act`` at ``frame``; what is called from there on is about it."""
        self._acts.append((act, frame))

    def has_called(self) -> bool:
        """Whether anything has been called about the present act."""
        return any(call.frame >= self._acts[-1][1] for call in self._calls)

    def settle(self, game: Game) -> list[Event]:
        """Compare all acts since the last time with what was called.

        Returns the corrections by which the host puts ``game`` right.
        """
        ends = [frame for _, frame in self._acts[1:]] + [sys.maxsize] * bool(self._acts)
        for (act, _), end in zip(self._acts, ends, strict=True):
            calls = [call for call in self._calls if call.frame < end]
            self._calls = [call for call in self._calls if call.frame >= end]
            if isinstance(act, simulate.Lay):
                self.plays += 1
                self.called += any(_cards(call.event) for call in calls)
            self._true += _event(act)
            fault = _fault(act, calls)
            if fault is None and end == sys.maxsize:
                fault = _difference(act.truth, game)
            if fault is not None:
                self.faults.append(fault)
        self._acts.clear()
        return corrections(game, self._true)


def _event(act: simulate.Act) -> list[Acts]:
    if isinstance(act, simulate.Start):
        return [Start(act.card)]
    if isinstance(act, simulate.Lay) and act.verdict == "legal":
        return [Play(act.cards)]
    return [PickUp()] if isinstance(act, simulate.TakePile) else []


def _fault(act: simulate.Act, calls: Sequence[Called]) -> str | None:
    """What the calls have wrong about the act, or None."""
    # A reading that cannot be is a question to the table; its answer follows.
    doubted = [call for call in calls if call.ruling.verdict is Verdict.IMPOSSIBLE]
    calls = [call for call in calls if call not in doubted]
    if isinstance(act, simulate.Start | simulate.Lay):
        cards = (act.card,) if isinstance(act, simulate.Start) else act.cards
        what = f"{act.player} laid" if isinstance(act, simulate.Lay) else "turned up:"
        what = f"{what} {codes(cards)}"
        if not calls:
            return f"{what}, which nobody called"
        if len(calls) > 1:
            return f"{what}, called {len(calls)} times"
        event = calls[0].event
        seen = _cards(doubted[-1].event if doubted and isinstance(event, Overrule) else event)
        if not same_cards(seen, cards):
            return f"{what}, called {codes(seen) or type(calls[0].event).__name__}"
        return _wrong_ruling(what, act, calls[0])
    wanted = PickUp if isinstance(act, simulate.TakePile) else None
    if wanted is None:
        return f"{_name(act)}, called {_kinds(calls)}" if calls else None
    # A pile that leaves in handfuls may first look like a card taken back.
    if not calls or not isinstance(calls[-1].event, PickUp):
        return f"{_name(act)}, called {_kinds(calls) or 'nothing'}"
    return None


def _wrong_ruling(what: str, act: simulate.Start | simulate.Lay, call: Called) -> str | None:
    ruling = call.ruling
    verdict, burn, reason = "legal", False, None
    if isinstance(act, simulate.Lay):
        verdict, burn, reason = act.verdict, act.burn, act.reason
        if act.player != call.player:
            return f"{what}, taken for {call.player}'s"
    if ruling.verdict.value != verdict:
        return f"{what}, {verdict}, called {ruling.verdict.value}"
    given = None if ruling.reason is None else ruling.reason.value
    if given != reason:
        return f"{what}, {reason}, called {given}"
    if ruling.burn != burn:
        return f"{what}, {'a burn' if burn else 'no burn'}, called otherwise"
    return None


def _difference(truth: simulate.Truth, game: Game) -> str | None:
    """In what the referee's table is not the true one, or None."""
    table = game.table
    if table.name(table.turn) != truth.turn:
        return f"{truth.turn} is next, the referee thinks {table.name(table.turn)}"
    if table.must.value != truth.must:
        return f"{truth.turn} owes {truth.must}, the referee thinks {table.must.value}"
    pile = table.pile.cards() if table.pile else ()
    if not same_cards(pile, truth.pile):
        return f"on the pile are {codes(truth.pile)}, the referee thinks {codes(pile)}"
    for name, seat in zip(table.setup.players, table.seats, strict=True):
        true = truth.hands[name]
        if tuple(seat) != (true.hand, true.up, true.down):
            return f"{name} has {true}, the referee thinks {seat}"
    out = tuple(table.setup.players[seat] for seat in table.out)
    if out != truth.out or table.name(table.loser) != truth.loser:
        return f"out are {truth.out}, loser {truth.loser}, the referee thinks {out}"
    return None


def corrections(game: Game, true: Sequence[Acts]) -> list[Event]:
    """The undos and events that turn what the referee holds into what is true."""
    held = [
        each.event
        for each in game.history()
        if each.event is not None and each.ruling is not None and each.ruling.stands
    ][::-1]
    agree = 0
    while agree < min(len(held), len(true)) and _same_event(held[agree], true[agree]):
        agree += 1
    return [*[Undo()] * (len(held) - agree), *true[agree:]]


def _same_event(one: Doing, other: Doing) -> bool:
    return type(one) is type(other) and same_cards(_cards(one), _cards(other))


def _cards(event: Doing) -> tuple[Card, ...]:
    if isinstance(event, Amend):
        return _cards(event.event)
    if isinstance(event, Play):
        return event.cards
    return (event.card,) if isinstance(event, Start) else ()


def same_cards(seen: Sequence[Card], true: Sequence[Card]) -> bool:
    """Whether these are the same cards in any order; an unread suit is no fault."""
    left = Counter(true)
    left.subtract(Counter(card for card in seen if card.suit is not None))
    if len(seen) != len(true) or any(count < 0 for count in left.values()):
        return False
    bare = Counter(card.rank for card in seen if card.suit is None)
    return bare == Counter(card.rank for card in left.elements())


def codes(cards: Sequence[Card]) -> str:
    """The cards' codes, or a dash for none."""
    return " ".join(map(str, cards))


def _kinds(calls: Sequence[Called]) -> str:
    return ", ".join(type(call.event).__name__ for call in calls)


def _name(act: simulate.Act) -> str:
    player = getattr(act, "player", "")
    return f"{type(act).__name__} {player}".strip()
