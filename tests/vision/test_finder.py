"""How the finder looks at a picture, and which of several finds stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.finder import Finder, _around, fitted, four_in_one, shrunk, suppressed
from vision.session import ModelError, models_folder
from vision.spot import Spot


def spot(x: float, y: float, size: float = 20.0, score: float = 0.8) -> Spot:
    return Spot(x, y, 0.0, size, (x, y), score, 0.9)


def test_four_pixels_become_the_channels_of_one() -> None:
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    folded = four_in_one(image)
    assert folded.shape == (2, 3, 12)
    expected = np.concatenate([image[2, 4], image[2, 5], image[3, 4], image[3, 5]])
    assert (folded[1, 2] == expected).all()


@pytest.mark.parametrize("size", [(1, 1), (16, 16), (17, 31), (360, 640)])
def test_a_picture_of_any_size_fits_the_network(size: tuple[int, int]) -> None:
    h, w = four_in_one(fitted(np.zeros((*size, 3), np.uint8))).shape[:2]
    assert (2 * h - 2) % 16 == 0 and (2 * w - 2) % 16 == 0
    assert 2 * h - 2 >= size[0] and 2 * w - 2 >= size[1]


def test_no_picture_is_enlarged() -> None:
    assert shrunk(np.zeros((90, 160, 3), np.uint8), 640).shape == (90, 160, 3)
    assert shrunk(np.zeros((720, 1280, 3), np.uint8), 640).shape == (360, 640, 3)


def test_hints_far_apart_are_looked_at_apart_and_near_ones_together() -> None:
    parts = _around([spot(100, 100), spot(120, 110), spot(1100, 600)], 1280, 720)
    assert len(parts) == 2
    for x, y in ((100, 100), (120, 110), (1100, 600)):
        assert any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in parts)


@pytest.mark.parametrize("place", [(0, 0), (1279, 719), (1290, -5)])
def test_a_hint_at_the_border_gives_a_part_of_the_picture(place: tuple[float, float]) -> None:
    ((x0, y0, x1, y1),) = _around([spot(*place)], 1280, 720)
    assert 0 <= x0 < x1 <= 1280 and 0 <= y0 < y1 <= 720


def test_no_hints_give_no_parts() -> None:
    assert _around([], 1280, 720) == []


def test_two_indices_that_touch_outlive_one_find_between_them() -> None:
    """A small scale finds them as one, hotter; a larger scale, trusted more, finds both."""
    one, left, right = spot(100, 100, 40, 0.84), spot(88, 100, 40, 0.62), spot(113, 100, 40, 0.6)
    assert suppressed([one, left, right], [0.59, 0.62, 0.6]) == [left, right]
    assert suppressed([one, left, right], [0.84, 0.62, 0.6]) == [one]


def test_a_network_that_takes_other_pictures_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "finder.onnx"
    other.write_bytes((models_folder() / "reader.onnx").read_bytes())
    with pytest.raises(ModelError, match="is no finder"):
        Finder(other)
