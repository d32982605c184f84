"""The words for a source of frames, told apart without opening any."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import PilewatchError, shown

VIRTUAL = "virtual:"
NONE = "none"
EXPECTED = "expected camera, camera:N, virtual:SEED, none, or a video or folder of pictures"
GIVEN = "expected camera, camera:N, virtual:SEED, a video file or a folder of pictures"
"""The same on the command line, where none is no answer to where the frames come from."""


def is_virtual(spec: str) -> bool:
    """Whether this is a virtual table."""
    return spec.startswith(VIRTUAL)


def is_usb(spec: str) -> bool:
    """Whether this is a camera by its number."""
    return spec.startswith("camera:")


def is_live(spec: str) -> bool:
    """Whether this is a camera, which has no end."""
    return spec == "camera" or is_usb(spec)


def seed_of(spec: str) -> int:
    """The seed in ``virtual:SEED``; PilewatchError if there is none."""
    text = spec.removeprefix(VIRTUAL)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise PilewatchError(
            f"{shown(spec)} names no virtual table; expected virtual:SEED with a whole number from"
            " 0 to 999999999"
        )
    return int(text)


def check_source(spec: str) -> None:
    """PilewatchError if the word can be no source, whatever there is on this machine."""
    if is_virtual(spec):
        seed_of(spec)
    elif not spec or (is_usb(spec) and not re.fullmatch(r"camera:\d{1,3}", spec)):
        raise PilewatchError(f"{shown(spec)} names no camera; {EXPECTED}")


def check_there(spec: str) -> None:
    """PilewatchError if the word is that of a video or folder, and there is none."""
    if spec != NONE:
        check_given(spec, EXPECTED)


def check_given(spec: str, expected: str = GIVEN) -> None:
    """PilewatchError if a word of the command line is a path on which there is nothing to see."""
    if is_live(spec) or is_virtual(spec):
        return
    if not (Path(spec).is_file() or Path(spec).is_dir()):
        raise PilewatchError(f"there is no file or folder {shown(spec)}; {expected}")
