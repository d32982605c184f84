"""What the panel tells of the device: one after another, the most urgent first, each once."""

from __future__ import annotations

import pytest

from firmware.device.notices import PRESSED, SHOWN, STALE, Notices, Urgency
from firmware.panel import Notice

BLIND = Notice("I can't see", "Keep playing")
TROUBLE = {part: Notice(f"{part}: trouble") for part in ("voice", "lamps", "score")}
WELL = {part: Notice(f"{part} works again") for part in ("voice", "lamps", "score", "panel")}


@pytest.fixture
def notices() -> Notices:
    return Notices()


def shown(notices: Notices, begin: float, seconds: float) -> list[tuple[Notice, float]]:
    """What is shown, and for how many seconds, looked at ten times a second."""
    out: list[tuple[Notice, float]] = []
    for step in range(round(seconds * 10)):
        screen = notices.screen(begin + step / 10)
        if screen is None:
            continue
        if out and out[-1][0] == screen:
            out[-1] = (screen, round(out[-1][1] + 0.1, 1))
        else:
            out.append((screen, 0.1))
    return out


def test_the_most_urgent_comes_first_and_each_is_shown_long_enough_and_once(notices):
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 0)
    notices.tell("lamps", TROUBLE["lamps"], Urgency.TROUBLE, 0)
    notices.tell("score", TROUBLE["score"], Urgency.LOSS, 0)
    notices.tell("sight", BLIND, Urgency.ACT, 0)
    order = [BLIND, TROUBLE["score"], TROUBLE["voice"], TROUBLE["lamps"]]
    assert shown(notices, 0, 100) == [(screen, SHOWN) for screen in order]


def test_what_is_being_read_is_not_pushed_aside_by_what_is_more_urgent(notices):
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 0)
    assert shown(notices, 0, 1) == [(TROUBLE["voice"], 1.0)]
    notices.tell("sight", BLIND, Urgency.ACT, 1)
    assert shown(notices, 1, 20) == [(TROUBLE["voice"], SHOWN - 1), (BLIND, SHOWN)]


def test_trouble_that_went_before_anybody_read_of_it_is_not_told(notices):
    notices.tell("sight", BLIND, Urgency.ACT, 0)
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 0)
    assert notices.screen(0) == BLIND
    notices.tell("voice", WELL["voice"], Urgency.WELL, 1)
    assert shown(notices, 1, 20) == [(BLIND, SHOWN - 1)]


def test_trouble_that_comes_back_before_its_end_was_read_is_not_told_twice(notices):
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 0)
    shown(notices, 0, SHOWN + 1)
    notices.tell("sight", BLIND, Urgency.ACT, 5)
    notices.tell("voice", WELL["voice"], Urgency.WELL, 5)
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 6)
    assert shown(notices, 6, 20) == [(BLIND, SHOWN)]
    notices.tell("voice", WELL["voice"], Urgency.WELL, 30)
    assert shown(notices, 30, 20) == [(WELL["voice"], SHOWN)]


def test_what_is_shown_goes_at_once_when_it_is_no_longer_true(notices):
    sees = Notice("I can see again")
    notices.tell("sight", BLIND, Urgency.ACT, 0)
    assert notices.screen(0) == BLIND
    notices.tell("sight", sees, Urgency.WELL, 1)
    assert shown(notices, 1, 20) == [(sees, SHOWN)]


def test_trouble_waits_until_somebody_looks_and_good_news_of_long_ago_does_not(notices):
    notices.tell("lamps", TROUBLE["lamps"], Urgency.TROUBLE, 0)
    shown(notices, 0, 10)
    notices.tell("lamps", WELL["lamps"], Urgency.WELL, 10)
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 10)
    later = 10 + STALE + 1
    assert shown(notices, later, 20) == [(TROUBLE["voice"], SHOWN)]
    notices.tell("lamps", TROUBLE["lamps"], Urgency.TROUBLE, later + 20)
    assert shown(notices, later + 20, 20) == [(TROUBLE["lamps"], SHOWN)]


def test_a_panel_was_seen_to_be_dark_and_only_its_return_is_told(notices):
    notices.tell("panel", WELL["panel"], Urgency.WELL, 0)
    assert notices.screen(0) is None
    notices.noticed("panel")
    notices.tell("panel", WELL["panel"], Urgency.WELL, 0)
    assert notices.screen(0) == WELL["panel"]


def test_a_press_has_read_what_is_shown_and_sees_what_came_of_it_before_the_next(notices):
    notices.tell("sight", BLIND, Urgency.ACT, 0)
    notices.tell("voice", TROUBLE["voice"], Urgency.TROUBLE, 0)
    assert notices.screen(0) == BLIND
    notices.read(1)
    notices.read(1.5)
    assert shown(notices, 1, PRESSED) == []
    assert shown(notices, 1 + PRESSED, 20) == [(TROUBLE["voice"], SHOWN)]


def test_what_somebody_asked_to_see_is_shown_at_once(notices):
    notices.tell("sight", BLIND, Urgency.ACT, 0)
    assert notices.screen(0) == BLIND
    address = Notice("Address", "10.0.0.7")
    notices.read(1)
    notices.answer(address, 60.0, 1)
    assert shown(notices, 1, 100) == [(address, 60.0)]
