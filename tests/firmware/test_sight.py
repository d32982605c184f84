"""The camera as a part: the newest frame, its troubles, and never left busy."""

from __future__ import annotations

import queue

import numpy as np
import pytest

from firmware.config import defaults
from firmware.device.crew import Crew
from firmware.device.service import Service
from firmware.device.sight import Camera
from vision.frame import Frame, SourceError

PICTURE = np.full((2, 2, 3), 120, np.uint8)
NIGHT = np.full((2, 2, 3), 9, np.uint8)


class Source:
    """A camera that gives the frames it is given, and waits for them."""

    def __init__(self) -> None:
        self.frames: queue.Queue[Frame | None] = queue.Queue()
        self.trouble: str | None = None
        self.open = 0

    def __enter__(self):
        self.open += 1
        return self

    def __exit__(self, *error):
        self.open -= 1
        self.frames.put(None)

    def __iter__(self):
        while (frame := self.frames.get()) is not None:
            yield frame


@pytest.fixture
def source():
    return Source()


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def camera(source, now):
    return Camera(defaults(), lambda: source, lambda: now[0])


def test_only_the_newest_frame_counts_and_only_once(camera, source):
    camera.set_up()
    for index in range(3):
        source.frames.put(Frame(index, 0.0, PICTURE))
        camera.work(0)
    assert camera.poll(0).index == 2
    assert camera.poll(0) is None


def test_frames_that_stop_are_noticed_by_their_age(camera, source, now, caplog):
    camera.set_up()
    source.frames.put(Frame(0, 0.0, PICTURE))
    camera.work(0)
    assert camera.trouble(now[0] + 4) is None
    assert camera.trouble(now[0] + 6) == "no picture for 6 seconds"
    assert camera.trouble(now[0] + 7) == "no picture for 7 seconds"
    assert caplog.text.count("no picture") == 1


def test_before_the_first_frame_nothing_is_late(camera, now):
    assert camera.trouble(now[0] + 60) is None  # networks may take long to load
    camera.set_up()
    assert camera.trouble(now[0] + 60) is None


def test_in_the_dark_nothing_is_seen_and_soon_told(camera, source, now, caplog):
    camera.set_up()
    for index in range(2):
        source.frames.put(Frame(index, 0.0, NIGHT))
        camera.work(0)
        now[0] += 2
        assert camera.poll(0) is None
        assert camera.trouble(now[0]) is None
    source.frames.put(Frame(3, 0.0, PICTURE, NIGHT[:, :, 0]))
    now[0] += 2
    camera.work(0)
    assert camera.trouble(now[0]) == "it is too dark to see anything"
    assert caplog.text.count("too dark") == 1
    source.frames.put(Frame(4, 0.0, PICTURE))
    camera.work(0)
    assert camera.trouble(now[0]) is None
    assert camera.poll(0).index == 4


def test_what_the_source_says_of_itself_is_passed_on(camera, source, now):
    camera.set_up()
    source.trouble = "camera 0 has stopped; trying to get it back"
    assert camera.trouble(now[0]) == source.trouble


def test_a_camera_that_cannot_be_opened_is_one_trouble_until_it_gives_a_frame(source, now):
    there = []

    def open_source():
        if not there:
            raise SourceError("there is no camera /dev/video0; found: none at all")
        return source

    told = []
    camera = Camera(defaults(), open_source, lambda: now[0])
    service = Service(camera, told.append)
    for _ in range(4):
        now[0] += service.step(now[0])
        assert "/dev/video0" in camera.trouble(now[0])
    assert [(report.part, report.lasting) for report in told] == [("camera", False)]
    there.append(1)
    source.frames.put(Frame(0, 0.0, PICTURE))
    service.step(now[0])
    assert camera.trouble(now[0]) is None


def test_pictures_that_end_are_a_fault_and_the_camera_is_given_back(camera, source):
    told = []
    source.frames.put(None)
    Service(camera, told.append).step(0)
    assert told[0].why == "the pictures have ended"
    assert source.open == 0


def test_at_the_end_a_thread_that_waits_for_a_frame_is_let_go(camera, source, now):
    crew, told = Crew(camera=camera), []
    crew.engage(told.append)
    arrived = queue.Queue()
    camera.wake = lambda: arrived.put(1)
    source.frames.put(Frame(0, 0.0, PICTURE))
    crew.start(lambda: now[0])
    arrived.get(timeout=60)
    workers = list(crew._workers)
    crew.end()
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()
    assert source.open == 0
    assert told == []
