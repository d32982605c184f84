"""What cameras, lamps and compression do to a picture, at random."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

#: How often a crop is printed in another ink: there are decks of any colours, but few.
OTHER_INK = 0.05


def reinked(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """``image`` at times as if printed in one ink of any colour: its suit is a matter of shape."""
    if rng.random() >= OTHER_INK:
        return image
    grey = image.astype(np.float32).mean(2)
    paper, dark = np.quantile(grey, (0.9, 0.02))
    share = np.clip((paper - grey) / max(float(paper - dark), 1.0), 0, 1)[..., None]
    hue = np.uint8([[[rng.integers(180), rng.integers(120, 256), rng.integers(60, 240)]]])
    ink = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0] if rng.random() < 0.8 else dark
    sheet = np.median(image[grey >= paper], axis=0)
    return np.asarray(np.clip(sheet * (1 - share) + ink * share, 0, 255), np.uint8)


def spoil(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """``image`` under another exposure and white balance, at times blurred, speckled or greyed."""
    out = image.astype(np.float32)
    if rng.random() < 0.8:
        gain = np.exp(rng.normal(0, 0.18)) * np.exp(rng.normal(0, 0.05, 3))
        out = out * gain.astype(np.float32) + np.float32(rng.normal(0, 8))
    if rng.random() < 0.25:
        middle = float(out.mean())
        out = (out - middle) * np.float32(rng.uniform(0.5, 1.4)) + middle
    if rng.random() < 0.06:
        out = np.repeat(out.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.15:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.3)))
    if rng.random() < 0.3:
        out += rng.standard_normal(out.shape, dtype=np.float32) * np.float32(rng.uniform(1, 9))
    if rng.random() < 0.05:
        # Rows of a rolling shutter under a lamp that flickers.
        rows = np.sin(np.arange(out.shape[0]) * rng.uniform(0.1, 1.5) + rng.uniform(0, 6.3))
        out += (rows * rng.uniform(3, 14)).astype(np.float32)[:, None, None]
    if rng.random() < 0.08:
        speckle = rng.random(out.shape[:2]) < rng.uniform(0.002, 0.03)
        out[speckle] = np.where(rng.random((int(speckle.sum()), 1)) < 0.5, 0.0, 255.0)
    return np.clip(out, 0, 255).astype(np.uint8)
