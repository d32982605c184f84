"""What follows from the three buttons."""

from __future__ import annotations

from engine.cards import Card
from engine.events import Overrule, PickUp, Undo
from engine.verdict import Verdict
from firmware import scene
from firmware.desk import Owed
from firmware.inbox import Button, Press
from firmware.resuming import Resuming

#: Seconds in which *next* adds one of the same to the last play.
ADD_WINDOW = 3.0
#: Seconds within which the pile going and the press about it are one act, in either order.
TOGETHER = 10.0


class Buttons(Resuming):
    """*Pickup*, *next* and *oops*, each by what is open at the moment."""

    def _press(self, press: Press) -> None:
        if self.over:
            if press.button is Button.OOPS:
                self._judge(Undo(), self)  # a wrong last card must not end the game for good
            return
        if self.mismatch is not None:
            self._settle_mismatch(as_seen=press.button is Button.PICKUP)
            return
        if press.button is Button.PICKUP:
            self._pickup()
        elif press.button is Button.NEXT:
            self._next()
        elif press.held:
            self._oops_held()
        else:
            self._oops()

    def _pickup(self) -> None:
        self._settle_all()
        if self.gone:
            self.gone = None
            self._judge(PickUp(), self)
            return
        if self.owed:
            return  # a burning pile goes to nobody, and a pressed one is on its way
        if self._just_picked_up():
            return  # it was seen to go already, and this is the press about it
        self.refused = self._laid = None
        player = self.turn
        _, ruling = self._judge(PickUp(), self)
        if ruling.verdict is Verdict.LEGAL:
            self.owed = Owed(False, self.t, player)
        else:
            self._pass(scene.refusal(player, (), ruling))

    def _just_picked_up(self) -> bool:
        last = self.last
        seen = last is not None and last.number == self._seen_off == self.events
        return seen and last is not None and self.t - last.t <= TOGETHER

    def _next(self) -> None:
        if self.questions:
            self.choice = (self.choice + 1) % len(self.questions[0].candidates)
            self._ask_which(again=True)
        elif self.refused and self.refused.doubt:
            self._believe_doubt()
        elif self._laid and self.t - self._laid.t <= ADD_WINDOW:
            more = Card(self._laid.cards[-1].rank, None)
            self._amend((*self._laid.cards, more), self._laid.added + 1)

    def _oops(self) -> None:
        if self.questions:
            self.questions.clear()
            self._lay_held()
        elif self.gone:
            self.gone = None
            self._note("note.not_picked_up")
        elif self.refused and self.refused.doubt:
            self._overrule()
        elif self.refused:
            self.refused = None
        elif self.game.table.begun:
            self.owed = self._laid = None
            self._judge(Undo(), self)

    def _oops_held(self) -> None:
        if self.refused:
            self._overrule()

    def _overrule(self) -> None:
        if self.refused is None:
            return
        number, cards, player = self.refused.number, self.refused.cards, self.refused.player
        _, ruling = self._judge(Overrule(), self)
        if ruling.verdict is Verdict.LEGAL:
            self._stands(number, cards, ruling, player)
            self._note("note.stands")
