"""A lamp that goes on or out is no card: from the Pi camera's driver to what the watcher tells."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import parse_card
from tests.vision.fake_picamera2 import Board
from tests.vision.made_up import sighting
from vision.assemble import Sighting
from vision.frame import Frame
from vision.light import ENOUGH, bright_parts
from vision.observation import Landed, Observation
from vision.picamera import CameraSettings, PiCamera
from vision.reader import Reading
from vision.watcher import Watcher

SETTINGS = CameraSettings(size=(1280, 720), small=(320, 180), settle_seconds=0.6)
#: Grey levels of a card's face within which its corners are found.
READABLE = (90, 250)


class Looker:
    """Finds the card that lies there, unless the picture is too dark or burnt out."""

    def __init__(self) -> None:
        self.looks = 0

    def readings(self, image: np.ndarray) -> list[Reading]:
        self.looks += 1
        return []

    def cards_of(self, looks: object, image: np.ndarray) -> list[Sighting]:
        face = float(image[400:480, 700:780].mean())
        return [sighting("7H", 650, 350)] if READABLE[0] < face < READABLE[1] else []


class Evening:
    """A camera, and a watcher behind it."""

    def __init__(self) -> None:
        self.board = Board()
        self.camera = PiCamera(self.board, SETTINGS, clock=self.board.clock)
        self.looker = Looker()
        self.watcher = Watcher(self.looker)
        self.index = 0

    def pass_by(self, seconds: float) -> list[Observation]:
        told: list[Observation] = []
        end = self.board.clock() + seconds
        while self.board.clock() < end:
            picture = self.camera.read()
            if picture is None or bright_parts(picture[0]) < ENOUGH:
                continue
            frame = Frame(self.index, self.board.clock(), *picture)
            told += self.watcher.step(frame)
            self.index += 1
        return told


@pytest.mark.parametrize(
    ("name", "lights"),
    [
        ("one lamp of two goes out", (0.45,)),
        ("it was the only one", (0.2,)),
        ("the big light goes on", (4.0,)),
        ("out and on again", (0.0005, 1.0)),
        ("somebody plays with the switch", (0.3, 1.0, 0.3, 1.0)),
    ],
)
def test_a_change_of_light_is_neither_a_landing_nor_a_pile_that_goes(
    name: str, lights: tuple[float, ...]
) -> None:
    evening = Evening()
    (landed,) = evening.pass_by(4)
    assert isinstance(landed, Landed)
    assert landed.cards == (parse_card("7H"),)
    told: list[Observation] = []
    for light in lights:
        evening.board.light = light
        told += evening.pass_by(7)
    assert told == []
    assert evening.watcher.pile.cards[-1].card == parse_card("7H")
    evening.camera.close()
