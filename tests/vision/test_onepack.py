"""Sightings of one card brought together, in a picture of one pack."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.made_up import SIZE, reading
from vision.assemble import Sighting, assemble
from vision.onepack import ALIKE_STILL, of_one_pack


def corner(code: str, x: float, y: float, turn: float = 0.0, p_suit: float = 0.99) -> Sighting:
    """A card of which one index is seen, that points nowhere."""
    (card,) = assemble([reading(code, x, y, turn, (x - 400, y + 300), p_suit=p_suit)])
    return card


def test_corners_of_one_card_seen_aslant_are_one_card() -> None:
    corners = [
        corner("10C", 300, 300),
        corner("10C", 300 + 4 * SIZE, 280, 0.3),
        corner("10C", 320 + 4 * SIZE, 280 + 5 * SIZE, np.pi + 0.2),
    ]
    (card,) = of_one_pack(corners)
    assert len(card.readings) == 3


@pytest.mark.parametrize(
    "other",
    [
        corner("10S", 300, 400, np.pi),  # another card
        corner("10C", 300, 400, np.pi, p_suit=0.5),  # perhaps another
        corner("10C", 300 + 0.8 * SIZE, 300),  # its neighbour in a fan, its sign misread
        corner("10C", 300 + 30 * SIZE, 300),  # at the other end of the table
        corner("10C", 300, 400, np.pi / 2),  # lies across
    ],
)
def test_what_can_be_of_another_card_stays_one(other: Sighting) -> None:
    assert len(of_one_pack([corner("10C", 300, 300), other])) == 2


def test_no_card_has_five_corners() -> None:
    places = [(300.0, 300.0), (380.0, 300.0), (300.0, 400.0), (380.0, 400.0), (340.0, 350.0)]
    assert len(of_one_pack([corner("7H", x, y) for x, y in places])) == 2


@pytest.mark.parametrize(("p_suit", "cards"), [(0.6, 1), (0.4, 2)])
def test_in_a_photograph_it_is_enough_that_one_card_is_likelier_than_two(
    p_suit: float, cards: int
) -> None:
    two = [corner("10C", 300, 300), corner("10C", 300, 400, np.pi, p_suit=p_suit)]
    assert len(of_one_pack(two, ALIKE_STILL)) == cards
    assert len(of_one_pack(two)) == 2
