"""A part's life: set up, at work, failed, back again; each fault is told once."""

from __future__ import annotations

import socket

import pytest

from firmware.device.notify import Notifier
from firmware.device.service import IDLE, PAUSES, WHOLE_AFTER, LackingError, Service, Worker


class Lamp:
    """A part that fails when it is told to."""

    name = "lamp"

    def __init__(self) -> None:
        self.broken: Exception | None = None
        self.missing: Exception | None = None
        self.ups = self.downs = self.works = 0

    def set_up(self):
        if self.missing:
            raise self.missing
        self.ups += 1

    def work(self, now):
        if self.broken:
            raise self.broken
        self.works += 1
        return 7.0

    def tear_down(self):
        self.downs += 1


@pytest.fixture
def lamp():
    return Lamp()


@pytest.fixture
def told():
    return []


def test_it_is_set_up_once_and_works(lamp, told):
    service = Service(lamp, told.append)
    assert [service.step(t) for t in (0, 1, 2)] == [7.0, 7.0, 7.0]
    assert (lamp.ups, lamp.works, told) == (1, 3, [])


def test_a_fault_is_told_once_however_often_it_is_tried(lamp, told):
    service = Service(lamp, told.append)
    lamp.broken = OSError("gone")
    now = 0.0
    for _ in range(20):
        now += service.step(now)
    assert [report.why for report in told] == ["gone"]
    assert lamp.downs == 20


def test_the_pauses_grow_and_begin_anew_after_success(lamp, told):
    service = Service(lamp, told.append)
    lamp.broken = RuntimeError("no")
    now, waits = 0.0, []
    for _ in range(8):
        waits.append(service.step(now))
        now += waits[-1]
    assert waits == [*PAUSES, PAUSES[-1], PAUSES[-1]]
    lamp.broken = None
    service.step(now)
    service.step(now + WHOLE_AFTER)
    lamp.broken = RuntimeError("again")
    assert service.step(now + WHOLE_AFTER) == PAUSES[0]
    assert [report.why for report in told] == ["no", None, "again"]


def test_it_is_not_tried_before_its_pause_is_over(lamp, told):
    service = Service(lamp, told.append)
    lamp.missing = OSError("not there")
    service.step(0)
    lamp.missing = None
    assert service.step(PAUSES[0] / 2) == pytest.approx(PAUSES[0] / 2)
    assert lamp.ups == 0
    service.step(PAUSES[0])
    assert lamp.ups == 1


def test_what_is_lacking_is_told_and_left(lamp, told):
    service = Service(lamp, told.append)
    lamp.missing = LackingError("no such program")
    assert service.step(0) == IDLE
    lamp.missing = None
    assert service.step(1000) == IDLE
    assert [(report.why, report.lasting) for report in told] == [("no such program", True)]
    assert lamp.ups == 0


def test_a_part_that_does_not_let_go_stops_nobody(lamp, told):
    def stuck():
        raise OSError("busy")

    lamp.tear_down = stuck
    Service(lamp, told.append).stop()


def test_a_worker_steps_in_a_thread_of_its_own_and_lets_go_at_the_end(lamp, told):
    worker = Worker(Service(lamp, told.append), lambda: 0.0)
    worker.start()
    worker.wake()
    worker.end()
    assert not worker.is_alive()
    assert lamp.works >= 1
    assert lamp.downs == 1


def test_systemd_hears_by_its_socket(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        notifier.ready()
        notifier.alive()
        notifier.status("two\nlines")
        assert [ear.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STATUS=two lines"]


def test_without_systemd_nothing_is_said():
    Notifier({}).ready()
    Notifier({"NOTIFY_SOCKET": "/nowhere"}).alive()
