"""A night as one page of HTML that needs nothing else: to send to those who were there.

Names may hold anything: all text is escaped, and each name sets its own direction of writing.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.cells import cell_len

from firmware.night.facts import date_of, facts, headings, remarks, seated_first, standing
from firmware.night.night import Night
from firmware.night.statistics import Statistics
from firmware.night.tables import night_to_json
from firmware.words import language, say

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --red: #c0392b; --blue: #2980b9;
  --gold: #d9a400; --green: #27955a }
body { font: 16px/1.5 system-ui, "Noto Sans", sans-serif; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere }
h1 { margin-bottom: 0 } h2 { font-size: 1.1rem; margin: .5rem 0 }
p { margin: .25rem 0 } .when { opacity: .65; margin: 0 0 1rem }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
  gap: 1rem 2rem }
table { border-collapse: collapse; width: 100% }
.wide { overflow-x: auto; margin: 1.5rem 0 }
th { text-align: start; font-weight: normal; opacity: .65 } small { opacity: .65 }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word; max-width: 14rem }
td.n, th.n { text-align: end } .n + :not(.n) { padding-inline-start: 1.2rem; min-width: 4rem }
svg { width: 100%; max-width: 30rem; height: auto }
svg text { font: 15px system-ui, "Noto Sans", sans-serif; fill: currentColor }
@media (max-width: 32rem) { table { font-size: .85rem } }
"""

_WIDTH, _NAME, _ROW, _BAR = 440, 150, 28, 80
"""Of a chart: its width, where its bars begin, how high each is, the least for the longest."""


def page(night: Night, statistics: Statistics) -> str:
    """The whole page."""
    title = say("night.title", number=night.number)
    data = night_to_json(night, statistics)
    players = seated_first(data["players"], night, lambda each: str(each["name"]))
    names = [player["name"] for player in players]
    charts = [
        _chart(say("night.lost_chart"), names, [p["losses"] for p in players], "--red"),
        _chart(say("night.taken_chart"), names, [p["cards_taken"] for p in players], "--blue"),
        _chart(
            say("night.length_chart"),
            [f"{say('night.game')} {number}" for number in statistics.lengths],
            list(statistics.lengths.values()),
            "--green",
        ),
    ]
    if night.score.word:
        letters = [night.score.letters.get(name, 0) for name in names]
        told = [night.score.letters_of(name) for name in names]
        head = say("night.letters_chart", word=night.score.word)
        most = len(night.score.word)
        charts.insert(0, _chart(head, names, letters, "--gold", told, most))
    when = f'<p class="when">{escape(date_of(night))}</p>\n' if date_of(night) else ""
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in standing(night, _isolated))
    told_facts = "".join(f"<li>{escape(line)}</li>\n" for line in facts(statistics, _isolated))
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{when}"
        f"{lines}{_players(players)}"
        f'<div class="charts">\n{"".join(charts)}</div>\n{_games(night, statistics)}'
        f"<ul>\n{told_facts}</ul>\n</body>\n</html>\n"
    )


def _players(players: Sequence[dict[str, object]]) -> str:
    used = {key: head for key, head in headings().items() if any(p[key] for p in players)}
    rows = [
        [_player(p), *(escape("" if p[key] == 0 else str(p[key])) for key in used)] for p in players
    ]
    return _table([say("night.player"), *used.values()], rows, numbers=range(1, len(used) + 1))


def _player(player: dict[str, object]) -> str:
    left = f" <small>({escape(say('night.left'))})</small>" if player["left"] else ""
    return _name(str(player["name"])) + left


def _games(night: Night, statistics: Statistics) -> str:
    if not night.rounds:
        return ""
    said = remarks(night)
    rows = [
        {
            "game": str(each.number),
            "rules": escape(each.setup.rules.name),
            "winner": _name((each.result.winner if each.result else None) or ""),
            "loser": _name((each.result.loser if each.result else None) or ""),
            "plays": str(statistics.lengths.get(each.number, "")),
            "remark": _name(said.get(each.number, "")),
        }
        for each in night.rounds
    ]
    # Nobody has counted the plays of games that were entered by hand.
    there = {"plays": bool(statistics.lengths), "remark": bool(said)}
    keys = [key for key in rows[0] if there.get(key, True)]
    cells = [[row[key] for key in keys] for row in rows]
    numbers = [at for at, key in enumerate(keys) if key == "plays"]
    return _table([say(f"night.{key}") for key in keys], cells, numbers)


def _name(name: str) -> str:
    return f"<bdi>{escape(name)}</bdi>"


def _isolated(name: str) -> str:
    """A name inside a sentence, whichever way it runs."""
    return f"\u2068{name}\u2069"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> str:
    """A table of cells that are escaped already."""

    def cells(tag: str, values: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{' class=n' if i in numbers else ''}>{value}</{tag}>"
            for i, value in enumerate(values)
        )

    head = cells("th", [escape(each) for each in heads])
    body = "".join(f"<tr>{cells('td', row)}</tr>\n" for row in rows)
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n{body}</table></div>\n'


def _chart(
    title: str,
    names: Sequence[str],
    values: Sequence[int],
    colour: str,
    told: Sequence[str] | None = None,
    most: int = 0,
) -> str:
    """Bars with their names; nothing where there is nothing to draw."""
    most = max(most, *values, 0) if values else 0
    if not most:
        return ""
    told = told or [str(value) for value in values]
    room = max(_BAR, _WIDTH - _NAME - max(map(_wide, told)) - 10)
    bars = []
    for i, (name, value, text) in enumerate(zip(names, values, told, strict=True)):
        y, length = i * _ROW, round(room * max(0, value) / most)
        # The name ends at the bar whichever way it is written.
        bars.append(
            f'<text x="{_NAME - 10}" y="{y + 20}" text-anchor="end" direction="ltr"'
            f"{_fitted(name, _NAME - 14)}>"
            f"<tspan>{_isolated(escape(name))}</tspan></text>"
            f'<rect x="{_NAME}" y="{y + 4}" width="{length}" height="{_ROW - 8}" rx="3"'
            f' fill="var({colour})"/>'
            f'<text x="{_NAME + length + 8}" y="{y + 20}"'
            f"{_fitted(text, _WIDTH - _NAME - length - 10)}>{escape(text)}</text>"
        )
    height = _ROW * len(names)
    return (
        f'<section><h2>{escape(title)}</h2>\n<svg viewBox="0 0 {_WIDTH} {height}" role="img"'
        f' aria-label="{escape(title)}">{"".join(bars)}</svg></section>\n'
    )


def _wide(text: str) -> int:
    """How wide a text of a chart is at most, but for the very widest letters."""
    return sum(9 * cell_len(letter) + 4 * letter.isupper() for letter in text)


def _fitted(text: str, room: int) -> str:
    """Draws a text narrower that is too long for its room, for the edge would cut it off."""
    return f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if _wide(text) > room else ""
