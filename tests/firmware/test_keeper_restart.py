"""After a restart the game goes on where it was, or the table is asked what lies there."""

from __future__ import annotations

from kept_table import Evening, kept

from engine.cards import parse_card
from engine.events import Play, Undo
from firmware.keeper import going_on


def test_power_comes_back_and_the_game_goes_on(on):
    table = Evening(on)
    table.play("wait 1")
    assert "Game goes on: Ann to play, 4 on the pile" in [
        told.text for told in table.ears.told if hasattr(told, "key")
    ]
    assert table.screens[0] == "Notice"
    table.play("land 7H JS; land QC")
    assert table.notes == ["note.goes_on", "note.agrees"]
    assert table.state["turn"] == "Bob"
    assert table.state["top"] == "QC"


def test_power_comes_back_and_another_card_lies_there(on):
    table = Evening(on).play("land QC")
    assert table.asked == ["mismatch"]
    assert table.state["screen"] == "YesNo"
    assert table.state["top"] == "JS"  # nothing is guessed


def test_a_pile_of_which_nothing_is_left_is_another_as_it_lies(on):
    table = Evening(on).play("land QC KD; press pickup")
    assert (table.state["top"], table.state["pile"]) == ("KD", 2)


def test_the_pile_is_as_it_lies(on):
    table = Evening(on).play("land 6C QC; press pickup")
    # The seven, nine and jack lie beneath: no look can show what is covered.
    assert (table.state["top"], table.state["pile"]) == ("QC", 5)
    table.play("land KD")
    assert table.calls[-1] == "play legal"
    assert going_on(on).game.table == table.director.game.table


def test_a_pile_that_has_grown_by_a_play_of_whose_turn_it_is_was_played_on(on):
    """A card landed while the power was off: it is Ann's, and Bob is next."""
    table = Evening(on).play("land 6C QC")
    told = [each.text for each in table.ears.told if hasattr(each, "what")]
    assert told[-1] == "Pile of 5, Q on top?"
    table.play("press pickup")
    assert (table.calls[-1], table.state["turn"]) == ("play legal", "Bob")
    assert kept(on)[-1] == Play((parse_card("QC"),))


def test_a_pile_that_has_grown_by_what_may_not_be_played_is_only_set(on):
    table = Evening(on).play("land 6C 4D; press pickup")
    assert (table.state["top"], table.state["turn"]) == ("4D", "Ann")


def test_the_pile_counts_as_it_was(on):
    table = Evening(on).play("land QC; press oops")
    assert table.state["top"] == "JS"
    assert table.notes[-1] == "note.as_kept"


def test_who_plays_on_answers_that_the_pile_was_right(on):
    table = Evening(on).play("land QC; land KD")
    assert table.state["top"] == "KD"
    assert table.state["turn"] == "Bob"


def test_an_empty_table_where_a_pile_should_lie_is_a_question(on):
    table = Evening(on).play("wait 4")
    assert table.asked == ["mismatch"]
    table.play("press pickup")
    assert table.state["pile"] == 0


def test_a_burned_pile_that_still_lies_there_is_waited_for(book):
    Evening(book).play("land 6C; wait 2; land 7H; land 10D")
    table = Evening(book).play("land 6C 7H 10D; clear; land 4C")
    assert table.asked == []
    assert table.state["top"] == "4C"


def test_an_empty_table_that_should_be_empty_is_no_question(book):
    Evening(book)
    table = Evening(book).play("wait 5")
    assert (table.asked, table.notes) == ([], ["note.goes_on", "note.agrees"])


def test_a_game_that_is_resumed_keeps_its_undos(on):
    table = Evening(on).play("land JS; press oops; press oops")
    assert (table.state["turn"], table.state["top"]) == ("Bob", "7H")
    assert kept(on)[-1] == Undo()
