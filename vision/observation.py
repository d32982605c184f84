"""What the watcher tells the director: the only way in which seeing reaches the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card


@dataclass(frozen=True)
class Landed:
    """Cards that came to rest on the pile, the lowest first.

    ``p`` holds one calibrated probability for each card. A card whose suit is not
    sure has ``suit`` None. ``frame`` is the frame where they came to rest, even if
    the decision fell later (a settled question). ``settles`` is the id of the
    question that this answers, or None.
    """

    frame: int
    t: float
    cards: tuple[Card, ...]
    p: tuple[float, ...]
    settles: int | None = None


@dataclass(frozen=True)
class Unsure:
    """A card landed that is not read well enough to act on: a question for the table.

    ``candidates`` and their probabilities ``p`` are best first. The director answers
    with ``Watcher.settle(id, card)``. ``crop`` shows the card, (h, w, 3) BGR.
    """

    id: int
    frame: int
    t: float
    candidates: tuple[Card, ...]
    p: tuple[float, ...]
    crop: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Withdrawn:
    """Cards that lay on the pile and were taken back while the rest of it stayed."""

    frame: int
    t: float
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Cleared:
    """The pile is gone: no card of it lies there any more."""

    frame: int
    t: float


Observation = Landed | Unsure | Withdrawn | Cleared
