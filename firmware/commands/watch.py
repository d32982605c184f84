"""``pilewatch watch``: referees a game from frames, and tells it line by line."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cards import Card
from engine.errors import shown
from engine.rules import find_rules
from engine.setup import Setup
from firmware import controls, streams
from firmware.announce import JsonLines, PlainLines
from firmware.arguments import given, source
from firmware.commands.night import tell_notes
from firmware.controls import Act, Controls, Keyboard, press_of_key, read_controls
from firmware.decks import learned_deck, taught_by_answers
from firmware.keeper import Seating, deal_anyway, going_on
from firmware.night.acts import NightError
from firmware.night.alone import alone_at
from firmware.night.book import Book, book_at
from firmware.night.facts import date_of
from firmware.night.names import names_in
from firmware.seating import add_seating, seat
from firmware.sources import check_given, is_virtual, seed_of
from firmware.streams import OutputError
from firmware.tell import Announcement, Listener, Noted, Observed
from firmware.words import say

if TYPE_CHECKING:
    from firmware.session import Presses
    from firmware.virtual import VirtualTable
    from vision.frame import Frame

log = logging.getLogger("pilewatch")

DEFAULT_FPS, LEAST_FPS, MOST_FPS = 10.0, 0.01, 240.0


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "watch",
        help="referee from a camera, a video, a folder of frames or a virtual table",
        description=(
            "Referees from frames. A folder may hold setup.json (who plays, and the rules)"
            " and controls.jsonl (button presses)."
        ),
    )
    parser.add_argument(
        "source",
        type=source,
        metavar="SOURCE",
        help="camera, camera:N, a video file, a folder of frames, or virtual:SEED",
    )
    add_seating(parser)
    parser.add_argument("--deck", type=given, metavar="NAME", help="a deck learned by learn-deck")
    parser.add_argument(
        "--night",
        action="store_true",
        help="keep the score of the night; a game that was not finished goes on",
    )
    parser.add_argument("--json", action="store_true", help="a line of JSON for each thing told")
    parser.add_argument(
        "--keys", action="store_true", help="keys p, n, o are the buttons; capitals hold"
    )
    parser.add_argument(
        "--fps", type=_fps, default=DEFAULT_FPS, metavar="N", help="frames a second in a folder"
    )


@dataclass(frozen=True)
class Feed:
    """Where frames and presses come from, and who plays there."""

    setup: Setup
    frames: AbstractContextManager[Iterable[Frame]]
    presses: Presses
    table: VirtualTable | None = None
    seating: Seating | None = None


class Witness:
    """Knows whether the camera has seen anything; ``anything`` is that."""

    anything = False

    def hear(self, announcement: Announcement) -> None:
        """Take note of an observation."""
        self.anything = self.anything or isinstance(announcement, Observed)


def run(args: argparse.Namespace) -> int:
    """Referee until the frames end."""
    with ExitStack() as stack:
        book = stack.enter_context(book_at(args.source)) if args.night else None
        try:
            if book is not None:
                stack.enter_context(alone_at(book.journal.folder))
            return _referee(args, book, stack)
        finally:
            if book is not None:
                tell_notes(book)


def _referee(args: argparse.Namespace, book: Book | None, stack: ExitStack) -> int:
    from firmware.director import Director
    from firmware.keeping import Keeping
    from firmware.session import referee
    from vision.look import Looker
    from vision.watcher import Watcher

    feed = _feed(args, book)
    director: Director

    def prior(card: Card) -> float:
        return director.prior(card)

    deck = learned_deck(args.deck) if args.deck else None
    looker = Looker.load(deck=deck, jokers=feed.setup.rules.jokers > 0)
    taught = taught_by_answers(looker, args.deck) if args.deck else None
    watcher = Watcher(looker, prior, feed.setup.decks, taught)
    keeping = None
    if book is not None and feed.seating is not None:
        keeping = Keeping(book, feed.seating)
    record = keeping.keeper.record if keeping else lambda number, doing: None
    witness = Witness()
    output = Output(kept=keeping is not None)
    lines: Listener = JsonLines(output.write) if args.json else PlainLines(output.write)
    director = Director(feed.setup, watcher, [lines, witness], record)
    if feed.table:
        feed.table.meet(director)
    if keeping:
        keeping.meet(director)
    keyboard = stack.enter_context(Keyboard()) if args.keys else None
    frames = stack.enter_context(feed.frames)
    after = keeping.after if keeping else lambda frame: None
    count = referee(frames, watcher, director, _with_keys(feed.presses, keyboard), after)
    director.finish()
    if not witness.anything:
        text = say("note.nothing_seen", count=count)
        director.outputs.tell(Noted(director.frame, director.t, "note.nothing_seen", text))
    return output.code


def _feed(args: argparse.Namespace, book: Book | None) -> Feed:
    # Imported here, so that --help does not wait for OpenCV and the models.
    from firmware.virtual import VirtualTable
    from vision.sources import open_source

    if is_virtual(args.source):
        seed = seed_of(args.source)
        if args.players is None and len(_seats(book)) < 2:
            args.players = "Ann,Bob,Cat"
        seating = None if book is None else _at_a_virtual_table(args, book)
        setup = seat(args) if seating is None else seating.setup
        table = VirtualTable(setup, seed)
        return Feed(table.setup, table, table.at, table, seating)
    check_given(args.source)
    source = open_source(args.source, args.fps)
    folder = Path(args.source) if Path(args.source).is_dir() else None
    if book is None:
        return Feed(seat(args, folder), source, _controls(folder).at)
    on = going_on(book)
    if on is None:
        seating = _new_game(args, book, folder)
    elif _is_that(on.setup, args):
        seating = on
    else:
        raise NightError(
            f"{_not_over(book)}; watch --night without --players and --rules plays on, pilewatch"
            " night abandon ends it"
        )
    return Feed(seating.setup, source, _controls(folder).at, seating=seating)


def _seats(book: Book | None) -> tuple[str, ...]:
    return book.night.seats if book and book.night else ()


def _at_a_virtual_table(args: argparse.Namespace, book: Book) -> Seating:
    if going_on(book) is not None:
        raise NightError(
            f"{_not_over(book)}, and a virtual table can only begin anew; pilewatch night abandon"
            f" --journal {book.journal.folder} ends it"
        )
    return _new_game(args, book, None)


def _new_game(args: argparse.Namespace, book: Book, folder: Path | None) -> Seating:
    """A game for those who are named, else for those who sit there."""
    seats = _seats(book)
    if args.players is None and len(seats) > 1:
        rules = find_rules(args.rules or "classic")
        return deal_anyway(book, Setup.new(rules, seats, first=args.first))
    setup = seat(args, folder)
    _tell_who_moves(book, setup.players)
    return deal_anyway(book, setup)


def _tell_who_moves(book: Book, players: tuple[str, ...]) -> None:
    """Say so where a night that was left open goes on with others: it may be yesterday's."""
    night = book.night
    if night is None or not night.rounds or not night.still_on:
        return
    named = [night.spelt(name) for name in players]
    gone = [name for name in night.seats if name not in named]
    if gone:
        came = ", ".join(name for name in named if name not in night.seats) or "nobody"
        began = date_of(night)
        begun = f", begun {began}," if began else ""
        book.journal.notes.append(
            f"Night {night.number}{begun} is still on and goes on: {came} sat"
            f" down, {', '.join(gone)} got up; pilewatch night open begins another."
        )
        tell_notes(book)


def _is_that(setup: Setup, args: argparse.Namespace) -> bool:
    """Whether it is the game that is asked for, as far as anything is said of it."""
    people = set(setup.players) if args.players is None else set(names_in(args.players))
    rules = setup.rules if args.rules is None else find_rules(args.rules)
    return people == set(setup.players) and rules == setup.rules


def _not_over(book: Book) -> str:
    game = book.opened.rounds[-1]
    return f"game {game.number} of {', '.join(game.setup.players)} is not over"


def _with_keys(presses: Presses, keyboard: Keyboard | None) -> Presses:
    if keyboard is None:
        return presses

    def both(frame: int, t: float) -> Iterator[Act]:
        yield from presses(frame, t)
        for key in keyboard.struck():
            press = press_of_key(key, frame, t)
            if press:
                yield press

    return both


def _fps(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not LEAST_FPS <= value <= MOST_FPS:
        raise argparse.ArgumentTypeError(
            f"expected from {LEAST_FPS} to {MOST_FPS:.0f} frames a second, not {shown(text)}"
        )
    return value


class Output:
    """Standard output, which the game needs unless its score is ``kept`` elsewhere.

    ``code`` is what the program is to end with.
    """

    code = 0

    def __init__(self, kept: bool) -> None:
        self._kept = kept

    def write(self, line: str) -> None:
        """Write a line, to be read at once; OutputError if that ends the game."""
        try:
            streams.write(line)
        except OutputError as wrong:
            if not self._kept:
                raise
            self.code = wrong.exit_code
            log.warning("pilewatch: %s; the game goes on, and its score is kept", wrong)


def _controls(folder: Path | None) -> Controls:
    path = folder / controls.FILE_NAME if folder else None
    if path is None or not path.exists():
        return Controls()
    return read_controls(path)
