"""Photographs of decisions beside the journal, within a limit: the oldest go first."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from firmware.journal.errors import WriteError
from firmware.journal.files import write_whole

FOLDER = "photographs"
LIMIT = 200 << 20
"""Bytes that all photographs together may take."""
FREE = 256 << 20
"""Bytes that stay free on the card whatever happens: the score comes before the pictures."""


class Evidence:
    """The photographs by night and entry; none of this may stop a game.

    ``limit`` and ``free`` are bytes.
    """

    def __init__(self, journal: Path, limit: int = LIMIT, free: int = FREE) -> None:
        self._folder = journal / FOLDER
        self._limit, self._free = limit, free

    def keep(self, night: int, seq: int, jpeg: bytes) -> Path | None:
        """Keep the photograph of an entry; None if there is no room, or no way, to do so."""
        path = self._folder / f"{night:04d}-{seq:06d}.jpg"
        try:
            if len(jpeg) > self._limit or not self._trim(self._limit - len(jpeg)):
                return None
            wanted = self._free + len(jpeg)
            if self._left() < wanted and not self._free_up(wanted):
                return None
            write_whole(path, jpeg)
        except (OSError, WriteError):
            return None
        return path

    def of(self, night: int, seq: int) -> Path | None:
        """The photograph of an entry, None if there is none (any more)."""
        path = self._folder / f"{night:04d}-{seq:06d}.jpg"
        return path if path.exists() else None

    def make_room(self) -> bool:
        """Throw out the older half of the photographs; whether any went."""
        photographs = self._oldest_first()
        return sum(map(_gone, photographs[: -(-len(photographs) // 2)])) > 0

    def _oldest_first(self) -> list[Path]:
        # By their numbers: neither the clock nor the card's times can be relied on.
        found = self._folder.glob("*.jpg") if self._folder.is_dir() else ()
        named = [path for path in found if re.fullmatch(r"\d+-\d+\.jpg", path.name)]
        return sorted(named, key=lambda path: tuple(map(int, path.stem.split("-"))))

    def _trim(self, most: int) -> bool:
        """Throw out the oldest until the rest takes at most so many bytes; whether it does."""
        photographs = self._oldest_first()
        sizes = [path.stat().st_size for path in photographs]
        total = sum(sizes)
        for path, size in zip(photographs, sizes, strict=True):
            if total <= most:
                break
            total -= size if _gone(path) else 0
        return total <= most

    def _left(self) -> int:
        # The card of the journal, though the folder is only made with the first photograph.
        there = (each for each in (self._folder, *self._folder.parents) if each.is_dir())
        return shutil.disk_usage(next(there)).free

    def _free_up(self, wanted: int) -> bool:
        """Throw out the oldest until so many bytes are free; whether they are."""
        for path in self._oldest_first():
            if self._left() >= wanted:
                break
            _gone(path)
        return self._left() >= wanted


def _gone(path: Path) -> bool:
    """Whether the file is gone now; a card that went read-only keeps it."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True
