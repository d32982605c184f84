"""House rules beyond the presets, switch by switch, and those that exclude each other."""

from __future__ import annotations

import pytest

from engine.errors import RulesError, SetupError
from engine.rules import HouseRules, preset
from engine.setup import Setup
from engine.verdict import Must
from tests.engine.tabletalk import NAMES, Talk, short

HAND = "1 play 0 {pile} 3/3/3;3/3/3;3/3/3 - - - begun -"


@pytest.mark.parametrize(
    ("options", "pile", "line", "expected"),
    [
        ({"ten_on_higher": False}, "9C", "play 10H", ("legal", None, "Ann")),
        ({"ten_on_higher": False}, "JC", "play 10H", ("illegal", "too_low", "Ann")),
        ({"ten_on_higher": False}, "2C", "play 10H", ("legal", None, "Ann")),
        ({"ten_on_empty": False}, "-", "play 10H", ("illegal", "not_allowed", "Ann")),
        ({"ten_on_empty": False}, "-", "pass", ("legal", None, "Bob")),
        ({"ten_on_empty": False}, "4C", "play 10H", ("legal", None, "Ann")),
        ({"lower_ranks": ["9"]}, "9C", "play 9H", ("legal", None, "Bob")),
        ({"lower_ranks": ["9"]}, "9C", "play JH", ("illegal", "too_high", "Ann")),
        (
            {"lower_ranks": ["7"], "lower_equal": False, "lower_on_higher": False},
            "7C",
            "play 7H",
            ("illegal", "too_high", "Ann"),
        ),
        ({"lower_ranks": ["7"], "lower_equal": False}, "7C", "play 6H", ("legal", None, "Bob")),
        (
            {"lower_ranks": ["7"], "ten_on_seven": False},
            "7C",
            "play 10H",
            ("illegal", "too_high", "Ann"),
        ),
        ({"four_on_any": True}, "KC", "play 4C 4D 4H", ("illegal", "too_low", "Ann")),
        ({"no_finish_ranks": ["JK"], "jokers": 2}, "KC", "play JK", ("legal", None, "Bob")),
        ({"lower_ranks": ["7"]}, "4C", "play 7H call higher", ("illegal", "not_allowed", "Ann")),
    ],
)
def test_what_lies_on_what(
    options: dict[str, object], pile: str, line: str, expected: tuple[str, str | None, str]
) -> None:
    talk = Talk(3, at=HAND.format(pile=pile), **options)
    assert short(talk(line)) == expected


def test_a_seven_may_call_for_higher_cards_where_the_table_has_it() -> None:
    talk = Talk(3, lower_ranks=["7"], lower_choice=True)
    assert short(talk("start 4C", "play 7H call higher", "play 9D")) == ("legal", None, "Cat")
    talk = Talk(3, lower_ranks=["7"], lower_choice=True)
    assert short(talk("start 4C", "play 7H call higher", "play 5D"))[1] == "too_low"


def test_pairs_are_beaten_by_pairs_where_the_table_has_it() -> None:
    talk = Talk(3, pairs=True)
    talk("start 4C", "play 6H 6D")
    assert short(talk("play 9H")) == ("illegal", "too_few_cards", "Bob")
    assert short(talk("play 2H")) == ("legal", None, "Cat")
    assert short(talk("undo", "play 9H 9D"))[0] == "legal"


def test_a_pair_of_twos_asks_for_no_pair() -> None:
    assert Talk(3, pairs=True)("start 4C", "play 2H 2D", "play 9H").stands


# -- cards that act ----------------------------------------------------------------------------


def test_a_joker_may_be_seen_through() -> None:
    talk = Talk(3, jokers=2, glass_ranks=["JK"])
    assert short(talk("start 9C", "play JK", "play 8D")) == ("illegal", "too_low", "Bob")


def test_a_joker_may_turn_the_direction_round() -> None:
    ruling = Talk(4, jokers=2, reverse_ranks=["JK"])("start 9C", "play JK")
    assert (ruling.turn, ruling.say) == ("Dan", "Ann: joker. The other way round now.")


def test_a_joker_may_burn_the_pile() -> None:
    ruling = Talk(3, jokers=2, burn_ranks=["10", "JK"])("start 9C", "play JK")
    assert (ruling.burn, ruling.removed, ruling.turn) == (True, 2, "Ann")


def test_a_joker_may_make_the_next_player_take_the_pile_and_leaves_the_game() -> None:
    talk = Talk(3, jokers=2, pickup_ranks=["JK"])
    ruling = talk("start 9C", "play JK")
    assert (ruling.removed, ruling.pile, ruling.turn, ruling.must) == (1, 1, "Bob", Must.PICKUP)
    assert ruling.say == "Ann: joker. Bob takes the pile."
    assert short(talk("play KD")) == ("illegal", "must_pick_up", "Bob")
    assert talk("pickup").turn == "Cat"


def test_on_an_empty_pile_there_is_nothing_to_take() -> None:
    talk = Talk(3, jokers=2, pickup_ranks=["JK"])
    ruling = talk("start 9C", "pickup", "play JK")
    assert (ruling.turn, ruling.must, ruling.pile) == ("Cat", Must.PLAY, 0)


@pytest.mark.parametrize(("card", "stands"), [("JH", True), ("JD", True), ("JS", False)])
def test_a_red_jack_passes_the_pile_on(card: str, stands: bool) -> None:
    talk = Talk(3, jokers=2, pickup_ranks=["JK"], red_jack_deflects=True)
    ruling = talk("start KC", "play JK", f"play {card}")
    assert ruling.stands is stands
    assert (ruling.turn, ruling.must) == ("Cat" if stands else "Bob", Must.PICKUP)


def test_finishing_with_such_a_joker_still_reaches_the_next_player() -> None:
    at = "1 play 0 4C 1/0/0;3/0/0;3/0/0 - - - begun -"
    ruling = Talk(3, at=at, jokers=2, pickup_ranks=["JK"])("play JK")
    assert (ruling.out, ruling.turn, ruling.must) == (("Ann",), "Bob", Must.PICKUP)


@pytest.mark.parametrize(("again", "turn"), [(False, "Dan"), (True, "Ann")])
def test_glass_on_an_eight_skips_again_or_not(again: bool, turn: str) -> None:
    talk = Talk(4, skip_ranks=["8"], glass_ranks=["3"], glass_skips=again)
    assert talk("start 4C", "play 8D").turn == "Cat"
    assert talk("play 3D").turn == turn


@pytest.mark.parametrize("cards", ["8D", "8D 8H", "8D 8H 8S"])
def test_with_two_players_eights_leave_the_turn_where_it_was(cards: str) -> None:
    assert Talk(2, skip_ranks=["8"])("start 4C", f"play {cards}").turn == "Ann"


@pytest.mark.parametrize(("each", "turn"), [(True, "Bob"), (False, "Dan")])
def test_two_kings_turn_the_direction_twice_or_once(each: bool, turn: str) -> None:
    talk = Talk(4, reverse_ranks=["K"], reverse_each=each)
    assert talk("start 4C", "play KD KH").turn == turn


def test_with_two_players_a_king_may_play_again() -> None:
    assert Talk(2, reverse_ranks=["K"], reverse_two="same")("start 4C", "play KD").turn == "Ann"


# -- out of turn -------------------------------------------------------------------------------


def test_the_fourth_card_cuts_in_and_the_turn_jumps_to_the_cutter() -> None:
    talk = Talk(4, cut_in="fourth")
    ruling = talk("start 8C", "play 8D", "play 8H", "play 8S by Ann")
    assert (ruling.burn, ruling.turn) == (True, "Ann")
    assert ruling.say == "Burn! Ann again. Ann cuts in."


@pytest.mark.parametrize("line", ["play 8S by Dan", "play 9S by Dan"])
def test_fewer_than_four_do_not_cut_in(line: str) -> None:
    talk = Talk(4, cut_in="fourth")
    assert short(talk("start 8C", "play 8D", line)) == ("illegal", "not_your_turn", "Bob")


def test_any_equal_card_cuts_in_where_the_table_has_it() -> None:
    talk = Talk(4, cut_in="equal")
    assert short(talk("start 8C", "play 9D", "play 9H by Dan")) == ("legal", None, "Ann")


def test_nobody_cuts_in_on_a_pending_pickup() -> None:
    at = "1 play 0 8C,KD 0/0/2;3/3/3;3/3/3 - - - begun -"
    talk = Talk(3, at=at, cut_in="equal")
    assert short(talk("play 9C", "play 9D by Cat")) == ("illegal", "must_pick_up", "Ann")


# -- taking the pile, opening, sitting down ----------------------------------------------------


def test_who_has_only_face_down_cards_must_play_where_the_table_has_it() -> None:
    talk = Talk(2, at="1 play 0 8C 0/0/2;3/3/3 - - - begun -", pickup_blind=False)
    assert short(talk("pickup")) == ("illegal", "must_play", "Ann")
    assert short(talk("play 4C", "pickup"))[0] == "legal"


def test_idiota_reminds_of_the_chance_card_and_accepts_the_pickup() -> None:
    ruling = Talk(3, "idiota")("play 9C", "pickup")
    assert ruling.say == "Bob takes the pile. Cat leads. A card from the stock comes before that."


def test_a_special_start_card_is_turned_again_where_the_table_has_it() -> None:
    talk = Talk(3, turn_again=True)
    assert talk("start 10C").say == "Ten to begin: turn another."
    assert short(talk("play JD")) == ("illegal", "no_start_card", "Ann")
    ruling = talk("start 6C")
    assert (ruling.pile, ruling.stock, ruling.say) == (2, 23, "Six to begin. Ann leads.")
    assert short(talk("start 7C")) == ("illegal", "not_allowed", "Ann")


def test_offering_to_begin_goes_round_until_the_first_card() -> None:
    talk = Talk(3, "hat")
    assert [talk("pass").turn for _ in range(4)] == ["Bob", "Cat", "Ann", "Bob"]
    assert short(talk("play 3C")) == ("legal", None, "Cat")
    assert short(talk("pass")) == ("illegal", "not_allowed", "Cat")


def test_a_swap_before_play_is_known_and_later_refused() -> None:
    talk = Talk(2)
    talk("faceup Ann 4C KD AH")
    assert talk("swap QS with 4C by Ann").say == "Ann lays queen face up."
    assert [str(card) for card in talk.game.ledger.row_of(0)] == ["QS", "KD", "AH"]
    assert [str(card) for card in talk.game.ledger.held_by(0)] == ["4C"]
    assert short(talk("swap 9S with 9C by Ann"))[1] == "too_many_cards"
    talk("start 5C")
    assert short(talk("swap 9S with KD by Ann"))[1] == "not_allowed"
    assert short(Talk(2, "norsk")("swap QS with 4C by Ann"))[1] == "not_allowed"


def test_norsk_a_lifted_card_stays_in_the_hand_and_is_to_be_played_next() -> None:
    talk = Talk(2, "norsk", at="1 play 0 4C 0/0/3;3/3/3 - - - begun -")
    ruling = talk("play 6C", "lift 9D")
    assert (ruling.turn, tuple(ruling.hands["Ann"])) == ("Bob", (1, 0, 1))
    assert talk.game.table.lifted == (0,)
    assert talk("play 7D").say == "Bob: seven. Ann plays the card that was lifted."
    assert short(talk("play 5H from down")) == ("illegal", "hand_first", "Ann")
    talk("play 9D")
    assert talk.game.table.lifted == ()


@pytest.mark.parametrize(
    ("line", "reason"), [("lift by Bob", "not_your_turn"), ("lift 4C", "card_already_gone")]
)
def test_norsk_what_cannot_be_lifted(line: str, reason: str) -> None:
    talk = Talk(2, "norsk", at="1 play 0 4C 0/0/3;3/3/3 - - - begun -")
    assert short(talk("play 6C", line))[1] == reason


@pytest.mark.parametrize("rules", ["classic", "norsk"])
def test_nothing_is_lifted_before_a_face_down_card_lies(rules: str) -> None:
    talk = Talk(2, rules, at="1 play 0 4C 3/3/3;3/3/3 - - - begun -")
    assert short(talk("play 6C", "lift"))[1] == "not_allowed"


@pytest.mark.parametrize(("rules", "players"), [("jokers", 5), ("hat", 4)])
def test_fewer_packs_than_the_rules_ask_for_are_refused(rules: str, players: int) -> None:
    with pytest.raises(SetupError, match=f"{players} need 2, not 1"):
        Setup.new(preset(rules), NAMES[:players], 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cut_in": "fourth", "run_burn": False}, "no run burns; expected off or equal"),
        ({"four_on_any": True, "run_burn": False}, "no run burns; expected false"),
        ({"run_whole": True, "short_run_ranks": ["6"]}, "asks for every card of a rank"),
        ({"short_run_ranks": ["6"], "short_run_length": 4}, "is not shorter than run_length = 4"),
        ({"chance_first": True}, "there is no card to turn; expected false"),
        ({"red_jack_deflects": True}, "no card makes anybody take the pile"),
        ({"pickup_ranks": ["J"], "red_jack_deflects": True}, "a jack cannot do both"),
        ({"turn_again": True, "turned_card": False}, "no card begins the pile"),
        ({"lower_choice": True}, "no rank asks for lower"),
        ({"pairs": True, "series": "gaps"}, "a series is no number of equal cards"),
        ({"skip_ranks": ["10"]}, "skip_ranks = 10, which stands in burn_ranks already"),
        ({"glass_ranks": ["10"]}, "glass_ranks = 10, which stands in burn_ranks already"),
        (
            {"no_finish_ranks": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]},
            "nobody could finish",
        ),
        ({"skip_ranks": ["8", "8"]}, "expected each rank once"),
    ],
)
def test_rules_that_exclude_each_other_are_told_why(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(RulesError, match=r"ours\.toml: ") as wrong:
        HouseRules().override(options, "ours.toml")
    assert message in str(wrong.value)
