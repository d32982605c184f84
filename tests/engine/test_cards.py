"""Cards and their codes."""

from __future__ import annotations

import pytest

from engine.cards import CARDS, Card, Rank, Suit, full_deck, parse_card, parse_rank
from engine.errors import CardError, PilewatchError


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_every_card_has_a_code_that_reads_back(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert parse_card(str(card).lower()) == card
    assert CARDS[card.number] is card


@pytest.mark.parametrize("code", ["", "1H", "11H", "10", "H10", "ZS", "10HH", "JKH", "?", "T?"])
def test_other_texts_are_no_cards(code: str) -> None:
    with pytest.raises(CardError, match="is no card; expected a rank 2 … 10, J, Q, K or A"):
        parse_card(code)


def test_a_code_that_is_no_text_is_no_card() -> None:
    with pytest.raises(PilewatchError, match="10 is no card"):
        parse_card(10)  # type: ignore[arg-type]


def test_a_rank_has_a_code_too() -> None:
    assert [parse_rank(rank.code) for rank in Rank] == list(Rank)
    with pytest.raises(CardError, match="is no rank"):
        parse_rank("1")


def test_a_joker_has_no_suit() -> None:
    with pytest.raises(CardError, match="a joker has no suit, not H"):
        Card(Rank.JOKER, Suit.H)


def test_cards_sort_by_rank_then_suit() -> None:
    codes = ["JK", "AS", "10H", "10C", "10?", "2D"]
    assert [str(card) for card in sorted(map(parse_card, codes))] == codes[::-1]


@pytest.mark.parametrize(("decks", "jokers", "size"), [(1, 0, 52), (1, 2, 54), (2, 2, 108)])
def test_full_deck(decks: int, jokers: int, size: int) -> None:
    deck = full_deck(decks, jokers)
    assert len(deck) == size
    assert deck.count(parse_card("10H")) == decks
    assert list(deck) == sorted(deck)
