"""``pilewatch doctor``: looks at each part in turn, and says how to mend what is wrong."""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
from pathlib import Path

from engine.errors import printable
from firmware import __version__, checks
from firmware.anonymous import public, without_names
from firmware.arguments import output
from firmware.checks import Check, Finding, content, said
from firmware.clock import now
from firmware.commands.config import add_config, settings
from firmware.config import Config, to_toml
from firmware.folders import state_folder
from firmware.journal.files import write_whole
from firmware.sources import NONE, is_virtual

EXIT_TROUBLE = 1


def add_parser(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = sub.add_parser(
        "doctor",
        help="check camera, panel, pins, sound, disk and models",
        description=(
            "Checks each part, a line each: OK, or TROUBLE and how to mend it. The exit code is 1"
            " if anything is wrong. Stop the service before: sudo systemctl stop pilewatch."
        ),
    )
    add_config(parser)
    parser.add_argument(
        "--report", type=output, metavar="FILE", help="also write a file to send with a problem"
    )


def run(args: argparse.Namespace) -> int:
    """Check everything."""
    config = settings(args)
    findings = []
    for finding in checks.run_all(all_checks(config)):
        findings.append(finding)
        sys.stdout.write(printable(line(finding)) + "\n")
        sys.stdout.flush()
    trouble = [each for each in findings if not each.well]
    count = len(trouble)
    sys.stdout.write(
        "All is well.\n" if not count else f"{count} of {len(findings)} need mending.\n"
    )
    if args.report is not None:
        write_report(args.report, config, findings)
        sys.stdout.write(
            f"The report is in {printable(args.report)};"
            " no names of people that are known are in it.\n"
        )
    return EXIT_TROUBLE if trouble else 0


def all_checks(config: Config) -> list[tuple[str, Check]]:
    """Every check with its name, in order."""
    # Imported here, so that --help does not wait for OpenCV.
    from firmware import checks_hardware as hardware
    from firmware.commands.run import prepare_pins
    from firmware.device.build import open_camera
    from firmware.device.display import open_oled
    from firmware.device.gpio import make_button, make_buzzer, make_led
    from vision.look import Looker

    prepare_pins()
    at = now()
    year = None if at is None else at.year
    out: list[tuple[str, Check]] = [
        ("settings", lambda: checks.settings(config)),
        ("disk", lambda: checks.disk(state_folder())),
        ("models", lambda: checks.models(Looker.load)),
        ("libraries", checks.libraries),
        ("clock", lambda: checks.clock(year, _synchronised())),
        ("power", lambda: checks.power(said("vcgencmd", "get_throttled"))),
        (
            "temperature",
            lambda: checks.temperature(content("/sys/class/thermal/thermal_zone0/temp")),
        ),
        ("sound", lambda: checks.sound(config, shutil.which, checks.play_silence)),
        ("panel", lambda: hardware.oled(config, lambda: open_oled(config), ask)),
        ("pins", lambda: hardware.pins(config, make_button, make_led, make_buzzer)),
    ]
    spec = str(config["camera.source"])
    if spec == NONE or is_virtual(spec):
        out.append(("camera", lambda: Finding("camera", True, f"not wanted (it is {spec})")))
    else:
        out.append(("camera", lambda: hardware.camera(spec, lambda: open_camera(config))))
    return out


def ask(question: str) -> bool | None:
    """The answer to a question; None where nobody is there to ask."""
    if not sys.stdin.isatty():
        return None
    sys.stdout.write(f"{question} [Y/n] ")
    sys.stdout.flush()
    return not sys.stdin.readline().strip().lower().startswith("n")


def line(finding: Finding) -> str:
    """The finding as one line."""
    word = "OK     " if finding.well else "TROUBLE"
    mend = f". {finding.mend}" if finding.mend else ""
    return f"{word}  {finding.what}: {' '.join(finding.said.split()).rstrip('.')}{mend}"


def write_report(path: Path, config: Config, findings: list[Finding]) -> None:
    """One file to send; WriteError if it cannot be written."""
    text = "\n".join(
        [
            f"pilewatch {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"model: {(content('/proc/device-tree/model') or 'no Raspberry Pi').strip(chr(0))}",
            "",
            *map(line, findings),
        ]
    )
    settings = to_toml(public(config), meanings=False)
    write_whole(path, f"{without_names(text, config)}\n\n{settings}".encode())


def _synchronised() -> bool | None:
    answer = said("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if answer is None else answer.strip() == "yes"
