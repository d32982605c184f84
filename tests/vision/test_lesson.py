"""A deck learned from its cards: told apart by what is left, kept in a file, and read better."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cards import Card, Rank, full_deck, parse_card
from tests.vision.made_up import sighting
from vision.assemble import Sighting
from vision.learned import A_CARD, FEATURES, MOST_FOR_AN_INDEX, DeckError, LearnedDeck
from vision.lesson import Lesson, assigned
from vision.reader import RANKS

CARDS = full_deck()
BLANK = np.zeros((90, 160, 3), np.uint8)


def look_of(card: Card, shake: int = 0) -> np.ndarray:
    """A made-up embedding: each rank and each suit has a direction of its own."""
    rank = np.random.default_rng([1, int(card.rank)]).normal(size=FEATURES)
    suit = np.random.default_rng([2, CARDS.index(card) % 4]).normal(size=FEATURES)
    noise = np.random.default_rng([3, CARDS.index(card), shake]).normal(size=FEATURES)
    return (rank + suit + 0.2 * noise).astype(np.float32)


def seen(code: str, read_as: str | None = None, p: float = 0.999, shake: int = 0) -> Sighting:
    """A card that a reader without a learned deck reads as another, perhaps."""
    card = parse_card(code)
    said = sighting(read_as or code, p=p, or_else=code if read_as else None)
    features = look_of(card, shake)
    return replace(said, readings=tuple(replace(r, features=features) for r in said.readings))


def lesson_of(*sightings: Sighting, deck: LearnedDeck | None = None) -> Lesson:
    waiting = list(sightings)
    lesson = Lesson(lambda image: [waiting.pop(0)], deck or LearnedDeck.new("odd", "this"), CARDS)
    for _ in sightings:
        lesson.show(BLANK)
    return lesson


def test_cards_that_read_rightly_are_learned_and_the_rest_is_missing() -> None:
    learned = lesson_of(seen("7H"), seen("KS"), seen("10C")).result()
    assert learned.cards == tuple(sorted(map(parse_card, ["7H", "KS", "10C"])))
    assert learned.deck.cards == set(learned.cards)
    assert len(learned.missing) == 49
    assert not learned.corrected and not learned.doubtful


def test_jacks_that_read_as_eights_are_told_by_the_eights_that_are_there() -> None:
    eights = [seen(f"8{s}") for s in "CDHS"]
    jacks = [seen(f"J{s}", read_as=f"8{s}", p=0.97) for s in "CDHS"]
    learned = lesson_of(*jacks[:2], *eights, *jacks[2:]).result()
    assert set(learned.cards) == {parse_card(f"{r}{s}") for r in "8J" for s in "CDHS"}
    assert {(a.rank, b.rank) for a, b in learned.corrected} == {(Rank.JACK, Rank.EIGHT)}


def test_a_card_shown_twice_is_learned_once() -> None:
    learned = lesson_of(seen("7H"), seen("7H"), seen("8H")).result()
    assert learned.cards == (parse_card("7H"), parse_card("8H"))
    assert not learned.doubtful


def test_a_card_that_is_named_is_believed() -> None:
    lesson = Lesson(lambda image: [seen("JC", read_as="8C")], LearnedDeck.new("odd", "this"), CARDS)
    assert lesson.show(BLANK, parse_card("JC")) == [parse_card("8C")]
    learned = lesson.result()
    assert learned.cards == (parse_card("JC"),)
    assert learned.corrected == ((parse_card("JC"), parse_card("8C")),)


@pytest.mark.parametrize(("apart", "believed"), [(20.0, True), (300.0, False)])
def test_a_name_is_believed_of_one_card_even_if_its_corners_are_found_as_two(
    apart: float, believed: bool
) -> None:
    two = [seen("JC", read_as="8C"), seen("JC", read_as="8S")]
    two[1] = replace(two[1], centre=(two[0].centre[0] + apart, two[0].centre[1]))
    two = [replace(s, readings=(*s.readings, *s.readings)) for s in two]
    lesson = Lesson(lambda image: two, LearnedDeck.new("odd", "this"), CARDS)
    assert len(lesson.show(BLANK, parse_card("JC"))) == (1 if believed else 2)
    assert (parse_card("JC") in lesson.result().cards) is believed


def test_a_deck_of_which_every_card_is_named_is_learned() -> None:
    lesson = Lesson(lambda image: [waiting.pop()], LearnedDeck.new("odd", "this"), CARDS)
    waiting = [seen(str(card)) for card in reversed(CARDS)]
    for card in CARDS:
        lesson.show(BLANK, card)
    learned = lesson.result()
    assert learned.deck.cards == set(CARDS) and not learned.missing and not learned.doubtful


def test_a_named_card_shown_once_more_without_its_name_is_no_other_card() -> None:
    waiting = [seen("2D", shake=k) for k in range(2)]
    lesson = Lesson(lambda image: [waiting.pop()], LearnedDeck.new("odd", "this"), CARDS)
    lesson.show(BLANK, parse_card("2D"))
    lesson.show(BLANK)
    learned = lesson.result()
    assert learned.cards == (parse_card("2D"),) and not learned.doubtful


def test_cards_shown_again_and_again_teach_no_less_and_no_other_card() -> None:
    spades = [f"{r}S" for r in (*range(2, 11), "J", "Q", "K", "A")]
    learned = lesson_of(*(seen(code, shake=k) for k in range(4) for code in spades)).result()
    assert set(learned.cards) == set(map(parse_card, spades))
    assert not learned.doubtful


def test_what_reads_surely_as_a_card_that_is_taken_teaches_no_unlikely_one() -> None:
    """It looks unlike the other, so that nobody knows what it is."""
    strange = replace(seen("2D"), readings=seen("KC").readings)
    learned = lesson_of(seen("2D"), strange).result()
    assert learned.cards in ((), (parse_card("2D"),))
    assert learned.doubtful == 2 - len(learned.cards)


def test_what_was_known_before_is_not_missing() -> None:
    before = lesson_of(seen("7H")).result().deck
    learned = lesson_of(seen("8H"), deck=before).result()
    assert learned.deck.cards == {parse_card("7H"), parse_card("8H")}
    assert parse_card("7H") not in learned.missing


def test_a_picture_without_cards_teaches_nothing() -> None:
    lesson = Lesson(lambda image: [], LearnedDeck.new("odd", "this"), CARDS)
    assert lesson.show(BLANK) == [] and lesson.lay(BLANK) == []
    assert lesson.result().deck.cards == set()


def test_no_card_is_given_to_two_sights() -> None:
    shares = assigned(np.array([[0.9, 0.1, 0.0], [0.8, 0.1, 0.1], [0.9, 0.05, 0.05]]) + 1e-6)
    assert shares.sum(1) == pytest.approx(1)
    assert shares.sum(0) == pytest.approx(1, abs=0.01)


def test_likeness_speaks_for_the_card_it_is_of_and_for_no_other() -> None:
    deck = LearnedDeck.new("odd", "this")
    for card in CARDS:
        deck = deck.with_card(card, [look_of(card)])
    jack = parse_card("JC")
    ranks, suits = deck.evidence(look_of(jack, shake=5)[None])
    assert RANKS[int(ranks[0, :-1].argmax())] is Rank.JACK
    assert ranks[0].max() - np.partition(ranks[0, :-1], -2)[-2] > 2
    assert int(suits[0].argmax()) == 0
    assert ranks[0].max() - ranks[0, -1] <= MOST_FOR_AN_INDEX


def test_a_deck_of_which_nothing_is_known_changes_nothing() -> None:
    ranks, suits = LearnedDeck.new("odd", "this").evidence(np.ones((2, FEATURES), np.float32))
    assert not ranks.any() and not suits.any()


def test_a_deck_keeps_the_newest_references_of_a_card() -> None:
    deck, card = LearnedDeck.new("odd", "this"), parse_card("QD")
    for shake in range(20):
        deck = deck.with_card(card, [look_of(card, shake)])
    assert len(deck.ranks) == A_CARD
    assert np.array_equal(deck.features[-1], look_of(card, 19))


def test_a_card_of_unknown_suit_teaches_nothing() -> None:
    deck = LearnedDeck.new("odd", "this")
    assert deck.with_card(parse_card("10?"), [look_of(parse_card("10C"))]) is deck


def test_a_saved_deck_is_read_again(tmp_path: Path) -> None:
    deck = lesson_of(seen("7H"), seen("KS")).result().deck
    deck.save(tmp_path / "deep" / "odd.npz")
    again = LearnedDeck.load(tmp_path / "deep" / "odd.npz")
    assert again.cards == deck.cards
    assert again.features == pytest.approx(deck.features, abs=2e-3)
    assert again.made_for("this") is again


def test_what_another_reader_learned_is_refused(tmp_path: Path) -> None:
    LearnedDeck.new("odd", "that").save(tmp_path / "odd.npz")
    with pytest.raises(DeckError, match=r"another version of the reader.*learn-deck odd"):
        LearnedDeck.load(tmp_path / "odd.npz").made_for("this")


@pytest.mark.parametrize("content", [b"", b"no deck", b"PK\x03\x04broken"])
def test_a_damaged_deck_file_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.npz"
    file.write_bytes(content)
    with pytest.raises(DeckError, match="is no learned deck: expected a file that"):
        LearnedDeck.load(file)
    with pytest.raises(FileNotFoundError):
        LearnedDeck.load(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    ("part", "value"), [("features", np.nan), ("ranks", 77), ("ranks", 15), ("suits", -1)]
)
def test_a_deck_file_of_nonsense_is_a_sentence(tmp_path: Path, part: str, value: float) -> None:
    deck = lesson_of(seen("7H")).result().deck
    replace(deck, **{part: np.full_like(getattr(deck, part), value)}).save(tmp_path / "odd.npz")
    with pytest.raises(DeckError, match="is no learned deck: expected numbers, of cards"):
        LearnedDeck.load(tmp_path / "odd.npz")
