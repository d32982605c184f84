"""Frames from a camera that may stop at any time.

A camera is read by a thread of its own, which opens it and closes it; so a driver that hangs holds
up nobody. The reader of frames always gets the newest. When no frame has come for a while the
camera is given up and opened again, with growing pauses, until it is back; ``trouble`` says so
meanwhile, and the game can go on by buttons. One that its driver has not let go of is busy, so it
is not opened a second time before.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame, Image, SourceError

#: Seconds without a frame after which a running camera counts as stopped.
PATIENCE = 2.0
#: Seconds that a camera may take from opening to its first frame.
START_PATIENCE = 12.0
#: Pauses in seconds before each attempt to open it again; the last one is repeated.
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
#: Seconds of frames after which a camera that came back counts as whole: the pauses of one that
#: stops again before grow on.
WHOLE_AFTER = 30.0
#: Seconds that a camera may take to search its focus.
FOCUS_PATIENCE = 10.0

_log = logging.getLogger("pilewatch")


class Camera(Protocol):
    """An open camera."""

    def read(self) -> tuple[Image, Image | None] | None:
        """Return the next picture, (H, W, 3) BGR, and a small grey one if the camera makes it.

        None: the camera is at work, but this picture is not to be seen. Waits for it; raises
        OSError or RuntimeError when the camera fails.
        """
        ...

    def focus(self) -> float | None:
        """Focus on what lies there, and stay so; dioptres, None if that cannot be told."""
        ...

    def close(self) -> None:
        """Give the camera back; may be called twice."""
        ...


@dataclass(frozen=True, eq=False)
class _Shot:
    number: int
    taken: float
    image: Image
    grey: Image | None


class LiveSource:
    """Frames from the camera that ``open_camera`` opens, at most ``fps`` a second, newest first.

    ``t`` is measured by the clock from the first frame on. ``tell`` gets one sentence when the
    camera stops and one when it is back.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        name: str,
        fps: float,
        *,
        tell: Callable[[str], None] | None = None,
        patience: float = PATIENCE,
        start_patience: float = START_PATIENCE,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self._open_camera = open_camera
        self._name = name
        self._gap = 1 / fps
        self._tell = tell or (lambda sentence: _log.warning("pilewatch: %s", sentence))
        self._patience = patience
        self._start_patience = start_patience
        self._pauses = pauses
        self._closed = threading.Event()
        self._reader: _Reader | None = None
        self._left_behind: _Reader | None = None
        self._attempt = 0
        self._back_at = -math.inf
        #: What is wrong with the camera just now, as a sentence; None while it works.
        self.trouble: str | None = None

    def __enter__(self) -> Self:
        """Open the camera and wait for its first frame; raises SourceError without one."""
        self._closed.clear()
        try:
            self._start()
        except (OSError, RuntimeError) as error:
            self._stop()
            raise SourceError(f"{self._name} cannot be used: {error}") from error
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop and close the camera."""
        self.close()

    def close(self) -> None:
        """Stop and close the camera; iteration ends. May be called from any thread, and twice."""
        self._closed.set()
        self._stop()

    def focus(self) -> float | None:
        """Have the camera focus on what lies there; dioptres, None if that cannot be told."""
        reader = self._reader
        return None if reader is None else reader.focus(FOCUS_PATIENCE)

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames until the source is closed."""
        index, start, number, due = 0, 0.0, 0, 0.0
        while not self._closed.is_set():
            shot = self._next(number)
            if shot is None:
                number = 0  # a new reader counts from the beginning
                continue
            number = shot.number
            if index == 0:
                start = due = shot.taken
            # A tenth early is early enough: a camera of exactly this rate must not lose frames.
            if shot.taken < due - 0.1 * self._gap:
                continue
            due = max(due + self._gap, shot.taken + 0.5 * self._gap)
            yield Frame(index, shot.taken - start, shot.image, shot.grey)
            index += 1

    def _next(self, after: int) -> _Shot | None:
        """Return the next shot; None after the camera has been opened anew, or on closing."""
        reader = self._reader
        if reader is None:
            return None
        try:
            return reader.wait(after, self._patience)
        except (OSError, RuntimeError, SourceError) as error:
            if not self._closed.is_set():
                self._reopen(error)
            return None

    def _reopen(self, error: Exception) -> None:
        self.trouble = f"{self._name} has stopped ({error}); trying to get it back"
        self._tell(self.trouble)
        if time.monotonic() - self._back_at >= WHOLE_AFTER:
            self._attempt = 0
        while True:
            self._stop()
            if self._closed.wait(self._pauses[min(self._attempt, len(self._pauses) - 1)]):
                return
            self._attempt += 1
            try:
                self._start()
            except (OSError, RuntimeError, SourceError) as again:
                _log.info("%s: attempt %d failed (%s)", self._name, self._attempt, again)
                continue
            self._back_at = time.monotonic()
            self.trouble = None
            self._tell(f"{self._name} is back")
            return

    def _start(self) -> None:
        if self._left_behind is not None and self._left_behind.is_alive():
            raise OSError("its driver has not let go of it")
        reader = _Reader(self._open_camera)
        reader.start()
        self._reader = reader
        if self._closed.is_set():
            # Closed by another thread in between, which found no reader to stop.
            self._stop()
        reader.wait(0, self._start_patience)

    def _stop(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.stop(self._patience)
            self._left_behind = reader


class _Reader(threading.Thread):
    """Opens the camera, keeps its newest picture, closes it; everything in this one thread."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        super().__init__(name="camera", daemon=True)
        self._open_camera = open_camera
        self._news = threading.Condition()
        self._shot: _Shot | None = None
        self._error: Exception | None = None
        self._stopping = False
        self._alive_at = time.monotonic()
        self._focusing = False
        self._focus: float | None = None

    def run(self) -> None:
        try:
            camera = self._open_camera()
            try:
                number = 0
                while not self._stopping:
                    if self._focusing:
                        self._search_focus(camera)
                    picture = camera.read()
                    with self._news:
                        self._alive_at = time.monotonic()
                        if picture is not None:
                            number += 1
                            self._shot = _Shot(number, self._alive_at, *picture)
                            self._news.notify_all()
            finally:
                camera.close()
        except Exception as error:  # told to whoever waits, in their own thread
            with self._news:
                self._error = error
                self._news.notify_all()

    def wait(self, after: int, patience: float) -> _Shot:
        """Return the newest shot if its number is above ``after``, waiting for it.

        Raises what stopped the camera, or TimeoutError (an OSError) if it gives no sign of life.
        """
        with self._news:
            while self._error is None:
                if self._shot is not None and self._shot.number > after:
                    return self._shot
                left = self._alive_at + patience - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"no picture for {patience:g} seconds")
                self._news.wait(left)
            raise self._error

    def focus(self, patience: float) -> float | None:
        """Have the focus searched, and wait for it; None if that takes too long or fails."""
        with self._news:
            self._focus, self._focusing = None, True
            self._news.wait_for(lambda: self._error or not self._focusing, patience)
            return self._focus

    def stop(self, patience: float) -> None:
        """Ask it to end and wait a little; a driver that hangs is left behind."""
        with self._news:
            self._stopping = True
            self._error = self._error or RuntimeError("closed")
            self._news.notify_all()
        if threading.current_thread() is not self:
            self.join(patience)

    def _search_focus(self, camera: Camera) -> None:
        found = camera.focus()
        with self._news:
            # What was taken before is blurred, perhaps.
            self._focus, self._focusing, self._shot = found, False, None
            self._alive_at = time.monotonic()
            self._news.notify_all()
