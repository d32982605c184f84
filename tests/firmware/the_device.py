"""An appliance on mock pins, with eyes that see what a test says, under a clock moved by hand."""

from __future__ import annotations

import numpy as np
from gpiozero import LED, Device
from gpiozero import Button as Contact
from table_talk import FakeEyes

from engine.cards import parse_card
from firmware.config import parse_config
from firmware.device.appliance import Appliance
from firmware.device.crew import Crew
from firmware.device.gpio import Contacts
from firmware.device.lamps import Lamps
from firmware.device.sight import Blind
from firmware.night.book import open_book
from vision.frame import Frame
from vision.observation import Cleared, Landed

CONFIG = parse_config('[game]\nplayers = ["Ann", "Bob", "Cat"]\n', "x")
PINS = {"pickup": 17, "next": 27, "oops": 22}
FRAME = np.zeros((2, 2, 3), np.uint8)


class Window(Blind):
    """A camera whose frames come when the test says, and what is to be seen in them."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.why: str | None = None
        self.index = 0

    def poll(self, now):
        return self.frames.pop(0) if self.frames and self.why is None else None

    def trouble(self, now):
        return self.why


class Eyes(FakeEyes):
    """A watcher that sees what the test says."""

    def __init__(self, device) -> None:
        super().__init__()
        self.device = device

    def step(self, frame):
        found, self.device.seen = self.device.seen, []
        return [type(each)(frame.index, frame.t, *rest) for each, *rest in found]


class TheDevice:
    """An appliance on mock pins, under a clock moved by hand."""

    def __init__(self, folder, config=CONFIG, book=None) -> None:
        self.now, self.seen, self.folder = 100.0, [], folder
        self.window = Window()
        self.watchers = 0
        crew = Crew(lamps=Lamps(config, LED))
        later = []
        crew.contacts = Contacts(
            config, lambda edge: later[0].put(edge), lambda: self.now,
            lambda pin: Contact(pin, pull_up=True, bounce_time=None),
        )  # fmt: skip
        self.appliance = Appliance(
            config, crew, self.window, self.watch, book or (lambda: open_book(folder)),
            lambda: self.now,
        )  # fmt: skip
        later.append(self.appliance)
        self.wait(0.1)

    def watch(self, setup, prior):
        self.watchers += 1
        return Eyes(self)

    def wait(self, seconds):
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now += 0.05
            self.appliance.step(self.now)
            self.appliance.crew.step(self.now)
        return self

    def press(self, *names, hold=0.1):
        for name in names:
            pin = Device.pin_factory.pin(PINS[name])
            pin.drive_low()
            self.wait(hold)
            pin.drive_high()
            self.wait(0.3)
        return self

    def see(self, *found):
        self.seen = list(found)
        self.window.index += 1
        self.window.frames.append(Frame(self.window.index, 0.0, FRAME))
        return self.wait(0.1)

    def land(self, *codes):
        cards = tuple(map(parse_card, codes))
        return self.see((Landed(0, 0, cards, ()), cards, (0.99,) * len(cards)))

    def clear(self):
        return self.see((Cleared(0, 0),))

    def nothing(self):
        return self.see()

    def begin(self):
        """Classic; Ann, Bob, and that's all; Bob deals."""
        return self.press("pickup", "pickup", "pickup", "pickup", "pickup", "next", "next")

    def close(self):
        self.appliance.crew.end()
        self.appliance.accounts.close()

    @property
    def screen(self):
        return self.appliance.screen

    @property
    def table(self):
        return self.appliance.game.director.game.table
