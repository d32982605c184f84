"""``pilewatch night score``: written results replayed, and held against what is expected."""

from __future__ import annotations

import json

import pytest
from night_command import done

LETTERS = {
    "rules": "idiota",
    "players": ["Ann", "Bob"],
    "games": [{"winner": "Ann", "loser": "Bob", "expect": {"letters": {"Bob": "I"}}}] * 2,
}


def test_written_results_are_scored(night, tmp_path):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(LETTERS))
    first, second = map(json.loads, done(night("score", str(file))).splitlines())
    assert first == {
        "letters": {"Ann": "", "Bob": "I"},
        "hat": "Bob",
        "next_dealer": "Bob",
        "next_starter": "Ann",
        "over": False,
        "loser_of_the_night": None,
    }
    assert second["letters"]["Bob"] == "ID"


def test_what_differs_from_the_expectation_is_shown(night, tmp_path):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(LETTERS))
    code, out, _ = night("score", str(file), "--check")
    assert code == 1
    wanted, got = '{"letters": {"Bob": "I"}}', '{"letters": {"Bob": "ID"}}'
    assert out.splitlines() == [
        f"{file}: game 2: expected {wanted} got {got}",
        "1 passed, 1 failed",
    ]


WRONG = {
    "no json": ("{", "expected one JSON object"),
    "no object": ("[]", "expected one JSON object"),
    "strange key": ('{"rule": "hat"}', "has no key 'rule'; did you mean rules"),
    "no games": ('{"rules": "hat", "players": ["A", "B"]}', "games takes a list"),
    "no rules": ('{"players": ["A", "B"], "games": []}', "rules takes the name"),
    "one player": ('{"rules": "hat", "players": ["A"], "games": []}', "two players"),
    "castle for five": (
        '{"rules": "castle", "players": ["A", "B", "C", "D", "E"], "games": []}',
        "2 to 4 players",
    ),
    "a stranger": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{"loser": "C"}]}',
        "game 1: no 'C' plays here; expected A or B",
    ),
    "both": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{"winner": "A", "loser": "A"}]}',
        "cannot end a game twice",
    ),
    "neither": (
        '{"rules": "hat", "players": ["A", "B"], "games": [{}]}',
        "a winner or a loser",
    ),
    "after the end": (
        '{"rules": "hat", "players": ["A", "B"], "word": "X",'
        ' "games": [{"loser": "A"}, {"loser": "B"}]}',
        "game 2: the night was over",
    ),
}


@pytest.mark.parametrize(("text", "why"), WRONG.values(), ids=WRONG)
def test_malformed_results_are_refused(night, tmp_path, text, why):
    file = tmp_path / "results.json"
    file.write_text(text)
    code, _, err = night("score", str(file))
    assert code == 2
    assert why in err
    assert str(file) in err
