"""One game at the device: director and watcher, with or without a camera that sees."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from engine.cards import Card
from engine.setup import Setup
from engine.table import next_seat
from firmware.desk import Eyes
from firmware.device.accounts import Accounts
from firmware.device.sight import Sight
from firmware.director import Director
from firmware.fixes import SkipTo
from firmware.inbox import Button, Correction, Press, Seen, Tick
from firmware.panel import Screen
from firmware.session import Sees
from firmware.tell import Announcement, Listener, Shown
from vision.frame import Frame
from vision.observation import Observation

log = logging.getLogger("pilewatch")


class Watches(Sees, Eyes, Protocol):
    """A watcher: it sees, and can be told."""


WatchFor = Callable[[Setup, Callable[[Card], float]], Watches]


class SureFooted:
    """A watcher that no picture trips: one that cannot be read is as good as none."""

    def __init__(self, watcher: Watches) -> None:
        self._watcher = watcher
        self._stumbled = False

    def step(self, frame: Frame) -> list[Observation]:
        """What is new in ``frame``; nothing if it cannot be read: the next one may be better."""
        try:
            found = self._watcher.step(frame)
        except Exception:
            if not self._stumbled:
                log.exception("pilewatch: a picture could not be read")
            self._stumbled = True
            return []
        self._stumbled = False
        return found

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        """The question was about ``card``; returns what landed after all."""
        return self._watcher.settle(question_id, card)

    def forget(self) -> None:
        """The cards that lie there are gone as far as the game is concerned."""
        self._watcher.forget()


def sure_footed(watch_for: WatchFor) -> WatchFor:
    """Makes the same watchers, none of which a picture trips."""
    return lambda setup, prior: SureFooted(watch_for(setup, prior))


@dataclass
class _LastScreen:
    """Remembers what the director wants shown."""

    screen: Screen | None = None

    def hear(self, announcement: Announcement) -> None:
        if isinstance(announcement, Shown):
            self.screen = announcement.screen


class Playing:
    """A game in progress. Times given are the loop's; the game's own begin at 0."""

    def __init__(
        self,
        setup: Setup,
        sight: Sight,
        watch_for: WatchFor,
        accounts: Accounts,
        listeners: Iterable[Listener],
        now: float,
    ) -> None:
        self.blind = False
        self._start = now
        self._frame = 0
        self._sight, self._watch_for, self._accounts = sight, watch_for, accounts
        self._acted_blindly = False
        self._last = _LastScreen()
        self.director: Director
        self._watcher = watch_for(setup, self._prior)
        self.director = Director(
            setup, self._watcher, [self._last, *listeners], record=accounts.record
        )
        sight.meet(self.director)
        accounts.meet(self.director)

    @property
    def screen(self) -> Screen | None:
        """What the director wants shown."""
        return self._last.screen

    def see(self, frame: Frame, now: float) -> bool:
        """Take a frame; returns whether anything came of it."""
        t = now - self._start
        self._frame = frame.index
        acts = list(self._sight.presses(frame, t))
        for act in acts:
            self.director.handle(act)
        observations = self._watcher.step(replace(frame, t=t))
        if observations:
            self.director.handle(Seen(frame.index, t, tuple(observations)))
        self.director.handle(Tick(frame.index, t))
        self._accounts.after(frame)
        return bool(observations or acts)

    def take_over(self, watcher: Watches, observations: Iterable[Observation], now: float) -> None:
        """Go on with the watcher that saw the first cards land, and with what it saw."""
        self._watcher = self.director.eyes = watcher
        t = now - self._start
        moved = tuple(replace(each, t=t) for each in observations)
        self.director.handle(Seen(self._frame, t, moved))

    def press(self, button: Button, hold: float, now: float) -> None:
        """A button was pressed at the table."""
        t = now - self._start
        director = self.director
        if director.over:
            director.handle(Press(self._frame, t, button, hold))
            return
        if self.blind and button in (Button.NEXT, Button.PICKUP):
            self._acted_blindly = True
            following = self._following()
            if button is Button.NEXT and not director.menu and following is not None:
                # Nobody saw what was played; whose turn it is can be kept all the same.
                director.handle(Correction(self._frame, t, SkipTo(following)))
                return
        director.handle(Press(self._frame, t, button, hold))

    def tick(self, now: float) -> None:
        """Time has gone on without a frame."""
        self.director.handle(Tick(self._frame, now - self._start))

    def cannot_see(self) -> None:
        """The camera has gone; what is on the table is not known from now on."""
        self.blind = True

    def sees_again(self, now: float) -> None:
        """The camera is back. Where people went on by buttons, one look says what lies there."""
        self.blind = False
        if self._acted_blindly:
            self._acted_blindly = False
            self.look_anew(now)

    def look_anew(self, now: float) -> None:
        """Hold what lies there now against what should."""
        self.tick(now)
        self._watcher = self._watch_for(self.director.setup, self._prior)
        self.director.eyes = self._watcher
        self.director.resume(self.director.game)
        self.tick(now)

    def finish(self) -> None:
        """Nothing more will come."""
        self.director.finish()

    def _prior(self, card: Card) -> float:
        return self.director.prior(card)

    def _following(self) -> str | None:
        """Who acts after the one whose turn it is."""
        table = self.director.game.table
        return None if table.over else table.name(next_seat(table.seats, table.turn, table.step))
