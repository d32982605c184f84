"""Who can sit down to play what."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import SetupError
from engine.rules import preset, preset_names
from engine.setup import Setup, check_spelling, classic
from tests.engine.tabletalk import NAMES, seated

GOOD: dict[str, Any] = {"rules": "classic", "players": ["Ann", "Bob", "Cat"], "dealer": "Bob"}


def test_a_setup_line() -> None:
    setup = Setup.from_json(GOOD)
    assert (setup.dealer, setup.first, setup.decks, setup.stock) == (1, 2, 1, 25)


@pytest.mark.parametrize("name", preset_names())
def test_a_setup_reads_back(name: str) -> None:
    setup = Setup.new(preset(name).override({"swap": True, "hand": 4}), NAMES[:3], 1, "Ann", "Cat")
    again = Setup.from_json(setup.to_json())
    assert again == setup


@pytest.mark.parametrize(
    ("rules", "players", "decks"),
    [
        ("classic", 4, 1),
        ("classic", 5, 2),
        ("classic", 6, 2),
        ("jokers", 4, 1),
        ("jokers", 5, 2),
        ("norsk", 5, 1),
        ("hat", 3, 1),
        ("hat", 4, 2),
        ("hat", 6, 2),
        ("castle", 4, 1),
        ("idiota", 5, 1),
        ("idiota", 6, 2),
    ],
)
def test_packs_follow_from_players(rules: str, players: int, decks: int) -> None:
    assert Setup.new(preset(rules), NAMES[:players]).decks == decks


def test_without_dealer_the_last_player_deals() -> None:
    assert (classic("Ann", "Bob").dealer, classic("Ann", "Bob").first) == (1, 0)


def test_where_the_first_play_decides_nobody_is_first() -> None:
    assert seated(3, "hat").first is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rules": "clasic"},
            "rules: there is no rule set 'clasic'; expected .*did you mean classic",
        ),
        ({"rules": 3}, "rules takes the name of a rule set, not 3"),
        ({"players": "Ann"}, "players takes a list of names, not 'Ann'"),
        ({"players": ["Ann", 3]}, "players takes a list of names"),
        ({"players": ["Ann"]}, "expected two players or more, not 1"),
        ({"players": ["Ann", "Ann"]}, "'Ann' sits here twice; names must differ"),
        ({"players": ["Ann", " "]}, "' ' is no name that can be shown"),
        ({"players": [str(n) for n in range(13)]}, "classic seats 2 to 12 players, not 13"),
        ({"decks": "one"}, "decks takes a number of packs, not 'one'"),
        ({"decks": 0}, "classic is played with 1 to 8 packs, not 0"),
        (
            {"players": list(NAMES), "dealer": "Ann", "decks": 1},
            "6 players cannot be seated: the deal takes 55 cards and 1 pack holds 52",
        ),
        ({"dealer": "Bert"}, "dealer: no player 'Bert' sits here; expected Ann, Bob or Cat"),
        ({"dealer": 1}, "dealer takes a player's name, not 1"),
        ({"first": "bob"}, "first: no player 'bob' sits here; .*"),
        ({"options": ["two"]}, "options takes an object of house rules"),
        ({"options": {"tow": "again"}}, "options: there is no house rule 'tow'; did you mean two?"),
        ({"player": []}, "a set-up has no key 'player'; did you mean players?"),
    ],
)
def test_a_wrong_setup_is_told(change: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message.replace("?", r"\?")) as wrong:
        Setup.from_json(GOOD | change)
    assert getattr(wrong.value, "exit_code", None) == 2


@pytest.mark.parametrize("data", [None, 3, [], "classic", {}])
def test_what_is_no_setup_is_told(data: object) -> None:
    with pytest.raises(SetupError):
        Setup.from_json(data)


@pytest.mark.parametrize("name", ["👩‍🚀", "می‌روم", "Gülşən", "ليلى"])
def test_names_of_joined_letters_and_emoji_can_be_shown(name):
    assert Setup.from_json({"rules": "classic", "players": ["Ann", name]}).players == ("Ann", name)


def test_a_name_has_forty_letters_at_most() -> None:
    assert classic("x" * 40, "Bob").players[0] == "x" * 40
    with pytest.raises(SetupError, match="has 41 letters; expected at most 40"):
        classic("x" * 41, "Bob")


def test_names_differ_in_more_than_capitals() -> None:
    check_spelling(("Ann", "Anna", "Işıl", "Isil"))
    with pytest.raises(SetupError, match="'Åse' and 'åSE' cannot be told apart"):
        check_spelling(("Åse", "Bob", "åSE"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A", "A "),
        ("Ann Lee", "Ann  Lee"),
        ("Ann", "\u200dAnn"),
        ("Ann", "Ａｎｎ"),
        ("Ann", "Аnn"),
        ("Ann", "Ann\u3164"),
        ("Åse", "A\u030ase"),
        ("Straße", "STRASSE"),
        ("İlqar", "ilqar"),
        ("Ilqar", "ılqar"),
        ("Ann", "A nn"),
        ("❤", "❤\ufe0f"),
    ],
)
def test_two_players_whose_names_look_the_same_cannot_sit_down(one: str, other: str) -> None:
    with pytest.raises(SetupError, match="cannot be told apart"):
        check_spelling((one, "Bob", other))


@pytest.mark.parametrize("name", ["", " ", "\u200d", "\u3164", "\u2800", "\ufe0f"])
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    with pytest.raises(SetupError, match="is no name that can be shown"):
        classic("Ann", name)
