"""The doctor's checks of what is connected: panel, pins, camera, focus and light."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from firmware.checks import Finding
from firmware.config import Config
from firmware.panel import Pattern, draw
from firmware.sharpness import BRIGHT, DARK, SHARP, brightness, sharpness
from vision.frame import Frame

#: So many frames are taken before one is judged: the first ones are still being exposed.
WARM_UP = 5

I2C = "sudo raspi-config nonint do_i2c 0, check the four wires, and i2cdetect -y 1."


class Source(AbstractContextManager[Any], Protocol):
    """A source of frames, as far as it is needed here."""

    def __iter__(self) -> Iterator[Frame]:
        """The frames."""
        ...


def oled(config: Config, open_device: Callable[[], Any], asks: Callable[[str], bool]) -> Finding:
    """Whether the panel answers, and its test picture is whole; ``asks`` puts a question."""
    driver = config["panel.driver"]
    if driver == "none":
        return Finding("panel", True, "not wanted (panel.driver is none)")
    try:
        device = open_device()
    except Exception as wrong:
        return Finding("panel", False, str(wrong), I2C)
    device.persist = True
    device.display(draw(Pattern(driver)))
    if not asks("Does the panel show a whole frame with a cross to its corners?"):
        other = "sh1106" if driver == "ssd1306" else "ssd1306"
        return Finding(
            "panel",
            False,
            "the test picture is torn or shifted",
            f'Set panel.driver = "{other}": the two chips are easily mistaken.',
        )
    return Finding("panel", True, f"{driver} answers at {int(config['panel.address']):#04x}")


def pins(config: Config, make: Callable[[int], Any]) -> Finding:
    """Whether the pins can be had, and no button is pressed by itself."""
    pressed = []
    for name in ("pickup", "next", "oops"):
        pin = config[f"buttons.{name}"]
        if not pin:
            continue
        try:
            contact = make(pin)
        except Exception as wrong:
            return Finding(
                "pins",
                False,
                f"GPIO {pin} cannot be had ({' '.join(str(wrong).split())})",
                "sudo apt install python3-lgpio; stop the service first"
                " (sudo systemctl stop pilewatch).",
            )
        if contact.is_pressed:
            pressed.append(f"{name} (GPIO {pin})")
        contact.close()
    if pressed:
        return Finding(
            "pins",
            False,
            f"held down without a finger: {', '.join(pressed)}",
            "The button goes between its pin and ground; look for a short.",
        )
    return Finding("pins", True, "all can be had, no button is stuck")


def camera(source: Callable[[], Source]) -> list[Finding]:
    """Whether frames come, and whether they are sharp and bright enough to read."""
    try:
        with source() as frames:
            image = None
            for count, frame in enumerate(frames):
                image = frame.image
                if count >= WARM_UP:
                    break
    except Exception as wrong:
        return [Finding("camera", False, str(wrong), "Check the ribbon cable, or camera.source.")]
    if image is None:
        return [Finding("camera", False, "no picture came", "Check the ribbon cable.")]
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
