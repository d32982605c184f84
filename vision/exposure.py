"""Exposure and white balance of a Pi camera: judged by the camera, then kept, and judged anew.

A picture that changes by itself looks like cards that move, so the automatic is off while anybody
looks. When the light on the table has changed for good it is let loose again for a moment, and
what it gives meanwhile is nobody's to see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vision.frame import Image
from vision.light import LightWatch

#: libcamera.controls.AeConstraintModeEnum.Highlight: white card faces are not to burn out.
HIGHLIGHT = 1
#: The camera decides.
AUTOMATIC: Mapping[str, Any] = {
    "AeEnable": True,
    "AwbEnable": True,
    "AeConstraintMode": HIGHLIGHT,
}
#: What the camera found is steady if for so many seconds nothing differs by more than this share.
STEADY_SECONDS, STEADY_SHARE = 0.4, 0.03
#: The automatic that never comes to rest is stopped after so many times its usual seconds.
LONGEST = 2.0
#: Frames that pass until a picture is surely taken with what was set: four buffers and the sensor.
PIPELINE = 8


class Exposure:
    """What is to be set at each frame; ``settle_seconds`` is the least the automatic gets."""

    def __init__(self, fps: float, mains_hz: int, settle_seconds: float) -> None:
        self._fps, self._mains_hz, self._settle_seconds = fps, mains_hz, settle_seconds
        self._began: float | None = None
        self._found: tuple[float, ...] = ()
        self._since = 0.0
        #: Frames until what was set shows in the pictures; 0 while the camera judges.
        self._left = 0
        self._watch: LightWatch | None = None

    @property
    def fixed(self) -> bool:
        """Whether the light is kept as it is, and fits, so that pictures can be compared."""
        return self._watch is not None and not self._watch.far

    def step(
        self, metadata: Callable[[], Mapping[str, Any]], image: Callable[[], Image], t: float
    ) -> dict[str, Any]:
        """The controls to set after the frame of time ``t``, mostly none.

        ``metadata`` gives what the camera tells of the frame; ``image`` its picture, BGR.
        """
        if self._watch is not None:
            if not self._watch.changed(image(), t):
                return {}
            self._watch, self._left, self._began = None, 0, None
            return dict(AUTOMATIC)
        if self._left:
            self._left -= 1
            if not self._left:
                self._watch = LightWatch(image(), t)
            return {}
        found = metadata()
        if not self._settled(found, t):
            return {}
        self._left = PIPELINE
        return fixed_controls(found, self._fps, self._mains_hz)

    def _settled(self, found: Mapping[str, Any], t: float) -> bool:
        light = (
            float(found.get("ExposureTime", 0)) * float(found.get("AnalogueGain", 1.0)),
            *map(float, found.get("ColourGains", ())),
        )
        if self._began is None:
            self._began, self._since, self._found = t, t, light
        if not _alike(light, self._found):
            self._since, self._found = t, light
        past = t - self._began
        steady = t - self._since >= min(STEADY_SECONDS, self._settle_seconds)
        return past >= self._settle_seconds * (1 if steady else LONGEST)


def fixed_controls(found: Mapping[str, Any], fps: float, mains_hz: int) -> dict[str, Any]:
    """Return the controls that keep the light as the camera's metadata ``found`` it.

    Exposure (µs) is taken down to a multiple of half a period of the mains, at least one, and at
    most a frame's time, so that lamps do not flicker; the gain makes up for the difference. Where
    one is too much even at gain 1 there is daylight, and lamps do not count.
    """
    controls: dict[str, Any] = {}
    if "ExposureTime" in found and "AnalogueGain" in found:
        light = found["ExposureTime"] * float(found["AnalogueGain"])
        half_period = 1e6 / (2 * mains_hz)
        longest = int(1e6 / fps / half_period)
        halves = max(1, min(longest, int(found["ExposureTime"] / half_period + 0.1)))
        exposure = half_period * halves if light > 0.9 * half_period else light
        controls |= {
            "AeEnable": False,
            "ExposureTime": round(exposure),
            "AnalogueGain": max(1.0, light / exposure),
        }
    if "ColourGains" in found:
        controls |= {"AwbEnable": False, "ColourGains": tuple(found["ColourGains"])}
    return controls


def _alike(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return len(a) == len(b) and all(
        abs(x - y) <= STEADY_SHARE * max(abs(y), 1e-6) for x, y in zip(a, b, strict=True)
    )
