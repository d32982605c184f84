"""The acts of a night that are entered by hand: who comes and goes, and how games ended."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from engine.errors import SetupError, shown
from engine.rules import find_rules, preset, preset_names
from engine.setup import Setup, check_spelling
from firmware.fixes import Leave, judged
from firmware.night.acts import (
    Abandoned,
    Act,
    Agreed,
    Began,
    Closed,
    Edited,
    Ended,
    Joined,
    Left,
    NightError,
    PlayedOn,
    Renamed,
    Seated,
)
from firmware.night.book import Book
from firmware.night.names import clean_name, names_in
from firmware.night.night import Night, Round, result_of, taken_down
from firmware.night.scoring import Result, Terms, completed


def add_actions(
    does: argparse._SubParsersAction[argparse.ArgumentParser], where: argparse.ArgumentParser
) -> None:
    """Add a parser for each of ``ACTIONS``."""

    def add(name: str, what: str) -> argparse.ArgumentParser:
        return does.add_parser(name, parents=[where], help=what)

    begin = add("open", "begin a night")
    begin.add_argument("players", metavar="ANN,BOB,…", help="names in seat order")
    begin.add_argument("--word", help="letters to be collected; an empty word for none")
    begin.add_argument("--points", metavar="3,2,1", help="points for the places")
    join = add("join", "a player sits down")
    join.add_argument("player", metavar="NAME")
    join.add_argument("--seat", type=int, metavar="N", help="which seat, from 1; else the last")
    add("leave", "a player gets up; a game that is on goes on without").add_argument(
        "player", metavar="NAME"
    )
    add("seats", "the order of the seats").add_argument("players", metavar="ANN,BOB,…")
    rename = add("rename", "a player is called otherwise")
    rename.add_argument("player", metavar="NAME")
    rename.add_argument("name", metavar="NEW")
    terms = add("terms", "what the table plays for")
    terms.add_argument("--word", help="letters to be collected; an empty word for none")
    terms.add_argument("--points", metavar="3,2,1", help="points for the places")
    result = add("result", "a game that was played without the camera, or ended early")
    result.add_argument("--rules", metavar="NAME", help="classic, if left out")
    _add_result(result)
    edit = add("edit", "the result of a game was another")
    edit.add_argument("game", type=int, metavar="GAME")
    edit.add_argument("--night", type=int, metavar="N", help="of an earlier night")
    edit.add_argument("--reason", default="", metavar="WHY", help="is kept with it")
    _add_result(edit)
    abandon = add("abandon", "the game is not played to its end, or game GAME does not count")
    abandon.add_argument("game", nargs="?", type=int, metavar="GAME")
    abandon.add_argument("--reason", default="", metavar="WHY", help="is kept with it")
    add("play-on", "the last game goes on after all, whatever was said of its end")
    add("close", "the night is over")
    add("resume", "go on with an earlier night").add_argument("number", type=int, metavar="N")


def _add_result(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", metavar="ANN,BOB,…", help="who finished, the first to finish first"
    )
    parser.add_argument("--winner", metavar="NAME")
    parser.add_argument("--loser", metavar="NAME")


def _terms(args: argparse.Namespace, before: Terms) -> Terms:
    word = before.word if args.word is None else args.word.strip()
    if args.points is None:
        return Terms(word, before.points)
    try:
        points = tuple(int(each) for each in args.points.split(",") if each.strip())
    except ValueError:
        raise SetupError(f"points takes numbers such as 3,2,1, not {shown(args.points)}") from None
    return Terms(word, points)


def _result(args: argparse.Namespace) -> Result:
    out = names_in(args.out) if args.out else ()
    winner = clean_name(args.winner) if args.winner else None
    if winner and out and out[0] != winner:
        raise NightError(f"{winner} cannot have won if {out[0]} was out first")
    loser = clean_name(args.loser) if args.loser else None
    return Result(out or ((winner,) if winner else ()), loser)


def _open(book: Book, args: argparse.Namespace) -> Night:
    people = names_in(args.players)
    check_spelling(people)
    most = max(preset(name).max_players for name in preset_names())
    if not 2 <= len(people) <= most:
        raise NightError(f"no rules seat {len(people)}; expected 2 to {most} players, with commas")
    first: list[Act] = [Joined(name) for name in people]
    night = book.open_night(_terms(args, Terms()), first)
    _tell_closed(book)
    return night


def _resume(book: Book, args: argparse.Namespace) -> Night:
    night = book.resume(args.number)
    _tell_closed(book)
    return night


def _tell_closed(book: Book) -> None:
    if book.left is not None:
        number = book.left.number
        book.journal.notes.append(
            f"Night {number} was still on and is over now; night resume {number} goes on with it."
        )


def _join(book: Book, args: argparse.Namespace) -> Night:
    night, seat = _on(book), args.seat
    last = len(night.seats) + 1
    if seat is not None and not 1 <= seat <= last:
        raise NightError(f"there is no seat {seat}; expected 1 to {last}")
    name = night.spelt(clean_name(args.player))
    return book.write(Joined(name, None if seat is None else seat - 1))


def leaving(night: Night, player: str) -> list[Act]:
    """The acts by which a player leaves, in the middle of a game or not."""
    current = night.current
    if current is None or player not in current.setup.players:
        return [Left(player)]
    game = current.game()
    seat = current.setup.players.index(player)
    if seat in game.table.out or seat in game.table.away:
        return [Left(player)]
    leave = Leave(player)
    return taken_down(night, [leave], game, judged(game, leave)[0])


def _leave(book: Book, args: argparse.Namespace) -> Night:
    return book.write(*leaving(_on(book), clean_name(args.player)))


def _on(book: Book) -> Night:
    if book.night is None:
        raise NightError("no night is open; night open ANN,BOB begins one")
    return book.night


def _result_of_game(book: Book, args: argparse.Namespace) -> Night:
    night = _on(book)
    current = night.current
    if current is not None:
        rules = current.setup.rules.name
        if args.rules not in (None, rules):
            raise NightError(
                f"the game that is on is played by {rules}, not {args.rules}; abandon it first, or"
                " leave --rules out"
            )
        known = result_of(current.game())
        result = completed(_result(args), current.staying, known)
        _tell_unlike(book, known, result)
        night = book.write(Ended(result, current.plays))
    else:
        setup = night.next_setup(Setup.new(find_rules(args.rules or "classic"), night.seats))
        night = book.write(Began(setup), Ended(completed(_result(args), setup.players), 0))
    return _tell_unpaid(book, night, night.rounds[-1])


def _tell_unlike(book: Book, seen: Result, said: Result) -> None:
    """Say so where the referee has seen somebody else win or lose; what the table says stands."""
    if seen.winner is not None and said.winner not in (None, seen.winner):
        book.journal.notes.append(f"The referee saw {seen.winner} out first; yours stands.")
    elif seen.loser is not None and said.loser not in (None, seen.loser):
        book.journal.notes.append(f"The referee saw {seen.loser} lose; yours stands.")


def _tell_unpaid(book: Book, night: Night, played: Round) -> Night:
    """Say who gets no points since nobody has said which place was his."""
    result = played.result
    if result is not None and night.terms.points:
        named = (*result.out, result.loser)
        unpaid = [name for name in played.staying if name not in named]
        if unpaid:
            book.journal.notes.append(
                f"Which places {', '.join(unpaid)} came in at was not said: no points for them in"
                f" game {played.number}; night edit {played.number} --out tells them in order."
            )
    return night


def _edit(book: Book, args: argparse.Namespace) -> Night:
    number = book.last_number() if args.night is None else args.night
    rounds, result = book.read(number).rounds, _result(args)
    if result != Result() and 1 <= args.game <= len(rounds):
        played = rounds[args.game - 1]
        result = completed(result, played.staying, played.result or Result())
    night = book.edit(number, Edited(args.game, result, args.reason))
    return _tell_unpaid(book, night, night.rounds[args.game - 1])


def _close(book: Book, args: argparse.Namespace) -> Night:
    return book.write(Closed())


ACTIONS: dict[str, Callable[[Book, argparse.Namespace], Night]] = {
    "open": _open,
    "join": _join,
    "leave": _leave,
    "seats": lambda book, args: book.write(Seated(names_in(args.players))),
    "rename": lambda book, args: book.write(
        Renamed(clean_name(args.player), clean_name(args.name))
    ),
    "terms": lambda book, args: book.write(Agreed(_terms(args, _on(book).terms))),
    "result": _result_of_game,
    "edit": _edit,
    "abandon": lambda book, args: book.write(Abandoned(args.reason, args.game)),
    "play-on": lambda book, args: book.write(PlayedOn()),
    "close": _close,
    "resume": _resume,
}
"""By its word, what each does; it returns the night as it is then."""
