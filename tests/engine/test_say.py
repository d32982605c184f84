"""What is said, in the words people use."""

from __future__ import annotations

import pytest

from engine.errors import PilewatchError
from engine.say import blanks, capital, filled, languages, words
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


@pytest.mark.parametrize("language", languages())
def test_a_line_never_comes_out_with_an_empty_blank(language: str) -> None:
    catalogue = words(language)
    for section in ("lines", "notes", "refusals", "pyramid", "pyramid_refusals"):
        plain = catalogue["plain"]["refused" if section.endswith("refusals") else "stands"]
        for key, line in catalogue[section].items():
            names = blanks(line)
            assert set(names) <= {
                "player",
                "next",
                "loser",
                "cards",
                "card",
                "top",
                "place",
                "moves",
            }
            full = dict.fromkeys(names, "x")
            assert filled(catalogue, section, key, full) == capital(
                line.format_map(full), catalogue
            )
            for name in names:
                assert filled(catalogue, section, key, full | {name: ""}) == plain
                assert filled(catalogue, section, key, {}) == plain


@pytest.mark.parametrize("language", languages())
def test_the_lines_that_are_said_instead_have_no_blanks(language: str) -> None:
    assert [blanks(line) for line in words(language)["plain"].values()] == [(), ()]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("faceup Ann 2H 2H KD",), "The two is gone already. Did I misread it?"),
        (
            ("faceup Ann 2H 2D KD Bob 3C 2H 3D",),
            "Somebody else has that two. Did I misread it?",
        ),
        (("faceup Ann JK",), "There is no joker in this pack. Did I misread it?"),
        (
            ("faceup Bob KD", "start 5C", "pickup with KD"),
            "Somebody else has that king. Did I misread it?",
        ),
        (("start 5C", "play 7C 5C"), "The five is gone already. Did I misread it?"),
    ],
)
def test_the_card_that_cannot_be_is_named(lines: tuple[str, ...], said: str) -> None:
    assert Talk(3, take_face_up=True)(*lines).say == said


def test_face_up_cards_of_two_ranks_taken_along_are_named() -> None:
    talk = Talk(2, at="1 play 0 9C 0/3/3;3/3/3 - - - begun -", take_face_up=True)
    assert talk("pickup with 4D 5D").say == "Four and five: not one rank."


def test_two_cards_that_fail_are_said_to_lie_on_what_was_there_before() -> None:
    talk = Talk(2, "idiota", at="1 play 0 KC 0/3{4D,4H,5S}/3;3/3/3 - - - begun -")
    assert talk("play 4D 4H").say == "Four on a king: it does not fit. Ann takes the pile."


def test_a_refused_amendment_names_the_card_it_was_judged_against() -> None:
    talk = Talk(3)
    talk("start 5C", "play KC", "pickup", "play 3C")
    assert talk("amend 2 play 4C").say == "Four on a five: too low."
    assert talk("amend 2 play KD by Cat").say == "It is Ann's turn."


def test_a_refused_amendment_names_that_card_also_when_the_table_is_empty() -> None:
    talk = Talk(2)
    talk("start 9C", "pickup")
    assert talk("amend 2 play 7C").say == "Seven on a nine: too low."


def test_an_overruled_play_that_burns_is_told_with_who_leads() -> None:
    talk = Talk(3, "jokers")
    talk("start 7C", "play 10C")
    assert talk("overrule").say == "It stands. Burn! Ann again."


def test_what_an_amended_or_overruled_play_brings_is_told_while_nothing_followed() -> None:
    talk = Talk(3)
    talk("start 5C", "play QC")
    assert talk("amend 2 play 10C").say == "Corrected. Burn! Ann again."
    talk("play 4C", "amend 2 play QC")
    assert talk("amend 2 play 10C").say == "Corrected."
    blind = Talk(2, at="1 play 0 KC 0/0/3;3/3/3 - - - begun -")
    blind("play AH")
    assert blind("amend 1 play 4H").say == (
        "Corrected. Four on a king: it does not fit. Ann takes the pile."
    )
    passing = Talk(3, pickup_ranks=["J"])
    passing("start 5C", "play JC by Bob")
    assert passing("overrule").say == "It stands. Cat takes the pile."


NOW = "It is not the time for that."
NEVER = "That is not in tonight's rules."


@pytest.mark.parametrize(
    ("rules", "lines", "said"),
    [
        ("norsk", ("chance 4C",), NOW),
        ("classic", ("chance 4C",), NEVER),
        ("classic", ("start 5C", "start 6C"), NOW),
        ("norsk", ("start 5C",), NEVER),
        ("classic", ("start 5C", "swap 4C with AH"), NOW),
        ("jokers", ("start 5C", "swap 4C with AH"), NEVER),
        ("classic", ("swap 4C 4D with AH",), NEVER),
        ("norsk", ("play 5C", "lift"), NOW),
        ("classic", ("start 5C", "lift"), NEVER),
        ("hat", ("play 3C", "pass"), NOW),
        ("norsk", ("play 3C", "pass"), NOW),
        ("classic", ("start 5C", "pass"), NEVER),
        ("idiota", ("play 5C", "remove 7C 7D"), NEVER),
    ],
)
def test_a_move_at_the_wrong_time_is_not_said_to_be_against_the_rules(
    rules: str, lines: tuple[str, ...], said: str
) -> None:
    ruling = Talk(3, rules, **({"swap": False} if rules == "jokers" else {}))(*lines)
    assert (ruling.reason, ruling.say) == (Reason.NOT_ALLOWED, said)


def test_a_move_at_the_wrong_time_has_a_reason_of_its_own_in_words_only() -> None:
    ruling = Talk(3)("start 5C", "start 6C")
    assert (ruling.why, ruling.to_json(2)["reason"]) == ("not_now", "not_allowed")
    assert Talk(3)("start 5C").why is None
