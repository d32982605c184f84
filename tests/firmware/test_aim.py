"""Setting the camera up: one advice at a time, the most needed first."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from luma.core.device import dummy

from engine.cards import parse_card
from firmware import words
from firmware.aiming import LARGE, SMALL, aim, drawn
from firmware.cli import main
from firmware.panel import Notice, draw
from vision.render import Placed, Stage, make_deck


@dataclass
class Spot:
    size: float


@dataclass
class Reading:
    spot: Spot


@dataclass
class Seen:
    box: tuple[int, int, int, int]
    readings: list[Reading]


def card(at=(320, 180), index=30.0):
    x, y = at
    return Seen((x - 40, y - 60, x + 40, y + 60), [Reading(Spot(index))])


def picture(grey=150, blur=0):
    image = np.full((360, 640, 3), grey, np.uint8)
    cv2.putText(image, "10H 7S", (170, 200), 0, 3, (10, 10, 10), 6)
    return cv2.GaussianBlur(image, (0, 0), blur) if blur else image


CASES = {
    "dark": (picture(25), [card()], "brighter"),
    "glaring": (picture(252), [card()], "darker"),
    "nothing there": (picture(), [], "none"),
    "nothing sharp enough to be found": (picture(blur=9), [], "sharper"),
    "blurred": (picture(blur=9), [card()], "sharper"),
    "far": (picture(), [card(index=SMALL - 1)], "nearer"),
    "near": (picture(), [card(index=LARGE + 1)], "farther"),
    "aside": (picture(), [card(at=(560, 180))], "middle"),
    "good": (picture(), [card()], "good"),
    "good, another aside": (picture(), [card(at=(60, 60), index=9), card()], "good"),
}


@pytest.mark.parametrize("name", CASES)
def test_advice(name):
    image, seen, advice = CASES[name]
    told = aim(image, lambda image: seen)
    assert told.advice == advice
    assert told.sentence
    assert told.good is (advice == "good")


def test_the_place_for_the_pile_is_drawn_on_a_copy():
    image = picture()
    before = image.copy()
    out = drawn(image, aim(image, lambda image: [card()]))
    assert not np.array_equal(out, image)
    assert np.array_equal(image, before)


def test_a_drawn_table_at_the_usual_height_is_good(tmp_path, capsys):
    stage = Stage(1, make_deck(1, plain=True))
    image = stage.draw((Placed(parse_card("9H"), 0.0, 0.0, 0.3),))
    cv2.imwrite(str(tmp_path / "1.png"), image)
    out = tmp_path / "seen.jpg"
    assert main(["aim", str(tmp_path), "--once", "--picture", str(out)]) == 0
    assert capsys.readouterr().out.startswith("Good: leave it so (index ")
    assert cv2.imread(str(out)).shape == image.shape


@pytest.mark.parametrize(
    ("language", "card", "title"),
    [("en", True, "Good: leave it so"), ("en", False, None), ("nb", True, "Bra: la det stå slik")],
)
def test_the_advice_stands_on_the_panel_in_the_language_of_the_table(
    tmp_path, monkeypatch, capsys, language, card, title
):
    placed = (Placed(parse_card("9H"), 0.0, 0.0, 0.3),) if card else ()
    cv2.imwrite(str(tmp_path / "1.png"), Stage(1, make_deck(1, plain=True)).draw(placed))
    settings = tmp_path / "p.toml"
    settings.write_text(f'language = "{language}"\n')
    oled = dummy(128, 64, mode="1")
    monkeypatch.setattr("firmware.device.display.open_oled", lambda config: oled)
    main(["aim", str(tmp_path), "--once", "--config", str(settings)])
    words.choose("en")
    told, numbers = capsys.readouterr().out.splitlines()[-1].rstrip(")").split(" (")
    assert title in (told, None)
    assert oled.image.tobytes() == draw(Notice(told, numbers)).tobytes()


def test_a_picture_needs_a_name_that_can_be_written(tmp_path, capsys):
    assert main(["aim", str(tmp_path), "--picture", "x.txt"]) == 2
    assert "ends in .jpg or .png" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["on the command line", "in the settings"])
def test_a_virtual_table_is_aimed_at_like_any_other_source(tmp_path, capsys, named):
    settings = tmp_path / "p.toml"
    settings.write_text('[camera]\nsource = "virtual:7"\n' * (named == "in the settings"))
    source = ["virtual:7"] * (named == "on the command line")
    assert main(["aim", *source, "--once", "--config", str(settings)]) == 1
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")  # no card lies there yet


def test_no_camera_by_the_settings_is_said_with_their_line(tmp_path, capsys):
    settings = tmp_path / "p.toml"
    settings.write_text('[camera]\nsource = "none"\n')
    assert main(["aim", "--config", str(settings)]) == 2
    assert f"{settings}:2: camera.source is none; expected a camera" in capsys.readouterr().err


def test_a_camera_that_is_not_there_ends_in_a_sentence(capsys):
    assert main(["aim", "camera:99", "--once"]) == 2
    assert "/dev/video99" in capsys.readouterr().err
