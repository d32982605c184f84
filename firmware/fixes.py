"""Corrections that no event of the game can say: the table put right by those who sit at it.

A wrong card, count or player is an amendment, a pickup that was none an undo; those are the
engine's. Here is what sets the table itself: whose turn it is, how many cards somebody has,
what lies on the pile, and who has left. An undo takes a fix back like any event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import events
from engine.cards import Card, parse_card
from engine.errors import CardError, ScenarioError, one_of, shown
from engine.events import Event, Overrule, Undo
from engine.game import Game
from engine.ledger import bag_of
from engine.pile import lay, own_value
from engine.ruling import Ruling
from engine.table import NOBODY, Seat, Table, next_seat, with_cards
from engine.verdict import Must, Verdict

KEY = "fix"
MOST_CARDS = 432
"""Eight packs and their jokers: nobody can hold more."""


@dataclass(frozen=True, slots=True)
class SkipTo:
    """It is this player's turn."""

    player: str


@dataclass(frozen=True, slots=True)
class SetHand:
    """The player has so many cards in hand; face up and face down None: as thought."""

    player: str
    hand: int
    up: int | None = None
    down: int | None = None


@dataclass(frozen=True, slots=True)
class SetPile:
    """These cards lie on the pile, the lowest first; none: it is empty."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """The player has left the game: the seat is skipped and its cards are out of play."""

    player: str


Fix = SkipTo | SetHand | SetPile | Leave
Doing = Event | Fix
"""What can happen within a game."""


class FixError(ScenarioError):
    """A fix that this table cannot take; the message says why."""


def judged(game: Game, doing: Doing) -> tuple[Game, Ruling]:
    """The game after an event or a fix, and the ruling on it.

    A fix always stands; FixError if the table cannot be like that.
    """
    if not isinstance(doing, Fix):
        return game.judge(doing)
    table = fixed(game.table, doing)
    number = game.count + 1
    after = replace(Game.at(table), count=number, number=number, undone=game)
    # The ruling carries no event of the engine's: an undo says as little as there is to say.
    return after, Ruling(Verdict.LEGAL, None, Undo(), NOBODY, table)


def fixed(table: Table, fix: Fix) -> Table:
    """The table put right; FixError if it cannot be like that."""
    if table.over:
        raise FixError("the game is over; edit its result instead")
    if isinstance(fix, SetPile):
        return _with_pile(table, fix.cards)
    seat = table.setup.seat(fix.player, f"fix {_word(fix)}")
    if isinstance(fix, SkipTo):
        if not with_cards(table.seats[seat]):
            raise FixError(f"{fix.player} has no cards left; give a hand first, with fix hand")
        return replace(table, turn=seat, must=Must.PLAY, owes=False, last=None, passed_on=False)
    if isinstance(fix, SetHand):
        return _with_hand(table, seat, fix)
    return _without_player(table, seat)


def _word(fix: Fix) -> str:
    return str(to_json(fix)[KEY])


def _with_hand(table: Table, seat: int, fix: SetHand) -> Table:
    old = table.seats[seat]
    new = Seat(
        fix.hand,
        old.up if fix.up is None else fix.up,
        old.down if fix.down is None else fix.down,
    )
    if min(new) < 0:
        raise FixError(f"{fix.player} cannot have fewer than no cards")
    others = sum(sum(each) for i, each in enumerate(table.seats) if i != seat)
    lying = table.pile.size if table.pile else 0
    most = len(table.setup.deck) - others - lying
    if sum(new) > most:
        raise FixError(f"{fix.player} cannot have {sum(new)} cards; at most {most} are left")
    if not with_cards(new):
        raise FixError(f"{fix.player} would have no cards left; a play says so, or fix leave")
    ledger = table.ledger
    if sum(new) != sum(old):
        # The miscount came from somewhere, so what was thought to be in the hand may not be.
        ledger = ledger.emptied(seat)
    seats = (*table.seats[:seat], new, *table.seats[seat + 1 :])
    out = tuple(each for each in table.out if each != seat)
    away = tuple(each for each in table.away if each != seat)
    return replace(table, seats=seats, ledger=ledger, out=out, away=away, last=None)


def _with_pile(table: Table, cards: tuple[Card, ...]) -> Table:
    """The pile is these cards; those of the old one that are not there are anywhere."""
    rules, pile = table.setup.rules, None
    for card in cards:
        pile = lay(rules, pile, card, own_value(rules, card))
    old = table.ledger
    bag = bag_of(cards)
    ledger = replace(old, pile=bag, known=old.known - old.pile + bag)
    for card in set(cards):
        if ledger.free(card) < 0:
            raise FixError(f"{card} cannot lie there: it is out of the game or in a hand")
    must = Must.PLAY if table.must is Must.PICKUP else table.must
    return replace(
        table, pile=pile, ledger=ledger, must=must, begun=True, opening=False, owes=False, last=None
    )


def _without_player(table: Table, seat: int) -> Table:
    name = table.setup.players[seat]
    if not with_cards(table.seats[seat]):
        raise FixError(f"{name} has no cards left and is out of this game already")
    if sum(map(with_cards, table.seats)) <= 2:
        raise FixError(f"only two still play; without {name} there is no game: abandon it instead")
    seats = (*table.seats[:seat], Seat(0, 0, 0), *table.seats[seat + 1 :])
    ledger = table.ledger
    gone = ledger.gone + ledger.held[seat] + ledger.rows[seat]
    held = (*ledger.held[:seat], 0, *ledger.held[seat + 1 :])
    rows = (*ledger.rows[:seat], 0, *ledger.rows[seat + 1 :])
    turn, must = table.turn, table.must
    if turn == seat:
        turn, must = next_seat(seats, seat, table.step), Must.PLAY
    return replace(
        table,
        seats=seats,
        away=(*table.away, seat),
        ledger=replace(ledger, gone=gone, held=held, rows=rows),
        turn=turn,
        must=must,
        owes=table.owes and table.turn != seat,
        last=None,
    )


def inserted(game: Game, after: int, event: Event) -> list[Event]:
    """The events that put ``event`` into the past of the game, behind event ``after``.

    What followed is taken out and laid again. FixError if that event is not among those
    that can still be changed.
    """
    if not 0 <= after <= game.count:
        raise FixError(f"there is no event {after}; the last one is {game.count}")
    later: list[Game] = []
    for each in game.history():
        if each.number <= after:
            break
        later.append(each)
    else:
        bottom = later[-1].past if later else game
        if bottom is not None and bottom.count > after:
            raise FixError(f"event {after} cannot be reached: the table was set right after it")
    standing = [each for each in later if each.ruling is not None and each.ruling.stands]
    steps: list[Event] = [Undo(each.number) for each in standing]
    steps.append(event)
    for each in reversed(standing):
        if each.event is not None:
            steps.append(each.event)
            steps += [Overrule()] * each.forced
    return steps


# -- JSON ------------------------------------------------------------------------------------

_KEYS: dict[str, frozenset[str]] = {
    "skip": frozenset({"player"}),
    "hand": frozenset({"player", "hand", "up", "down"}),
    "pile": frozenset({"cards"}),
    "leave": frozenset({"player"}),
}


def to_json(doing: Doing) -> dict[str, Any]:
    """The event or fix as a JSON object."""
    if isinstance(doing, SkipTo):
        return {KEY: "skip", "player": doing.player}
    if isinstance(doing, SetHand):
        counts = {"hand": doing.hand, "up": doing.up, "down": doing.down}
        said = {key: count for key, count in counts.items() if count is not None}
        return {KEY: "hand", "player": doing.player, **said}
    if isinstance(doing, SetPile):
        return {KEY: "pile", "cards": [str(card) for card in doing.cards]}
    if isinstance(doing, Leave):
        return {KEY: "leave", "player": doing.player}
    return events.to_json(doing)


def from_json(data: object) -> Doing:
    """The event or fix of a JSON object; ScenarioError says what is wrong with it."""
    if not isinstance(data, Mapping) or KEY not in data:
        return events.from_json(data)
    kind = data[KEY]
    if not isinstance(kind, str) or kind not in _KEYS:
        raise ScenarioError(f"fix takes {one_of(_KEYS)}, not {shown(kind)}")
    strange = next((key for key in data if key != KEY and key not in _KEYS[kind]), None)
    if strange is not None:
        raise ScenarioError(f"fix {kind} has no key {shown(strange)}")
    if kind == "pile":
        return SetPile(_cards(data.get("cards")))
    player = data.get("player")
    if not isinstance(player, str):
        raise ScenarioError(f"fix {kind} takes a player's name, not {shown(player)}")
    if kind == "skip":
        return SkipTo(player)
    if kind == "leave":
        return Leave(player)
    hand = _count(data.get("hand"), "hand")
    up, down = (_count(data[key], key) if key in data else None for key in ("up", "down"))
    return SetHand(player, hand, up, down)


def _cards(codes: object) -> tuple[Card, ...]:
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise ScenarioError(f"fix pile takes a list of card codes, not {shown(codes)}")
    try:
        return tuple(map(parse_card, codes))
    except CardError as wrong:
        raise ScenarioError(f"fix pile: {wrong}") from None


def _count(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_CARDS:
        raise ScenarioError(f"{key} takes a number of cards, not {shown(value)}")
    return value


__all__ = [
    "Doing",
    "Fix",
    "FixError",
    "Leave",
    "SetHand",
    "SetPile",
    "SkipTo",
    "fixed",
    "from_json",
    "inserted",
    "judged",
    "to_json",
]
