"""Which readings are of one printed index."""

from __future__ import annotations

import pytest

from tests.vision.made_up import SIZE, reading
from vision.reader import _once


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
