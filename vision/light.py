"""The light on the table: whether there is enough, and whether it changed for good."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image

#: Grey level that the brightest fiftieth of a picture reaches as long as anything can be read: the
#: white of a card, or a bare cloth in the exposure that a camera chooses for it.
ENOUGH = 40.0
#: By this factor most of the picture must have become brighter or darker.
FACTOR = 1.6
#: By this factor red must have gained on blue, or lost, in most of the picture: lamps are redder
#: than daylight by about twice.
COLOUR_FACTOR = 1.35
#: By this factor off, cards are missed that lie there, so the picture is not worth reading.
FAR = 2.5
#: Grey level that counts as white: pictures of limited range end at 235.
WHITE = 235
#: Share of the picture that must have become white besides: half a card in a usual view.
CLIPPED = 0.03
#: Seconds that it must have been so: a hand or a lamp that swings is gone by then.
LASTS = 2.0
#: Seconds between two changes that are only about white: each further card may be one.
AGAIN = 60.0

#: Keeps what is almost black from counting: its noise is no light.
_FLOOR = 4.0


def bright_parts(image: Image) -> float:
    """The grey level that the brightest fiftieth of a picture, BGR or grey, reaches."""
    return float(np.percentile(_sample(image), 98))


class LightWatch:
    """Holds pictures against ``before``, of time ``t``, for which exposure and colours were fixed.

    The middle of all changes counts: a pile that grows or goes and a hand are less than half of
    the view. Of grey pictures only the brightness is watched.
    """

    def __init__(self, before: Image, t: float) -> None:
        self._before, self._red, self._began = _sample(before), _redness(before), t
        self._since: float | None = None
        #: Whether the last picture was too dark or too bright to be read.
        self.far = False

    def changed(self, image: Image, t: float) -> bool:
        """Whether the light has been another one for a while at ``t``, in seconds."""
        if not self._differs(_sample(image), t) and not self._other_colour(image):
            self._since = None
            return False
        if self._since is None:
            self._since = t
        return t - self._since >= LASTS

    def _differs(self, now: npt.NDArray[np.float32], t: float) -> bool:
        gain = _brighter(self._before, now)
        self.far = not 1 / FAR <= gain <= FAR
        if not 1 / FACTOR <= gain <= FACTOR:
            return True
        clipped = float((now >= WHITE).mean() - (self._before >= WHITE).mean())
        return clipped > CLIPPED and t - self._began >= AGAIN

    def _other_colour(self, image: Image) -> bool:
        if self._red is None or (now := _redness(image)) is None:
            return False
        return not 1 / COLOUR_FACTOR <= float(np.median(now / self._red)) <= COLOUR_FACTOR


def _brighter(before: npt.NDArray[np.float32], now: npt.NDArray[np.float32]) -> float:
    """By which factor most of a picture has become brighter."""
    return float(np.median((now + _FLOOR) / (before + _FLOOR)))


def _sample(image: Image) -> npt.NDArray[np.float32]:
    """A few thousand grey levels of the picture, evenly spread."""
    few = _few(image)
    if few.ndim == 3:
        few = np.asarray(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), np.uint8)
    return few.astype(np.float32)


def _redness(image: Image) -> npt.NDArray[np.float32] | None:
    """How much more red than blue there is, at the same places; None in a grey picture."""
    if image.ndim != 3:
        return None
    few = _few(image).astype(np.float32) + _FLOOR
    return np.asarray(few[..., 2] / few[..., 0], np.float32)


def _few(image: Image) -> Image:
    step = max(1, image.shape[1] // 80)
    return np.ascontiguousarray(image[::step, ::step])
