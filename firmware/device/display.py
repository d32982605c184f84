"""The panel as a part: draws on change only, cares for the OLED, animates a burn."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from PIL import Image, ImageOps

from firmware.config import Config
from firmware.device.service import LackingError
from firmware.panel import SIZE, Burned, Notice, Screen, draw

#: Seconds after which the picture moves by a pixel, where it has room: an OLED burns in.
SHIFT_EVERY = 60.0
#: Where the picture stands in turn, in pixels from its place.
SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))
#: Seconds a flame stands, and seconds that it flickers.
FLICKER, FLICKERS = 0.25, 2.0
#: Contrast while dimmed; blank comes later.
DIM = 1
#: The flame's place in the picture of a burn.
FLAME = (0, 0, 44, 46)
#: A picture is drawn anew after so many seconds: what a loose wire spoilt is mended.
REFRESH = 300.0

Open = Callable[[], Any]


class Display:
    """Shows the last screen it was given; ``open_device`` gives a luma device.

    ``wake`` is called when there is something to do.
    """

    name = "panel"

    def __init__(self, config: Config, open_device: Open) -> None:
        self._open = open_device
        self._contrast = int(config["panel.contrast"])
        self._dim_after = float(config["panel.dim_after"])
        self._blank_after = float(config["panel.blank_after"])
        self._device: Any = None
        self._screen: Screen = Notice("Pilewatch")
        self._since = 0.0
        self._touched = 0.0
        self._drawn: tuple[Screen, int, tuple[int, int]] | None = None
        self._drawn_at = 0.0
        self._light: int | None = None
        self.wake: Callable[[], None] = lambda: None

    def show(self, screen: Screen, now: float) -> None:
        """Show ``screen`` from now on."""
        if screen != self._screen:
            self._screen, self._since = screen, now
            self.touch(now)

    def touch(self, now: float) -> None:
        """Somebody is there: full light."""
        self._touched = now
        self.wake()

    def set_up(self) -> None:
        """Open the device; whatever it shows is not known."""
        self._device = self._open()
        # The last picture must stay when the program ends: it says that the plug may be pulled.
        self._device.persist = True
        self._drawn, self._light = None, None

    def tear_down(self) -> None:
        """Let go of the bus; the picture stays."""
        device, self._device = self._device, None
        if device is not None:
            device.cleanup()

    def work(self, now: float) -> float:
        """Bring light and picture up to date; returns the seconds until they change again."""
        quiet = now - self._touched
        light = self._wanted_light(quiet)
        if light != self._light:
            self._set_light(light)
        if light == 0:
            return REFRESH
        phase = self._phase(now)
        shift = SHIFTS[int(now / SHIFT_EVERY) % len(SHIFTS)]
        wanted = (self._screen, phase, shift)
        if wanted != self._drawn or now - self._drawn_at >= REFRESH:
            self._device.display(picture(*wanted))
            self._drawn, self._drawn_at = wanted, now
        if isinstance(self._screen, Burned) and now - self._since < FLICKERS:
            return FLICKER - (now - self._since) % FLICKER
        steps = [self._dim_after - quiet, self._blank_after - quiet]
        return min([step for step in steps if step > 0] + [SHIFT_EVERY - now % SHIFT_EVERY])

    def _wanted_light(self, quiet: float) -> int:
        if quiet >= self._blank_after:
            return 0
        return DIM if quiet >= self._dim_after else self._contrast

    def _set_light(self, light: int) -> None:
        if light == 0:
            self._device.hide()
        else:
            self._device.show()
            self._device.contrast(light)
        self._light = light

    def _phase(self, now: float) -> int:
        """Which of the flame's two shapes is due."""
        past = now - self._since
        burning = isinstance(self._screen, Burned) and past < FLICKERS
        return int(past / FLICKER) % 2 if burning else 0


def picture(screen: Screen, phase: int = 0, shift: tuple[int, int] = (0, 0)) -> Image.Image:
    """The picture of ``screen``; nothing of it leaves the panel when it is shifted."""
    image = draw(screen)
    if phase and isinstance(screen, Burned):
        image.paste(ImageOps.mirror(image.crop(FLAME)), FLAME[:2])
    return shifted(image, shift)


def shifted(image: Image.Image, shift: tuple[int, int]) -> Image.Image:
    """The image moved by so many pixels, as far as there is room beside what it shows."""
    box = image.getbbox()
    if box is None or box == (0, 0, *SIZE):
        return image
    dx = min(shift[0], SIZE[0] - box[2]) or -min(shift[0], box[0])
    dy = min(shift[1], SIZE[1] - box[3]) or -min(shift[1], box[1])
    if not dx and not dy:
        return image
    moved = Image.new(image.mode, SIZE)
    moved.paste(image, (dx, dy))
    return moved


def open_oled(config: Config) -> Any:
    """The OLED of the settings; LackingError where there is none to be had at all.

    OSError and luma's DeviceNotFoundError while it does not answer.
    """
    from luma.core.error import DeviceNotFoundError, UnsupportedPlatform
    from luma.core.interface.serial import i2c
    from luma.oled import device

    driver = config["panel.driver"]
    address = int(config["panel.address"])
    try:
        with contextlib.ExitStack() as unless_it_answers:
            serial = i2c(port=int(config["panel.bus"]), address=address)
            # Nobody else would: each attempt at a panel that is silent left a file open.
            unless_it_answers.callback(serial.cleanup)
            # Width and height are those of both chips' usual modules.
            oled = getattr(device, driver)(serial, rotate=int(config["panel.rotate"]))
            unless_it_answers.pop_all()
        return oled
    except ImportError as wrong:
        raise LackingError(f"the I²C library is missing ({wrong})") from wrong
    except (DeviceNotFoundError, UnsupportedPlatform) as wrong:
        raise OSError(f"no {driver} answers at I²C address {address:#04x} ({wrong})") from wrong
