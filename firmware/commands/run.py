"""``pilewatch run``: the whole appliance, as systemd starts it."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from types import FrameType

from engine.errors import shown
from firmware import words
from firmware.commands.config import add_config, settings
from firmware.config import Config, ConfigError, defaults
from firmware.device.appliance import Appliance
from firmware.device.display import Display
from firmware.device.notify import SOCKET, Notifier
from firmware.night.alone import alone_at
from firmware.panel import Notice, Screen
from firmware.words import say

log = logging.getLogger("pilewatch")

#: It was to shut down and could not: systemd starts it again, and the game goes on.
EXIT_STILL_ON = 1

#: For trying it out: a year and more.
MOST_SECONDS = 99_999_999


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "run",
        help="be the device: camera, panel, lamps, buttons and voice",
        description=(
            "Runs the appliance until it is stopped. Any part may be missing or fail; the game"
            " goes on, and the part is tried again."
        ),
    )
    add_config(parser)
    parser.add_argument(
        "--seconds", type=_seconds, metavar="N", help="end after so many seconds, for trying it out"
    )


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(
            f"expected more than 0 and up to {MOST_SECONDS} seconds, not {shown(text)}"
        )
    return value


def run(args: argparse.Namespace) -> int:
    """Be the device."""
    try:
        config = settings(args)
    except ConfigError:
        # Whoever starts it by hand reads the sentence; before the device there is only the panel.
        if os.environ.get(SOCKET):
            tell_on_panel("settings")
        raise
    words.choose(config["language"])
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    prepare_pins()
    # Imported here, so that --help does not wait for OpenCV and the models.
    from firmware.device.build import build

    with contextlib.ExitStack() as stack:
        appliance = build(config, time.monotonic, Notifier())
        book = appliance.accounts.book
        if book is not None:
            stack.enter_context(alone_at(book.journal.folder))
        return _be(appliance, args, config)


def _be(appliance: Appliance, args: argparse.Namespace, config: Config) -> int:

    def stop(number: int, frame: FrameType | None) -> None:
        appliance.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    if args.seconds is not None:
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, args.seconds)
    appliance.crew.start(time.monotonic)
    try:
        appliance.run()
    finally:
        leave(appliance)
    return EXIT_STILL_ON if appliance.shut_down and not shut_down(appliance, config) else 0


def prepare_pins() -> None:
    """Name gpiozero's one driver that works on every Pi, and lgpio's folder for its small file."""
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())


def leave(appliance: Appliance) -> None:
    """Let go of everything, and say on the panel that it comes to an end."""
    appliance.crew.end()
    appliance.accounts.close()
    # Whoever pulls the plug from now on loses nothing: the journal is closed and on the disk.
    os.sync()
    last_picture(appliance, Notice(say("device.stopping")))


def shut_down(appliance: Appliance, config: Config) -> bool:
    """Shut the device down; the panel says so only once that is under way."""
    done = power_off(config)
    text = say("device.game_goes_on")
    last_picture(
        appliance,
        Notice(say("device.unplug")) if done else Notice(say("device.not_shut_down"), text),
    )
    return done


def last_picture(appliance: Appliance, screen: Screen) -> None:
    """Leave this on the panel; without one, or with one that has just gone, nobody is told."""
    if appliance.crew.display is not None:
        leave_on(appliance.crew.display, screen)


def tell_on_panel(part: str) -> None:
    """Say on a panel as it is by default that this keeps the device from starting."""
    from firmware.device.display import open_oled

    config = defaults()
    notice = Notice(say("device.fault", part=say(f"part.{part}")), say(f"mend.{part}"))
    leave_on(Display(config, lambda: open_oled(config)), notice)


def leave_on(display: Display, screen: Screen) -> None:
    """Leave this on the panel, if it can be had."""
    display.show(screen, time.monotonic())
    with contextlib.suppress(Exception):
        display.set_up()
        display.work(time.monotonic())
    with contextlib.suppress(Exception):
        display.tear_down()


def power_off(config: Config) -> bool:
    """Have the device shut down, as the settings say; whether that is under way."""
    command = list(config["power.command"])
    if not command:
        return True
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    except OSError as wrong:
        log.warning("pilewatch: %s cannot be started (%s)", command[0], wrong.strerror)
    except subprocess.TimeoutExpired:
        log.warning("pilewatch: %s did not end within 30 seconds", command[0])
    else:
        if not done.returncode:
            return True
        why = " ".join(done.stderr.split()) or f"it ended with {done.returncode}"
        log.warning("pilewatch: %s did not shut down: %s", command[0], why)
    return False
