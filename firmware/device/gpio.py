"""Buttons and lamps on the pins, through gpiozero.

gpiozero is imported where it is used: without pins it still imports, but slowly. No pins at all is
a state like any other: the parts say so, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware.config import Config
from firmware.device.presses import Edge
from firmware.inbox import Button

#: Seconds after which the contacts are looked at by themselves.
LOOK = 5.0


def make_led(pin: int) -> Any:
    """A lamp on a pin."""
    from gpiozero import LED

    return LED(pin)


def make_button(pin: int) -> Any:
    """A button between a pin and ground; bounces are our own filter's business."""
    from gpiozero import Button as Contact

    return Contact(pin, pull_up=True, bounce_time=None)


def make_buzzer(pin: int) -> Any:
    """A buzzer on a pin."""
    from gpiozero import TonalBuzzer

    return TonalBuzzer(pin)


class Contacts:
    """The three buttons as a part; ``put`` takes each edge, from the driver's thread."""

    name = "buttons"

    def __init__(
        self,
        config: Config,
        put: Callable[[Edge], None],
        clock: Callable[[], float],
        make: Callable[[int], Any] = make_button,
    ) -> None:
        self._pins = {button: int(config[f"buttons.{button.value}"]) for button in Button}
        self._put, self._clock, self._make = put, clock, make
        self._contacts: Mapping[Button, Any] = {}

    def set_up(self) -> None:
        """Take the pins, and listen to them."""
        for button, pin in self._pins.items():
            if pin:
                contact = self._make(pin)
                # A new mapping each time: the loop may be reading the old one.
                self._contacts = {**self._contacts, button: contact}
                contact.when_pressed = self._noting(button, down=True)
                contact.when_released = self._noting(button, down=False)

    def tear_down(self) -> None:
        """Give the pins back."""
        contacts, self._contacts = self._contacts, {}
        for contact in contacts.values():
            contact.close()

    def work(self, now: float) -> float:
        """Read the pins, so that a driver that has gone is noticed."""
        self.closed()
        return LOOK

    def closed(self) -> dict[Button, bool]:
        """Which contacts are closed at this moment."""
        return {button: bool(contact.is_pressed) for button, contact in self._contacts.items()}

    def _noting(self, button: Button, down: bool) -> Callable[[], None]:
        # Runs in the driver's thread: it must do nothing but leave a note.
        return lambda: self._put(Edge(button, down, self._clock()))
