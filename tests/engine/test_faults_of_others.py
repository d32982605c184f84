"""Faults reported of other programs: one test for each line of the rules' own list."""

from __future__ import annotations

import pytest

from engine.cards import parse_card
from engine.opening import first_player
from engine.rules import preset, preset_names
from engine.verdict import Must
from tests.engine.tabletalk import Talk, short


@pytest.mark.parametrize("rules", preset_names())
def test_the_pile_can_be_taken_voluntarily_wherever_there_is_one(rules: str) -> None:
    first = "start 4C" if preset(rules).turned_card else "play 4C"
    assert Talk(3, rules)(first, "pickup").stands


def test_the_refill_is_below_three_not_at_three() -> None:
    ruling = Talk(2, at="1 play 9 4C 4/3/3;3/3/3 - - - begun -")("play 9H")
    assert (ruling.hands["Ann"].hand, ruling.stock) == (3, 9)


@pytest.mark.parametrize("cards", ["9H 9D 9S", "9S 9H 9D"])
def test_of_several_cards_the_order_seen_is_the_order_kept(cards: str) -> None:
    talk = Talk(3)
    assert str(talk("start 4C", f"play {cards}").top) == cards.split()[-1]
    assert talk.game.table.pile is not None
    assert " ".join(map(str, talk.game.table.pile.cards())) == f"4C {cards}"


def test_the_loser_is_the_one_who_still_holds_cards() -> None:
    ruling = Talk(3, at="1 play 0 4C 1/0/0;0/0/0;9/3/3 - 2 - begun -")("play 9H")
    assert (ruling.loser, ruling.out) == ("Cat", ("Bob", "Ann"))


@pytest.mark.parametrize("glass", [["3"], ["3", "8"], ["JK"]], ids=["3", "3-and-8", "joker"])
def test_every_see_through_card_is_looked_through_alike_for_comparison_and_for_runs(
    glass: list[str],
) -> None:
    look = {"3": "3D", "8": "8D", "JK": "JK"}
    talk = Talk(2, jokers=2, glass_ranks=glass, glass_breaks_run=False)
    talk("start 9C", "play 9D", *(f"play {look[each]}" for each in glass))
    assert short(talk("play 5H"))[1] == "too_low"
    assert talk("play 9H 9S").burn


@pytest.mark.parametrize(
    "lines",
    [
        ("start 4C", "play 6C 6D 6H 6S"),
        ("start 6C", "play 6D", "play 6H", "play 6S"),
        ("start 4C", "play 6D 6C", "play 6H 6S"),
    ],
    ids=["at-once", "with-the-turned-card", "across-turns"],
)
def test_four_of_a_kind_count_across_plays_players_and_the_turned_card(
    lines: tuple[str, ...],
) -> None:
    talk = Talk(3, hand=5)
    assert talk(*lines).burn


@pytest.mark.parametrize("rules", ["classic", "jokers", "norsk", "hat", "castle", "idiota"])
@pytest.mark.parametrize("card", ["2H", "7H", "10H", "KH"])
def test_a_finisher_never_owes_a_move_and_the_next_active_player_leads(
    rules: str, card: str
) -> None:
    talk = Talk(4, rules, at="1 play 0 4C 1/0/0;0/0/0;3/3/3;3/3/3 - 2 - begun -")
    ruling = talk(f"play {card}")
    if rules == "norsk" and card == "2H":
        assert short(ruling) == ("illegal", "finish_forbidden", "Ann")
        return
    assert (ruling.out, ruling.turn, ruling.must) == (("Bob", "Ann"), "Cat", Must.PLAY)


def test_after_a_pickup_of_many_cards_it_is_the_turn_of_the_player_after_the_picker() -> None:
    talk = Talk(4)
    assert talk("start 3C", "play 4H 4D 4S", "play 9C 9D", "pickup").turn == "Dan"


@pytest.mark.parametrize(
    ("hands", "dealer", "first"),
    [
        (["4C 8D KD", "4H 7S QC"], 0, 1),
        (["4C 7D QD", "4H 7S QC"], 0, 1),
        (["4C 7D QD", "4H 7S QC"], 1, 0),
    ],
    ids=["lower-second-card", "dealers-left", "dealers-left-of-the-other"],
)
def test_a_tie_for_the_start_goes_to_the_lower_second_card_else_to_the_dealers_left(
    hands: list[str], dealer: int, first: int
) -> None:
    cards = [[parse_card(code) for code in codes.split()] for codes in hands]
    assert first_player(preset("norsk"), cards, dealer) == first


@pytest.mark.parametrize("card", ["JK", "7H"])
def test_a_revealed_blind_card_that_needs_a_choice_has_a_default(card: str) -> None:
    talk = Talk(2, "jokers", at="1 play 0 4C 0/0/2;3/3/3 - - - begun -", lower_choice=True)
    assert short(talk(f"play {card}")) == ("legal", None, "Bob")
