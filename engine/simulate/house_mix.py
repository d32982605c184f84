"""House rules drawn at random from those that are valid."""

from __future__ import annotations

import random

from engine.cards import Rank
from engine.errors import RulesError, SetupError
from engine.house_rules import SWITCHES, HouseRules
from engine.rules import preset, preset_names
from engine.setup import Setup

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
MOST_DECKS = 3

_KEPT = ("name", "title", "max_players", "players_per_deck", "fewer_packs", "max_decks", "hand")
"""Switches that are as in the preset: they say who sits down, not how they play."""


def random_rules(chance: random.Random) -> HouseRules:
    """A preset with a handful of switches changed, so that they do not contradict each other."""
    rules = preset(chance.choice(preset_names()))
    keys = [key for key in SWITCHES if key not in _KEPT]
    for key in chance.sample(keys, chance.randint(2, 12)):
        try:
            rules = rules.override({key: _value(rules, key, chance)})
        except RulesError:
            continue
    return rules


def _value(rules: HouseRules, key: str, chance: random.Random) -> object:
    now, about = getattr(rules, key), SWITCHES[key].metadata
    if isinstance(now, bool):
        return not now
    if about["choices"]:
        return chance.choice(about["choices"])
    if key == "no_finish_ranks":
        return [rank.code for rank in chance.sample(list(Rank), chance.randint(0, 5))]
    if isinstance(now, tuple):
        ranks = [rank for rank in Rank if about["joker"] or rank is not Rank.JOKER]
        return [rank.code for rank in chance.sample(ranks, chance.randint(0, 2))]
    if key in ("down", "up"):
        return chance.randint(0, 4)
    if key == "jokers":
        return chance.randint(0, 3)
    return chance.randint(2, 6)


def random_setup(rules: HouseRules, chance: random.Random) -> Setup:
    """A table of 2 to 8 players with one to three packs, as the rules allow it."""
    while True:
        players = NAMES[: chance.randint(2, min(8, rules.max_players))]
        decks = chance.choice([None, *range(1, 1 + min(MOST_DECKS, rules.max_decks))])
        first = chance.choice(players) if chance.random() < 0.2 else None
        try:
            setup = Setup.new(rules, players, decks, chance.choice(players), first)
        except SetupError:
            continue
        if setup.decks <= MOST_DECKS:
            return setup
