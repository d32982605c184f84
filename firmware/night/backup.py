"""All nights in a folder elsewhere, say on a USB stick, and back from there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from engine.errors import PilewatchError
from firmware.journal import (
    SUFFIX,
    Entry,
    Journal,
    NightFile,
    NightFileError,
    PlaceError,
    WriteError,
    apart,
    read_night,
    write_night,
)
from firmware.night.book import Book

FOLDER = "pilewatch-backup"


@dataclass
class Backup:
    """What was done: files written, those that were there already, and what went wrong.

    ``beside`` tells of nights that lie beside one that has gone another way.
    """

    written: list[Path] = field(default_factory=list)
    same: list[Path] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)


def back_up(journal: Journal, target: Path) -> Backup:
    """Write every night that is not there yet as it stands, and read each back.

    WriteError or NoRoomError if the target cannot be written; what stands there of earlier
    backups is replaced only by a longer file of the same night.
    """
    if not target.is_dir():
        raise NightFileError(f"{target}: expected a folder that is there; is the stick plugged in?")
    done = Backup()
    for number in journal.nights():
        path, whole, there = _place(target / FOLDER, journal.night_file(number))
        if there[: len(whole.entries)] == whole.entries:
            done.same.append(path)
            continue
        write_night(path, whole)
        done.written.append(path)
        if whole.mark != journal.mark(number):
            done.beside.append(
                f"night {number} has gone on there in another way than here; that stays, and"
                f" the one from here lies beside it as {path.name}"
            )
    return done


def _place(folder: Path, whole: NightFile) -> tuple[Path, NightFile, tuple[Entry, ...]]:
    """Where a night is to be written, as what, and the entries that are there already."""
    path = folder / whole.name
    if path.is_symlink():
        raise PlaceError(f"{path}: it is a link, and is left as it is; expected a file, or nothing")
    try:
        there = read_night(path) if path.exists() else None
    except NightFileError:
        there = None  # damaged, and about to be written anew
    if there is None:
        return path, whole, ()
    other = apart(whole, there)
    return (path, whole, there.entries) if other is None else _place(folder, other)


def restore(book: Book, source: Path) -> Backup:
    """Take in every night of a backup; damaged files are told and left out.

    NightFileError if there is no backup at all, WriteError if nothing can be written here.
    Nights that are here already gain what they lack; nothing that is here is lost. Those whose
    number is free come first: one that has to get another number must not take theirs.
    """
    folder = source / FOLDER if (source / FOLDER).is_dir() else source
    paths = sorted(folder.glob(f"night-*{SUFFIX}"))
    if not paths:
        raise NightFileError(f"{source}: there is no backup; expected a folder {FOLDER}")
    done, late = Backup(), list[Path]()
    for path in chain(paths, late):
        try:
            whole = read_night(path)
            if path not in late and _is_taken(book, whole):
                late.append(path)
                continue
            _, new = book.again(partial(book.take_in, whole, str(path)))
        except WriteError:
            raise
        except PilewatchError as wrong:
            done.wrong.append(str(wrong))
            continue
        (done.written if new else done.same).append(path)
    return done


def _is_taken(book: Book, whole: NightFile) -> bool:
    """Whether another night has the number that this one had where it was written."""
    return book.journal.nights().get(whole.number, whole.mark) != whole.mark
