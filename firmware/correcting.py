"""Putting right what was called: by the host's word, and by the fix menu of *oops* held."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import PilewatchError
from engine.events import Amend, Play, Undo
from engine.game import Game
from engine.table import with_cards
from firmware.desk import Line
from firmware.fixes import Doing, Leave, SkipTo, judged
from firmware.inbox import Button, Press
from firmware.pressing import Buttons
from firmware.tell import Noted
from firmware.words import say
from vision.observation import Observation


@dataclass(frozen=True)
class _LastPlay:
    number: int
    play: Play
    player: str


class Correcting(Buttons):
    """Corrections are events of the game: they are kept, told, and can be undone."""

    def _see(self, observations: tuple[Observation, ...]) -> None:
        self.menu, self.line = (), 0  # who plays on wants no menu
        super()._see(observations)

    def _press(self, press: Press) -> None:
        if not self.menu:
            super()._press(press)
        elif press.button is Button.NEXT:
            self.line = (self.line + 1) % len(self.menu)
            self._point()
        elif press.button is Button.PICKUP:
            line = self.menu[self.line]
            self.menu, self.line = line.more, 0
            self._point()
            for doing in line.doings:
                self._correct(doing)
        else:
            self.menu, self.line = (), 0

    def _oops_held(self) -> None:
        if self.refused or self.questions or self.gone:
            super()._oops_held()
        else:
            self.menu, self.line = menu(self.game), 0
            self._point()

    def _point(self) -> None:
        """Tell which line of the menu is pointed at, to those who have no panel."""
        if self.menu:
            label = self.menu[self.line].label
            self._tell(Noted(self.frame, self.t, "note.menu", label))

    def _correct(self, doing: Doing, kept: bool = False) -> None:
        """Apply what the host says as it stands; refused with a word if it cannot be."""
        self.questions.clear()
        self._held.clear()
        self.refused = self.gone = self.owed = self._laid = self._lifted = None
        self.mismatch = None
        try:
            self._judge(doing, self, host=True, kept=kept)
        except PilewatchError as wrong:
            # The game has gone on since it was asked for; nothing has changed.
            self._tell(Noted(self.frame, self.t, "note.fix_refused", str(wrong)))


def menu(game: Game) -> tuple[Line, ...]:
    """What can be put right with three buttons, the likeliest first; only what would stand."""
    table, names = game.table, game.setup.players
    turn = table.name(table.turn)
    lines: list[Line] = []
    last = _last_play(game)
    if last is not None:
        if len(last.play.cards) > 1:
            fewer = replace(last.play, cards=last.play.cards[:-1])
            lines.append(Line(say("menu.fewer"), (Amend(last.number, fewer),)))
        others = [
            # Taken back and laid by the other: the turn goes on from there.
            Line(
                say("menu.was", name=name),
                (Undo(last.number), SkipTo(name), replace(last.play, by=None)),
            )
            for name in names
            if name != last.player
        ]
        lines.append(Line(say("menu.not", name=last.player), more=_possible(game, others)))
    playing = [name for name, seat in zip(names, table.seats, strict=True) if with_cards(seat)]
    turns = [Line(say("menu.turn_of", name=n), (SkipTo(n),)) for n in playing if n != turn]
    lines.append(Line(say("menu.turn"), more=_possible(game, turns)))
    left = [Line(say("menu.has_left", name=name), (Leave(name),)) for name in playing]
    lines.append(Line(say("menu.left"), more=_possible(game, left)))
    return tuple(line for line in lines if line.more or _possible(game, [line]))


def _possible(game: Game, lines: list[Line]) -> tuple[Line, ...]:
    """Those of the lines that the game can take."""
    return tuple(line for line in lines if line.doings and _stand(game, line.doings))


def _stand(game: Game, doings: tuple[Doing, ...]) -> bool:
    try:
        for doing in doings:
            game, ruling = judged(game, doing)
            if not ruling.stands:
                return False
    except PilewatchError:
        return False
    return True


def _last_play(game: Game) -> _LastPlay | None:
    """The play after which nothing has changed, None if something else came last."""
    for each in game.history():
        if each.ruling is None or not each.ruling.stands:
            continue
        if not isinstance(each.event, Play):
            return None
        return _LastPlay(each.number, each.event, each.setup.players[each.ruling.player])
    return None
