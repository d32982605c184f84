"""Whether a place looks as it did: by the picture, whatever lamps and sensors do to it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.cards import parse_card
from vision.render import Camera, Placed, Stage, make_deck
from vision.render.stage import IndexTruth, Light
from vision.spot import Spot
from vision.unchanged import Before

LIGHT = Light(unevenness=0.1, blur=0.4, noise=3.0)
UNDER = Placed(parse_card("7S"), 0, 0, 0.2)


def stage(light: Light = LIGHT) -> Stage:
    return Stage(4, make_deck(4, plain=True), camera=Camera((640, 360), px_per_mm=2.2), light=light)


def first_index(placed: list[Placed]) -> IndexTruth:
    table = stage()
    return table.indices(placed, table.compose(placed)[1])[0]


def spot(index: IndexTruth) -> Spot:
    return Spot(index.x, index.y, index.angle, index.size, (0.0, 0.0), 1.0, 1.0)


@pytest.fixture(scope="module")
def before() -> Before:
    return Before(stage().draw([UNDER]))


@pytest.mark.parametrize(
    "light",
    [
        LIGHT,
        replace(LIGHT, gain=0.6),
        replace(LIGHT, tint=(0.8, 1.0, 1.2)),
        replace(LIGHT, noise=8.0),
    ],
    ids=["same", "dimmer", "warmer", "noisier"],
)
def test_an_index_that_lies_on_is_kept_under_another_lamp(before: Before, light: Light) -> None:
    again = stage(light).draw([UNDER], tick=7)
    assert before.kept(again, spot(first_index([UNDER]))) == 1.0


def test_another_card_laid_over_it_is_not_kept(before: Before) -> None:
    other = Placed(parse_card("QH"), 2, -1, 0.32)
    again = stage().draw([UNDER, other], tick=7)
    assert before.kept(again, spot(first_index([other]))) == 0.0


def test_an_index_that_is_half_covered_is_half_kept(before: Before) -> None:
    index = first_index([UNDER])
    again = stage().draw([UNDER], tick=7)
    c, s = np.cos(index.angle), np.sin(index.angle)
    y, x = np.mgrid[0:360, 0:640]
    across = c * (x - index.x) + s * (y - index.y)
    again[across > 0.05 * index.size] = 235
    assert before.kept(again, spot(index)) == 0.5


def test_a_blank_place_tells_nothing(before: Before) -> None:
    blank = np.full((360, 640, 3), 90, np.uint8)
    assert before.kept(blank, spot(first_index([UNDER]))) == 0.0


def test_a_picture_of_another_size_tells_nothing(before: Before) -> None:
    other = np.zeros((720, 1280, 3), np.uint8)
    assert before.kept(other, spot(first_index([UNDER]))) == 0.0


def test_print_as_faint_as_the_grain_neither_is_kept_for_sure_nor_has_changed() -> None:
    """Pale ink on bright paper: it might have come or gone within what is forgiven."""
    place, noise = Spot(60, 60, 0.0, 40.0, (0.0, 0.0), 1.0, 1.0), np.random.default_rng(1)
    paper = np.full((120, 120, 3), 230, np.uint8)
    paper[50:70, 45:75] -= 30
    grain = noise.integers(-3, 4, paper.shape)
    assert Before(paper).kept((paper + grain).astype(np.uint8), place) == 0.5
    paper[50:70, 45:75] = 60
    assert Before(paper).kept((paper + grain).astype(np.uint8), place) == 1.0


def test_a_thin_letter_and_sign_printed_where_paper_was_are_not_kept() -> None:
    shade = np.random.default_rng(3).normal(0, 1.5, (120, 160, 3))
    blank = np.clip(190 + shade, 0, 255).astype(np.uint8)
    printed, ink = blank.copy(), (110, 110, 110)
    cv2.putText(printed, "7", (73, 72), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    cv2.circle(printed, (78, 78), 3, ink, -1)
    index = Spot(78.0, 70.0, 0.0, 30.0, (0.0, 0.0), 1.0, 1.0)
    assert Before(blank).kept(printed, index) == 0.0
    assert Before(printed).kept(printed, index) > 0.0
