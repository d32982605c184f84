"""Making .venv: all or nothing, one at a time, and a sentence when it cannot be."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from firmware import environment
from firmware.environment import RUNTIME_LOCK, TEST_LOCK, SetupError, is_complete, prepare


class Builder:
    """Stands in for venv and pip, and writes down what they were asked to do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.did: list[str] = []
        self.fail: BaseException | None = None
        self.pause = 0.0
        monkeypatch.setattr(environment, "_make", self.make)
        monkeypatch.setattr(environment, "_install", self.install)

    def make(self, venv: Path) -> None:
        self.did.append("make")
        site = venv / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
        (site / "site-packages").mkdir(parents=True)
        (venv / "bin").mkdir()
        (venv / "bin" / "python").symlink_to(sys.executable)

    def install(self, root: Path, lock_name: str, lock: bytes, lock_fd: int) -> None:
        self.did.append(f"install {lock_name}")
        time.sleep(self.pause)
        if self.fail is not None:
            raise self.fail


@pytest.fixture
def builder(monkeypatch: pytest.MonkeyPatch) -> Builder:
    return Builder(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a checkout"
    root.mkdir()
    (root / RUNTIME_LOCK).write_text("numpy==2\n")
    (root / TEST_LOCK).write_text("numpy==2\npytest==9\n")
    return root


def test_the_first_time(root: Path, builder: Builder, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(root, RUNTIME_LOCK)
    assert builder.did == ["make", f"install {RUNTIME_LOCK}"]
    assert is_complete(root, RUNTIME_LOCK)
    assert not is_complete(root, TEST_LOCK)
    out, err = capsys.readouterr()
    assert out == ""  # standard output belongs to the command that follows
    assert err.endswith("Pilewatch: ready.\n")


def test_the_second_time_nothing_is_done(root: Path, builder: Builder) -> None:
    prepare(root, RUNTIME_LOCK)
    prepare(root, RUNTIME_LOCK)
    assert builder.did == ["make", f"install {RUNTIME_LOCK}"]


def test_the_test_tools_come_on_top(root: Path, builder: Builder) -> None:
    prepare(root, RUNTIME_LOCK)
    prepare(root, TEST_LOCK)
    assert builder.did[2:] == [f"install {TEST_LOCK}"]
    assert is_complete(root, RUNTIME_LOCK)
    assert is_complete(root, TEST_LOCK)


def test_the_test_lock_vouches_for_playing_too(root: Path, builder: Builder) -> None:
    prepare(root, TEST_LOCK)
    assert is_complete(root, RUNTIME_LOCK)


def test_a_changed_lock_is_installed_into_what_is_there(root: Path, builder: Builder) -> None:
    prepare(root, TEST_LOCK)
    (root / RUNTIME_LOCK).write_text("numpy==3\n")
    (root / TEST_LOCK).write_text("numpy==3\npytest==9\n")
    prepare(root, RUNTIME_LOCK)
    assert builder.did[2:] == [f"install {RUNTIME_LOCK}"]
    assert is_complete(root, RUNTIME_LOCK)
    assert not is_complete(root, TEST_LOCK)


@pytest.mark.parametrize("lock", [RUNTIME_LOCK, TEST_LOCK])
@pytest.mark.parametrize(
    "why", [KeyboardInterrupt(), SetupError("the disk is full"), OSError(errno.ENOSPC, "full")]
)
def test_an_interrupted_one_is_made_anew(
    root: Path, builder: Builder, lock: str, why: BaseException
) -> None:
    builder.fail = why
    with pytest.raises((KeyboardInterrupt, SetupError)):
        prepare(root, lock)
    assert not is_complete(root, lock)
    (root / ".venv" / "rubbish").write_text("half a package")
    builder.fail = None
    prepare(root, lock)
    assert builder.did[2:] == ["make", f"install {lock}"]
    assert not (root / ".venv" / "rubbish").exists()


def test_an_interrupted_update_is_made_anew(root: Path, builder: Builder) -> None:
    prepare(root, RUNTIME_LOCK)
    (root / RUNTIME_LOCK).write_text("numpy==3\n")
    builder.fail = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        prepare(root, RUNTIME_LOCK)
    builder.fail = None
    prepare(root, RUNTIME_LOCK)
    assert builder.did[3:] == ["make", f"install {RUNTIME_LOCK}"]


def test_adding_the_test_tools_in_vain_does_not_stop_the_game(root: Path, builder: Builder) -> None:
    prepare(root, RUNTIME_LOCK)
    builder.fail = SetupError("no network")
    with pytest.raises(SetupError):
        prepare(root, TEST_LOCK)
    assert is_complete(root, RUNTIME_LOCK)
    assert not is_complete(root, TEST_LOCK)


@pytest.mark.parametrize("kind", ["empty folder", "foreign folder", "file", "link"])
def test_whatever_is_in_the_way_is_replaced(root: Path, builder: Builder, kind: str) -> None:
    venv = root / ".venv"
    elsewhere = root / "elsewhere"
    if kind == "file":
        venv.write_text("")
    elif kind == "link":
        elsewhere.mkdir()
        (elsewhere / "precious").write_text("")
        venv.symlink_to(elsewhere)
    else:
        venv.mkdir()
        if kind == "foreign folder":
            (venv / "bin").mkdir()
    prepare(root, RUNTIME_LOCK)
    assert is_complete(root, RUNTIME_LOCK)
    if kind == "link":
        assert (elsewhere / "precious").exists()


def test_a_vanished_python_is_noticed(root: Path, builder: Builder) -> None:
    prepare(root, RUNTIME_LOCK)
    python = root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/usr/bin/python3.10-removed-by-an-upgrade")
    assert not is_complete(root, RUNTIME_LOCK)
    prepare(root, RUNTIME_LOCK)
    assert builder.did[2:] == ["make", f"install {RUNTIME_LOCK}"]


def test_two_at_once_build_once(
    root: Path, builder: Builder, capsys: pytest.CaptureFixture[str]
) -> None:
    builder.pause = 0.3
    both = [threading.Thread(target=prepare, args=(root, RUNTIME_LOCK)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join(20)
    assert builder.did == ["make", f"install {RUNTIME_LOCK}"]
    assert is_complete(root, RUNTIME_LOCK)
    assert "waiting for it" in capsys.readouterr().err


def test_the_environment_finds_the_checkout_even_after_a_move(root: Path, builder: Builder) -> None:
    (root / "firmware").mkdir()
    (root / "firmware" / "__init__.py").write_text("")
    (root / "firmware" / "__main__.py").write_text("import sys; print(sys.argv[1:])")
    prepare(root, RUNTIME_LOCK)
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    moved = root.rename(root.with_name("moved here"))
    command = moved / ".venv" / "bin" / "pilewatch"
    done = subprocess.run([command, "a b"], cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout == "['a b']\n", done.stderr


def sentence(root: Path, capsys: pytest.CaptureFixture[str], lock: str = RUNTIME_LOCK) -> str:
    with pytest.raises(SetupError) as caught:
        prepare(root, lock)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_checkout_that_cannot_be_written(
    root: Path,
    builder: Builder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    assert sentence(root, capsys) == (
        f"{root} cannot be written to (Read-only file system), and the private environment has to "
        "be made there; copy Pilewatch into a folder of your own"
    )


def test_a_python_without_venv(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda _: None)
    assert "sudo apt install python3-venv" in sentence(root, capsys)


def test_a_32_bit_machine(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    assert "needs a 64-bit system" in sentence(root, capsys)


def test_a_missing_lock(root: Path, builder: Builder, capsys: pytest.CaptureFixture[str]) -> None:
    (root / RUNTIME_LOCK).unlink()
    assert "is the checkout whole?" in sentence(root, capsys)


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("ERROR: [Errno 28] No space left on device\n", "the disk is full"),
        (
            "WARNING: Retrying after NewConnectionError: Failed to establish\n"
            "ERROR: No matching distribution found for numpy==2\n",
            "only the first start needs the internet",
        ),
        (
            "ERROR: Could not find a version\nERROR: No matching distribution found for numpy==2\n",
            "a package has no ready-made build for Python 3.",
        ),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE\n",
            "is not the one that was tested",
        ),
        ("ERROR: something else\n", "something else"),
        ("", "pip failed"),
    ],
)
def test_what_pip_says_becomes_a_sentence(root: Path, log: str, told: str) -> None:
    why = environment._why_pip_failed(root, log)
    assert told in why
    assert str(root / ".venv-setup.log") in why
    assert (root / ".venv-setup.log").read_text() == log


@pytest.mark.parametrize("home", ["", "relative", None])
def test_without_a_home_pip_keeps_no_cache(
    monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    if home is None:
        monkeypatch.delenv("HOME", raising=False)
    else:
        monkeypatch.setenv("HOME", home)
    env = environment._environment()
    assert env["PIP_NO_CACHE_DIR"] == "1"
    assert not {"HOME", "PIP_TARGET", "PYTHONPATH"} & env.keys()
