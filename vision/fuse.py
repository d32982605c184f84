"""Several looks at one rest: what they agree on is surer, what one of them missed stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.assemble import Sighting
from vision.spot import same_index

#: What a look says that does not see a card which another saw: rather not, but looks do miss.
NOT_SEEN = 0.3


def fused(looks: Sequence[Sequence[Sighting]]) -> list[Sighting]:
    """The cards of one rest, from all looks at it, none of which moved anything.

    Geometric means: the same camera errs alike twice, so that looks do not multiply.
    """
    if len(looks) < 2:
        return list(looks[0]) if looks else []
    cards: list[dict[int, Sighting]] = []
    for number, look in enumerate(looks):
        for sighting in look:
            home = next(
                (
                    c
                    for c in cards
                    if number not in c and any(_same(s, sighting) for s in c.values())
                ),
                None,
            )
            if home is None:
                cards.append({number: sighting})
            else:
                home[number] = sighting
    return [_one(card, len(looks)) for card in cards]


def _same(a: Sighting, b: Sighting) -> bool:
    return any(same_index(p.spot, q.spot) for p in a.readings for q in b.readings)


def _one(seen: dict[int, Sighting], looks: int) -> Sighting:
    """One card; where it lies as the look has it that saw most of it, the newest of those."""
    best = max(seen.items(), key=lambda item: (len(item[1].readings), item[0]))[1]
    p = np.array([s.p_index for s in seen.values()] + [NOT_SEEN] * (looks - len(seen)))
    odds = np.log(np.clip(p, 1e-6, 1 - 1e-6) / (1 - np.clip(p, 1e-6, 1 - 1e-6))).mean()
    return replace(
        best,
        ranks=_mean([s.ranks for s in seen.values()]),
        suits=_mean([s.suits for s in seen.values()]),
        p_index=float(1 / (1 + np.exp(-odds))),
        open=float(np.mean([s.open for s in seen.values()])),
    )


def _mean(chances: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    product = np.exp(np.mean([np.log(c + 1e-9) for c in chances], axis=0))
    return np.asarray(product / product.sum())
