"""The referee on trial before open tables; ``python -m engine.simulate`` runs many more games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.cards import Card, parse_card
from engine.game import Game
from engine.house_rules import HouseRules
from engine.opening import first_player
from engine.rules import preset, preset_names
from engine.setup import Setup
from engine.simulate.__main__ import main, play
from engine.simulate.house_mix import random_rules, random_setup
from engine.simulate.trial import Disagreement, Trial

NAMES = ("Ann", "Bob", "Cat")


@pytest.mark.parametrize("name", [*preset_names(), "random"])
def test_the_referee_agrees_with_open_tables(name: str) -> None:
    tally: Counter[str] = Counter()
    for seed in range(12 if name == "random" else 5):
        play(name, seed, tally)
    assert tally["play"] > 500
    assert tally["undos"] > 10
    assert tally["amendments"] > 3
    assert tally["refused as not_your_turn"] > 3


@pytest.mark.parametrize(
    ("rules", "options", "seen"),
    [
        ("hat", {}, ["added", "joined"]),
        ("norsk", {"series": "gaps", "sneak_three": True}, ["series", "slid under", "chance"]),
        ("classic", {"cut_in": "equal", "take_face_up": True}, ["cut in"]),
        (
            "jokers",
            {"pickup_ranks": ["JK"], "red_jack_deflects": True, "jokers": 4},
            ["deflected"],
        ),
        ("idiota", {"glass_ranks": ["3"], "skip_ranks": ["8"], "glass_skips": True}, ["chance"]),
    ],
    ids=["hat", "norsk", "cutting-in", "deflecting", "glass"],
)
def test_the_moves_that_few_rules_have_are_on_trial_too(
    rules: str, options: dict[str, object], seen: list[str]
) -> None:
    setup = Setup.new(preset(rules).override(options), NAMES)
    tally: Counter[str] = Counter()
    for seed in range(8):
        Trial(setup, random.Random(seed), tally).run()
    assert all(tally[kind] for kind in seen), tally


def test_a_referee_who_goes_by_other_rules_is_found_out() -> None:
    setup = Setup.new(preset("jokers"), NAMES)
    other = Setup.new(preset("jokers").override({"ten_on_seven": True}), NAMES)
    with pytest.raises(Disagreement, match=r"true is .* the referee says"):
        for seed in range(20):
            trial = Trial(setup, random.Random(seed), Counter())
            trial.game = Game.new(other)
            trial.run()


def test_the_command_counts_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rules", "castle", "--games", "2", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith("castle: 0 disagreements; ")


def test_random_house_rules_differ_and_can_be_seated() -> None:
    chance = random.Random(5)
    drawn = [random_rules(chance) for _ in range(40)]
    assert len(set(drawn)) == 40
    tables = [random_setup(rules, chance) for rules in drawn]
    assert {len(setup.players) for setup in tables} == {2, 3, 4, 5, 6, 7, 8}
    assert {setup.decks for setup in tables} == {1, 2, 3}


def hand(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


@pytest.mark.parametrize(
    ("starter", "hands", "dealer", "first"),
    [
        ("lowest_card", ["5C 9D KD", "4H QS QC", "6C 7C 8C"], 0, 1),
        ("lowest_card", ["4C 9D KD", "4H 7S QC", "6C 7C 8C"], 0, 1),
        ("lowest_card", ["4C 7D KD", "4H 7S QC", "6C 7C 8C"], 0, 1),
        ("lowest_card", ["4C 7D QD", "4H 7S QC", "6C 7C 8C"], 0, 1),
        ("lowest_card", ["4C 7D QD", "4H 7S QC", "6C 7C 8C"], 1, 0),
        ("lowest_card", ["2C 7D QD", "4H 7S QC", "6C 7C 8C"], 2, 1),
        ("lowest_card", ["2C 2D 2H", "2S AS AC", "AD AH KH"], 2, 2),
        ("first_three", ["3C 7D QD", "3H 7S QC", "6C 7C 8C"], 0, 1),
        ("first_three", ["3C 7D QD", "5H 7S QC", "4C 7C 8C"], 0, 0),
        ("first_three", ["5C 7D QD", "5H 7S QC", "4C 7C 8C"], 2, 2),
        ("dealer_left", ["5C 7D QD", "5H 7S QC", "3C 7C 8C"], 2, 0),
    ],
)
def test_who_begins(starter: str, hands: list[str], dealer: int, first: int) -> None:
    rules = HouseRules().override({"starter": starter})
    assert first_player(rules, [hand(codes) for codes in hands], dealer) == first
