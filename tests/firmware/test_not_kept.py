"""What is played and cannot be kept is told at once, on the panel and in the log; and what can."""

from __future__ import annotations

import pytest

from engine.rules import preset
from engine.setup import Setup
from firmware.device.appliance import Where
from firmware.journal import WriteError
from firmware.night.acts import Abandoned, Closed, Ended, PlayedOn
from firmware.night.book import open_book
from firmware.night.scoring import Result
from firmware.panel import Notice, Turn

pytestmark = pytest.mark.usefixtures("pins")

NOT_KEPT = Notice("Score: trouble", "What is played is not kept. The game goes on")
BY_HAND = {
    "the night is closed": (Closed(), "night 1 was closed; pilewatch night resume 1"),
    "the game is abandoned": (Abandoned(), "game 1 was abandoned; pilewatch night play-on"),
    "the game has a result": (Ended(Result(loser="Bob"), 2), "game 1 has its result already"),
}


@pytest.fixture
def playing(device, caplog):
    """A game in which 5C is turned up and 7H laid; its log as the service has it."""
    caplog.set_level("INFO", "pilewatch")
    return device.begin().wait(3).land("5C").land("7H").wait(5)


@pytest.mark.parametrize(("act", "why"), BY_HAND.values(), ids=BY_HAND)
def test_what_is_ended_from_elsewhere_is_told_before_the_next_card(playing, caplog, act, why):
    with open_book(playing.folder) as other:
        other.write(act)
    playing.nothing()
    assert playing.screen == NOT_KEPT
    assert caplog.text.count(f"night: nothing is being kept ({why}") == 1
    playing.land("9H").wait(6)
    assert isinstance(playing.screen, Turn)
    assert caplog.text.count("nothing is being kept") == 1


@pytest.mark.parametrize(("act", "why"), BY_HAND.values(), ids=BY_HAND)
def test_the_game_after_one_that_was_ended_from_elsewhere_is_kept(playing, act, why):
    with open_book(playing.folder) as other:
        other.write(act)
    playing.land("9H")
    playing.appliance._enter(Where.LOBBY, playing.now)
    playing.wait(4).press("pickup", "next", "next").wait(4).land("5C").land("8D").wait(6)
    assert playing.appliance.faults == {}
    with open_book(playing.folder) as kept:
        assert len(kept.read(kept.opened.number).rounds[-1].doings) == 2


def test_what_is_played_on_after_all_is_kept_and_that_is_told(playing, caplog):
    with open_book(playing.folder) as other:
        other.write(Abandoned())
        playing.nothing().land("9H")
        other.news()
        other.write(PlayedOn())
    playing.nothing().wait(6)
    assert playing.screen == Notice("Score works again")
    assert playing.appliance.faults == {}
    assert "night: is being kept again" in caplog.text
    with open_book(playing.folder) as kept:
        assert len(kept.opened.rounds[-1].doings) == 3


def test_what_was_left_of_a_closed_night_is_kept_once_it_is_gone_on_with(playing):
    with open_book(playing.folder) as other:
        other.write(Closed())
        playing.land("9H")
        playing.appliance._enter(Where.LOBBY, playing.now)
        other.resume(1)
    playing.wait(6)
    with open_book(playing.folder) as kept:
        assert len(kept.opened.rounds[-1].doings) == 3


def test_a_night_that_is_gone_on_with_is_well_again(playing):
    with open_book(playing.folder) as other:
        other.write(Closed())
        playing.nothing()
        assert "night" in playing.appliance.faults
        other.resume(1)
    playing.nothing().wait(6)
    assert playing.appliance.faults == {}


def test_a_disk_that_fails_in_the_game_is_told_on_panel_and_in_the_log(
    playing, monkeypatch, caplog
):
    def read_only(*args):
        raise WriteError("the card is read-only")

    with monkeypatch.context() as card:
        card.setattr(playing.appliance.accounts.book.journal, "append", read_only)
        card.setattr(playing.appliance.accounts.book.journal, "refusal", lambda: "read-only")
        playing.land("9H")
        assert playing.screen.title == "Score: trouble"
        playing.wait(20).land("10H")
    assert caplog.text.count("score: nothing is being kept (the card is read-only)") == 1
    playing.wait(8)
    assert "score: is being kept again" in caplog.text
    assert playing.appliance.faults == {}


def test_what_the_journal_refuses_is_told_as_that(device, caplog):
    device.appliance._begin(Setup.new(preset("classic"), ("Ann", "ANN")), device.now)
    device.wait(0.2)
    assert device.screen == NOT_KEPT
    assert "night: nothing is being kept ('Ann' and 'ANN' cannot be told apart" in caplog.text
