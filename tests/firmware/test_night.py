"""A night: people come and go, games end one way or another, and all of it is a fold."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace

import evenings
import mishaps
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import parse_card
from engine.errors import PilewatchError
from engine.events import Amend, PickUp, Play, Start, Undo
from engine.game import Game
from engine.rules import preset
from engine.setup import Setup
from firmware.fixes import (
    FixError,
    Leave,
    SetHand,
    SetPile,
    SkipTo,
    from_json,
    inserted,
    judged,
    to_json,
)
from firmware.journal import packed
from firmware.night import acts
from firmware.night.acts import (
    Abandoned,
    Agreed,
    Began,
    Closed,
    Did,
    Edited,
    Ended,
    Joined,
    Left,
    NightError,
    Opened,
    Renamed,
    Reopened,
    Seated,
)
from firmware.night.book import open_book
from firmware.night.names import clean_name
from firmware.night.night import Night, result_of
from firmware.night.scoring import Result, Terms

TRIO = ("Ann", "Bob", "Cat")


def cards(codes: str) -> tuple:
    return tuple(map(parse_card, codes.split()))


def setup(*names: str) -> Setup:
    return Setup.new(preset("classic"), names or TRIO)


def night(*more: acts.Act) -> Night:
    return Night.fold([Opened(), *map(Joined, TRIO), *more])


def game(*doings: object) -> Game:
    after = Game.new(setup())
    for doing in doings:
        after, _ = judged(after, doing)  # type: ignore[arg-type]
    return after


BOB_LOST = Ended(Result(("Ann", "Cat"), "Bob"), 90)


# -- seats -------------------------------------------------------------------------------------


def test_players_join_at_a_seat_leave_and_return():
    now = night(Left("Ann"), Joined("Dan", 1))
    assert now.seats == ("Bob", "Dan", "Cat")
    assert now.players == ("Ann", "Bob", "Cat", "Dan")
    assert now.after(Joined("Ann", 0)).seats == ("Ann", "Bob", "Dan", "Cat")


def test_who_returns_has_the_letters_of_before():
    agreed = Agreed(Terms("SHED"))
    now = night(agreed, Began(setup()), BOB_LOST, Left("Bob"), Joined("Bob"))
    assert now.score.letters_of("Bob") == "S"


def test_seats_are_put_in_another_order():
    assert night(Seated(("Cat", "Ann", "Bob"))).seats == ("Cat", "Ann", "Bob")


def test_a_new_name_holds_for_what_has_been_too():
    now = night(
        Began(setup()),
        Did(Start(*cards("5C"))),
        Did(Play(cards("7H"), by="Ann")),
        Did(SkipTo("Ann")),
        Ended(Result(("Ann",), "Bob"), 3),
        Edited(1, Result(("Bob",), "Ann"), "it was the other way round"),
        Renamed("Ann", "Åse 🎩"),
    )
    played = now.rounds[0]
    assert now.seats == played.setup.players == ("Åse 🎩", "Bob", "Cat")
    assert played.doings[1:] == (Play(cards("7H"), by="Åse 🎩"), SkipTo("Åse 🎩"))
    assert played.result == Result(("Bob",), "Åse 🎩")
    assert played.edits == ((Result(("Åse 🎩",), "Bob"), "it was the other way round"),)
    assert now.score.hat == "Åse 🎩"


REFUSED = {
    "a name twice": (Joined("Ann"), "Ann sits here already"),
    "no name": (Joined(" "), "is no name"),
    "a name that takes lines": (Joined("A\nB"), "is no name"),
    "somebody who is not here leaves": (Left("Bobb"), "expected Ann, Bob or Cat"),
    "a rename to a name that is taken": (Renamed("Ann", "Bob"), "another Bob"),
    "seats without one": (Seated(("Ann", "Bob")), "each of Ann, Bob or Cat once"),
    "a game with a stranger": (Began(setup("Ann", "Dan")), "no 'Dan' sits here"),
    "a play without a game": (Did(PickUp()), "no game in which"),
    "an end without a game": (BOB_LOST, "no game is on that could end"),
    "an edit without a game": (Edited(1, Result(("Ann",)), "why"), "there is no game 1"),
    "opened twice": (Opened(), "begun already"),
}


@pytest.mark.parametrize(("act", "why"), REFUSED.values(), ids=REFUSED)
def test_what_a_night_cannot_take_is_said(act, why):
    with pytest.raises(PilewatchError, match=why):
        night(act)


def test_names_in_any_writing_are_names():
    for name in evenings.PEOPLE:
        assert clean_name(f" {name} ") == name
    assert clean_name("Jose\u0301  Mari\u0301a") == "José María"
    with pytest.raises(PilewatchError, match="is no name"):
        clean_name("left\u202eright")


# -- games -------------------------------------------------------------------------------------


def test_a_finished_game_counts():
    now = night(Began(setup()), BOB_LOST)
    assert now.current is None
    assert now.score.losses == {"Bob": 1}
    assert (now.score.dealer, now.score.starter) == ("Bob", "Cat")


def test_an_abandoned_game_does_not_count_and_another_begins():
    now = night(Began(setup()), Did(PickUp()), Abandoned("the cat"), Began(setup()))
    assert now.rounds[0].abandoned == "the cat"
    assert now.current is now.rounds[1]
    assert now.score.losses == {}


def test_a_game_that_is_taken_back_from_its_end_goes_on():
    now = night(Began(setup()), BOB_LOST, Did(Undo()))
    assert now.current is now.rounds[0]
    assert now.score.losses == {}


def test_a_game_waits_until_tomorrow():
    now = night(Began(setup()), Did(Start(*cards("5C"))), Closed())
    with pytest.raises(NightError, match="is over"):
        now.after(Did(PickUp()))
    assert now.after(Reopened()).current == now.rounds[0]


def test_a_result_is_edited_with_its_reason_and_the_score_follows():
    now = night(Began(setup()), BOB_LOST, Edited(1, Result(("Bob",), "Ann"), "Ann hid a card"))
    assert now.rounds[0].edits == ((BOB_LOST.result, "Ann hid a card"),)
    assert now.score.losses == {"Ann": 1}
    assert now.score.dealer == "Ann"


def test_a_result_is_not_edited_without_a_reason():
    with pytest.raises(NightError, match="only changed for a reason"):
        night(Began(setup()), BOB_LOST, Edited(1, Result(("Bob",)), " "))


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (Result(), "who won or who lost"),
        (Result(("Dan",)), "no 'Dan' sits here"),
        (Result(("Ann",), "Ann"), "cannot end a game twice"),
    ],
)
def test_a_result_that_cannot_be_is_refused(result, why):
    with pytest.raises(NightError, match=why):
        night(Began(setup()), Ended(result, 0))


def test_no_game_begins_after_the_word_is_complete():
    over = night(Agreed(Terms("X")), Began(setup()), BOB_LOST)
    with pytest.raises(NightError, match="Bob has the whole word"):
        over.allow(Began(setup()))


# -- putting the table right -------------------------------------------------------------------

OPENED = (Start(*cards("5C")), Play(cards("7H")), Play(cards("9D")))


def test_skip_to_a_player():
    assert game(*OPENED).table.turn == 2
    after = game(*OPENED, SkipTo("Bob"))
    assert after.table.turn == 1
    assert after.judge(Play(cards("JS")))[1].stands


def test_a_hand_is_counted_again():
    after = game(*OPENED, SetHand("Bob", 5, up=2))
    assert after.table.seats[1] == (5, 2, 3)


def test_the_pile_is_set_from_a_look():
    after = game(*OPENED, SetPile(cards("5C QH")))
    assert [str(card) for card in after.table.pile.cards()] == ["5C", "QH"]
    refused, ruling = after.judge(Play(cards("9D")))
    assert ruling.reason.value == "too_low"
    assert refused.judge(Play(cards("KD")))[1].stands


def test_a_pile_cannot_hold_a_card_that_was_burned():
    burned = game(*OPENED, Play(cards("10H")))
    with pytest.raises(FixError, match="10H cannot lie there"):
        judged(burned, SetPile(cards("10H")))


def test_who_leaves_in_the_middle_is_skipped_and_the_game_goes_on():
    after = game(*OPENED, Leave("Cat"))
    assert after.table.turn == 0
    after, _ = after.judge(Play(cards("JC")))
    assert after.table.turn == 1
    assert not after.table.over


def test_who_left_has_no_place_in_the_result():
    doings = tuple(evenings.plays(setup(), 4))
    left = (*doings[:20], Leave("Cat"))
    assert "Cat" not in result_of(game(*left)).out


def test_who_left_and_came_back_by_an_undo_wins_what_he_wins():
    doings = evenings.plays(setup(), 4)
    whole = result_of(game(*doings))
    winner = whole.out[0]
    assert result_of(game(*doings[:20], Leave(winner), Undo(), *doings[20:])) == whole


def test_the_first_to_finish_is_first_though_somebody_left_before():
    left = game(*OPENED, Leave("Cat"), SetHand("Ann", 1, 0, 0))
    after, ruling = Game.at(replace(left.table, stock=0)).judge(Play(cards("JC")))
    assert result_of(after).winner == "Ann"
    assert "first" in ruling.say


def test_without_the_last_but_one_there_is_no_game():
    with pytest.raises(FixError, match="abandon it instead"):
        judged(game(*OPENED, Leave("Cat")), Leave("Ann"))


@pytest.mark.parametrize(
    "fix", [SkipTo("Bob"), SetHand("Bob", 5), SetPile(cards("QH")), Leave("Bob")]
)
def test_an_undo_takes_a_fix_back(fix):
    before = game(*OPENED)
    after = game(*OPENED, fix, Undo())
    assert after.table == before.table
    assert game(*OPENED, fix, Undo(), Undo()).table == game(*OPENED[:2]).table


def test_a_missed_play_is_put_into_the_past():
    # Bob's nine was missed, so that Cat's jack was taken for Bob's.
    seen = game(Start(*cards("5C")), Play(cards("7H")), Play(cards("JS")))
    true = game(Start(*cards("5C")), Play(cards("7H")), Play(cards("9D")), Play(cards("JS")))
    for step in inserted(seen, 2, Play(cards("9D"))):
        seen, _ = seen.judge(step)
    assert seen.table == true.table


def test_nothing_is_put_before_a_fix():
    with pytest.raises(FixError, match="event 1 cannot be reached"):
        inserted(game(*OPENED, SkipTo("Bob")), 1, PickUp())


def test_a_pickup_that_was_none_is_taken_out_of_the_past():
    after = game(*OPENED, PickUp(), Undo(4))
    assert after.table == game(*OPENED).table


# -- the fold ----------------------------------------------------------------------------------

ACTS = [
    Opened(Terms("ШУТ", (3, 1))),
    Agreed(Terms(None, ())),
    Joined("Gülşən", 1),
    Left("🦊"),
    Seated(TRIO),
    Renamed("Ann", "ليلى"),
    Began(Setup.new(preset("jokers").override({"run_burn": True}), TRIO, dealer="Bob")),
    Did(Amend(3, Play(cards("JK"), by="Bob"))),
    Did(SetHand("Bob", 4, down=0)),
    Did(SetPile(())),
    Did(Leave("Bob")),
    BOB_LOST,
    Edited(2, Result((), "Cat"), "why"),
    Abandoned("tired"),
    Closed(),
    Reopened(),
]


@pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
def test_an_act_reads_back_from_the_journal(act):
    text = packed(acts.to_json(act))
    assert acts.from_json(acts.kind_of(act), json.loads(text)) == act


@pytest.mark.parametrize(
    "data",
    [
        {"fix": "jump", "player": "Ann"},
        {"fix": "skip"},
        {"fix": "hand", "player": "Ann", "hand": -1},
        {"fix": "hand", "player": "Ann", "hand": True},
        {"fix": "pile", "cards": ["1X"]},
        {"fix": "pile", "cards": "7H"},
        {"fix": "leave", "player": "Ann", "why": "tired"},
    ],
)
def test_a_malformed_fix_is_refused(data):
    with pytest.raises(PilewatchError, match=r"takes|has no|card"):
        from_json(data)


def test_fixes_read_back():
    for fix in (SkipTo("Ann"), SetHand("Bob", 0, 1, 2), SetPile(cards("7H JK")), Leave("🦊")):
        assert from_json(to_json(fix)) == fix


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 400), max_size=4))
def test_the_fold_of_the_journal_is_the_live_state(seed, restarts):
    """After any plays, undos, amendments, fixes, renames and restarts."""
    with mishaps.quick_folder() as folder:
        _fold_and_compare(folder, seed, restarts)


def _fold_and_compare(folder, seed, restarts):
    batches = list(evenings.evening(seed, games=1, players=4, unrest=0.4, close=False))
    live = Night.fold(batches[0], 1)
    book = open_book(folder)
    book.open_night(first=batches[0][1:])
    for number, batch in enumerate(batches[1:], 1):
        if number in restarts:
            book.close()
            book = open_book(folder)
        book.write(*batch)
        for act in batch:
            live = live.after(act)
    with book:
        kept = book.read(1)
    assert kept.rounds == live.rounds
    assert kept.seats == live.seats
    assert kept.score == live.score
    assert [each.game().table for each in kept.rounds] == [
        each.game().table for each in live.rounds
    ]


def test_the_list_of_nights_agrees_with_the_nights_themselves(tmp_path):
    with open_book(tmp_path) as book:
        for seed in (1, 2):
            for first, *rest in evenings.evening(seed, games=2):
                if isinstance(first, Opened):
                    book.open_night(first=rest)
                else:
                    book.write(first, *rest)
        for listed in book.nights():
            whole = book.read(listed.number)
            assert listed.score == whole.score
            assert [each.plays for each in listed.rounds] == [each.plays for each in whole.rounds]


def test_a_new_night_closes_the_one_before_and_an_old_one_can_go_on(tmp_path):
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined("Ann")])
        book.open_night(first=[Joined("Bob")])
        assert [each.open for each in book.nights()] == [False, True]
        assert book.resume(1).seats == ("Ann",)
        assert [each.open for each in book.nights()] == [True, False]
    with open_book(tmp_path) as book:
        assert book.night.number == 1
        book.edit(2, Reopened(), Joined("Cat"), Closed())
        assert book.read(2).seats == ("Bob", "Cat")


@pytest.mark.parametrize("copied", [True, False])
def test_a_night_whose_row_is_lost_to_damage_is_mended_or_told(tmp_path, copied):
    with open_book(tmp_path) as book:
        book.open_night(first=[Joined("Ann")])
        book.open_night(first=[Joined("Bob")])
        if copied:
            book.journal.copy(2)
    db = sqlite3.connect(tmp_path / "journal-1.db")
    trigger = db.execute("SELECT sql FROM sqlite_master WHERE name = 'nights_stay'").fetchone()[0]
    for statement in ("DROP TRIGGER nights_stay", "DELETE FROM nights WHERE id = 2", trigger):
        db.execute(statement)
    db.commit()
    db.close()
    with open_book(tmp_path) as book:
        assert (book.night is not None) == copied
        assert [night.seats for night in book.nights()] == [("Ann",), ("Bob",)][: 1 + copied]
        missing = (
            "Nothing is missing" if copied else "2 entries (plays, results and the like) could not"
        )
        assert missing in book.journal.notes[0]


def test_what_another_process_writes_is_heard(tmp_path):
    with open_book(tmp_path) as one:
        one.open_night(first=[Joined("Ann")])
        with open_book(tmp_path) as other:
            other.write(Joined("Bob"))
        assert one.news() == [Joined("Bob")]
        assert one.night.seats == ("Ann", "Bob")
        assert one.news() == []
