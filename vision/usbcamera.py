"""A USB camera, through Video4Linux.

It judges focus, light and white balance by itself for a moment, and is then told to stay so, as
far as it can be told anything; when the light has changed for good, once more. Many cameras forget
the exposure that they had found when their automatic is turned off: it is found again by hand, or
left to the automatic where that does not work.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.frame import Image, SourceError
from vision.light import LightWatch
from vision.live import LiveSource
from vision.sources import quiet_opencv

#: What the camera is asked for; one that cannot gives what it has.
SIZE = (1280, 720)
#: Seconds that the camera gets to judge focus, light and white balance.
SETTLE_SECONDS = 2.0
#: V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY: what Video4Linux calls off and on.
MANUAL, AUTOMATIC = 1, 3
#: By this factor the light may differ from what the automatic had found.
NEAR = 1.25
#: So often the exposure is corrected by hand, and so many frames each correction gets to show.
TRIES, FRAMES = 6, 4

_log = logging.getLogger("pilewatch")


def open_usb_camera(number: int, fps: float) -> LiveSource:
    """Return the camera /dev/video``number``; raises SourceError if there is none."""
    _check_device(number)
    return LiveSource(lambda: UsbCamera(number, fps), f"camera {number}", fps)


class _Phase(Enum):
    JUDGING = "judging"
    MATCHING = "matching"
    FIXED = "fixed"


class UsbCamera:
    """An open camera of Video4Linux; see :class:`vision.live.Camera`."""

    def __init__(
        self,
        number: int,
        fps: float,
        clock: Callable[[], float] = time.monotonic,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        quiet_opencv()
        self._clock, self._settle_seconds = clock, settle_seconds
        self._watch: LightWatch | None = None
        self._goal, self._tries, self._frames = 0.0, 0, 0
        self._capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise OSError("it cannot be opened; is another program using it?")
        # Compressed, since 1280×720 does not fit through USB 2 at ten frames a second otherwise.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._focusing = True
        self._judge()

    def read(self) -> tuple[Image, Image | None] | None:
        """Return the next picture, None while the light is judged; OSError when none comes."""
        there, frame = self._capture.read()
        if not there:
            raise OSError("it gives no pictures; was it unplugged?")
        image, now = cast(Image, frame), self._clock()
        if self._phase is _Phase.JUDGING:
            self._end_judging(image, now)
        elif self._phase is _Phase.MATCHING:
            self._match(image, now)
        elif self._watch is not None and self._watch.changed(image, now):
            self._judge()
        far = self._watch is not None and self._watch.far
        return (image, None) if self._phase is _Phase.FIXED and not far else None

    def focus(self) -> float | None:
        """Focus anew on what lies there; where that is, in dioptres, no USB camera tells."""
        self._focusing = True
        self._judge()
        return None

    def close(self) -> None:
        """Release the device."""
        self._capture.release()

    def _judge(self) -> None:
        """Let the camera judge by itself."""
        self._watch = None
        self._phase, self._until = _Phase.JUDGING, self._clock() + self._settle_seconds
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        if self._focusing:
            self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)

    def _end_judging(self, image: Image, now: float) -> None:
        if now < self._until:
            return
        # Only once: a focus that is searched anew at each change of light would hunt.
        self._focusing = False
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._goal, self._tries, self._frames = _middle(image), TRIES, FRAMES
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL):
            self._phase = _Phase.MATCHING
        else:
            self._leave_to_itself()

    def _match(self, image: Image, now: float) -> None:
        """Bring the exposure to where the automatic had it, a step every few frames."""
        self._frames -= 1
        if self._frames > 0:
            return
        wanting = self._goal / _middle(image)
        if 1 / NEAR <= wanting <= NEAR:
            self._phase, self._watch = _Phase.FIXED, LightWatch(image, now)
            return
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE) * wanting
        self._tries, self._frames = self._tries - 1, FRAMES
        if self._tries < 0 or not self._capture.set(cv2.CAP_PROP_EXPOSURE, max(1, round(exposure))):
            self._leave_to_itself()

    def _leave_to_itself(self) -> None:
        """Nothing can be kept: the automatic goes on, and no light need be watched."""
        _log.info("this camera's exposure cannot be kept; it is left to its automatic")
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
        self._phase, self._watch = _Phase.FIXED, None


def _middle(image: Image) -> float:
    """The middle grey level, at least 1."""
    return max(1.0, float(np.median(image[::8, ::8])))


def _check_device(number: int) -> None:
    if Path(f"/dev/video{number}").exists():
        return
    there = sorted(Path("/dev").glob("video[0-9]*"), key=lambda p: (len(p.name), p.name))
    names = ", ".join(p.name.replace("video", "camera:") for p in there) or "none at all"
    raise SourceError(f"there is no camera /dev/video{number}; found: {names}")
