"""What the fingers meant: one press for one push, whatever the contacts do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.device.presses import BOUNCE, SHUT_DOWN, STALE, TWITCH, Edge, PressFilter
from firmware.inbox import HELD, Button

P, N, O = Button.PICKUP, Button.NEXT, Button.OOPS  # noqa: E741


class Bench:
    """Contacts under a clock that is moved by hand."""

    def __init__(self) -> None:
        self.filter = PressFilter()
        self.now = 0.0
        self.closed = dict.fromkeys(Button, False)
        self.pushed = []

    def edge(self, button, down, late=0.0):
        self.closed[button] = down
        self.filter.take(Edge(button, down, self.now - late), self.now)
        return self

    def wait(self, seconds):
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = min(end, self.now + 0.02)
            self.pushed += self.filter.due(self.now, self.closed)
        return self

    def push(self, button, seconds=0.1):
        return self.edge(button, True).wait(seconds).edge(button, False).wait(0.2)

    @property
    def told(self):
        return [pushed.button for pushed in self.pushed]


def test_a_push_is_a_press():
    bench = Bench().push(P)
    assert bench.told == [P]
    assert bench.pushed[0].hold == pytest.approx(0.1)


def test_two_pushes_are_two_presses():
    assert Bench().push(N).push(N).told == [N, N]


def test_a_twitch_after_a_press_is_no_second_one():
    bench = Bench().edge(P, True).wait(0.1).edge(P, False).wait(0.06)
    assert bench.push(P, 0.04).told == [P]


@pytest.mark.parametrize(("button", "long"), [(O, HELD), (P, HELD), (N, SHUT_DOWN)])
def test_a_hold_is_told_while_it_lasts_and_once(button, long):
    bench = Bench().edge(button, True).wait(long - 0.05)
    assert bench.told == []
    bench.wait(1.0)
    assert bench.told == [button]
    assert bench.pushed[0].hold >= long
    bench.edge(button, False).wait(1)
    assert bench.told == [button]


def test_next_held_too_short_to_shut_down_is_a_press():
    bench = Bench().push(N, 1.2)
    assert bench.told == [N]
    assert bench.pushed[0].hold < SHUT_DOWN


def test_two_at_once_are_neither():
    bench = Bench().edge(P, True).wait(0.05).edge(O, True).wait(2)
    bench.edge(P, False).wait(0.1).edge(O, False).wait(0.5)
    assert bench.told == []
    assert bench.push(O).told == [O]


def test_one_after_another_is_both():
    assert Bench().push(P).push(O).told == [P, O]


def test_a_press_that_arrives_late_counts_for_nothing():
    bench = Bench().wait(5)
    bench.edge(P, True, late=STALE + 0.1).edge(P, False, late=STALE + 0.05).wait(1)
    assert bench.told == []


def test_a_release_that_got_lost_does_not_hold_for_ever():
    bench = Bench().edge(O, True)
    bench.closed[O] = False
    bench.wait(5)
    assert bench.told == []
    assert bench.push(O).told == [O]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(list(Button)),
            st.floats(0.04, 0.7),
            st.lists(st.floats(0.0005, BOUNCE * 0.9), max_size=7),
            st.floats(TWITCH + 0.1, 3.0),
        ),
        max_size=12,
    )
)
def test_however_it_bounces_each_push_is_one_press(pushes):
    bench = Bench()
    for button, length, bounces, pause in pushes:
        bench.edge(button, True)
        for gap in bounces:
            bench.edge(button, False)
            bench.now += gap
            bench.edge(button, True)
        bench.wait(length).edge(button, False)
        for gap in bounces:
            bench.now += gap
            bench.edge(button, True).edge(button, False)
        bench.wait(pause)
    assert bench.told == [button for button, *_ in pushes]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(list(Button)), st.booleans(), st.floats(0, 3), st.floats(0, 4)),
        max_size=10,
    )
)
def test_no_contact_tells_more_presses_than_it_was_closed(edges):
    bench = Bench()
    closings = dict.fromkeys(Button, 0)
    for button, down, late, pause in edges:
        closings[button] += down
        bench.edge(button, down, late=late).wait(pause)
    bench.wait(5)
    for button in Button:
        assert bench.told.count(button) <= closings[button]
