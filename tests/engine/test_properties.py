"""What holds for any events whatever, in every rule set."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARDS
from engine.events import (
    Amend,
    Chance,
    Event,
    FaceUp,
    Lift,
    Overrule,
    Pass,
    PickUp,
    Play,
    Remove,
    Start,
    Swap,
    Undo,
    Zone,
)
from engine.game import Game
from engine.notation import parse_table, table_line
from engine.rules import preset, preset_names
from engine.say import languages, spoken, words
from engine.setup import Setup
from engine.table import Table
from tests.engine.tabletalk import seated

VARIED: dict[str, dict[str, object]] = {
    "norsk": {"series": "gaps", "sneak_three": True, "two": "again", "swap": True},
    "jokers": {"run_burn": True, "glass_ranks": ["3"], "glass_breaks_run": False},
    "classic": {"skip_ranks": ["8"], "reverse_ranks": ["K"], "take_face_up": True},
    "hat": {"series": "strict", "cut_in": "equal", "lower_ranks": ["7"], "lower_choice": True},
    "castle": {"jokers": 2, "pickup_ranks": ["JK"], "red_jack_deflects": True, "pairs": True},
    "idiota": {"cut_in": "fourth", "run_whole": False, "four_on_any": True, "turned_card": True},
}


def anything(chance: random.Random, game: Game) -> Event:
    """An event that may or may not make sense at this table, but often does."""
    setup, ledger = game.setup, game.ledger
    by = chance.choice(setup.players) if chance.random() < 0.15 else None
    seat = max(0, game.table.turn) if by is None else setup.players.index(by)
    likely = [card for card in CARDS if ledger.may_land(card, seat)] or list(CARDS)
    card = chance.choice(likely if chance.random() < 0.9 else CARDS)
    same = [each for each in likely if each.rank == card.rank and each != card]
    several = (card, *chance.sample(same, chance.randint(0, len(same))))
    kind = chance.random()
    if kind < 0.55:
        source = chance.choice(list(Zone)) if chance.random() < 0.1 else None
        mixed = tuple(chance.choices(likely, k=3)) if chance.random() < 0.1 else several
        count, under = chance.choice([1, 1, 2, 4]), chance.random() < 0.03
        return Play(mixed[:count], by, source, under, higher=chance.random() < 0.05)
    if kind < 0.7:
        return PickUp(by)
    if kind < 0.75:
        return Chance(card, by)
    if kind < 0.79:
        return Undo(chance.choice([None, None, chance.randint(1, game.count + 1)]))
    if kind < 0.83:
        meant = chance.choice([Play(several), Play((card,)), PickUp(), Start(card)])
        return Amend(chance.randint(1, game.count + 1), meant)
    if kind < 0.86:
        return FaceUp(((chance.choice(setup.players), several[:3]),))
    return chance.choice(
        [
            Start(card),
            Start(card),
            Pass(by),
            Remove(several, by),
            PickUp(by, several[:1]),
            Swap(several[:1], (chance.choice(likely),), by),
            Lift(chance.choice([None, card]), by),
        ]
    )


def told(setup: Setup, seed: int, length: int, overrules: bool) -> list[Game]:
    """The games after each of so many random events."""
    chance = random.Random(seed)
    games = [Game.new(setup)]
    for _ in range(length):
        event = anything(chance, games[-1])
        if overrules and chance.random() < 0.08:
            amends = chance.random() < 0.2
            event = (
                Amend(chance.randint(1, games[-1].count + 1), Overrule()) if amends else Overrule()
            )
        game, ruling = games[-1].judge(event)
        json.dumps(ruling.to_json(game.count))
        assert ruling.table is game.table
        assert ruling.stands or game.table is games[-1].table
        games.append(game)
    return games


def counted(table: Table) -> int:
    """All cards that the table accounts for."""
    ledger = table.ledger
    lying = 0 if table.pile is None else table.pile.size
    gone = sum(len(cards) for name, cards in ledger.places().items() if name == "gone")
    return sum(map(sum, table.seats)) + table.stock + lying + gone


cases = st.tuples(
    st.sampled_from(preset_names()), st.integers(2, 4), st.integers(1, 2), st.integers(0, 10**6)
)


def varied(rules: str, players: int, decks: int) -> Setup:
    """A table with moves that the preset alone does not have, and as many packs as may be."""
    least = -(-players // preset(rules).players_per_deck)
    most = preset(rules).max_decks
    return seated(players, rules, min(max(decks, least), most), **VARIED[rules])


@settings(max_examples=30, deadline=None)
@given(cases)
def test_any_events_leave_a_sound_table(case: tuple[str, int, int, int]) -> None:
    rules, players, decks, seed = case
    setup = varied(rules, players, decks)
    for game in told(setup, seed, 60, overrules=False):
        table, ledger = game.table, game.ledger
        assert counted(table) == len(setup.deck)
        assert min(min(seat) for seat in table.seats) >= 0
        assert ledger.known == ledger.pile + ledger.gone + sum(ledger.held) + sum(ledger.rows)
        assert parse_table(table_line(table), setup) == table
        assert table.over == (table.turn < 0)


@settings(max_examples=20, deadline=None)
@given(cases)
def test_any_events_and_overrules_raise_nothing(case: tuple[str, int, int, int]) -> None:
    rules, players, decks, seed = case
    setup = varied(rules, players, decks)
    for game in told(setup, seed, 60, overrules=True):
        assert min(min(seat) for seat in game.table.seats) >= 0
        assert table_line(game.table)
        ledger = game.ledger
        assert ledger.known == ledger.pile + ledger.gone + sum(ledger.held) + sum(ledger.rows)
        for player, (hand, up, _) in enumerate(game.table.seats if game.forced else ()):
            assert ledger.known_in(player, Zone.UP) <= up
            assert ledger.known_in(player, Zone.HAND) <= hand


@settings(max_examples=25, deadline=None)
@given(cases, st.sampled_from(languages()))
def test_no_sentence_lacks_a_name_or_a_card(case: tuple[str, int, int, int], language: str) -> None:
    rules, players, decks, seed = case
    plain = set(words(language)["plain"].values())
    for game in told(varied(rules, players, decks), seed, 60, overrules=True):
        if game.ruling is not None:
            assert plain.isdisjoint(spoken(game.ruling, language))


@settings(max_examples=12, deadline=None)
@given(cases)
def test_undo_is_exact(case: tuple[str, int, int, int]) -> None:
    rules, players, _, seed = case
    games = told(seated(players, rules), seed, 40, overrules=True)
    for before, after in pairwise(games):
        changed = after.ruling is not None and after.ruling.stands
        plain = changed and not isinstance(after.event, Undo) and after.past is before
        if plain:
            back, ruling = after.judge(Undo())
            assert ruling.stands
            assert back.table is before.table


@settings(max_examples=12, deadline=None)
@given(cases)
def test_the_same_events_fold_to_the_same_table(case: tuple[str, int, int, int]) -> None:
    rules, players, _, seed = case
    setup = seated(players, rules)
    one = told(setup, seed, 40, overrules=True)[-1]
    other = told(setup, seed, 40, overrules=True)[-1]
    assert one.table == other.table
    assert table_line(one.table) == table_line(other.table)


@pytest.mark.parametrize("rules", preset_names())
def test_undo_to_the_beginning(rules: str) -> None:
    setup = seated(3, rules)
    game = told(setup, 1, 80, overrules=True)[-1]
    for _ in range(100):
        game, _ = game.judge(Undo())
    assert game.table == Table.new(setup)
