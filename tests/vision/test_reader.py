"""How an index is read that was found askew, and which readings are of one printed index."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cards import Card, Rank, Suit
from tests.vision.made_up import SIZE, reading
from vision.reader import SUITS, Calibration, Reader, _once
from vision.render import Camera, Placed, Stage, make_deck
from vision.render.deck import DrawnDeck
from vision.session import ModelError, models_folder
from vision.spot import Pyramid, Spot


@pytest.mark.parametrize(
    ("right", "down", "indices"),
    [(0.0, 0.0, 1), (0.3, 0.0, 1), (0.0, 0.6, 1), (0.5, 0.0, 2), (0.0, 0.8, 2)],
)
@pytest.mark.parametrize("angle", [0.0, 1.2, -2.5])
def test_an_index_is_narrower_than_it_is_high(
    right: float, down: float, indices: int, angle: float
) -> None:
    """Cards in a tight fan show no more than the width of an index."""
    first = reading("7H", 100, 100, angle)
    spot = first.spot.moved(0.0, 0.0, right, down)
    assert spot.size == SIZE
    second = reading("7S", spot.x, spot.y, angle, p=0.9)
    kept = _once([second, first])
    assert len(kept) == indices and kept[0] == first


@pytest.mark.parametrize("degrees", [-90, -60, -30, 0, 90])
@pytest.mark.parametrize("seed", [1, 3, 5])
def test_an_index_beside_its_sign_is_read_however_it_was_taken_to_lie(
    seed: int, degrees: int
) -> None:
    """Its two parts stand as those of an index that lies on its side."""
    deck = DrawnDeck(replace(make_deck(seed, plain=True).style, beside=True), seed)
    stage = Stage(3, deck, camera=Camera((640, 480), 2.4, 0.1, 0.2))
    placed = [
        Placed(Card(Rank.SEVEN, Suit.H), -60, 0, 0.3),
        Placed(Card(Rank.KING, Suit.S), 40, 10, -0.4),
    ]
    image, owner = stage.compose(placed)
    truth = stage.indices(placed, owner)
    found = [
        Spot(i.x, i.y, i.angle + math.radians(degrees), 1.15 * i.size, (0.0, 0.0), 0.8, 0.5)
        for i in truth
    ]
    readings = Reader().read(Pyramid(stage.expose(image)), found)
    assert len(readings) == len(truth) == 4
    for one in readings:
        card = next(i.card for i in truth if math.dist((i.x, i.y), (one.spot.x, one.spot.y)) < 9)
        assert one.rank is card.rank and SUITS[int(np.argmax(one.suits))] is card.suit
        assert one.ranks.max() > 0.9


def test_the_calibration_of_the_models_is_read() -> None:
    told = json.loads((models_folder() / "calibration.json").read_text())
    assert Reader().calibration == Calibration(told["rank"], told["suit"], tuple(told["index"]))


RIGHT = {"rank": 1.1, "suit": 1.2, "index": [0.0, 1.0, 1.0, -2.0, 0.5]}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{}", b"[1]", b"null", b"\xff\xfe"),
        *(
            json.dumps(RIGHT | wrong).encode()
            for wrong in (
                {"rank": 0},
                {"suit": -1},
                {"rank": math.nan},
                {"rank": "hot"},
                {"index": [1.0]},
                {"index": 3},
                {"index": [0.0, 1.0, 1.0, math.inf, 0.0]},
            )
        ),
    ],
)
def test_a_damaged_calibration_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "calibration.json"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"calibration.json cannot be used: expected two temp"):
        Calibration.load(file)


def test_a_missing_calibration_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"calibration.json is missing from .*install again"):
        Calibration.load(tmp_path / "calibration.json")
