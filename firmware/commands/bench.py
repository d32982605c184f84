"""``pilewatch bench``: how fast this machine sees and judges."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.arguments import given

if TYPE_CHECKING:
    from vision.frame import Image

SIZE = (1280, 720)
#: Calls that are timed at the virtual table, for each round.
CALLS = 4
#: Games of the night whose journal is measured, at most.
NIGHT = 10


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``bench``."""
    parser = sub.add_parser(
        "bench",
        help="measure how fast this machine sees and judges",
        description=(
            "Measures on one thread: a look, a settling frame, the referee, the journal, the "
            "start; and the whole device at a virtual table. Beside a look stands its share of a "
            "fixed piece of work measured by turns with it; 4.1 such pieces are a "
            "YOLOv8n-sized detector at 640×640."
        ),
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument(
        "--photo", type=given, metavar="FILE", help="look at this instead of a drawn table"
    )
    parser.add_argument(
        "--rounds", type=_rounds, default=15, metavar="N", help="looks to time (15)"
    )


def run(args: argparse.Namespace) -> int:
    """Measure, print, and return 0."""
    # Imported here, so that --help does not wait for OpenCV and the models.
    import cv2

    from vision.look import Looker

    cv2.setNumThreads(1)
    looker = Looker.load()
    found = measure(looker.look, table_picture(args.photo), args.rounds)
    sys.stdout.write((json.dumps(found) if args.json else as_table(found)) + "\n")
    return 0


def measure(look: Callable[[Image], Any], picture: Image, rounds: int) -> dict[str, Any]:
    """Return every figure of the benchmark by name."""
    import cv2

    from firmware import measure as m
    from firmware import measure_rules as rules

    times = m.look_times(lambda: look(picture), m.reference(), rounds)
    seen = look(picture)
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "table.png"
        photo.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        started = m.fresh_process(["--version"], min(rounds, 5))
        first = m.fresh_process(["look", "--json", str(photo)], min(rounds, 3))
        games = min(rounds, NIGHT)
        night = m.night_times(Path(folder) / "journal", games)
    table = m.table_times(CALLS * rounds)
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "picture": f"{picture.shape[1]}×{picture.shape[0]}",
        "cards": len(seen.cards) + len(seen.unsure),
        "look_ms": round(times.look_ms, 1),
        "reference_ms": round(times.reference_ms, 1),
        "look_per_reference": round(times.ratio, 2),
        "look_per_detector": round(times.ratio / m.REFERENCES_PER_DETECTOR, 2),
        "settle_us": round(m.settle_us(picture, 20 * rounds)),
        "events_per_second": round(m.events_per_second(rounds)),
        "refold_ms": round(rules.refold_ms(), 1),
        "event_growth": [round(ratio, 2) for ratio in rules.growth()],
        "games_per_second": round(rules.games_per_second(rounds), 1),
        "journal_games": games,
        "journal_ruling_ms": round(night.ruling_ms, 1),
        "journal_reopen_ms": round(night.reopen_ms),
        "journal_kib": round(night.kib),
        "start_ms": round(1000 * started.seconds),
        "first_look_ms": round(1000 * first.seconds),
        "peak_mib": round(first.peak_mib),
        "calls": table["calls"],
        "call_s": round(table["call_s"], 2),
        "call_99_s": round(table["call_99_s"], 2),
        "call_work_ms": round(table["work_ms"], 1),
        "call_work_per_reference": round(table["work_per_reference"], 2),
        "idle_percent": round(100 * table["idle_share"], 1),
        "playing_percent": round(100 * table["playing_share"], 1),
        "table_peak_mib": round(table["peak_mib"]),
    }


def table_picture(photo: str | None) -> Image:
    """Return the photo, or a drawn table with a heap of cards, at 1280×720."""
    if photo is not None:
        from vision.pictures import load_picture

        return load_picture(photo)
    from engine.cards import full_deck
    from vision.render import Placed, Stage, make_deck

    cards = full_deck(1, 0)[::7]
    heap = [
        Placed(card, 18.0 * index - 60, 9.0 * (index % 3) - 10, 0.4 * index)
        for index, card in enumerate(cards)
    ]
    return Stage(1, make_deck(1, plain=True), size=SIZE).draw(heap)


def as_table(found: dict[str, Any]) -> str:
    """Return the figures as a table for human eyes."""
    share = found["look_per_detector"]
    settle = 15 * found["settle_us"] / 1e4
    growth = " : ".join(map(str, found["event_growth"]))
    rows = [
        (f"a look at {found['picture']}, {found['cards']} cards", f"{found['look_ms']} ms"),
        ("  the fixed piece of work beside it", f"{found['reference_ms']} ms"),
        ("  a look in such pieces", f"{found['look_per_reference']}"),
        ("  a look in YOLOv8n-sized detectors (4.1 pieces)", f"{share}"),
        (f"a settling frame ({settle:.1f} % of a core at 15 a second)", f"{found['settle_us']} µs"),
        ("events judged", f"{found['events_per_second']} a second"),
        ("  an event after 100, 1,000, 10,000 others", f"{growth}"),
        ("a night of 10 games, 1,200 plays, folded again", f"{found['refold_ms']} ms"),
        ("make-believe games, dealt and judged", f"{found['games_per_second']} a second"),
        ("a ruling put into the journal, onto this disk", f"{found['journal_ruling_ms']} ms"),
        (
            f"a night of {found['journal_games']} games opened again",
            f"{found['journal_reopen_ms']} ms",
        ),
        ("  its journal and its copy", f"{found['journal_kib']} KiB"),
        ("pilewatch --version, fresh process", f"{found['start_ms']} ms"),
        ("first look, fresh process", f"{found['first_look_ms']} ms"),
        ("most memory in that process", f"{found['peak_mib']} MiB"),
        ("the device, 15 frames a second, nothing moves", f"{found['idle_percent']} % of a core"),
        ("the device at a virtual table", f"{found['playing_percent']} % of a core"),
        ("  most memory, the drawn table included", f"{found['table_peak_mib']} MiB"),
        (f"from a card's rest to its call, {found['calls']} calls", f"{found['call_s']} s"),
        ("  99 of 100 within (0.25 s are settling)", f"{found['call_99_s']} s"),
        ("  what is calculated at the call", f"{found['call_work_ms']} ms"),
        ("    in fixed pieces of work", f"{found['call_work_per_reference']}"),
    ]
    width = max(len(name) for name, _ in rows)
    column = max(len(value) for _, value in rows)
    lines = [f"{found['machine']}, Python {found['python']}; one thread, medians", ""]
    lines += [f"{name:<{width}}  {value:>{column}}" for name, value in rows]
    if found["load"] > 1.0:
        lines += ["", f"Other programs were busy (load {found['load']}): the times are too long."]
    return "\n".join(lines)


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of rounds from 1 to 1000")
    return int(text)
