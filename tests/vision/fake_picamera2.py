"""A double of picamera2 that behaves as its documents and its source say, and writes down calls.

What matters to us: one queue of jobs, in which ``stop`` stands behind a capture that waits for its
frame; one owner at a time; a frame needs a free buffer; what is set takes effect frames later;
the automatic needs time; "RGB888" arrives as blue, green, red; rows are padded; a control that the
camera has not is refused. A frame takes ``FRAME`` seconds by the board's own clock, and ``gap``
seconds of real time.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, Future
from typing import Any

import cv2
import numpy as np

FRAME = 1 / 15
#: Frames from setting a control to the picture that shows it.
DELAY = 3
#: Frames that a search for the focus takes.
SEARCH = 5
INCOMPLETE = "Camera __init__ sequence did not complete."
#: Dioptres by which the lens may be off before the picture blurs.
SHARP = 0.5
#: What the automatic strives for: exposure in µs × gain × light.
GOAL = 20_000.0
MOST_GAIN = 16.0
MOST_EXPOSURE = 66_666.0
TRUE_GAINS = (1.8, 1.5)
#: Bytes by which each row of the small stream is longer than its picture.
PADDING = 64

CONTROLS = (
    "AeEnable", "AeConstraintMode", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains",
    "FrameRate",
)  # fmt: skip
LENS_CONTROLS = ("AfMode", "AfTrigger", "LensPosition")


class Board:
    """A Pi with a camera on it, and what happens to it; calling it opens the camera."""

    def __init__(self, *, connected: bool = True, lens: bool = True, gap: float = 0.0) -> None:
        self.connected, self.lens, self.gap = connected, lens, gap
        self.calls: list[tuple[str, Any]] = []
        self.owner: Picamera2 | None = None
        self.opened = self.refused = self.frames = 0
        #: Faults: frames stop (the dequeue timer), a call fails, the focus is never found.
        self.stalled = False
        self.fail = ""
        self.blind_focus = False
        #: 1.0 is a lit room; the focus that the table needs; how white the scene is.
        self.light = 1.0
        #: How red and how blue the lamp is, beside the one that TRUE_GAINS are for.
        self.lamp = (1.0, 1.0)
        self.distance = 2.86
        self.scene = scene()

    def __call__(self) -> Picamera2:
        return Picamera2(self)

    def global_camera_info(self) -> list[dict[str, Any]]:
        """Every camera there is, whoever has it."""
        if self.fail == "info":
            raise RuntimeError("no media device")
        return [{"Model": "imx708", "Num": 0}] if self.connected else []

    def clock(self) -> float:
        """Seconds, by the frames that came."""
        return self.frames * FRAME

    def named(self, name: str) -> list[Any]:
        """The arguments of each call of that name."""
        return [argument for call, argument in self.calls if call == name]


def scene() -> np.ndarray:
    """Reflectance, (72, 128, 3) red, green, blue: cloth, a white card, a red sign on it."""
    picture = np.full((72, 128, 3), 0.2)
    picture[:, :, 1] = 0.3
    picture *= np.random.default_rng(1).uniform(0.7, 1.3, (72, 128, 1))  # a weave
    picture[20:50, 50:80] = 0.7
    picture[24:32, 54:62] = (0.7, 0.1, 0.05)
    return picture


def true_gains(board: Board) -> tuple[float, ...]:
    """What red and blue must be multiplied with for white to be white under that lamp."""
    return tuple(gain / lamp for gain, lamp in zip(TRUE_GAINS, board.lamp, strict=True))


class Request:
    """A completed request: its pictures and what the camera tells of it."""

    def __init__(self, camera: Picamera2) -> None:
        self.camera = camera
        self.light, self.state = camera.board.light, dict(camera.state)
        told = zip(self.state["ColourGains"], true_gains(camera.board), strict=True)
        self.tint = tuple(round(gain / true, 2) for gain, true in told)

    def get_metadata(self) -> dict[str, Any]:
        told = dict(self.state)
        if not self.camera.board.lens:
            told.pop("LensPosition")
        return told

    def make_array(self, name: str) -> np.ndarray:
        if self.camera.board.fail == "make_array":
            raise RuntimeError("no buffer")
        self.camera.board.calls.append(("make_array", name))
        level = self.light * self.state["ExposureTime"] * self.state["AnalogueGain"] / GOAL
        key = (name, round(level, 3), self.tint, self.state["LensPosition"])
        drawn = self.camera.drawn
        if key not in drawn:  # while nothing changes, one picture is like another
            if len(drawn) > 8:
                drawn.clear()
            drawn[key] = self._draw(self.camera.configuration[name], level)
        return drawn[key].copy()

    def _draw(self, stream: Mapping[str, Any], level: float) -> np.ndarray:
        width, height = stream["size"]
        red, blue = self.tint
        scene = self.camera.board.scene * (red, 1.0, blue)
        picture = np.clip(scene * (level * 255), 0, 255).astype(np.uint8)
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_NEAREST)
        off = abs(self.state["LensPosition"] - self.camera.board.distance)
        if self.camera.board.lens and off > SHARP:
            picture = cv2.GaussianBlur(picture, (0, 0), 4 * off)
        if stream["format"] == "RGB888":
            return np.ascontiguousarray(picture[:, :, ::-1])  # named backwards
        planes = np.full((height * 3 // 2, width + PADDING), 255, np.uint8)
        planes[:height, :width] = picture.mean(2)
        return planes


class Picamera2:
    """An open camera; see the module."""

    def __init__(self, board: Board) -> None:
        self.board = board
        if board.fail == "open":
            raise IndexError("list index out of range")
        if not board.connected or board.owner is not None:
            board.refused += 1
            raise RuntimeError(INCOMPLETE)
        board.owner = self
        board.opened += 1
        self.configuration: dict[str, Any] = {}
        self.started = False
        self.jobs: list[Future[Any]] = []
        self.lock = threading.Lock()
        self.out = 0
        self.drawn: dict[tuple[object, ...], np.ndarray] = {}
        self.automatic = {"AeEnable": True, "AwbEnable": True}
        self.pending: list[tuple[int, Mapping[str, Any]]] = []
        self.state: dict[str, Any] = {
            "ExposureTime": 4_000, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0),
            "LensPosition": 1.0,
        }  # fmt: skip

    # -- life ---------------------------------------------------------------------------------

    @property
    def camera_controls(self) -> dict[str, tuple[float, float, float]]:
        names = CONTROLS + (LENS_CONTROLS if self.board.lens else ())
        return dict.fromkeys(names, (0, 32, 1))

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        wanted.setdefault("raw", {"size": wanted["main"]["size"]})
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        self._note("configure", configuration)
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        self.configuration = configuration

    def start(self) -> None:
        self._note("start")
        if not self.configuration:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def stop(self) -> None:
        self._note("stop")
        with self.lock:
            before = list(self.jobs)
        for job in before:  # the real one waits for ever
            with contextlib.suppress(CancelledError):
                try:
                    job.result(timeout=5)
                except TimeoutError:
                    raise AssertionError("stop() waits behind a capture that never ends") from None
        self.started = False

    def close(self) -> None:
        self._note("close")
        if self.started:
            self.stop()
        if self.board.owner is self:
            self.board.owner = None

    def cancel_all_and_flush(self) -> None:
        self._note("cancel_all_and_flush")
        with self.lock:
            for job in self.jobs:
                job.set_exception(CancelledError())
            self.jobs.clear()

    # -- frames -------------------------------------------------------------------------------

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        self._note("set_controls", dict(controls))
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.pending.append((DELAY, controls))

    @contextlib.contextmanager
    def captured_request(self, wait: float | None = None) -> Iterator[Request]:
        request = self._job(wait, lambda: Request(self))
        self.out += 1
        try:
            yield request
        finally:
            self.out -= 1

    def autofocus_cycle(self, wait: float | None = None) -> bool:
        self._note("autofocus_cycle")

        def search() -> bool:
            for _ in range(SEARCH):
                self._frame()
            self.state["LensPosition"] = self.board.distance
            return True

        return self._job(wait, search, stuck=self.board.blind_focus)

    def _job(self, wait: float | None, work: Any, *, stuck: bool = False) -> Any:
        """Do ``work`` at the next frame, when all jobs before are done."""
        job: Future[Any] = Future()
        with self.lock:
            first = not self.jobs
            self.jobs.append(job)
        deadline = time.monotonic() + (5 if wait is None else wait)
        while not (first and not stuck and self._frame()):
            if job.done():
                job.result()  # cancelled
            if time.monotonic() >= deadline:
                assert wait is not None, "a capture waits for ever"
                raise TimeoutError  # the job stays in the queue
            time.sleep(0.002)
        result = work()
        with self.lock:
            if job in self.jobs:
                self.jobs.remove(job)
        return result

    def _frame(self) -> bool:
        """Let a frame come, if one can."""
        short = self.out >= self.configuration.get("buffer_count", 1)
        if not self.started or self.board.stalled or short:
            return False
        time.sleep(self.board.gap)
        self.board.frames += 1
        self.pending = [(left - 1, controls) for left, controls in self.pending]
        for left, controls in self.pending:
            if left <= 0:
                self._take_effect(controls)
        self.pending = [each for each in self.pending if each[0] > 0]
        self._automatic()
        return True

    def _take_effect(self, controls: Mapping[str, Any]) -> None:
        for name, value in controls.items():
            if name in self.automatic:
                self.automatic[name] = value
            elif name in self.state:
                self.state[name] = value

    def _automatic(self) -> None:
        if self.automatic["AeEnable"]:
            now = self.state["ExposureTime"] * self.state["AnalogueGain"]
            wanted = GOAL / max(self.board.light, 1e-6)
            total = min(now * (wanted / now) ** 0.3, MOST_EXPOSURE * MOST_GAIN)
            self.state["ExposureTime"] = min(total, MOST_EXPOSURE)
            self.state["AnalogueGain"] = max(1.0, total / MOST_EXPOSURE)
        if self.automatic["AwbEnable"]:
            pairs = zip(self.state["ColourGains"], true_gains(self.board), strict=True)
            self.state["ColourGains"] = tuple(now + 0.3 * (true - now) for now, true in pairs)

    def _note(self, name: str, argument: Any = None) -> None:
        self.board.calls.append((name, argument))
        if self.board.fail == name:
            raise RuntimeError(f"{name} failed")
