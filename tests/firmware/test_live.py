"""The fold of the journal is the live state, whatever people do and whatever befalls the process.

Live is what the director itself holds while it is played: cards land, are taken back and
asked about, buttons are pressed, the host corrects, others put it right from outside, players
are renamed and leave, the disk is full for a while, and the power is cut in between.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import mishaps
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_table import TRIO, Evening

from engine.cards import Card
from engine.errors import PilewatchError
from engine.events import Amend, Event, Overrule, PickUp, Play, Undo
from engine.game import Game
from engine.rules import preset
from engine.setup import Setup
from firmware import fixing
from firmware.fixes import Doing, Leave, SetHand, SetPile, SkipTo
from firmware.journal import NoRoomError
from firmware.night.acts import Joined, Renamed
from firmware.night.book import Book, open_book
from firmware.night.editing import leaving
from firmware.night.night import result_of, taken_down
from vision.observation import Landed

Act = Callable[["Live", int], object]


@dataclass
class Live:
    """A night that is played, and whoever else has a hand in it."""

    folder: Path
    setup: Setup
    book: Book = field(init=False)
    table: Evening = field(init=False)
    full: bool = False
    names: int = 0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """The power is there; the first look shows the pile as it was, or nothing."""
        self.book = open_book(self.folder)
        append = self.book.journal.append

        def append_or_not(*args, **more):
            if self.full:
                raise NoRoomError("the disk is full")
            return append(*args, **more)

        self.book.journal.append = append_or_not
        self.table = Evening(self.book, self.setup)

    @property
    def game(self) -> Game:
        return self.table.director.game

    def card(self, number: int) -> Card:
        """A card that the referee thinks can be laid next."""
        likely = sorted((card for card, p in self.game.prior().items() if p > 0), key=str)
        return likely[number % len(likely)] if likely else self.setup.deck[number % 52]

    def player(self, number: int) -> str:
        names = self.game.setup.players
        return names[number % len(names)]

    def event(self, number: int) -> int:
        return 1 + number % max(1, self.game.count)

    def check(self) -> None:
        """What is kept is what the director holds, unless something still waits to be kept."""
        self.table.keeper.look()
        if self.full or not self.table.keeper.settle():
            return
        self.table.keeper.look()
        with open_book(self.folder) as other:
            night = other.night
        kept, live = night.rounds[-1], self.game
        assert kept.game().setup == live.setup
        assert told(kept.game()) == told(live)
        assert told(kept.game().judge(Undo())[0]) == told(live.judge(Undo())[0])
        assert kept.result == (result_of(live) if live.table.over else None)
        assert not {live.setup.players[seat] for seat in live.table.away} & set(night.seats)


def told(game: Game) -> object:
    """All that a game is, for those who play it."""
    past = [(each.number, each.event, each.ruling.verdict, each.forced) for each in game.history()]
    return game.table, game.count, past


# -- what may happen -----------------------------------------------------------------------------


def land(live: Live, number: int) -> None:
    live.table.play(f"land {live.card(number)}")


def land_anything(live: Live, number: int) -> None:
    live.table.play(f"land {live.setup.deck[number % len(live.setup.deck)]}")


def land_two(live: Live, number: int) -> None:
    card = live.card(number)
    live.table.play(f"land {card} {Card(card.rank, None)}")


def unsure(live: Live, number: int) -> None:
    live.table.play(f"unsure {live.card(number)} {live.card(number // 7 + 1)}")


def take_back(live: Live, number: int) -> None:
    seen = [each for each in live.table.observed if isinstance(each, Landed)]
    if seen:
        live.table.play("take " + " ".join(map(str, seen[-1].cards)))


def correct(live: Live, number: int) -> None:
    """The host's word at the table."""
    doing = doing_of(live, number)
    live.table.fix(doing)


def doing_of(live: Live, number: int) -> Doing:
    kind, rest = number % 9, number // 9
    card, event = live.card(rest), live.event(rest)
    doings: tuple[Doing, ...] = (
        Undo(),
        Undo(event),
        Amend(event, Play((card,))),
        Amend(event, PickUp()),
        Overrule(),
        SkipTo(live.player(rest)),
        SetHand(live.player(rest), rest % 6, up=rest % 4),
        SetPile((card,) * (rest % 2)),
        Leave(live.player(rest)),
    )
    return doings[kind]


def outside(live: Live, number: int) -> None:
    """Somebody puts it right with another process: in one step, or in several."""
    with open_book(live.folder) as other, suppress(PilewatchError):
        night = other.opened
        game = night.rounds[-1].game()
        if number % 3 == 0:
            other.write(*leaving(night, live.player(number // 3)))
            return
        if number % 3 == 1:
            events: list[Event] = [Play((live.card(number // 3),)), PickUp()]
            after = max(0, game.count - number // 3 % 4)
            done = fixing.missed(game, after, events[number // 3 % 2])
        else:
            done = fixing.repair(game, [doing_of(live, number // 3)])
        other.write(*taken_down(night, done.doings, game, done.game))


def rename(live: Live, number: int) -> None:
    live.names += 1
    with open_book(live.folder) as other:
        players = other.night.rounds[-1].setup.players
        other.write(Renamed(players[number % 3], f"Name {live.names}"))


def sit_down(live: Live, number: int) -> None:
    live.names += 1
    with open_book(live.folder) as other:
        other.write(Joined(f"Name {live.names}", number % 2))


def power_cut(live: Live, number: int) -> None:
    """What could not be written is lost with the power; a table that is over is dealt anew."""
    live.full = False
    live.setup = Setup.new(live.setup.rules, live.book.night.seats[:3])
    live.book.close()
    live.start()


def disk(live: Live, number: int) -> None:
    live.full = not live.full


def table(script: str) -> Act:
    return lambda live, number: live.table.play(script.format(seconds=number % 9))


ACTS: dict[str, tuple[Act, ...]] = {
    "land": (land,),
    "land again": (land,),
    "land two": (land_two,),
    "land anything": (land_anything,),
    "unsure": (unsure,),
    "take back": (take_back,),
    "clear": (table("clear"),),
    "wait": (table("wait {seconds}"),),
    "pickup": (table("press pickup"),),
    "next": (table("press next"),),
    "oops": (table("press oops"),),
    "menu": (table("hold oops"),),
    "correct": (correct,),
    "outside": (outside,),
    "outside, and the game goes on": (outside, land),
    "rename": (rename,),
    "rename, and the game goes on": (rename, land),
    "rename, and the host corrects": (rename, correct),
    "sit down": (sit_down,),
    "power cut": (power_cut,),
    "disk": (disk,),
}
"""What may happen; of two at once the director hears of the first only by the second."""


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(["classic", "hat", "norsk"]),
    st.lists(
        st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 10**4)), min_size=20, max_size=40
    ),
)
def test_the_fold_of_the_journal_is_what_the_director_holds(rules, acts):
    with mishaps.quick_folder() as folder:
        live = Live(folder, Setup.new(preset(rules), TRIO.players))
        for name, number in acts:
            for act in ACTS[name]:
                act(live, number)
            live.check()
        power_cut(live, 0)
        live.check()
        live.book.close()


def test_it_would_be_noticed_if_the_director_held_anything_else(tmp_path):
    live = Live(tmp_path, TRIO)
    live.table.play("land 6C; wait 2; land 7H")
    live.check()
    live.table.director.adopt(live.game.judge(PickUp())[0])
    with closing(live.book), pytest.raises(AssertionError):
        live.check()
