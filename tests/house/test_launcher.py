"""The launcher ./pilewatch, in checkouts made for the purpose with stand-ins for Python."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def script(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in a folder with spaces, its environment complete and a recorder for Python."""
    root = tmp_path / "my own checkout"
    root.mkdir()
    shutil.copy(ROOT / "pilewatch", root / "pilewatch")
    for lock in ("requirements.lock", "requirements-test.lock"):
        (root / lock).write_text(f"pins of {lock}\n")
        (root / ".venv").mkdir(exist_ok=True)
        shutil.copy(root / lock, root / ".venv" / lock)
    say = 'for each in "$@"; do printf "[%s]" "$each"; done; printf " in %s\\n" "$PWD"'
    script(root / ".venv" / "bin" / "python", say)
    return root


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH on which a test puts the Pythons that the machine shall have."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("sh", "cmp", "dirname", "readlink", "echo", "cat"):
        (folder / name).symlink_to(shutil.which(name) or "")
    return folder


def launch(
    command: Path, *arguments: str, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": "/nowhere"} | ({"PATH": str(path)} if path else {})
    return subprocess.run(
        [command, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def python(folder: Path, name: str, *, old: bool = False) -> None:
    """A Python that, unless it is too old, says what it was to run with, and how."""
    answer = (
        'if [ "$2" = -c ]; then exit 1; fi; echo "Python 3.9.2"'
        if old
        else 'if [ "$2" = -c ]; then exit 0; fi; echo "$0 makes the environment: $3" >&2; exit 7'
    )
    script(folder / name, answer)


def test_a_complete_environment_is_used_at_once(checkout: Path, tmp_path: Path) -> None:
    done = launch(checkout / "pilewatch", "look", "a b.jpg", "--json", cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout == f"[-P][-m][firmware][look][a b.jpg][--json] in {tmp_path}\n"


def test_it_may_be_called_through_a_link(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "pw").symlink_to(checkout / "pilewatch")
    done = launch(tmp_path / "pw", "--version", cwd=tmp_path)
    assert done.stdout.startswith("[-P][-m][firmware][--version]")


@pytest.mark.parametrize(
    ("spoil", "arguments", "lock"),
    [
        ("requirements.lock", ["demo"], "requirements.lock"),
        ("requirements-test.lock", ["test"], "requirements-test.lock"),
        (".venv/requirements.lock", ["demo"], "requirements.lock"),
        (".venv/requirements-test.lock", ["test", "-q"], "requirements-test.lock"),
        (".venv/bin/python", ["demo"], "requirements.lock"),
    ],
)
def test_an_incomplete_or_outdated_environment_is_mended_first(
    checkout: Path, tools: Path, spoil: str, arguments: list[str], lock: str
) -> None:
    python(tools, "python3")
    if spoil.startswith(".venv"):
        (checkout / spoil).unlink()
    else:
        (checkout / spoil).write_text("other pins\n")
    done = launch(checkout / "pilewatch", *arguments, cwd=checkout, path=tools)
    assert done.returncode == 7  # and what could not be mended is not started
    assert done.stdout == ""
    assert done.stderr == f"{tools}/python3 makes the environment: {lock}\n"


def test_ctrl_c_waits_until_python_can_answer_it(checkout: Path, tmp_path: Path) -> None:
    # Not a shell's script, for some shells let all signals in.
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(
        f"#!{sys.executable}\nimport signal\nprint(*signal.pthread_sigmask(signal.SIG_BLOCK, ()))\n"
    )
    assert launch(checkout / "pilewatch", "demo", cwd=tmp_path).stdout == f"{signal.SIGINT:d}\n"


def test_the_test_tools_are_not_needed_to_play(checkout: Path, tmp_path: Path) -> None:
    (checkout / ".venv" / "requirements-test.lock").unlink()
    assert launch(checkout / "pilewatch", "demo", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("arguments", [[], ["--help"], ["help"], ["-h"], ["--version"]])
def test_what_this_is_needs_no_environment(
    checkout: Path, tools: Path, arguments: list[str]
) -> None:
    script(tools / "python3", 'if [ "$2" = -c ]; then exit 0; fi; echo "$PYTHONPATH: $@"')
    (checkout / ".venv" / "requirements.lock").unlink()
    done = launch(checkout / "pilewatch", *arguments, cwd=tools, path=tools)
    assert done.stdout.split(": ") == [
        str(checkout),
        " ".join(["-P -m firmware", *arguments]) + "\n",
    ]


def test_a_newer_python_is_found_beside_an_old_one(checkout: Path, tools: Path) -> None:
    python(tools, "python3", old=True)
    python(tools, "python3.12")
    (checkout / ".venv" / "requirements.lock").unlink()
    done = launch(checkout / "pilewatch", "demo", cwd=checkout, path=tools)
    assert f"{tools}/python3.12 makes the environment" in done.stderr


@pytest.mark.parametrize("there", [True, False], ids=["too old", "none"])
def test_without_a_fitting_python_it_says_so_in_a_sentence(
    checkout: Path, tools: Path, there: bool
) -> None:
    if there:
        python(tools, "python3", old=True)
    (checkout / ".venv" / "requirements.lock").unlink()
    done = launch(checkout / "pilewatch", "demo", cwd=checkout, path=tools)
    assert done.returncode == 1
    assert done.stdout == ""
    found = "Python 3.9.2" if there else "no python3"
    assert done.stderr == (
        f"pilewatch: Python 3.11 or newer is needed and none was found on PATH (found: {found});"
        " on Debian or Raspberry Pi OS: sudo apt install python3 python3-venv\n"
    )
