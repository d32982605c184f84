"""From what somebody says is wrong to the events and fixes that put it right.

Nothing here changes anything: a ``Repair`` can be tried on the game and then written down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.events import Amend, Event, Overrule, PickUp, Play, Start, Undo
from engine.game import Game
from engine.ruling import Ruling
from engine.verdict import Reason
from firmware.fixes import Doing, Fix, FixError, inserted, judged
from firmware.tell import Called
from firmware.words import say


@dataclass(frozen=True)
class Repair:
    """A game put right: what was done, the game after it, and what is to be told of it."""

    doings: tuple[Doing, ...]
    game: Game
    called: tuple[Called, ...]


def repair(game: Game, doings: list[Doing], main: int = 0) -> Repair:
    """The game after these; FixError if number ``main`` of them does not stand.

    Only the main one is told, and those of the others that no longer stand.
    """
    called: list[Called] = []
    for number, doing in enumerate(doings):
        player = game.table.name(game.table.turn)
        before = game.table.pile.size if game.table.pile else 0
        game, ruling = judged(game, doing)
        if number == main and not ruling.stands:
            why = say(f"reason.{ruling.why}") if ruling.why else ruling.say
            raise FixError(f"that cannot be: {why}")
        if number == main or (number > main and not ruling.stands):
            called.append(Called(0, 0.0, game.count, doing, ruling, player, before, True))
    return Repair(tuple(doings), game, tuple(called))


def cards(game: Game, number: int, laid: tuple[Card, ...]) -> Repair:
    """Event ``number`` was really of these cards."""
    event = _event(game, number)
    if isinstance(event, Start):
        if len(laid) > 1:
            raise FixError("one card is turned up to begin the pile")
        return repair(game, [Amend(number, Start(laid[0]))])
    if not isinstance(event, Play):
        raise FixError(f"event {number} laid no cards")
    return repair(game, [Amend(number, replace(event, cards=laid))])


def count(game: Game, number: int | None, more: int) -> Repair:
    """The last play, or event ``number``, was of one card more of the same, or one fewer."""
    number = _last_play(game) if number is None else number
    event = _event(game, number)
    if not isinstance(event, Play):
        raise FixError(f"event {number} laid no cards")
    if more > 0:
        laid: tuple[Card, ...] = (*event.cards, Card(event.cards[-1].rank, None))
    else:
        laid = event.cards[:-1]
    if not laid:
        raise FixError(f"event {number} was of one card; fix undo {number} takes it out")
    return repair(game, [Amend(number, replace(event, cards=laid))])


def player(game: Game, number: int, name: str) -> Repair:
    """Event ``number`` was somebody else's."""
    event = _event(game, number)
    if not isinstance(event, Play | PickUp):
        raise FixError(f"event {number} was nobody's in particular")
    game.setup.seat(name, "fix player")
    amended = Amend(number, replace(event, by=name))
    if judged(game, amended)[1].reason is Reason.NOT_YOUR_TURN:
        # It was out of turn, and the table lets it stand; what is told is whose it was.
        done = repair(game, [amended, Overrule()], 1)
        return replace(done, called=(replace(done.called[0], event=amended), *done.called[1:]))
    return repair(game, [amended])


def missed(game: Game, after: int, event: Event) -> Repair:
    """``event`` happened after event ``after`` and was missed."""
    steps = inserted(game, after, event)
    return repair(game, list(steps), steps.index(event))


def undone(game: Game, number: int | None) -> Repair:
    """The last event, or event ``number``, never happened."""
    return repair(game, [Undo(number)])


def stands(game: Game) -> Repair:
    """The table lets what was refused last stand."""
    return repair(game, [Overrule()])


def fixed(game: Game, fix: Fix) -> Repair:
    """The table is set right."""
    return repair(game, [fix])


def recent(game: Game, many: int = 12) -> list[tuple[int, Event, Ruling]]:
    """The latest events that can be named by their number, the earliest first."""
    found = [
        (each.number, each.event, each.ruling)
        for each, _ in zip(game.history(), range(many), strict=False)
        if each.event is not None and each.ruling is not None
    ]
    return found[::-1]


def settings(game: Game, doings: Iterable[Doing]) -> list[tuple[int, Fix]]:
    """The fixes that hold, each with its number, the earliest first; ``doings`` made the game."""
    made: dict[int, Fix] = {}
    played = Game.new(game.setup)
    for doing in doings:
        played, _ = judged(played, doing)
        if isinstance(doing, Fix):
            made[played.number] = doing
    found: list[tuple[int, Fix]] = []
    node: Game | None = game
    while node is not None:
        if node.event is None and node.number in made:
            found.append((node.number, made[node.number]))
        node = node.undone if node.event is None else node.past
    return found[::-1]


def _event(game: Game, number: int) -> Event:
    for each in game.history():
        if each.number == number and each.event is not None:
            return each.event
    raise FixError(f"there is no event {number} that can still be put right; see pilewatch fix")


def _last_play(game: Game) -> int:
    for each in game.history():
        if isinstance(each.event, Play):
            return each.number
    raise FixError("no cards have been laid yet")
