"""The doctor's checks of what is connected: panel, pins, camera, focus and light."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from firmware.checks import Finding
from firmware.config import Config
from firmware.panel import Pattern, draw
from firmware.sharpness import BRIGHT, DARK, SHARP, brightness, sharpness
from firmware.sources import is_usb
from vision.frame import Frame

#: So many frames are taken before one is judged: the first ones are still being exposed.
WARM_UP = 5

I2C = "sudo raspi-config nonint do_i2c 0, check the four wires, and i2cdetect -y 1."


class Source(AbstractContextManager[Any], Protocol):
    """A source of frames, as far as it is needed here."""

    def __iter__(self) -> Iterator[Frame]:
        """The frames."""
        ...


def oled(
    config: Config, open_device: Callable[[], Any], asks: Callable[[str], bool | None]
) -> Finding:
    """Whether the panel answers, and its test picture is whole.

    ``asks`` puts a question; None is the answer where nobody is there.
    """
    driver = config["panel.driver"]
    if driver == "none":
        return Finding("panel", True, "not wanted (panel.driver is none)")
    try:
        device = open_device()
    except Exception as wrong:
        return Finding("panel", False, str(wrong), I2C)
    device.persist = True
    device.display(draw(Pattern(driver)))
    answers = f"{driver} answers at {int(config['panel.address']):#04x}"
    whole = asks("Does the panel show a whole frame with a cross to its corners?")
    if whole is None:
        return Finding("panel", True, f"{answers}; nobody was there to look at the test picture")
    if not whole:
        other = "sh1106" if driver == "ssd1306" else "ssd1306"
        return Finding(
            "panel",
            False,
            "the test picture is torn or shifted",
            f'Set panel.driver = "{other}": the two chips are easily mistaken.',
        )
    return Finding("panel", True, f"{answers}, and its picture is whole")


Make = Callable[[int], Any]


def pins(config: Config, contact: Make, lamp: Make, buzzer: Make) -> Finding:
    """Whether the pins of buttons, lamps and buzzer can be had, and no button is stuck."""
    wanted = [each for each in _connected(config, contact, lamp, buzzer) if each[1]]
    pressed = []
    with contextlib.ExitStack() as held:
        for name, pin, make in wanted:
            try:
                # All are held until the end: two of them may be in each other's way.
                device = held.enter_context(contextlib.closing(make(pin)))
            except Exception as wrong:
                return Finding(
                    "pins",
                    False,
                    f"GPIO {pin} ({name}) cannot be had ({' '.join(str(wrong).split())})",
                    "sudo apt install python3-lgpio; stop the service first"
                    " (sudo systemctl stop pilewatch).",
                )
            if make is contact and device.is_pressed:
                pressed.append(f"{name} (GPIO {pin})")
    if pressed:
        return Finding(
            "pins",
            False,
            f"held down without a finger: {', '.join(pressed)}",
            "The button goes between its pin and ground; look for a short.",
        )
    return Finding("pins", True, f"all {len(wanted)} can be had, no button is stuck")


def _connected(
    config: Config, contact: Make, lamp: Make, buzzer: Make
) -> Iterator[tuple[str, int, Make]]:
    """What hangs on which pin, by name, and what makes its device."""
    for name in ("pickup", "next", "oops"):
        yield name, config[f"buttons.{name}"], contact
    for name in ("green", "red"):
        yield f"{name} lamp", config[f"lamps.{name}"], lamp
    for number, pin in enumerate(config["lamps.seats"], 1):
        yield f"lamp of seat {number}", pin, lamp
    if config["voice.kind"] == "buzzer":
        yield "buzzer", config["voice.buzzer"], buzzer


def camera(spec: str, source: Callable[[], Source]) -> list[Finding]:
    """Whether frames come, and whether they are sharp and bright enough to read.

    ``spec`` is what the settings call the source.
    """
    try:
        with source() as frames:
            image = None
            for count, frame in enumerate(frames):
                image = frame.image
                if count >= WARM_UP:
                    break
    except Exception as wrong:
        return _no_pictures(spec, str(wrong))
    if image is None:
        return _no_pictures(spec, "no picture came")
    height, width = image.shape[:2]
    found = [Finding("camera", True, f"gives pictures of {width} × {height}")]
    sharp, bright = sharpness(image), brightness(image)
    found.append(
        Finding("focus", True, "something is sharp")
        if sharp >= SHARP
        else Finding("focus", False, "nothing is sharp", "Lay a card down, and pilewatch aim.")
    )
    if bright < DARK:
        found.append(Finding("light", False, "it is too dark", "More light, from the side."))
    elif bright > BRIGHT:
        found.append(Finding("light", False, "it is too bright", "Less light, no direct lamp."))
    else:
        found.append(Finding("light", True, "is enough"))
    return found


def _no_pictures(spec: str, why: str) -> list[Finding]:
    """Without a camera neither focus nor light is known, and that is said, too."""
    part = {"camera": "the ribbon cable"}.get(spec, "the cable" if is_usb(spec) else spec)
    mend = f"Check {part}, or camera.source."
    unknown = "cannot be told without a picture"
    return [
        Finding("camera", False, why, mend),
        Finding("focus", False, unknown, "Mend the camera first."),
        Finding("light", False, unknown, "Mend the camera first."),
    ]
