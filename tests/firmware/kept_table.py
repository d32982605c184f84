"""A table whose score is kept in a book, played in the words of ``table_talk``."""

from __future__ import annotations

from table_talk import TableTalk

from engine.rules import preset
from engine.setup import Setup
from firmware.cli import main
from firmware.director import Director
from firmware.inbox import Correction
from firmware.keeper import Keeper, Seating, deal, going_on
from firmware.night.book import Book, open_book

TRIO = Setup.new(preset("classic"), ("Ann", "Bob", "Cat"))


class Evening(TableTalk):
    """A table whose score is kept in a book."""

    def __init__(self, book: Book, setup: Setup = TRIO, dealt: Seating | None = None) -> None:
        seating = dealt or going_on(book) or deal(book, setup)
        super().__init__(seating.setup)
        self.book = book
        self.keeper = Keeper(book, seating)
        self.director = Director(seating.setup, self.eyes, [self.ears], record=self.keeper.record)
        self.keeper.meet(self.director)
        if seating.game:
            self.director.resume(seating.game)

    def fix(self, doing: object) -> None:
        self.director.handle(Correction(self.frame, self.t, doing))  # type: ignore[arg-type]


def kept(book: Book) -> list[object]:
    """What the journal has of the first night's last game."""
    with open_book(book.journal.folder) as other:
        return list(other.read(1).rounds[-1].doings)


def fix(book: Book, *words: str) -> int:
    """The exit code of ``pilewatch fix`` with these words."""
    return main(["fix", *words, "--journal", str(book.journal.folder)])
