"""The adapter makes the calls that picamera2 documents, in an order that the hardware bears."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from vision.frame import SourceError
from vision.picamera import CameraSettings, PiCamera, fixed_controls, open_pi_camera

SETTINGS = CameraSettings(settle_seconds=0.3)
FOUND = {
    "ExposureTime": 23_456,
    "AnalogueGain": 2.0,
    "ColourGains": (1.5, 2.1),
    "LensPosition": 1.0,
}


class Request:
    def __init__(self, calls: list[Any], fail: bool = False) -> None:
        self.calls = calls
        self.fail = fail

    def make_array(self, name: str) -> np.ndarray:
        if self.fail:
            raise RuntimeError("no buffer")
        self.calls.append(("make_array", name))
        if name == "main":
            return np.full((720, 1280, 3), 7, np.uint8)
        # 180 rows of brightness and half as many of colour, each padded from 320 to 384 bytes.
        planes = np.zeros((270, 384), np.uint8)
        planes[:180, :320] = 9
        return planes

    def get_metadata(self) -> dict[str, Any]:
        return FOUND


class Recorder:
    """Stands in for picamera2.Picamera2 and writes down every call."""

    def __init__(self, *, lens: bool = True, fail: str = "") -> None:
        self.calls: list[Any] = []
        self.camera_controls = {"LensPosition": (0, 32, 1)} if lens else {}
        self.fail = fail
        self.open_requests = 0

    def __call__(self) -> Recorder:
        if self.fail == "open":
            raise IndexError("list index out of range")
        return self

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        self.calls.append(("create_video_configuration", wanted))
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        self.calls.append(("configure", configuration))

    def start(self) -> None:
        self.calls.append("start")
        if self.fail == "start":
            raise RuntimeError("out of memory")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.calls.append(("set_controls", controls))

    @contextlib.contextmanager
    def captured_request(self) -> Iterator[Request]:
        self.open_requests += 1
        try:
            yield Request(self.calls, fail=self.fail == "read")
        finally:
            self.open_requests -= 1

    def stop(self) -> None:
        self.calls.append("stop")
        if self.fail == "stop":
            raise RuntimeError("will not stop")

    def close(self) -> None:
        self.calls.append("close")


def ticks() -> Iterator[float]:
    t = 0.0
    while True:
        yield t
        t += 0.1


def opened(recorder: Recorder) -> PiCamera:
    return PiCamera(recorder, SETTINGS, clock=ticks().__next__)


def test_one_configuration_with_two_streams() -> None:
    recorder = Recorder()
    opened(recorder)
    created, configured, started = recorder.calls[:3]
    assert created[1]["main"] == {"size": (1280, 720), "format": "RGB888"}
    assert created[1]["lores"] == {"size": (320, 180), "format": "YUV420"}
    assert created[1]["buffer_count"] in {3, 4}
    assert created[1]["controls"] == {"FrameRate": 15.0}
    assert configured == ("configure", created[1])
    assert started == "start"
    assert [c[0] for c in recorder.calls].count("configure") == 1


def test_focus_is_manual_and_light_is_fixed_after_a_while() -> None:
    recorder = Recorder()
    opened(recorder)
    controls = [c[1] for c in recorder.calls if c[0] == "set_controls"]
    assert controls == [
        {"AfMode": 0, "LensPosition": 2.5},
        {
            "AeEnable": False,
            "ExposureTime": 20_000,
            "AnalogueGain": pytest.approx(2.0 * 23_456 / 20_000),
            "AwbEnable": False,
            "ColourGains": (1.5, 2.1),
        },
    ]


def test_a_lens_that_cannot_move_is_left_alone() -> None:
    recorder = Recorder(lens=False)
    opened(recorder)
    assert not [c for c in recorder.calls if c[0] == "set_controls" and "AfMode" in c[1]]


@pytest.mark.parametrize(
    ("mains_hz", "exposure", "expected"),
    [
        (50, 23_456, 20_000),
        (50, 4_000, 10_000),
        (50, 500_000, 60_000),
        (60, 23_456, 16_667),
        (60, 1, 8_333),
    ],
)
def test_exposure_is_a_multiple_of_half_a_mains_period(
    mains_hz: int, exposure: int, expected: int
) -> None:
    found = {"ExposureTime": exposure, "AnalogueGain": 1.0}
    fixed = fixed_controls(found, CameraSettings(mains_hz=mains_hz))
    assert fixed["ExposureTime"] == expected
    assert fixed["AnalogueGain"] >= 1.0
    assert "AwbEnable" not in fixed


def test_both_streams_come_from_one_request_which_is_given_back() -> None:
    recorder = Recorder()
    camera = opened(recorder)
    recorder.calls.clear()
    image, grey = camera.read()
    assert recorder.calls == [("make_array", "main"), ("make_array", "lores")]
    assert recorder.open_requests == 0
    assert image.shape == (720, 1280, 3)
    assert grey is not None
    assert grey.shape == (180, 320)
    assert (grey == 9).all()


def test_a_request_is_given_back_when_reading_fails() -> None:
    recorder = Recorder()
    camera = opened(recorder)
    recorder.fail = "read"
    with pytest.raises(RuntimeError):
        camera.read()
    assert recorder.open_requests == 0


@pytest.mark.parametrize("fail", ["", "stop"])
def test_it_is_closed_once_whatever_happens(fail: str) -> None:
    recorder = Recorder(fail=fail)
    camera = opened(recorder)
    with pytest.raises(RuntimeError) if fail else contextlib.nullcontext():
        camera.close()
    camera.close()
    assert recorder.calls[-2:] == ["stop", "close"]
    assert recorder.calls.count("close") == 1


def test_it_is_closed_when_it_does_not_start() -> None:
    recorder = Recorder(fail="start")
    with pytest.raises(RuntimeError, match="out of memory"):
        opened(recorder)
    assert recorder.calls[-1] == "close"


def test_no_camera_connected_is_said_in_words() -> None:
    with pytest.raises(OSError, match="no camera is connected"):
        opened(Recorder(fail="open"))


def test_frames_reach_the_reader_with_their_grey_companion(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    module = types.SimpleNamespace(Picamera2=recorder)
    monkeypatch.setitem(sys.modules, "picamera2", module)  # type: ignore[arg-type]
    with open_pi_camera(10, SETTINGS) as source:
        frame = next(iter(source))
    assert frame.image.shape == (720, 1280, 3)
    assert frame.grey is not None
    assert recorder.calls[-2:] == ["stop", "close"]


def test_a_picamera2_that_does_not_fit_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    monkeypatch.setitem(sys.modules, "picamera2", Broken("picamera2"))
    with pytest.raises(SourceError, match=r"does not start \(numpy\.dtype size changed"):
        open_pi_camera(10)
