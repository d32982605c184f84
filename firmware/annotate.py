"""Photographs with the readings drawn on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from engine.errors import PilewatchError
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

#: What OpenCV writes under the same ending; anything else becomes PNG.
WRITABLE = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm"})


class Annotated:
    """A folder that gets the photographs of one run, each under a name of its own.

    Names are kept; where two photos share one, the later gets ``-2``. None of ``photos`` is ever
    written over, even when they lie in this folder.
    """

    def __init__(self, folder: str | Path, photos: Sequence[str]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno not in MISPLACED:
                raise refused(error, self._folder) from None
            raise PilewatchError(
                f"{folder} cannot be made a folder for the annotated photos ({error.strerror})"
            ) from error
        self._taken = {Path(photo).resolve() for photo in photos}

    def write(self, photo: str, image: Image, look: Look) -> Path:
        """Write ``image`` with the readings of ``look`` on it and return where it went.

        WriteError, or NoRoomError on a full disk.
        """
        path = self._free(Path(photo))
        there, data = cv2.imencode(path.suffix, draw(image, look))
        if not there:
            raise PilewatchError(f"{path} cannot be written (OpenCV cannot make {path.suffix})")
        write_whole(path, data.tobytes())
        return path

    def _free(self, photo: Path) -> Path:
        name = photo.name if photo.suffix.lower() in WRITABLE else f"{photo.name}.png"
        plain = Path(name)
        path, number = self._folder / name, 1
        while path.resolve() in self._taken:
            number += 1
            path = self._folder / f"{plain.stem}-{number}{plain.suffix}"
        self._taken.add(path.resolve())
        return path


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
