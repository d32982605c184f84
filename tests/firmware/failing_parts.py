"""The ends of the device, each with a fault to be switched on: what drivers do on bad days."""

from __future__ import annotations

from gpiozero import LED, Button
from luma.core.device import dummy

#: What is wrong just now.
BROKEN: set[str] = set()


def fails(fault: str, error: Exception) -> None:
    """Raise ``error`` while that fault is on."""
    if fault in BROKEN:
        raise error


class FailingScreen(dummy):
    """The makers' own dummy, whose wire comes loose now and then, or whose bus goes away."""

    shown = 0

    def __init__(self):
        fails("bus", OSError("no ssd1306 answers at I²C address 0x3c"))
        super().__init__(128, 64, mode="1")

    def display(self, image):
        self._wire()
        FailingScreen.shown += 1
        super().display(image)

    def contrast(self, level):
        self._wire()

    def hide(self):
        self._wire()

    def show(self):
        self._wire()

    def cleanup(self):
        self._wire()

    def _wire(self):
        fails("panel", OSError(5, "Input/output error"))
        fails("bus", OSError(121, "Remote I/O error"))


class FailingSentence:
    """A sentence that takes no time; no sound device, no sentence."""

    said = 0

    def __init__(self, config, text):
        fails("voice", OSError("audio open error: No such device"))
        FailingSentence.said += 1

    def over(self):
        return True

    def stop(self):
        pass


class FailingLamp(LED):
    """A lamp whose driver gives up now and then."""

    @property
    def is_lit(self):
        fails("lamps", RuntimeError("lgpio.error: 'bad GPIO handle'"))
        return super().is_lit


class FailingContact(Button):
    """A button whose driver gives up now and then, and hears of no press then."""

    @classmethod
    def make(cls, pin):
        fails("buttons", RuntimeError("lgpio.error: 'GPIO not allocated'"))
        return cls(pin, pull_up=True, bounce_time=None)

    @property
    def is_pressed(self):
        fails("buttons", RuntimeError("lgpio.error: 'bad GPIO handle'"))
        return super().is_pressed


class FailingLens:
    """A camera that takes what ``look`` gives, ten times a second, as long as nothing is wrong.

    ``wait`` waits by the clock of the night. Frames may stop, which a good driver tells after two
    seconds; the driver may hang, and tells nothing; it may be dark. Only one can be open at a time.
    """

    open = 0
    most_open = 0

    def __init__(self, look, wait):
        self._look, self._wait = look, wait
        fails("frames", RuntimeError("Camera __init__ sequence did not complete."))
        fails("driver", RuntimeError("Camera __init__ sequence did not complete."))
        FailingLens.open += 1
        FailingLens.most_open = max(FailingLens.most_open, FailingLens.open)

    def read(self):
        self._wait(lambda: False, 0.1)
        if "driver" in BROKEN:
            self._wait(lambda: "driver" not in BROKEN, None)
        if "frames" in BROKEN:
            self._wait(lambda: False, 2.0)
            raise TimeoutError("no picture for 2 seconds")
        return self._look("dark" in BROKEN), None

    def focus(self):
        return None

    def close(self):
        FailingLens.open -= 1
