"""Made-up court figures: bright shapes with a face and a crown, busy as printed ones are."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]


def half_figure(
    rng: np.random.Generator, size: tuple[int, int], paper: Colour, ink: Colour
) -> NDArray[Any]:
    """The upper half of a figure, ``size`` (h, w) pixels, (h, w, 3) float32 BGR."""
    h, w = size
    half = np.zeros((h, w, 3), np.float32)
    half[:] = paper
    palette = [(40, 190, 235), (40, 40, 200), (170, 80, 30), (30, 30, 30), (90, 160, 60), ink]
    for _ in range(int(rng.integers(8, 20))):
        colour = tuple(float(c) for c in palette[int(rng.integers(len(palette)))])
        centre = rng.uniform((0.1, 0.15), (0.9, 1.0)) * (w, h)
        kind = int(rng.integers(4))
        if kind == 0:
            points = centre + rng.normal(0, 0.16, (int(rng.integers(3, 7)), 2)) * (w, h)
            cv2.fillPoly(half, [points.astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 1:
            axes = (int(rng.uniform(0.04, 0.2) * w), int(rng.uniform(0.04, 0.25) * h))
            cv2.ellipse(
                half,
                (int(centre[0]), int(centre[1])),
                axes,
                float(rng.uniform(0, 180)),
                0,
                360,
                colour,
                -1,
                cv2.LINE_AA,
            )
        elif kind == 2:
            end = centre + rng.normal(0, 0.3, 2) * (w, h)
            cv2.line(
                half,
                (int(centre[0]), int(centre[1])),
                (int(end[0]), int(end[1])),
                colour,
                int(rng.integers(1, 9)),
                cv2.LINE_AA,
            )
        else:
            for stripe in range(int(rng.integers(3, 8))):
                y = int(centre[1]) + stripe * 7
                cv2.line(
                    half,
                    (int(centre[0]), y),
                    (int(centre[0] + 0.25 * w), y + int(rng.integers(-9, 9))),
                    colour,
                    2,
                    cv2.LINE_AA,
                )
    cv2.ellipse(
        half,
        (w // 2, int(h * 0.3)),
        (w // 7, h // 6),
        0,
        0,
        360,
        (190, 215, 245),
        -1,
        cv2.LINE_AA,
    )
    cv2.circle(half, (w // 2 - w // 18, int(h * 0.28)), 3, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.circle(half, (w // 2 + w // 18, int(h * 0.28)), 3, (20, 20, 20), -1, cv2.LINE_AA)
    crown = np.array(
        [
            [0.34, 0.18],
            [0.3, 0.02],
            [0.42, 0.1],
            [0.5, 0.0],
            [0.58, 0.1],
            [0.7, 0.02],
            [0.66, 0.18],
        ]
    )
    cv2.fillPoly(half, [(crown * (w, h)).astype(np.int32)], (30, 190, 235), cv2.LINE_AA)
    return half
