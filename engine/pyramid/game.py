"""A game of the pyramid patience: moves counted, taken back, and the answer to each event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.pyramid import say
from engine.pyramid.deal import Deal
from engine.pyramid.events import Event, Move, Undo
from engine.pyramid.position import Position
from engine.pyramid.referee import Reason, moved
from engine.pyramid.solver import NODE_LIMIT, solve
from engine.verdict import Verdict


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Patience:
    """A game after ``moves`` moves, of which those along ``past`` are not taken back.

    ``dead`` tells that the pyramid can no longer be cleared, None that the solver, which
    tries at most ``limit`` choices, does not know.
    """

    deal: Deal
    position: Position
    moves: int
    past: Patience | None
    dead: bool | None
    limit: int

    @staticmethod
    def new(deal: Deal, limit: int = NODE_LIMIT) -> Patience:
        """A game before its first move."""
        return Patience(deal, deal.start, 0, None, _dead(deal, deal.start, limit), limit)

    @property
    def left(self) -> int:
        """How many cards of the pyramid are left."""
        return self.position.left

    @property
    def stock(self) -> int:
        """How many cards can be flipped before a reset."""
        return self.position.stock.bit_count()

    @property
    def waste(self) -> int:
        """How many cards lie on the waste."""
        return self.position.waste.bit_count()

    @property
    def waste_top(self) -> str | None:
        """The code of the card on top of the waste."""
        top = self.position.waste_top
        return str(self.deal.in_stock[top]) if top else None

    @property
    def foundation(self) -> int:
        """How many cards are out of the game."""
        return self.deal.size - self.left - self.stock - self.waste

    @property
    def won(self) -> bool:
        """Whether the pyramid is cleared."""
        return self.position.won

    def __repr__(self) -> str:
        return f"Patience(after {self.moves} moves, {self.left} left)"

    def judge(self, event: Event) -> tuple[Patience, Ruling]:
        """The game after the event, and the ruling on it; a refused event costs no move."""
        after = self._undone() if isinstance(event, Undo) else self._moved(event)
        if isinstance(after, Reason):
            return self, Ruling(after.verdict, after, event, self, self)
        return after, Ruling(Verdict.LEGAL, None, event, self, after)

    def _moved(self, move: Move) -> Patience | Reason:
        position = moved(self.deal, self.position, move)
        if isinstance(position, Reason):
            return position
        dead = self.dead
        # A flip or a reset changes nothing (pyramid ?8), and what is dead stays so.
        if position.pyramid != self.position.pyramid and dead is not True:
            dead = _dead(self.deal, position, self.limit)
        return Patience(self.deal, position, self.moves + 1, self, dead, self.limit)

    def _undone(self) -> Patience | Reason:
        """One move back, and one move more on the count (pyramid R5)."""
        if self.won and not self.deal.rules.undo_after_win:
            return Reason.GAME_OVER
        if self.past is None:
            return Reason.NOTHING_TO_UNDO
        before = self.past
        return Patience(
            self.deal, before.position, self.moves + 1, before.past, before.dead, self.limit
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on ``event`` in the game ``before``, and the game after it."""

    verdict: Verdict
    reason: Reason | None
    event: Event
    before: Patience
    game: Patience

    @property
    def stands(self) -> bool:
        """Whether the event counted as a move."""
        return self.verdict is Verdict.LEGAL

    @property
    def news_of_death(self) -> bool:
        """Whether it must be announced now that no chance is left (pyramid R7)."""
        known = self.before.dead is True and self.before.moves > 0
        return self.stands and self.game.dead is True and not known

    @property
    def say(self) -> str:
        """The ruling in a few English words; ``engine.pyramid.say`` has the other languages."""
        return say.sentence(self)

    def to_json(self, number: int) -> dict[str, Any]:
        """The answer line to event ``number``, as ``pilewatch judge`` prints it."""
        game = self.game
        return {
            "event": number,
            "verdict": self.verdict.value,
            "reason": None if self.reason is None else self.reason.value,
            "say": self.say,
            "left": game.left,
            "stock": game.stock,
            "waste": game.waste,
            "waste_top": game.waste_top,
            "foundation": game.foundation,
            "moves": game.moves,
            "won": game.won,
            "dead": game.dead,
        }


def _dead(deal: Deal, position: Position, limit: int) -> bool | None:
    winnable = solve(deal, position, limit).winnable
    return None if winnable is None else not winnable
