"""Several processes that write into one journal at once: one night is open, nothing is lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest
import running_game
from kept_table import TRIO, Evening, fix, kept

from engine.cards import parse_card
from engine.events import Play
from firmware.announce import lines
from firmware.cli import main
from firmware.fixes import SetHand, SkipTo
from firmware.journal import to_bytes
from firmware.keeper import deal, going_on
from firmware.night.acts import Closed, Did, Joined, Renamed
from firmware.night.book import Book, open_book
from firmware.tell import Called

WRITERS, TIMES = 4, 5


def opened(folder: Path) -> list[int]:
    with open_book(folder) as book:
        return [night.number for night in book.nights() if night.open]


def open_nights(folder: Path, ready: Barrier, name: str) -> None:
    """What each of them does, with a connection of its own."""
    with open_book(folder) as book:
        for number in range(TIMES):
            ready.wait(60)  # not for ever, if another of them has failed
            if number % 2:
                book.resume(book.last_number())
            book.open_night(first=[Joined(name)])


def test_nights_that_are_opened_at_once_by_several_connections_leave_one_open(tmp_path):
    ready = Barrier(WRITERS)
    with ThreadPoolExecutor(WRITERS) as threads:
        names = [f"Player {number}" for number in range(WRITERS)]
        for done in [threads.submit(open_nights, tmp_path, ready, name) for name in names]:
            done.result()
    with open_book(tmp_path) as book:
        assert len(book.nights()) == WRITERS * TIMES
        assert book.journal.notes == []
        assert opened(tmp_path) == [book.night.number]


CHANGES = {
    "open": lambda book: book.open_night(first=[Joined("Zoe")]),
    "resume": lambda book: book.resume(1),
    "close": lambda book: book.write(Closed()),
}


@pytest.mark.parametrize("other", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("mine", [CHANGES["open"], CHANGES["resume"]], ids=["open", "resume"])
@pytest.mark.parametrize("moment", ["before", "between"])
def test_whoever_comes_in_between_is_heard_first(tmp_path, monkeypatch, moment, mine, other):
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined("Ann")])
        book.open_night(first=[Joined("Bob")])
    with open_book(tmp_path) as one, open_book(tmp_path) as two:
        find = Book.find

        def find_and_be_late(book: Book) -> None:
            find(book)
            if book is one:
                monkeypatch.setattr(Book, "find", find)
                other(two)

        if moment == "between":
            monkeypatch.setattr(Book, "find", find_and_be_late)
        else:
            other(two)
        night = mine(one)
        assert opened(tmp_path) == [night.number] == [one.night.number]


def test_a_night_that_comes_in_while_another_writes_stays_beside_the_one_that_is_on(tmp_path):
    with open_book(tmp_path / "there") as there:
        there.open_night(first=[Joined("Ann")])
        whole = there.journal.night_file(1)
    with open_book(tmp_path) as one, open_book(tmp_path) as two:
        one.open_night(first=[Joined("Bob")])
        two.find()
        one.write(Joined("Cat"))
        assert two.again(lambda: two.take_in(whole, "file")) == (2, 2)
        assert (two.night.number, two.night.seats) == (1, ("Bob", "Cat"))
        assert to_bytes(two.journal.night_file(2)).count(b"reopen") == 0
    with open_book(tmp_path) as book:
        assert book.night.number == 1


def test_a_night_that_another_process_closes_does_not_stop_the_game(tmp_path):
    with open_book(tmp_path) as book:
        table = Evening(book).play("land 6C; wait 2; land 7H")
        assert main(["night", "close", "--journal", str(tmp_path)]) == 0
        table.keeper.look()
        table.play("land 9D; wait 1; land JS; wait 1")
        assert table.state["turn"] == "Ann"
        assert table.notes == ["note.not_kept"]
        assert main(["night", "resume", "1", "--journal", str(tmp_path)]) == 0
        table.keeper.look()
        table.play("land KD")
        assert table.notes == ["note.not_kept", "note.kept_again"]
    with open_book(tmp_path) as book:
        assert len(book.night.rounds[-1].doings) == 5


def test_a_game_whose_night_was_closed_for_another_is_not_written_into_that(tmp_path):
    with open_book(tmp_path) as book:
        table = Evening(book).play("land 6C; wait 2; land 7H")
        assert main(["night", "open", "Dan,Eve", "--journal", str(tmp_path)]) == 0
        table.play("land 9D; wait 1; land JS; wait 1")
        assert table.notes == ["note.not_kept"]
    with open_book(tmp_path) as book:
        assert (book.night.number, book.night.rounds) == (2, ())
        assert len(book.read(1).rounds[-1].doings) == 2


def test_a_game_can_be_dealt_though_somebody_has_just_sat_down(tmp_path):
    with open_book(tmp_path) as mine, open_book(tmp_path) as other:
        mine.open_night(first=[Joined(name) for name in TRIO.players])
        other.find()
        other.write(Joined("Zoe"))
        deal(mine, TRIO)
        assert mine.opened.seats == TRIO.players
        assert mine.opened.players == (*TRIO.players, "Zoe")


def test_who_comes_and_goes_by_hand_while_a_game_runs_disturbs_nothing(tmp_path):
    codes = set()
    with subprocess.Popen([sys.executable, running_game.__file__, str(tmp_path), "5"]) as child:
        while child.poll() is None:
            for words in (["join", "Zoe"], ["leave", "Zoe"]):
                codes.add(main(["night", *words, "--journal", str(tmp_path)]))
    assert child.returncode == 0
    # 2: no night is open yet, or any more, or the next game was dealt without her.
    assert codes <= {0, 2}
    assert [path.name for path in tmp_path.glob("*.db")] == ["journal-1.db"]
    told = running_game.Told(5)
    told.hear(tmp_path)
    told.check(tmp_path)


def test_who_would_have_to_wait_too_long_is_told_so(tmp_path, monkeypatch, capsys):
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined("Ann")])
    monkeypatch.setattr("firmware.journal.store.WAIT", 0.05)
    file = tmp_path / "journal-1.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert main(["night", "join", "Bob", "--journal", str(tmp_path)]) == 74
    assert capsys.readouterr().err == (
        f"pilewatch: {file}: another Pilewatch is writing there; try again in a moment\n"
    )


# -- another process puts it right -------------------------------------------------------------


def test_a_fix_from_outside_reaches_the_running_game(on, capsys):
    table = Evening(on).play("land JS")
    assert fix(on, "skip", "Cat") == 0
    assert capsys.readouterr().out == "Set right: it is Cat's turn\nCat to play, 4 on the pile\n"
    table.keeper.look()
    assert table.state["turn"] == "Cat"
    assert [told.host for told in table.ears.told if isinstance(told, Called)][-1]
    table.play("land QC")
    assert kept(on)[-2:] == [SkipTo("Cat"), Play((parse_card("QC"),))]


def test_a_leave_that_is_undone_from_outside_is_told(on, capsys):
    table = Evening(on).play("land JS")
    for words, told in ((("leave", "Bob"), "Bob has left"), (("undo",), "Undone")):
        assert fix(on, *words) == 0
        table.keeper.look()
        calls = [each for each in table.ears.told if isinstance(each, Called)]
        assert told in next(line for _, line in lines(calls[-1]))
    assert on.night.seats == TRIO.players


def test_a_fix_of_several_steps_from_outside_is_told_by_where_it_leads(on, capsys):
    table = Evening(on).play("land JS")
    assert fix(on, "missed", "2", "play", "8C", "by", "Bob") == 0
    table.keeper.look()
    assert table.notes[-1] == "note.goes_on"
    assert (table.director.turn, table.state["pile"]) == ("Bob", 5)


def test_a_fix_in_the_same_moment_comes_first(on):
    table = Evening(on).play("land JS")
    with open_book(on.journal.folder) as other:
        other.write(Did(SetHand("Ann", 7)))
    table.play("land QC")
    assert kept(on)[-2] == SetHand("Ann", 7)
    assert going_on(on).game.table == table.director.game.table


def test_a_new_name_reaches_the_running_game(on):
    table = Evening(on).play("land JS")
    with open_book(on.journal.folder) as other:
        other.write(Renamed("Ann", "Åse"))
    table.keeper.look()
    assert table.director.turn == "Åse"
    table.play("land QC")
    assert table.keeper.behind == 0


def test_a_fix_that_came_too_late_changes_nothing(on):
    table = Evening(on).play("land JS")
    before = table.director.game.table
    table.fix(SetHand("Ann", 99))
    assert table.director.game.table == before
    assert table.notes[-1] == "note.fix_refused"
