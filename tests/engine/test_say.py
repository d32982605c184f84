"""What is said, in the words people use."""

from __future__ import annotations

import pytest

from engine.errors import PilewatchError
from engine.say import languages, words
from engine.verdict import Reason
from tests.engine.tabletalk import Talk


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("start 5C",), "Five to begin. Ann leads."),
        (("start 5C", "play 7H 7S"), "Ann: two sevens."),
        (("start 5C", "play 9H"), "Ann: nine."),
        (("start KC", "play 5H"), "Five on a king: too low."),
        (("start AC", "play 5H 5S"), "Two fives on an ace: too low."),
        (("start 8C", "play 5H 7S"), "Five and seven: not one rank."),
        (("start 5C", "play 10H"), "Burn! Ann again."),
        (("start 5C", "play 9H by Bob"), "It is Ann's turn."),
        (("start 5C", "play 5C"), "The five is gone already. Did I misread it?"),
        (("start 5C", "pickup"), "Ann takes the pile. Bob leads."),
        (("start 5C", "play 9D", "undo"), "Taken back."),
        (("faceup Ann KD", "start 5C", "play KD"), "Ann: hand first."),
    ],
)
def test_lines(lines: tuple[str, ...], said: str) -> None:
    assert Talk(3)(*lines).say == said


def test_out_and_idiot() -> None:
    talk = Talk(3, at="1 play 0 4C 1/0/0;1/0/0;3/3/3 - - - begun -")
    assert talk("play 9H").say == "Ann: nine. Ann is out, first!"
    assert talk("play 10H").say == "Burn! Bob is out, second! Cat is the idiot."


def test_a_blind_card_that_fails() -> None:
    talk = Talk(2, at="1 play 0 KC 0/0/3;3/3/3 - - - begun -")
    assert talk("play 4H").say == "Four on a king: it does not fit. Ann takes the pile."


def test_face_down_before_face_up() -> None:
    talk = Talk(2, at="1 play 0 KC 0/1/3;3/3/3 - - - begun -")
    assert talk("play 4H from down").say == "Ann: face-up cards first."


@pytest.mark.parametrize("language", languages())
def test_every_catalogue_has_the_words_of_the_first(language: str) -> None:
    english, other = words("en"), words(language)
    assert {key: set(table) for key, table in other.items()} == {
        key: set(table) for key, table in english.items()
    }


def test_every_reason_has_a_sentence() -> None:
    assert {reason.value for reason in Reason} <= set(words("en")["refusals"])


def test_an_unknown_language_is_told() -> None:
    with pytest.raises(
        PilewatchError, match="no words for the language 'xx'; expected az, en, es or nb"
    ):
        words("xx")
