"""A USB camera judges for a moment and is then kept so, as far as Video4Linux lets us."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.frame import SourceError
from vision.live import LiveSource
from vision.usbcamera import AUTOMATIC, MANUAL, UsbCamera, open_usb_camera

FRAME = 1 / 15
AUTO_EXPOSURE, EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AUTO_WB, AUTOFOCUS = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS


class Device:
    """A camera as Video4Linux has it; calling it opens it, as ``cv2.VideoCapture`` does.

    ``forgets``: with the automatic off, it goes back to the exposure that was set by hand last.
    ``has`` are the properties that can be set. One owner at a time.
    """

    def __init__(self, *, forgets: bool = False, has: frozenset[int] | None = None) -> None:
        self.forgets, self.has = forgets, has
        self.light, self.frames, self.gone = 1.0, 0, False
        self.owned, self.opened = False, 0
        self.sets: list[tuple[int, float]] = []
        self.values: dict[int, float] = {AUTO_EXPOSURE: AUTOMATIC, EXPOSURE: 20.0}

    def __call__(self, number: int, backend: int) -> Capture:
        assert backend == cv2.CAP_V4L2
        return Capture(self)

    def clock(self) -> float:
        return self.frames * FRAME

    def picture(self) -> np.ndarray:
        if self.values[AUTO_EXPOSURE] == AUTOMATIC:
            exposure = 100 / self.light
            if not self.forgets:
                self.values[EXPOSURE] = exposure
        else:
            exposure = self.values[EXPOSURE]
        noise = np.random.default_rng(1).uniform(70, 130, (72, 128, 3))
        return np.clip(noise * exposure * self.light / 100, 0, 255).astype(np.uint8)


class Capture:
    """What ``cv2.VideoCapture`` gives."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.mine = not device.owned and not device.gone
        device.owned = True
        device.opened += self.mine

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's own name)
        return self.mine

    def set(self, name: int, value: float) -> bool:
        if self.device.has is not None and name not in self.device.has:
            return False
        self.device.sets.append((name, value))
        self.device.values[name] = value
        return True

    def get(self, name: int) -> float:
        return self.device.values.get(name, 0.0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.device.gone:
            return False, None
        self.device.frames += 1
        return True, self.device.picture()

    def release(self) -> None:
        if self.mine:
            self.device.owned = self.mine = False


def plugged(monkeypatch: pytest.MonkeyPatch, device: Device) -> Device:
    monkeypatch.setattr(cv2, "VideoCapture", device)
    return device


def seen(camera: UsbCamera, most: int = 120) -> np.ndarray:
    for _ in range(most):
        picture = camera.read()
        if picture is not None:
            return picture[0]
    raise AssertionError("nothing is to be seen")


def camera_of(device: Device) -> UsbCamera:
    return UsbCamera(0, 15, clock=device.clock)


@pytest.mark.parametrize("forgets", [False, True])
def test_all_automatics_are_off_once_it_has_judged(
    monkeypatch: pytest.MonkeyPatch, forgets: bool
) -> None:
    device = plugged(monkeypatch, Device(forgets=forgets))
    camera = camera_of(device)
    judged = [camera.read() for _ in range(25)]
    assert judged == [None] * 25
    assert device.values[AUTOFOCUS] == 1
    image = seen(camera)
    assert (device.values[AUTOFOCUS], device.values[AUTO_WB]) == (0, 0)
    assert device.values[AUTO_EXPOSURE] == MANUAL
    assert np.median(image) == pytest.approx(100, rel=0.25)
    camera.close()


def test_a_camera_that_takes_no_exposure_keeps_its_automatic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    has = frozenset({AUTO_EXPOSURE, AUTO_WB})
    device = plugged(monkeypatch, Device(forgets=True, has=has))
    camera = camera_of(device)
    seen(camera)
    assert device.values[AUTO_EXPOSURE] == AUTOMATIC
    assert device.values[AUTO_WB] == 0


def test_a_camera_that_can_be_told_nothing_is_used_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device = plugged(monkeypatch, Device(has=frozenset()))
    assert np.median(seen(camera_of(device))) == pytest.approx(100, rel=0.1)
    assert device.sets == []


def test_when_the_light_changes_for_good_it_judges_anew_but_does_not_hunt_for_focus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device = plugged(monkeypatch, Device())
    camera = camera_of(device)
    seen(camera)
    device.light = 0.5
    assert np.median(seen(camera)) < 60
    for _ in range(150):
        camera.read()
    assert np.median(seen(camera)) == pytest.approx(100, rel=0.25)
    assert device.values[AUTO_EXPOSURE] == MANUAL
    assert device.sets.count((AUTOFOCUS, 1)) == 1
    assert camera.focus() is None  # at set-up it is asked to
    assert device.sets.count((AUTOFOCUS, 1)) == 2
    seen(camera)
    assert device.values[AUTOFOCUS] == 0


def test_it_is_busy_until_it_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    device = plugged(monkeypatch, Device())
    camera = camera_of(device)
    with pytest.raises(OSError, match="is another program using it"):
        camera_of(device)
    camera.close()
    camera.close()
    seen(camera_of(device))


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Device, LiveSource, list[str]]]:
    device, told = plugged(monkeypatch, Device()), list[str]()
    source = LiveSource(
        lambda: camera_of(device), "camera 0", 5000.0, tell=told.append, pauses=(0.05,)
    )
    yield device, source, told
    assert not device.owned


def test_one_that_is_unplugged_is_given_back_and_opened_again(
    live: tuple[Device, LiveSource, list[str]],
) -> None:
    device, source, told = live

    def back(sentence: str) -> None:
        told.append(sentence)
        device.gone = False

    source._tell = back
    with source:
        frames = iter(source)
        next(frames)
        device.gone = True
        assert len(list(itertools.islice(frames, 3))) == 3
    assert device.opened == 2
    assert told == [
        "camera 0 has stopped (it gives no pictures; was it unplugged?); trying to get it back",
        "camera 0 is back",
    ]


def test_a_camera_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(SourceError, match="there is no camera /dev/video998; found: "):
        open_usb_camera(998, 10)
