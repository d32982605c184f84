"""Colours drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def random_colour(
    rng: np.random.Generator, low: float = 15, high: float = 235
) -> NDArray[np.float32]:
    """BGR around a grey between ``low`` and ``high``, (3,)."""
    grey = rng.uniform(low, high)
    return np.clip(grey + rng.normal(0, 32, 3), 4, 250).astype(np.float32)
