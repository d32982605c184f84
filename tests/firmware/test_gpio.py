"""Buttons, lamps and buzzer on gpiozero's own mock pins."""

from __future__ import annotations

import datetime

import pytest
from gpiozero import LED, Device
from gpiozero.exc import BadPinFactory
from gpiozero.pins.mock import MockFactory, MockPWMPin
from table_talk import TableTalk

from engine.setup import classic
from firmware.config import defaults, parse_config
from firmware.device import lamps as show
from firmware.device.calls import Call, Calls, Weight, call_of, is_quiet
from firmware.device.gpio import Contacts, make_button, make_buzzer, make_led
from firmware.device.lamps import LampListener, Lamps, at, lasts
from firmware.device.service import Service
from firmware.device.voice import Buzzer, spelt
from firmware.inbox import Button

CONFIG = defaults()


pytestmark = pytest.mark.usefixtures("pins")


def test_edges_are_noted_with_their_time_and_nothing_else_is_done(pins):
    edges, now = [], [3.5]
    contacts = Contacts(CONFIG, edges.append, lambda: now[0])
    contacts.set_up()
    pins.pin(17).drive_low()
    now[0] = 3.7
    pins.pin(17).drive_high()
    assert [(e.button, e.down, e.t) for e in edges] == [
        (Button.PICKUP, True, 3.5),
        (Button.PICKUP, False, 3.7),
    ]


def test_the_pin_is_read_again_for_a_hold(pins):
    contacts = Contacts(CONFIG, lambda edge: None, lambda: 0.0)
    contacts.set_up()
    pins.pin(22).drive_low()
    assert contacts.closed() == {Button.PICKUP: False, Button.NEXT: False, Button.OOPS: True}
    contacts.tear_down()
    contacts.tear_down()
    assert contacts.closed() == {}


def test_pins_given_back_can_be_taken_again():
    contacts = Contacts(CONFIG, lambda edge: None, lambda: 0.0)
    for _ in range(3):
        contacts.set_up()
        contacts.work(0)
        contacts.tear_down()


def test_a_machine_without_pins_is_a_fault_not_the_end():
    def none(pin):
        raise BadPinFactory("Unable to load any default pin factory!")

    told = []
    service = Service(Contacts(CONFIG, lambda edge: None, lambda: 0.0, none), told.append)
    service.step(0)
    assert "pin factory" in told[0].why


def lit(pins):
    return [pin for pin in (5, 6, 12, 13, 16, 19, 20, 21) if pins.pin(pin).state]


def test_the_lamps_follow_a_game(pins):
    lamps, now = Lamps(CONFIG, make_led), [0.0]
    lamps.set_up()
    table = TableTalk(classic("Ann", "Bob", "Cat"))
    table.director.outputs.add(LampListener(lamps, lambda: now[0], ("Ann", "Bob", "Cat")))

    def after(script):
        table.play(script)
        lamps.work(now[0])
        return lit(pins)

    assert after("land 5C") == [5, 12]  # green; Ann's seat
    now[0] = 10
    assert after("wait 3") == [12]
    assert after("land 7H") == [5, 13]
    now[0] = 20
    assert after("land 4S") == [6, 13]  # red; still Bob's turn
    assert not lamps.dazzles(now[0])  # they are out of the camera's view
    lamps.tear_down()
    assert lit(pins) == []


def test_the_patterns_can_be_told_apart_without_their_colours():
    def in_grey(pattern):
        """When anything is lit, in hundredths of a second."""
        times = [i / 100 for i in range(round(lasts(pattern) * 100) + 1)]
        return tuple(at(pattern, t)[:2] != (False, False) for t in times)

    def both(pattern):
        return any(step.green and step.red for step in pattern)

    patterns = [show.LEGAL, show.REFUSED, show.BURN, show.QUESTION, show.TAKEN_BACK]
    assert len({(in_grey(p), both(p)) for p in patterns}) == len(patterns)


def test_a_pattern_ends():
    assert at(show.REFUSED, lasts(show.REFUSED) + 0.01) == (False, False, float("inf"))


def test_pins_without_a_lamp_are_left_alone(pins):
    config = parse_config("[lamps]\ngreen = 0\nseats = [12, 0, 16]\n", "x")
    lamps = Lamps(config, make_led)
    lamps.set_up()
    lamps.seat(1, 0)
    lamps.work(0)
    assert lit(pins) == []
    lamps.seat(2, 0)
    lamps.work(0)
    assert lit(pins) == [16]


@pytest.mark.parametrize("name", ["LEGAL", "REFUSED", "BURN", "QUESTION", "TAKEN_BACK"])
def test_in_view_of_the_camera_all_are_dark_soon_and_nothing_is_looked_at_before(pins, name):
    lamps, now = Lamps(parse_config("[lamps]\nin_view = true\n", "x"), make_led), 50.0
    lamps.set_up()
    lamps.work(now)
    assert lit(pins) == []
    assert not lamps.dazzles(now)
    lamps.say(getattr(show, name), now)
    lamps.seat(2, now)
    lamps.work(now)
    assert 16 in lit(pins)
    wait, dark_at = 0.0, None
    while lamps.dazzles(now):
        wait = lamps.work(now)
        dark_at = dark_at or (now if lit(pins) == [] else None)
        now += 0.05
    assert lit(pins) == []
    assert wait == float("inf")
    assert dark_at is not None
    assert 50 + show.LEAST_LIT <= dark_at < 50 + show.MOST_LIT + 0.1
    assert now - dark_at >= show.AFTERGLOW - 0.01
    lamps.seat(2, now)  # no news, no light
    assert not lamps.dazzles(now)


def test_a_buzzer_stands_in_for_the_voice():
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    config = parse_config('[voice]\nkind = "buzzer"\n', "x")
    buzzer = Buzzer(config, make_buzzer)
    buzzer.set_up()
    buzzer.put(Call("Burn!", Weight.BURN, 0.0))
    t, tones = 0.0, 0
    while (wait := buzzer.work(t)) != float("inf"):
        tones += 1
        t += wait
    assert tones == 4
    buzzer.tear_down()


def test_real_gpiozero_devices_are_made():
    assert isinstance(make_led(5), LED)
    assert make_button(17).pull_up


# -- what is heard, and when ----------------------------------------------------------------------


def test_the_most_important_call_goes_first_and_the_newest_of_its_kind():
    calls = Calls()
    for text, weight, t in (
        ("a", Weight.PLAY, 0),
        ("b", Weight.REFUSED, 0.1),
        ("c", Weight.BURN, 0.2),
        ("d", Weight.REFUSED, 0.3),
    ):
        calls.put(Call(text, weight, t))
    assert [calls.take(0.4).text for _ in range(3)] == ["d", "c", "a"]
    assert calls.take(0.4) is None


def test_a_stale_call_is_never_heard():
    calls = Calls()
    calls.put(Call("old", Weight.PLAY, 0))
    calls.put(Call("end", Weight.END, 0))
    assert calls.take(5).text == "end"
    assert calls.take(5) is None


@pytest.mark.parametrize(("plays", "heard"), [(False, ["Burn! Ann again."]), (True, None)])
def test_ordinary_plays_are_silent_unless_wanted(plays, heard):
    table = TableTalk(classic("Ann", "Bob", "Cat")).play("land 5C; land 10H")
    calls = [call_of(told, 0.0, plays) for told in table.ears.told]
    texts = [call.text for call in calls if call]
    assert texts == heard if heard else texts[0] == "Five to begin. Ann leads."


def test_refusals_and_questions_are_heard():
    table = TableTalk(classic("Ann", "Bob", "Cat")).play("land KC; land 5H; take 5H; unsure 6S 9S")
    texts = [c.text for c in (call_of(told, 0.0, False) for told in table.ears.told) if c]
    assert texts == ["Five on a king: too low.", "Six or nine?"]


@pytest.mark.parametrize(
    ("hours", "time", "quiet"),
    [
        ("", "03:00", False),
        ("22:00-07:30", "23:15", True),
        ("22:00-07:30", "07:29", True),
        ("22:00-07:30", "07:30", False),
        ("13:00-14:00", "13:30", True),
        ("13:00-14:00", "12:59", False),
    ],
)
def test_quiet_hours_may_pass_midnight(hours, time, quiet):
    assert is_quiet(hours, datetime.time.fromisoformat(time)) is quiet


def test_names_are_spelt_for_the_voice_as_whole_words():
    said = spelt("Ann: Anna, Ann.", {"Ann": "Enn"})
    assert said == "Enn: Anna, Enn."
    assert spelt("Bø takes", {"Bø": r"B\1"}) == r"B\1 takes"
