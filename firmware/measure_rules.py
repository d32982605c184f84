"""How fast the rules are: a night folded again, long games, make-believe games."""

from __future__ import annotations

import statistics
import time
from collections import Counter

from engine import events
from engine.cards import parse_card
from engine.game import Game
from engine.setup import classic
from engine.simulate import Dealer, Lay, Start, TakePile

NIGHT = (10, 120)
"""The games of a night, and the plays of each."""

LENGTHS = (100, 1_000, 10_000)
"""After how many events the next ones are timed."""


def refold_ms() -> float:
    """The time in ms to fold the events of a whole night again."""
    setup = classic("Ann", "Bob", "Cat")
    games, plays = NIGHT
    nights = [_facts(seed, plays) for seed in range(games)]
    started = time.perf_counter()
    for night in nights:
        Game.fold(setup, night)
    return 1000 * (time.perf_counter() - started)


def growth(rounds: int = 5) -> list[float]:
    """The cost of an event after each of LENGTHS, in costs after the first of them; medians.

    The same events are played in a circle, and the lengths are timed by turns.
    """
    begun = Game.new(classic("Ann", "Bob", "Cat"))
    for fact in (events.Start(parse_card("3C")), events.PickUp()):
        begun, _ = begun.judge(fact)
    games = [_around(begun, length) for length in LENGTHS]
    times: list[list[float]] = [[] for _ in games]
    for _ in range(rounds):
        for game, taken in zip(games, times, strict=True):
            started = time.perf_counter()
            _around(game, 400)
            taken.append(time.perf_counter() - started)
    medians = [statistics.median(taken) for taken in times]
    return [median / medians[0] for median in medians]


def games_per_second(games: int) -> float:
    """How many make-believe games are dealt, played and judged in a second."""
    setup = classic("Ann", "Bob", "Cat")
    started = time.perf_counter()
    for seed in range(games):
        Game.fold(setup, _facts_of(Dealer(setup, seed)))
    return games / (time.perf_counter() - started)


def _facts(seed: int, plays: int) -> list[events.Fact]:
    """The events of make-believe games, one after the other where one is too short."""
    found: list[events.Fact] = []
    while Counter(map(type, found))[events.Play] < plays:
        found += _facts_of(Dealer(classic("Ann", "Bob", "Cat"), seed))
        seed += 1000
    return found


def _facts_of(dealer: Dealer) -> list[events.Fact]:
    told: list[events.Fact] = []
    for act in dealer:
        if isinstance(act, Start):
            told.append(events.Start(act.card))
        elif isinstance(act, Lay):
            told.append(events.Play(act.cards))
        elif isinstance(act, TakePile):
            told.append(events.PickUp())
    return told


def _around(game: Game, length: int) -> Game:
    """The game after so many more events, rounded up: a card is laid, taken, and laid again."""
    circle = [
        fact
        for code in ("5C", "3C") * 3
        for fact in (events.Play((parse_card(code),)), events.PickUp())
    ]
    for _ in range(0, length, len(circle)):
        for fact in circle:
            game, _ = game.judge(fact)
    return game
