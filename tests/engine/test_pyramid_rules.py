"""The rules of the pyramid patience, one by one."""

from __future__ import annotations

import pytest

from engine.cards import Card, Rank, Suit, full_deck
from engine.pyramid import Deal, Patience, Reason, event_line
from engine.pyramid.deal import worth
from engine.say import words
from tests.engine.pyramid_tools import dealt, full, told

BOTTOM = "3C 10D KH 5S 8C QD AC"
FLIPS = ["flip"] * 24


def refused(game: Patience, *lines: str) -> str | None:
    """The reason why the last event does not stand; it must cost nothing."""
    ruling = told(game, *lines)
    assert ruling.game is ruling.before or ruling.stands
    return None if ruling.reason is None else ruling.reason.value


# -- What goes together --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pair", ["AC QD", "2C JD", "3C 10D", "4C 9D", "5C 8D", "6C 7D", "QH AS"], ids=str
)
def test_two_cards_that_come_to_thirteen_go(pair: str) -> None:
    ruling = told(Patience.new(dealt(pair)), f"match {pair}")
    assert (ruling.stands, ruling.game.left, ruling.game.foundation) == (True, 26, 2)


@pytest.mark.parametrize("pair", ["AC KD", "2C QD", "6C 6D", "7C 7D", "10C 4D", "AC AD", "5C 5C"])
def test_two_cards_that_do_not_are_refused(pair: str) -> None:
    bottom = " ".join(dict.fromkeys(pair.split()))
    assert refused(Patience.new(dealt(bottom)), f"match {pair}") == "not_13"


def test_a_king_goes_alone_and_with_nobody() -> None:
    game = Patience.new(dealt(BOTTOM))
    assert told(game, "king KH").game.left == 27
    assert refused(game, "match KH AC") == "not_13"
    assert refused(game, "king QD") == "not_a_king"


# -- What is available ---------------------------------------------------------------------------


def test_a_covered_card_is_not_available() -> None:
    game = Patience.new(dealt(BOTTOM, "10C 4D 8S"))
    assert refused(game, "match 3C 10C") == "covered"
    assert refused(game, "match 5S 8S") == "covered"


def test_a_covered_king_stays() -> None:
    game = Patience.new(dealt(BOTTOM, "KC"))
    assert refused(game, "king KC") == "covered"
    assert refused(game, "match 3C 10D", "king KC") is None


def test_a_card_is_available_once_both_its_covers_are_gone() -> None:
    game = Patience.new(dealt(BOTTOM, "QC"))
    assert refused(game, "match 3C 10D", "match QC AC") is None


def test_a_card_may_go_with_the_one_that_it_alone_still_covers() -> None:
    game = Patience.new(dealt("4C 5D 8D", "9H"))
    assert refused(game, "match 4C 9H") == "covered"
    assert refused(game, "match 5D 8D", "match 4C 9H") is None
    assert refused(game, "match 5D 8D", "match 9H 4C") is None


def test_a_card_may_not_go_with_one_that_another_card_covers() -> None:
    game = Patience.new(dealt("4C 5D 8D KC", "2C 2D 9H"))
    # The nine lies under the eight and the king, the four elsewhere.
    assert refused(game, "king KC", "match 4C 9H") == "covered"


def test_a_table_may_play_without_cover_pairs() -> None:
    game = Patience.new(dealt("4C 5D 8D", "9H", cover_pairs=False))
    assert refused(game, "match 5D 8D", "match 4C 9H") == "covered"


def test_only_the_top_of_the_waste_is_available() -> None:
    game = Patience.new(dealt(BOTTOM, stock="10C 2S 5C"))
    assert refused(game, "flip", "match 10C 3C") is None
    assert refused(game, "flip", "flip", "match 10C 3C") == "covered"
    assert told(game, "flip", "flip", "flip", "match 5C 8C").game.waste_top == "2S"


def test_two_cards_of_the_waste_do_not_go_together() -> None:
    game = Patience.new(dealt(BOTTOM, stock="10C 3S"))
    assert refused(game, "flip", "flip", "match 10C 3S") == "covered"


def test_a_card_of_the_stock_must_be_flipped_first() -> None:
    game = Patience.new(dealt(BOTTOM, stock="10C KS"))
    assert refused(game, "match 10C 3C") == "in_stock"
    assert refused(game, "flip", "king KS") == "in_stock"


def test_a_king_on_the_waste_goes_and_the_card_below_is_available_again() -> None:
    game = Patience.new(dealt(BOTTOM, stock="10C KS"))
    ruling = told(game, "flip", "flip", "king KS")
    assert (ruling.game.waste, ruling.game.waste_top, ruling.game.left) == (1, "10C", 28)
    assert refused(ruling.game, "match 10C 3C") is None


def test_cards_on_the_foundation_are_out() -> None:
    game = Patience.new(dealt(BOTTOM, stock="KS"))
    ruling = told(game, "match 3C 10D", "match 3C 10D")
    assert ruling.verdict.value == "impossible"
    assert ruling.reason is Reason.CARD_ALREADY_GONE
    assert refused(game, "flip", "king KS", "king KS") == "card_already_gone"


def test_a_joker_is_not_in_the_pack() -> None:
    ruling = told(Patience.new(dealt(BOTTOM)), "king JK")
    assert (ruling.verdict.value, ruling.reason) == ("impossible", Reason.NOT_IN_DECK)


# -- Stock and waste -----------------------------------------------------------------------------


def test_a_flip_turns_the_next_card_of_the_stock() -> None:
    ruling = told(Patience.new(dealt(BOTTOM, stock="9S 2S")), "flip 9S", "flip")
    assert (ruling.game.stock, ruling.game.waste, ruling.game.waste_top) == (22, 2, "2S")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["flip 2S"], "held_by_other"),  # it comes later
        (["flip 3C"], "held_by_other"),  # it lies in the pyramid
        (["flip 9S", "flip 9S"], "held_by_other"),  # it lies on the waste
        (["match 3C 10D", "flip 3C"], "card_already_gone"),
        (["flip JK"], "not_in_deck"),
    ],
)
def test_another_card_than_the_next_was_misread(lines: list[str], reason: str) -> None:
    ruling = told(Patience.new(dealt(BOTTOM, stock="9S 2S")), *lines)
    assert ruling.reason is not None
    assert (ruling.verdict.value, ruling.reason.value) == ("impossible", reason)


def test_the_stock_is_reset_only_when_it_is_empty_and_as_often_as_wanted() -> None:
    game = Patience.new(dealt(BOTTOM, stock="9S"))
    assert refused(game, "reset") == "stock_left"
    assert refused(game, *FLIPS, "flip") == "empty_stock"
    ruling = told(game, *[*FLIPS, "reset"] * 5, "flip 9S")
    assert (ruling.stands, ruling.game.stock, ruling.game.moves) == (True, 23, 126)


def test_a_reset_leaves_out_what_has_gone() -> None:
    game = Patience.new(dealt(BOTTOM, stock="10C KS"))
    ruling = told(game, "flip", "match 10C 3C", *FLIPS[1:], "reset", "flip KS")
    assert (ruling.stands, ruling.game.stock, ruling.game.waste) == (True, 22, 1)


def test_nothing_is_reset_when_stock_and_waste_are_empty() -> None:
    cards = (*(Card(rank, Suit.C) for rank in (Rank.SIX, Rank.SEVEN, Rank.ACE)), KING)
    ruling = told(Patience.new(Deal.of(cards, rows=2)), "flip", "king KC", "reset")
    assert ruling.reason is Reason.EMPTY_WASTE


# -- Moves, undo, end ----------------------------------------------------------------------------


def test_flip_pair_king_and_reset_count_a_move_each_and_what_is_refused_none() -> None:
    game = Patience.new(dealt(BOTTOM))
    lines = ["flip", "match 3C 10D", "match 3C 10D", "king KH", "reset", *FLIPS[1:], "reset"]
    assert told(game, *lines).game.moves == 27


def test_undo_restores_the_position_and_counts_a_move() -> None:
    game = Patience.new(dealt(BOTTOM))
    ruling = told(game, "match 3C 10D", "undo")
    assert (ruling.game.position, ruling.game.moves) == (game.position, 2)


def test_each_undo_goes_one_further_back() -> None:
    game = Patience.new(dealt(BOTTOM))
    ruling = told(game, "flip", "match 3C 10D", "king KH", "undo", "undo")
    assert (ruling.game.left, ruling.game.waste, ruling.game.moves) == (28, 1, 5)
    assert told(ruling.game, "undo").game.position == game.position
    assert refused(ruling.game, "undo", "undo") == "nothing_to_undo"


def test_a_move_after_an_undo_can_itself_be_taken_back() -> None:
    game = Patience.new(dealt(BOTTOM))
    ruling = told(game, "king KH", "undo", "flip", "undo", "undo")
    assert (ruling.reason, ruling.game.moves) == (Reason.NOTHING_TO_UNDO, 4)


def test_a_reset_can_be_taken_back() -> None:
    ruling = told(Patience.new(dealt(BOTTOM)), *FLIPS, "reset", "undo")
    assert (ruling.game.stock, ruling.game.waste) == (0, 24)


KING = Card(Rank.KING, Suit.C)
SMALL = (KING, Card(Rank.SIX, Suit.C), Card(Rank.SEVEN, Suit.D), Card(Rank.NINE, Suit.S))


def test_it_is_won_when_the_pyramid_is_gone_whatever_the_stock_holds() -> None:
    ruling = told(Patience.new(Deal.of(SMALL, rows=2)), "match 6C 7D", "king KC")
    assert (ruling.game.won, ruling.game.stock, ruling.game.dead) == (True, 1, False)
    assert ruling.say == "King. The pyramid is cleared, in 2 moves!"


@pytest.mark.parametrize("line", ["flip", "reset", "undo", "king KC", "match 6C 7D"])
def test_after_the_win_nothing_is_moved_or_taken_back(line: str) -> None:
    game = Patience.new(Deal.of(SMALL, rows=2))
    assert refused(game, "match 6C 7D", "king KC", line) == "game_over"


def test_a_table_may_take_back_the_winning_move() -> None:
    rules = full(1).rules.override({"undo_after_win": True})
    game = Patience.new(Deal.of(SMALL, rules, rows=2))
    ruling = told(game, "match 6C 7D", "king KC", "undo")
    assert (ruling.stands, ruling.game.won, ruling.game.moves) == (True, False, 3)
    assert refused(ruling.game, "king KC", "flip") == "game_over"


def test_the_best_game_has_fourteen_moves() -> None:
    low = [card for card in full_deck() if worth(card) <= 4][:14]
    pairs = [(card, partner(card)) for card in low]
    # From the last card of the bottom row up to the point, partners lie side by side.
    pyramid = [card for pair in pairs for card in pair]
    rest = [card for card in full_deck() if card not in pyramid]
    rows, start = [], 0
    for row in range(7, 0, -1):
        rows.append(tuple(pyramid[start : start + row]))
        start += row
    game = Patience.new(Deal(full(1).rules, tuple(rows[::-1]), tuple(rest)))
    ruling = told(game, *(f"match {one} {other}" for one, other in pairs))
    assert (ruling.game.won, ruling.game.moves) == (True, 14)


def partner(card: Card) -> Card:
    value = 13 - worth(card)
    return next(c for c in full_deck() if worth(c) == value and c.suit == card.suit)


# -- Words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["flip"], "Ten."),
        (["match 3C 10D"], "Three and ten."),
        (["match 3C 8C"], "Three and eight: not thirteen."),
        (["king KH"], "King."),
        (["king QD"], "Only a king goes alone."),
        ([*FLIPS, "reset"], "The waste is turned over."),
        (["flip 3C"], "The three lies elsewhere. Did I misread it?"),
        (["reset"], "There are cards in the stock still."),
        (["undo"], "There is nothing to take back."),
    ],
)
def test_what_is_said(lines: list[str], said: str) -> None:
    assert told(Patience.new(dealt(BOTTOM, stock="10C")), *lines).say == said


def test_every_refusal_has_its_words() -> None:
    assert set(words("en")["pyramid_refusals"]) == {reason.value for reason in Reason}


def test_an_event_in_a_line() -> None:
    deal = dealt(BOTTOM, stock="10C")
    lines = ["flip 10C", "match 10C 3C", "king KH", "undo", "reset", "flip"]
    assert [event_line(told(Patience.new(deal), line).event) for line in lines] == lines
