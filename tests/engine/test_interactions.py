"""Where rules meet, and the faults that other programs are known for."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.notation import parse_event
from engine.rules import preset
from engine.setup import Setup
from engine.verdict import Must
from tests.engine.tabletalk import NAMES, Talk, short


def test_low_cards_over_a_high_one_are_refused_even_four() -> None:
    talk = Talk(2, at="1 play 0 KC 4/3/3;3/3/3 - - - begun -")
    assert short(talk("play 4C 4D 4H 4S")) == ("illegal", "too_low", "Ann")


def test_a_run_starts_anew_after_a_pickup() -> None:
    talk = Talk(3)
    talk("start 6C", "play 6H", "pickup")
    ruling = talk("play 6D", "play 6S")
    assert (ruling.burn, ruling.pile) == (False, 2)


def test_a_run_starts_anew_after_a_burn() -> None:
    talk = Talk(3, decks=2)
    talk("start 6C", "play 6H", "play 10D", "play 6S", "play 6D")
    assert talk("play 6C").burn is False


def test_a_run_may_be_completed_by_a_blind_card_and_the_next_blind_one_follows() -> None:
    talk = Talk(2, at="1 play 0 6C,6D,6H 0/0/2;3/3/3 - - - begun -")
    ruling = talk("play 6S")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 4, "Ann")
    assert talk("play 3C").out == ("Ann",)


def test_a_blind_ten_burns_and_the_next_blind_one_follows() -> None:
    talk = Talk(3, at="1 play 0 KC 0/0/2;3/3/3;3/3/3 - - - begun -")
    ruling = talk("play 10S")
    assert (ruling.burn, ruling.turn, ruling.must) == (True, "Ann", Must.PLAY)


def test_after_a_failed_blind_card_the_hand_must_be_emptied_first() -> None:
    talk = Talk(2, at="1 play 0 KC 0/0/2;9/0/0 - - - begun -")
    talk("play 3S", "pickup", "play 4H")
    assert short(talk("play AS from down")) == ("illegal", "hand_first", "Ann")
    assert short(talk("play KC")) == ("legal", None, "Bob")


def test_the_pickup_works_on_every_pile_and_the_player_after_the_picker_leads() -> None:
    talk = Talk(4)
    assert short(talk("start 3C", "play 4H 4D 4S", "pickup")) == ("legal", None, "Cat")


def test_a_pickup_by_another_player_is_not_his_turn() -> None:
    assert short(Talk(3)("start 3C", "pickup by Bob")) == ("illegal", "not_your_turn", "Ann")


def test_refill_waits_until_the_hand_is_below_three() -> None:
    talk = Talk(2, at="1 play 9 4C 5/3/3;3/3/3 - - - begun -")
    ruling = talk("play 9H 9D")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (3, 9)


def test_an_empty_hand_is_refilled_before_the_table_cards_count() -> None:
    talk = Talk(2, at="1 play 2 4C 1/3{KD,KS,AH}/3;3/3/3 - - - begun -")
    talk("play 9H", "play JS")
    assert talk.game.table.seats[0].hand == 2
    assert short(talk("play KD")) == ("illegal", "hand_first", "Ann")


def test_finished_players_are_passed_over() -> None:
    talk = Talk(4, at="1 play 0 4C 3/0/0;0/0/0;0/0/0;3/0/0 - 2,3 - begun -")
    assert talk("play 9H").turn == "Dan"
    assert talk("play JH").turn == "Ann"


def test_the_loser_is_the_one_who_still_holds_cards() -> None:
    ruling = Talk(3, at="1 play 0 4C 1/0/0;0/0/0;9/3/3 - 2 - begun -")("play 9H")
    assert (ruling.loser, ruling.out) == ("Cat", ("Bob", "Ann"))


def test_the_game_ends_on_a_burn_of_the_last_but_one() -> None:
    ruling = Talk(2, at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")("play 10H")
    assert (ruling.burn, ruling.loser, ruling.turn, ruling.must) == (True, "Bob", None, Must.NONE)


def test_with_one_pack_a_card_cannot_lie_there_twice() -> None:
    assert short(Talk(3)("start 9C", "play 9C")) == ("impossible", "card_already_gone", "Ann")


def test_with_two_packs_a_card_can_lie_there_twice_and_no_third_time() -> None:
    talk = Talk(3, decks=2)
    assert talk("start 9C", "play 9C").stands
    assert short(talk("play 9C")) == ("impossible", "card_already_gone", "Bob")


def test_after_a_pickup_a_card_comes_back_from_that_hand_alone() -> None:
    talk = Talk(3)
    talk("start 9C", "pickup")
    assert short(talk("play 9C")) == ("impossible", "held_by_other", "Bob")
    talk("play 3C", "play 4C")
    assert short(talk("play 9C")) == ("legal", None, "Bob")


def test_two_packs_leave_a_second_copy_for_the_others() -> None:
    talk = Talk(3, decks=2)
    talk("start 9C", "pickup")
    assert talk("play 9C").stands


def test_four_from_one_hand_seen_one_by_one_are_the_same_burn() -> None:
    at_once = Talk(2, at="1 play 0 3C 6/3/3;3/3/3 - - - begun -")("play 6C 6D 6H 6S")
    assert (at_once.burn, at_once.removed, at_once.turn) == (True, 5, "Ann")


def test_the_order_seen_is_the_order_kept() -> None:
    talk = Talk(3)
    talk("start 4C", "play 9H 9D 9S")
    pile = talk.game.table.pile
    assert pile is not None
    assert [str(card) for card in pile.cards()] == ["4C", "9H", "9D", "9S"]


def test_a_player_cannot_lay_more_cards_than_he_has() -> None:
    talk = Talk(2, at="1 play 0 3C 2/3/3;3/3/3 - - - begun -")
    assert short(talk("play 6C 6D 6H")) == ("impossible", "too_many_cards", "Ann")


def test_a_hand_of_known_cards_holds_no_other() -> None:
    talk = Talk(2, at="1 play 0 3C 2{4C,5D}/3/3;3/3/3 - - - begun -")
    assert short(talk("play 6C")) == ("impossible", "too_many_cards", "Ann")
    assert talk("play 5D").stands


def test_a_card_of_anothers_face_up_row_is_his() -> None:
    talk = Talk(3)
    talk("faceup Bob KD QD JD", "start 3C")
    assert short(talk("play KD")) == ("impossible", "held_by_other", "Ann")


def test_a_card_of_ones_own_row_is_not_in_the_hand() -> None:
    talk = Talk(3)
    talk("faceup Ann KD QD JD", "start 3C")
    assert short(talk("play KD")) == ("illegal", "hand_first", "Ann")


def test_with_two_packs_a_card_of_the_row_may_have_a_twin_in_the_hand() -> None:
    talk = Talk(3, decks=2)
    talk("faceup Ann KD QD JD", "start 3C")
    assert talk("play KD").stands
    assert [str(card) for card in talk.game.ledger.row_of(0)] == ["JD", "QD", "KD"]


# -- the other rule sets, where their rules meet ------------------------------------------------


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("7D", ("legal", None, "Bob")),
        ("3D", ("legal", None, "Bob")),
        ("8D", ("illegal", "too_high", "Ann")),
        ("10D", ("illegal", "too_high", "Ann")),
        ("2D", ("legal", None, "Bob")),
        ("JK", ("legal", None, "Bob")),
    ],
)
def test_jokers_seven_or_lower(card: str, expected: tuple[str, str | None, str]) -> None:
    assert short(Talk(2, "jokers")("start 7C", f"play {card}")) == expected


def test_jokers_ten_on_a_seven_where_the_table_allows_it() -> None:
    assert Talk(2, "jokers", ten_on_seven=True)("start 7C", "play 10D").burn


def test_jokers_seven_or_lower_lasts_one_play() -> None:
    assert Talk(2, "jokers")("start 7C", "play 3D", "play KD").stands


def test_jokers_a_joker_copies_the_seven_below() -> None:
    assert short(Talk(2, "jokers")("start 7C", "play JK", "play 9D")) == (
        "illegal",
        "too_high",
        "Bob",
    )


def test_jokers_a_declared_joker_counts_as_declared() -> None:
    talk = Talk(2, "jokers")
    assert short(talk("start KC", "play JK joker 4", "play 5D")) == ("legal", None, "Ann")


def test_jokers_a_joker_declared_a_ten_burns() -> None:
    assert Talk(2, "jokers")("start KC", "play JK joker 10").burn


def test_jokers_a_joker_on_nothing_lets_anything_follow() -> None:
    assert short(Talk(2, "jokers")("start JK", "play 3D")) == ("legal", None, "Bob")


def test_jokers_a_joker_beside_another_rank_than_declared_is_no_set() -> None:
    assert short(Talk(2, "jokers")("start 4C", "play 9D JK joker 5")) == (
        "illegal",
        "mixed_ranks",
        "Ann",
    )


def test_jokers_two_lie_in_each_pack() -> None:
    talk = Talk(2, "jokers")
    assert talk("start JK", "play JK").stands
    assert short(talk("play JK")) == ("impossible", "card_already_gone", "Bob")


def test_hat_the_second_card_after_a_two_is_owed() -> None:
    talk = Talk(3, "hat")
    assert short(talk("play 5C", "play 2D")) == ("legal", None, "Bob")
    assert short(talk("pickup")) == ("illegal", "must_play", "Bob")
    assert short(talk("play 3D")) == ("legal", None, "Cat")


def test_hat_four_twos_burn_and_the_next_player_leads_without_a_second_card() -> None:
    ruling = Talk(3, "hat", decks=2)("play 2C 2D 2H", "play 2S")
    assert (ruling.burn, ruling.turn) == (True, "Bob")


def test_hat_a_player_who_is_out_on_a_two_owes_nothing() -> None:
    talk = Talk(3, "hat", at="1 play 0 5C 1/0/0;3/3/3;3/3/3 - - - begun -")
    assert (talk("play 2D").turn, talk("play 3D").stands) == ("Bob", True)


@pytest.mark.parametrize("close", ["play 9D", "pickup"])
def test_hat_the_next_act_closes_the_window_for_a_drawn_card(close: str) -> None:
    talk = Talk(3, "hat")
    talk("play 7D", close)
    assert short(talk("play 7S by Ann"))[:2] == ("illegal", "not_your_turn")


def test_hat_a_drawn_card_may_complete_the_run_and_burn() -> None:
    talk = Talk(3, "hat")
    ruling = talk("play 6D 6S", "play 6H by Ann")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 3, "Bob")


def test_hat_nothing_is_added_without_a_draw() -> None:
    talk = Talk(3, "hat", at="1 play 0 5C 3/3/3;3/3/3;3/3/3 - - - begun -")
    assert short(talk("play 7D", "play 7S by Ann")) == ("illegal", "not_your_turn", "Bob")


def test_hat_the_last_of_the_hand_takes_equal_face_up_cards_along() -> None:
    talk = Talk(2, "hat", at="1 play 0 5C 1/3{KD,KS,AH}/3;3/3/3 - - - begun -")
    ruling = talk("play KH KD KS")
    assert (ruling.verdict.value, tuple(ruling.hands["Ann"])) == ("legal", (0, 1, 3))


@pytest.mark.parametrize(
    ("hand", "row", "laid"),
    [
        ("2{AC,AH}", "3{AH}", "AC AH AC AH"),
        ("2{AC,AH}", "3{AH}", "AH AH AC AC"),
        ("2{AC,AH}", "3", "AC AH AC AH"),
        ("1{AH}", "3{AH}", "AH AC"),
        ("1{AH}", "3{AH}", "AC AH AH"),
        ("1", "3{AH}", "AC AH"),
        ("2{AH}", "3{AC}", "AC AS AH"),
        ("2{AH}", "1{AC}", "AC AC AH"),
        ("2{A?,AH}", "3", "AC AH A? AH"),
        ("2{A?,AH}", "3{AH,KC,QC}", "AH AH AS"),
    ],
)
def test_hat_r16_what_is_known_of_the_hand_stays_there_when_its_twin_is_joined(
    hand: str, row: str, laid: str
) -> None:
    at = f"1 play 0 3S {hand}/{row}/3;3/3/3 - - - begun -"
    talk = Talk(2, "hat", decks=2, at=at)
    ruling = talk(f"play {laid}")
    joined = len(laid.split()) - int(hand[0])
    assert short(ruling)[:2] == ("legal", None)
    assert tuple(ruling.hands["Ann"]) == (0, int(row[0]) - joined, 3)
    assert talk.game.ledger.held_by(0) == ()


def test_idiota_r16_the_last_cards_are_joined_by_their_twins() -> None:
    at = "1 play 0 3C,3S 5{2C,2D,2H,2H,2S}/3/3;3/3/3 - - - begun -"
    talk = Talk(2, "idiota", decks=3, at=at)
    ruling = talk("play 2D 2C 2S 2H 2H 2C 2H")
    assert (*short(ruling)[:2], tuple(ruling.hands["Ann"])) == ("legal", None, (0, 1, 3))


@pytest.mark.parametrize("laid", ["AH AH", "AC AH AC"])
def test_a_copy_that_can_only_be_that_of_the_row_waits_for_the_hand(laid: str) -> None:
    talk = Talk(2, decks=2, at="1 play 0 3S 4{AH}/3{AH,AC,AC}/3;3/3/3 - - - begun -")
    assert short(talk(f"play {laid}")) == ("illegal", "hand_first", "Ann")


def test_a_card_of_the_row_waits_for_a_hand_of_known_cards() -> None:
    talk = Talk(2, decks=2, at="1 play 0 3S 2{4C,5D}/3{6C}/3;3/3/3 - - - begun -")
    assert short(talk("play 6C")) == ("illegal", "hand_first", "Ann")
    assert short(talk("play 6D")) == ("impossible", "too_many_cards", "Ann")


def test_hat_nothing_is_joined_while_there_is_stock() -> None:
    talk = Talk(2, "hat", at="1 play 4 5C 1/3{KD,KS,AH}/3;3/3/3 - - - begun -")
    assert short(talk("play KH KD")) == ("illegal", "hand_first", "Ann")


def test_castle_seats_four_with_one_pack() -> None:
    from engine.errors import SetupError

    with pytest.raises(SetupError, match="castle seats 2 to 4 players, not 5"):
        Talk(5, "castle")


def test_idiota_seven_of_two_packs_are_no_run_yet() -> None:
    talk = Talk(6, "idiota", decks=2)
    ruling = talk("play 7C 7D 7S", "play 7H 7C 7D", "play 7S")
    assert (ruling.burn, ruling.pile) == (False, 7)


def test_idiota_only_the_run_goes_and_the_player_plays_on_the_rest() -> None:
    talk = Talk(3, "idiota")
    ruling = talk("play 5C", "play 7D 7C", "play 7S 7H")
    assert (ruling.removed, str(ruling.top), ruling.turn) == (4, "5C", "Cat")
    assert short(talk("play 4D")) == ("illegal", "too_low", "Cat")


def test_idiota_a_chance_card_may_complete_the_run_but_the_turn_passes() -> None:
    ruling = Talk(3, "idiota")("play 5C", "play 7D 7C 7S", "chance 7H")
    assert (ruling.burn, ruling.removed, ruling.turn, ruling.pile) == (True, 4, "Ann", 1)


def test_idiota_a_face_up_card_that_fails_is_laid_and_all_is_taken() -> None:
    talk = Talk(2, "idiota", at="1 play 0 KC 0/3{4D,5D,6D}/3;3/3/3 - - - begun -")
    ruling = talk("play 4D")
    assert (ruling.verdict.value, ruling.must, ruling.turn) == ("legal", Must.PICKUP, "Ann")
    assert tuple(talk("pickup").hands["Ann"]) == (2, 2, 3)


def test_idiota_a_face_up_card_that_fails_is_refused_when_another_fits() -> None:
    talk = Talk(2, "idiota", at="1 play 0 KC 0/3{4D,5D,AD}/3;3/3/3 - - - begun -")
    assert short(talk("play 4D")) == ("illegal", "too_low", "Ann")


def test_idiota_a_set_thrown_out_keeps_the_turn_and_draws_nothing() -> None:
    talk = Talk(2, "idiota", at="1 play 9 KC 5/3/3;3/3/3 - - - begun -")
    ruling = talk("remove 4C 4D 4H 4S")
    assert (ruling.removed, ruling.burn, ruling.turn) == (4, False, "Ann")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (1, 9)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("remove 4C 4D 4H", "not_allowed"),
        ("remove 4C 4D 4H 5S", "mixed_ranks"),
    ],
)
def test_idiota_only_a_whole_rank_is_thrown_out(line: str, reason: str) -> None:
    talk = Talk(2, "idiota", at="1 play 9 KC 5/3/3;3/3/3 - - - begun -")
    assert short(talk(line)) == ("illegal", reason, "Ann")


def test_no_chance_from_an_empty_stock() -> None:
    talk = Talk(2, "idiota", at="1 play 0 KC 3/3/3;3/3/3 - - - begun -")
    assert short(talk("chance AD")) == ("illegal", "empty_stock", "Ann")


def test_a_failed_chance_card_goes_with_the_pile() -> None:
    talk = Talk(3, "norsk")
    ruling = talk("play KC", "chance 4D")
    assert (ruling.must, ruling.pile, ruling.stock) == (Must.PICKUP, 2, 23)
    assert talk("pickup").hands["Bob"].hand == 5


def test_norsk_the_last_card_is_no_two() -> None:
    talk = Talk(2, "norsk", at="1 play 0 KC 1/0/0;3/3/3 - - - begun -")
    assert short(talk("play 2D")) == ("illegal", "finish_forbidden", "Ann")


def test_norsk_a_blind_two_at_the_end_takes_the_pile() -> None:
    talk = Talk(2, "norsk", at="1 play 0 KC 0/0/1;3/3/3 - - - begun -")
    ruling = talk("play 2D")
    assert short(ruling) == ("legal", "finish_forbidden", "Ann")
    assert ruling.must is Must.PICKUP


def test_norsk_who_holds_but_a_two_passes_on_an_empty_pile() -> None:
    talk = Talk(2, "norsk", at="1 play 0 - 1/0/0;3/3/3 - - - begun -")
    assert short(talk("pass")) == ("legal", None, "Bob")


@pytest.mark.parametrize(("card", "verdict"), [("9D", "illegal"), ("JD", "legal")])
def test_norsk_face_up_cards_must_be_higher(card: str, verdict: str) -> None:
    talk = Talk(2, "norsk", at="1 play 0 9C 0/3/3;3/3/3 - - - begun -")
    assert talk(f"play {card}").verdict.value == verdict


def test_norsk_a_sneaked_three_leaves_the_top_as_it_was() -> None:
    ruling = Talk(3, "norsk", sneak_three=True)("play KC", "play 3D under")
    assert (str(ruling.top), ruling.pile, ruling.turn) == ("KC", 2, "Cat")


@pytest.mark.parametrize(
    ("series", "cards", "stands"),
    [
        ("strict", "4D 5C 6C", True),
        ("strict", "4D 4C 5C", True),
        ("strict", "4D 6C", False),
        ("gaps", "4D 6C", True),
        ("gaps", "6D 4C", False),
        ("strict", "9D 10C", False),
        ("strict", "9D JC", True),
        ("off", "4D 5C", False),
        ("gaps", "4D 2C", False),
    ],
)
def test_norsk_series(series: str, cards: str, stands: bool) -> None:
    talk = Talk(3, "norsk", series=series)
    assert talk("play 3C", f"play {cards}").stands is stands


def test_norsk_a_series_takes_cards_that_are_drawn_on_the_way() -> None:
    talk = Talk(3, "norsk", series="strict")
    ruling = talk("play 3C", "play 4D 5C 6C 7C 8C")
    assert (ruling.stands, ruling.hands["Bob"].hand, ruling.stock) == (True, 3, 19)


@pytest.mark.parametrize("first", ["Ann", None])
def test_a_full_set_may_be_thrown_out_as_the_very_first_act(first: str | None) -> None:
    setup = Setup.new(preset("idiota").override({"hand": 5}), NAMES[:3], first=first)
    game, ruling = Game.new(setup).judge(parse_event("remove 4C 4D 4H 4S"))
    assert (ruling.verdict.value, ruling.turn, tuple(ruling.hands["Ann"])) == (
        "legal",
        "Ann",
        (1, 3, 3),
    )
    _, ruling = game.judge(parse_event("play 5C"))
    assert (ruling.turn, tuple(ruling.hands["Ann"])) == ("Bob", (5, 3, 3))


def test_no_set_is_thrown_out_before_the_card_that_begins_is_turned() -> None:
    ruling = Talk(3, "idiota", turned_card=True, hand=5)("remove 4C 4D 4H 4S")
    assert (short(ruling)[1], ruling.say) == ("not_allowed", "It is not the time for that.")
