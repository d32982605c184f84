"""Loads a picture from a file that may hold anything: any size, any mode, any make."""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image as PilImage
from PIL import UnidentifiedImageError

from engine.errors import PilewatchError, one_of
from vision.frame import Image

#: What is read (JPEG includes the MPO of some phones), and the endings by which a file in a folder
#: counts as such; a short list, since each decoder is a door for a hostile file.
KINDS = {
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "PNG": (".png",),
    "WebP": (".webp",),
    "TIFF": (".tif", ".tiff"),
    "BMP": (".bmp",),
    "PPM": (".ppm", ".pgm", ".pbm", ".pnm"),
    "GIF": (".gif",),
}
READ = one_of(KINDS)
SUFFIXES = frozenset(chain.from_iterable(KINDS.values()))
#: Endings of photographs that are not read: in a folder each of them is told, not passed over.
UNREAD = frozenset({".heic", ".heif", ".avif"})
FORMATS = tuple(name.upper() for name in KINDS)
#: How files begin that are pictures even where they cannot be read as one.
BEGINNINGS = {
    "JPEG": rb"\xff\xd8\xff",
    "PNG": rb"\x89PNG",
    "WebP": rb"RIFF....WEBP",
    "TIFF": rb"II[*+]\0|MM\0[*+]",
    "GIF": rb"GIF8",
}
_HEIC = rb"....ftyp(hei[cx]|hevc|mif1|msf1|avi[fs])"
#: More pixels than this are refused before anything is unpacked.
MAX_PIXELS = 80_000_000
#: What shows through a transparent picture: neither card white nor ink black.
BEHIND = (110, 110, 110)


class PictureError(PilewatchError, ValueError):
    """A file that cannot be read as a picture."""


def load_picture(path: str | Path) -> Image:
    """Return the photograph as (H, W, 3) uint8 BGR, upright as its EXIF data says.

    The first picture of several is taken; sixteen bits become eight; transparency shows a grey
    table. Raises PictureError for anything that is no picture.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise PictureError(f"{path} is a folder; expected a picture file")
        if not path.is_file():
            raise PictureError(f"{path} does not exist or is no ordinary file; expected a picture")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd metadata and large sizes; ours is below
            with PilImage.open(path, formats=FORMATS) as picture:
                _check_size(path, picture.size)
                with _quiet() if picture.format == "TIFF" else contextlib.nullcontext():
                    rgb = np.asarray(_upright(_eight_bit_rgb(picture), picture))
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        raise PictureError(f"{path} is {_instead(path)}") from error
    except PilImage.DecompressionBombError as error:
        raise PictureError(_too_large(path)) from error
    except MemoryError as error:
        raise PictureError(f"{path} takes more memory than there is") from error
    except Exception as error:
        # A damaged file makes the decoders raise nearly anything: struct.error, ValueError … What
        # they say of it is for those who know the format; what the system says is not.
        told = isinstance(error, OSError) and error.strerror
        what = told or "it is damaged or cut short"
        raise PictureError(f"{_short(path)} cannot be read as a picture ({what})") from error
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _short(path: Path) -> str:
    """The path as a message can hold it: a name may be longer than any can be."""
    text = str(path)
    return text if len(text) <= 200 else f"{text[:160]}…{text[-32:]}"


def _check_size(path: Path, size: tuple[int, int]) -> None:
    if size[0] * size[1] > MAX_PIXELS:
        raise PictureError(f"{_too_large(path)}; this one is {size[0]}×{size[1]}")


def _too_large(path: Path) -> str:
    return f"{path} is too large; expected at most {MAX_PIXELS // 1_000_000} megapixels"


def _eight_bit_rgb(picture: PilImage.Image) -> PilImage.Image:
    if picture.mode.startswith("I;16"):
        return _from_grey(np.asarray(picture).astype(np.int64) >> 8)
    if picture.mode == "I":  # sixteen bits, or a TIFF of 32, which may use any number of them
        values = np.asarray(picture).astype(np.int64)
        used = -(-int(values.max(initial=0)).bit_length() // 8)
        return _from_grey(values >> 8 * max(used - 1, 0))
    if picture.mode == "F":
        values = np.nan_to_num(np.asarray(picture))
        return _from_grey(values * 255 if values.max(initial=0) <= 1 else values)
    if "A" in picture.getbands() or "a" in picture.getbands() or "transparency" in picture.info:
        upper = picture.convert("RGBA")
        lower = PilImage.new("RGBA", upper.size, (*BEHIND, 255))
        return PilImage.alpha_composite(lower, upper).convert("RGB")
    return picture.convert("RGB")


def _from_grey(values: np.ndarray) -> PilImage.Image:
    return PilImage.fromarray(np.clip(values, 0, 255).astype(np.uint8)).convert("RGB")


def _upright(rgb: PilImage.Image, source: PilImage.Image) -> PilImage.Image:
    try:
        turn = source.getexif().get(0x0112)
    except Exception:
        return rgb  # damaged EXIF data is no reason to refuse a good picture
    turns = {
        2: PilImage.Transpose.FLIP_LEFT_RIGHT,
        3: PilImage.Transpose.ROTATE_180,
        4: PilImage.Transpose.FLIP_TOP_BOTTOM,
        5: PilImage.Transpose.TRANSPOSE,
        6: PilImage.Transpose.ROTATE_270,
        7: PilImage.Transpose.TRANSVERSE,
        8: PilImage.Transpose.ROTATE_90,
    }
    return rgb.transpose(turns[turn]) if turn in turns else rgb


def _instead(path: Path) -> str:
    """What a file is in which none of the decoders finds its own, and what was expected."""
    with path.open("rb") as file:
        head = file.read(12)
    if re.match(_HEIC, head, re.DOTALL):
        return f"a HEIC or AVIF picture, which this program cannot read; expected {READ}"
    for name, beginning in BEGINNINGS.items():
        if re.match(beginning, head, re.DOTALL):
            return (
                f"a {name} that is damaged or of a rare kind; expected a whole one of 8 or 16 bits"
                " a colour"
            )
    return f"no picture; expected {READ}"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """While it lasts nothing reaches the terminal: libtiff itself writes what it thinks there."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
