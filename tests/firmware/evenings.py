"""Evenings made up from a seed: what is written into the journal, batch by batch.

The referee's own game is no part of it: the plays come from the simulated table, which knows
the rules by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from engine import events, simulate
from engine.events import Event, Play, Undo
from engine.game import Game
from engine.rules import preset
from engine.setup import Setup
from firmware.fixes import Doing, Leave, SetHand, SkipTo, judged
from firmware.night.acts import Act, Began, Closed, Did, Ended, Joined, Left, Opened, Renamed
from firmware.night.night import result_of

PEOPLE = ("Åse Ærlig", "Gülşən Əliyeva", "Íñigo Muñoz", "ليلى", "🦊", "👩‍🚀", "Bob", "Cat")

Batch = tuple[Act, ...]


def plays(setup: Setup, seed: int) -> list[Event]:
    """A whole game of the simulated table as events."""
    dealer = simulate.Dealer(setup, seed)
    rows: list[Event] = [events.FaceUp(tuple(dealer.rows.items()))]
    return rows + [event for act in dealer for event in _events(act)]


def _events(act: simulate.Act) -> list[Event]:
    if isinstance(act, simulate.Start):
        return [events.Start(act.card)]
    if isinstance(act, simulate.Lay):
        return [events.Play(act.cards)]
    if isinstance(act, simulate.TakePile):
        return [events.PickUp()]
    return []


def evening(
    seed: int, games: int = 3, players: int = 3, unrest: float = 0.0, close: bool = True
) -> Iterator[Batch]:
    """The batches of one evening.

    ``unrest`` is how often something other than a play happens: undos, amendments, fixes,
    renaming, leaving. With it games need not come to an end.
    """
    chance = random.Random(seed)
    names = list(PEOPLE[:players])
    yield (Opened(), *(Joined(name) for name in names))
    fresh = 0
    for number in range(games):
        setup = Setup.new(preset("classic"), tuple(names), dealer=names[number % len(names)])
        yield (Began(setup),)
        game, done = Game.new(setup), []
        for event in plays(setup, seed * 1000 + number):
            doings: list[Doing] = [event]
            if chance.random() < unrest:
                doings.append(_mischief(game, event, chance))
            for doing in doings:
                if game.table.over:
                    break
                doing = _named(doing, game)
                game, _ = judged(game, doing)
                done.append(doing)
                batch: list[Act] = [Did(doing)]
                if game.table.over:
                    batch.append(Ended(result_of(game), len(done)))
                yield tuple(batch)
            if game.table.over:
                break
            if chance.random() < unrest / 4:
                old, new = chance.choice(names), f"Newcomer {fresh} 🎩"
                fresh += 1
                names[names.index(old)] = new
                yield (Renamed(old, new),)
                # The simulated table goes on with seats; here names are only looked up.
                game = _renamed(game, done, old, new)
        else:
            if game.table.over is False:
                from firmware.night.acts import Abandoned

                yield (Abandoned("it never ended"),)
    if unrest:
        yield (Left(names[-1]), Joined("Dan"))
    if close:
        yield (Closed(),)


def _mischief(game: Game, event: Event, chance: random.Random) -> Doing:
    table = game.table
    holders = [n for n, seat in zip(table.setup.players, table.seats, strict=True) if sum(seat)]
    name = chance.choice(holders)
    seat = table.seats[table.setup.players.index(name)]
    choices: list[Doing] = [Undo(), SkipTo(name), SetHand(name, max(1, seat.hand - 1))]
    if isinstance(event, Play):
        choices.append(events.Amend(max(1, game.count), event))
        choices.append(events.Overrule())
    if len(holders) > 2:
        choices.append(Leave(name))
    return chance.choice(choices)


def _named(doing: Doing, game: Game) -> Doing:
    """A fix that the table cannot take any more becomes an undo."""
    try:
        judged(game, doing)
    except Exception:
        return Undo()
    return doing


def _renamed(game: Game, done: list[Doing], old: str, new: str) -> Game:
    from firmware.night.night import Night

    setup = game.setup
    night = Night.fold(
        [Opened(), *map(Joined, setup.players), Began(setup), *map(Did, done), Renamed(old, new)]
    )
    done[:] = night.rounds[-1].doings
    return replace(night.rounds[-1]).game()
