"""The camera before the whole device: what fails is told once, the game goes on, and it heals."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from gpiozero import Device
from the_device import PINS, Eyes, TheDevice

from engine.cards import parse_card
from firmware.config import parse_config
from firmware.device.calls import Call
from firmware.device.service import Report
from firmware.device.sight import Camera
from firmware.panel import Notice, Turn
from tests.vision.fake_picamera2 import Board
from vision.live import LiveSource
from vision.observation import Landed
from vision.picamera import CameraSettings, PiCamera

BLIND = Notice("I can't see", "Keep playing: press next for each play")
SEES = Notice("I can see again")
PLAYERS = '[game]\nplayers = ["Ann", "Bob", "Cat"]\n'


class Voice:
    """Hears what is to be said; it has no part of its own."""

    name = "voice"

    def __init__(self) -> None:
        self.said: list[str] = []

    def put(self, call: Call) -> None:
        self.said.append(call.text)


pytestmark = pytest.mark.usefixtures("pins")


@pytest.fixture
def device(device):
    device.appliance.crew.voice = Voice()
    return device


def test_that_it_cannot_see_is_said_once_and_that_it_can_again(device):
    device.begin().wait(3)
    for _ in range(3):
        device.window.why = "it gives no pictures"
        device.wait(3)
        device.window.why = "no picture for 6 seconds"
        device.wait(3)
    assert device.appliance.crew.voice.said == [f"{BLIND.title}. {BLIND.text}"]
    assert device.appliance.faults == {"sight": "it gives no pictures"}
    device.window.why = None
    device.wait(0.1)
    assert device.appliance.crew.voice.said[1:] == [SEES.title]
    assert device.appliance.faults == {}


def test_a_camera_that_cannot_be_opened_is_told_by_the_sight_alone(device):
    device.window.why = "no camera is connected"
    device.appliance.report(Report("camera", "no camera is connected"))
    device.wait(0.1)
    assert device.screen == BLIND
    device.wait(5)
    assert device.appliance.faults == {"sight": "no camera is connected"}
    device.window.why = None
    device.wait(5)
    device.appliance.report(Report("camera", None))
    device.wait(0.1)
    assert device.screen != Notice("Camera works again")
    assert device.appliance.crew.voice.said[1:] == [SEES.title]


def test_lamps_in_the_cameras_view_are_dark_whenever_it_looks(tmp_path, pins, monkeypatch):
    device = TheDevice(tmp_path, parse_config(f"{PLAYERS}[lamps]\nin_view = true\n", "x"))
    lamps = [pins.pin(pin) for pin in (5, 6, 12, 13, 16, 19, 20, 21)]
    looks: list[bool] = []
    step = Eyes.step

    def noting(eyes, frame):
        looks.append(any(lamp.state for lamp in lamps))
        return step(eyes, frame)

    monkeypatch.setattr(Eyes, "step", noting)
    device.begin().wait(3).land("5C")
    assert any(lamp.state for lamp in lamps)
    taken = len(looks)
    for _ in range(40):
        device.see()
    assert 10 < len(looks) - taken < 35  # none while they were lit
    assert not any(looks)
    device.wait(1).land("7H")
    assert device.table.top == parse_card("7H")
    device.close()


# -- the real chain: picamera2 → PiCamera → LiveSource → sight.Camera → Appliance ------------------


class Chain:
    """The device with a Pi camera whose driver is a double; threads and time are real."""

    def __init__(self, folder, board: Board) -> None:
        self.board = board
        settings = CameraSettings(size=(128, 72), small=(64, 36), settle_seconds=0.2, patience=0.2)
        config = parse_config(f"{PLAYERS}[camera]\npatience = 1\n", "x")
        camera = Camera(config, lambda: self.source(settings), time.monotonic)
        self.device = TheDevice(folder, config)
        self.device.now = time.monotonic()
        self.appliance = self.device.appliance
        self.appliance.sight = camera
        self.appliance.crew.voice = Voice()
        self.appliance.crew.camera = camera
        camera.wake = self.appliance.wake
        self.appliance.crew.services.clear()
        self.appliance.crew.engage(self.appliance.report)
        # Buttons and lamps are stepped by hand; only the camera has a thread of its own.
        self.appliance.crew.services = self.appliance.crew.services[-1:]
        self.appliance.crew.start(time.monotonic)
        self.appliance.crew.services = []

    def source(self, settings: CameraSettings) -> LiveSource:
        return LiveSource(
            lambda: PiCamera(self.board, settings, clock=self.board.clock),
            "the Pi camera", 100.0, tell=lambda sentence: None,
            patience=10.0, start_patience=20.0, pauses=(0.05, 0.1),
        )  # fmt: skip

    def until(self, true: Callable[[], bool], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.appliance.faults
            self.device.now = time.monotonic()
            self.appliance.step(self.device.now)
            time.sleep(0.005)

    def press(self, name: str) -> None:
        self.until(lambda: True)
        pin = Device.pin_factory.pin(PINS[name])
        pin.drive_low()
        end = time.monotonic() + 0.15
        self.until(lambda: time.monotonic() > end)
        pin.drive_high()
        end = time.monotonic() + 0.3
        self.until(lambda: time.monotonic() > end)

    @property
    def said(self) -> list[str]:
        return self.appliance.crew.voice.said

    def close(self) -> None:
        self.device.close()


@pytest.fixture
def chain(tmp_path):
    chain = Chain(tmp_path, Board(gap=0.003))
    yield chain
    chain.close()
    assert chain.board.owner is None


def begin(chain: Chain) -> None:
    """A game is on, and the first card lies there."""
    for button in ("pickup", "pickup", "pickup", "pickup", "pickup", "next", "next"):
        chain.press(button)
    card = (parse_card("5C"),)
    chain.device.seen = [(Landed(0, 0, card, ()), card, (0.99,))]
    chain.until(lambda: isinstance(chain.appliance.screen, Turn))


def test_frames_that_stop_are_told_once_the_game_goes_on_and_it_heals(chain):
    begin(chain)
    assert chain.appliance.faults == {}
    chain.board.stalled = True
    chain.until(lambda: chain.appliance.screen == BLIND)
    first = chain.board.opened
    chain.until(lambda: isinstance(chain.appliance.screen, Turn))
    turn = chain.appliance.screen.player
    chain.press("next")
    chain.until(lambda: isinstance(chain.appliance.screen, Turn))
    assert chain.appliance.screen.player != turn
    chain.until(lambda: chain.board.opened > first)
    chain.board.stalled = False
    chain.until(lambda: SEES.title in chain.said)
    assert chain.said[:2] == [f"{BLIND.title}. {BLIND.text}", SEES.title]
    assert chain.said[2:] == ["Game goes on: Bob to play, 1 on the pile"]
    assert chain.appliance.faults == {}
    assert chain.board.refused == 0
    seen = chain.appliance._framed
    chain.until(lambda: chain.appliance._framed > seen)


def test_a_camera_that_is_not_there_is_told_once_and_found_when_it_is(chain):
    begin(chain)
    chain.board.stalled, chain.board.connected = True, False
    chain.until(lambda: chain.appliance.screen == BLIND)
    chain.until(lambda: chain.board.refused > 2)
    chain.board.stalled, chain.board.connected = False, True
    chain.until(lambda: SEES.title in chain.said)
    assert chain.said == [f"{BLIND.title}. {BLIND.text}", SEES.title]


def test_a_room_that_goes_dark_is_told_and_light_heals_it(chain):
    begin(chain)
    chain.board.light = 0.0005
    chain.until(lambda: chain.appliance.screen == BLIND)
    trouble = chain.appliance.sight.trouble
    chain.until(lambda: trouble(time.monotonic()) == "it is too dark to see anything")
    chain.board.light = 1.0
    chain.until(lambda: SEES.title in chain.said)
    assert chain.said == [f"{BLIND.title}. {BLIND.text}", SEES.title]
