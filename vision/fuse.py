"""Several looks at one rest: what they agree on is surer, what one of them missed stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reader import Reading
from vision.spot import same_index

#: What a look says that does not see an index which another saw: rather not, but looks do miss.
NOT_SEEN = 0.3


def fused(looks: Sequence[Sequence[Reading]]) -> list[Reading]:
    """The indices of one rest, from all looks at it, none of which moved anything.

    Geometric means: the same camera errs alike twice, so that looks do not multiply. Indices are
    brought together, not cards: which two are of one card can be told better afterwards.
    """
    if len(looks) < 2:
        return list(looks[0]) if looks else []
    indices: list[dict[int, Reading]] = []
    for number, look in enumerate(looks):
        for reading in look:
            home = next(
                (
                    seen
                    for seen in indices
                    if number not in seen
                    and any(same_index(r.spot, reading.spot) for r in seen.values())
                ),
                None,
            )
            if home is None:
                indices.append({number: reading})
            else:
                home[number] = reading
    return [_one(seen, len(looks)) for seen in indices]


def _one(seen: dict[int, Reading], looks: int) -> Reading:
    """One index; it lies where the look has it that was the surest to have found one."""
    best = max(seen.items(), key=lambda item: (item[1].spot.score, item[0]))[1]
    p = np.array([r.p_index for r in seen.values()] + [NOT_SEEN] * (looks - len(seen)))
    odds = np.log(np.clip(p, 1e-6, 1 - 1e-6) / (1 - np.clip(p, 1e-6, 1 - 1e-6))).mean()
    p_index = 1 / (1 + np.exp(-odds))
    ranks = _mean([r.ranks[:-1] for r in seen.values()]) * p_index
    return replace(
        best,
        spot=replace(best.spot, open=float(np.mean([r.spot.open for r in seen.values()]))),
        ranks=np.append(ranks, 1 - p_index).astype(np.float32),
        suits=_mean([r.suits for r in seen.values()]).astype(np.float32),
    )


def _mean(chances: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    product = np.exp(np.mean([np.log(c.astype(float) + 1e-9) for c in chances], axis=0))
    return np.asarray(product / product.sum())
