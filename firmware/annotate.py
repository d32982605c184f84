"""Photographs with the readings drawn on them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from engine.errors import PilewatchError
from firmware.folders import reason
from firmware.journal.errors import WriteError
from firmware.journal.files import MISPLACED, refused, write_whole
from vision.frame import Image

if TYPE_CHECKING:
    from vision.look import Look

Colour = tuple[int, int, int]

#: Blue, green, red: open cards, covered cards, questions.
OPEN: Colour = (60, 160, 20)
COVERED: Colour = (190, 110, 20)
ASKED: Colour = (20, 90, 235)
WHITE: Colour = (255, 255, 255)

#: What OpenCV writes under the same ending and others read with a line behind it; anything else
#: becomes PNG.
WRITABLE = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


class Annotated:
    """A folder that gets the photographs of one run, each under a name of its own.

    Names are kept; where one is taken, ``-2`` is put behind it. Nothing is written over but what
    an earlier run has drawn of the same photograph, and that never if it is one of ``photos``.
    """

    def __init__(self, folder: str | Path, photos: Sequence[str]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno not in MISPLACED:
                raise refused(error, self._folder) from None
            raise PilewatchError(
                f"{folder} cannot be made a folder for the annotated photos"
                f" ({reason(error, self._folder)})"
            ) from error
        self._taken = {os.path.realpath(photo) for photo in photos}

    def write(self, photo: str, image: Image, look: Look) -> Path:
        """Write ``image`` with the readings of ``look`` on it and return where it went.

        WriteError, or NoRoomError on a full disk.
        """
        mark = _mark(image)
        path = self._free(Path(photo), mark)
        there, data = cv2.imencode(path.suffix, draw(image, look))
        if not there:
            raise WriteError(f"{path} cannot be written (OpenCV cannot make {path.suffix})")
        write_whole(path, data.tobytes() + mark)
        return path

    def _free(self, photo: Path, mark: bytes) -> Path:
        name = photo.name if photo.suffix.lower() in WRITABLE else f"{photo.name}.png"
        plain = Path(name)
        for number in count(1):
            path = self._folder / (name if number == 1 else f"{plain.stem}-{number}{plain.suffix}")
            if os.path.realpath(path) not in self._taken and _may_write(path, mark):
                break
        self._taken.add(os.path.realpath(path))
        return path


def _mark(image: Image) -> bytes:
    """The line behind a drawn photograph by which the drawing is known as ours, and as its.

    It is behind the end of the picture, where readers do not look, and whoever changes the picture
    with another program loses it: then it is theirs.
    """
    digest = hashlib.blake2b(image.tobytes(), digest_size=16).hexdigest()
    return f"\nPilewatch has drawn its readings on the photograph {digest}\n".encode()


def _may_write(path: Path, mark: bytes) -> bool:
    """Whether nothing is there, or what we have drawn of the same photograph."""
    if not os.path.lexists(path):
        return True
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            file.seek(-len(mark), os.SEEK_END)
            return file.read() == mark
    except OSError:  # too short for it, or not to be read
        return False


def draw(image: Image, look: Look) -> Image:
    """Return a copy of ``image`` (H, W, 3) BGR with a labelled box for each card and question."""
    out = image.copy()
    size = max(0.4, min(image.shape[:2]) / 1000)
    for seen in look.cards:
        _label(out, seen.box, str(seen.card), OPEN if seen.top else COVERED, size)
    for asked in look.unsure:
        _label(out, asked.box, " or ".join(map(str, asked.candidates)) + "?", ASKED, size)
    return out


def _label(
    out: Image, box: tuple[int, int, int, int], text: str, colour: Colour, size: float
) -> None:
    x0, y0, x1, y1 = (int(v) for v in box)
    line = max(1, round(2.5 * size))
    cv2.rectangle(out, (x0, y0), (x1, y1), colour, line)
    font = cv2.FONT_HERSHEY_SIMPLEX
    (width, height), base = cv2.getTextSize(text, font, size, line)
    # Above the box if there is room, and never out of the picture.
    left = max(0, min(x0, out.shape[1] - width - 4))
    bottom = max(height + base + 2, y0)
    corner = (left + width + 4, bottom)
    cv2.rectangle(out, (left, bottom - height - base - 2), corner, colour, cv2.FILLED)
    cv2.putText(out, text, (left + 2, bottom - base), font, size, WHITE, line, cv2.LINE_AA)
