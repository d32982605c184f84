"""A night as a file of text: its verified copy, its backup, and what travels to another device.

The first line is a JSON object with the night's mark and number, how many entries follow and
a digest of them; then comes one entry a line with its own checksum, the same as in the
journal. So a whole file can be proved sound, and of a damaged one each sound line be kept.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import shown
from firmware.journal.entry import Entry, packed
from firmware.journal.errors import NightFileError, WriteError
from firmware.journal.files import write_whole

VERSION = 1
SUFFIX = ".jsonl"
MOST_BYTES = 64 << 20
"""No night is larger; a file that is will not be read into memory."""

_MARK = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class NightFile:
    """A night as it stands in a file; ``number`` is the one it had where it was written."""

    mark: str
    number: int
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """The file name under which copies of this night are kept."""
        return f"night-{self.number:04d}-{self.mark}{SUFFIX}"


def apart(night: NightFile, other: NightFile) -> NightFile | None:
    """The night under a mark of its own, if it went another way than ``other``; else None.

    The mark follows from where they part, so that it stays the same while the night grows.
    """
    pairs = zip(night.entries, other.entries, strict=False)
    parted = next((mine for mine, theirs in pairs if mine != theirs), None)
    if parted is None:
        return None
    mark = hashlib.blake2b(parted.checksum(night.mark), digest_size=8).hexdigest()
    return replace(night, mark=mark)


def to_bytes(night: NightFile) -> bytes:
    """The file's content."""
    lines = [_line(night.mark, entry) for entry in night.entries]
    body = "".join(lines).encode()
    header = {
        "pilewatch": "night",
        "version": VERSION,
        "mark": night.mark,
        "number": night.number,
        "entries": len(lines),
        "digest": _digest(night.mark, night.number, body),
    }
    return (packed(header) + "\n").encode() + body


def write_night(path: Path, night: NightFile) -> None:
    """Write the night to a file and read it back; WriteError or NoRoomError if that fails."""
    data = to_bytes(night)
    write_whole(path, data)
    try:
        sound = path.read_bytes() == data
    except OSError:
        sound = False
    if not sound:
        raise WriteError(f"{path}: what was written there does not read back; try another card")


def read_night(path: Path) -> NightFile:
    """The night in a file; NightFileError if it is damaged or no night at all."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise NightFileError(f"{path}: expected a night's file, this is no ordinary file")
        if about.st_size > MOST_BYTES:
            raise NightFileError(f"{path}: expected a night's file, this is far too large")
        data = path.read_bytes()
    except OSError as error:
        raise NightFileError(f"{path}: it cannot be read ({error.strerror})") from None
    return from_bytes(data, str(path))


def from_bytes(data: bytes, where: str) -> NightFile:
    """The night of a file's content; NightFileError names ``where``."""
    first, _, body = data.partition(b"\n")
    header = _header(first, where)
    mark, number = header["mark"], header["number"]
    if header.get("digest") != _digest(mark, number, body):
        raise NightFileError(
            f"{where}: the file is damaged (its digest differs); expected one that is whole"
        )
    entries = [_entry(line, mark) for line in body.splitlines()]
    sound = tuple(entry for entry in entries if entry is not None)
    if len(sound) != header["entries"] or any(
        entry.seq != seq for seq, entry in enumerate(sound, 1)
    ):
        raise NightFileError(f"{where}: the file is damaged (entries are missing)")
    return NightFile(mark, number, sound)


def salvage_night(path: Path) -> NightFile | None:
    """What of a damaged file can still be trusted, None if that is nothing."""
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        return None
    first, _, body = data.partition(b"\n")
    try:
        header = _header(first, str(path))
    except NightFileError:
        # The mark is in the file's name, too.
        named = re.fullmatch(rf"night-(\d+)-([0-9a-f]{{16}}){SUFFIX}", path.name)
        if named is None:
            return None
        header, body = {"mark": named[2], "number": int(named[1])}, data
    found = (_entry(line, header["mark"]) for line in body.splitlines())
    return NightFile(header["mark"], header["number"], tuple(each for each in found if each))


def _header(line: bytes, where: str) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("pilewatch") != "night":
        raise NightFileError(f"{where}: expected the file of a night, as night export writes it")
    version = header.get("version")
    if isinstance(version, int) and version > VERSION:
        raise NightFileError(
            f"{where}: the file is of version {version} and this Pilewatch knows {VERSION};"
            " install a newer one"
        )
    mark, number, count = header.get("mark"), header.get("number"), header.get("entries")
    if (
        version != VERSION
        or not isinstance(mark, str)
        or not _MARK.fullmatch(mark)
        or not _is_count(number)
        or not _is_count(count)
    ):
        begins = shown(line[:40].decode(errors="replace"))
        raise NightFileError(f"{where}: the file is damaged in its first line, {begins}")
    return header


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 40


def _line(mark: str, entry: Entry) -> str:
    data = {"seq": entry.seq, "kind": entry.kind, "at": entry.at, "body": entry.data}
    return packed(data | {"sum": entry.checksum(mark).hex()}) + "\n"


def _entry(line: bytes, mark: str) -> Entry | None:
    """The entry of a line, None if it is not as it was written."""
    try:
        data = json.loads(line)
        seq, kind, body, at = data["seq"], data["kind"], data["body"], data["at"]
        # Whoever writes checksums of his own may write anything.
        texts = isinstance(kind, str) and isinstance(at, str)
        if type(seq) is not int or not isinstance(body, dict) or not texts:
            return None
        entry = Entry(seq, kind, packed(body), at)
        return entry if entry.checksum(mark).hex() == data["sum"] else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _digest(mark: str, number: int, body: bytes) -> str:
    return hashlib.blake2b(f"{mark} {number}\n".encode() + body, digest_size=16).hexdigest()
