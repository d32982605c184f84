"""What programs get wrong where rules meet: one test for each line of the rules' own list."""

from __future__ import annotations

import pytest

from engine.verdict import Must
from tests.engine.tabletalk import Talk, short


def pile(talk: Talk) -> list[str]:
    lying = talk.game.table.pile
    return [] if lying is None else [str(card) for card in lying.cards()]


def test_01_glass_on_a_seven_keeps_the_bound_and_only_glass_is_an_empty_pile() -> None:
    talk = Talk(2, glass_ranks=["3"], lower_ranks=["7"])
    talk("start 7C", "play 3D 3H", "play 3S")
    assert short(talk("play 9D")) == ("illegal", "too_high", "Ann")
    assert talk("play 4D").stands
    glass = Talk(2, glass_ranks=["3"])
    assert short(glass("start 3C", "play 3D", "play 4H")) == ("legal", None, "Ann")


@pytest.mark.parametrize(("breaks", "burn", "removed"), [(False, True, 5), (True, False, 0)])
def test_02_one_option_says_whether_glass_parts_a_run_and_comparing_looks_through_alike(
    breaks: bool, burn: bool, removed: int
) -> None:
    talk = Talk(2, glass_ranks=["3"], glass_breaks_run=breaks)
    talk("start 8C", "play 8D", "play 3D")
    assert short(talk("play 7D")) == ("illegal", "too_low", "Ann")
    ruling = talk("play 8H 8S")
    assert (ruling.burn, ruling.removed) == (burn, removed)


@pytest.mark.parametrize(
    ("options", "verdict"),
    [({}, "illegal"), ({"four_on_any": True}, "legal")],
    ids=["classic", "four-on-any"],
)
def test_03_four_low_cards_over_a_high_one(options: dict[str, bool], verdict: str) -> None:
    talk = Talk(2, at="1 play 0 KC 5/3/3;3/3/3 - - - begun -", **options)
    ruling = talk("play 4C 4D 4H 4S")
    assert (ruling.verdict.value, ruling.burn) == (verdict, verdict == "legal")


def test_04_a_run_is_completed_over_turns_with_the_turned_start_card() -> None:
    assert Talk(3)("start 6C", "play 6H", "play 6D", "play 6S").removed == 4


def test_04_a_run_is_completed_by_an_added_card() -> None:
    ruling = Talk(3, "hat")("play 6D", "play 6S", "play 6H by Bob")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 3, "Cat")


def test_04_a_run_is_completed_by_a_chance_card() -> None:
    ruling = Talk(3, "norsk")("play 5C", "play 7D 7C 7S", "chance 7H")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 5, "Cat")


@pytest.mark.parametrize("between", [("pickup",), ("play 10D", "play 3D", "pickup")])
def test_05_a_run_starts_anew_after_a_pickup_or_a_burn(between: tuple[str, ...]) -> None:
    talk = Talk(3, decks=2)
    talk("start 6C", "play 6H 6D", *between)
    assert talk("play 6S").burn is False
    assert talk.game.table.pile is not None
    assert talk.game.table.pile.run == 1


@pytest.mark.parametrize(("rules", "burn"), [("classic", True), ("hat", True), ("idiota", False)])
def test_06_five_equal_cards_of_two_packs_burn_but_not_where_all_eight_are_asked_for(
    rules: str, burn: bool
) -> None:
    opening = ("start 9C",) if rules == "classic" else ("play 9C",)
    talk = Talk(4, rules, decks=2)
    assert talk(*opening, "play 9D 9H", "play 9S 9C").burn is burn


def test_07_where_only_the_run_goes_the_card_below_is_next_to_be_beaten() -> None:
    talk = Talk(3, "idiota")
    ruling = talk("play 5C", "play 7D 7C", "play 7S 7H")
    assert (ruling.removed, pile(talk)) == (4, ["5C"])
    assert short(talk("play 4D"))[1] == "too_low"


@pytest.mark.parametrize("line", ["play 10H", "play 6H"])
def test_08_a_finisher_who_burns_has_no_turn_and_the_next_active_player_leads(line: str) -> None:
    at = "1 play 0 6C,6D,6S 1/0/0;0/0/0;3/3/3;3/3/3 - 2 - begun -"
    ruling = Talk(4, at=at)(line)
    assert (ruling.burn, ruling.out, ruling.turn, ruling.must) == (
        True,
        ("Bob", "Ann"),
        "Cat",
        Must.PLAY,
    )


def test_09_finishing_on_a_skip_a_reverse_or_a_seven_still_reaches_the_next_player() -> None:
    at = "1 play 0 4C 1/0/0;3/3/3;3/3/3 - - - begun -"
    assert Talk(3, at=at, skip_ranks=["8"])("play 8D").turn == "Cat"
    assert Talk(3, at=at, reverse_ranks=["K"])("play KD").turn == "Cat"
    seven = Talk(3, at=at, lower_ranks=["7"], lower_choice=True)
    assert (seven("play 7D").turn, seven.game.table.must) == ("Bob", Must.PLAY)
    assert short(seven("play 9D"))[1] == "too_high"


def test_10_a_blind_ten_or_fourth_card_burns_and_the_next_blind_card_follows_at_once() -> None:
    for card in ("10H", "6S"):
        talk = Talk(2, at="1 play 0 6C,6D,6H 0/0/2;3/3/3 - - - begun -")
        assert talk(f"play {card}").turn == "Ann"
        assert talk("play 3C").out == ("Ann",)


def test_10_a_blind_seven_or_joker_that_may_be_declared_is_never_stuck() -> None:
    seven = Talk(2, "jokers", at="1 play 0 4C 0/0/2;3/3/3 - - - begun -", lower_choice=True)
    assert short(seven("play 7H")) == ("legal", None, "Bob")
    joker = Talk(2, "jokers", at="1 play 0 4C 0/0/2;3/3/3 - - - begun -")
    assert short(joker("play JK")) == ("legal", None, "Bob")


def test_11_a_failed_blind_card_goes_with_the_pile_and_the_hand_is_emptied_first() -> None:
    talk = Talk(2, at="1 play 0 4C,KC 0/0/2;3/3/3 - - - begun -")
    talk("play 9H")
    assert tuple(talk("pickup").hands["Ann"]) == (3, 0, 1)
    talk("play 3C")
    assert short(talk("play 5H from down")) == ("illegal", "hand_first", "Ann")


def test_12_an_empty_pile_is_not_taken_and_not_while_a_card_after_a_two_is_owed() -> None:
    talk = Talk(3)
    assert short(talk("start 4C", "play 10H", "pickup")) == ("illegal", "empty_pile", "Ann")
    hat = Talk(3, "hat")
    assert short(hat("play 5C", "play 2D", "pickup")) == ("illegal", "must_play", "Bob")


def test_13_after_a_forced_pickup_the_player_after_the_picker_leads() -> None:
    at = "2 play 0 KC 3/3/3;0/0/2;3/3/3;3/3/3 - - - begun -"
    assert Talk(4, at=at)("play 3H", "pickup").turn == "Cat"


def test_14_the_refill_is_below_three_only_after_the_play_and_before_a_bonus_play() -> None:
    full = Talk(2, at="1 play 9 4C 4/3/3;3/3/3 - - - begun -")("play 9H")
    assert (full.hands["Ann"].hand, full.stock) == (3, 9)
    bonus = Talk(3)("start 5C", "play 10H 10D")
    assert (bonus.turn, bonus.hands["Ann"].hand) == ("Ann", 3)
    short_stock = Talk(2, at="1 play 1 4C 3/3/3;3/3/3 - - - begun -")("play 9H 9D")
    assert (short_stock.hands["Ann"].hand, short_stock.stock) == (2, 0)


def test_15_an_empty_hand_is_refilled_before_face_up_cards_count() -> None:
    talk = Talk(2, at="1 play 1 4C 1/3{KD,KS,AH}/3;3/3/3 - - - begun -")
    assert talk("play 9H").hands["Ann"].hand == 1
    talk("play JS")
    assert short(talk("play KD")) == ("illegal", "hand_first", "Ann")


def test_16_finished_players_are_passed_over_and_two_are_left_after_an_out() -> None:
    talk = Talk(4, at="1 play 0 4C 3/0/0;0/0/0;1/0/0;3/0/0 - 2 - begun -")
    assert talk("play 9H").turn == "Cat"
    assert talk("play JH").turn == "Dan"
    assert talk("play KH").turn == "Ann"


def test_17_the_loser_is_the_one_who_still_has_cards() -> None:
    assert Talk(2, at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")("play 9H").loser == "Bob"


def test_18_the_game_is_over_as_soon_as_one_holds_cards_even_with_a_card_owed() -> None:
    burn = Talk(2, at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")("play 10H")
    assert (burn.out, burn.loser, burn.turn) == (("Ann",), "Bob", None)
    owed = Talk(2, "hat", at="1 play 0 4C 1/0/0;1/0/0 - - - begun -")("play 2H")
    assert (owed.out, owed.loser, owed.must) == (("Ann",), "Bob", Must.NONE)


def test_19_a_card_seen_twice_is_a_misread_with_one_pack_and_right_once_more_with_two() -> None:
    assert short(Talk(3)("start 9C", "play 9C"))[:2] == ("impossible", "card_already_gone")
    two = Talk(3, decks=2)
    assert two("start 9C", "play 9C").stands
    assert short(two("play 9C"))[:2] == ("impossible", "card_already_gone")


def test_19_after_a_pickup_a_card_may_come_back_and_after_a_burn_never() -> None:
    talk = Talk(2)
    assert talk("start 9C", "pickup", "play 3D", "play 9C").stands
    assert short(talk("play 10H", "play 9C"))[:2] == ("impossible", "card_already_gone")


def test_20_a_game_that_never_ends_goes_on_being_ruled() -> None:
    talk = Talk(3, at="1 play 0 - 2{3C}/0/1;2/0/1;2{5C}/0/1 - - - begun -")
    before = talk.game.table
    for _ in range(100):
        for card in ("3C", "5C", "3C", "5C", "3C", "5C"):
            assert talk(f"play {card}").stands
            assert talk("pickup").stands
        assert talk.game.table == before
    assert talk.game.count == 1200


@pytest.mark.parametrize("close", ["pickup", "play 10H"])
def test_21_a_pickup_or_a_burn_closes_the_window_for_adding(close: str) -> None:
    talk = Talk(3, "hat")
    talk("play 7D", close)
    assert short(talk("play 7S by Ann"))[1] == "not_your_turn"


def test_21_a_pickup_or_a_burn_closes_the_window_for_cutting_in() -> None:
    talk = Talk(4, cut_in="fourth")
    talk("start 8C", "play 8D 8H", "pickup")
    assert short(talk("play 8S by Dan"))[1] == "not_your_turn"


def test_22_four_from_one_hand_seen_as_one_and_three_are_the_same_burn() -> None:
    at = "1 play 9 3C 6/3/3;3/3/3 - - - begun -"
    at_once = Talk(2, "hat", at=at)("play 9C 9D 9H 9S")
    in_two = Talk(2, "hat", at="1 play 9 3C 3/3/3;3/3/3 - - - begun -")("play 9C", "play 9D by Ann")
    assert (at_once.burn, at_once.removed) == (True, 5)
    assert in_two.stands
    amended = Talk(2, at=at)("play 9C", "amend 1 play 9C 9D 9H 9S")
    assert (amended.burn, amended.removed, amended.turn) == (True, 5, "Ann")
