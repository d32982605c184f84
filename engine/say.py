"""What is said: short lines composed from a catalogue of words, one for each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import TYPE_CHECKING

from engine.cards import Card
from engine.errors import PilewatchError, one_of, shown
from engine.events import (
    Amend,
    Chance,
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
)
from engine.verdict import Must, Note, Reason

if TYPE_CHECKING:
    from engine.ruling import Ruling

Words = dict[str, dict[str, str]]


def languages() -> tuple[str, ...]:
    """The languages there are words for, by their two-letter codes."""
    folder = resources.files("engine") / "words"
    return tuple(
        sorted(
            entry.name[: -len(".toml")]
            for entry in folder.iterdir()
            if entry.name.endswith(".toml")
        )
    )


@cache
def words(language: str) -> Words:
    """The catalogue of a language; PilewatchError lists those there are."""
    if language not in languages():
        raise PilewatchError(
            f"there are no words for the language {shown(language)}; expected {one_of(languages())}"
        )
    text = (resources.files("engine") / "words" / f"{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


def sentence(ruling: Ruling, language: str = "en") -> str:
    """The whole ruling in words."""
    return " ".join(spoken(ruling, language))


def spoken(ruling: Ruling, language: str = "en") -> list[str]:
    """The ruling as sentences, the most important first where one is enough."""
    catalogue = words(language)
    inner = ruling.innermost
    if not ruling.stands:
        # An amendment is refused where its event would stand: on the table that lay there.
        return [filled(catalogue, "refusals", _refused(inner), _parts(inner, catalogue))]
    parts = _parts(ruling, catalogue)
    lines = [filled(catalogue, "lines", key, parts) for key in _keys(ruling)]
    if inner is not ruling and inner.table is ruling.table:
        told = [key for key in _keys(inner) if key in _NEWS]
        lines += [filled(catalogue, "lines", key, _parts(inner, catalogue)) for key in told]
    notes = [note.value for note in ruling.notes if note not in _SAID_ALREADY]
    lines += [filled(catalogue, "notes", note, parts) for note in notes]
    if ruling.table.turn in ruling.table.lifted and not ruling.table.over:
        lines.append(filled(catalogue, "lines", "lifted", parts))
    for seat in ruling.finished:
        place = str(ruling.table.out.index(seat) + 1)
        out = {
            "player": ruling.table.setup.players[seat],
            "place": catalogue["places"].get(place, place),
        }
        lines.append(filled(catalogue, "lines", "out", out))
    if ruling.finished and ruling.table.over:
        key = "over" if ruling.loser is None else "loser"
        lines.append(filled(catalogue, "lines", key, parts))
    return lines


def filled(catalogue: Words, section: str, key: str, parts: Mapping[str, str]) -> str:
    """A line of the catalogue as a sentence, its blanks filled in.

    Where something for a blank is missing or empty, a line without blanks says less.
    """
    line = catalogue[section][key]
    if not all(parts.get(blank) for blank in blanks(line)):
        line = catalogue["plain"]["refused" if section.endswith("refusals") else "stands"]
    return capital(line.format_map(parts), catalogue)


@cache
def blanks(line: str) -> tuple[str, ...]:
    """What a line of the catalogue names: ``player``, ``top`` and so on."""
    return tuple(name for _, name, _, _ in Formatter().parse(line) if name is not None)


_SAID_ALREADY = (Note.COULD_PLAY, Note.NO_LAST_CARD, Note.TURN_ANOTHER)
"""Notes that have a line of their own in place of the usual one."""

_NEWS = (
    "burn_again",
    "burn_next",
    "burn",
    "passed_on",
    "blind_fails",
    "finish_fails",
    "chance_fails",
    "start_again",
)
"""Lines that are told also of what was amended or overruled: somebody must act otherwise."""

_PLAIN: dict[type, str] = {
    FaceUp: "faceup",
    Swap: "swap",
    Remove: "remove",
    Lift: "lift",
    Overrule: "overrule",
}
"""Events of which there is one thing to say."""


def _refused(ruling: Ruling) -> str:
    """The line of the catalogue that tells why it does not stand."""
    if ruling.reason is Reason.HAND_FIRST and not ruling.table.seats[ruling.player].hand:
        return "hand_first_up"
    return ruling.why or ""


def _keys(ruling: Ruling) -> list[str]:
    """The lines of the catalogue that tell what happened."""
    event, notes = ruling.event, ruling.notes
    if type(event) in _PLAIN:
        return [_PLAIN[type(event)]]
    if isinstance(event, Start):
        return ["start_again" if Note.TURN_ANOTHER in notes else "start"]
    if isinstance(event, (Undo, Amend)):
        key = "undo" if isinstance(event, Undo) else "amend"
        return [key, "fallen"] if ruling.fallen else [key]
    if isinstance(event, PickUp):
        return ["pickup_could" if Note.COULD_PLAY in notes else "pickup"]
    if isinstance(event, Pass):
        return ["pass_last" if Note.NO_LAST_CARD in notes else "pass"]
    return _keys_of_cards(ruling)


def _keys_of_cards(ruling: Ruling) -> list[str]:
    """The same for cards that came onto the pile."""
    chance = isinstance(ruling.event, Chance)
    if ruling.burn:
        if ruling.table.over:
            return ["burn"]
        return ["burn_again" if ruling.table.turn == ruling.player else "burn_next"]
    if ruling.must is Must.PICKUP and ruling.table.passed_on:
        return ["play", "passed_on"]
    if chance:
        return ["chance_fails" if ruling.must is Must.PICKUP else "chance"]
    if ruling.reason is not None:
        return ["finish_fails"]
    return ["blind_fails" if ruling.must is Must.PICKUP else "play"]


def _parts(ruling: Ruling, catalogue: Words) -> dict[str, str]:
    """Everything that a line may name; what there is not is left out."""
    table, event = ruling.table, ruling.event
    cards = _cards_of(event)
    under = table.pile
    if ruling.stands and under is not None and isinstance(event, Play):
        for _ in event.cards:
            under = None if under is None else under.below
    card = ruling.card or (cards[0] if cards else None)
    parts = {
        "player": table.name(ruling.player),
        "next": table.name(table.turn),
        "loser": table.name(table.loser),
        "cards": _several(cards, catalogue),
        "card": None if card is None else catalogue["one"][card.rank.code],
        "top": None if under is None else catalogue["a"][under.card.rank.code],
    }
    return {name: part for name, part in parts.items() if part}


def _cards_of(event: object) -> tuple[Card, ...]:
    if isinstance(event, (Play, Remove, Swap)):
        return event.cards
    if isinstance(event, PickUp):
        return event.along
    card = getattr(event, "card", None)
    return (card,) if isinstance(card, Card) else ()


def _several(cards: tuple[Card, ...], catalogue: Words) -> str:
    """``seven``, ``two sevens``, or ``seven and eight`` where the ranks differ."""
    ranks = [card.rank.code for card in cards]
    if len(set(ranks)) > 1:
        return _joined([catalogue["one"][rank] for rank in ranks], catalogue["list"]["and"])
    if len(ranks) == 1:
        return catalogue["one"][ranks[0]]
    count = catalogue["numbers"].get(str(len(ranks)), str(len(ranks)))
    return f"{count} {catalogue['many'][ranks[0]]}" if ranks else ""


def _joined(names: list[str], last: str) -> str:
    return last.join(filter(None, [", ".join(names[:-1]), names[-1]]))


def capital(line: str, catalogue: Words) -> str:
    """``line`` with a capital in front, as the language has it: in Azerbaijani i becomes İ."""
    return catalogue["letters"].get(line[:1], line[:1].upper()) + line[1:]
