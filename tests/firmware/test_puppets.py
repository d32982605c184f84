"""Threads on strings do what they do by themselves, one at a time and by our clock."""

from __future__ import annotations

import threading
import types

import pytest
from puppets import Puppets


@pytest.fixture
def stage():
    """A module with a thread that notes the time, and is woken early."""
    module = types.SimpleNamespace(threading=threading, noted=[])

    class Sleeper(threading.Thread):
        def __init__(self, name, pause):
            super().__init__(name=name, daemon=True)
            self.pause = pause
            self.news = module.threading.Event()
            self.ending = False

        def run(self):
            while not self.ending:
                module.noted.append((self.name, puppets.now))
                self.news.wait(self.pause)
                self.news.clear()

    module.Sleeper = Sleeper
    puppets = Puppets()
    puppets.hold(module, Sleeper=(module, Sleeper))
    yield puppets, module
    puppets.let_go()
    assert module.threading is threading


def test_hours_pass_at_once_and_in_the_same_order_each_time(stage):
    puppets, module = stage
    sleepers = [module.Sleeper("a", 2.0), module.Sleeper("b", 3.0)]
    for sleeper in sleepers:
        sleeper.start()
    puppets.settle()
    for _ in range(6):
        puppets.pass_time(1.0)
    assert module.noted == [
        ("a", 0.0), ("b", 0.0), ("a", 2.0), ("b", 3.0), ("a", 4.0), ("a", 6.0), ("b", 6.0),
    ]  # fmt: skip
    for sleeper in sleepers:
        sleeper.ending = True
        sleeper.news.set()
        sleeper.join(1.0)
        assert not sleeper.is_alive()
    assert (puppets.now, puppets.waiting) == (6.0, 0)


def test_whoever_waits_for_one_that_does_not_end_waits_by_our_clock(stage):
    puppets, module = stage
    sleeper = module.Sleeper("a", 50.0)
    sleeper.start()
    sleeper.join(10.0)
    assert (puppets.now, sleeper.is_alive()) == (10.0, True)
    sleeper.ending = True
    sleeper.join(60.0)
    assert (puppets.now, sleeper.is_alive()) == (50.0, False)
