"""``pilewatch aim``: helps to set the camera up, in words on the panel and as a picture."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PilewatchError
from engine.setup import classic
from firmware import words
from firmware.arguments import output, source
from firmware.commands.config import add_config, settings
from firmware.config import Config
from firmware.journal.files import write_whole
from firmware.panel import Notice, Screen
from firmware.sources import NONE, check_given, is_virtual, seed_of
from firmware.words import say

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.sources import FrameSource

EXIT_NOT_YET = 1

#: Seconds between two looks.
EVERY = 1.0
#: Dioptres by which the settings may be beside the focus that was found: what the lens steps by.
LENS_NEAR = 0.05


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "aim",
        help="set the camera up: is the pile in view, sharp, large and bright enough?",
        description=(
            "Looks once a second, and says what to do until the camera is well placed. Lay a card"
            " where the pile will be. A lens that can be moved is focused on it once, and what to"
            " put into the settings is said. Ends when all is good (exit code 0), with the frames"
            " (1), or with Ctrl-C. Stop the service before: sudo systemctl stop pilewatch."
        ),
    )
    add_config(parser)
    parser.add_argument(
        "source",
        nargs="?",
        type=source,
        metavar="SOURCE",
        help="camera, camera:N, a folder or virtual:SEED, as in watch; else that of the settings",
    )
    parser.add_argument("--once", action="store_true", help="look once")
    parser.add_argument(
        "--picture", type=output, metavar="FILE.jpg", help="keep the picture, the place drawn on it"
    )


def run(args: argparse.Namespace) -> int:
    """Look until all is good."""
    config = settings(args)
    words.choose(config["language"])
    # Imported here, so that --help does not wait for OpenCV and the models.
    from firmware.aiming import aim, drawn
    from vision.look import Looker

    if args.picture is not None and args.picture.suffix.lower() not in {".jpg", ".jpeg", ".png"}:
        raise PilewatchError(f"{args.picture}: expected a name that ends in .jpg or .png")
    looker, show = Looker.load(), _panel(config)
    good, due, searched, lens = False, 0.0, False, None
    with _source(args.source, config) as frames:
        for frame in frames:
            if frame.t < due:
                continue
            due = frame.t + EVERY
            seen = aim(frame.image, looker.sightings)
            good = seen.good
            sys.stdout.write(f"{seen.sentence} ({seen.numbers})\n")
            sys.stdout.flush()
            show(Notice(seen.sentence, seen.numbers))
            if args.picture is not None:
                _keep(args.picture, drawn(frame.image, seen))
            if args.once:
                break
            # What is good may be better still: the lens has stood where the settings had it.
            if seen.advice == "sharper" or (good and not searched):
                searched, lens = True, _focus(frames) or lens
                good = good and lens is None
            if good:
                break
    if good and lens is not None and abs(lens - config["camera.lens"]) > LENS_NEAR:
        advice = say("aim.lens", lens=f"{lens:.2f}")
        sys.stdout.write(f"{advice}\n")
        show(Notice(say("aim.good"), advice))
    return 0 if good else EXIT_NOT_YET


def _focus(frames: FrameSource) -> float | None:
    """Where the lens is after it has been focused on what lies there; None if nobody knows."""
    from vision.live import LiveSource

    return frames.focus() if isinstance(frames, LiveSource) else None


def _source(given: str | None, config: Config) -> FrameSource:
    from firmware.device.build import open_camera
    from firmware.virtual import VirtualTable
    from vision.sources import open_source

    if given is not None:
        check_given(given)
    spec = given or str(config["camera.source"])
    if is_virtual(spec):
        return VirtualTable(classic("Ann", "Bob", "Cat"), seed_of(spec))
    if given is None and spec == NONE:
        raise PilewatchError(
            f"{config.origin['camera.source']}: camera.source is none; expected a camera, or a"
            " SOURCE behind aim"
        )
    if spec == config["camera.source"]:
        return open_camera(config)
    return open_source(spec, float(config["camera.fps"]))


def _panel(config: Config) -> Callable[[Screen], None]:
    """Shows a screen on the panel; on none, where it does not answer: the terminal is enough."""
    from firmware.device.display import open_oled
    from firmware.panel import draw

    device = None
    if config["panel.driver"] != "none":
        with contextlib.suppress(Exception):
            device = open_oled(config)

    def show(screen: Screen) -> None:
        if device is not None:
            with contextlib.suppress(Exception):
                device.display(draw(screen))

    return show


def _keep(path: Path, image: Image) -> None:
    import cv2

    done, data = cv2.imencode(path.suffix.lower(), image)
    if done:
        write_whole(path, data.tobytes())
