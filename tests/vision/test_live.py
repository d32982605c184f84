"""A camera that may stop at any time."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from vision.frame import Frame, Image, SourceError
from vision.live import LiveSource


class FakeCamera:
    """Delivers frame after frame; what happens at each number is written down beforehand."""

    def __init__(self, events: dict[int, object], gap: float = 0.002) -> None:
        self.events = events
        self.gap = gap
        self.count = 0
        self.closed = 0
        self.closed_by: str | None = None

    def read(self) -> tuple[Image, Image | None] | None:
        event = self.events.get(self.count)
        self.count += 1
        if isinstance(event, Exception):
            raise event
        if isinstance(event, threading.Event):
            event.wait(10)
        if event == "dazzled":
            time.sleep(self.gap)
            return None
        time.sleep(self.gap)
        return np.full((4, 4, 3), self.count % 256, np.uint8), np.zeros((2, 2), np.uint8)

    def focus(self) -> float | None:
        time.sleep(0.3)  # longer than anybody waits for a frame
        return 2.5

    def close(self) -> None:
        self.closed += 1
        self.closed_by = threading.current_thread().name


class Cupboard:
    """Hands out cameras one after another, or the error that stands in a camera's place."""

    def __init__(self, *things: FakeCamera | Exception) -> None:
        self.things = list(things)
        self.opened: list[FakeCamera] = []

    def __call__(self) -> FakeCamera:
        thing = self.things.pop(0)
        if isinstance(thing, Exception):
            raise thing
        self.opened.append(thing)
        return thing


def source(
    cupboard: Callable[[], FakeCamera], told: list[str] | None = None, fps: float = 200.0
) -> LiveSource:
    told = [] if told is None else told
    return LiveSource(
        cupboard, "the camera", fps, tell=told.append, patience=0.2, start_patience=0.5, pauses=(0,)
    )


def take(count: int, live: LiveSource) -> list[Frame]:
    return list(itertools.islice(live, count))


def test_frames_come_in_order_and_the_camera_is_closed() -> None:
    camera = FakeCamera({})
    with source(Cupboard(camera)) as live:
        found = take(6, live)
    assert [f.index for f in found] == list(range(6))
    assert found[0].t == 0
    times = [f.t for f in found]
    assert times == sorted(times)
    assert found[0].grey is not None
    assert camera.closed == 1
    assert camera.closed_by == "camera"  # by the thread that read it, never in the midst of a read


def test_no_more_frames_than_asked_for() -> None:
    with source(Cupboard(FakeCamera({}, gap=0.004)), fps=25) as live:
        found = take(6, live)
    gaps = np.diff([f.t for f in found])
    assert gaps.min() > 0.5 * 0.04


def test_a_camera_that_stops_is_opened_again() -> None:
    stuck = threading.Event()
    told: list[str] = []
    first, second = FakeCamera({3: stuck}), FakeCamera({})
    threading.Timer(0.5, stuck.set).start()
    with source(Cupboard(first, OSError("busy"), second), told) as live:
        found = take(8, live)
        assert live.trouble is None
    assert [f.index for f in found] == list(range(8))
    assert found[-1].t > 0.2
    assert second.count > 1
    assert told[0] == ("the camera has stopped (no picture for 0.2 seconds); trying to get it back")
    assert told[1:] == ["the camera is back"]


def test_a_camera_that_its_driver_holds_on_to_is_not_opened_a_second_time() -> None:
    stuck = threading.Event()
    first, second = FakeCamera({3: stuck}), FakeCamera({})
    cupboard = Cupboard(first, second)
    with source(cupboard) as live:
        threading.Timer(1.0, lambda: (seen.append(len(cupboard.opened)), stuck.set())).start()
        seen: list[int] = []
        take(8, live)
    assert seen == [1]
    assert (first.closed, second.closed) == (1, 1)


def test_the_pauses_of_a_camera_that_stops_again_and_again_grow() -> None:
    began, opened = time.monotonic(), []

    def cupboard() -> FakeCamera:
        opened.append(time.monotonic() - began)
        return FakeCamera({8: OSError("a loose ribbon")})

    live = LiveSource(
        cupboard, "the camera", 200.0, tell=lambda sentence: None, pauses=(0, 0.1, 0.3, 0.6)
    )
    with live:
        take(36, live)
    gaps = np.diff(opened)
    assert len(gaps) >= 4
    assert gaps[1] >= 0.1
    assert gaps[2] >= 0.3
    assert gaps[3] >= 0.6


def test_a_camera_that_judges_the_light_for_long_has_not_stopped() -> None:
    told: list[str] = []
    camera = FakeCamera(dict.fromkeys(range(3, 300), "dazzled"))
    with source(Cupboard(camera), told) as live:
        found = take(5, live)
    assert found[3].t > 0.4  # twice as long as anybody waits for a sign of life
    assert told == []


def test_a_camera_that_searches_its_focus_for_long_has_not_stopped() -> None:
    told: list[str] = []
    with source(Cupboard(FakeCamera({})), told) as live:
        frames = iter(live)
        next(frames)
        assert live.focus() == 2.5
        next(frames)
    assert told == []
    assert live.focus() is None


def test_a_camera_that_fails_is_closed_and_opened_again() -> None:
    told: list[str] = []
    first, second = FakeCamera({3: OSError("unplugged")}), FakeCamera({})
    with source(Cupboard(first, second), told) as live:
        take(8, live)
    assert (first.closed, second.closed) == (1, 1)
    assert told == [
        "the camera has stopped (unplugged); trying to get it back",
        "the camera is back",
    ]


def test_trouble_is_shown_while_it_lasts() -> None:
    opened = threading.Event()
    held = threading.Event()
    camera = FakeCamera({2: OSError("unplugged")})

    def cupboard() -> FakeCamera:
        if not opened.is_set():
            opened.set()
            return camera
        held.wait(10)
        raise OSError("still gone")

    live = source(cupboard)
    with live:
        reader = threading.Thread(target=lambda: list(live))
        reader.start()
        deadline = time.monotonic() + 5
        while live.trouble is None and time.monotonic() < deadline:
            time.sleep(0.005)
        assert live.trouble == "the camera has stopped (unplugged); trying to get it back"
        held.set()
        live.close()
        reader.join(5)
        assert not reader.is_alive()


def test_a_camera_that_cannot_be_opened() -> None:
    with (
        pytest.raises(SourceError, match="the camera cannot be used: in use"),
        source(Cupboard(OSError("in use"))),
    ):
        pass


def test_a_camera_that_never_gives_a_frame() -> None:
    stuck = threading.Event()
    camera = FakeCamera({0: stuck})
    with pytest.raises(SourceError, match=r"no picture for 0\.5 seconds"), source(Cupboard(camera)):
        pass
    stuck.set()


def test_closing_from_another_thread_ends_the_frames() -> None:
    live = source(Cupboard(FakeCamera({})))
    with live:
        threading.Timer(0.1, live.close).start()
        started = time.monotonic()
        for _ in live:
            assert time.monotonic() - started < 5
    live.close()
