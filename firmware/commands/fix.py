"""``pilewatch fix``: puts right what the referee has got wrong in the game that is on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.cards import Card, parse_card
from engine.errors import SetupError, printable
from engine.events import Event
from engine.game import Game
from engine.notation import event_line, parse_event
from engine.ruling import Ruling
from firmware import fixing
from firmware.announce import lines
from firmware.arguments import journal
from firmware.commands.night import tell_notes
from firmware.fixes import Fix, FixError, SetHand, SetPile, SkipTo
from firmware.fixing import Repair
from firmware.journal import PLAY
from firmware.journal.evidence import Evidence
from firmware.night.acts import BEGAN, Act, Did
from firmware.night.book import Book, open_book
from firmware.night.editing import leaving
from firmware.night.names import clean_name
from firmware.night.night import Round, taken_down


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the arguments of ``fix``."""
    parser = sub.add_parser(
        "fix",
        help="put right what the referee has got wrong in the game that is on",
        description="Puts the game right that is on, whether Pilewatch is running or not. Without"
        " more words it lists the latest events with their numbers.",
    )
    where = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    where.add_argument("--journal", type=journal, metavar="DIR", help="the folder of the journal")
    for action in where._actions:
        parser._add_action(action)
    does = parser.add_subparsers(dest="action", metavar="ACTION", parser_class=type(parser))

    def add(name: str, what: str) -> argparse.ArgumentParser:
        return does.add_parser(name, parents=[where], help=what)

    card = add("card", "event N was really these cards")
    card.add_argument("number", type=int, metavar="N")
    card.add_argument("cards", nargs="+", metavar="CARD")
    for name, what in (("more", "one more of the same"), ("fewer", "one fewer of the same")):
        add(name, f"the last play, or event N, was of {what}").add_argument(
            "number", nargs="?", type=int, metavar="N"
        )
    player = add("player", "event N was somebody else's")
    player.add_argument("number", type=int, metavar="N")
    player.add_argument("player", metavar="NAME")
    missed = add("missed", "after event N this happened: play 9D by Bob, pickup by Cat, …")
    missed.add_argument("number", type=int, metavar="N")
    missed.add_argument("event", nargs="+", metavar="EVENT")
    add("undo", "the last event, or event N, never happened").add_argument(
        "number", nargs="?", type=int, metavar="N"
    )
    add("stands", "the table lets what was refused last stand")
    add("skip", "it is this player's turn").add_argument("player", metavar="NAME")
    hand = add("hand", "the player holds so many cards")
    hand.add_argument("player", metavar="NAME")
    hand.add_argument("count", type=int, metavar="CARDS")
    hand.add_argument("--up", type=int, metavar="CARDS", help="face up")
    hand.add_argument("--down", type=int, metavar="CARDS", help="face down")
    add("pile", "these cards lie there, the lowest first, or none").add_argument(
        "cards", nargs="*", metavar="CARD"
    )
    add("leave", "the player leaves, the game goes on without").add_argument(
        "player", metavar="NAME"
    )


def run(args: argparse.Namespace) -> int:
    """Put it right, say what changed, and return 0."""
    with open_book(getattr(args, "journal", None), new=False) as book:
        try:
            if args.action is None:
                current = _current(book)
                _list(current, _photographs(book))
            else:
                _tell(book.again(lambda: _put_right(book, args)))
        finally:
            tell_notes(book)
    return 0


def _current(book: Book) -> Round:
    """The game that is on, or the last one that its plays have brought to an end."""
    last = book.night.rounds[-1] if book.night is not None and book.night.rounds else None
    if last is not None and (last.unfinished or (last.result and last.game().table.over)):
        return last
    raise FixError(
        "no game is on; pilewatch night edit changes the result of one, pilewatch night play-on"
        " goes on with the last"
    )


def _put_right(book: Book, args: argparse.Namespace) -> Repair:
    """Write down what was said; what is to be told of it."""
    current, night = _current(book), book.opened
    game = current.game()
    if args.action == "leave":
        batch = leaving(night, clean_name(args.player))
        book.write(*batch)
        return _fix_of(batch, game)
    done = REPAIRS[args.action](game, args)
    book.write(*taken_down(night, done.doings, game, done.game))
    return done


def _fix_of(batch: list[Act], game: Game) -> Repair:
    return fixing.repair(game, [act.doing for act in batch if isinstance(act, Did)])


def _tell(done: Repair) -> None:
    for called in done.called:
        for _, line in lines(called):
            sys.stdout.write(line + "\n")
        changed = called.ruling.changed
        for number, event, ruling in fixing.recent(done.game, len(list(done.game.history()))):
            if number in changed:
                sys.stdout.write(_line(done.game, number, event, ruling))
    table = done.game.table
    if not table.over:
        pile = table.pile.size if table.pile else 0
        sys.stdout.write(f"{table.name(table.turn)} to {table.must.value}, {pile} on the pile\n")


def _photographs(book: Book) -> dict[int, Path]:
    """By the number of the event, the photograph that was kept of it, for the latest game."""
    night = book.opened.number
    evidence, found, number = Evidence(book.journal.folder), dict[int, Path](), 0
    for entry in book.journal.read(night):
        if entry.kind == BEGAN:
            found, number = {}, 0
        number += entry.kind == PLAY
        # It is kept at the end of the frame, when more than the event may have been written.
        path = evidence.of(night, entry.seq)
        if path is not None:
            found[number] = path
    return found


def _list(current: Round, photographs: Mapping[int, Path]) -> None:
    game = current.game()
    settings = fixing.settings(game, current.doings)
    for number, fix in settings:
        sys.stdout.write(f"{number:4}  {'':12}  fix {_fix_line(fix)}\n")
    for number, event, ruling in fixing.recent(game):
        sys.stdout.write(_line(game, number, event, ruling))
        if number in photographs:
            sys.stdout.write(f"{'':20}{printable(photographs[number])}\n")
    if settings:
        sys.stdout.write(
            f"What was before fix {settings[-1][0]} can be changed once pilewatch fix undo has"
            " taken that back.\n"
        )
    elif not game.count:
        sys.stdout.write("Nothing has happened in this game yet.\n")


def _line(game: Game, number: int, event: Event, ruling: Ruling) -> str:
    """An event of the game as it is listed: its number, whose it was, and what is wrong with it."""
    said = "" if ruling.stands else f"  ({ruling.say})"
    who = game.setup.players[ruling.player] if ruling.player >= 0 else ""
    return f"{number:4}  {who:12}  {event_line(event)}{said}\n"


def _fix_line(fix: Fix) -> str:
    """The fix as it is given to the command."""
    if isinstance(fix, SetPile):
        return " ".join(("pile", *map(str, fix.cards)))
    if isinstance(fix, SetHand):
        up = "" if fix.up is None else f" --up {fix.up}"
        down = "" if fix.down is None else f" --down {fix.down}"
        return f"hand {fix.player} {fix.hand}{up}{down}"
    return f"{'skip' if isinstance(fix, SkipTo) else 'leave'} {fix.player}"


def _cards(codes: list[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, codes))


def _pile(codes: list[str]) -> tuple[Card, ...]:
    if not codes:
        raise SetupError("fix pile takes the cards that lie there, the lowest first, or none")
    return () if codes == ["none"] else _cards(codes)


REPAIRS: dict[str, Callable[[Game, argparse.Namespace], Repair]] = {
    "card": lambda game, args: fixing.cards(game, args.number, _cards(args.cards)),
    "more": lambda game, args: fixing.count(game, args.number, 1),
    "fewer": lambda game, args: fixing.count(game, args.number, -1),
    "player": lambda game, args: fixing.player(game, args.number, clean_name(args.player)),
    "missed": lambda game, args: fixing.missed(
        game, args.number, parse_event(" ".join(args.event))
    ),
    "undo": lambda game, args: fixing.undone(game, args.number),
    "stands": lambda game, args: fixing.stands(game),
    "skip": lambda game, args: fixing.fixed(game, SkipTo(clean_name(args.player))),
    "hand": lambda game, args: fixing.fixed(
        game, SetHand(clean_name(args.player), args.count, args.up, args.down)
    ),
    "pile": lambda game, args: fixing.fixed(game, SetPile(_pile(args.cards))),
}
"""By its word, how each puts the game right."""
