"""The score of the night, rule by rule: letters, hat, points, who deals, who begins, decks."""

from __future__ import annotations

import pytest

from engine.errors import SetupError
from engine.rules import preset
from engine.setup import Setup
from firmware.night.acts import Began, Ended, Joined, Opened
from firmware.night.night import Night
from firmware.night.scoring import Result, Score, Scored, Terms, completed, score

TRIO = ("Ann", "Bob", "Cat")


def played(rules: str, *results: Result, terms: Terms = Terms(), **more: object) -> Score:  # noqa: B008
    games = [Scored(preset(rules), TRIO, result, "Cat") for result in results]
    return score(games, terms, **more)  # type: ignore[arg-type]


def lost(name: str) -> Result:
    return Result((), name)


def test_the_loser_takes_the_next_letter_of_idiota():
    after = played("idiota", lost("Bob"), lost("Bob"), lost("Cat"))
    assert [after.letters_of(name) for name in TRIO] == ["", "ID", "I"]
    assert not after.over


def test_completing_the_word_ends_the_night():
    after = played("idiota", *[lost("Bob")] * 6)
    assert after.letters_of("Bob") == "IDIOTA"
    assert after.over
    assert after.loser == "Bob"


def test_games_after_the_end_of_the_night_change_no_score():
    after = played("idiota", *[lost("Bob")] * 6, lost("Ann"))
    assert (after.loser, after.letters_of("Ann"), after.hat) == ("Bob", "", "Bob")


def test_a_word_of_the_tables_own_counts_in_every_rule_set():
    after = played("hat", lost("Ann"), lost("Ann"), terms=Terms("ШУТ"))
    assert after.letters_of("Ann") == "ШУ"
    assert played("hat", *[lost("Ann")] * 3, terms=Terms("ШУТ")).loser == "Ann"


def test_an_empty_word_means_no_letters_in_idiota_either():
    assert not played("idiota", *[lost("Bob")] * 9, terms=Terms("")).over


@pytest.mark.parametrize("rules", ["classic", "jokers", "norsk", "hat", "castle"])
def test_other_rule_sets_have_no_letters_by_themselves(rules):
    after = played(rules, *[lost("Bob")] * 9)
    assert after.letters_of("Bob") == ""
    assert not after.over


def test_the_hat_is_worn_until_there_is_a_new_idiot():
    assert played("hat", lost("Bob"), lost("Bob")).hat == "Bob"
    after = played("hat", lost("Bob"), lost("Bob"), lost("Ann"))
    assert after.hat == "Ann"
    assert after.worn == {"Bob": 2, "Ann": 1}


def test_a_game_without_a_loser_leaves_the_hat_where_it_is():
    after = played("castle", lost("Bob"), Result(("Ann",)))
    assert after.hat == "Bob"
    assert after.worn == {"Bob": 2}


@pytest.mark.parametrize("rules", ["classic", "jokers", "norsk", "hat", "castle", "idiota"])
def test_the_loser_deals(rules):
    assert played(rules, Result(("Ann", "Cat"), "Bob")).dealer == "Bob"


def test_where_only_a_winner_is_known_the_deal_passes_to_the_left():
    assert played("classic", Result(("Bob",))).dealer == "Ann"


def test_where_the_loser_has_gone_home_the_next_to_the_left_deals():
    assert played("classic", lost("Bob"), present=("Ann", "Cat")).dealer == "Cat"


def test_the_winner_begins_in_idiota_whoever_deals():
    after = played("idiota", Result(("Ann", "Cat"), "Bob"))
    assert (after.dealer, after.starter) == ("Bob", "Ann")


@pytest.mark.parametrize("rules", ["classic", "jokers"])
def test_the_dealers_left_begins(rules):
    assert played(rules, Result(("Ann", "Cat"), "Bob")).starter == "Cat"


@pytest.mark.parametrize("rules", ["norsk", "hat", "castle"])
def test_where_the_cards_decide_nobody_is_named(rules):
    assert played(rules, Result(("Ann", "Cat"), "Bob")).starter is None


def test_a_winner_who_has_gone_home_does_not_begin():
    assert played("idiota", Result(("Ann",), "Bob"), present=("Bob", "Cat")).starter is None


MIXED = [
    # rules of the last game, of the next one, who then begins; Ann won, Bob lost and deals
    ("idiota", "hat", None),
    ("idiota", "norsk", None),
    ("classic", "norsk", None),
    ("classic", "castle", None),
    ("hat", "idiota", "Ann"),
    ("norsk", "idiota", "Ann"),
    ("classic", "idiota", "Ann"),
    ("idiota", "classic", "Cat"),
    ("norsk", "jokers", "Cat"),
]


@pytest.mark.parametrize(("last", "following", "starter"), MIXED)
def test_who_begins_is_up_to_the_rules_of_the_game_that_is_dealt(last, following, starter):
    ended = Ended(Result(("Ann", "Cat"), "Bob"), 9)
    night = Night.fold([Opened(), *map(Joined, TRIO), Began(Setup.new(preset(last), TRIO)), ended])
    setup = night.next_setup(Setup.new(preset(following), TRIO))
    assert setup.players[setup.dealer] == "Bob"
    assert (None if setup.first is None else setup.players[setup.first]) == starter


def test_the_first_game_is_as_it_was_set_up():
    setup = Setup.new(preset("idiota"), TRIO, dealer="Ann")
    assert Night.fold([Opened(), *map(Joined, TRIO)]).next_setup(setup) == setup


FOUR = ("Ann", "Bob", "Cat", "Dan")
STOOD = Result(("Ann", "Bob", "Cat"), "Dan")
COMPLETED = {
    # what is said, who plays, what stood, what holds
    "another loser keeps the winner": (lost("Cat"), FOUR, STOOD, "Ann Bob Dan / Cat"),
    "another winner keeps the loser": (Result(("Bob",)), FOUR, STOOD, "Bob Ann Cat / Dan"),
    "the loser won": (Result(("Dan",)), FOUR, STOOD, "Dan / -"),
    "a whole order leaves one": (
        Result(("Bob", "Ann", "Cat")),
        FOUR,
        Result(),
        "Bob Ann Cat / Dan",
    ),
    "a whole order with the old loser": (
        Result(("Dan", "Ann", "Cat")),
        FOUR,
        STOOD,
        "Dan Ann Cat / Bob",
    ),
    "of little known little is left": (lost("Ann"), FOUR, Result(("Ann",), "Bob"), "- / Ann"),
    "a winner is kept": (lost("Cat"), FOUR, Result(("Ann",), "Bob"), "Ann / Cat"),
    "one of two lost": (lost("Ann"), ("Ann", "Bob"), Result(), "Bob / Ann"),
    "one of two won": (Result(("Ann",)), ("Ann", "Bob"), Result(), "Ann / Bob"),
    "two change places": (lost("Ann"), ("Ann", "Bob"), Result(("Ann",), "Bob"), "Bob / Ann"),
    "nothing is made up": (lost("Ann"), FOUR, Result(), "- / Ann"),
}


@pytest.mark.parametrize(("said", "seats", "stood", "holds"), COMPLETED.values(), ids=COMPLETED)
def test_what_a_result_leaves_open_is_as_it_stood_or_as_only_one_can_be(said, seats, stood, holds):
    result = completed(said, seats, stood)
    assert f"{' '.join(result.out) or '-'} / {result.loser or '-'}" == holds


def test_before_the_first_game_nobody_is_named():
    before = score([], Terms())
    assert (before.dealer, before.starter, before.hat) == (None, None, None)


def test_points_are_for_the_places():
    terms = Terms(points=(3, 1, -1))
    after = played("classic", Result(("Ann", "Cat"), "Bob"), Result(("Cat",), "Ann"), terms=terms)
    assert after.points == {"Ann": 2, "Cat": 4, "Bob": -1}


def test_where_one_place_is_left_and_one_player_it_is_his():
    seats = ("Ann", "Bob", "Cat")
    assert completed(Result(("Ann",), "Bob"), seats) == Result(("Ann", "Cat"), "Bob")
    four = ("Ann", "Bob", "Cat", "Dan")
    assert completed(Result(("Ann",), "Bob"), four) == Result(("Ann",), "Bob")
    assert completed(Result(("Ann", "Dan"), "Bob"), four) == Result(("Ann", "Dan", "Cat"), "Bob")


@pytest.mark.parametrize("word", ["X" * 25, "ID\nIOT", "  "])
def test_a_word_that_cannot_be_shown_is_refused(word):
    with pytest.raises(SetupError, match="the word takes up to 24 letters"):
        Terms(word)


@pytest.mark.parametrize(
    ("rules", "players", "decks"),
    [
        ("hat", 2, 1),
        ("hat", 3, 1),
        ("hat", 4, 2),
        ("hat", 6, 2),
        ("hat", 8, 3),
        ("idiota", 5, 1),
        ("idiota", 6, 2),
        ("idiota", 10, 2),
        ("idiota", 11, 3),
        ("jokers", 4, 1),
        ("jokers", 5, 2),
        ("norsk", 5, 1),
        ("castle", 4, 1),
    ],
)
def test_decks_needed_by_number_of_players(rules, players, decks):
    names = tuple(f"P{number}" for number in range(players))
    assert Setup.new(preset(rules), names).decks == decks


def test_castle_seats_no_fifth():
    with pytest.raises(SetupError, match="2 to 4 players"):
        Setup.new(preset("castle"), ("A", "B", "C", "D", "E"))
