"""``pilewatch learn-deck``: learns an odd deck from its cards, laid one after another."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cards import Card, full_deck, parse_card
from engine.errors import CardError, PilewatchError, printable
from firmware.arguments import source
from firmware.decks import deck_file, expect_room, keep_anew, keep_deck, opened_deck
from firmware.sources import is_live, is_virtual

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.lesson import Learned, Lesson

#: A card, and what tells one photograph of it from another.
_NAMED_AFTER = re.compile(r"([a-z0-9]+?)(?:[-_ ]+(?:copy)?[-_ ]*(?:\(?\d+\)?)?)?", re.IGNORECASE)
#: Most missing cards that are named one by one.
NAMED = 16


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "learn-deck",
        help="learn a deck that is read badly, from its cards laid one after another",
        description=(
            "Lay the cards of a deck one after another before the camera, in any order; Ctrl-C "
            "ends the lesson and keeps what was learned. Or give a folder of photographs, of a "
            "card or of several each. Afterwards look, watch and run know the deck by --deck NAME. "
            "A photograph named after the only card in it, such as 10S.jpg or 10S-2.jpg, is "
            "believed. A later lesson adds to the earlier ones."
        ),
        epilog=(
            "Exit code: 0 when every card is known, 1 when some are still missing; 130 when a "
            "folder or video was not gone through to its end."
        ),
    )
    parser.add_argument("name", metavar="NAME", help="what the deck shall be called")
    parser.add_argument(
        "source",
        type=source,
        metavar="SOURCE",
        help="camera, camera:N, a video file or a folder of photographs",
    )
    parser.add_argument(
        "--jokers", type=int, choices=range(5), default=2, help="how many the deck has (2)"
    )
    parser.add_argument(
        "--anew",
        action="store_true",
        help="begin again; what was learned before becomes the deck 'NAME before'",
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when every card is known, 1 when some are still missing."""
    # Imported here, so that --help does not wait for OpenCV and the models.
    from vision.learned import DeckError, LearnedDeck
    from vision.lesson import Lesson
    from vision.look import Looker

    file = deck_file(args.name)
    if is_virtual(args.source):
        raise PilewatchError(
            f"{args.source}: a game at a virtual table is no lesson; expected the cards of a deck"
            " one after another before a camera, in a video, or a folder of photographs of them"
        )
    expect_room(file)
    looker = Looker.load()
    nothing = deck = LearnedDeck.new(args.name, looker.reader.mark)
    if file.is_file() and not args.anew:
        try:
            deck = opened_deck(file)
        except DeckError as wrong:
            raise DeckError(f"{wrong}; --anew begins it again") from None
    looker.reader.deck = deck.made_for(looker.reader.mark)
    cards = full_deck(1, min(args.jokers, 1))
    lesson = Lesson(looker.sightings, deck, cards)
    aside, stopped = None, False
    try:
        for line in _shown(args.source, lesson):
            _say(f"  {line}\n")
    except KeyboardInterrupt:
        # Before a camera that is how a lesson ends.
        stopped = not is_live(args.source)
        _say("\n")
    finally:
        # Whatever ended the lesson, nobody lays those cards again.
        learned = lesson.result()
        if learned.deck is not deck:
            if deck is nothing:
                aside = keep_anew(learned.deck, file)
            else:
                keep_deck(learned.deck, file)
    _say(in_words(args.name, learned, len(cards), args.jokers))
    if aside:
        _say(f"  What was learned before is the deck '{aside}'.\n")
    if stopped:
        raise KeyboardInterrupt
    return 1 if learned.missing else 0


def _shown(source: str, lesson: Lesson) -> Iterator[str]:
    """What each new picture shows, in words."""
    from vision.settle import Motion, Settler
    from vision.sources import open_source

    folder = Path(source)
    if folder.is_dir():
        for name, image in _photographs(folder):
            card = _named_after(Path(name).stem)
            yield f"{printable(name)}: {_told(card, lesson.show(image, card))}"
        return
    settler = Settler()
    with open_source(source) as frames:
        for frame in frames:
            if settler.step(frame.image, frame.t) is Motion.SETTLED:
                read = lesson.lay(frame.image)
                if read:
                    yield _told(None, read)


def _told(named: Card | None, read: Sequence[Card]) -> str:
    if not read:
        return "no card was read"
    cards = " ".join(map(str, read))
    if named is None or [named] == list(read):
        return cards
    if len(read) > 1:
        return f"{cards}; expected {named} alone, as it is named: the name is not used"
    return f"{named}, as it is named, though it reads as {cards}"


def _photographs(folder: Path) -> Iterator[tuple[str, Image]]:
    from rich.console import Console
    from rich.progress import track

    from vision.pictures import PictureError, load_picture
    from vision.sources import none_readable, pictures_in

    files, found = pictures_in(folder), False
    for file in track(files, "learning", console=Console(stderr=True), transient=True):
        try:
            image = load_picture(file)
        except PictureError as error:
            sys.stderr.write(f"pilewatch: {error}; this photograph is left out\n")
            continue
        found = True
        yield file.name, image
    if not found:
        raise none_readable(folder)


def _named_after(stem: str) -> Card | None:
    """The card that a file is named after, as ``10S``, ``TS``, ``10S-2``, ``10S (1)`` or so."""
    named = _NAMED_AFTER.fullmatch(stem)
    if named is None:
        return None
    code = re.sub("^t", "10", named[1], flags=re.IGNORECASE)
    try:
        card = parse_card(code)
    except CardError:
        return None
    return None if card.suit_unknown else card


def in_words(name: str, learned: Learned, of: int, jokers: int) -> str:
    """What was learned, for human eyes; ``jokers`` are in the deck, all of one kind."""
    alike = f" (the {jokers} jokers count as one)" if jokers > 1 else ""
    lines = [f"{name}: {of - len(learned.missing)} of {of} cards known{alike}."]
    for card, read_as in learned.corrected:
        lines.append(f"  {card} was taken for {read_as} before.")
    if learned.doubtful:
        one = learned.doubtful == 1
        lines.append(
            f"  {learned.doubtful} {'card' if one else 'cards'} could not be told from others; "
            f"show {'it' if one else 'them'} again, or name photographs after their cards."
        )
    missing = " ".join(map(str, learned.missing[:NAMED]))
    if learned.missing:
        more = len(learned.missing) - NAMED
        lines.append(f"  Still missing: {missing}{f' and {more} more' if more > 0 else ''}")
    return "\n".join(lines) + "\n"


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
