"""Tells when things over the pile have come to rest, at next to no cost.

Every frame is shrunk to a small grey picture and held against an *anchor*: the picture at the
beginning of the present stillness. Held against the frame before, a slow hand would pass for
stillness, and a card that appears between two frames would be a blink of one frame.

Light is not motion. Where the plain difference is too large, the brightness is first fitted (one
gain and one offset for the whole view, robustly) and soft shadows are taken away by adapting the
local mean; only what is left counts. In stillness the anchor follows the picture slowly, so that
dusk passes unnoticed.
"""

from __future__ import annotations

import enum
from typing import cast

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.frame import Image

#: Width of the small picture in pixels. A card of 63 mm is then about 17 pixels wide.
WIDTH = 160
#: Seconds without motion that make a rest.
REST_SECONDS = 0.25
#: A pixel (mean of 3×3) has changed if it differs by this many grey levels at least …
LEAST_LEVELS = 5.0
#: … and by this many times the noise measured in the picture.
NOISE_FACTOR = 6.0
#: So many changed pixels are motion: a quarter of a card's index, seen at ``WIDTH``.
LEAST_PIXELS = 6
#: Noise (levels, after the 3×3 mean) never counts as more than this: a sleeve over most of the
#: view looks like noise, too.
NOISE_CAP = 3.0
#: Over this box (pixels of the small picture) a soft shadow is even, and a card is not.
SHADOW_BOX = 15
#: A gain outside is no lamp but something before the lens.
GAINS = (0.33, 3.0)
#: Seconds in which the anchor follows slow changes of light.
FOLLOW_SECONDS = 3.0


class Motion(enum.Enum):
    """What the small picture says."""

    MOVING = "moving"
    """Something moves, or has not been still for long enough."""
    SETTLED = "settled"
    """It has just come to rest; said once for each rest: now is the time to look."""
    STILL = "still"
    """It rests as before."""


class Settler:
    """Watches for rest. One for each source; keeps a small picture and a few numbers."""

    def __init__(self, rest_seconds: float = REST_SECONDS) -> None:
        self._rest_seconds = rest_seconds
        self._anchor: MatLike | None = None
        self._since = 0.0
        self._last = 0.0
        self._noise: float | None = None
        self._settled = False

    def step(self, image: Image, t: float) -> Motion:
        """Return the motion at time ``t`` (seconds) in ``image``, BGR or grey, uint8.

        After any change between two resting pictures there is exactly one SETTLED; so there is
        for the first picture of all.
        """
        now = shrink(image)
        if self._anchor is None or self._anchor.shape != now.shape or self._differs(now, t):
            self._anchor = now
            self._since = t
            self._settled = False
        self._last = t
        if self._settled:
            return Motion.STILL
        # Frame times are sums of tenths and the like: 0.25 must not fail for a rounding.
        if t - self._since < self._rest_seconds - 1e-6:
            return Motion.MOVING
        self._settled = True
        return Motion.SETTLED

    def _differs(self, now: MatLike, t: float) -> bool:
        """Return whether ``now`` shows other things than the anchor; lets the anchor follow."""
        anchor = cast(MatLike, self._anchor)
        difference = cv2.subtract(now, anchor)
        mean = cv2.blur(difference, (3, 3))
        level = self._threshold(mean)
        low, high, _, _ = cv2.minMaxLoc(mean)
        if max(high, -low) > level and _changed(mean, level):
            mean = _without_light(now, anchor)
            if _changed(mean, level):
                self._learn_noise(mean)
                return True
            self._anchor = now  # the light has changed, and nothing else
        else:
            share = min(1.0, max(0.0, t - self._last) / FOLLOW_SECONDS)
            self._anchor = cv2.scaleAdd(difference, share, anchor)
        self._learn_noise(mean)
        return False

    def _threshold(self, mean: MatLike) -> float:
        if self._noise is None:
            self._noise = min(_spread(mean), NOISE_CAP)
        return max(LEAST_LEVELS, NOISE_FACTOR * self._noise)

    def _learn_noise(self, mean: MatLike) -> None:
        # Learnt in motion too: should the noise itself rise (the lamp went out and the camera
        # turned up its gain), nothing would ever rest again.
        noise = self._noise or 0.0
        self._noise = noise + 0.1 * (min(_spread(mean), NOISE_CAP) - noise)


def shrink(image: Image) -> MatLike:
    """Return the small grey picture, (h, w) float32 with w at most ``WIDTH``."""
    height, width = image.shape[:2]
    if width > WIDTH:
        size = (WIDTH, max(1, round(height * WIDTH / width)))
        # Each pixel is then the mean of 2×2: ten times faster than the mean of everything it
        # covers, and the 3×3 mean of the difference takes most of the noise away.
        image = cast(Image, cv2.resize(image, size, interpolation=cv2.INTER_LINEAR))
    if image.ndim == 3:
        image = cast(Image, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    return image.astype(np.float32)


def _changed(mean: MatLike, level: float) -> bool:
    return int(np.count_nonzero(np.abs(mean) > level)) >= LEAST_PIXELS


def _without_light(now: MatLike, anchor: MatLike) -> MatLike:
    """Return the 3×3 mean of what differs when brightness and soft shadows are accounted for."""
    gain, offset = _fit_light(anchor[::3, ::3].ravel(), now[::3, ::3].ravel())
    if GAINS[0] <= gain <= GAINS[1]:
        anchor = cv2.addWeighted(anchor, gain, anchor, 0.0, offset)
        box = (SHADOW_BOX, SHADOW_BOX)
        shade = np.clip((cv2.blur(now, box) + 8.0) / (cv2.blur(anchor, box) + 8.0), *GAINS)
        anchor = cv2.multiply(anchor, shade)
    return cv2.blur(cv2.subtract(now, anchor), (3, 3))


def _fit_light(before: MatLike, after: MatLike) -> tuple[float, float]:
    """Return gain and offset by which most pixels went from ``before`` to ``after``.

    Least squares, three times over, on the pixels that fitted well the time before; so less than
    half of the view may be covered by something new. Clipped pixels say nothing.
    """
    usable = (before > 4) & (before < 251) & (after > 4) & (after < 251)
    before, after = before[usable], after[usable]
    if before.size < 50:
        return 1.0, 0.0
    gain, offset = min(_first_guesses(before, after), key=lambda g: _misfit(before, after, *g))
    for _ in range(3):
        off = np.abs(after - (gain * before + offset))
        good = off <= 4 * _middle(off) + 0.5
        x, y = before[good], after[good]
        spread = float(x.var())
        gain = float(((x - x.mean()) * (y - y.mean())).mean()) / spread if spread > 1.0 else 1.0
        offset = float(y.mean() - gain * x.mean())
    return gain, offset


def _first_guesses(before: MatLike, after: MatLike) -> list[tuple[float, float]]:
    middle, middle_after = _middle(before), _middle(after)
    ratio = float(after.std()) / max(1.0, float(before.std()))
    return [(gain, middle_after - gain * middle) for gain in (1.0, ratio)]


def _misfit(before: MatLike, after: MatLike, gain: float, offset: float) -> float:
    return _middle(np.abs(after - (gain * before + offset)))


def _spread(mean: MatLike) -> float:
    """Return the standard deviation of ``mean``, judged by the calmer half of the picture."""
    sample = mean[::3, ::3].ravel()
    return 1.4826 * _middle(np.abs(sample - _middle(sample)))


def _middle(values: MatLike) -> float:
    """Return the (upper) median; several times faster than ``np.median`` on so few."""
    half = values.size // 2
    return float(np.partition(values, half)[half])
