"""The statistics of a night as sentences, the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from firmware.clock import day_and_hour
from firmware.night.names import legible
from firmware.night.night import Night
from firmware.night.statistics import Statistics
from firmware.words import say

_MOST = ("pickup", "burns", "illegal", "blind_luck", "overruled")
_ROWS = ("best", "worst")
SHORTEST_ROW = 2

_T = TypeVar("_T")


def as_it_is(name: str) -> str:
    """A name in a sentence, where nothing need be done about it."""
    return name


def facts(statistics: Statistics, named: Callable[[str], str] = as_it_is) -> list[str]:
    """What is worth telling; nothing where nothing happened. ``named`` writes a name."""
    lines = []
    longest = statistics.longest
    if longest is not None:
        lines.append(say("fact.longest", game=longest, count=statistics.lengths[longest]))
    if statistics.quickest:
        name, count = statistics.quickest
        lines.append(say("fact.quickest", name=named(name), count=count))
    for what in (*_MOST, *_ROWS):
        most = statistics.most(what)
        if most and (what in _MOST or most[1] >= SHORTEST_ROW):
            lines.append(say(f"fact.{what}", name=named(most[0]), count=most[1]))
    return lines


def standing(night: Night, named: Callable[[str], str] = as_it_is) -> list[str]:
    """Where the night stands, and what comes next. ``named`` writes a name."""
    score, lines = night.score, stakes(night)
    if not night.counted:
        lines.append(say("night.none"))
    if score.loser is not None:
        lines.append(say("night.over", name=named(score.loser), word=score.word))
    if score.hat is not None:
        lines.append(say("night.hat", name=named(score.hat)))
    current = night.current
    if current is not None:
        table = current.game().table
        if night.open and not table.over:
            pile = table.pile.size if table.pile else 0
            turn = named(table.name(table.turn) or "")
            lines.append(say("night.game_on", number=current.number, turn=turn, pile=pile))
        else:
            lines.append(say("night.game_waits", number=current.number))
    elif score.dealer is not None and night.still_on and len(night.seats) > 1:
        if score.starter is None:
            lines.append(say("night.next_cards", dealer=named(score.dealer)))
        else:
            both = {"dealer": named(score.dealer), "starter": named(score.starter)}
            lines.append(say("night.next", **both))
    return lines


def stakes(night: Night) -> list[str]:
    """What the night is played for, as far as that is known before the rules of a game say it."""
    lines, word = [], night.score.word
    if word:
        lines.append(say("night.word", word=word))
    elif night.terms.word is not None:
        lines.append(say("night.no_word"))
    if night.terms.points:
        lines.append(say("night.for_places", points=", ".join(map(str, night.terms.points))))
    return lines


def seated_first(players: Sequence[_T], night: Night, name: Callable[[_T], str]) -> list[_T]:
    """The players as they sit, and after them those who have left; ``name`` is who one is."""
    places = {each: seat for seat, each in enumerate(night.seats)}
    return sorted(players, key=lambda each: places.get(name(each), len(places)))


def remarks(night: Night) -> dict[int, str]:
    """What is to be said of single games as they stand: abandoned, or their result changed."""
    found = {}
    for played in night.rounds:
        if played.abandoned is not None:
            key = "night.abandoned" if played.abandoned else "night.abandoned_plain"
            found[played.number] = say(key, reason=legible(played.abandoned))
        elif played.changed is not None:
            found[played.number] = say("night.edited", reason=legible(played.changed))
    return found


def headings() -> dict[str, str]:
    """The columns of the table of players: keys of the JSON form, and what stands above them."""
    keys = ("games", "wins", "losses", "letters", "points", "hat_games", "burns", "illegal")
    return {key: say(f"night.{key}") for key in keys}


def date_of(night: Night) -> str:
    """The day and hour at which the night began, as far as the clock knew; empty if not."""
    return day_and_hour(night.began)
