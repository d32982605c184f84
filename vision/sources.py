"""Where frames come from: a folder of pictures, a video file, a camera.

Every source is a context manager and iterates over :class:`~vision.frame.Frame`.
"""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, cast

import cv2

from engine.errors import shown
from vision.frame import Frame, Image, SourceError
from vision.pictures import READ, SUFFIXES, UNREAD, PictureError, load_picture

__all__ = ["FrameSource", "PictureError", "SourceError", "load_picture", "open_source"]

EXPECTED = "expected camera, camera:N, a video file or a folder of pictures"

_log = logging.getLogger("pilewatch")


class FrameSource(Protocol):
    """Frames in order of time, between ``__enter__`` and ``__exit__``."""

    def __enter__(self) -> Self:
        """Take the camera or file; raises SourceError when it cannot be had."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give it back."""
        ...

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames; ends where the file ends, never for a camera."""
        ...


def open_source(spec: str, fps: float = 10.0) -> FrameSource:
    """Return the source that ``spec`` names; raises SourceError if there is no such thing.

    ``camera`` is the Pi's own camera, ``camera:N`` the USB camera /dev/videoN; anything else is a
    path (``./camera`` for a folder of that name). ``fps`` is the rate of a folder and of a live
    camera; a video brings its own.
    """
    if not (math.isfinite(fps) and 0 < fps <= 240):
        raise SourceError(f"{fps} frames a second cannot be; expected more than 0, at most 240")
    if spec == "camera":
        from vision.picamera import open_pi_camera

        return open_pi_camera(fps)
    if number := re.fullmatch(r"camera:(\d{1,3})", spec):
        from vision.usbcamera import open_usb_camera

        return open_usb_camera(int(number[1]), fps)
    if spec.startswith("camera:"):
        raise SourceError(f"{spec!r} names no camera; expected camera:N with a number, as camera:0")
    return _open_path(spec, fps)


def _open_path(spec: str, fps: float) -> FrameSource:
    path = Path(spec)
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError):  # far too long, or no path at all
        folder = file = False
    if folder:
        return FolderSource(path, fps)
    if not file:
        raise SourceError(f"there is no file or folder {shown(spec)}; {EXPECTED}")
    if path.suffix.lower() in SUFFIXES - {".gif"}:  # which may be a film
        raise SourceError(f"{spec} is a single picture; pilewatch look reads those; {EXPECTED}")
    return VideoSource(path, fps)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder in natural order; raises SourceError if there are none."""
    try:
        names = [p for p in folder.iterdir() if _is_picture_name(p.name) and not p.is_dir()]
    except OSError as error:
        raise SourceError(f"folder {folder} cannot be read ({error.strerror})") from error
    if not names:
        raise SourceError(f"folder {folder} holds no pictures; expected {READ}, such as 0001.jpg")
    return sorted(names, key=lambda p: (natural_key(p.name), p.name))


def none_readable(folder: Path) -> SourceError:
    """What is to be said of a folder of which every picture is damaged."""
    return SourceError(f"folder {folder} holds no picture that can be read; expected {READ}")


class _FileSource:
    """Holds nothing open between frames, so there is nothing to take or give back."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None


class FolderSource(_FileSource):
    """The pictures of a folder in natural order of their names (``f2`` before ``f10``).

    Other files are passed over. A picture that cannot be read is passed over with one warning,
    and keeps its number: ``index`` is the place among the picture files.
    """

    def __init__(self, folder: Path, fps: float) -> None:
        self._folder = folder
        self._fps = fps
        self._paths = pictures_in(folder)

    def __iter__(self) -> Iterator[Frame]:
        """Yield one frame for each readable picture; SourceError if there is none."""
        found = False
        for index, path in enumerate(self._paths):
            try:
                image = load_picture(path)
            except PictureError as error:
                _log.warning("pilewatch: %s; this frame is left out", error)
                continue
            found = True
            yield Frame(index, index / self._fps, image)
        if not found:
            raise none_readable(self._folder)


class VideoSource(_FileSource):
    """The frames of a video file, at the times the file says."""

    def __init__(self, path: Path, fps: float) -> None:
        self._path = path
        self._fps = fps
        self._open().release()  # says now what is wrong, not in the middle of the evening

    def __iter__(self) -> Iterator[Frame]:
        """Yield every frame; ends at the end of the file, or where it is damaged."""
        video = self._open()
        try:
            rate = video.get(cv2.CAP_PROP_FPS)
            step = 1 / rate if math.isfinite(rate) and 0 < rate <= 1000 else 1 / self._fps
            index, t = 0, -step
            while True:
                there, image = video.read()
                if not there:
                    break
                # Phones record at a varying rate; files without good times advance evenly.
                told = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
                t = told if t < told < t + 10 else t + step
                yield Frame(index, t, cast(Image, image))
                index += 1
        finally:
            video.release()
        if index == 0:
            raise SourceError(f"{self._path} holds no frame that can be read; {EXPECTED}")

    def _open(self) -> cv2.VideoCapture:
        quiet_opencv()
        video = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not video.isOpened():
            raise SourceError(f"{self._path} is no video that can be read; {EXPECTED}")
        return video


def quiet_opencv() -> None:
    """Keep OpenCV's own messages off the terminal: what matters is said in our words."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    cv2.setLogLevel(0)


def natural_key(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key by which numbers inside names count as numbers."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(p)) if p.isdecimal() else (1, p) for p in parts if p)


def _is_picture_name(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES | UNREAD
