"""What is known of each card's place."""

from __future__ import annotations

import pytest

from engine.cards import CARDS, parse_card
from engine.ledger import Ledger, bag_of, bag_size, cards_in
from engine.verdict import Reason
from tests.engine.tabletalk import Talk, short


def codes(cards: tuple[object, ...]) -> list[str]:
    return [str(card) for card in cards]


def test_a_bag_keeps_its_cards() -> None:
    cards = tuple(sorted(map(parse_card, ["7H", "7H", "JK", "10?", "AS"])))
    assert cards_in(bag_of(cards)) == cards
    assert bag_size(bag_of(cards)) == 5
    assert bag_size(0) == 0


def test_a_picked_up_pile_is_known_to_be_in_that_hand_until_it_is_played() -> None:
    talk = Talk(3)
    talk("start 5C", "play 9D", "pickup")
    assert codes(talk.game.ledger.held_by(1)) == ["5C", "9D"]
    talk("play 3C", "play 4C", "play 9D")
    assert codes(talk.game.ledger.held_by(1)) == ["5C"]


def test_burned_cards_are_gone() -> None:
    talk = Talk(3)
    talk("start 5C", "play 10D")
    assert codes(talk.game.ledger.places()["gone"]) == ["5C", "10D"]
    assert talk.game.ledger.places()["pile"] == ()


@pytest.mark.parametrize(
    ("card", "players"),
    [
        ("5C", ()),
        ("10D", ()),
        ("9D", (2,)),
        ("KD", (1,)),
        ("AS", (0, 1, 2)),
        ("JK", ()),
    ],
)
def test_may_land(card: str, players: tuple[int, ...]) -> None:
    talk = Talk(3)
    talk("faceup Bob KD", "start 5C", "play 10D", "play 9D", "play JD", "pickup")
    ledger = talk.game.ledger
    assert tuple(p for p in range(3) if ledger.may_land(parse_card(card), p)) == players


def test_the_prior_is_a_probability_and_nothing_where_a_card_cannot_be() -> None:
    talk = Talk(3)
    talk("faceup Bob KD", "start 5C", "play 10D", "play 9D", "play JD", "pickup")
    for player in range(3):
        prior = talk.game.ledger.prior(player)
        assert sum(prior.values()) == pytest.approx(1)
        for card, weight in prior.items():
            assert (weight > 0) == talk.game.ledger.may_land(card, player), card
    assert talk.game.ledger.prior(2)[parse_card("9D")] > 0.15


def test_the_prior_of_a_game_knows_zone_and_rules() -> None:
    talk = Talk(2, at="1 play 0 9C 0/2{KD,4D}/3;3/3/3 - - - begun -")
    prior = talk.game.prior()
    assert sum(prior.values()) == pytest.approx(1)
    assert prior[parse_card("KD")] > 0.8 > 0.2 > prior[parse_card("4D")] > 0
    assert prior[parse_card("KH")] > prior[parse_card("4H")] > 0
    assert prior[parse_card("9C")] == 0


def test_a_card_of_unknown_suit_uses_up_one_of_its_rank() -> None:
    talk = Talk(2)
    talk("start 9?", "play 9C", "play 9D")
    assert not talk.game.ledger.may_land(parse_card("9C"), 0)
    assert talk.game.ledger.may_land(parse_card("9H"), 0)
    assert talk("play 9H").burn
    assert not talk.game.ledger.may_land(parse_card("9S"), 0)


def test_a_card_of_unknown_suit_may_be_any_of_a_hand() -> None:
    talk = Talk(2)
    talk("start 9?", "pickup", "play 3C")
    assert talk("play 9S").stands
    assert talk.game.ledger.held_by(0) == ()


def test_the_known_cards_are_the_sum_of_their_places() -> None:
    talk = Talk(3, decks=2)
    talk(
        "faceup Ann KD KD 4C",
        "faceup Ann KD QD 4C",
        "start 9C",
        "play 10?",
        "pickup",
        "play 10H",
        "play 3C",
        "pickup",
        "play 9C",
    )
    check_sum(talk.game.ledger)


def test_one_of_two_twins_in_the_row_that_was_swapped_is_in_the_hand() -> None:
    talk = Talk(3, decks=2)
    talk("faceup Ann KD KD 4C", "faceup Ann KD QD 4C")
    assert codes(talk.game.ledger.held_by(0)) == ["KD"]
    check_sum(talk.game.ledger)


def test_a_twin_in_the_hand_stays_there_when_the_row_is_shown_again() -> None:
    talk = Talk(3, decks=2, at="1 play 0 5C 2{KD}/3{KD}/3;3/3/3;3/3/3 - - - begun -")
    talk("faceup Ann KD 4S 4C")
    assert codes(talk.game.ledger.held_by(0)) == ["KD"]
    check_sum(talk.game.ledger)


@pytest.mark.parametrize("taken", ["Q? QD", "QD Q?"])
def test_swapped_cards_of_unknown_suit_leave_the_named_ones_theirs(taken: str) -> None:
    talk = Talk(3)
    talk("faceup Ann QD QH 4C", f"swap 4S 5S with {taken} by Ann")
    assert codes(talk.game.ledger.row_of(0)) == ["4C", "4S", "5S"]
    check_sum(talk.game.ledger)


def check_sum(ledger: Ledger) -> None:
    assert ledger.known == ledger.pile + ledger.gone + sum(ledger.held) + sum(ledger.rows)


def test_every_kind_of_card_has_its_own_place_in_a_bag() -> None:
    assert cards_in(bag_of(CARDS)) == tuple(sorted(CARDS))


@pytest.mark.parametrize("laid", ["JD J? JH", "J? JD JH", "JH JD J?"])
def test_a_card_of_unknown_suit_leaves_the_named_ones_their_places(laid: str) -> None:
    talk = Talk(3)
    talk("start 5C", "play JH", "play JS", "pickup", "play 3C", "play 4C")
    assert codes(talk.game.ledger.held_by(2)) == ["5C", "JH", "JS"]
    assert talk(f"play {laid}").verdict.value == "legal"
    assert codes(talk.game.ledger.held_by(2)) == ["5C"]


ROWS = "faceup Ann {} Bob 2S 3C 3D"


def test_an_overruled_card_is_no_longer_thought_to_be_in_another_row() -> None:
    talk = Talk(2)
    talk("start 5C", ROWS.format("2H 2D KD"), "play 2S", "overrule")
    assert codes(talk.game.ledger.row_of(1)) == ["3C", "3D"]
    assert talk("play 2?").stands
    check_sum(talk.game.ledger)


def test_an_overruled_card_lies_on_the_pile_and_with_nobody_else() -> None:
    talk = Talk(2)
    talk("start 5C", ROWS.format("KH KD QD"), "play 2S", "overrule", "play 2?")
    assert talk("play 2S").reason is Reason.CARD_ALREADY_GONE


def test_a_card_on_the_pile_is_not_thought_to_be_one_of_unknown_suit_in_a_hand() -> None:
    talk = Talk(2)
    talk("start 9?", "pickup", "play 9C", "play KC")
    assert talk("play 9C").reason is Reason.CARD_ALREADY_GONE


def test_an_overruled_card_of_the_own_row_is_not_in_the_hand_too() -> None:
    talk = Talk(2, at="1 play 0 5C 2{KD,KH}/2/3;3/3/3 - - - begun -")
    talk("play KD from up", "overrule")
    assert codes(talk.game.ledger.held_by(0)) == ["KH"]
    check_sum(talk.game.ledger)


def test_a_row_that_is_shorter_than_what_is_known_of_it_is_not_known() -> None:
    talk = Talk(2, at="1 play 0 5C 0/3{KD,KH,QS}/3;3/3/3 - - - begun -")
    talk("play 9C from up", "overrule")
    assert talk.game.ledger.row_of(0) == ()
    check_sum(talk.game.ledger)


def test_no_card_is_swapped_out_of_a_hand_that_lies_face_up() -> None:
    talk = Talk(2)
    talk("faceup Bob AH KD KS")
    assert short(talk("swap KD with AH by Bob"))[:2] == ("impossible", "too_many_cards")
    assert talk("swap 4C with AH by Bob").stands
    assert short(talk("swap 4C with KD by Bob"))[:2] == ("impossible", "too_many_cards")


def test_the_same_swap_told_twice_is_impossible() -> None:
    talk = Talk(2)
    assert talk("swap 4C with AH").stands
    assert short(talk("swap 4C with AH"))[:2] == ("impossible", "too_many_cards")


def test_a_swap_of_a_twin_in_the_hand_may_be() -> None:
    talk = Talk(2, decks=2)
    talk("faceup Bob AH KD KS")
    assert talk("swap KD with AH by Bob").stands
    assert codes(talk.game.ledger.row_of(1)) == ["KD", "KD", "KS"]
    assert not talk("swap KD with KS by Bob").stands


def test_a_set_of_which_a_card_lies_face_up_is_not_thrown_out_of_the_hand() -> None:
    talk = Talk(2, "idiota", at="1 play 0 5C 5/3{KD}/3;3/3/3 - - - begun -")
    assert short(talk("remove KC KD KH KS"))[:2] == ("impossible", "too_many_cards")


def test_a_card_known_to_be_in_the_hand_is_not_taken_along_from_the_row() -> None:
    talk = Talk(2, at="1 play 0 5C 1{KD}/3/3;3/3/3 - - - begun -", take_face_up=True)
    assert short(talk("pickup with KD"))[:2] == ("impossible", "too_many_cards")
