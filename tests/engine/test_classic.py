"""The classic game, rule by rule: R numbers and readings as in the rules' own list."""

# ruff: noqa: N802 - the rules are named as in their list
from __future__ import annotations

import pytest

from engine.errors import SetupError
from engine.setup import Setup
from engine.verdict import Must
from tests.engine.tabletalk import Talk, seated, short


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (11, 3)])
def test_classic_R1_two_or_more_players_with_as_many_packs_as_they_need(
    players: int, decks: int
) -> None:
    names = tuple(f"P{n}" for n in range(players))
    assert Setup.new(seated().rules, names).decks == decks


def test_classic_R1_one_player_is_no_table() -> None:
    with pytest.raises(SetupError, match="expected two players or more, not 1"):
        Setup.new(seated().rules, ("Ann",))


def test_classic_R2_three_down_three_up_three_in_hand_and_the_rest_is_stock() -> None:
    table = Talk(3).game.table
    assert all(tuple(seat) == (3, 3, 3) for seat in table.seats)
    assert table.stock == 52 - 27


def test_classic_R3_swapped_face_up_cards_are_known_to_be_in_the_hand() -> None:
    talk = Talk(3)
    talk("faceup Ann 4C KD AH")
    talk("faceup Ann QS KD AH")
    assert [str(card) for card in talk.game.ledger.held_by(0)] == ["4C"]
    assert [str(card) for card in talk.game.ledger.row_of(0)] == ["QS", "KD", "AH"]


def test_classic_R4_the_turned_card_begins_the_pile_and_leaves_the_stock() -> None:
    ruling = Talk(3)("start 5C")
    assert (str(ruling.top), ruling.pile, ruling.stock) == ("5C", 1, 24)


def test_classic_R4_nothing_is_played_before_a_card_is_turned() -> None:
    assert short(Talk(3)("play 5C")) == ("illegal", "no_start_card", "Ann")


def test_classic_R4_a_second_card_is_not_turned() -> None:
    assert short(Talk(3)("start 5C", "start 6C")) == ("illegal", "not_allowed", "Ann")


def test_classic_R5_dealers_left_begins_and_turns_go_on_to_the_left() -> None:
    talk = Talk(3)
    turns = [talk(line).turn for line in ("start 3C", "play 4C", "play 5C", "play 6C")]
    assert turns == ["Ann", "Bob", "Cat", "Ann"]


@pytest.mark.parametrize(
    ("card", "verdict"),
    [
        ("8H", "illegal"),
        ("9H", "legal"),
        ("JH", "legal"),
        ("AH", "legal"),
        ("3S", "illegal"),
    ],
)
def test_classic_R6_equal_or_higher_and_suits_do_not_matter(card: str, verdict: str) -> None:
    assert Talk(3)("start 9C", f"play {card}").verdict.value == verdict


def test_classic_R7_any_number_of_one_value() -> None:
    assert Talk(3)("start 4C", "play 9H 9D 9S").pile == 4


def test_classic_R7_two_ranks_are_no_play() -> None:
    assert short(Talk(3)("start 4C", "play 9H JD")) == ("illegal", "mixed_ranks", "Ann")


def test_classic_R8_the_hand_is_refilled_to_three() -> None:
    ruling = Talk(3)("start 4C", "play 9H 9D")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (3, 22)


def test_classic_R8_a_short_stock_refills_as_far_as_it_goes() -> None:
    talk = Talk(2, at="1 play 1 4C 3/3/3;3/3/3 - - - begun -")
    ruling = talk("play 9H 9D")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (2, 0)


def test_classic_R8_no_draw_at_three_or_more() -> None:
    ruling = Talk(2, at="1 play 9 4C 4/3/3;3/3/3 - - - begun -")("play 9H")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (3, 9)


def test_classic_R9_who_cannot_play_takes_the_pile_and_the_next_starts_a_new_one() -> None:
    talk = Talk(3)
    ruling = talk("start KC", "play AD", "pickup")
    assert (ruling.turn, ruling.pile, ruling.hands["Bob"].hand) == ("Cat", 0, 5)
    assert short(talk("play 3H")) == ("legal", None, "Ann")


def test_classic_R10_without_hand_the_face_up_cards_are_played() -> None:
    ruling = Talk(2, at="1 play 0 4C 0/3/3;3/3/3 - - - begun -")("play KH")
    assert (ruling.verdict.value, tuple(ruling.hands["Ann"])) == ("legal", (0, 2, 3))


def test_classic_R10_without_those_a_face_down_card_is_played_blind() -> None:
    ruling = Talk(2, at="1 play 0 4C 0/0/3;3/3/3 - - - begun -")("play KH")
    assert (ruling.verdict.value, tuple(ruling.hands["Ann"])) == ("legal", (0, 0, 2))


def test_classic_R10_a_face_down_card_before_the_face_up_ones_is_refused() -> None:
    talk = Talk(2, at="1 play 0 4C 0/1/3;3/3/3 - - - begun -")
    assert short(talk("play KH from down")) == ("illegal", "hand_first", "Ann")


def test_classic_R10_a_card_that_is_not_in_the_seen_row_is_taken_for_a_face_down_one() -> None:
    talk = Talk(2, at="1 play 0 4C 0/1{QD}/3;3/3/3 - - - begun -")
    assert short(talk("play KH")) == ("illegal", "hand_first", "Ann")


@pytest.mark.parametrize("source", ["", " from up"])
def test_classic_R11_after_a_pickup_the_hand_goes_first_again(source: str) -> None:
    talk = Talk(2, at="1 play 0 9C 0/2{KD,QD}/3;3/3/3 - - - begun -")
    talk("pickup", "play 3C")
    assert short(talk(f"play KD{source}")) == ("illegal", "hand_first", "Ann")


@pytest.mark.parametrize("below", ["3C", "AC", "10C", "2C"])
def test_classic_R12_a_two_goes_on_anything_and_anything_on_a_two(below: str) -> None:
    assert short(Talk(3)(f"start {below}", "play 2H", "play 3H")) == ("legal", None, "Cat")


def test_classic_R13_a_ten_burns_the_pile_and_the_same_player_plays_again() -> None:
    talk = Talk(3)
    ruling = talk("start AC", "play 10H")
    assert (ruling.burn, ruling.removed, ruling.pile, ruling.turn) == (True, 2, 0, "Ann")
    assert short(talk("play 4C")) == ("legal", None, "Bob")


def test_classic_R13_burned_cards_never_come_back() -> None:
    talk = Talk(3)
    talk("start 5C", "play 10H", "play 6D")
    assert short(talk("play 5C")) == ("impossible", "card_already_gone", "Bob")


def test_classic_R14_four_on_top_across_players_and_turned_card_burn() -> None:
    ruling = Talk(3)("start 6C", "play 6H", "play 6D", "play 6S")
    assert (ruling.burn, ruling.removed, ruling.pile, ruling.turn) == (True, 4, 0, "Cat")


def test_classic_R14_the_whole_pile_goes_not_only_the_four() -> None:
    ruling = Talk(3)("start 4C", "play 6H 6D", "play 6S 6C")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 5, "Bob")


def test_classic_R14_four_low_cards_do_not_go_on_a_higher_one() -> None:
    talk = Talk(2, at="1 play 0 KC 5/3/3;3/3/3 - - - begun -")
    assert short(talk("play 4C 4D 4H 4S")) == ("illegal", "too_low", "Ann")


def test_classic_R14_cards_that_lie_apart_are_no_run() -> None:
    ruling = Talk(3)("start 8C", "play 8H", "play 2C", "play 8D 8S")
    assert (ruling.burn, ruling.pile) == (False, 5)


def test_classic_R15_who_has_played_all_cards_is_out_first() -> None:
    ruling = Talk(3, at="1 play 0 4C 0/0/1;3/3/3;3/3/3 - - - begun -")("play KH")
    assert (ruling.out, ruling.turn, ruling.loser) == (("Ann",), "Bob", None)


def test_classic_R16_is_advice_so_any_face_up_cards_will_do() -> None:
    assert Talk(2)("faceup Ann 3C 4D 5H Bob 10C 10D 10H").stands


def test_classic_reading_1_a_turned_ten_is_a_plain_ten() -> None:
    assert short(Talk(3)("start 10C", "play 9H")) == ("illegal", "too_low", "Ann")
    assert Talk(3)("start 10C", "play 10H").removed == 2


def test_classic_reading_2_the_pile_may_always_be_taken() -> None:
    ruling = Talk(3)("start 3C", "pickup")
    assert (ruling.verdict.value, ruling.could_play) == ("legal", False)


def test_classic_reading_2_a_face_up_card_that_would_have_fitted_is_noted() -> None:
    talk = Talk(2, at="1 play 0 9C 0/1{QD}/3;3/3/3 - - - begun -")
    ruling = talk("pickup")
    assert ruling.could_play
    assert "would have fitted" in ruling.say


def test_classic_reading_3_the_draw_comes_before_the_play_after_a_burn() -> None:
    ruling = Talk(3)("start 5C", "play 10H 10D 10S")
    assert (ruling.turn, ruling.hands["Ann"].hand, ruling.stock) == ("Ann", 3, 21)


def test_classic_reading_4_a_failed_blind_card_lies_there_and_goes_with_the_pile() -> None:
    talk = Talk(2, at="1 play 0 4C,KC 0/0/2;3/3/3 - - - begun -")
    ruling = talk("play 9H")
    assert short(ruling) == ("legal", None, "Ann")
    assert (ruling.must, ruling.pile, str(ruling.top)) == (Must.PICKUP, 3, "9H")
    ruling = talk("pickup")
    assert (ruling.turn, tuple(ruling.hands["Ann"])) == ("Bob", (3, 0, 1))
    assert [str(card) for card in talk.game.ledger.held_by(0)] == ["4C", "9H", "KC"]


@pytest.mark.parametrize("line", ["play 9D", "play 9D by Bob", "pass", "chance 5C"])
def test_classic_reading_4_until_the_pickup_anything_else_is_refused(line: str) -> None:
    talk = Talk(2, at="1 play 0 4C,KC 0/0/2;3/3/3 - - - begun -")
    assert talk("play 9H", line).reason is not None
    assert short(talk(line)) == ("illegal", "must_pick_up", "Ann")


def test_classic_reading_5_equal_face_up_cards_go_together() -> None:
    ruling = Talk(2, at="1 play 0 4C 0/3/3;3/3/3 - - - begun -")("play KH KD")
    assert (ruling.verdict.value, ruling.hands["Ann"].up) == ("legal", 1)


def test_classic_reading_5_face_down_cards_go_one_at_a_time() -> None:
    talk = Talk(2, at="1 play 0 4C 0/0/3;3/3/3 - - - begun -")
    assert short(talk("play KH KD")) == ("illegal", "not_allowed", "Ann")


def test_classic_reading_6_a_hand_is_not_topped_up_with_equal_face_up_cards() -> None:
    talk = Talk(2, at="1 play 0 4C 1/1{KD}/3;3/3/3 - - - begun -")
    assert short(talk("play KH KD")) == ("illegal", "hand_first", "Ann")


@pytest.mark.parametrize(("line", "pile"), [("play 10H", "4C"), ("play 6H", "6C,6D,6S")])
def test_classic_reading_7_finishing_on_a_burn_the_player_is_out_and_the_next_leads(
    line: str, pile: str
) -> None:
    ruling = Talk(3, at=f"1 play 0 {pile} 1/0/0;3/3/3;3/3/3 - - - begun -")(line)
    assert (ruling.out, ruling.turn, ruling.must) == (("Ann",), "Bob", Must.PLAY)


def test_classic_reading_8_the_others_play_on_to_the_idiot() -> None:
    talk = Talk(3, at="1 play 0 4C 1/0/0;1/0/0;3/3/3 - - - begun -")
    assert talk("play 9H").loser is None
    ruling = talk("play JH")
    assert (ruling.out, ruling.loser, ruling.turn, ruling.must) == (
        ("Ann", "Bob"),
        "Cat",
        None,
        Must.NONE,
    )


def test_classic_reading_8_a_table_may_stop_at_the_winner() -> None:
    ruling = Talk(3, at="1 play 0 4C 1/0/0;1/0/0;3/3/3 - - - begun -", ends="winner")("play 9H")
    assert (ruling.out, ruling.loser, ruling.turn) == (("Ann",), None, None)


def test_classic_reading_9_with_two_packs_four_burn_at_once() -> None:
    talk = Talk(4, decks=2)
    ruling = talk("start 4C", "play 9D 9C", "play 9S", "play 9D 9H")
    assert (ruling.burn, ruling.removed) == (True, 6)


def test_classic_reading_10_an_empty_pile_is_not_taken() -> None:
    assert short(Talk(3)("start 4C", "play 10H", "pickup")) == ("illegal", "empty_pile", "Ann")


def test_classic_reading_11_the_loser_is_known_so_that_he_can_deal() -> None:
    assert Talk(2, at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")("play 9H").loser == "Bob"


@pytest.mark.parametrize("line", ["chance 9D", "pass", "play 3D under", "pickup with KD"])
def test_classic_has_none_of_the_moves_of_other_rules(line: str) -> None:
    assert short(Talk(3)("start 4C", line)) == ("illegal", "not_allowed", "Ann")


def test_classic_has_no_joker() -> None:
    assert short(Talk(3)("start 4C", "play JK")) == ("impossible", "not_in_deck", "Ann")


@pytest.mark.parametrize("line", ["play 5C", "pickup", "pass", "faceup Ann KD", "chance 5C"])
def test_after_the_end_nothing_stands(line: str) -> None:
    talk = Talk(2, at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")
    assert short(talk("play 9H", line)) == ("illegal", "game_over", None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("play 4C KD by Bob", ("impossible", "card_already_gone", "Ann")),
        ("play 9D JD by Bob", ("illegal", "not_your_turn", "Ann")),
        ("play 3D JD from up", ("illegal", "hand_first", "Ann")),
        ("play 3D JD", ("illegal", "mixed_ranks", "Ann")),
        ("play 3D", ("illegal", "too_low", "Ann")),
    ],
)
def test_reasons_come_in_order(line: str, expected: tuple[str, str, str]) -> None:
    assert short(Talk(3)("start 4C", line)) == expected
