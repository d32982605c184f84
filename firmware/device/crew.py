"""The parts of the device together: started, stepped and ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.device.display import Display
from firmware.device.gpio import Contacts
from firmware.device.lamps import Lamps
from firmware.device.service import Part, Report, Service, Worker
from firmware.device.sight import Camera
from firmware.device.voice import Buzzer, Speech


@dataclass
class Crew:
    """What this device has; None for what it has not. ``work`` lists what is running."""

    display: Display | None = None
    lamps: Lamps | None = None
    contacts: Contacts | None = None
    voice: Speech | Buzzer | None = None
    camera: Camera | None = None
    services: list[Service] = field(default_factory=list)
    _workers: list[Worker] = field(default_factory=list)

    def engage(self, report: Callable[[Report], None]) -> None:
        """Make a service of each part; faults go to ``report``."""
        parts: list[Part | None] = [
            self.display, self.lamps, self.contacts, self.voice, self.camera,
        ]  # fmt: skip
        self.services = [Service(part, report) for part in parts if part is not None]

    def start(self, clock: Callable[[], float]) -> None:
        """Let each part work in a thread of its own."""
        for service in self.services:
            worker = Worker(service, clock)
            part = service.part
            # The camera wakes the loop instead; it never sleeps itself.
            if isinstance(part, Display | Lamps | Speech | Buzzer):
                part.wake = worker.wake
            self._workers.append(worker)
            worker.start()

    def step(self, now: float) -> None:
        """Let each part do what is due, here and now: for simulations."""
        for service in self.services:
            service.step(now)

    def end(self) -> None:
        """Have all parts let go."""
        if self.camera is not None:
            # Its thread may be waiting for a frame; a camera left open stays busy.
            self.camera.close()
        for worker in self._workers:
            worker.end()
        if not self._workers:
            for service in self.services:
                service.stop()
        self._workers.clear()
