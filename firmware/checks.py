"""The doctor's checks that need only the machine: each looks at one thing and says how to mend it.

Everything a check looks at is handed in, so that each can be tried with a machine that is made up.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from itertools import chain
from pathlib import Path

from engine.errors import PilewatchError
from firmware.config import Config, faults
from firmware.folders import forbidden, make_folder, owner, reason, user_name

#: Bytes that a night needs at most, with its photographs.
LEAST_FREE = 200 * 2**20
#: °C from which a Pi slows down: 80 for the processor, by Raspberry Pi's documentation.
HOT = 80.0
#: Bits of vcgencmd get_throttled (Raspberry Pi documentation): now, and since the start.
UNDER_VOLTAGE, THROTTLED, UNDER_VOLTAGE_SEEN = 0x1, 0x4, 0x10000
#: Before this year nothing of ours was written: the clock has not been set.
FIRST_YEAR = 2026

CANARY = b"pilewatch\n"


@dataclass(frozen=True)
class Finding:
    """What a check found: ``what`` was looked at, all is well or not, and how to mend it."""

    what: str
    well: bool
    said: str
    mend: str = ""


Check = Callable[[], Finding | list[Finding]]


def settings(config: Config) -> list[Finding]:
    """Whether what the settings name is there: a file of rules, a deck, a video or a folder."""
    wrong = [
        Finding("settings", False, str(fault), "Put it right there.") for fault in faults(config)
    ]
    return wrong or [Finding("settings", True, "can be used, and all that they name is there")]


def disk(folder: Path | None) -> Finding:
    """Whether the state folder and the journal in it can be written and read back, and has room."""
    if folder is None:
        return Finding("disk", False, "no place for the journal", "Set HOME or STATE_DIRECTORY.")
    try:
        make_folder(folder)
        if whose := owner(folder):
            return Finding("disk", False, forbidden(folder, None), f"Run it as {whose}.")
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".canary-") as file:
            file.write(CANARY)
            file.flush()
            os.fsync(file.fileno())
            back = Path(file.name).read_bytes()
        free = shutil.disk_usage(folder).free
        if closed := _closed(folder):
            return closed
    except PermissionError as wrong:
        said, mend = forbidden(folder, wrong.strerror), f"sudo chmod -R u+rwX {folder}."
        return Finding("disk", False, said, mend)
    except (FileExistsError, NotADirectoryError) as wrong:
        said = f"{folder} cannot be made ({reason(wrong, folder)})"
        return Finding("disk", False, said, "Put it away, or set STATE_DIRECTORY.")
    except OSError as wrong:
        return Finding(
            "disk",
            False,
            f"{folder} cannot be written ({wrong.strerror or wrong})",
            "If the card went read-only, restart; if it does so again, replace the card.",
        )
    if back != CANARY:
        return Finding("disk", False, "what was written does not read back", "Replace the card.")
    if free < LEAST_FREE:
        return Finding(
            "disk", False, f"only {free // 2**20} MB are free", "Remove what is not needed."
        )
    return Finding("disk", True, f"can be written, {free // 2**20} MB free")


def _closed(folder: Path) -> Finding | None:
    """What of the journal the owner of the folder cannot write, None if nothing."""
    name = user_name(folder.stat().st_uid)
    # Root may write everything; whether the service may is seen by whose it is.
    mend = f"sudo chown -R {name}: {folder} && sudo chmod -R u+rwX {folder}."
    journal = folder / "journal"
    for path in chain([journal], journal.glob("*")):
        if path.exists() and not (user_name(path.stat().st_uid) == name and _is_open(path)):
            return Finding("disk", False, f"{path} cannot be written by {name}", mend)
    return None


def _is_open(path: Path) -> bool:
    wanted = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted, effective_ids=True)


def models(load: Callable[[], object]) -> Finding:
    """Whether the networks are there and whole."""
    try:
        load()
    except PilewatchError as wrong:
        return Finding("models", False, str(wrong), "Run the installer again.")
    return Finding("models", True, "finder, reader and face reader load")


def libraries(
    version: Callable[[str], str] = metadata.version, machine: str = os.uname().machine
) -> Finding:
    """Whether a library is one that is known to crash or not to fit."""
    wrong = []
    for name, bad, why in (
        ("onnxruntime", "1.21.0", "dies with an illegal instruction on a Raspberry Pi 4"),
        ("lgpio", "0.0.0.2", "is an empty package"),
    ):
        try:
            found = version(name)
        except metadata.PackageNotFoundError:
            continue
        if found == bad:
            wrong.append(f"{name} {found} {why}")
    if not machine.endswith("64"):
        wrong.append(f"{machine} is a 32-bit system, for which there is no onnxruntime")
    if wrong:
        return Finding("libraries", False, "; ".join(wrong), "Run the installer again.")
    return Finding("libraries", True, "none that is known to fail")


def clock(year: int | None, synchronised: bool | None) -> Finding:
    """Whether the date can be right; nothing but the record of the night depends on it.

    ``year`` None is one that no calendar has.
    """
    if year is None or year < FIRST_YEAR:
        return Finding(
            "clock",
            False,
            f"it is set to {'no year' if year is None else f'the year {year}'}",
            "Connect a network for a minute, or set it: sudo timedatectl set-time.",
        )
    if synchronised is False:
        return Finding("clock", True, "runs, but no network has set it since the start")
    return Finding("clock", True, "is set")


def power(throttled: str | None) -> Finding:
    """What ``vcgencmd get_throttled`` says; None: not a Raspberry Pi."""
    if throttled is None:
        return Finding("power", True, "cannot be told on this machine")
    found = re.search(r"0x([0-9a-fA-F]+)", throttled)
    if found is None:
        return Finding("power", True, "cannot be told on this machine")
    bits = int(found[1], 16)
    supply = "Use the official power supply and a short cable."
    if bits & UNDER_VOLTAGE:
        return Finding("power", False, "the voltage is too low now", supply)
    if bits & THROTTLED:
        return Finding("power", False, "the processor is being slowed down", "Give it air.")
    if bits & UNDER_VOLTAGE_SEEN:
        return Finding("power", False, "the voltage was too low since the start", supply)
    return Finding("power", True, "the voltage has been enough since the start")


def temperature(millidegrees: str | None) -> Finding:
    """What the kernel says of the processor's temperature, in thousandths of a degree."""
    try:
        degrees = int(millidegrees or "") / 1000
    except ValueError:
        return Finding("temperature", True, "cannot be told on this machine")
    if degrees >= HOT:
        return Finding(
            "temperature", False, f"{degrees:.0f} °C is too hot", "Give it air, or a heat sink."
        )
    return Finding("temperature", True, f"{degrees:.0f} °C")


def sound(
    config: Config, which: Callable[[str], str | None], play: Callable[[str], str | None]
) -> Finding:
    """Whether the voice has its programs and its device.

    ``play`` plays silence on an ALSA device and returns what was wrong, None if nothing was.
    """
    if config["voice.kind"] != "speech":
        return Finding("sound", True, f"no speech is wanted (voice.kind is {config['voice.kind']})")
    for program, package in (("espeak-ng", "espeak-ng"), ("aplay", "alsa-utils")):
        if which(program) is None:
            return Finding("sound", False, f"{program} is missing", f"sudo apt install {package}")
    device = config["voice.device"]
    if wrong := play(device):
        return Finding(
            "sound",
            False,
            f"the sound device {device} cannot be played on ({wrong})",
            "Plug the speaker in, and name it as voice.device (aplay -L lists them).",
        )
    return Finding("sound", True, f"espeak-ng is there, and the sound device {device} plays")


def play_silence(device: str) -> str | None:
    """Play a second of silence with aplay; what was wrong, None if nothing was."""
    command = ["aplay", "-q", "-D", device, "-d", "1", "-f", "S16_LE", "-r", "22050", "/dev/zero"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except OSError as wrong:
        return str(wrong.strerror)
    except subprocess.TimeoutExpired:
        return "it does not answer"
    if done.returncode == 0:
        return None
    return " ".join(done.stderr.split())[:200] or f"aplay ended with {done.returncode}"


def said(*command: str) -> str | None:
    """What a program prints; None if it is not there, fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def content(path: str) -> str | None:
    """What a small file of the kernel holds; None if it is not there."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def run_all(checks: list[tuple[str, Check]]) -> Iterator[Finding]:
    """Each finding in turn; a check that fails itself is trouble like any other."""
    for name, check in checks:
        try:
            found = check()
        except Exception as wrong:
            # Drivers raise whatever they like, and the other checks still count.
            found = Finding(name, False, f"{type(wrong).__name__}: {wrong}", "See the message.")
        yield from found if isinstance(found, list) else [found]
