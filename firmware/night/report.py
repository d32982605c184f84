"""A night in the terminal: tables with bars."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from firmware.night.facts import date_of, facts, headings, remarks, seated_first, standing
from firmware.night.night import Night
from firmware.night.statistics import Statistics
from firmware.night.tables import night_to_json
from firmware.words import say

BAR = 16
"""Characters of the longest bar."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(value: int, most: int, width: int = BAR) -> str:
    """``value`` as a bar, ``most`` being ``width`` characters long."""
    eighths = round(8 * width * value / most) if most > 0 else 0
    whole, rest = divmod(max(0, eighths), 8)
    return ("█" * whole + _EIGHTHS[rest]).rstrip()


def print_night(console: Console, night: Night, statistics: Statistics) -> None:
    """Print everything that is known of a night."""
    on = f"({say('night.on')})" if night.still_on else ""
    title = (say("night.title", number=night.number), date_of(night), on)
    # Names are put in as Text: square brackets in them are no markup.
    console.print(Text("  ".join(filter(None, title)), style="bold"))
    console.print(_players(night, statistics))
    if night.rounds:
        console.print(_games(night, statistics))
    for line in (*standing(night), *facts(statistics)):
        console.print(Text(line))


def _players(night: Night, statistics: Statistics) -> Table:
    data = night_to_json(night, statistics)
    used = {
        key: head
        for key, head in headings().items()
        if any(player[key] for player in data["players"])
    }
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column(say("night.player"))
    for head in used.values():
        table.add_column(head, justify="right")
    table.add_column("")
    most = max((player["losses"] for player in data["players"]), default=0)
    for player in seated_first(data["players"], night, lambda each: str(each["name"])):
        cells = [Text("" if player[key] == 0 else str(player[key])) for key in used]
        name = Text(player["name"], style="dim" if player["left"] else "bold")
        if player["left"]:
            # In words as well: in a file, and to many eyes, dim letters are like the others.
            name.append(f" ({say('night.left')})")
        table.add_row(name, *cells, Text(bar(player["losses"], most), style="red"))
    return table


def _games(night: Night, statistics: Statistics) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for key in ("game", "rules", "winner", "loser", "plays"):
        table.add_column(
            say(f"night.{key}"), justify="right" if key in ("game", "plays") else "left"
        )
    table.add_column("")
    said, most = remarks(night), max(statistics.lengths.values(), default=0)
    for played in night.rounds:
        result = played.result
        count = statistics.lengths.get(played.number, 0)
        table.add_row(
            str(played.number),
            played.setup.rules.name,
            Text((result.winner if result else None) or ""),
            Text((result.loser if result else None) or "", style="red"),
            str(count or ""),
            Text.assemble((bar(count, most), "cyan"), "  ", said.get(played.number, "")),
        )
    return table
