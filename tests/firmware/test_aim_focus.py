"""``pilewatch aim`` at the Pi camera: the lens is focused once, and what was found is said."""

from __future__ import annotations

import sys
import types

import cv2
import numpy as np
import pytest
from luma.core.device import dummy

from engine.cards import parse_card
from engine.say import languages
from firmware import words
from firmware.cli import main
from firmware.panel import Notice, draw
from firmware.words import say
from tests.vision.fake_picamera2 import Board
from vision.render import Placed, Stage, make_deck


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    """A card on a table as reflectance, red, green, blue."""
    stage = Stage(1, make_deck(1, plain=True))
    image = stage.draw((Placed(parse_card("9H"), 0.0, 0.0, 0.3),))
    return image[:, :, ::-1] / 255


@pytest.fixture
def board(table, monkeypatch):
    board = Board(gap=0.01)
    board.scene = table
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=board))
    monkeypatch.setattr("firmware.commands.aim.EVERY", 0.1)
    return board


@pytest.fixture
def shown(monkeypatch):
    """What the panel was given."""
    pictures = []

    class Oled(dummy):
        def display(self, image):
            pictures.append(image.copy())

    monkeypatch.setattr("firmware.device.display.open_oled", lambda config: Oled(128, 64, mode="1"))
    yield pictures
    words.choose("en")


def settings(tmp_path, text: str) -> str:
    path = tmp_path / "pilewatch.toml"
    path.write_text(text)
    return str(path)


def test_the_lens_is_focused_on_the_card_and_what_to_set_is_said(board, shown, tmp_path, capsys):
    board.distance = 4.0
    assert main(["aim", "--config", settings(tmp_path, 'language = "nb"\n')]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("Uskarpt: still fokus (")
    assert told[-2].startswith("Bra: la det stå slik (")
    assert told[-1] == "Skriv i innstillingene: camera.lens = 4.00"
    # The panel says the same, in words.
    words.choose("nb")
    assert shown[-1] == draw(Notice(say("aim.good"), told[-1]))
    first = told[0].partition(" (")[2].rstrip(")")
    assert shown[0] == draw(Notice(say("aim.sharper"), first))
    assert board.owner is None
    assert board.named("set_controls")[-1] == {"AfMode": 0, "LensPosition": 4.0}


def test_a_lens_that_is_set_already_is_not_spoken_of(board, shown, tmp_path, capsys):
    path = settings(tmp_path, "[camera]\nlens = 2.88\n")
    assert main(["aim", "--config", path]) == 0
    assert "camera.lens" not in capsys.readouterr().out
    assert len(board.named("autofocus_cycle")) == 1


def test_a_lens_that_cannot_move_is_left_alone(board, shown, tmp_path, capsys):
    board.lens = False
    assert main(["aim", "--config", settings(tmp_path, "")]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert board.named("autofocus_cycle") == []


def test_a_look_at_once_moves_no_lens(board, shown, tmp_path):
    board.distance = 6.0
    assert main(["aim", "--once", "--config", settings(tmp_path, "")]) == 1
    assert board.named("autofocus_cycle") == []


def test_without_a_panel_the_terminal_is_enough(board, tmp_path, monkeypatch, capsys):
    def none(config):
        raise OSError("no panel")

    monkeypatch.setattr("firmware.device.display.open_oled", none)
    picture = tmp_path / "seen.png"
    path = settings(tmp_path, "")
    assert main(["aim", "--config", path, "--picture", str(picture)]) == 0
    assert capsys.readouterr().out.startswith("Good: leave it so (")
    assert cv2.imread(str(picture)).shape == (720, 1280, 3)


@pytest.mark.parametrize("language", languages())
def test_what_to_set_fits_on_the_panel(language):
    words.choose(language)
    screen = Notice(say("aim.good"), say("aim.lens", lens="12.34"))
    cut = Notice(say("aim.good"), say("aim.lens", lens="12.3"))
    words.choose("en")
    assert draw(screen) != draw(cut)  # to the last figure
