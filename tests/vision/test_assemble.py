"""Indices become cards: two of one card are one, two of different cards never."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Rank
from tests.vision.made_up import SIZE, both_corners, reading
from vision.assemble import apart_from, assemble, with_a_top
from vision.look import CardSeen, CardUnsure, decide
from vision.reader import RANKS


def codes(readings: list) -> list[str]:
    found = []
    for sighting in assemble(readings):
        decided = decide(sighting)
        assert isinstance(decided, CardSeen)
        found.append(str(decided.card))
    return sorted(found)


@pytest.mark.parametrize("turn", [0.0, 0.9, 3.0, -2.0])
def test_two_indices_of_one_card_are_one_card(turn: float) -> None:
    assert codes(both_corners("10H", 200, 150, turn)) == ["10H"]


def test_one_index_is_a_card() -> None:
    assert codes([reading("QS", 50, 60)]) == ["QS"]


def test_cards_of_one_rank_in_a_fan_stay_apart() -> None:
    fan = [*both_corners("7H", 100, 100), *both_corners("7S", 100 + 1.6 * SIZE, 100)]
    assert codes(fan) == ["7H", "7S"]


def test_a_fan_whose_lower_cards_show_one_index_stays_apart() -> None:
    step = 1.6 * SIZE
    fan = [
        both_corners("7H", 100, 100)[0],
        both_corners("7S", 100 + step, 100)[0],
        *both_corners("7D", 100 + 2 * step, 100),
    ]
    assert codes(fan) == ["7D", "7H", "7S"]


def test_the_same_code_in_two_places_is_two_cards() -> None:
    assert codes([*both_corners("7H", 100, 100), *both_corners("7H", 400, 100)]) == ["7H", "7H"]


def test_four_indices_of_one_card_are_one_card() -> None:
    here = both_corners("KC", 100, 100)
    other = [
        reading("KC", 100 + 2.1 * SIZE, 100 - 3.2 * SIZE, 0.0, (100, 100)),
        reading("KC", 100 - 2.1 * SIZE, 100 + 3.2 * SIZE, np.pi, (100, 100)),
    ]
    assert codes([*here, *other]) == ["KC"]


def test_evidence_of_two_weak_indices_adds_up() -> None:
    weak = both_corners("6C", 100, 100, p=0.8)
    (together,) = assemble(weak)
    # More than each says, but not as much as two witnesses that know nothing of each other would.
    assert 0.95 < together.ranks[RANKS.index(Rank.SIX)] < 0.985


def test_what_is_most_likely_no_index_is_dropped() -> None:
    nothing = reading("6C", p=0.05)
    nothing.ranks[-1] = 0.9
    assert assemble([nothing]) == []


def test_a_sure_rank_with_an_open_suit_is_named_without_its_suit() -> None:
    (seen,) = assemble([reading("10H", p_suit=0.6)])
    decided = decide(seen)
    assert isinstance(decided, CardSeen)
    assert str(decided.card) == "10?"


def test_between_two_ranks_both_are_offered_best_first() -> None:
    between = reading("6S", p=0.55)
    between.ranks[RANKS.index(Rank.NINE)] = 0.42
    (seen,) = assemble([between])
    decided = decide(seen)
    assert isinstance(decided, CardUnsure)
    assert [str(c) for c in decided.candidates] == ["6S", "9S"]
    assert decided.p[0] > decided.p[1]


def test_a_joker_has_no_suit() -> None:
    (seen,) = assemble([reading("JK")])
    decided = decide(seen)
    assert isinstance(decided, CardSeen)
    assert str(decided.card) == "JK"


@pytest.mark.parametrize(("p", "kind"), [(0.94, CardUnsure), (0.98, CardSeen)])
def test_lettering_that_stands_alone_is_a_joker_only_if_it_is_very_sure(
    p: float, kind: type[CardSeen | CardUnsure]
) -> None:
    alone = assemble([reading("JK")])[0]
    ranks = np.full(len(RANKS), (1 - p) / (len(RANKS) - 1))
    ranks[RANKS.index(Rank.JOKER)] = p
    seen = replace(alone, ranks=ranks, p_index=0.999)
    assert isinstance(decide(seen), kind)
    both = replace(seen, readings=tuple(both_corners("JK", 100, 100)))
    assert isinstance(decide(both), CardSeen)


def test_nothing_seen_gives_no_cards() -> None:
    assert assemble([]) == []


def test_the_box_surrounds_the_indices() -> None:
    (seen,) = assemble(both_corners("10H", 200, 150))
    x0, y0, x1, y1 = seen.box
    for r in seen.readings:
        assert x0 < r.spot.x < x1
        assert y0 < r.spot.y < y1


def test_a_figure_on_an_open_card_is_no_index() -> None:
    card = both_corners("KD", 300, 300)
    figure = reading("JC", 310, 280, 1.2, p=0.8)
    assert codes([*card, figure]) == ["KD"]


def test_an_index_on_a_covered_card_is_of_the_card_above() -> None:
    card = both_corners("KD", 300, 300, opened=0.1)
    above = reading("JC", 310, 280, 1.2, centre=(380, 330))
    assert codes([*card, above]) == ["JC", "KD"]


def test_two_cards_that_cross_in_their_middles_are_two() -> None:
    assert codes([*both_corners("4D", 300, 300, 0.5), *both_corners("4C", 300, 300, -0.3)]) == [
        "4C",
        "4D",
    ]


def test_a_half_covered_corner_that_points_nowhere_is_joined_by_the_measure_of_the_deck() -> None:
    whole = both_corners("9H", 700, 300, 0.8)
    near, far = both_corners("9D", 640, 330, 0.8)
    lost = reading(
        "9D",
        far.spot.x + 2,
        far.spot.y - 2,
        far.spot.angle,
        (640 - 40, 330 + 90),
        p=0.6,
        p_suit=0.5,
    )
    found = assemble([*whole, near, lost])
    assert sorted(len(s.readings) for s in found) == [2, 2]


def test_two_cards_whose_corners_lie_otherwise_stay_two() -> None:
    whole = both_corners("9H", 700, 300, 0.8)
    near, _ = both_corners("9D", 640, 330, 0.8)
    other = reading("9D", 640 - 60, 330 + 20, near.spot.angle + np.pi, (560, 240))
    assert sorted(len(s.readings) for s in assemble([*whole, near, other])) == [1, 1, 2]


def test_both_indices_of_an_edge_are_one_card_in_a_deck_with_four() -> None:
    """Of each card the lower edge is out of the picture, so that no diagonal tells the deck."""
    way = 5.0 * SIZE
    for card, y in (("5S", 60), ("JD", 300)):
        one = reading(card, 100, y, 0.0)
        assert codes([one, reading(card, 100 + way, y, 0.0)]) == [card]
        below = reading(card, 100, y + 1.35 * way, np.pi)
        assert codes([one, below]) == [card]
    assert codes([reading("5S", 100, 60, 0.0), reading("5C", 100 + way, 60, 0.0)]) == ["5C", "5S"]
    near = [reading("5S", 100, 60, 0.0), reading("5S", 100 + 1.2 * SIZE, 60, 0.0)]
    assert codes(near) == ["5S", "5S"]


def test_two_equal_cards_laid_almost_square_do_not_cross_into_one() -> None:
    fan = [*both_corners("5S", 200, 200), *both_corners("5S", 200 + 0.7 * SIZE, 200)]
    assert codes(fan) == ["5S", "5S"]


def test_a_card_whose_two_signs_read_apart_is_one_card() -> None:
    first, second = both_corners("QC", 200, 150)
    assert len(assemble([first, replace(second, suits=reading("QS", p_suit=0.95).suits)])) == 1


def test_a_neighbour_in_a_fan_is_apart_from_a_card_and_its_other_corner_is_not() -> None:
    (card,) = assemble(both_corners("7C", 200, 150))
    corner, opposite = sorted(card.readings, key=lambda r: r.spot.x)
    (alone,) = assemble([opposite])
    assert not apart_from(alone, assemble([corner])[0])
    for step in (0.8 * SIZE, 2.0 * SIZE):
        (neighbour,) = assemble([reading("7C", corner.spot.x - step, corner.spot.y)])
        assert apart_from(neighbour, card)
    (figure,) = assemble([reading("7C", 200, 150)])
    assert not apart_from(figure, card)


def test_the_card_on_top_whose_two_signs_read_apart_is_one_card() -> None:
    """Too unlike for a heap; but what lies on top shows both its corners."""
    first, second = (replace(r, spot=replace(r.spot, score=0.7)) for r in both_corners("QC", 0, 0))
    moved = second.spot.moved(0, 0, 0.6, 0)
    second = replace(second, suits=reading("QS", p_suit=0.985).suits, spot=moved)
    alone = assemble([first, second])
    assert len(alone) == 2
    assert len(with_a_top(alone)) == 1
    assert len(with_a_top([*alone, *assemble(both_corners("QD", 300, 0))])) == 3
    red = assemble([first, replace(second, suits=reading("QH", p_suit=0.985).suits)])
    assert len(with_a_top(red)) == 2


@pytest.mark.parametrize(
    ("other", "turn", "cards"), [("QS", np.pi, 1), ("QS", 0.0, 2), ("QH", np.pi, 2)]
)
def test_the_card_on_top_is_one_wherever_its_corners_point(
    other: str, turn: float, cards: int
) -> None:
    astray = (900.0, 900.0)
    lone = [reading("QS", 100, 100, 0.0, astray), reading(other, 220, 90, turn, (-300.0, 0.0))]
    alone = assemble(lone)
    assert len(alone) == 2
    assert len(with_a_top(alone)) == cards


def test_three_corners_tell_a_card_whose_diagonals_point_elsewhere() -> None:
    """The first card of a deck with four indices: nothing tells yet that it has them."""
    astray = (0.0, 0.0)
    four = [
        reading("10C", 500, 300, 0.0, astray),
        reading("10C", 500 + 4 * SIZE, 300, 0.0, astray),
        reading("10C", 500, 300 + 5.5 * SIZE, np.pi, astray),
        reading("10C", 500 + 4 * SIZE, 300 + 5.5 * SIZE, np.pi, astray),
    ]
    assert codes(four) == ["10C"]
    other = [*four[:2], reading("9C", 500, 300 + 5.5 * SIZE, np.pi, astray)]
    assert len(codes(other)) > 1


def test_a_smaller_index_that_stands_otherwise_is_no_third_corner() -> None:
    pair = both_corners("KS", 500, 300)
    stray = reading("JS", pair[0].spot.x, pair[1].spot.y, 1.2)
    small = replace(stray, spot=replace(stray.spot, size=SIZE * 0.49))
    assert sorted(codes([*pair, small])) == ["JS", "KS"]
