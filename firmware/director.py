"""The director: takes every message in turn, asks the referee, and tells the outputs.

It alone changes the game. Its only clock is the time stamp of the messages, so the same
messages always make the same game.
"""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from engine.events import PickUp
from firmware.correcting import Correcting
from firmware.desk import Eyes, Gone
from firmware.inbox import Correction, Message, Press, Seen
from firmware.landing import without
from firmware.tell import Asked, Asking

#: Seconds. How long a pile that went without a word may wait for its press before anyone is asked.
PICKUP_GRACE = 2.0
#: After a press and no sign of the pile going: one reminder.
REMIND_AFTER = 10.0
#: A question about a card is settled by this much quiet.
QUIET_SETTLES = 8.0


class Director(Correcting):
    """One game at one table.

    ``record`` is called with every event before it is announced: the journal's place.
    """

    def handle(self, message: Message) -> None:
        """Take one message; everything that follows from it happens before this returns."""
        self.frame, self.t = message.frame, message.t
        self._prior = None
        if isinstance(message, Seen):
            self._see(message.observations)
        elif isinstance(message, Press):
            self._press(message)
        elif isinstance(message, Correction):
            self._correct(message.event, message.kept)
        else:
            self._look_is_due()
            self._tick()
        self._show()

    def finish(self) -> None:
        """No more frames will come: ask what would have been asked in a moment."""
        if self.gone and not self.gone.asked:
            self._ask_picked_up(self.gone)
            self._show()

    def prior(self, card: Card) -> float:
        """How likely ``card`` is the next to be laid, before anyone has looked; 0: impossible."""
        if self._prior is None:
            game = self.game.judge(PickUp())[0] if self.gone else self.game
            self._prior = game.prior()
        return self._prior.get(card, 0.0)

    def _tick(self) -> None:
        if self.gone and not self.gone.asked and self.t - self.gone.t >= PICKUP_GRACE:
            self._ask_picked_up(self.gone)
        if self.owed and not self.owed.reminded and self.t - self.owed.t >= REMIND_AFTER:
            self.owed = replace(self.owed, reminded=True)
            self._note("note.away_burn" if self.owed.burn else "note.away", name=self.owed.player)
        if self.questions and self.t - self.questions[0].t >= QUIET_SETTLES:
            self._settle_all()

    def _ask_picked_up(self, gone: Gone) -> None:
        self.gone = replace(gone, asked=True)
        self._tell(Asked(self.frame, self.t, Asking.PICKED_UP, player=self.turn))


__all__ = ["Director", "Eyes", "without"]
