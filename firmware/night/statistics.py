"""What people laugh about afterwards, counted from the plays of a night."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.events import PickUp, Play, Zone
from engine.game import Game
from engine.verdict import Must, Verdict
from firmware.night.night import Night, Round


@dataclass
class Deeds:
    """What one player did in a night.

    ``fastest_out`` is the fewest plays with which a game was finished, ``best`` and ``worst``
    are the longest rows of games won and lost; ``pickup`` is the biggest pile taken.
    """

    games: int = 0
    plays: int = 0
    burns: int = 0
    pickups: int = 0
    taken: int = 0
    pickup: int = 0
    illegal: int = 0
    overruled: int = 0
    blind: int = 0
    blind_luck: int = 0
    fastest_out: int | None = None
    best: int = 0
    worst: int = 0


@dataclass
class Statistics:
    """The deeds of each player, and how many plays each game took (by its number)."""

    deeds: dict[str, Deeds] = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=dict)

    @property
    def longest(self) -> int | None:
        """The number of the game with the most plays."""
        return max(self.lengths, key=lambda number: self.lengths[number], default=None)

    def most(self, what: str) -> tuple[str, int] | None:
        """Who has the most of a deed, and how much; None if nobody has any."""
        counts = {name: int(getattr(deeds, what) or 0) for name, deeds in self.deeds.items()}
        name = max(counts, key=lambda each: counts[each], default=None)
        return None if name is None or not counts[name] else (name, counts[name])

    @property
    def quickest(self) -> tuple[str, int] | None:
        """Who was out with the fewest plays, and how many those were."""
        done = {n: d.fastest_out for n, d in self.deeds.items() if d.fastest_out is not None}
        name = min(done, key=lambda each: done[each], default=None)
        return None if name is None else (name, done[name])


def statistics_of(night: Night) -> Statistics:
    """The statistics of a night whose plays were read; games abandoned do not count."""
    found = Statistics({name: Deeds() for name in night.players})
    for played in night.rounds:
        if played.abandoned is None:
            _count_game(found, played)
    for name, deeds in found.deeds.items():
        games = [each for each in night.counted if name in each.setup.players]
        deeds.games = len(games)
        deeds.best = _row(each.result is not None and each.result.winner == name for each in games)
        deeds.worst = _row(each.result is not None and each.result.loser == name for each in games)
    return found


def deeds_in(played: Round) -> dict[str, Deeds]:
    """What each player did in one game."""
    found = Statistics({name: Deeds() for name in played.setup.players})
    _count_game(found, played)
    return found.deeds


def _count_game(found: Statistics, played: Round) -> None:
    names = played.setup.players
    plays = dict.fromkeys(names, 0)
    for game in reversed(list(line(played.game()))):
        ruling, before = game.ruling, game.past
        if ruling is None or before is None or ruling.player < 0:
            continue
        name = names[ruling.player]
        deeds = found.deeds.setdefault(name, Deeds())
        if ruling.verdict is Verdict.ILLEGAL:
            deeds.illegal += 1
        if not ruling.stands:
            continue
        deeds.burns += ruling.burn
        deeds.overruled += game.forced
        if isinstance(game.event, Play):
            plays[name] += 1
            deeds.plays += 1
            hand, up, down = before.table.seats[ruling.player]
            if game.event.source is Zone.DOWN or (down and not hand and not up):
                deeds.blind += 1
                deeds.blind_luck += ruling.must is not Must.PICKUP
        elif isinstance(game.event, PickUp):
            size = (before.table.pile.size if before.table.pile else 0) + len(game.event.along)
            deeds.pickups += 1
            deeds.taken += size
            deeds.pickup = max(deeds.pickup, size)
        for seat in ruling.finished:
            done, best = plays[names[seat]], found.deeds[names[seat]].fastest_out
            found.deeds[names[seat]].fastest_out = done if best is None else min(best, done)
    # A game that only its result is known of has no length.
    if sum(plays.values()):
        found.lengths[played.number] = sum(plays.values())


def line(game: Game) -> Iterator[Game]:
    """The games whose events stand or were refused, the latest first, across all fixes."""
    node: Game | None = game
    while node is not None:
        if node.event is None:
            node = node.undone
        else:
            yield node
            node = node.past


def _row(hits: Iterable[bool]) -> int:
    """The longest unbroken row of hits."""
    longest = now = 0
    for hit in hits:
        now = now + 1 if hit else 0
        longest = max(longest, now)
    return longest
