"""What goes wrong at the table and around it, through the pins and the whole device."""

from __future__ import annotations

import pytest
from the_device import CONFIG, PINS, Eyes, TheDevice, Window

from engine.cards import parse_card
from firmware.config import parse_config
from firmware.device.appliance import Where
from firmware.device.service import Report
from firmware.journal import WriteError
from firmware.journal import files as journal_files
from firmware.night.book import open_book
from firmware.panel import Address, Choose, Notice, Turn

pytestmark = pytest.mark.usefixtures("pins")


def test_a_picture_that_trips_the_watcher_in_the_lobby_is_as_good_as_none(
    device, monkeypatch, caplog
):
    def trip(eyes, frame):
        raise RuntimeError("a picture that nobody expected")

    device.press("pickup", "pickup", "pickup").wait(4)
    with monkeypatch.context() as broken:
        broken.setattr(Eyes, "step", trip)
        device.nothing().nothing()
    assert isinstance(device.screen, Choose)
    assert caplog.text.count("a picture could not be read") == 1
    device.land("5C")
    assert device.appliance.where is Where.GAME
    assert device.table.top == parse_card("5C")


def test_the_same_as_before_keeps_the_rules_of_the_game_before(device):
    names = device.appliance._lobby.offer.rules
    device.press(*["next"] * names.index("hat"), "pickup", "pickup", "pickup", "pickup", "pickup")
    device.press("next", "next")
    assert device.appliance.game.director.setup.rules.name == "hat"
    device.appliance._enter(Where.LOBBY, device.now)
    device.wait(0.1)
    assert device.screen.title == "Same as before?"
    device.press("pickup")
    assert device.screen.title == "Tonight: hat"
    device.press("next", "next")
    setup = device.appliance.game.director.setup
    assert (setup.rules.name, setup.players) == ("hat", ("Ann", "Bob"))


def settings(rules):
    return parse_config(f'[game]\nplayers = ["Ann", "Bob"]\nrules = "{rules}"\n', "x")


def test_rules_changed_in_the_settings_are_those_of_the_next_game(tmp_path):
    first = TheDevice(tmp_path)
    first.begin().land("5C")
    first.close()
    device = TheDevice(tmp_path, settings("jokers"))
    # A game that is under way keeps its own.
    assert device.appliance.game.director.setup.rules.name == "classic"
    device.appliance._enter(Where.LOBBY, device.now)
    device.wait(0.1)
    assert device.screen.title == "Same as before?"
    assert device.press("pickup").screen.title == "Tonight: jokers"
    # What is set up with the buttons counts from then on.
    device.press("oops", "next", "next", *["pickup"] * 5, "next", "next")
    chosen = device.appliance.game.director.setup.rules.name
    assert chosen != "jokers"
    device.appliance._enter(Where.LOBBY, device.now)
    assert device.appliance._lobby.rules == chosen
    device.close()


def test_a_virtual_table_plays_by_the_rules_of_the_settings(tmp_path, monkeypatch):
    monkeypatch.setattr(Window, "alone", True)
    for config, rules in ((settings("hat"), "hat"), (CONFIG, "classic")):
        device = TheDevice(tmp_path, config)
        assert device.appliance.game.director.setup.rules.name == rules
        device.close()


def test_a_card_that_went_read_only_is_told_at_the_start_and_heals(tmp_path, monkeypatch):
    TheDevice(tmp_path).close()

    def read_only(path, data):
        raise WriteError(f"{path.parent}: the card is read-only")

    with monkeypatch.context() as card:
        card.setattr("firmware.journal.journal.write_whole", read_only)
        device = TheDevice(tmp_path)
        assert "read-only" in device.appliance.faults["score"]
        assert device.screen.title == "Score: trouble"
        device.wait(12)
        assert "score" in device.appliance.faults
    device.wait(6)
    assert device.appliance.faults == {}
    assert device.screen == Notice("Score works again")
    device.close()


def test_a_card_that_takes_what_it_does_not_keep_is_told_at_the_start(tmp_path, monkeypatch):
    def forgetful(path, data):
        journal_files.write_whole(path, b"something else")

    monkeypatch.setattr("firmware.journal.journal.write_whole", forgetful)
    device = TheDevice(tmp_path)
    assert "does not come back" in device.appliance.faults["score"]
    device.close()


def test_a_journal_where_nothing_can_be_written_is_told_at_the_start(tmp_path):
    (tmp_path / "file").touch()
    device = TheDevice(tmp_path / "file", book=lambda: open_book(tmp_path / "file" / "journal"))
    assert "score" in device.appliance.faults
    device.close()


def test_two_buttons_at_once_do_nothing(device, pins):
    device.begin().wait(3).land("5C")
    before = device.table
    for name in ("pickup", "oops"):
        pins.pin(PINS[name]).drive_low()
        device.wait(0.05)
    device.wait(0.2)
    for name in ("pickup", "oops"):
        pins.pin(PINS[name]).drive_high()
    device.wait(0.5)
    assert device.table == before
    device.press("oops")
    assert device.table != before


def test_a_press_that_the_loop_hears_of_too_late_does_nothing(device, pins):
    device.begin().wait(3).land("5C")
    before = device.table
    pins.pin(PINS["oops"]).drive_low()
    pins.pin(PINS["oops"]).drive_high()
    device.now += 5
    device.wait(0.5)
    assert device.table == before


def test_a_press_that_bounces_is_one(device, pins):
    device.begin().wait(3).land("5C").land("7H").wait(3)
    for _ in range(5):
        pins.pin(PINS["oops"]).drive_low()
        pins.pin(PINS["oops"]).drive_high()
    device.press("oops")
    assert device.table.top == parse_card("5C")


@pytest.mark.parametrize(
    ("found", "screen"),
    [
        ("192.168.1.7", Address("192.168.1.7")),
        (None, Notice("Address", "No network")),
    ],
)
def test_oops_held_in_the_lobby_shows_the_address_until_a_press(device, monkeypatch, found, screen):
    monkeypatch.setattr("firmware.device.appliance.address", lambda: found)
    device.press("oops", hold=0.8).wait(20)
    assert device.screen == screen
    device.press("next")
    assert isinstance(device.screen, Choose)


def test_a_fault_is_told_in_words_for_the_table_and_not_the_drivers(device):
    device.appliance.report(Report("voice", "audio open error: Unknown error 524"))
    device.wait(0.1)
    assert device.screen == Notice("Voice: trouble", "Look at the speaker. The game goes on")
    assert device.appliance.faults == {"voice": "audio open error: Unknown error 524"}


def test_the_panel_counts_what_the_player_has_left_and_the_stock(device):
    device.begin().wait(3).land("5C").wait(3)
    assert isinstance(device.screen, Turn)
    turn = device.table.seats[device.table.turn]
    assert (device.screen.hand, device.screen.stock) == (turn.hand, device.table.stock)
    assert device.screen.stock > 30


def test_troubles_that_come_together_are_all_told_the_worst_first(device):
    for part in ("voice", "lamps", "score"):
        device.appliance.report(Report(part, "no such device"))
    told = []
    for _ in range(20):
        device.wait(1)
        told += [device.screen.title] if isinstance(device.screen, Notice) else []
    assert list(dict.fromkeys(told)) == ["Score: trouble", "Voice: trouble", "Lamps: trouble"]
    assert isinstance(device.screen, Choose)


def test_what_is_told_waits_for_a_panel_that_can_be_read(device):
    device.appliance.report(Report("panel", "Input/output error"))
    device.appliance.report(Report("voice", "no such device"))
    device.wait(20)
    device.appliance.report(Report("panel", None))
    device.wait(0.1)
    assert device.screen.title == "Voice: trouble"
    device.wait(5)
    assert device.screen == Notice("Panel works again")
