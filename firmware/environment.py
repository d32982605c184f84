"""Makes the private environment ``.venv`` of a checkout: pinned, hashed, all or nothing.

Started by the launcher ``./pilewatch`` with whatever Python 3.11+ the machine has, so it may use
the standard library only and must not import the rest of Pilewatch. Everything it says goes to
standard error: standard output belongs to the command that comes afterwards.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

RUNTIME_LOCK = "requirements.lock"
TEST_LOCK = "requirements-test.lock"

_WHEEL = re.compile(r"(?:Downloading|Using cached|Processing) (?:\S*/)?(\S+?)-(\S+?)-\S+\.whl(.*)")

# What pip says, and what a person can do about it. The first that fits is told.
_REMEDIES = (
    ("No space left on device", "the disk is full; about 700 MB are needed"),
    ("DO NOT MATCH THE HASHES", "a downloaded package is not the one that was tested"),
    ("do not match the hashes", "a downloaded package is not the one that was tested"),
    (
        "Connection",
        "the package index cannot be reached; only the first start needs the internet",
    ),
    (
        "No matching distribution",
        f"a package has no ready-made build for Python {sys.version_info[0]}.{sys.version_info[1]} "
        "on this machine; 64-bit Linux with Python 3.11, 3.12 or 3.13 is sure to work",
    ),
)


class SetupError(Exception):
    """The environment cannot be made; the text is the sentence to show."""


def main(lock_name: str) -> int:
    """Make ``.venv`` hold exactly what the lock file asks for; return the exit code."""
    root = Path(__file__).resolve().parent.parent
    try:
        prepare(root, lock_name)
    except SetupError as error:
        _tell(f"pilewatch: {error}.")
        return 1
    except KeyboardInterrupt:
        _tell("\npilewatch: stopped; the next start takes it up again.")
        return 130
    return 0


def prepare(root: Path, lock_name: str) -> None:
    """Bring ``root/.venv`` up to the lock file, or raise SetupError.

    Two at once wait for each other. An environment without its stamp was interrupted half-way
    and is made anew.
    """
    _check_machine()
    venv = root / ".venv"
    with _alone(root) as lock_fd:
        if is_complete(root, lock_name):
            return  # somebody else made it while this process waited
        wanted = _read(root / lock_name)
        runtime = _read(root / RUNTIME_LOCK)
        try:
            if not _has_any_stamp(venv) or not os.access(venv / "bin" / "python", os.X_OK):
                _tell(f"Pilewatch: making its private environment in {venv} (the first time only)")
                _remove(venv)
                _make(venv)
            for name in (RUNTIME_LOCK, TEST_LOCK):
                # What the old stamp vouched for stays true while only the test tools are added.
                if name == lock_name or _stamp(venv, name) != runtime:
                    (venv / name).unlink(missing_ok=True)
            _install(root, lock_name, wanted, lock_fd)
            _link_project(venv)
            # The test lock holds every pin of the runtime lock, so it vouches for both.
            for name, content in {RUNTIME_LOCK: runtime, lock_name: wanted}.items():
                _write_stamp(venv / name, content)
        except OSError as error:
            raise SetupError(f"the environment in {venv} cannot be made: {error}") from error
    _tell("Pilewatch: ready.")


def is_complete(root: Path, lock_name: str) -> bool:
    """Return whether ``.venv`` was finished for the lock file as it is now."""
    venv = root / ".venv"
    python = venv / "bin" / "python"
    return os.access(python, os.X_OK) and _stamp(venv, lock_name) == _read(root / lock_name)


def _check_machine() -> None:
    if sys.maxsize <= 2**32:
        raise SetupError(
            "this is a 32-bit Python, for which the vision libraries do not exist; "
            "Pilewatch needs a 64-bit system (on a Raspberry Pi: the 64-bit Raspberry Pi OS)"
        )
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise SetupError(
                f"{sys.executable} comes without {module}, which makes the private environment; "
                "on Debian or Raspberry Pi OS: sudo apt install python3-venv"
            )


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[int]:
    """Hold the checkout's set-up for this process; yields the lock's file descriptor."""
    try:
        fd = os.open(root / ".venv.busy", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise SetupError(
            f"{root} cannot be written to ({error.strerror}), and the private environment has to "
            "be made there; copy Pilewatch into a folder of your own"
        ) from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _tell("Pilewatch: another pilewatch is making the environment; waiting for it.")
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield fd
    finally:
        os.close(fd)


def _make(venv: Path) -> None:
    # The real file behind links such as /usr/bin/python3: when the system moves on to another
    # Python, the environment then breaks visibly and is made anew.
    python = os.path.realpath(sys.executable)
    done = _run([python, "-I", "-m", "venv", str(venv)], _environment())
    if done.returncode:
        last = (done.stdout.strip().splitlines() or ["no message"])[-1]
        raise SetupError(f"{python} -m venv failed ({last})")


def _install(root: Path, lock_name: str, lock: bytes, lock_fd: int) -> None:
    """Install what ``lock`` pins, showing each package as it comes."""
    pip = [
        *(str(root / ".venv" / "bin" / "python"), "-I", "-m", "pip", "install"),
        *("--require-hashes", "--no-deps", "--only-binary", ":all:"),
        *("--progress-bar", "off", "--no-input", "-r", str(root / lock_name)),
    ]
    total = len(re.findall(rb"^[\w.-]+==", lock, re.MULTILINE))
    log: list[str] = []
    seen: set[str] = set()
    # pip keeps our lock open: should this process be killed, nobody starts beside a living pip.
    with subprocess.Popen(
        pip,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=(lock_fd,),
    ) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe, as asked for above
        for line in process.stdout:
            log.append(line)
            if line.startswith(("Ignoring ", "Requirement already satisfied")):
                total -= 1  # for another system, or there already
            elif (wheel := _WHEEL.match(line.strip())) and wheel[1] not in seen:
                seen.add(wheel[1])
                size = wheel[3].removesuffix(".metadata").strip()
                _tell(f"  {len(seen):2}/{total}  {wheel[1].replace('_', '-')} {wheel[2]} {size}")
            elif line.startswith("Installing collected packages"):
                _tell("  unpacking …")
    if process.returncode:
        raise SetupError(_why_pip_failed(root, "".join(log)))


def _why_pip_failed(root: Path, log: str) -> str:
    for sign, remedy in _REMEDIES:
        if sign in log:
            reason = remedy
            break
    else:
        errors = [line for line in log.splitlines() if line.startswith("ERROR: ")]
        reason = errors[-1].removeprefix("ERROR: ") if errors else "pip failed"
    path = root / ".venv-setup.log"
    try:
        path.write_text(log, encoding="utf-8")
    except OSError:
        return reason
    return f"{reason} (details: {path})"


def _link_project(venv: Path) -> None:
    """Make the checkout importable in ``venv`` and give it the command ``pilewatch``.

    Both are relative, so that a checkout can be moved, and need no build tool.
    """
    major, minor = sys.version_info[:2]
    site = venv / "lib" / f"python{major}.{minor}" / "site-packages"
    if not site.is_dir():  # made earlier by another Python than the one that runs this
        site = next(venv.glob("lib/python*/site-packages"))
    (site / "pilewatch.pth").write_text("../../../..\n", encoding="utf-8")
    command = venv / "bin" / "pilewatch"
    command.write_text(
        '#!/bin/sh\nexec "$(dirname -- "$(readlink -f -- "$0")")/python" -P -m firmware "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)


def _environment() -> dict[str, str]:
    """Return the environment for pip and venv: the user's, less what would lead them astray."""
    astray = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_HASHES", "PIP_NO_BINARY"}
    env = {
        key: value
        for key, value in os.environ.items()
        if key not in astray and not key.startswith("PYTHON")
    }
    env |= {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if not Path(env.get("HOME", "")).is_absolute():
        # Without a home pip would put its cache into the folder we were called from.
        env.pop("HOME", None)
        env["PIP_NO_CACHE_DIR"] = "1"
    return env


def _run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def _remove(venv: Path) -> None:
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)


def _has_any_stamp(venv: Path) -> bool:
    return any((venv / name).is_file() for name in (RUNTIME_LOCK, TEST_LOCK))


def _stamp(venv: Path, name: str) -> bytes | None:
    try:
        return (venv / name).read_bytes()
    except OSError:
        return None


def _write_stamp(path: Path, content: bytes) -> None:
    draft = path.with_name(path.name + ".new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetupError(
            f"{path} cannot be read ({error.strerror}); is the checkout whole?"
        ) from error


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - the launcher has no other voice


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
