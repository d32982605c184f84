"""The list of nights in the terminal: plain lines, for there may be thousands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, set_cell_size

from firmware.night.facts import date_of
from firmware.night.night import Night
from firmware.words import say

_RIGHT = (True, False, True, False, False)
"""Which columns end at the right."""


def list_lines(nights: Iterable[Night]) -> Iterator[str]:
    """The nights, a line each, below a line of headings."""
    # A table of rich's takes a second for a thousand rows; this is its measure without it.
    keys = ("night", "began", "games", "players", "loser")
    rows = [tuple(say(f"night.{key}") for key in keys)]
    for night in nights:
        score = night.score
        loser = score.loser or score.hat or ""
        players = ", ".join(night.players)
        on = f"({say('night.on')})" if night.still_on else ""
        began = f"{date_of(night)} {on}".strip()
        rows.append((str(night.number), began, str(len(night.counted)), players, loser))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            " " * (width - cell_len(cell)) + cell if right else set_cell_size(cell, width)
            for cell, width, right in zip(row, widths, _RIGHT, strict=True)
        ]
        yield "  ".join(cells).rstrip() + "\n"
