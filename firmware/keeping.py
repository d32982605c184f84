"""All that keeping the score takes beside a director: keeper, photographs, restart."""

from __future__ import annotations

from firmware.director import Director
from firmware.journal.evidence import Evidence
from firmware.keeper import Keeper, Seating
from firmware.night.book import Book
from firmware.photographer import Photographer
from vision.frame import Frame


class Keeping:
    """Keeps one director's game in the book, and has it go on where it was."""

    def __init__(self, book: Book, seating: Seating) -> None:
        evidence = Evidence(book.journal.folder)
        self.keeper = Keeper(book, seating, evidence.make_room)
        self._photographer = Photographer(book, evidence)
        self._goes_on = seating.game

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
