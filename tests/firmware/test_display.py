"""The OLED: drawn on change only, spared, and nothing lost over its edge."""

from __future__ import annotations

import errno
import os

import gallery
import numpy as np
import pytest
import smbus2
from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError
from PIL import Image

from firmware import panel
from firmware.config import defaults, parse_config
from firmware.device.display import DIM, FLICKERS, SHIFTS, Display, open_oled, picture, shifted
from firmware.device.service import Service

TURN = gallery.SCREENS["turn"]


class Oled(dummy):
    """The makers' dummy, which counts."""

    def __init__(self) -> None:
        super().__init__(128, 64, mode="1")
        self.shows: list[Image.Image] = []
        self.light: list[int | str] = []

    def display(self, image):
        super().display(image)
        self.shows.append(image.copy())

    def contrast(self, level):
        self.light.append(level)

    def hide(self):
        self.light.append("dark")

    def show(self):
        self.light.append("on")


@pytest.fixture
def oled():
    return Oled()


@pytest.fixture
def display(oled):
    display = Display(defaults(), lambda: oled)
    display.set_up()
    oled.shows.clear()
    oled.light.clear()
    return display


def test_it_draws_when_something_changes_and_not_before(display, oled):
    display.show(TURN, 0)
    for t in range(20):
        display.work(t)
    assert len(oled.shows) == 1
    assert np.array_equal(np.asarray(oled.image), np.asarray(panel.draw(TURN)))
    display.show(gallery.SCREENS["refused"], 20)
    display.work(20)
    assert len(oled.shows) == 2


def test_it_dims_goes_dark_and_wakes_at_a_touch(display, oled):
    display.show(TURN, 0)
    display.work(0)
    display.work(121)
    display.work(901)
    assert oled.light == ["on", 200, "on", DIM, "dark"]
    display.touch(902)
    display.work(902)
    assert oled.light[-2:] == ["on", 200]


def test_it_says_itself_when_it_wants_to_be_looked_at(display):
    display.show(TURN, 0)
    assert display.work(0) == pytest.approx(60)
    assert display.work(90) == pytest.approx(30)
    assert display.work(119) == pytest.approx(1)


def test_a_burn_flickers_for_a_moment(display, oled):
    display.show(gallery.SCREENS["burned"], 0)
    t = 0.0
    while t < FLICKERS + 3:
        display.work(t)
        t += 0.05
    assert 7 <= len(oled.shows) <= 9
    assert not np.array_equal(np.asarray(oled.shows[0]), np.asarray(oled.shows[1]))


@pytest.mark.parametrize("name", gallery.SCREENS)
def test_moved_by_a_pixel_it_shows_as_much_as_before(name):
    image = panel.draw(gallery.SCREENS[name])
    for shift in SHIFTS:
        moved = shifted(image, shift)
        assert np.asarray(moved).sum() == np.asarray(image).sum()


def test_the_screen_that_stands_longest_does_move():
    stands = {picture(TURN, 0, shift).tobytes() for shift in SHIFTS}
    assert len(stands) > 1


def test_a_loose_wire_is_told_once_and_what_should_stand_there_comes_back(oled):
    display, told = Display(defaults(), lambda: oled), []
    service = Service(display, told.append)
    service.step(0)
    good = Oled.display

    def loose(self, image):
        raise OSError(5, "Input/output error")

    Oled.display = loose
    try:
        display.show(TURN, 1)
        for t in range(1, 40):
            service.step(t)
    finally:
        Oled.display = good
    for t in range(40, 120):
        service.step(t)
    assert [report.why is None for report in told] == [False, True]
    assert np.asarray(oled.image).any()


def test_its_last_picture_stays_when_the_program_ends(display, oled):
    display.show(panel.Notice("Safe to unplug"), 0)
    display.work(0)
    display.tear_down()
    assert oled.persist
    assert "dark" not in oled.light


def test_without_a_bus_it_says_what_was_looked_for():
    config = parse_config('[panel]\ndriver = "sh1106"\nbus = 22\naddress = 61\n', "x")
    with pytest.raises(OSError, match="no sh1106 answers at I²C address 0x3d"):
        open_oled(config)


def test_a_panel_that_does_not_answer_leaves_no_file_open(monkeypatch):
    opened = []

    def open_bus(bus, number):
        bus.fd, bus.funcs = os.open(os.devnull, os.O_RDWR), 0
        opened.append(bus.fd)

    def silent(*block):
        raise OSError(errno.EREMOTEIO, "Remote I/O error")

    monkeypatch.setattr(smbus2.SMBus, "open", open_bus)
    monkeypatch.setattr(smbus2.SMBus, "write_i2c_block_data", silent)
    service, now = (
        Service(Display(defaults(), lambda: open_oled(defaults())), lambda report: None),
        0.0,
    )
    for _ in range(20):
        now += service.step(now)
    assert len(opened) == 20
    for file in set(opened):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(file)


def test_lumas_own_error_counts_as_a_fault_that_passes(oled):
    def missing():
        raise DeviceNotFoundError("no")

    told = []
    service = Service(Display(defaults(), missing), told.append)
    service.step(0)
    assert [report.lasting for report in told] == [False]
