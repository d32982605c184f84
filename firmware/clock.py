"""What the device's clock shows. It has no battery, so that it may show anything at all."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def moment(seconds: float) -> datetime | None:
    """The local time so many seconds after 1970, its zone with it; None if no calendar has it.

    In a zone that no calendar has it is that of Greenwich.
    """
    for zone in (None, UTC):
        try:
            return datetime.fromtimestamp(seconds, UTC).astimezone(zone)
        except (ValueError, OverflowError, OSError):
            # Before the year 1, after 9999, or more than a day away from Greenwich.
            continue
    return None


def now() -> datetime | None:
    """The time that the clock shows, None if no calendar has it."""
    return moment(time.time())


def stamp(at: datetime | None) -> str:
    """A time as ISO 8601, to the second, which ``day_and_hour`` reads; empty for none."""
    return "" if at is None else at.isoformat(timespec="seconds")


def day_and_hour(stamp: str) -> str:
    """The day, hour and minute of a stamp, for people; empty if it is no time."""
    try:
        return datetime.fromisoformat(stamp).isoformat(" ", "minutes")[:16]
    except ValueError:
        return ""
