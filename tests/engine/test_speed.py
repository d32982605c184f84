"""How much the referee may cost."""

from __future__ import annotations

import time

from engine.events import Event, PickUp, Play, Start, Undo
from engine.game import Game
from engine.setup import classic
from engine.simulate import Dealer, Lay, TakePile
from engine.simulate import Start as Turned


def night(plays: int) -> list[list[Event]]:
    """The events of games of four until so many plays have been made."""
    games: list[list[Event]] = []
    while sum(map(len, games)) < plays:
        events: list[Event] = []
        for act in Dealer(classic("Ann", "Bob", "Cat", "Dan"), seed=len(games)):
            if isinstance(act, Turned):
                events.append(Start(act.card))
            elif isinstance(act, Lay):
                events.append(Play(act.cards))
            elif isinstance(act, TakePile):
                events.append(PickUp())
        games.append(events)
    return games


def seconds(games: list[list[Event]]) -> float:
    """Processor seconds to fold all games, the best of five."""
    setup = classic("Ann", "Bob", "Cat", "Dan")
    best = float("inf")
    for _ in range(5):
        begun = time.process_time()
        for events in games:
            Game.fold(setup, events)
        best = min(best, time.process_time() - begun)
    return best


def test_a_night_of_1200_plays_is_folded_again_in_a_moment() -> None:
    assert seconds(night(1200)) < 0.15


def test_an_event_late_in_a_long_game_costs_what_an_early_one_does() -> None:
    back_and_forth: list[Event] = night(1)[0][:30]
    long = back_and_forth + [event for _ in range(3000) for event in (PickUp(), Undo())]
    short = back_and_forth + [event for _ in range(300) for event in (PickUp(), Undo())]
    assert seconds([long]) < 30 * seconds([short])


def test_a_very_long_history_is_let_go_of() -> None:
    game = Game.new(classic("Ann", "Bob"))
    for _ in range(30_000):
        game, _ = game.judge(PickUp())
    assert game.count == 30_000
    del game
