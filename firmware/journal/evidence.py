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
        if len(jpeg) > self._limit:
            return None
        self._trim(self._limit - len(jpeg))
        if self._left() < self._free + len(jpeg) and not self._free_up(self._free + len(jpeg)):
            return None
        path = self._folder / f"{night:04d}-{seq:06d}.jpg"
        try:
            write_whole(path, jpeg)
        except WriteError:
            return None
        return path

    def of(self, night: int, seq: int) -> Path | None:
        """The photograph of an entry, None if there is none (any more)."""
        path = self._folder / f"{night:04d}-{seq:06d}.jpg"
        return path if path.exists() else None

    def make_room(self) -> bool:
        """Throw out the older half of the photographs; whether there were any."""
        photographs = self._oldest_first()
        for path in photographs[: -(-len(photographs) // 2)]:
            path.unlink(missing_ok=True)
        return bool(photographs)

    def _oldest_first(self) -> list[Path]:
        # By their numbers: neither the clock nor the card's times can be relied on.
        found = self._folder.glob("*.jpg") if self._folder.is_dir() else ()
        named = [path for path in found if re.fullmatch(r"\d+-\d+\.jpg", path.name)]
        return sorted(named, key=lambda path: tuple(map(int, path.stem.split("-"))))

    def _trim(self, most: int) -> None:
        """Throw out the oldest until the rest takes at most so many bytes."""
        photographs = self._oldest_first()
        sizes = [path.stat().st_size for path in photographs]
        total = sum(sizes)
        for path, size in zip(photographs, sizes, strict=True):
            if total <= most:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _left(self) -> int:
        return shutil.disk_usage(self._folder if self._folder.is_dir() else Path("/")).free

    def _free_up(self, wanted: int) -> bool:
        """Throw out the oldest until so many bytes are free; whether they are."""
        for path in self._oldest_first():
            if self._left() >= wanted:
                break
            path.unlink(missing_ok=True)
        return self._left() >= wanted
