"""The appliance: whatever fails, the game goes on."""

from __future__ import annotations

import pytest
from failing_parts import BROKEN, FailingLens, FailingScreen
from long_night import FAULTS
from long_night import Night as LongNight
from the_device import TheDevice

from engine.cards import parse_card
from engine.rules import preset
from engine.setup import Setup
from firmware.device.appliance import Where
from firmware.inbox import Button
from firmware.journal import WriteError
from firmware.night.acts import Began, Ended, Joined
from firmware.night.book import open_book
from firmware.night.scoring import Result, Terms
from firmware.panel import Choose, Lines, Notice, Scores, Turn, YesNo

pytestmark = pytest.mark.usefixtures("pins")


def test_a_game_is_set_up_and_played_with_three_buttons(device):
    assert isinstance(device.screen, Choose)
    device.press("pickup", "pickup", "pickup", "pickup", "pickup")
    assert isinstance(device.screen, Lines)
    device.press("next", "next")
    assert device.appliance.where is Where.GAME
    device.wait(3).land("5C").wait(3)
    assert isinstance(device.screen, Turn)
    assert device.screen.player == "Ann"
    device.land("7H").wait(3)
    assert device.screen.player == "Bob"
    device.press("pickup")
    assert device.table.pile is None


def test_next_held_asks_and_next_shuts_down(device):
    device.begin().press("next", hold=2.2)
    assert isinstance(device.screen, YesNo)
    assert device.screen.question == "Shut down?"
    device.press("next")
    assert device.appliance.stopping
    assert device.appliance.shut_down


@pytest.mark.parametrize("button", ["pickup", "oops"])
def test_anything_else_cancels_and_does_nothing_more(device, button):
    device.begin().wait(3).land("5C").press("next", hold=2.2)
    before = device.table
    device.press(button)
    assert not device.appliance.stopping
    assert device.table == before


def test_a_question_about_shutting_down_goes_away_by_itself(device):
    device.press("next", hold=2.2).wait(16).press("next")
    assert not device.appliance.stopping


def test_without_a_camera_the_turn_goes_on_by_buttons(device):
    device.begin().wait(3).land("5C")
    device.window.why = "it gives no pictures"
    device.wait(0.2)
    assert device.screen == Notice("I can't see", "Keep playing: press next for each play")
    device.wait(5).press("next")
    assert isinstance(device.screen, Turn)
    assert (device.screen.player, device.screen.last) == ("Bob", "press next")
    device.press("next").wait(0.1)
    assert device.screen.player == "Ann"


def test_when_it_sees_again_one_look_tells_whether_the_pile_is_what_it_was(device):
    device.begin().wait(3).land("5C")
    device.window.why = "gone"
    device.wait(5).press("next")
    made = device.watchers
    device.window.why = None
    device.wait(0.2)
    assert device.watchers == made + 1
    device.land("9D").wait(5)
    assert isinstance(device.screen, YesNo)
    device.press("pickup").wait(3)
    assert device.screen.top == parse_card("9D")


def test_a_camera_that_was_away_for_a_moment_changes_nothing(device):
    device.begin().wait(3).land("5C")
    made, before = device.watchers, device.table
    device.window.why = "gone"
    device.wait(2)
    device.window.why = None
    device.wait(5)
    assert (device.watchers, device.table) == (made, before)


def test_nobody_there_for_long_pauses_the_game(device):
    device.begin().wait(3).land("5C")
    device.now += 590
    device.wait(20)
    assert device.screen == Notice("Paused", "next: play on")
    before = device.table
    device.land("9D")
    assert device.table == before
    device.press("next").land("5C").wait(4)
    assert device.screen.top == parse_card("5C")


def test_cards_that_land_before_all_is_chosen_start_the_game(device):
    device.press("pickup", "pickup", "pickup").wait(4)
    device.nothing().land("5C")
    assert device.appliance.where is Where.GAME
    assert device.table.top == parse_card("5C")
    assert device.appliance.game.director.setup.players == ("Ann", "Bob")


def test_the_last_games_pile_starts_no_game(device):
    device.press("pickup", "pickup", "pickup", "pickup", "pickup")
    device.appliance._enter(Where.LOBBY, device.now)
    device.press("pickup", "pickup", "pickup")
    device.land("KD")
    assert device.appliance.where is Where.LOBBY
    device.wait(5).land("QD")
    assert device.appliance.where is Where.LOBBY
    device.clear().land("5C")
    assert device.appliance.where is Where.GAME


def test_after_a_power_cut_it_goes_on_where_it_was(tmp_path):
    first = TheDevice(tmp_path)
    first.begin().wait(3).land("5C").land("7H")
    first.appliance.accounts.close()
    second = TheDevice(tmp_path)
    assert second.appliance.where is Where.GAME
    assert (second.table.top, second.appliance.game.director.turn) == (parse_card("7H"), "Bob")
    second.appliance.accounts.close()


def test_the_device_begins_another_night_once_somebody_has_the_whole_word(tmp_path):
    setup = Setup.new(preset("classic"), ("Ann", "Bob"))
    with open_book(tmp_path) as book:
        book.open_night(Terms("X"), [Joined("Ann"), Joined("Bob")])
        book.write(Began(setup), Ended(Result(loser="Bob"), 0))
    device = TheDevice(tmp_path)
    device.press("pickup", "next", "next")  # the same as before
    assert device.screen == Notice("Bob has the whole word: night 2 begins")
    device.wait(3).land("5C").wait(1)
    device.appliance.accounts.close()
    with open_book(tmp_path) as kept:
        night = kept.read(2)
        assert (night.seats, night.terms) == (("Ann", "Bob"), Terms("X"))
        assert len(night.rounds[-1].doings) == 1


def test_a_disk_that_cannot_be_written_at_the_deal_loses_nothing(tmp_path):
    broken = [True]

    def book():
        book = open_book(tmp_path)
        for name in ("append", "begin"):
            real = getattr(book.journal, name)

            def write(*args, real=real):
                if broken[0]:
                    raise WriteError("the card is read-only")
                return real(*args)

            setattr(book.journal, name, write)
        return book

    device = TheDevice(tmp_path, book=book)
    device.begin().wait(3).land("5C").land("7H")
    assert device.appliance.faults["score"] == "the card is read-only"
    broken[0] = False
    device.wait(6).land("9H").wait(1)
    assert device.appliance.faults == {}
    device.appliance.accounts.close()
    with open_book(tmp_path) as kept:
        assert len(kept.read(1).rounds[-1].doings) == 3


def test_a_journal_that_cannot_be_opened_is_told_and_tried_again(tmp_path):
    tries = []

    def book():
        tries.append(1)
        if len(tries) < 3:
            raise WriteError("no disk")
        return open_book(tmp_path)

    device = TheDevice(tmp_path, book=book)
    assert device.appliance.faults == {"score": "no disk"}
    device.wait(12)
    assert device.appliance.faults == {}
    device.appliance.accounts.close()


def test_a_game_that_is_over_leads_to_the_score_and_the_next(tmp_path):
    with LongNight(tmp_path, faults=False) as night:
        while night.appliance.where is not Where.SCORES:
            night.step()
            assert night.now < 2000
        screen = night.appliance.screen
        assert isinstance(screen, Scores)
        assert [row.value for row in screen.rows].count("1") == 1
        assert sum(row.hat for row in screen.rows) == 1
        while night.tally.games < 1:
            night.step()
            assert night.now < 2100
        setup = night.appliance.game.director.setup
        assert setup.players == ("Ann", "Bob", "Cat")


@pytest.mark.parametrize("seed", [3, 4])
def test_an_evening_with_faults_scores_right_and_loses_nothing(tmp_path, seed):
    with LongNight(tmp_path, seed) as night:
        tally = night.play(360)
    true, kept = night.losers()
    assert true == kept
    assert tally.told == tally.kept
    assert tally.wrong == tally.unheard
    assert len(tally.faults) >= 3
    for fault, part in FAULTS.items():
        at_most = sum(tally.faults.get(each, 0) for each in FAULTS if FAULTS[each] == part)
        if part and fault in tally.faults:
            assert 0 <= tally.reported.get(part, 0) <= at_most, fault
            assert tally.reported.get(part) == tally.healed.get(part), fault
    assert tally.reported.get("keeping", 0) <= tally.faults.get("disk", 0)
    assert tally.reported.get("keeping") == tally.healed.get("keeping")
    assert night.puppets.waiting == 0
    assert FailingLens.most_open == 1
    assert FailingLens.open == 0


def test_the_same_night_is_the_same_night_again(tmp_path):
    tallies = []
    for name in ("one", "other"):
        with LongNight(tmp_path / name, seed=7) as night:
            tallies.append((night.play(120), night.now, FailingScreen.shown))
    assert tallies[0] == tallies[1]


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("frames", "no picture for 2 seconds"),
        ("driver", "no picture for 2 seconds"),
        ("dark", "it is too dark"),
    ],
)
def test_a_camera_that_is_away_is_told_once_and_comes_back(tmp_path, fault, says):
    with LongNight(tmp_path, faults=False) as night:
        while night.appliance.where is not Where.GAME or night.now < 20:
            night.step()
        BROKEN.add(fault)
        for _ in range(200):
            night.step()
        assert says in night.appliance.faults["sight"]
        BROKEN.clear()
        for _ in range(400):
            night.step()
        assert night.appliance.faults == {}
        assert (night.tally.reported, night.tally.healed) == ({"sight": 1}, {"sight": 1})
        assert FailingLens.most_open == 1


def test_a_finger_on_its_way_to_the_button_does_not_wait_for_a_camera_that_has_stopped(tmp_path):
    with LongNight(tmp_path, faults=False) as night:

        def seen_to_go_before_the_press():
            if night.appliance.game is None or night.table is None:
                return False
            director = night.appliance.game.director
            seen = director.last is not None and director._seen_off == director.events
            return seen and any(what is Button.PICKUP for _, what in night.table._waiting)

        while not seen_to_go_before_the_press():
            night.step()
        plays = night.table.score.plays
        BROKEN.add("frames")
        for _ in range(150):
            night.step()
        assert not night.table._waiting
        BROKEN.clear()
        events = night.appliance.game.director.events
        while night.table.score.plays < plays + 1:
            night.step()
        assert night.appliance.game.director.events == events + 1
        assert night.table.score.faults == []


def test_a_disk_that_fails_at_the_end_of_a_game_loses_neither_it_nor_the_next(tmp_path):
    with LongNight(tmp_path, faults=False) as night:
        while len(night.true) < 1:  # until the second game begins
            if night.now > 60:
                BROKEN.add("disk")
            night.step()
            assert night.now < 2000
        tally = night.finish()
    true, kept = night.losers()
    assert true == kept
    assert len(true) == 2
    assert tally.told == tally.kept
