"""Switches that no preset sets, but tables do."""

from __future__ import annotations

import pytest

from tests.engine.tabletalk import Talk, short


@pytest.mark.parametrize(
    ("below", "card", "expected"),
    [
        ("7C", "6D", ("legal", None, "Ann")),
        ("7C", "8D", ("illegal", "too_high", "Bob")),
        ("KC", "QD", ("illegal", "too_low", "Bob")),
        ("2C", "4D", ("legal", None, "Ann")),
    ],
)
def test_glass_is_seen_through(below: str, card: str, expected: tuple[str, ...]) -> None:
    talk = Talk(2, glass_ranks=["3"], lower_ranks=["7"])
    assert short(talk(f"start {below}", "play 3D", f"play {card}")) == expected


def test_a_pile_of_glass_is_an_empty_pile() -> None:
    talk = Talk(2, glass_ranks=["3"])
    assert talk("start 3C", "play 3D", "play 4D").stands


def test_many_glass_cards_keep_the_bound() -> None:
    talk = Talk(2, glass_ranks=["3"], lower_ranks=["7"])
    assert short(talk("start 7C", "play 3D 3H", "play 9D"))[1] == "too_high"


@pytest.mark.parametrize(("breaks", "burn"), [(True, False), (False, True)])
def test_glass_in_a_run(breaks: bool, burn: bool) -> None:
    talk = Talk(2, glass_ranks=["3"], glass_breaks_run=breaks)
    assert talk("start 8C", "play 8D", "play 3D", "play 8H 8S").burn is burn


def test_four_glass_cards_burn_themselves() -> None:
    assert Talk(2, glass_ranks=["3"])("start 8C", "play 3D 3H", "play 3C 3S").removed == 5


def test_glass_within_a_run_goes_with_it_where_only_the_run_goes() -> None:
    talk = Talk(2, "idiota", glass_ranks=["3"], glass_breaks_run=False)
    ruling = talk("play 5C", "play 8D 8C", "play 3D", "play 8H 8S")
    assert (ruling.removed, ruling.pile) == (5, 1)


@pytest.mark.parametrize(
    ("players", "cards", "turn"),
    [
        (4, "8D", "Cat"),
        (4, "8D 8H", "Dan"),
        (2, "8D", "Ann"),
        (3, "8D 8H", "Ann"),
    ],
)
def test_each_eight_passes_over_one_player(players: int, cards: str, turn: str) -> None:
    assert Talk(players, skip_ranks=["8"])("start 4C", f"play {cards}").turn == turn


def test_finished_players_are_not_passed_over_twice() -> None:
    at = "1 play 0 4C 3/0/0;0/0/0;3/0/0;3/0/0 - 2 - begun -"
    assert Talk(4, at=at, skip_ranks=["8"])("play 8D").turn == "Dan"


def test_finishing_with_an_eight_still_passes_over_the_next() -> None:
    at = "1 play 0 4C 1/0/0;3/0/0;3/0/0 - - - begun -"
    ruling = Talk(3, at=at, skip_ranks=["8"])("play 8D")
    assert (ruling.out, ruling.turn) == (("Ann",), "Cat")


@pytest.mark.parametrize(
    ("players", "cards", "turn"),
    [
        (4, "KD", "Dan"),
        (4, "KD KH", "Bob"),
        (2, "KD", "Bob"),
    ],
)
def test_kings_turn_the_direction_round(players: int, cards: str, turn: str) -> None:
    assert Talk(players, reverse_ranks=["K"])("start 4C", f"play {cards}").turn == turn


def test_the_direction_stays_until_it_is_turned_again() -> None:
    talk = Talk(4, reverse_ranks=["K"])
    turns = [
        talk(line).turn
        for line in ("start 4C", "play KD", "play AD", "pickup", "play KH", "play AH")
    ]
    assert turns == ["Ann", "Dan", "Cat", "Bob", "Cat", "Dan"]


def test_a_ten_leads_to_the_next_player_where_the_table_has_it() -> None:
    assert Talk(3, after_ten="next")("start 4C", "play 10D").turn == "Bob"


def test_who_takes_the_pile_may_lead_where_the_table_has_it() -> None:
    assert Talk(3, after_pickup="same")("start KC", "pickup").turn == "Ann"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pickup with 4D", ("legal", None, "Bob")),
        ("pickup with 4D 4H", ("legal", None, "Bob")),
        ("pickup with 4D 5H", ("illegal", "mixed_ranks", "Ann")),
        ("pickup with 9D", ("impossible", "too_many_cards", "Ann")),
    ],
)
def test_face_up_cards_taken_along(line: str, expected: tuple[str, ...]) -> None:
    at = "1 play 0 KC 0/3{4D,4H,5H}/3;3/3/3 - - - begun -"
    assert short(Talk(2, at=at, take_face_up=True)(line)) == expected


def test_a_face_up_card_taken_along_is_known_to_be_in_the_hand() -> None:
    talk = Talk(2, at="1 play 0 KC 0/3{4D,4H,5H}/3;3/3/3 - - - begun -", take_face_up=True)
    ruling = talk("pickup with 4D")
    assert tuple(ruling.hands["Ann"]) == (2, 2, 3)
    assert [str(card) for card in talk.game.ledger.held_by(0)] == ["4D", "KC"]


def test_nothing_is_taken_along_while_there_is_a_hand() -> None:
    talk = Talk(2, at="1 play 0 KC 1/3/3;3/3/3 - - - begun -", take_face_up=True)
    assert short(talk("pickup with 4D")) == ("illegal", "hand_first", "Ann")


def test_a_seven_only_on_seven_or_lower_where_the_table_has_it() -> None:
    talk = Talk(2, "jokers", lower_on_higher=False)
    assert short(talk("start QC", "play 7D")) == ("illegal", "too_low", "Ann")


def test_three_in_a_row_burn_where_the_table_has_it() -> None:
    assert Talk(3, run_length=3)("start 6C", "play 6D 6H").burn
