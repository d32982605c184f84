"""The Raspberry Pi's own camera, through picamera2.

Two streams come from one request: ``main`` for reading and ``lores`` for settling. The lens stays
where it was set, exposure and white balance are kept by :mod:`vision.exposure`. picamera2 is part
of the system, so it is imported only when a camera is opened.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from vision.exposure import AUTOMATIC, Exposure
from vision.frame import Image, SourceError
from vision.live import LiveSource

AF_MANUAL = 0  # libcamera.controls.AfModeEnum.Manual
#: Seconds that a search for the focus may take.
FOCUS_SECONDS = 6.0

NOT_CONNECTED = (
    "no camera is connected; check both ends of the ribbon cable, with the power off, and that"
    " /boot/firmware/config.txt has camera_auto_detect=1"
)
IN_USE = "the camera cannot be had; is another program using it?"


@dataclass(frozen=True)
class CameraSettings:
    """How the camera is set up.

    ``lens_position`` is in dioptres (2.5 is 0.4 m) and is used where the lens can be moved.
    ``settle_seconds`` is the least time that automatic exposure and white balance get. ``mains_hz``
    is the frequency of the lamps: exposure is a multiple of half a period, so that nothing
    flickers. ``patience`` is how many seconds a picture may take to come.
    """

    size: tuple[int, int] = (1280, 720)
    small: tuple[int, int] = (320, 180)
    fps: float = 15.0
    lens_position: float = 2.5
    mains_hz: int = 50
    settle_seconds: float = 1.0
    patience: float = 1.5


def open_pi_camera(fps: float, settings: CameraSettings | None = None) -> LiveSource:
    """Return the Pi camera as a source; raises SourceError where picamera2 is missing."""
    chosen = settings or CameraSettings(fps=max(fps, 15.0))
    picamera2 = _library()
    return LiveSource(lambda: PiCamera(picamera2, chosen), "the Pi camera", fps)


class PiCamera:
    """An open Pi camera; see :class:`vision.live.Camera`. ``picamera2`` is the class Picamera2."""

    def __init__(
        self,
        picamera2: Any,
        settings: CameraSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._clock = settings, clock
        self._exposure = Exposure(settings.fps, settings.mains_hz, settings.settle_seconds)
        self._camera = _acquired(picamera2)
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    # "RGB888" is laid out as blue, green, red, which is what OpenCV wants.
                    main={"size": settings.size, "format": "RGB888"},
                    # On a Pi 4 and Zero 2 W the small stream must be YUV420.
                    lores={"size": settings.small, "format": "YUV420"},
                    # Unless told otherwise picamera2 adds a third stream, with buffers of its own.
                    raw=None,
                    buffer_count=4,
                    controls={"FrameRate": settings.fps},
                )
            )
            self._camera.start()
            self._hold_lens(settings.lens_position)
            self._set(AUTOMATIC)
        except BaseException:
            self.close()
            raise

    def read(self) -> tuple[Image, Image | None] | None:
        """Return the picture, BGR, and its small grey companion, of one and the same instant.

        None while the light is being judged.
        """
        width, height = self._settings.small
        with self._request() as request:
            # The brightness comes first; rows may be longer than the picture is wide.
            grey = request.make_array("lores")[:height, :width]
            main = cache(lambda: request.make_array("main"))
            controls = self._exposure.step(request.get_metadata, main, self._clock())
            image = main() if self._exposure.fixed else None
        self._set(controls)
        return None if image is None else (image, grey)

    def focus(self) -> float | None:
        """Search the focus once and keep it, in dioptres; None where nothing was found.

        A lens that cannot be moved finds nothing. Continuous autofocus would hunt at each hand.
        """
        if "AfMode" not in self._camera.camera_controls:
            return None
        found = None
        try:
            if self._camera.autofocus_cycle(wait=FOCUS_SECONDS):
                with self._request() as request:
                    found = float(request.get_metadata()["LensPosition"])
        except TimeoutError:
            # The search still stands in the queue; whatever is asked next would wait behind it.
            _flush(self._camera)
        self._hold_lens(self._settings.lens_position if found is None else found)
        return found

    def close(self) -> None:
        """Stop and close: a camera left open stays busy until the process ends."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        with contextlib.ExitStack() as stack:
            stack.callback(camera.close)
            stack.callback(camera.stop)
            # stop() waits in the same queue as a capture, and one whose frame never comes would
            # hold it up for ever.
            stack.callback(_flush, camera)

    @contextlib.contextmanager
    def _request(self) -> Iterator[Any]:
        """The next frame, given back afterwards; TimeoutError in words if none comes."""
        patience = self._settings.patience
        with contextlib.ExitStack() as stack:
            try:
                request = stack.enter_context(self._camera.captured_request(wait=patience))
            except TimeoutError:
                raise TimeoutError(f"no picture for {patience:g} seconds") from None
            yield request

    def _hold_lens(self, position: float) -> None:
        if "LensPosition" in self._camera.camera_controls:
            self._set({"AfMode": AF_MANUAL, "LensPosition": position})

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Set what this camera has; picamera2 refuses what it has not."""
        there = self._camera.camera_controls if controls else {}
        wanted = {name: value for name, value in controls.items() if name in there}
        if wanted:
            self._camera.set_controls(wanted)


def _flush(camera: Any) -> None:
    """Have all that waits in the camera's queue given up; old releases cannot."""
    if hasattr(camera, "cancel_all_and_flush"):
        camera.cancel_all_and_flush()


def _acquired(picamera2: Any) -> Any:
    """The camera, taken; OSError in words where it cannot be."""
    try:
        return picamera2()
    except (IndexError, RuntimeError) as error:
        # picamera2 says the same of no camera at all and of one that somebody else has.
        try:
            there = picamera2.global_camera_info()
        except Exception:  # with the driver in such a state, nothing can be told apart
            raise OSError(f"the camera does not start ({error})") from error
        raise OSError(IN_USE if there else NOT_CONNECTED) from error


def _library() -> Any:
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
    return Picamera2
