"""A game set up with three buttons, and nothing else."""

from __future__ import annotations

import pytest

from engine.rules import preset, preset_names
from engine.say import languages
from firmware import panel, words
from firmware.device.lobby import Lobby, Offer, Step, specials
from firmware.inbox import Button
from firmware.night.night import Night
from firmware.panel import Choose, Lines
from firmware.standings import standings

P, N, O = Button.PICKUP, Button.NEXT, Button.OOPS  # noqa: E741


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    words.choose("en")


def pressed(lobby, buttons):
    for button in buttons:
        lobby = lobby.press(button)
    return lobby


def fresh(names=("Ann", "Bob", "Cat"), **more):
    return Lobby.begin(Offer.of(("classic", "hat"), names, **more))


def test_rules_seats_dealer_and_deal():
    lobby = pressed(fresh(), [N, P])
    assert lobby.rules == "hat"
    assert lobby.screen() == Choose("Who sits at 1?", "Ann", "pickup: yes  next: other")
    lobby = pressed(lobby, [N, P, P])
    assert lobby.seats == ("Bob", "Ann")
    assert lobby.screen().value == "That's all"
    lobby = pressed(lobby, [P])
    assert (lobby.step, lobby.screen().value) == (Step.DEALER, "Ann")
    lobby = pressed(lobby, [N, P, N])
    assert isinstance(lobby.screen(), Lines)
    assert lobby.screen().title == "Bob deals"
    assert not lobby.ready
    setup = pressed(lobby, [N]).setup()
    assert setup.players == ("Bob", "Ann")
    assert setup.players[setup.dealer] == "Bob"
    assert pressed(lobby, [N]).ready


def test_of_names_that_cannot_be_told_apart_one_is_offered():
    offer = Offer.of(("classic",), ("player 1", "Ann", "ANN", "Bob"), seats=("bob",))
    assert offer.names[:4] == ("bob", "player 1", "Ann", "Player 2")


def test_who_is_called_like_a_choice_can_sit_down_all_the_same():
    lobby = pressed(fresh(("Ann", "Bob", "That's all", "Cat")), [P, P, P, N, P])
    assert (lobby.step, lobby.seats) == (Step.SEATS, ("Ann", "Bob", "That's all"))
    assert pressed(lobby, [P]).step is Step.DEALER


def test_those_who_sat_here_are_two_presses_away():
    lobby = fresh(seats=("Cat", "Bob"), scored=True)
    assert lobby.screen().value == "Cat, Bob"
    lobby = pressed(lobby, [P, N, N])
    assert lobby.ready
    assert lobby.setup().players == ("Cat", "Bob")


def test_strangers_are_offered_names():
    lobby = pressed(fresh(names=()), [P, P, P, P])
    assert lobby.seats == ("Player 1", "Player 2")


def test_oops_goes_back_step_by_step():
    lobby = pressed(fresh(), [P, P, P, P])
    assert lobby.step is Step.DEALER
    assert pressed(lobby, [O]).seats == ("Ann",)
    assert pressed(lobby, [O, O, O]).step is Step.RULES


def test_nobody_sits_twice_and_a_full_table_is_all():
    names = tuple(f"P{n}" for n in range(12))
    lobby = pressed(fresh(names=names), [P, P, P])
    while lobby.step is Step.SEATS:
        lobby = pressed(lobby, [N, P])
    assert len(set(lobby.seats)) == len(lobby.seats) == preset("classic").max_players


def test_before_two_sit_there_is_nothing_to_play():
    assert pressed(fresh(), [P, P]).setup() is None


def test_what_is_special_is_told_in_three_lines():
    assert specials(preset("classic"))[0] == "7: that or lower" or specials(preset("classic"))
    for name in preset_names():
        assert 1 <= len(specials(preset(name))) <= 3


@pytest.mark.parametrize("language", languages())
def test_every_screen_of_it_can_be_drawn_in_every_language(language):
    words.choose(language)
    lobby = fresh(names=("Wolfgang-Amadeus Maximilian", "Çağrı Şığ", "Ñuño"))
    seen = set()
    for button in [N, P, P, P, N, P, P, P, N, N]:
        seen.add(lobby.step)
        assert panel.draw(lobby.screen()).size == panel.SIZE
        lobby = lobby.press(button)
    assert {Step.RULES, Step.SEATS, Step.DEALER, Step.SPECIAL} <= seen


def test_before_a_game_is_over_there_is_no_score():
    assert standings(None) == standings(Night())
