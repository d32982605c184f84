"""The score is kept while the game goes on, whatever becomes of the disk, and can be put right."""

from __future__ import annotations

import evenings
import pytest
from kept_table import TRIO, Evening, fix, kept
from table_talk import TableTalk

from engine.cards import parse_card
from engine.events import Play
from engine.rules import preset
from engine.setup import Setup
from firmware.announce import PlainLines, to_json
from firmware.cli import main
from firmware.fixes import Leave, SetHand
from firmware.inbox import Correction
from firmware.journal import NoRoomError, WriteError
from firmware.keeper import deal, deal_anyway, going_on
from firmware.night.acts import Abandoned, Agreed, Began, Ended, Joined, NightError, PlayedOn
from firmware.night.book import Book, open_book
from firmware.night.scoring import Result, Terms
from firmware.tell import Called


def test_every_ruling_is_kept_before_it_is_told(book):
    table = Evening(book)
    told_early = []

    class Ear:
        def hear(self, announcement):
            if isinstance(announcement, Called) and announcement.event != kept(book)[-1]:
                told_early.append(announcement)

    table.director.outputs.add(Ear())
    table.play("land 6C; land 7H; land 5D; press oops; press oops")
    assert told_early == []
    assert [type(doing).__name__ for doing in kept(book)] == ["Start", "Play", "Play", "Undo"]


def test_a_whole_game_ends_with_its_result(book):
    table = Evening(book)
    for event in evenings.plays(TRIO, 3):
        if not table.director.over:
            table.fix(event)
    played = book.night.rounds[0]
    ruling = table.director.game.ruling
    assert played.result.loser == ruling.loser
    assert played.result.out == ruling.out
    assert list((book.journal.folder / "copies").iterdir())


def test_oops_takes_back_the_card_that_ended_the_game(book):
    table = Evening(book)
    for event in evenings.plays(TRIO, 3):
        if not table.director.over:
            table.fix(event)
    table.play("press oops")
    assert not table.director.over
    assert book.night.current is not None


def test_nights_without_their_plays_can_be_read_after_an_end_was_taken_back(book):
    table = Evening(book)
    for event in evenings.plays(TRIO, 3):
        if not table.director.over:
            table.fix(event)
    last = kept(book)[-1]
    table.play("press oops")
    table.fix(last)
    assert table.director.over
    with open_book(book.journal.folder) as other:
        (listed,) = other.nights()
        assert listed.rounds[0].result == other.read(1).rounds[0].result


def ended_by_hand(book: Book, act: Ended | Abandoned) -> tuple[Evening, list[str]]:
    """A game that somebody ends after its first play, while two more land; what is told of it."""
    table, lines = Evening(book), list[str]()
    table.director.outputs.add(PlainLines(lines.append))
    table.play("land 6C; wait 2")
    with open_book(book.journal.folder) as other:
        other.write(act)
    table.keeper.look()
    table.play("land 7H; wait 2; land 9D; wait 2")
    return table, lines


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (Ended(Result(("Bob", "Cat"), "Ann"), 3), "game 1 has its result already"),
        (Abandoned(), "game 1 was abandoned"),
    ],
    ids=["ended", "abandoned"],
)
def test_an_end_that_somebody_put_to_a_running_game_stands_and_is_told_once(book, act, why):
    _, lines = ended_by_hand(book, act)
    assert len([line for line in lines if why in line]) == 1
    with open_book(book.journal.folder) as other:
        assert len(kept(book)) == 1
        ended = other.nights()[0].rounds[0]
        assert not ended.unfinished
        assert ended.result == getattr(act, "result", None)


@pytest.mark.parametrize("act", [Ended(Result(("Bob", "Cat"), "Ann"), 3), Abandoned()])
def test_what_is_judged_before_a_game_that_was_ended_is_played_on_is_kept(book, act):
    table, lines = ended_by_hand(book, act)
    with open_book(book.journal.folder) as other:
        other.write(PlayedOn())
    table.keeper.look()
    table.play("land 10S; wait 2")
    assert len(kept(book)) == 4
    assert book.night.current.game().table == table.director.game.table
    assert sum("being kept again" in line for line in lines) == 1
    assert not any("Game goes on" in line for line in lines)


def test_the_next_game_is_dealt_by_the_loser(book):
    table = Evening(book)
    for event in evenings.plays(TRIO, 3):
        if not table.director.over:
            table.fix(event)
    loser = book.night.rounds[0].result.loser
    again = Evening(book)
    assert again.director.setup.players[again.director.setup.dealer] == loser
    assert len(book.night.rounds) == 2


def test_another_rule_set_says_for_itself_who_begins(book):
    idiota = Setup.new(preset("idiota"), TRIO.players)
    deal(book, idiota)
    book.write(Ended(Result(("Ann", "Cat"), "Bob"), 9))
    norsk = deal(book, Setup.new(preset("norsk"), TRIO.players)).setup
    assert norsk.first is None  # the lowest card decides
    book.write(Ended(Result(("Cat", "Ann"), "Bob"), 9))
    assert deal(book, idiota).setup.first == TRIO.players.index("Cat")


def test_the_winner_begins_though_the_loser_has_gone_home(book):
    idiota = Setup.new(preset("idiota"), TRIO.players)
    deal(book, idiota)
    book.write(Ended(Result(("Ann", "Cat"), "Bob"), 9))
    setup = deal(book, Setup.new(preset("idiota"), ("Dan", "Ann", "Cat"))).setup
    assert (setup.players[setup.dealer], setup.players[setup.first]) == ("Cat", "Ann")


def test_people_come_and_go_between_games(book):
    Evening(book)
    book.write(Abandoned())
    deal(book, Setup.new(preset("classic"), ("Dan", "Cat", "Ann")))
    assert book.night.seats == ("Dan", "Cat", "Ann")
    assert book.night.players == ("Ann", "Bob", "Cat", "Dan")


def test_who_is_set_up_in_another_spelling_is_the_same_person(book):
    Evening(book)
    book.write(Abandoned())
    setup = deal(book, Setup.new(preset("classic"), ("ann", "CAT"))).setup
    assert setup.players == book.night.seats == ("Ann", "Cat")
    assert book.night.players == TRIO.players


def lost(book: Book) -> None:
    """A night that is over: Bob has the whole word."""
    book.open_night(Terms("X"), [Joined(name) for name in TRIO.players])
    book.write(Began(TRIO), Ended(Result(loser="Bob"), 0))


def test_another_night_begins_once_somebody_has_the_whole_word(book):
    lost(book)
    table = Evening(book)
    assert (book.night.number, len(book.night.rounds)) == (2, 1)
    assert (book.night.seats, book.night.terms) == (TRIO.players, Terms("X"))
    assert table.director.setup.players[table.director.setup.dealer] == "Bob"
    assert table.notes == ["note.new_night"]
    assert table.ears.told[0].text == "Bob has the whole word: night 2 begins"
    assert not book.read(1).open
    book.write(Ended(Result(loser="Ann"), 0))
    book.write(Agreed(Terms("XY")))
    assert Evening(book).notes == []
    assert len(book.night.rounds) == 2


def test_another_night_that_cannot_be_written_yet_is_begun_later(book, monkeypatch):
    lost(book)

    def full(*args):
        raise NoRoomError("the disk is full")

    monkeypatch.setattr(book.journal, "begin", full)
    table = Evening(book, dealt=deal_anyway(book, TRIO)).play("land 6C; wait 2")
    assert (book.night.number, table.notes) == (1, ["note.not_kept"])
    monkeypatch.undo()
    table.play("land 7H; wait 2")
    assert table.notes == ["note.not_kept", "note.new_night", "note.kept_again"]
    assert (book.night.number, len(book.read(2).rounds[-1].doings)) == (2, 2)


def test_no_game_is_dealt_over_one_that_is_not_finished(book):
    Evening(book)
    with pytest.raises(NightError, match="game 1 is not over"):
        deal(book, TRIO)


def test_a_leave_that_oops_takes_back_leaves_everybody_seated(book):
    table = Evening(book).play("land 6C; land 7H")
    table.fix(Leave("Bob"))
    assert book.night.seats == ("Ann", "Cat")
    table.play("press oops")
    assert book.night.seats == ("Ann", "Bob", "Cat")


# -- when it cannot be written -----------------------------------------------------------------


def test_a_full_disk_does_not_stop_the_game_and_what_is_missing_is_made_up_for(book, monkeypatch):
    table = Evening(book).play("land 6C; wait 2")

    def full(*args):
        raise NoRoomError("the disk is full")

    monkeypatch.setattr(book.journal, "append", full)
    table.play("land 7H; land 9D")
    assert table.state["turn"] == "Cat"
    assert table.notes == ["note.not_kept"]
    assert table.keeper.behind == 2
    monkeypatch.undo()
    table.play("land JS")
    assert table.notes == ["note.not_kept", "note.kept_again"]
    assert len(kept(book)) == 4


def test_a_full_disk_makes_room_if_it_can(book, monkeypatch):
    table = Evening(book).play("land 6C; wait 2")
    real, full = book.journal.append, [True]

    def append(*args):
        if full[0]:
            raise NoRoomError("the disk is full")
        return real(*args)

    def make_room():
        full[0] = False
        return True

    monkeypatch.setattr(book.journal, "append", append)
    table.keeper._make_room = make_room
    table.play("land 7H")
    assert table.notes == []
    assert len(kept(book)) == 2


def test_a_copy_that_cannot_be_made_loses_nothing(book, monkeypatch):
    table = Evening(book)

    def broken(*args):
        raise WriteError("the card is gone")

    monkeypatch.setattr(book.journal, "copy", broken)
    for event in evenings.plays(TRIO, 3):
        if not table.director.over:
            table.fix(event)
    assert book.night.rounds[0].result is not None
    assert table.keeper.behind == 0
    assert table.notes == ["note.journal"]


@pytest.mark.parametrize("copied", [False, True])
def test_damage_under_a_running_game_loses_nothing(on, copied):
    table = Evening(on).play("land JS")
    if copied:
        on.journal.copy(1)
    table.play("land QC")
    before = kept(on)
    for path in on.journal.folder.glob("journal-1.*"):
        path.write_bytes(bytes(path.stat().st_size))
    table.play("land KD")
    assert kept(on) == [*before, Play((parse_card("KD"),))]
    told = [told.text for told in table.ears.told if getattr(told, "key", "") == "note.journal"]
    assert "kept as journal-1.db" in told[0]
    assert going_on(on).game.table == table.director.game.table


# -- pilewatch fix -----------------------------------------------------------------------------


FIXES = {
    "the wrong card": (["card", "3", "8D"], ["6C", "7H", "8D", "JS"], "Ann"),
    "one more of the same": (["more", "3"], ["6C", "7H", "9D", "9?", "JS"], "Ann"),
    "one more of the last": (["more"], ["6C", "7H", "9D", "JS", "J?"], "Ann"),
    "a play that was missed": (
        ["missed", "2", "play", "8C", "by", "Bob"],
        ["6C", "7H", "8C", "9D", "JS"],
        "Bob",
    ),
    "a play that never was": (["undo", "3"], ["6C", "7H", "JS"], "Cat"),
    "the last never was": (["undo"], ["6C", "7H", "9D"], "Cat"),
    "whose turn it is": (["skip", "Bob"], ["6C", "7H", "9D", "JS"], "Bob"),
    "what lies there": (["pile", "6C", "QD"], ["6C", "QD"], "Ann"),
    "nothing lies there": (["pile", "none"], [], "Ann"),
    "who it was": (["player", "4", "Ann"], ["6C", "7H", "9D", "JS"], "Bob"),
    "somebody has left": (["leave", "Ann"], ["6C", "7H", "9D", "JS"], "Bob"),
}


@pytest.mark.parametrize(("words", "pile", "turn"), FIXES.values(), ids=FIXES)
def test_the_table_is_put_right(on, capsys, words, pile, turn):
    assert fix(on, *words) == 0
    out = capsys.readouterr().out
    assert out.endswith(f"{turn} to play, {len(pile)} on the pile\n")
    with open_book(on.journal.folder) as other:
        table = going_on(other).game.table
    assert [str(card) for card in (table.pile.cards() if table.pile else ())] == pile
    assert table.name(table.turn) == turn


REFUSED = {
    "no such event": (["card", "99", "8D"], "there is no event 99"),
    "no card": (["card", "3", "8X"], "8X"),
    "a card that is too low": (["card", "3", "4D"], "that cannot be"),
    "a stranger": (["skip", "Dan"], "'Dan' sits here"),
    "a hand too large": (["hand", "Ann", "60"], "cannot have"),
    "a hand below nothing": (["hand", "Ann", "-4"], "fewer than no cards"),
    "one fewer of one": (["fewer", "3"], "takes it out"),
    "an event that is none": (["missed", "2", "sing"], "is no event"),
    "nothing was refused": (["stands"], "that cannot be"),
}


@pytest.mark.parametrize(("words", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_put_right_is_said(on, capsys, words, why):
    before = kept(on)
    assert fix(on, *words) == 2
    assert why in capsys.readouterr().err
    assert kept(on) == before


def test_without_more_words_the_latest_events_are_listed(on, capsys):
    assert fix(on) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["4", "Cat", "play", "JS"]


def test_without_a_game_there_is_nothing_to_fix(tmp_path, capsys):
    with open_book(tmp_path):
        pass
    assert main(["fix", "undo", "--journal", str(tmp_path)]) == 2
    assert "no game is on" in capsys.readouterr().err


def test_a_fix_is_told_in_words_and_as_json():
    table = TableTalk(TRIO).play("land 6C; wait 2")
    written: list[str] = []
    table.director.outputs.add(PlainLines(written.append))
    table.director.handle(Correction(99, 9.9, SetHand("Bob", 5)))
    assert "✎ Set right: Bob holds 5" in written[0]
    called = next(told for told in table.ears.told[::-1] if isinstance(told, Called))
    assert to_json(called)["ruling"]["say"] == "Set right: Bob holds 5"
    assert to_json(called)["ruling"]["hands"]["Bob"]["hand"] == 5
