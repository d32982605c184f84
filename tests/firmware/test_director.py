"""What people do at the table, and what the director does then: a case a line of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
import table_talk as talk

from engine.game import Game
from engine.setup import Setup, classic
from engine.table import Seat
from firmware.director import without
from firmware.inbox import Correction, Seen, Tick

CASES = {
    "a card lands, legal: the turn moves on": (
        "land 7H",
        {"turn": "Bob", "top": "7H", "pile": 2},
        ["play legal"],
    ),
    "several equal cards are one play": (
        "land 7H 7S 7D",
        {"turn": "Bob", "top": "7D", "pile": 4},
        ["play legal"],
    ),
    "an equal card that lands at a later rest is the next player's": (
        "land 7H; land 7S",
        {"turn": "Cat", "pile": 3},
        ["play legal", "play legal"],
    ),
    "squared up: next within three seconds adds one of the same": (
        "land 7H; wait 1; press next",
        {"turn": "Bob", "top": "7?", "pile": 3},
        ["play legal", "amend legal"],
    ),
    "squared up: next again adds another": (
        "land 7H; wait 2; press next; wait 2; press next",
        {"turn": "Bob", "pile": 4},
        ["play legal", "amend legal", "amend legal"],
    ),
    "next after three seconds adds nothing": (
        "land 7H; wait 3.2; press next",
        {"turn": "Bob", "pile": 2},
        ["play legal"],
    ),
    "squared up: the fourth of the same burns": (
        "land 7H; land 7S 7D; press next",
        {"turn": "Bob", "pile": 0, "screen": "Burned"},
        ["play legal", "play legal", "amend burn"],
    ),
    "a fourth from a hand of three cannot be": (
        "land 7H 7S 7D; press next",
        {"turn": "Bob", "pile": 4},
        ["play legal"],
    ),
    "a fifth of the same cannot be": (
        "land 7H; land 7S 7D; press next; press next",
        {"turn": "Bob", "pile": 0},
        ["play legal", "play legal", "amend burn"],
    ),
    "oops undoes": (
        "land 7H; press oops",
        {"turn": "Ann", "top": "6C"},
        ["play legal", "undo legal"],
    ),
    "illegal: nothing has changed": (
        "land 5D",
        {"turn": "Ann", "top": "6C", "pile": 1, "screen": "Refused"},
        ["play illegal too_low"],
    ),
    "illegal, card withdrawn: same turn again": (
        "land 5D; take 5D",
        {"turn": "Ann", "top": "6C", "screen": "Turn"},
        ["play illegal too_low"],
    ),
    "illegal, card exchanged in one motion": (
        "land 5D; take 5D and land 8D",
        {"turn": "Bob", "top": "8D", "pile": 2},
        ["play illegal too_low", "play legal"],
    ),
    "illegal, one of two withdrawn: the other counts": (
        "land 8D 9D; take 9D",
        {"turn": "Bob", "top": "8D", "pile": 2},
        ["play illegal mixed_ranks", "play legal"],
    ),
    "illegal, pickup: the pile goes to the hand": (
        "land 5D; press pickup; clear",
        {"turn": "Bob", "top": None, "pile": 0},
        ["play illegal too_low", "pickup legal"],
    ),
    "illegal, oops held: it stands": (
        "land 5D; hold oops",
        {"turn": "Bob", "top": "5D", "pile": 2},
        ["play illegal too_low", "overrule legal"],
    ),
    "illegal, overruled, then taken back after all": (
        "land 5D; hold oops; take 5D",
        {"turn": "Ann", "top": "6C", "pile": 1},
        ["play illegal too_low", "overrule legal", "undo legal"],
    ),
    "illegal, oops: forgotten": (
        "land 5D; press oops",
        {"turn": "Ann", "top": "6C", "screen": "Turn"},
        ["play illegal too_low"],
    ),
    "illegal, and the right card is laid on it": (
        "land 5D; land 8D",
        {"turn": "Bob", "top": "8D", "pile": 2},
        ["play illegal too_low", "play legal"],
    ),
    "impossible: asks, and next takes the rank for sure": (
        "land 10H; clear; land 8D; land 6C; press next",
        {"turn": "Bob", "top": "8D", "screen": "Refused"},
        ["play burn", "play legal", "play impossible card_already_gone", "play illegal too_low"],
    ),
    "impossible: oops says it is right": (
        "land 10H; clear; land 5D; land 6C; press oops",
        {"turn": "Cat", "top": "6C", "pile": 2},
        ["play burn", "play legal", "play impossible card_already_gone", "overrule legal"],
    ),
    "impossible: the next card landing accepts the likelier reading": (
        "land 10H; clear; land 5D; land 6C; land 9S",
        {"turn": "Ann", "top": "9S", "pile": 3},
        [
            "play burn",
            "play legal",
            "play impossible card_already_gone",
            "play legal",
            "play legal",
        ],
    ),
    "unsure: nothing is called": (
        "unsure 6S 9S",
        {"turn": "Ann", "top": "6C", "screen": "Which"},
        [],
    ),
    "unsure: the next card landing accepts": (
        "unsure 6S 9S; land 7H",
        {"turn": "Cat", "top": "7H", "pile": 3},
        ["play legal", "play legal"],
    ),
    "unsure: next toggles, the next card landing accepts": (
        "unsure 6S 9S; press next; land 10H",
        {"turn": "Bob", "pile": 0},
        ["play legal", "play burn"],
    ),
    "unsure: next twice is the first again": (
        "unsure 6S 9S; press next; press next; wait 8",
        {"turn": "Bob", "top": "6S"},
        ["play legal"],
    ),
    "unsure: a long quiet accepts": (
        "unsure 6S 9S; press next; wait 8",
        {"turn": "Bob", "top": "9S"},
        ["play legal"],
    ),
    "unsure beside a sure card: one play": (
        "land 9H and unsure 9S 6S; wait 8",
        {"turn": "Bob", "pile": 3},
        ["play legal"],
    ),
    "two unsure cards of one rest: one play": (
        "unsure 9H 6H and unsure 9S 6S; wait 8",
        {"turn": "Bob", "pile": 3},
        ["play legal"],
    ),
    "unsure card taken back: no play": (
        "unsure 9H 6H; take 9H; wait 8",
        {"turn": "Ann", "pile": 1, "screen": "Turn"},
        [],
    ),
    "unsure, and the pile goes without a word: it was the reading that burns": (
        "unsure JH 10H; clear; wait 3",
        {"turn": "Ann", "pile": 0, "screen": "Turn"},
        ["play burn"],
    ),
    "unsure, and pickup pressed": (
        "unsure JH QH; press pickup; clear",
        {"turn": "Cat", "pile": 0},
        ["play legal", "pickup legal"],
    ),
    "ten: burn, same player": (
        "land 10H",
        {"turn": "Ann", "pile": 0, "screen": "Burned"},
        ["play burn"],
    ),
    "burn, pile goes": (
        "land 10H; clear; land 4D",
        {"turn": "Bob", "top": "4D", "pile": 1},
        ["play burn", "play legal"],
    ),
    "burn not cleared and a card lands anyway: the old cards count as gone": (
        "land 10H; land 4D",
        {"turn": "Bob", "top": "4D", "pile": 1},
        ["play burn", "play legal"],
    ),
    "burn, the pile goes in handfuls": (
        "land 10H; take 10H; clear; wait 3",
        {"turn": "Ann", "pile": 0, "screen": "Turn"},
        ["play burn"],
    ),
    "burn, pickup pressed by habit: nothing": (
        "land 10H; press pickup; clear",
        {"turn": "Ann", "pile": 0},
        ["play burn"],
    ),
    "four of a kind across turns burn": (
        "land 7H; land 7S 7D; land 7C",
        {"turn": "Cat", "pile": 0},
        ["play legal", "play legal", "play burn"],
    ),
    "pickup: press, then cleared": (
        "press pickup; wait 3; clear; wait 3",
        {"turn": "Bob", "pile": 0, "screen": "Turn"},
        ["pickup legal"],
    ),
    "pickup: cleared, then press": (
        "clear; wait 1; press pickup; wait 3",
        {"turn": "Bob", "pile": 0, "screen": "Turn"},
        ["pickup legal"],
    ),
    "pickup: cleared, pressed late": (
        "clear; wait 9; press pickup",
        {"turn": "Bob", "pile": 0},
        ["pickup legal"],
    ),
    "cleared without a press: asks": (
        "clear; wait 3",
        {"turn": "Ann", "pile": 1, "screen": "YesNo"},
        [],
    ),
    "cleared without a press: the next card landing confirms": (
        "clear; wait 3; land 4D",
        {"turn": "Cat", "top": "4D", "pile": 1},
        ["pickup legal", "play legal"],
    ),
    "cleared without a press: oops says no": (
        "clear; wait 3; press oops; land 8D",
        {"turn": "Bob", "top": "8D", "pile": 2},
        ["play legal"],
    ),
    "cleared and the next card laid in one motion": (
        "clear and land 4D",
        {"turn": "Cat", "top": "4D", "pile": 1},
        ["pickup legal", "play legal"],
    ),
    "pickup pressed, nothing cleared, a card lands: the old cards are gone": (
        "press pickup; land 4D",
        {"turn": "Cat", "top": "4D", "pile": 1},
        ["pickup legal", "play legal"],
    ),
    "pickup of nothing is refused": (
        "press pickup; clear; press pickup",
        {"turn": "Bob", "pile": 0, "screen": "Refused"},
        ["pickup legal", "pickup illegal empty_pile"],
    ),
    "the refused pickup leaves the panel by itself": (
        "press pickup; clear; press pickup; wait 3",
        {"turn": "Bob", "screen": "Turn"},
        ["pickup legal", "pickup illegal empty_pile"],
    ),
    "the top is lifted first, then the rest: a pickup by the next player": (
        "land 7H; take 7H; wait 1; clear; press pickup",
        {"turn": "Cat", "pile": 0},
        ["play legal", "undo legal", "play legal", "pickup legal"],
    ),
    "a card is taken back before the next is laid": (
        "land 7H; take 7H",
        {"turn": "Ann", "top": "6C", "pile": 1},
        ["play legal", "undo legal"],
    ),
    "one of a set is taken back": (
        "land 7H 7S; take 7S",
        {"turn": "Bob", "top": "7H", "pile": 2},
        ["play legal", "amend legal"],
    ),
    "one of a set is taken back, then the other": (
        "land 7H 7S; take 7S; take 7H",
        {"turn": "Ann", "top": "6C", "pile": 1},
        ["play legal", "amend legal", "undo legal", "undo legal"],
    ),
    "a squared-up set is taken back as one": (
        "land 7H; press next; take 7H",
        {"turn": "Ann", "top": "6C", "pile": 1},
        ["play legal", "amend legal", "undo legal", "undo legal"],
    ),
    "an older card slides out of sight: nothing": (
        "land 7H; land 8H; take 7H",
        {"turn": "Cat", "top": "8H", "pile": 3},
        ["play legal", "play legal"],
    ),
    "a card of unknown suit is taken back": (
        "land 7?; take 7H",
        {"turn": "Ann", "pile": 1},
        ["play legal", "undo legal"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_at_the_table(name):
    script, state, calls = CASES[name]
    game = talk.table().play(script)
    assert game.calls == ["start legal", *calls]
    assert {key: game.state[key] for key in state} == state


def test_old_cards_count_as_gone_when_a_card_lands_on_a_burned_pile():
    game = talk.table().play("land 10H; land 4D")
    assert game.eyes.forgotten == 1


def test_failed_blind_card_owes_the_pile_and_clearing_it_is_the_pickup():
    setup = Setup.from_json(
        {
            "rules": "classic",
            "players": ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gil"],
            "options": {"hand": 1, "up": 0, "down": 6, "players_per_deck": 7},
        }
    )
    game = talk.TableTalk(setup).play("land 9C")
    # Two cards are left to draw: Ann and Bob have a second card, Cat plays blind.
    game.play("land JC; land JD; land JH; land QC; land QD; land QH; land KC; land KD; land KH")
    game.play("land 4C")
    assert game.calls[-1] == "play legal"
    assert game.director.must_pick_up
    assert game.state["screen"] == "TakesPile"
    game.play("take 4C; clear; wait 3")
    assert game.calls[-1] == "pickup legal"
    assert game.asked == []


def test_rules_without_a_turned_card_begin_with_the_first_play():
    setup = Setup.from_json(
        {"rules": "classic", "players": ["Ann", "Bob"], "options": {"turned_card": False}}
    )
    game = talk.TableTalk(setup).play("land 4D")
    assert game.calls == ["play legal"]


def test_start_card_and_first_play_in_one_rest():
    game = talk.TableTalk(classic("Ann", "Bob")).play("land 4D 6H")
    assert game.calls == ["start legal", "play legal"]


def test_correction_of_the_host_replaces_what_was_called():
    from engine.events import Amend, Play

    game = talk.table().play("land 7H")
    cards = (talk.parse_card("7S"),)
    game.director.handle(Correction(99, 9.9, Amend(2, Play(cards))))
    assert game.state["top"] == "7S"


@pytest.mark.parametrize(
    ("cards", "gone", "left"),
    [
        ("7H 7S", "7S", "7H"),
        ("7H 7?", "7S", "7H"),
        ("7H", "8H", "7H"),
        ("7H 7H", "7H", "7H"),
    ],
)
def test_without(cards, gone, left):
    def parse(codes):
        return tuple(map(talk.parse_card, codes.split()))

    assert without(parse(cards), parse(gone)) == parse(left)


def test_prior_looks_past_a_pickup_that_nobody_confirmed():
    game = talk.table().play("clear")
    assert game.director.prior(talk.parse_card("6C")) == 0
    game.director.handle(Seen(50, 5.0, ()))
    game.director.handle(Tick(50, 5.0))
    assert game.director.prior(talk.parse_card("7C")) > 0


def test_a_press_after_the_pile_was_seen_to_go_is_about_the_same_pickup():
    game = talk.TableTalk(classic("Ann", "Bob")).play("land 5C")
    seats = game.director.game.table.seats
    blind = Seat(0, 0, 3)
    table = replace(game.director.game.table, seats=(blind, *seats[1:]), stock=0)
    game.director.game = Game.at(table)
    game.play("land 4C; clear; wait 2; press pickup")
    assert game.calls[-2:] == ["play legal", "pickup legal"]
    game.play("wait 12; press pickup")
    assert game.calls[-1] == "pickup illegal empty_pile"
