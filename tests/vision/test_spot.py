"""Crops are upright whatever way the card lies, and poses are undone exactly."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import parse_card
from vision.render import Camera, Placed, Stage, make_deck
from vision.render.stage import Light
from vision.spot import CROP_HEIGHT, CROP_WIDTH, Pyramid, Spot, crop, crops


def spot(x: float, y: float, angle: float, size: float) -> Spot:
    return Spot(x, y, angle, size, (0.0, 0.0), 1.0, 1.0)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5, -1.3])
def test_a_crop_looks_the_same_whatever_way_the_card_lies(angle: float) -> None:
    deck = make_deck(4, plain=True)
    light = Light(unevenness=0.0, blur=0.0, noise=0.0)
    pictures = []
    for turn in (0.0, angle):
        stage = Stage(4, deck, camera=Camera((400, 400), px_per_mm=3.0), light=light)
        placed = [Placed(parse_card("7S"), 0, 0, turn)]
        image, owner = stage.compose(placed)
        index = stage.indices(placed, owner)[0]
        here = spot(index.x, index.y, index.angle, index.size)
        pictures.append(crop(Pyramid(stage.expose(image)), here).astype(int))
    middle = [p[12:52, 14:34] for p in pictures]
    assert np.abs(middle[0] - middle[1]).mean() < 12


def test_a_moved_spot_moved_back_is_where_it_was() -> None:
    start = spot(100, 50, 0.4, 20)
    moved = start.moved(0.2, 0.1, 0.15, -0.1)
    assert moved.angle == pytest.approx(0.6)
    assert moved.size == pytest.approx(20 * np.exp(0.1))
    assert np.hypot(moved.x - 100, moved.y - 50) == pytest.approx(20 * np.hypot(0.15, 0.1))


def test_a_turn_past_half_a_circle_stays_in_range() -> None:
    assert spot(0, 0, 3.0, 10).moved(0.5, 0, 0, 0).angle == pytest.approx(3.5 - 2 * np.pi)


def test_a_large_index_is_taken_from_a_halved_picture() -> None:
    pyramid = Pyramid(np.zeros((800, 800, 3), np.uint8))
    image, factor = pyramid.level(40 / 200)
    assert image.shape == (200, 200, 3)
    assert factor == 0.25
    assert pyramid.level(1.0)[1] == 1.0


@pytest.mark.parametrize("place", [(-50.0, -50.0), (5.0, 5.0), (1000.0, 30.0)])
def test_a_crop_past_the_edge_of_the_picture_has_its_full_size(place: tuple[float, float]) -> None:
    pyramid = Pyramid(np.full((60, 80, 3), 7, np.uint8))
    assert (crop(pyramid, spot(*place, 0.3, 0.5)) == 7).all()


def test_no_spots_give_no_crops() -> None:
    shape = crops(Pyramid(np.zeros((9, 9, 3), np.uint8)), []).shape
    assert shape == (0, CROP_HEIGHT, CROP_WIDTH, 3)
