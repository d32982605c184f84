"""Photographs as people have them: turned, grey, deep, see-through, damaged, absurd."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as PilImage

from engine.errors import PilewatchError
from vision.pictures import PictureError, load_picture

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def quarters() -> PilImage.Image:
    """Red, green / blue, white, wider than high."""
    picture = PilImage.new("RGB", (60, 40))
    for colour, corner in ((RED, (0, 0)), (GREEN, (30, 0)), (BLUE, (0, 20)), (WHITE, (30, 20))):
        picture.paste(colour, (*corner, corner[0] + 30, corner[1] + 20))
    return picture


def corners(image: np.ndarray) -> list[tuple[int, ...]]:
    """The RGB of the four quarters of a BGR picture, in reading order, rounded to the extremes."""
    height, width = image.shape[:2]
    points = [(y, x) for y in (height // 4, 3 * height // 4) for x in (width // 4, 3 * width // 4)]
    return [tuple(255 * int(v > 127) for v in image[point][::-1]) for point in points]


def test_blue_comes_first(tmp_path: Path) -> None:
    quarters().save(tmp_path / "a.png")
    image = load_picture(tmp_path / "a.png")
    assert image.dtype == np.uint8
    assert image.flags["C_CONTIGUOUS"]
    assert image.shape == (40, 60, 3)
    assert image[0, 0].tolist() == [0, 0, 255]
    assert corners(image) == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        (1, [RED, GREEN, BLUE, WHITE]),
        (2, [GREEN, RED, WHITE, BLUE]),
        (3, [WHITE, BLUE, GREEN, RED]),
        (4, [BLUE, WHITE, RED, GREEN]),
        (5, [RED, BLUE, GREEN, WHITE]),
        (6, [BLUE, RED, WHITE, GREEN]),
        (7, [WHITE, GREEN, BLUE, RED]),
        (8, [GREEN, WHITE, RED, BLUE]),
        (99, [RED, GREEN, BLUE, WHITE]),
    ],
)
def test_a_photograph_stands_upright(
    tmp_path: Path, orientation: int, expected: list[tuple[int, ...]]
) -> None:
    exif = PilImage.Exif()
    exif[0x0112] = orientation
    quarters().save(tmp_path / "a.jpg", exif=exif, quality=95, subsampling=0)
    assert corners(load_picture(tmp_path / "a.jpg")) == expected


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "CMYK", "P", "YCbCr", "L", "LA", "1"])
def test_every_mode_becomes_bgr(tmp_path: Path, mode: str) -> None:
    name = "a.tif" if mode in {"CMYK", "YCbCr"} else "a.png"
    quarters().convert(mode).save(tmp_path / name)
    image = load_picture(tmp_path / name)
    assert image.shape == (40, 60, 3)
    if mode in {"RGB", "RGBA", "CMYK", "P", "YCbCr"}:
        assert corners(image) == [RED, GREEN, BLUE, WHITE]
    assert image[30, 45].tolist() == [255, 255, 255]


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    ramp = np.linspace(0, 65535, 256).astype(np.uint16)[None].repeat(4, 0)
    PilImage.fromarray(ramp).save(tmp_path / "a.png")
    grey = load_picture(tmp_path / "a.png")[0, :, 0].astype(int)
    assert abs(grey - np.arange(256)).max() <= 1


@pytest.mark.parametrize("bits", [8, 16, 24, 31])
def test_a_tiff_of_thirty_two_bits_may_use_any_number_of_them(tmp_path: Path, bits: int) -> None:
    ramp = (np.arange(256) << (bits - 8)).astype(np.int32)[None].repeat(4, 0)
    PilImage.fromarray(ramp).save(tmp_path / "a.tif")
    grey = load_picture(tmp_path / "a.tif")[0, :, 0].astype(int)
    assert abs(grey - np.arange(256) * (1 if bits % 8 == 0 else 0.5)).max() <= 1


def test_a_name_longer_than_any_can_be_is_told(tmp_path: Path) -> None:
    with pytest.raises(PictureError) as wrong:
        load_picture("x" * 5000 + ".jpg")
    assert str(wrong.value).endswith(".jpg cannot be read as a picture (File name too long)")
    assert len(str(wrong.value)) < 300


def test_fractions_are_taken_as_brightness(tmp_path: Path) -> None:
    PilImage.fromarray(np.array([[0.0, 0.5, 1.0]], np.float32)).save(tmp_path / "a.tif")
    assert load_picture(tmp_path / "a.tif")[0, :, 0].tolist() == [0, 127, 255]


def test_a_table_shows_through(tmp_path: Path) -> None:
    PilImage.new("RGBA", (8, 8), (255, 255, 255, 0)).save(tmp_path / "a.png")
    assert load_picture(tmp_path / "a.png")[4, 4].tolist() == [110, 110, 110]


def test_twelve_megapixels(tmp_path: Path) -> None:
    PilImage.new("RGB", (4000, 3000), GREEN).save(tmp_path / "a.jpg")
    assert load_picture(tmp_path / "a.jpg").shape == (3000, 4000, 3)


def test_the_first_of_several(tmp_path: Path) -> None:
    frames = [PilImage.new("RGB", (8, 8), c) for c in (RED, BLUE)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    assert load_picture(tmp_path / "a.gif")[0, 0].tolist() == [0, 0, 255]


def png_claiming(width: int, height: int) -> bytes:
    """A PNG whose header claims a size that its few bytes of data cannot fill."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + body


def jpeg(folder: Path) -> bytes:
    quarters().resize((600, 400)).save(folder / "whole.jpg")
    return (folder / "whole.jpg").read_bytes()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no picture"),
        (b"The five of hearts.\n", "is no picture"),
        (b"\xff\xd8\xff\xe0 nothing more", "cannot be read as a picture"),
        (b"RIFF\n\0\0\0WEBP nothing more", "is a WebP that is damaged or of a rare kind"),
        (b"\0\0\0\x18ftypisom\0\0\0\0mp41isom", "is no picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "this program cannot read; expected JPEG"),
        (png_claiming(9000, 9000), "at most 80 megapixels; this one is 9000×9000"),
        (png_claiming(60_000, 60_000), "at most 80 megapixels"),
        (png_claiming(500, 500), "cannot be read as a picture"),
    ],
    ids=["empty", "text", "stub", "stub of a webp", "film", "heic", "large", "bomb", "unfilled"],
)
def test_what_is_no_picture_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, PilewatchError)


HOW = {"tif": {"compression": "tiff_lzw"}, "tiff": {"compression": "jpeg"}}


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tif", "tiff", "bmp", "ppm", "gif"])
@pytest.mark.parametrize("damage", ["half", "holes"])
def test_a_damaged_photograph_is_told_as_such_and_nothing_else_is(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ending: str, damage: str
) -> None:
    path = tmp_path / f"a.{ending}"
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    PilImage.fromarray(noise).save(path, **HOW.get(ending, {}))
    content = bytearray(path.read_bytes())
    if damage == "half":
        del content[len(content) // 2 :]
    else:
        content[2000:-2000:50] = b"\xa5" * len(content[2000:-2000:50])
    path.write_bytes(content)
    told = f"{path} cannot be read as a picture (it is damaged or cut short)"
    try:
        load_picture(path)
    except PictureError as error:
        rare = f"{path} is a TIFF that is damaged or of a rare kind; expected a whole one of 8 or"
        assert str(error) == told or str(error).startswith(rare)
    else:
        assert damage == "holes"  # some kinds have nothing to know them by
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32])
def test_a_tiff_of_a_rare_kind_is_not_called_no_picture(tmp_path: Path, kind: type) -> None:
    cv2.imwrite(str(tmp_path / "a.tif"), np.ones((4, 5, 3), kind))
    with pytest.raises(PictureError, match="is a TIFF that is damaged or of a rare kind; expected"):
        load_picture(tmp_path / "a.tif")


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "nul"])
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path: Path = tmp_path / "there"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(PictureError):
        load_picture("a\0b" if kind == "nul" else path)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_damage_raises_picture_errors_only(tmp_path: Path, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["jpg", "png", "webp", "tif", "gif", "bmp", "ppm"]))
    path = tmp_path / f"a.{kind}"
    exif = PilImage.Exif()
    exif[0x0112] = 6
    quarters().save(path, **({"exif": exif} if kind in {"jpg", "png", "webp", "tif"} else {}))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    try:
        image = load_picture(path)
    except PictureError:
        return
    assert image.ndim == 3
    assert image.dtype == np.uint8
