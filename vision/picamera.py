"""The Raspberry Pi's own camera, through picamera2.

Two streams come from one request: ``main`` for reading and ``lores`` for settling. Focus, exposure
and white balance are fixed once the camera has had a moment to judge the light: a picture that
changes by itself looks like cards that move. picamera2 is part of the system, so it is imported
only when a camera is opened.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from vision.frame import Image, SourceError
from vision.live import LiveSource

AF_MANUAL = 0  # libcamera.controls.AfModeEnum.Manual


@dataclass(frozen=True)
class CameraSettings:
    """How the camera is set up.

    ``lens_position`` is in dioptres (2.5 is 0.4 m) and is used where the lens can be moved.
    ``settle_seconds`` is the time that automatic exposure and white balance get. ``mains_hz`` is
    the frequency of the lamps: exposure is a multiple of half a period, so that nothing flickers.
    """

    size: tuple[int, int] = (1280, 720)
    small: tuple[int, int] = (320, 180)
    fps: float = 15.0
    lens_position: float = 2.5
    mains_hz: int = 50
    settle_seconds: float = 1.5


def open_pi_camera(fps: float, settings: CameraSettings | None = None) -> LiveSource:
    """Return the Pi camera as a source; raises SourceError where picamera2 is missing."""
    chosen = settings or CameraSettings(fps=max(fps, 15.0))
    picamera2 = _library()
    return LiveSource(lambda: PiCamera(picamera2, chosen), "the Pi camera", fps)


class PiCamera:
    """An open Pi camera; see :class:`vision.live.Camera`. ``picamera2`` is the class Picamera2."""

    def __init__(
        self,
        picamera2: Callable[[], Any],
        settings: CameraSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        try:
            self._camera = picamera2()
        except IndexError as error:  # what some releases raise when no camera is connected
            raise OSError("no camera is connected") from error
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    # "RGB888" is laid out as blue, green, red, which is what OpenCV wants.
                    main={"size": settings.size, "format": "RGB888"},
                    # On a Pi 4 and Zero 2 W the small stream must be YUV420.
                    lores={"size": settings.small, "format": "YUV420"},
                    buffer_count=4,
                    controls={"FrameRate": settings.fps},
                )
            )
            self._camera.start()
            self._fix(clock)
        except BaseException:
            self.close()
            raise

    def read(self) -> tuple[Image, Image | None]:
        """Return the picture, BGR, and its small grey companion, of one and the same instant."""
        width, height = self._settings.small
        with self._camera.captured_request() as request:
            image = request.make_array("main")
            # The brightness comes first; rows may be longer than the picture is wide.
            grey = request.make_array("lores")[:height, :width]
        return image, grey

    def close(self) -> None:
        """Stop and close: a camera left open stays busy until the process ends."""
        camera, self._camera = self._camera, None
        if camera is not None:
            try:
                camera.stop()
            finally:
                camera.close()

    def _fix(self, clock: Callable[[], float]) -> None:
        """Let the camera judge the light, then keep what it found."""
        if "LensPosition" in self._camera.camera_controls:
            self._camera.set_controls(
                {"AfMode": AF_MANUAL, "LensPosition": self._settings.lens_position}
            )
        until = clock() + self._settings.settle_seconds
        while True:
            with self._camera.captured_request() as request:
                found = request.get_metadata()
            if clock() >= until:
                break
        self._camera.set_controls(fixed_controls(found, self._settings))


def fixed_controls(found: Mapping[str, Any], settings: CameraSettings) -> dict[str, Any]:
    """Return the controls that keep the light as the camera's metadata ``found`` it.

    Exposure (µs) is rounded down to a multiple of half a period of the mains, at least one, and at
    most a frame's time; the gain makes up for the difference.
    """
    controls: dict[str, Any] = {}
    if "ExposureTime" in found and "AnalogueGain" in found:
        half_period = 1e6 / (2 * settings.mains_hz)
        longest = int(1e6 / settings.fps / half_period)
        exposure = half_period * max(1, min(longest, int(found["ExposureTime"] / half_period)))
        gain = found["AnalogueGain"] * found["ExposureTime"] / exposure
        controls |= {
            "AeEnable": False,
            "ExposureTime": round(exposure),
            "AnalogueGain": max(1.0, float(gain)),
        }
    if "ColourGains" in found:
        controls |= {"AwbEnable": False, "ColourGains": tuple(found["ColourGains"])}
    return controls


def _library() -> Callable[[], Any]:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise SourceError(
            "the Pi camera needs picamera2, which comes with Raspberry Pi OS "
            "(sudo apt install python3-picamera2) and must be visible to this Python; "
            "a USB camera is camera:0"
        ) from error
    except Exception as error:  # a picamera2 that does not fit the system's other libraries
        raise SourceError(f"picamera2 is there but does not start ({error})") from error
    return Picamera2  # type: ignore[no-any-return]
