"""``pilewatch look``: what it prints and draws, with a looker that says what it is told."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from PIL import Image as PilImage

from engine.cards import parse_card
from engine.errors import PilewatchError
from firmware.annotate import ASKED, COVERED, OPEN, Annotated, draw
from firmware.cli import main
from firmware.commands.look import read_photos
from firmware.journal.files import refused
from vision.frame import Image
from vision.look import CardSeen, CardUnsure, Look
from vision.pictures import load_picture

SIGHTING = SimpleNamespace()


def seen(code: str, box: tuple[int, int, int, int], *, top: bool = False) -> CardSeen:
    return CardSeen(parse_card(code), 0.99812345, 0.99912345, box, top, SIGHTING)  # type: ignore[arg-type]


LOOK = Look(
    cards=(seen("10H", (20, 60, 90, 150), top=True), seen("7?", (120, 60, 190, 150))),
    unsure=(
        CardUnsure(
            (parse_card("6S"), parse_card("9S")),
            (0.55, 0.41),
            (220, 60, 290, 150),
            SIGHTING,  # type: ignore[arg-type]
        ),
    ),
    ms=41.84,
)


@dataclass
class ToldLooker:
    look_: Look = LOOK
    loaded: int = 0
    shapes: tuple[tuple[int, ...], ...] = ()

    def load(self) -> ToldLooker:
        self.loaded += 1
        return self

    def look(self, image: Image) -> Look:
        self.shapes += (image.shape,)
        return self.look_


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, which is also the present one, with photos and what is none."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.jpg", "b.png", "other/a.jpg"):
        Path(name).parent.mkdir(exist_ok=True)
        cv2.imwrite(name, np.full((240, 320, 3), 90, np.uint8))
    Path("notes.txt").write_text("no picture")
    return tmp_path


@pytest.mark.usefixtures("photos")
def test_one_line_of_json_for_each_photo(capsys: pytest.CaptureFixture[str]) -> None:
    looker = ToldLooker()
    assert read_photos(["a.jpg", "./b.png"], looker.load, as_json=True) == 0
    out, err = capsys.readouterr()
    assert err == ""
    first, second = map(json.loads, out.splitlines())
    assert first == {
        "photo": "a.jpg",
        "cards": [
            {"card": "10H", "p": 0.9981, "p_rank": 0.9991, "box": [20, 60, 90, 150], "top": True},
            {"card": "7?", "p": 0.9981, "p_rank": 0.9991, "box": [120, 60, 190, 150], "top": False},
        ],
        "unsure": [{"candidates": ["6S", "9S"], "p": [0.55, 0.41], "box": [220, 60, 290, 150]}],
        "ms": 41.8,
    }
    assert second["photo"] == "./b.png"
    assert looker.loaded == 1
    assert looker.shapes == ((240, 320, 3),) * 2


@pytest.mark.usefixtures("photos")
def test_what_is_no_photo_is_told_in_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["a.jpg", "notes.txt", "missing.jpg", "other", "b.png"]
    assert read_photos(given, ToldLooker().load, as_json=True) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["photo"] for line in lines] == given
    assert [set(line) for line in lines[1:4]] == [{"photo", "error"}] * 3
    assert lines[1]["error"].startswith("notes.txt is no picture")
    assert "cards" in lines[4]


@pytest.mark.usefixtures("photos")
def test_without_a_photo_no_model_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    looker = ToldLooker()
    assert read_photos(["notes.txt"], looker.load) == 1
    assert looker.loaded == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pilewatch look: notes.txt is no picture; expected JPEG")


@pytest.mark.usefixtures("photos")
def test_the_same_for_human_eyes(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_photos(["a.jpg"], ToldLooker().load) == 0
    assert capsys.readouterr().out.splitlines() == [
        "a.jpg: 2 cards, 1 question (42 ms)",
        "  10H   99.8 %  nothing covers it",
        "  7?    99.8 %",
        "  6S or 9S?  (55 %, 41 %)",
    ]


@pytest.mark.usefixtures("photos")
def test_a_name_in_no_known_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    name = "caf\udce9.png"
    Path("b.png").rename(name)
    assert read_photos([name], ToldLooker().load) == 0
    assert read_photos([name], ToldLooker().load, as_json=True) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("caf\\xe9.png: 2 cards")
    assert json.loads(lines[-1])["photo"] == "caf\\xe9.png"


def has(image: np.ndarray, colour: tuple[int, int, int], box: tuple[int, int, int, int]) -> bool:
    x0, y0, x1, y1 = box
    return bool((image[y0 : y1 + 1, x0 : x1 + 1] == colour).all(axis=2).any())


def test_open_covered_and_asked_are_told_apart() -> None:
    out = draw(np.full((240, 320, 3), 90, np.uint8), LOOK)
    for (colour, box), others in {
        (OPEN, (20, 60, 90, 150)): (COVERED, ASKED),
        (COVERED, (120, 60, 190, 150)): (OPEN, ASKED),
        (ASKED, (220, 60, 290, 150)): (OPEN, COVERED),
    }.items():
        assert has(out, colour, box)
        assert not any(has(out, other, box) for other in others)


def test_labels_at_the_edges_stay_in_the_picture() -> None:
    boxes = [(0, 0, 20, 20), (300, 0, 319, 20), (300, 220, 319, 239), (-9, -9, 400, 400)]
    look = Look(tuple(seen("10H", box) for box in boxes), (), 1.0)
    picture = np.full((240, 320, 3), 90, np.uint8)
    assert draw(picture, look).shape == picture.shape
    assert (picture == 90).all()


def test_annotated_photos_keep_their_names(photos: Path) -> None:
    given = ["a.jpg", "other/a.jpg", "b.png"]
    assert read_photos(given, ToldLooker().load, annotate="drawn/here") == 0
    assert sorted(p.name for p in Path("drawn/here").iterdir()) == ["a-2.jpg", "a.jpg", "b.png"]
    for path in Path("drawn/here").iterdir():
        picture = cv2.imread(str(path))
        assert picture.shape == (240, 320, 3)
        assert picture.std() > 5
    read_photos(given, ToldLooker().load, annotate="drawn/here")
    assert len(list(Path("drawn/here").iterdir())) == 3


def test_no_photo_is_ever_written_over(photos: Path) -> None:
    before = {p: p.read_bytes() for p in photos.rglob("*.*g")}
    assert read_photos(["a.jpg", "other/a.jpg", "b.png"], ToldLooker().load, annotate=".") == 0
    assert {p: p.read_bytes() for p in before} == before
    assert {"a-2.jpg", "a-3.jpg", "b-2.png"} <= {p.name for p in photos.iterdir()}


def test_an_ending_that_cannot_be_written_becomes_png(photos: Path) -> None:
    Path("b.png").rename("scan.gif")
    read_photos(["scan.gif"], ToldLooker().load, annotate="drawn")
    assert [p.name for p in Path("drawn").iterdir()] == ["scan.gif.png"]


def test_a_folder_that_cannot_be_made_is_said_at_once(photos: Path) -> None:
    looker = ToldLooker()
    with pytest.raises(PilewatchError, match=r"notes\.txt/drawn cannot be made a folder"):
        read_photos(["a.jpg"], looker.load, annotate="notes.txt/drawn")
    assert looker.loaded == 0


def test_a_full_disk_is_said_in_a_sentence(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PilewatchError, match=r"a\.jpg: the disk is full") as wrong:
        Annotated("drawn", ["a.jpg"]).write("a.jpg", np.zeros((9, 9, 3), np.uint8), LOOK)
    assert wrong.value.exit_code == 74
    assert list(Path("drawn").iterdir()) == []


IN_THE_WAY = {
    "another photograph": lambda path: path.write_bytes(Path("b.png").read_bytes()),
    "a file too short for a mark": lambda path: path.write_bytes(b"x"),
    "a link to a photograph": lambda path: path.symlink_to(Path("b.png").absolute()),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_lies_there_of_others_is_never_written_over(photos: Path, what: str) -> None:
    Path("drawn").mkdir()
    IN_THE_WAY[what](Path("drawn/a.jpg"))
    before, link = Path("b.png").read_bytes(), os.lstat("drawn/a.jpg")
    for _ in range(2):
        assert read_photos(["a.jpg"], ToldLooker().load, annotate="drawn") == 0
    assert os.lstat("drawn/a.jpg") == link
    assert Path("b.png").read_bytes() == before
    assert sorted(path.name for path in Path("drawn").iterdir()) == ["a-2.jpg", "a.jpg"]


def test_photographs_of_one_name_keep_their_drawings_from_run_to_run(photos: Path) -> None:
    cv2.imwrite("other/a.jpg", np.full((240, 320, 3), 200, np.uint8))
    for _ in range(2):
        for photo in ("a.jpg", "other/a.jpg"):
            assert read_photos([photo], ToldLooker().load, annotate="drawn") == 0
    assert sorted(path.name for path in Path("drawn").iterdir()) == ["a-2.jpg", "a.jpg"]
    means = [cv2.imread(f"drawn/{name}").mean() for name in ("a.jpg", "a-2.jpg")]
    assert means[0] < 150 < means[1]


def test_a_drawing_that_somebody_has_changed_is_theirs(photos: Path) -> None:
    read_photos(["a.jpg"], ToldLooker().load, annotate="drawn")
    cv2.imwrite("drawn/a.jpg", cv2.imread("drawn/a.jpg"))
    theirs = Path("drawn/a.jpg").read_bytes()
    read_photos(["a.jpg"], ToldLooker().load, annotate="drawn")
    assert Path("drawn/a.jpg").read_bytes() == theirs


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp", "tif", "ppm", "gif"])
def test_what_was_drawn_is_a_picture_for_others(photos: Path, ending: str) -> None:
    PilImage.new("RGB", (320, 240), (90, 90, 90)).save(f"scan.{ending}")
    assert read_photos([f"scan.{ending}"], ToldLooker().load, annotate="drawn") == 0
    (path,) = Path("drawn").iterdir()
    assert load_picture(path).shape == (240, 320, 3)
    # A drawing lying there is known again, whatever its kind.
    assert read_photos([f"scan.{ending}"], ToldLooker().load, annotate="drawn") == 0
    assert list(Path("drawn").iterdir()) == [path]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_photo_that_cannot_be_drawn_does_not_keep_the_others_from_it(
    photos: Path, as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closed(path: Path, data: bytes) -> None:
        if path.name == "a.jpg":
            raise refused(PermissionError(errno.EACCES, "Permission denied"), path)
        path.write_bytes(data)

    monkeypatch.setattr("firmware.annotate.write_whole", closed)
    given = ["a.jpg", "notes.txt", "b.png"]
    assert read_photos(given, ToldLooker().load, as_json=as_json, annotate="drawn") == 74
    assert [path.name for path in Path("drawn").iterdir()] == ["b.png"]
    out, err = capsys.readouterr()
    told = "drawn/a.jpg: this user may not write it (Permission denied)"
    if as_json:
        first, second, third = map(json.loads, out.splitlines())
        assert (first["error"], len(first["cards"])) == (told, 2)
        assert set(second) == {"photo", "error"}
        assert "error" not in third
    else:
        assert err.splitlines()[0] == f"pilewatch look: {told}"
        assert out.count("2 cards") == 2


@pytest.mark.parametrize("photo", ["loop.jpg", "loop.jpg/a.jpg"])
def test_links_that_lead_in_a_circle_are_told_among_the_others(
    photos: Path, photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("loop.jpg").symlink_to("loop.jpg")
    assert read_photos([photo, "b.png"], ToldLooker().load, annotate="drawn") == 1
    assert capsys.readouterr().err.startswith(f"pilewatch look: {photo} ")
    assert [path.name for path in Path("drawn").iterdir()] == ["b.png"]


def test_a_name_cannot_steer_the_terminal(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "red\x1b[31m\ntable.png"
    Path("b.png").rename(name)
    assert read_photos([name, f"{name}2"], ToldLooker().load) == 1
    out, err = capsys.readouterr()
    assert out.startswith("red\\x1b[31m\\ntable.png: 2 cards")
    assert err.startswith("pilewatch look: red\\x1b[31m\\ntable.png2 does not exist")
    assert read_photos([name], ToldLooker().load, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["photo"] == name


@pytest.mark.parametrize(
    ("words", "where"),
    [(["--annotate", ""], "--annotate"), (["--deck", ""], "--deck"), ([""], "PHOTO")],
)
def test_an_empty_word_is_not_the_present_folder(
    photos: Path, words: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["look", "a.jpg", *words]) == 2
    assert f"argument {where}: expected a word, not an empty one" in capsys.readouterr().err
