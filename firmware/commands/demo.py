"""``pilewatch demo``: a whole game on a virtual table, seen, judged and shown."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cards import Card
from engine.errors import PilewatchError
from engine.setup import Setup
from firmware import controls, seating, streams
from firmware.arguments import seed
from firmware.folders import reason
from firmware.journal.files import MISPLACED, refused, write_whole
from firmware.words import say

if TYPE_CHECKING:
    from firmware.virtual import VirtualTable
    from vision.frame import Frame

DEFAULT_SEED = 7
PLAYERS = ("Ann", "Bob", "Cat")


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "demo",
        help="play a whole game on a virtual table, and see what the referee makes of it",
        description=(
            "Plays a game on a virtual table: pictures are drawn, found, read and judged as"
            " those of a camera would be. Ends by itself with the score of the referee."
        ),
    )
    parser.add_argument("--frames", type=Path, metavar="DIR", help="keep what the camera saw")
    parser.add_argument("--seed", type=seed, default=DEFAULT_SEED, metavar="N")
    parser.add_argument("--rules", default="classic", metavar="NAME", help="a rule set")
    parser.add_argument(
        "--rough",
        action="store_true",
        help="two decks mixed, poor and changing light, a pile that is pushed about",
    )
    parser.add_argument("--fast", action="store_true", help="leave out the pauses")


def run(args: argparse.Namespace) -> int:
    """Play the game; the last line is the score."""
    # Imported here, so that --help does not wait for OpenCV and the models.
    from rich.console import Console

    from firmware.announce import PlainLines
    from firmware.director import Director
    from firmware.session import referee
    from firmware.terminal import Terminal
    from firmware.virtual import VirtualTable
    from vision.look import Looker
    from vision.watcher import Watcher

    began = time.monotonic()
    setup = Setup.from_json({"rules": args.rules, "players": list(PLAYERS)})
    keep = _keeper(args.frames, setup) if args.frames else lambda index, data: None
    table = VirtualTable(setup, args.seed, keep=keep, rough=args.rough)
    director: Director

    def prior(card: Card) -> float:
        return director.prior(card)

    looker = Looker.load(jokers=setup.rules.jokers > 0)
    watcher = Watcher(looker, prior, setup.decks)
    console = Console()
    title = say("demo.title", rules=setup.rules.title, seed=args.seed)
    screen = Terminal(console, title) if Terminal.fits(console) else None
    told = screen or PlainLines(streams.write)
    director = Director(setup, watcher, [told])
    table.meet(director)
    pause = _no_pause if args.fast else _Pace(table.fps).wait

    def after(frame: Frame) -> None:
        if screen:
            screen.show(frame)
        pause()

    try:
        with screen or nullcontext():
            referee(table, watcher, director, table.at, after)
    finally:
        if args.frames:
            _write_controls(args.frames, table)
    for fault in table.score.faults:
        streams.write(f"{say('demo.wrong')} {fault}\n")
    streams.write(_score(table, time.monotonic() - began) + "\n")
    return 0


def _score(table: VirtualTable, seconds: float) -> str:
    score = table.score
    return json.dumps(
        {
            "plays": score.plays,
            "called": score.called,
            "wrong": score.wrong,
            "asked": score.asked,
            "seconds": round(seconds, 1),
        }
    )


class _Pace:
    """Waits so that frames pass as they would before a camera."""

    def __init__(self, fps: float) -> None:
        self._step = 1 / fps
        self._next = time.monotonic()

    def wait(self) -> None:
        """Wait until the next frame is due; a late one is not made up for."""
        self._next = max(self._next + self._step, time.monotonic())
        time.sleep(max(0.0, self._next - time.monotonic()))


def _no_pause() -> None:
    return


def _keeper(folder: Path, setup: Setup) -> Callable[[int, bytes], None]:
    """What writes frames into ``folder``, which must be new or hold nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise PilewatchError(f"{folder} is not empty; expected a new folder for the frames")
        (folder / seating.FILE_NAME).write_text(
            json.dumps(setup.to_json()) + "\n", encoding="utf-8"
        )
    except OSError as error:
        if error.errno not in MISPLACED:
            raise refused(error, folder) from None
        raise PilewatchError(
            f"{folder}: the frames cannot be kept there ({reason(error, folder)})"
        ) from None
    last: tuple[bytes, Path] | None = None

    def keep(index: int, data: bytes) -> None:
        nonlocal last
        path = folder / f"{index:06d}.jpg"
        try:
            if last is not None and last[0] is data:
                # The table at rest is one picture many times over: one copy will do.
                try:
                    path.hardlink_to(last[1])
                except OSError:
                    path.write_bytes(data)
            else:
                path.write_bytes(data)
                last = (data, path)
        except OSError as error:
            path.unlink(missing_ok=True)  # half a picture is none
            raise refused(error, path) from None

    return keep


def _write_controls(folder: Path, table: VirtualTable) -> None:
    text = "".join(controls.control_line(act) + "\n" for act in table.acts)
    write_whole(folder / controls.FILE_NAME, text.encode())
