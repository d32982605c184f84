"""A night as plain data: for JSON, for spreadsheets, and for whoever draws it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from firmware.night.night import Night, Round
from firmware.night.scoring import Score, Scored, places
from firmware.night.statistics import Deeds, Statistics, deeds_in

_FORMULA = ("=", "+", "-", "@")
"""A spreadsheet would compute what begins with one of these."""

DEED_COLUMNS = {
    "laid": "plays",
    "burns": "burns",
    "pickups": "pickups",
    "cards_taken": "taken",
    "biggest_pickup": "pickup",
    "illegal": "illegal",
    "overruled": "overruled",
    "blind": "blind",
    "blind_luck": "blind_luck",
}
"""By its column, what each player did in a game."""
GAME_COLUMNS = (
    *("night", "game", "rules", "player", "seat", "dealer", "place", "lost", "plays"),
    *DEED_COLUMNS,
    *("won_in_a_row", "lost_in_a_row", "letters", "points", "hat", "abandoned", "reasons", "left"),
)
LIST_COLUMNS = ("night", "began", "open", "players", "games", "hat", "loser_of_the_night")


def score_to_json(score: Score, players: Iterable[str]) -> dict[str, Any]:
    """Where the night stands, as ``pilewatch night score`` prints it."""
    return {
        "letters": {name: score.letters_of(name) for name in players},
        "hat": score.hat,
        "next_dealer": score.dealer,
        "next_starter": score.starter,
        "over": score.over,
        "loser_of_the_night": score.loser,
    }


def night_to_json(night: Night, statistics: Statistics) -> dict[str, Any]:
    """All that is known of a night."""
    score = night.score
    return {
        "night": night.number,
        "began": night.began,
        "open": night.open,
        "word": score.word,
        "points": list(night.terms.points),
        **score_to_json(score, night.players),
        "seats": list(night.seats),
        "players": [
            _player(name, score, statistics.deeds.get(name, Deeds()))
            | {"left": name not in night.seats}
            for name in night.players
        ],
        "games": [_round(each, statistics) for each in night.rounds],
        "longest_game": statistics.longest,
    }


def _player(name: str, score: Score, deeds: Deeds) -> dict[str, Any]:
    return {
        "name": name,
        "games": deeds.games,
        "wins": score.wins.get(name, 0),
        "losses": score.losses.get(name, 0),
        "letters": score.letters_of(name),
        "points": score.points.get(name, 0),
        "hat_games": score.worn.get(name, 0),
        "plays": deeds.plays,
        "burns": deeds.burns,
        "pickups": deeds.pickups,
        "cards_taken": deeds.taken,
        "biggest_pickup": deeds.pickup,
        "illegal": deeds.illegal,
        "overruled": deeds.overruled,
        "blind": deeds.blind,
        "blind_luck": deeds.blind_luck,
        "fastest_out": deeds.fastest_out,
        "winning_streak": deeds.best,
        "losing_streak": deeds.worst,
    }


def _round(played: Round, statistics: Statistics) -> dict[str, Any]:
    result = played.result
    return {
        "game": played.number,
        "rules": played.setup.rules.name,
        "players": list(played.setup.players),
        "dealer": played.setup.players[played.setup.dealer],
        "winner": result.winner if result else None,
        "loser": result.loser if result else None,
        "out": list(result.out) if result else [],
        "plays": statistics.lengths.get(played.number),
        "abandoned": played.abandoned,
        "edits": [
            {"out": list(old.out), "loser": old.loser, "reason": reason}
            for old, reason in played.edits
        ],
    }


def list_to_json(night: Night) -> dict[str, Any]:
    """One line of the list of nights."""
    score = night.score
    return {
        "night": night.number,
        "began": night.began,
        "open": night.open,
        "players": list(night.players),
        "games": len(night.counted),
        "hat": score.hat,
        "loser_of_the_night": score.loser,
    }


def list_to_csv(nights: Iterable[Night]) -> str:
    """The list of nights as CSV with a line of headings."""
    rows = (list_to_json(night) for night in nights)
    return _csv(LIST_COLUMNS, (row | {"players": ", ".join(row["players"])} for row in rows))


def night_to_csv(night: Night, statistics: Statistics) -> str:
    """A line for each player of each game, as CSV with a line of headings."""
    return _csv(GAME_COLUMNS, _game_rows(night, statistics))


def _game_rows(night: Night, statistics: Statistics) -> Iterable[dict[str, Any]]:
    rows = dict.fromkeys(night.players, (0, 0))
    for count, played in enumerate(night.rounds, 1):
        setup, result = played.setup, played.result
        score = replace(night, rounds=night.rounds[:count]).score
        deeds = deeds_in(played)
        order = places(Scored(setup.rules, setup.players, result)) if result else ()
        for seat, name in enumerate(setup.players, 1):
            if result:
                won, lost = rows[name]
                won = won + 1 if name == result.winner else 0
                rows[name] = (won, lost + 1 if name == result.loser else 0)
            yield {
                "night": night.number,
                "game": played.number,
                "rules": setup.rules.name,
                "player": name,
                "seat": seat,
                "dealer": setup.players[setup.dealer],
                "place": order.index(name) + 1 if name in order else None,
                "lost": int(name == result.loser) if result else None,
                "plays": statistics.lengths.get(played.number),
                **{column: getattr(deeds[name], deed) for column, deed in DEED_COLUMNS.items()},
                "won_in_a_row": rows[name][0],
                "lost_in_a_row": rows[name][1],
                "letters": score.letters_of(name),
                "points": score.points.get(name, 0),
                "hat": int(name == score.hat),
                "abandoned": int(played.abandoned is not None),
                "reasons": _reasons(played),
                "left": int(name not in night.seats),
            }


def _reasons(played: Round) -> str:
    """Why the game was abandoned or its result changed, the latest reason last."""
    said = [reason for _, reason in played.edits] + [played.abandoned or ""]
    return "; ".join(dict.fromkeys(filter(None, said)))


def _csv(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> str:
    out = io.StringIO()
    # Without this mark Excel takes the letters for those of another alphabet.
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in columns])
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return "" if value is None else value
