"""Taking back, amending and letting stand."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.notation import event_line, parse_event, table_line
from engine.verdict import Reason
from tests.engine.tabletalk import Talk, seated, short


def test_undo_brings_the_table_back_exactly() -> None:
    talk = Talk(3)
    talk("start 5C", "play 7H 7S")
    before = talk.game.table
    talk("play 10H")
    assert talk("undo").table == before


def test_undo_goes_back_step_by_step_to_the_deal() -> None:
    talk = Talk(3)
    deal = talk.game.table
    talk("start 5C", "play 7H", "play 8H", "undo", "undo")
    assert talk("undo").table == deal
    assert short(talk("undo")) == ("illegal", "nothing_to_undo", "Ann")


def test_undo_passes_over_what_was_refused() -> None:
    talk = Talk(3)
    talk("start 5C", "play 7H", "play 4H")
    ruling = talk("undo")
    assert (ruling.turn, str(ruling.top)) == ("Ann", "5C")


def test_every_event_counts_even_those_that_change_nothing() -> None:
    talk = Talk(3)
    talk("start 5C", "play 4H", "undo", "overrule")
    assert talk.game.count == 4


def test_amend_replaces_an_event_and_judges_the_later_ones_again() -> None:
    talk = Talk(3)
    talk("start 5C", "play 9H", "play JH")
    ruling = talk("amend 2 play 9H 9D")
    assert (ruling.verdict.value, ruling.pile, ruling.turn, ruling.stock) == ("legal", 4, "Cat", 21)


def test_amend_may_show_that_a_burn_was_missed() -> None:
    talk = Talk(3)
    talk("start 5C", "play JH", "play QH")
    ruling = talk("amend 2 play 10H")
    assert (ruling.turn, ruling.pile, str(ruling.top)) == ("Bob", 1, "QH")


def test_amend_a_refused_event_to_what_it_really_was() -> None:
    talk = Talk(3)
    talk("start 9C", "play 7H")
    assert short(talk("amend 2 play JH")) == ("legal", None, "Bob")


def test_amend_lets_the_card_stand_that_was_refused_last() -> None:
    talk = Talk(3)
    talk("start 5C", "play 9H", "play 7D")
    assert short(talk("amend 2 play 6H")) == ("legal", None, "Cat")


def test_amend_leaves_forgotten_what_was_taken_back() -> None:
    talk = Talk(3)
    talk("start 9C", "play 7H", "play JD")
    ruling = talk("amend 1 start 5C")
    assert (ruling.turn, ruling.pile) == ("Bob", 2)


def test_amend_tells_what_no_longer_stands() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "play 7D")
    ruling = talk("amend 2 play 9H")
    assert (ruling.fallen, ruling.turn, ruling.pile) == ((3,), "Bob", 2)
    assert "no longer stands" in ruling.say


def test_amend_to_something_that_does_not_stand_changes_nothing() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "play 7D")
    before = talk.game.table
    ruling = talk("amend 2 play 3H")
    assert short(ruling) == ("illegal", "too_low", "Cat")
    assert ruling.table == before == talk.game.table


def test_amend_that_was_refused_may_be_overruled() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "play 7D", "amend 2 play 3H")
    ruling = talk("overrule")
    assert (ruling.verdict.value, ruling.turn, ruling.pile) == ("legal", "Cat", 3)
    pile = talk.game.table.pile
    assert pile is not None
    assert [str(card) for card in pile.cards()] == ["5C", "3H", "7D"]


def test_amend_of_nothing_is_refused() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "undo")
    for number in (2, 3, 4, 9):
        assert talk(f"amend {number} play 7H").reason is not None
    assert short(talk("amend 2 play 7H")) == ("illegal", "no_such_event", "Ann")


def test_amend_twice() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "amend 2 play 7H")
    assert str(talk("amend 2 play 8H").top) == "8H"


def test_undo_takes_back_an_amendment() -> None:
    talk = Talk(3)
    talk("start 5C", "play 6H", "amend 2 play 7H")
    assert str(talk("undo").top) == "6H"
    assert str(talk("undo").top) == "5C"


def test_overrule_lets_a_low_card_stand() -> None:
    talk = Talk(3)
    talk("start 9C", "play 7H")
    ruling = talk("overrule")
    assert short(ruling) == ("legal", None, "Bob")
    assert (str(ruling.top), ruling.pile, ruling.say) == ("7H", 2, "It stands.")


def test_overrule_out_of_turn_passes_the_turn_on_from_there() -> None:
    talk = Talk(3)
    assert short(talk("start 3C", "play 7H by Bob", "overrule")) == ("legal", None, "Cat")


def test_overrule_of_an_impossible_card() -> None:
    talk = Talk(3)
    talk("start 3C", "play 10H", "play 3C")
    assert short(talk("overrule")) == ("legal", None, "Bob")


def test_overrule_corrects_a_count_that_had_drifted() -> None:
    talk = Talk(3, at="1 play 0 3C 1/0/2;3/3/3;3/3/3 - - - begun -")
    talk("play 9C 9D")
    ruling = talk("overrule")
    assert (ruling.verdict.value, tuple(ruling.hands["Ann"])) == ("legal", (0, 0, 2))


def test_overrule_without_a_refused_play_is_refused() -> None:
    talk = Talk(3)
    assert short(talk("start 3C", "overrule")) == ("illegal", "nothing_to_overrule", "Ann")
    talk("play 9C", "play 4H", "pickup")
    assert short(talk("overrule")) == ("illegal", "nothing_to_overrule", "Cat")


def test_overrule_is_taken_back_by_undo() -> None:
    talk = Talk(3)
    before = table_line(talk("start 9C").table)
    talk("play 7H", "overrule")
    assert table_line(talk("undo").table) == before


def test_overruled_plays_stay_so_when_something_earlier_is_amended() -> None:
    talk = Talk(3)
    talk("start 9C", "play 7H", "overrule")
    ruling = talk("amend 1 start QC")
    assert (ruling.turn, str(ruling.top), ruling.pile) == ("Bob", "7H", 2)


def test_fold_of_the_same_events_is_the_same_table() -> None:
    lines = ["start 5C", "play 7H 7S", "pickup", "play 4D", "undo", "play 10D"]
    events = [parse_event(line) for line in lines]
    assert [event_line(event) for event in events] == lines
    one, other = Game.fold(seated(), events), Game.fold(seated(), events)
    assert one.table == other.table


def test_undo_of_an_earlier_event_judges_the_later_ones_again() -> None:
    talk = Talk(3)
    talk("start 5C", "play 9H", "play JH", "play KH")
    ruling = talk("undo 3")
    assert (ruling.verdict.value, ruling.turn, str(ruling.top)) == ("legal", "Cat", "KH")
    assert ruling.changed == (4,)
    assert str(talk("undo").top) == "KH"
    assert talk("undo").pile == 3


def test_amend_and_undo_tell_which_later_rulings_changed() -> None:
    talk = Talk(3)
    talk("start 5C", "play 9H", "play 9D", "play 9S")
    ruling = talk("amend 2 play 9H 9C")
    assert (ruling.changed, ruling.fallen) == ((4,), ())
    assert ruling.to_json(5)["changed"] == [4]
    assert "changed" not in talk("undo").to_json(6)
    assert talk("undo 1").to_json(7)["changed"] == [2, 3, 4]


def test_undo_of_what_never_was_is_refused() -> None:
    talk = Talk(3)
    assert short(talk("start 5C", "undo 2")) == ("illegal", "no_such_event", "Ann")


def test_an_overruled_pickup_takes_the_face_up_cards_along() -> None:
    talk = Talk(2)
    ruling = talk("start 5C", "pickup with 4D", "overrule")
    assert (ruling.verdict.value, tuple(ruling.hands["Ann"]), ruling.turn) == (
        "legal",
        (5, 2, 3),
        "Bob",
    )
    assert [str(card) for card in talk.game.ledger.held_by(0)] == ["4D", "5C"]


@pytest.mark.parametrize(
    ("rules", "before", "refused", "after"),
    [
        ("classic", "start 5C", "play 4C", "2 play 23 5C,4C 3/3/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "pass", "2 play 24 5C 3/3/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "pickup by Bob", "3 play 24 - 3/3/3;4{5C}/3/3;3/3/3"),
        ("classic", "start 5C", "start 6C", "1 play 23 5C,6C 3/3/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "chance 6C", "2 play 23 5C,6C 3/3/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "chance 4C", "1 pickup 23 5C,4C 3/3/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "swap 4C with AH", "1 play 24 5C 3{AH}/3{4C}/3;3/3/3;3/3/3"),
        ("classic", "start 5C", "lift 9D", "1 play 24 5C 4{9D}/3/2;3/3/3;3/3/3"),
        ("classic", "start 5C", "remove 7C 7D by Bob", "1 play 24 5C 3/3/3;1/3/3;3/3/3"),
        ("classic", "start 5C", "faceup Ann 5C", "1 play 24 5C 3/3{5C}/3;3/3/3;3/3/3"),
        ("norsk", "play 5C", "start 6C", "2 play 23 5C,6C 3/3/3;3/3/3;3/3/3"),
    ],
)
def test_whatever_was_refused_may_be_overruled(
    rules: str, before: str, refused: str, after: str
) -> None:
    talk = Talk(3, rules)
    ruling = talk(before, refused)
    assert not ruling.stands
    ruling = talk("overrule")
    assert (ruling.stands, ruling.say.split(".")[0]) == (True, "It stands")
    assert " ".join(table_line(ruling.table).split()[:5]) == after
    assert talk("undo").stands


def test_what_cannot_be_done_at_all_cannot_be_overruled() -> None:
    talk = Talk(2, at="1 play 0 - 3/3/0;3/3/3 - - - begun -")
    before = talk.game.table
    for line in ("pickup", "chance 4C", "start 4C", "lift"):
        assert not talk(line).stands
        ruling = talk("overrule")
        assert (ruling.reason, ruling.say) == (
            Reason.NOTHING_TO_OVERRULE,
            "There is nothing to let stand.",
        )
        assert talk.game.table == before


def test_a_set_thrown_out_while_another_takes_the_pile_leaves_it_to_him() -> None:
    talk = Talk(2, "idiota", at="1 pickup 0 5C,4D 1/3/3;5/3/3 - - - begun -")
    talk("remove 7C 7D 7H 7S by Bob")
    ruling = talk("overrule")
    assert (short(ruling), ruling.must.value) == (("legal", None, "Ann"), "pickup")
