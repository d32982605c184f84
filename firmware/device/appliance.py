"""The appliance: one loop that takes what the parts put into its inbox, and tells them all.

The loop alone changes anything. Its clock is handed in and never goes back; the time of the day is
asked for nothing but quiet hours. Where the device is: in the lobby, in a game, or at the scores;
over each of these may lie a question whether to shut down, or a pause.
"""

from __future__ import annotations

import logging
import math
import queue
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from engine.setup import Setup
from firmware.config import Config
from firmware.device.accounts import Accounts
from firmware.device.calls import Call, CallListener, Weight
from firmware.device.crew import Crew
from firmware.device.lamps import LampListener
from firmware.device.lobby import Lobby, offered
from firmware.device.notices import Notices, Urgency, healed, trouble
from firmware.device.notify import Notifier
from firmware.device.playing import Playing, Watches, WatchFor, sure_footed
from firmware.device.presses import SHUT_DOWN, Edge, PressFilter, Pushed
from firmware.device.service import Report
from firmware.device.sight import Sight
from firmware.inbox import Button
from firmware.network import address
from firmware.night.book import Book
from firmware.panel import Address, Notice, Screen, Turn, YesNo
from firmware.standings import standings
from firmware.tell import Listener
from firmware.words import say
from vision.frame import Frame
from vision.observation import Cleared, Landed, Observation

log = logging.getLogger("pilewatch")

#: Seconds that the loop waits for something to happen, and while a button is down.
WAIT, WAIT_DOWN = 0.1, 0.02
#: Seconds without a frame after which the director is told the time anyway.
TICK = 0.2
#: Seconds that an address is shown; that a question about shutting down waits.
READ, ASKED = 60.0, 15.0
#: Seconds after which a virtual table goes on to its next game.
ALONE = 5.0
#: Seconds in which what lies on the table of a lobby is what was left there.
LEFT_OVER = 3.0
#: Who plays at a virtual table.
VIRTUAL_PLAYERS = ("Ann", "Bob", "Cat")


class Where(Enum):
    """What the device is doing."""

    LOBBY = "lobby"
    GAME = "game"
    SCORES = "scores"


class Appliance:
    """The device. ``open_book`` opens the journal, ``watch_for`` makes a watcher for a game."""

    def __init__(
        self,
        config: Config,
        crew: Crew,
        sight: Sight,
        watch_for: WatchFor,
        open_book: Callable[[], Book],
        clock: Callable[[], float],
        notifier: Notifier | None = None,
        listeners: tuple[Listener, ...] = (),
    ) -> None:
        self.config, self.crew, self.sight = config, crew, sight
        self.where = Where.LOBBY
        self.game: Playing | None = None
        self.stopping = False
        self.shut_down = False
        self.faults: dict[str, str] = {}
        self._watch_for, self._clock = sure_footed(watch_for), clock
        self._notifier = notifier or Notifier({})
        self._listeners = listeners
        self._inbox: queue.SimpleQueue[Edge | Report | None] = queue.SimpleQueue()
        self._filter = PressFilter()
        self._down: set[Button] = set()
        self._notices = Notices()
        self._asked_at: float | None = None
        self._paused = False
        self._touched = self._since = clock()
        self._framed = -math.inf
        self._blind: str | None = None
        self._watcher: Watches | None = None
        self._bare = self._set_up = False
        #: What the panel shows.
        self.screen: Screen = Notice(say("device.starting"))
        self._now = clock()
        crew.engage(self.report)
        self.accounts = Accounts(open_book, lambda about, why: self.report(Report(about, why)))
        self._lobby = self._new_lobby()
        self._begin_where_it_was(clock())

    # -- the inbox, which any thread may fill ---------------------------------------------------

    def put(self, edge: Edge) -> None:
        """A contact opened or closed."""
        self._inbox.put(edge)

    def report(self, report: Report) -> None:
        """A part has failed, or works again."""
        self._inbox.put(report)

    def wake(self) -> None:
        """There is a frame."""
        self._inbox.put(None)

    def stop(self) -> None:
        """Come to an end."""
        self.stopping = True
        self.wake()

    # -- the loop -------------------------------------------------------------------------------

    def run(self) -> None:
        """Go round until stopped."""
        self._notifier.ready()
        while not self.stopping:
            self._receive(WAIT_DOWN if self._down else WAIT)
            self.step(self._clock())
        self._notifier.stopping()

    def step(self, now: float) -> None:
        """Once round: presses, then what is seen, then the time."""
        self._now = now
        while not self._inbox.empty():
            self._receive(0)
        closed = self._closed()
        for pushed in self._filter.due(now, closed):
            self._pushed(pushed, now)
        self._down = {button for button in self._down if closed.get(button)}
        self._check_sight(now)
        frame = self.sight.poll(now)
        if frame is not None:
            self._framed = now
            if not self._dazzled(now):
                self._see(frame, now)
        self._pass_time(now)
        self._show(now)
        self._notifier.alive()

    def _closed(self) -> dict[Button, bool]:
        """Which contacts are closed, as far as that matters and can be read."""
        if self.crew.contacts is None or not self._down:
            return {}
        try:
            return self.crew.contacts.closed()
        except Exception:
            # The part itself reports that its driver has gone.
            return {}

    def _receive(self, patience: float) -> None:
        try:
            item = self._inbox.get(timeout=patience) if patience else self._inbox.get_nowait()
        except queue.Empty:
            return
        if isinstance(item, Edge):
            # A contact that has just opened may bounce: it is watched a little longer.
            self._down.add(item.button)
            self._filter.take(item, self._clock())
        elif isinstance(item, Report):
            self._reported(item)

    def _reported(self, report: Report) -> None:
        if report.part == "camera":
            return  # the sight tells of it, once, whatever the reason
        if report.why is None:
            self.faults.pop(report.part, None)
            self._notices.tell(report.part, healed(report.part), Urgency.WELL, self._now)
            return
        self.faults[report.part] = report.why
        self._notifier.status(f"{report.part}: {report.why}")
        if report.part == "panel":
            self._notices.noticed("panel")
            return
        urgency = Urgency.LOSS if report.part in ("score", "night") else Urgency.TROUBLE
        self._notices.tell(report.part, trouble(report.part), urgency, self._now)

    def _dazzled(self, now: float) -> bool:
        """Whether our own lamps may be what moves in the picture."""
        lamps = self.crew.lamps
        return lamps is not None and lamps.dazzles(now)

    # -- presses --------------------------------------------------------------------------------

    def _pushed(self, pushed: Pushed, now: float) -> None:
        self._touch(now)
        self._notices.read(now)
        button = pushed.button
        if self._asked_at is not None:
            self._asked_at = None
            if button is Button.NEXT and pushed.hold < SHUT_DOWN:
                self.shut_down = True
                self.stop()
            return
        if button is Button.NEXT and pushed.hold >= SHUT_DOWN:
            self._asked_at = now
        elif self._paused:
            if button is Button.NEXT:
                self._paused = False
                if self.game is not None:
                    self.game.look_anew(now)
        elif self.where is Where.LOBBY:
            self._pushed_in_lobby(pushed, now)
        elif self.where is Where.SCORES:
            if button is Button.NEXT:
                self._enter(Where.LOBBY, now)
        elif self.game is not None:
            if self.game.director.over and button is Button.NEXT:
                self._enter(Where.SCORES, now)
            else:
                self.game.press(button, pushed.hold, now)

    def _pushed_in_lobby(self, pushed: Pushed, now: float) -> None:
        if pushed.button is Button.OOPS and pushed.hold > 0.5:
            found = address()
            none = Notice(say("device.address"), say("device.no_network"))
            self._notices.answer(Address(found) if found else none, READ, now)
            return
        self._lobby = self._lobby.press(pushed.button)
        setup = self._lobby.setup()
        if self._lobby.ready and setup is not None:
            self._begin(setup, now)
        elif self._lobby.ready:
            self._lobby = self._new_lobby()

    def _touch(self, now: float) -> None:
        """Somebody is there."""
        self._touched = now
        if self.crew.display is not None:
            self.crew.display.touch(now)

    # -- seeing ---------------------------------------------------------------------------------

    def _check_sight(self, now: float) -> None:
        trouble = self.sight.trouble(now)
        if (trouble is None) == (self._blind is None):
            return
        self._blind = trouble
        if trouble is None:
            self.faults.pop("sight", None)
            self._tell("sight", Urgency.WELL, say("device.sees"))
            if self.game is not None:
                self.game.sees_again(now)
            return
        self.faults["sight"] = trouble
        self._notifier.status(f"camera: {trouble}")
        if self.game is not None:
            self.game.cannot_see()
        self._tell("sight", Urgency.ACT, say("device.blind"), say("device.blind_text"))

    def _see(self, frame: Frame, now: float) -> None:
        if self._paused:
            return
        if self.where is Where.GAME and self.game is not None:
            if self.game.see(frame, now):
                self._touch(now)
        elif self.where is Where.LOBBY and not self.sight.alone:
            self._see_in_lobby(frame, now)

    def _see_in_lobby(self, frame: Frame, now: float) -> None:
        """Cards that land before all is chosen begin the game that the panel shows."""
        setup = self._lobby.setup()
        if setup is None:
            return
        if self._watcher is None:
            self._watcher, self._bare = self._watch_for(setup, lambda card: 1.0), True
        found = self._watcher.step(replace(frame, t=now))
        if any(isinstance(each, Cleared) for each in found):
            self._bare = True
        elif found and now - self._since < LEFT_OVER:
            self._bare = False  # the last game's pile still lies there
        elif self._bare and any(isinstance(each, Landed) for each in found):
            self._begin(setup, now, found)

    # -- games ----------------------------------------------------------------------------------

    def _begin_where_it_was(self, now: float) -> None:
        """A game that was interrupted goes on, unless it is one of a virtual table's."""
        waiting = None if self.sight.alone else self.accounts.waiting_game()
        if waiting is not None:
            self.accounts.go_on(waiting)
            self._play(waiting.setup, now)

    def _begin(self, setup: Setup, now: float, seen: list[Observation] | None = None) -> None:
        watcher, self._set_up = self._watcher, True
        setup = self.accounts.begin(setup)
        self._play(setup, now)
        if seen and watcher is not None and self.game is not None:
            self.game.take_over(watcher, seen, now)

    def _play(self, setup: Setup, now: float) -> None:
        self.sight.begin(setup)
        listeners: list[Listener] = [*self._listeners]
        if self.crew.voice is not None:
            every = self.config["voice.says"] == "all"
            listeners.append(CallListener(self.crew.voice, lambda: self._now, every))
        if self.crew.lamps is not None:
            listeners.append(LampListener(self.crew.lamps, lambda: self._now, setup.players))
        self.game = Playing(setup, self.sight, self._watch_for, self.accounts, listeners, now)
        self.game.blind = self._blind is not None
        self._enter(Where.GAME, now)

    def _enter(self, where: Where, now: float) -> None:
        self.where, self._since = where, now
        self._watcher = None
        if where is Where.LOBBY:
            self.accounts.end()
            self.game = None
            self._lobby = self._new_lobby()
        self._touch(now)

    def _new_lobby(self) -> Lobby:
        offer = offered(self.config, self.accounts.night, self.accounts.names())
        # What the settings say may have been changed since the last game. Once one was set up with
        # the buttons, its rules come first; nobody presses any at a virtual table.
        if self.sight.alone or (not self._set_up and self.config.is_said("game.rules")):
            own = str(self.config["game.rules"])
            offer = replace(offer, rules=tuple(dict.fromkeys((own, *offer.rules))))
        return Lobby.begin(offer)

    # -- time -----------------------------------------------------------------------------------

    def _pass_time(self, now: float) -> None:
        self.accounts.tick(now)
        if self._asked_at is not None and now - self._asked_at > ASKED:
            self._asked_at = None
        if self.where is Where.GAME and self.game is not None:
            if now - self._framed > TICK:
                self.game.tick(now)
            quiet = now - self._touched > float(self.config["game.pause_after"])
            if quiet and not self._paused and not self.game.director.over:
                self._paused = True
        if self.sight.alone:
            self._go_on_alone(now)

    def _go_on_alone(self, now: float) -> None:
        """Nobody presses anything at a virtual table, so the device goes on by itself."""
        if self.where is Where.LOBBY:
            offered = tuple(self.config["game.players"]) or VIRTUAL_PLAYERS
            lobby = replace(self._lobby, seats=offered, dealer=None)
            setup = lobby.setup()
            if setup is not None:
                self._begin(setup, now)
        elif self.where is Where.SCORES:
            if now - self._since > ALONE:
                self._enter(Where.LOBBY, now)
        elif self.sight.ended and now - self._framed > ALONE:
            self._enter(Where.SCORES, now)

    # -- the panel ------------------------------------------------------------------------------

    def _show(self, now: float) -> None:
        self.screen = self._wanted()
        if self.crew.display is not None:
            self.crew.display.show(self.screen, now)

    def _wanted(self) -> Screen:
        if self._asked_at is not None:
            return YesNo(
                say("device.shut_down"), say("device.shut_down_yes"), say("device.shut_down_no")
            )
        if self._paused:
            return Notice(say("device.paused"), say("device.paused_text"))
        # On a dark panel nobody would read them.
        notice = None if "panel" in self.faults else self._notices.screen(self._now)
        if notice is not None:
            return notice
        if self.where is Where.LOBBY:
            return self._lobby.screen()
        if self.where is Where.SCORES:
            return standings(self.accounts.night)
        screen = None if self.game is None else self.game.screen
        if screen is None:
            return Notice(say("device.starting"))
        if self._blind is not None and isinstance(screen, Turn):
            # Nobody counts what is played unseen.
            return replace(screen, last=say("device.blind_line"), hand=0, stock=0)
        return screen

    def _tell(self, about: str, urgency: Urgency, title: str, text: str = "") -> None:
        """Show it, and have it said once: whoever plays looks at the cards."""
        self._notices.tell(about, Notice(title, text), urgency, self._now)
        if self.crew.voice is not None:
            sentence = f"{title}. {text}" if text else title
            self.crew.voice.put(Call(sentence, Weight.NOTE, self._now))
