"""After a restart: one look at the pile, to see whether it is still what it was."""

from __future__ import annotations

from engine.cards import Card
from engine.errors import PilewatchError
from engine.events import Chance, PickUp, Play
from engine.game import Game
from firmware import scene
from firmware.desk import Owed
from firmware.fixes import SetPile, judged
from firmware.landing import Landings, without
from firmware.tell import Asked, Asking, Noted, Observed
from vision.observation import Landed, Observation

#: Seconds after which a table on which nothing was seen is taken to be empty.
LOOK = 3.0


class Resuming(Landings):
    """A game that goes on where it was."""

    _look_by: float | None = None

    def resume(self, game: Game) -> None:
        """Go on with a game; the first look says whether the pile agrees, or it is asked."""
        self.adopt(game)
        if self.over:
            return
        table = game.table
        count = table.pile.size if table.pile else 0
        self.announce("note.goes_on", name=self.turn, count=count)
        self._look_by = self.t + LOOK

    def _see(self, observations: tuple[Observation, ...]) -> None:
        if self.mismatch is not None:
            # Who plays on plays on what was known.
            self._settle_mismatch(as_seen=False)
        if self._look_by is None:
            super()._see(observations)
            return
        landed = [each for each in observations if isinstance(each, Landed)]
        for each in landed:
            self._tell(Observed(each.frame, each.t, each))
        self._compare(tuple(card for each in landed for card in each.cards))

    def _look_is_due(self) -> None:
        if self._look_by is not None and self.t >= self._look_by:
            self._compare(())

    def _compare(self, seen: tuple[Card, ...]) -> None:
        """Hold the first look against what should lie there."""
        self._look_by = None
        pile = self.game.table.pile
        there = () if pile is None else pile.cards()
        if _agree(seen, there):
            self._note("note.agrees")
        elif seen and not there and not without(seen, self._went()):
            # What burned, or was pressed for, has not been lifted yet.
            self.owed = Owed(bool(self.game.ruling and self.game.ruling.burn), self.t, self.turn)
        else:
            self.mismatch, self._passing = self._as_it_lies(seen), None
            text = scene.mismatch(self.mismatch)
            self._tell(Asked(self.frame, self.t, Asking.MISMATCH, seen[-1:], text=text))

    def _went(self) -> tuple[Card, ...]:
        """The cards that left the pile with the last event."""
        event, past = self.game.event, self.game.past
        before = past.table.pile if past else None
        cards = () if before is None else before.cards()
        if isinstance(event, Play):
            return (*cards, *event.cards)
        if isinstance(event, Chance):
            return (*cards, event.card)
        return cards if isinstance(event, PickUp) else ()

    def _settle_mismatch(self, as_seen: bool) -> None:
        pile, self.mismatch = self.mismatch or (), None
        if as_seen:
            try:
                self._judge(self._missed(pile) or SetPile(pile), self, host=True)
            except PilewatchError as wrong:
                self._tell(Noted(self.frame, self.t, "note.fix_refused", str(wrong)))
                return
        self._note("note.as_seen" if as_seen else "note.as_kept")

    def _missed(self, pile: tuple[Card, ...]) -> Play | None:
        """The play of whose turn it is, if the pile has grown by just that and it stands."""
        there = () if self.game.table.pile is None else self.game.table.pile.cards()
        new = without(pile, there)
        grown = len(pile) == len(there) + len(new) and pile[len(pile) - len(new) :] == new
        if not new or not grown:
            return None
        try:
            stands = judged(self.game, Play(new))[1].stands
        except PilewatchError:
            return None
        return Play(new) if stands else None

    def _as_it_lies(self, seen: tuple[Card, ...]) -> tuple[Card, ...]:
        """The pile with what is seen on top, and beneath it what a look cannot show.

        Where nothing of the old pile is seen it has gone, and what lies there is another.
        """
        pile = self.game.table.pile
        there = () if pile is None else pile.cards()
        still_there = len(without(seen, there)) < len(seen)
        return (*without(there, seen), *seen) if still_there else seen


def _agree(seen: tuple[Card, ...], there: tuple[Card, ...]) -> bool:
    """Whether what is seen can be that pile: its top is, and the rest shows of what lies in it."""
    if not seen or not there:
        return not seen and not there
    return not without(seen[-1:], there[-1:]) and not without(seen, there)
