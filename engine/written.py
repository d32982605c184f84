"""What people have written, read with the same care everywhere: text files, JSON and TOML."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from engine.errors import PilewatchError, ScenarioError, shown

MOST_BYTES = 16 << 20
"""A hundred thousand events take less; a file that is larger will not be read into memory."""

_HANDED = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""How a shell names what it has opened for us: a pipe there has somebody at its other end."""


_PATH = re.compile(r"\((?:'[^']*',? ?)+\)")
"""How Python's reader of TOML names a key within sections: as Python writes a tuple."""


def _dotted(path: re.Match[str]) -> str:
    """The same key as a file of TOML names it."""
    return ".".join(re.findall(r"'([^']*)'", path[0]))


def read_text(path: Path | str, what: str, kind: type[PilewatchError]) -> str:
    """The text of a file, without the mark that some editors put first.

    An error of ``kind`` calls the file ``what`` and says why it cannot be read.
    """
    try:
        if not str(path).startswith(_HANDED) and not stat.S_ISREG(Path(path).stat().st_mode):
            raise kind(f"{_name(path)}: the {what} cannot be read (it is no ordinary file)")
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise kind(f"{_name(path)}: the {what} is far too large; expected some kilobytes")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise kind(f"{_name(path)}: the {what} cannot be read (this is no text)") from None
    except (OSError, ValueError) as wrong:
        if isinstance(wrong, kind):
            raise
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise kind(f"{_name(path)}: the {what} cannot be read ({reason})") from None


def decoded(text: str | bytes) -> Any:
    """The value of a JSON text; ScenarioError says what is wrong with it, without its place.

    A key that stands twice in one object is refused: which of the two was meant?
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except ScenarioError:
        raise
    except json.JSONDecodeError as wrong:
        raise ScenarioError(wrong.msg) from None
    except (ValueError, RecursionError):
        raise ScenarioError("it cannot be decoded") from None


def decoded_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text; ScenarioError says what is wrong with it, without its place."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ScenarioError(_PATH.sub(_dotted, str(wrong))) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or lists within lists without end.
        raise ScenarioError("a value in it is far too long") from None


def read_object(path: Path | str, what: str, kind: type[PilewatchError]) -> dict[str, Any]:
    """The one JSON object in a file; an error of ``kind`` as in :func:`read_text`."""
    text = read_text(path, what, kind)
    try:
        data = decoded(text)
    except ScenarioError as wrong:
        raise kind(f"{path}: expected one JSON object, a {what} ({wrong})") from None
    if not isinstance(data, dict):
        raise kind(f"{path}: expected one JSON object, a {what}, not {shown(data)}")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ScenarioError(f"the key {shown(key)} stands twice in one object")
        found[key] = value
    return found


def _constant(word: str) -> Any:
    raise ScenarioError(f"{word} is no number")


def _name(path: Path | str) -> str:
    text = str(path)
    return text if len(text) <= 200 else f"{text[:160]}…{text[-32:]}"
