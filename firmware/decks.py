"""Decks that their owners have shown: where they are kept, and under which names."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import tempfile
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PilewatchError, shown
from firmware.folders import forbidden, hand_over, make_folder, state_folder
from firmware.journal import ClosedError, WriteError
from firmware.journal.files import refused

if TYPE_CHECKING:
    from engine.cards import Card
    from vision.assemble import Sighting
    from vision.learned import LearnedDeck
    from vision.look import Looker

#: Of a deck's name.
MOST_LETTERS = 40
_NAME = re.compile(rf"\w[\w .-]{{0,{MOST_LETTERS - 1}}}")
#: Bytes that no deck's file exceeds: twelve references of 54 cards.
LARGEST = 150_000


class DeckNameError(PilewatchError):
    """There is no learned deck of that name, or it is no name for one."""


def check_deck_name(name: str) -> None:
    """DeckNameError for what is no name."""
    if not _NAME.fullmatch(name):
        raise DeckNameError(
            f"{shown(name)} is no name for a deck; expected up to 40 letters, digits, "
            "spaces, - _ or ."
        )


def deck_file(name: str) -> Path:
    """Where the deck ``name`` is kept; raises DeckNameError for what is no name."""
    check_deck_name(name)
    folder = state_folder()
    if folder is None:
        raise DeckNameError("there is nowhere to keep a deck: expected HOME or XDG_STATE_HOME")
    return folder / "decks" / f"{name}.npz"


def learned_deck(name: str) -> LearnedDeck:
    """The deck ``name``; raises what expect_deck and opened_deck do."""
    return opened_deck(expect_deck(name))


def opened_deck(file: Path) -> LearnedDeck:
    """The deck in a file; DeckError for a damaged one, ClosedError if this user may not read it."""
    from vision.learned import LearnedDeck

    try:
        return LearnedDeck.load(file)
    except OSError as error:
        raise ClosedError(forbidden(file, error.strerror, "read")) from None


def expect_deck(name: str) -> Path:
    """The file of the deck ``name``; raises DeckNameError with what there is, if it is not.

    ClosedError if this user may not look.
    """
    file = deck_file(name)
    try:
        there = file.is_file()
    except PermissionError as error:
        raise ClosedError(forbidden(file, error.strerror)) from None
    if not there:
        known = sorted(f.stem for f in file.parent.glob("*.npz") if f.is_file())
        near = difflib.get_close_matches(name, known, n=1)
        others = f"there is {', '.join(known) or 'none yet'} in {file.parent}"
        hint = f"did you mean {near[0]}?" if near else others
        raise DeckNameError(
            f"no deck {shown(name)} has been learned; {hint} (pilewatch learn-deck teaches one)"
        )
    return file


def expect_room(file: Path) -> None:
    """WriteError, NoRoomError if no deck could be written there: nobody lays 52 cards in vain."""
    place = _place(file)
    try:
        make_folder(place.parent)
        with tempfile.TemporaryFile(dir=place.parent) as trial:
            trial.write(bytes(LARGEST))
    except OSError as error:
        raise refused(error, file) from None


def keep_deck(deck: LearnedDeck, file: Path) -> None:
    """Write the deck where a link leads, whole or not at all; WriteError, NoRoomError."""
    place = _place(file)
    try:
        make_folder(place.parent)
        deck.save(place)
        hand_over(place, place.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            place.with_suffix(".part").unlink(missing_ok=True)
        raise refused(error, file) from None


def keep_anew(deck: LearnedDeck, file: Path) -> str | None:
    """Write the deck in place of another, which gets a free name; that, if there was one.

    WriteError, NoRoomError: then the other one is still where it was.
    """
    place = _place(file)
    if not place.exists():
        keep_deck(deck, file)
        return None
    aside = _free_name(place)
    try:
        place.replace(aside)
    except OSError as error:
        raise refused(error, aside) from None
    try:
        keep_deck(deck, file)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.replace(place)
        raise
    return aside.stem


def _free_name(place: Path) -> Path:
    """A name like that of the deck, no longer than one may be, under which there is none."""
    behind = chain([" before"], (f" before {number}" for number in count(2)))
    names = (place.stem[: MOST_LETTERS - len(b)].rstrip() + b for b in behind)
    return next(p for name in names if not os.path.lexists(p := place.with_stem(name)))


def _place(file: Path) -> Path:
    """Where a link leads; WriteError where it leads nowhere, or to what is no file."""
    try:
        place = file.resolve()
    except (OSError, RuntimeError):  # by the version of Python
        place = file
    if place.is_symlink() or (place.exists() and not place.is_file()):
        raise WriteError(f"{file}: a deck is to be written there; expected a file or nothing yet")
    return place


def taught_by_answers(looker: Looker, name: str) -> Callable[[Sighting, Card], None]:
    """Let ``looker`` learn more of its deck from each answered question, and keep it."""

    def taught(sighting: Sighting, card: Card) -> None:
        deck = looker.reader.deck
        if deck is not None:
            looker.reader.deck = deck.with_card(card, [r.features for r in sighting.readings])
            with contextlib.suppress(WriteError):  # a full disk: the game goes on
                keep_deck(looker.reader.deck, deck_file(name))

    return taught
