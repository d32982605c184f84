"""Events as JSON, and what a malformed one is told."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ScenarioError
from engine.events import from_json, to_json

GOOD: list[dict[str, Any]] = [
    {"start": "5C"},
    {"faceup": {"Ann": ["2H", "10S", "KD"], "Bob": ["JK"]}},
    {"play": ["7H", "7S"]},
    {"play": ["7H"], "by": "Bob", "from": "up"},
    {"play": ["3H"], "under": True},
    {"play": ["JK"], "joker": "9"},
    {"pickup": True},
    {"pickup": True, "by": "Bob", "with": ["4D"]},
    {"chance": "9D"},
    {"pass": True},
    {"remove": ["7H", "7S", "7D", "7C"]},
    {"amend": 4, "play": ["6H"], "by": "Ann"},
    {"amend": 4, "undo": True},
    {"undo": True},
    {"overrule": True},
]


@pytest.mark.parametrize("data", GOOD, ids=str)
def test_an_event_reads_back(data: dict[str, Any]) -> None:
    event = from_json(data)
    assert from_json(to_json(event)) == event
    assert to_json(event) == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "expected an event as a JSON object, not null"),
        ([], r"expected an event as a JSON object, not \[\]"),
        ({}, "expected one of start, faceup, .* found nothing"),
        ({"plai": ["7H"]}, "found plai; did you mean play"),
        ({"play": ["7H"], "pickup": True}, "expected one of .* found play or pickup"),
        ({"play": ["7H"], "form": "up"}, "play has no key 'form'; did you mean from"),
        ({"play": []}, "play takes a list of card codes"),
        ({"play": "7H"}, "play takes a list of card codes .* not '7H'"),
        ({"play": ["7X"]}, "play: '7X' is no card"),
        ({"play": [7]}, "play takes a card code such as 10H, not 7"),
        ({"play": ["7H"], "by": 3}, "by takes a player's name, not 3"),
        ({"play": ["7H"], "from": "sleeve"}, "from takes hand, up or down, not 'sleeve'"),
        ({"play": ["7H"], "from": ["up"]}, "from takes hand, up or down"),
        ({"play": ["3H"], "under": 1}, "under takes true or false, not 1"),
        ({"play": ["JK"], "joker": "JK"}, "joker takes the rank it stands for"),
        ({"play": ["JK"], "joker": 9}, "joker: 9 is no rank"),
        ({"pickup": 1}, "pickup takes true, not 1"),
        ({"pickup": False}, "pickup takes true, not false"),
        ({"undo": "yes"}, "undo takes true or the number of an event, .* not 'yes'"),
        ({"undo": False}, "undo takes true or the number of an event, counted from 1, not false"),
        ({"start": ["5C"]}, "start takes a card code such as 10H"),
        ({"faceup": ["5C"]}, "faceup takes an object of names and cards"),
        ({"faceup": {"Ann": "5C"}}, "faceup takes a list of card codes"),
        ({"amend": 0, "play": ["7H"]}, "amend takes the number of an event, counted from 1, not 0"),
        ({"amend": True, "play": ["7H"]}, "amend takes the number of an event"),
        ({"amend": 3}, "expected one of .* found nothing"),
    ],
)
def test_a_malformed_event_is_told(data: object, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        from_json(data)
