"""The referee, shown only what camera and buttons see, against the dealer who knows all."""

from __future__ import annotations

import pytest

from engine import events
from engine.errors import SetupError
from engine.game import Game
from engine.rules import preset
from engine.ruling import Ruling
from engine.setup import Setup, classic
from engine.simulate import ClearBurn, Dealer, Lay, Start, TakeBack, TakePile, Truth

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")


def check(ruling: Ruling, truth: Truth, where: str) -> None:
    assert ruling.turn == truth.turn, where
    assert ruling.must.value == truth.must, where
    assert ruling.stock == truth.stock, where
    assert ruling.out == truth.out, where
    assert ruling.loser == truth.loser, where
    assert ruling.pile == len(truth.pile), where
    counts = {name: (each.hand, each.up, each.down) for name, each in truth.hands.items()}
    assert {name: tuple(seat) for name, seat in ruling.hands.items()} == counts, where


def follow(setup: Setup, seed: int, rows_known: bool, mischief: float = 0.1) -> int:
    dealer = Dealer(setup, seed, mischief)
    game = Game.new(setup)
    if rows_known:
        game, ruling = game.judge(events.FaceUp(tuple(dealer.rows.items())))
        assert ruling.stands
    for number, act in enumerate(dealer):
        where = f"{setup.players}, seed {seed}, act {number}: {act}"
        if isinstance(act, Start):
            game, ruling = game.judge(events.Start(act.card))
        elif isinstance(act, Lay):
            player = setup.players.index(act.player)
            if number % 8 == 0:
                before, known = game.prior(), game.ledger.prior(player)
                assert all(before[card] > 0 and known[card] > 0 for card in act.cards), where
            assert all(game.ledger.may_land(card, player) for card in act.cards), where
            game, ruling = game.judge(events.Play(act.cards))
            assert ruling.verdict.value == act.verdict, where
            assert (ruling.reason and ruling.reason.value) == act.reason, where
            assert (ruling.burn, ruling.removed) == (act.burn, act.removed), where
        elif isinstance(act, TakePile):
            game, ruling = game.judge(events.PickUp())
            assert ruling.stands, where
        else:
            assert isinstance(act, (TakeBack, ClearBurn))
        check(ruling, act.truth, where)
    assert game.table.over
    return len(dealer.acts)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rows_known", [False, True], ids=["rows-unseen", "rows-seen"])
def test_referee_sees_what_the_dealer_knows(players: int, rows_known: bool) -> None:
    setup = classic(*NAMES[:players])
    for seed in range(12):
        follow(setup, seed, rows_known)


def test_referee_sees_what_the_dealer_knows_with_two_packs() -> None:
    setup = Setup.from_json({"rules": "classic", "players": list(NAMES), "decks": 2})
    for seed in range(12):
        follow(setup, seed, rows_known=seed % 2 == 0)


VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "jokers": ("jokers", {}),
    "jokers with runs": ("jokers", {"run_burn": True, "ten_on_seven": True, "jokers": 4}),
    "sevens on lower cards": ("jokers", {"lower_on_higher": False}),
    "norsk": ("norsk", {}),
    "norsk, the same after a two": ("norsk", {"two": "again"}),
    "hat": ("hat", {}),
    "hat, the same after a run": ("hat", {"after_run": "same"}),
    "castle": ("castle", {}),
    "idiota": ("idiota", {}),
    "four a row": ("classic", {"hand": 4, "up": 4, "down": 4, "run_length": 3}),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_referee_sees_what_the_dealer_knows_by_other_rules(variant: str) -> None:
    name, options = VARIANTS[variant]
    rules = preset(name).override(options)
    for seed in range(12):
        players = 2 + seed % min(4, rules.max_players - 1)
        setup = Setup.new(rules, NAMES[:players], 2 if rules.hand == 4 else None)
        follow(setup, seed, rows_known=seed % 3 > 0)


def test_dealer_refuses_rules_that_its_players_do_not_know() -> None:
    setup = Setup.new(preset("classic").override({"glass_ranks": ["3"]}), NAMES[:3])
    with pytest.raises(SetupError, match="cannot play with a changed glass_ranks"):
        Dealer(setup, 1)


def test_dealer_plays_the_same_game_for_the_same_seed() -> None:
    assert Dealer(classic("Ann", "Bob"), 7).acts == Dealer(classic("Ann", "Bob"), 7).acts
    assert Dealer(classic("Ann", "Bob"), 7).acts != Dealer(classic("Ann", "Bob"), 8).acts


def test_dealer_ends_every_game_with_one_loser() -> None:
    for seed in range(24):
        dealer = Dealer(classic(*NAMES[: 2 + seed % 4]), seed)
        last = dealer.acts[-1].truth
        assert last.turn is None
        assert last.loser is not None
        assert len(last.out) == len(dealer.setup.players) - 1
