"""All that keeping the score takes beside a director: keeper, photographs, restart."""

from __future__ import annotations

from engine.game import Game
from engine.setup import Setup
from firmware.director import Director
from firmware.journal.evidence import Evidence
from firmware.keeper import Keeper
from firmware.night.book import Book
from firmware.photographer import Photographer
from vision.frame import Frame


class Keeping:
    """Keeps one director's game in the book, and has it go on where it was.

    ``goes_on`` is the game that was not finished, None for a new one; ``undealt`` the game that
    could not be written down yet.
    """

    def __init__(
        self, book: Book, goes_on: Game | None = None, undealt: Setup | None = None
    ) -> None:
        evidence = Evidence(book.journal.folder)
        self.keeper = Keeper(book, evidence.make_room, undealt)
        self._photographer = Photographer(book, evidence)
        self._goes_on = goes_on

    def meet(self, director: Director) -> None:
        """Keep this director's game, and let it go on where it was."""
        self.keeper.meet(director)
        director.outputs.add(self._photographer)
        if self._goes_on is not None:
            director.resume(self._goes_on)

    def after(self, frame: Frame) -> None:
        """A frame has been seen and told of."""
        self.keeper.look()
        self._photographer.look(frame)
