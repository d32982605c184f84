"""Loads a picture from a file that may hold anything: any size, any mode, any make."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from PIL import Image as PilImage
from PIL import UnidentifiedImageError

from engine.errors import PilewatchError
from vision.frame import Image

#: Endings by which a file counts as a picture, in a folder of frames.
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})
#: The formats that are read (JPEG includes the MPO of some phones); a short list, since each
#: decoder is a door for a hostile file.
FORMATS = ("JPEG", "PNG", "BMP", "WEBP", "TIFF", "PPM", "GIF")
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
                rgb = np.asarray(_upright(_eight_bit_rgb(picture), picture))
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        hint = ", which this program cannot read" if _is_heic(path) else ""
        raise PictureError(
            f"{path} is no picture{hint}; expected JPEG, PNG, WebP, TIFF, BMP, PPM or GIF"
        ) from error
    except PilImage.DecompressionBombError as error:
        raise PictureError(_too_large(path)) from error
    except Exception as error:
        # A damaged file makes the decoders raise nearly anything: struct.error, ValueError …
        told = (isinstance(error, OSError) and error.strerror) or str(error)
        what = " ".join(told.split()) or type(error).__name__
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


def _is_heic(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(12)
    return head[4:8] == b"ftyp"
