"""A USB camera, through Video4Linux."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2

from vision.frame import Image, SourceError
from vision.live import LiveSource
from vision.sources import quiet_opencv

#: What the camera is asked for; one that cannot gives what it has.
SIZE = (1280, 720)


def open_usb_camera(number: int, fps: float) -> LiveSource:
    """Return the camera /dev/video``number``; raises SourceError if there is none."""
    _check_device(number)
    return LiveSource(lambda: UsbCamera(number, fps), f"camera {number}", fps)


class UsbCamera:
    """An open camera of Video4Linux; see :class:`vision.live.Camera`."""

    def __init__(self, number: int, fps: float) -> None:
        quiet_opencv()
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

    def read(self) -> tuple[Image, Image | None]:
        """Return the next picture; raises OSError when none comes."""
        there, image = self._capture.read()
        if not there:
            raise OSError("it gives no pictures; was it unplugged?")
        return cast(Image, image), None

    def close(self) -> None:
        """Release the device."""
        self._capture.release()


def _check_device(number: int) -> None:
    if Path(f"/dev/video{number}").exists():
        return
    there = sorted(Path("/dev").glob("video[0-9]*"), key=lambda p: (len(p.name), p.name))
    names = ", ".join(p.name.replace("video", "camera:") for p in there) or "none at all"
    raise SourceError(f"there is no camera /dev/video{number}; found: {names}")
