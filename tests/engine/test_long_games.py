"""Games far longer than any evening; how fast they go is for ``pilewatch bench`` to say."""

from __future__ import annotations

from engine.events import PickUp, Undo
from engine.game import Game
from engine.setup import classic


def test_a_very_long_history_is_kept_and_let_go_of() -> None:
    game = Game.new(classic("Ann", "Bob"))
    for _ in range(30_000):
        game, _ = game.judge(PickUp())
    assert game.count == 30_000
    del game


def test_taking_back_and_doing_again_a_thousand_times_changes_nothing() -> None:
    start = Game.new(classic("Ann", "Bob"))
    game, first = start.judge(PickUp())
    for _ in range(1000):
        game, _ = game.judge(Undo())
        game, again = game.judge(PickUp())
        assert again.verdict == first.verdict
    assert game.table == start.judge(PickUp())[0].table
