"""From the edges of three contacts to presses: bounces, holds, stale ones and two at once.

Pure: the edges carry their times, and what the contacts are like now is handed in. Our own filter
is needed although gpiozero has one: a press noted before a stall may arrive late, and a hold can
go on firing after the release (gpiozero's issue tracker), so the pin is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.inbox import HELD, Button

#: Seconds: edges closer than this are one contact bouncing.
BOUNCE = 0.03
#: Seconds from a press to the next one of the same button that still count as one press.
TWITCH = 0.12
#: Seconds: what was pressed longer ago than this was pressed about something else.
STALE = 2.0
#: Seconds of holding *next* until it asks whether to shut down (a sleeve must not).
SHUT_DOWN = 2.0


@dataclass(frozen=True)
class Edge:
    """A contact closed (``down``) or opened, at time ``t`` in seconds."""

    button: Button
    down: bool
    t: float


@dataclass(frozen=True)
class Pushed:
    """A button was pressed for ``hold`` seconds, or is held that long already."""

    button: Button
    t: float
    hold: float


@dataclass
class _Contact:
    down_at: float | None = None
    opened_at: float | None = None
    told: bool = False
    spoilt: bool = False
    last: float = float("-inf")


def needed(button: Button) -> float:
    """Seconds after which holding this button means something else than pressing it."""
    return SHUT_DOWN if button is Button.NEXT else HELD


class PressFilter:
    """Turns edges into presses; at most one for each time a contact was closed."""

    def __init__(self) -> None:
        self._contacts = {button: _Contact() for button in Button}

    def take(self, edge: Edge, now: float) -> None:
        """An edge has arrived at ``now``; those that are stale by then count for nothing."""
        contact = self._contacts[edge.button]
        if now - edge.t > STALE:
            if not edge.down:
                self._forget(contact)
            return
        if edge.down:
            contact.opened_at = None  # it only bounced
            if contact.down_at is None:
                contact.down_at, contact.told, contact.spoilt = edge.t, False, False
                self._spoil_if_two()
        elif contact.down_at is not None:
            contact.opened_at = edge.t

    def due(self, now: float, closed: Mapping[Button, bool]) -> list[Pushed]:
        """The presses that are complete at ``now``; ``closed`` is how the contacts are."""
        out = []
        for button, contact in self._contacts.items():
            pushed = self._one(button, contact, now, closed.get(button, False))
            if pushed is not None:
                out.append(pushed)
        return out

    def _one(self, button: Button, contact: _Contact, now: float, closed: bool) -> Pushed | None:
        if contact.down_at is None:
            return None
        if contact.opened_at is None and not closed and now - contact.down_at > STALE:
            contact.opened_at = contact.down_at  # the release got lost: no hold can be told
            contact.spoilt = True
        if contact.opened_at is None:
            held = now - contact.down_at
            if closed and not contact.told and not contact.spoilt and held >= needed(button):
                contact.told = True
                return Pushed(button, now, held)
            return None
        if now - contact.opened_at < BOUNCE:
            return None
        down, opened = contact.down_at, contact.opened_at
        told, spoilt = contact.told, contact.spoilt or down - contact.last < TWITCH
        contact.last = opened
        self._forget(contact)
        # Held long enough, but only heard of afterwards: it was held all the same.
        return None if told or spoilt else Pushed(button, opened, max(0.0, opened - down))

    def _spoil_if_two(self) -> None:
        """Two at once: nobody can tell which was meant, so neither counts."""
        down = [
            contact
            for contact in self._contacts.values()
            if contact.down_at is not None and contact.opened_at is None
        ]
        if len(down) > 1:
            for contact in down:
                contact.spoilt = True

    @staticmethod
    def _forget(contact: _Contact) -> None:
        contact.down_at = contact.opened_at = None
        contact.told = contact.spoilt = False
