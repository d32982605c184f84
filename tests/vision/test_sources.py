"""Folders, videos and cameras as sources of frames."""

from __future__ import annotations

import io
import logging
import shutil
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as PilImage

from vision.frame import Frame, SourceError
from vision.pictures import SUFFIXES
from vision.sources import natural_key, open_source


def picture(value: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), value, np.uint8)


def frames(spec: object, fps: float = 10.0) -> list[Frame]:
    with open_source(str(spec), fps) as source:
        return list(source)


def values(found: list[Frame]) -> list[int]:
    return [int(frame.image[20, 20, 0]) for frame in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "frames of a game"
    folder.mkdir()
    return folder


def test_a_folder_goes_by_the_numbers_in_the_names(folder: Path) -> None:
    for name, value in {"f10.png": 30, "f2.png": 20, "F1.PNG": 10, "g.bmp": 40}.items():
        cv2.imwrite(str(folder / name.lower()), picture(value))
        (folder / name.lower()).rename(folder / name)
    found = frames(folder, fps=4)
    assert values(found) == [10, 20, 30, 40]
    assert [f.index for f in found] == [0, 1, 2, 3]
    assert [f.t for f in found] == [0, 0.25, 0.5, 0.75]
    assert found[0].image.shape == (48, 64, 3)


def test_a_folder_may_hold_other_things(folder: Path) -> None:
    cv2.imwrite(str(folder / "0001.png"), picture(50))
    (folder / "controls.jsonl").write_text("{}")
    (folder / "setup.json").write_text("{}")
    (folder / "Thumbs.db").write_bytes(b"\0")
    (folder / "._0001.png").write_bytes(b"\0")
    (folder / "old.png").mkdir()
    assert values(frames(folder)) == [50]


def test_a_damaged_frame_is_left_out_and_keeps_its_number(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for i in range(3):
        cv2.imwrite(str(folder / f"{i}.png"), picture(10 * i))
    (folder / "1.png").write_bytes(b"no picture")
    with caplog.at_level(logging.WARNING, "pilewatch"):
        found = frames(folder)
    assert [f.index for f in found] == [0, 2]
    assert [f.t for f in found] == [0, 0.2]
    assert len(caplog.records) == 1
    assert "1.png is no picture" in caplog.text


@pytest.mark.parametrize("ending", sorted(SUFFIXES))
def test_a_folder_holds_what_look_reads(folder: Path, ending: str) -> None:
    kind = {".jfif": "jpeg", ".jpe": "jpeg"}.get(ending, ending[1:])
    made = PilImage.open(io.BytesIO(cv2.imencode(".png", picture(0))[1].tobytes()))
    made.convert("1" if kind == "pbm" else "L").save(folder / f"0001.{kind}")
    (folder / f"0001.{kind}").rename(folder / f"0001{ending}")
    assert values(frames(folder)) == pytest.approx([0], abs=2)


def test_a_photograph_of_a_kind_that_is_not_read_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cv2.imwrite(str(folder / "0001.png"), picture(50))
    (folder / "0002.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    assert values(frames(folder)) == [50]
    assert "0002.heic is a HEIC or AVIF picture, which this program cannot read" in caplog.text


def test_a_folder_in_which_nothing_can_be_read_is_no_source(folder: Path) -> None:
    (folder / "0001.png").write_bytes(b"no picture")
    with pytest.raises(SourceError, match="holds no picture that can be read; expected JPEG"):
        frames(folder)


def test_a_gif_may_be_a_film(folder: Path) -> None:
    shots = [PilImage.new("L", (64, 48), grey) for grey in (10, 90, 200)]
    shots[0].save(folder / "a.gif", save_all=True, append_images=shots[1:], duration=100)
    assert values(frames(folder / "a.gif")) == pytest.approx([10, 90, 200], abs=4)


def test_a_folder_can_be_read_twice(folder: Path) -> None:
    cv2.imwrite(str(folder / "0001.png"), picture(50))
    with open_source(str(folder), 10) as source:
        assert values(list(source)) == values(list(source)) == [50]


def video(path: Path, fps: float = 25.0, count: int = 8) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for i in range(count):
        writer.write(picture(20 * i % 240))
    writer.release()
    return path


@pytest.mark.parametrize("fps", [5.0, 25.0, 30.0])
def test_a_video_brings_its_own_times(tmp_path: Path, fps: float) -> None:
    found = frames(video(tmp_path / "a game.avi", fps), fps=10)
    assert [f.index for f in found] == list(range(8))
    assert [f.t for f in found] == pytest.approx([i / fps for i in range(8)], abs=0.002)
    assert values(found) == pytest.approx([20 * i for i in range(8)], abs=4)


def test_a_video_cut_short_ends_where_it_ends(tmp_path: Path) -> None:
    whole = video(tmp_path / "a.avi", count=40).read_bytes()
    (tmp_path / "b.avi").write_bytes(whole[: len(whole) // 2])
    assert 5 < len(frames(tmp_path / "b.avi")) < 40


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nowhere", "there is no file or folder 'nowhere'; expected camera, camera:N, a video"),
        ("empty", "holds no pictures; expected JPEG, PNG, WebP, TIFF, BMP, PPM or GIF, such as"),
        ("notes.txt", "is no video that can be read"),
        ("one.png", "is a single picture; pilewatch look reads those"),
        ("camera:front", "names no camera; expected camera:N with a number"),
        ("camera:977", "there is no camera /dev/video977; found: "),
        ("a\0b", "there is no file or folder"),
        ("x" * 5000, "…; expected camera, camera:N"),
    ],
)
def test_what_is_no_source_is_refused_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    spec: str,
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("notes.txt").write_text("a game")
    Path("one.png").write_bytes(b"")
    with pytest.raises(SourceError) as caught:
        open_source(spec, 10)
    assert sentence in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("fps", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_rate_that_cannot_be(fps: float, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="frames a second cannot be"):
        open_source(str(tmp_path), fps)


@pytest.mark.skipif(
    shutil.which("libcamera-hello") is not None, reason="this machine may have a Pi camera"
)
def test_the_pi_camera_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="sudo apt install python3-picamera2"):
        open_source("camera", 10)


def test_names_are_ordered_as_a_person_would() -> None:
    names = ["b", "a10", "A2", "a2b", "10", "9", "a02"]
    assert sorted(names, key=natural_key) == ["9", "10", "A2", "a02", "a2b", "a10", "b"]
