"""The committed models on real photographs and on drawn scenes: the whole way from pixels to cards.

The bounds are far below what the model card states, so that they tell a broken model from a
whole one and nothing finer. ``val`` photographs were not trained on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.cards import parse_card
from models.training.evaluate import Score, _truths, compare
from models.training.photographs import photographs
from vision.look import Looker
from vision.render import Camera, Placed, Stage, make_deck
from vision.session import models_folder

PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"
needs_photos = pytest.mark.skipif(
    not PHOTOS.is_dir(), reason="the labelled photographs (../shared/photos) are not here"
)


@pytest.fixture(scope="module")
def looker() -> Looker:
    return Looker.load()


@needs_photos
@pytest.mark.parametrize(
    ("folder", "least", "most_wrong"), [("tables", 0.93, 3), ("surfaces", 0.9, 2)]
)
def test_validation_photographs_are_read(
    looker: Looker, folder: str, least: float, most_wrong: int
) -> None:
    score = Score()
    for photo in list(photographs(PHOTOS, "val", folder))[::8]:
        compare(looker.look(photo.pixels()), _truths(photo), score, photo.path.name)
    assert score.labelled >= 12
    assert score.rank_right >= least * score.labelled, "\n".join(score.mistakes)
    assert score.wrong <= most_wrong, "\n".join(score.mistakes)


def test_cards_laid_open_on_a_drawn_table_are_all_read(looker: Looker) -> None:
    codes = ["2C", "10H", "QS", "AD"]
    stage = Stage(5, make_deck(5, plain=True))
    placed = [Placed(parse_card(c), -120 + 80 * i, 0, 0.2 * i) for i, c in enumerate(codes)]
    look = looker.look(stage.draw(placed))
    assert sorted(str(seen.card) for seen in look.cards) == sorted(codes)
    assert all(seen.top for seen in look.cards)


def test_backs_are_not_reported(looker: Looker) -> None:
    stage = Stage(6, make_deck(6, plain=True))
    look = looker.look(stage.draw([Placed(None, 90 * i - 90, 0, 0.3 * i) for i in range(3)]))
    assert (look.cards, look.unsure) == ((), ())


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.zeros((720, 1280, 3), np.uint8), id="black"),
        pytest.param(np.full((480, 640, 3), 255, np.uint8), id="white"),
        pytest.param(np.zeros((1, 1, 3), np.uint8), id="one pixel"),
        pytest.param(np.full((3, 2000, 3), 128, np.uint8), id="a line"),
        pytest.param(
            np.random.default_rng(1).integers(0, 255, (300, 400, 3)).astype(np.uint8), id="noise"
        ),
    ],
)
def test_a_picture_without_cards_shows_none(looker: Looker, picture: np.ndarray) -> None:
    assert looker.look(picture).cards == ()


def test_a_twelve_megapixel_photograph_is_read(looker: Looker) -> None:
    stage = Stage(5, make_deck(5, plain=True), camera=Camera((4000, 3000), px_per_mm=10.0))
    look = looker.look(stage.draw([Placed(parse_card("9D"), 0, 0, 0.5)]))
    assert [str(seen.card) for seen in look.cards] == ["9D"]


def test_the_models_together_stay_small() -> None:
    sizes = [file.stat().st_size for file in models_folder().glob("*.onnx")]
    assert sum(sizes) < 3_000_000
