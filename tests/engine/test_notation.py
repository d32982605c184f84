"""Events and tables as one line of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARDS, Rank
from engine.errors import ScenarioError
from engine.events import (
    Amend,
    Chance,
    FaceUp,
    Lift,
    Overrule,
    Pass,
    PickUp,
    Play,
    Remove,
    Start,
    Swap,
    Undo,
    Zone,
    from_json,
    to_json,
)
from engine.notation import event_line, parse_event, parse_table, table_line
from tests.engine.tabletalk import Talk, seated

card = st.sampled_from(CARDS)
cards = st.lists(card, min_size=1, max_size=5).map(tuple)
name = st.sampled_from(["Ann", "by", "AS", "Ann Lee", "José", 'a"b', "from", "7", "Bo-2", "\\"]) | (
    st.text(min_size=1, max_size=8).filter(lambda text: text.isprintable() and text.strip() != "")
)
by = st.none() | name
rows = st.dictionaries(name, cards, min_size=1, max_size=4).map(lambda d: tuple(d.items()))
rank = st.none() | st.sampled_from([rank for rank in Rank if rank is not Rank.JOKER])
fact = st.one_of(
    st.builds(Start, card),
    st.builds(FaceUp, rows),
    st.builds(
        Play, cards, by, st.none() | st.sampled_from(Zone), st.booleans(), rank, st.booleans()
    ),
    st.builds(Swap, cards, cards, by),
    st.builds(Lift, st.none() | card, by),
    st.builds(PickUp, by, cards | st.just(())),
    st.builds(Chance, card, by),
    st.builds(Pass, by),
    st.builds(Remove, cards, by),
    st.builds(Undo, st.none() | st.integers(1, 5000)),
    st.just(Overrule()),
)
event = fact | st.builds(Amend, st.integers(1, 5000), fact)


@given(event)
def test_every_event_reads_back_from_its_line(event: object) -> None:
    line = event_line(event)  # type: ignore[arg-type]
    assert "\n" not in line
    assert parse_event(line) == event


@given(event)
def test_every_event_reads_back_from_json(event: object) -> None:
    assert from_json(to_json(event)) == event  # type: ignore[arg-type]


@given(st.text(max_size=40))
def test_any_text_is_an_event_or_a_scenario_error(text: str) -> None:
    try:
        parse_event(text)
    except ScenarioError as wrong:
        assert str(wrong)


@given(
    st.lists(
        st.sampled_from(
            [
                "play",
                "7H",
                "by",
                "Ann",
                "from",
                "up",
                "amend",
                "4",
                "with",
                "under",
                "joker",
                "pickup",
            ]
        ),
        max_size=8,
    ).map(" ".join)
)
def test_any_words_are_an_event_or_a_scenario_error(text: str) -> None:
    try:
        event = parse_event(text)
    except ScenarioError:
        return
    assert parse_event(event_line(event)) == event


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is no event; expected start"),
        ("pley 7H", "is no event; .*did you mean play"),
        ("play", "play takes a list of card codes"),
        ("play 7X", "'7X' is no card"),
        ("play 7H by", "by takes a player's name"),
        ("play 7H by Ann Lee", "by takes a player's name"),
        ("pickup 7H", "pickup takes true, not '7H'"),
        ("undo 0", "undo takes true or the number of an event"),
        ("undo last", "undo takes the number of an event"),
        ("swap AH", "swap names with the face-up cards that were taken"),
        ("lift 9X", "'9X' is no card"),
        ("play 7H call louder", "call takes lower or higher"),
        ("undo by Ann", "undo has no key 'by'"),
        ("start 7H 8H", "start takes a card code"),
        ('play 7H by "Ann', "a quotation mark is left open"),
        ("amend play 7H", "amend takes the number of an event"),
        ("amend 4", "is no event"),
        ("amend 4 amend 3 undo", "amend takes the number of an event"),
        ("faceup 7H", "faceup takes an object of names and cards"),
    ],
)
def test_a_malformed_line_is_told(line: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        parse_event(line)


def test_a_table_line_tells_all_that_is_known() -> None:
    talk = Talk(3)
    talk("faceup Bob KD QD JD", "start 5C", "play 7H 7S", "pickup", "play 4D", "play 10H")
    line = table_line(talk.game.table)
    assert line == ("1 play 20 - 3/3/3;6{5C,7H,7S}/3{JD,QD,KD}/3;3/3/3 4D,10H - - begun -")
    assert parse_table(line, talk.game.setup) == talk.game.table


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1 play",
        "1 play 0 4C 3/3/3 - - - begun -",
        "x play 0 4C 3/3/3;3/3/3 - - - begun -",
        "1 sing 0 4C 3/3/3;3/3/3 - - - begun -",
        "1 play 0 4X 3/3/3;3/3/3 - - - begun -",
        "1 play 0 4C 3/3/3;3/3/x - - - begun -",
        "1 play 0 4C 3/3/3;3/3/3 - - - begun 1",
    ],
)
def test_a_malformed_table_is_told(line: str) -> None:
    with pytest.raises(ScenarioError):
        parse_table(line, seated(2))
