"""Announcements as lines: JSON for programs, words for people."""

from __future__ import annotations

import json

import pytest
import table_talk as talk

from engine.setup import classic
from firmware.announce import JsonLines, PlainLines, pretty


def heard(script):
    return talk.TableTalk(classic("Ann", "Bob", "Cat")).play(script).ears.told


def as_json(script):
    out: list[str] = []
    lines = JsonLines(out.append)
    for told in heard(script):
        lines.hear(told)
    return [json.loads(line) for line in out]


def as_words(script):
    out: list[str] = []
    lines = PlainLines(out.append)
    for told in heard(script):
        lines.hear(told)
    return [line.split(maxsplit=1)[1].rstrip("\n") for line in out]


def test_cards_that_land_and_the_ruling_are_a_line_each():
    landed, ruling = as_json("land 6C; land 7H 7S")[2:]
    assert landed == {"frame": 10, "t": 1.0, "landed": ["7H", "7S"], "p": [0.99, 0.99]}
    assert ruling["frame"] == 10
    assert ruling["t"] == 1.0
    assert ruling["ruling"]["event"] == 2
    assert ruling["ruling"]["verdict"] == "legal"
    assert ruling["ruling"]["turn"] == "Bob"


def test_a_turned_start_card_is_landed_too():
    landed, ruling = as_json("land 6C")
    assert landed["landed"] == ["6C"]
    assert ruling["ruling"]["event"] == 1


def test_a_question_is_a_line_and_its_answer_lands_once_at_the_frame_of_rest():
    told = as_json("land 6C; unsure 6S 9S; press next; wait 8")
    unsure = [line for line in told if "unsure" in line]
    assert unsure == [
        {"frame": 10, "t": 1.0, "unsure": [{"candidates": ["6S", "9S"], "p": [0.55, 0.41]}]}
    ]
    landed = [line for line in told if "landed" in line]
    assert landed[-1] == {"frame": 10, "t": 1.0, "landed": ["9S"], "p": [0.6]}
    assert len(landed) == 2


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("land 6C; land 5D; take 5D", {"frame": 15, "t": 1.5, "withdrawn": ["5D"]}),
        ("land 6C; land 10D; clear", {"frame": 15, "t": 1.5, "cleared": True}),
    ],
)
def test_what_goes_is_a_line(script, line):
    assert as_json(script)[-1] == line


def test_the_pickup_question_is_a_line():
    assert as_json("land 6C; clear; wait 3")[-1] == {
        "frame": 30,
        "t": 3.0,
        "asked": "picked_up",
        "player": "Ann",
    }


WORDS = {
    "start": ("land 6C", ["· 6♣ is turned up"]),
    "play": ("land 6C; land 7H 7S", ["· 6♣ is turned up", "✓ Ann lays 7♥ 7♠"]),
    "illegal": ("land 6C; land 5D", ["· 6♣ is turned up", "✗ Ann: 5♦. Too low"]),
    "burn": (
        "land 6C; land 10D",
        ["· 6♣ is turned up", "✓ Ann lays 10♦", "♨ Burn! 2 cards gone, Ann leads"],
    ),
    "pickup": ("land 6C; press pickup", ["· 6♣ is turned up", "✓ Ann takes the pile of 1"]),
    "unsure": ("land 6C; unsure 6S 9S", ["· 6♣ is turned up", "? 6♠ or 9♠?"]),
    "gone": (
        "land 6C; clear; wait 3",
        ["· 6♣ is turned up", "· the pile is gone", "? Did Ann pick up?"],
    ),
    "no suit": ("land 6C; land 7?", ["· 6♣ is turned up", "✓ Ann lays 7"]),
}


@pytest.mark.parametrize("name", WORDS)
def test_words(name):
    script, lines = WORDS[name]
    assert as_words(script) == lines


def test_pretty_cards():
    assert pretty(tuple(map(talk.parse_card, ["10H", "KS", "JK", "6?"]))) == "10♥ K♠ joker 6"
