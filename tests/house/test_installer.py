"""The installer: refuses what cannot work, says what it would do, and leaves scores alone."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).resolve().parents[2] / "systemd" / "install.sh"


@pytest.fixture
def tree(tmp_path):
    """The beginnings of a system, and programs that stand in for Debian's."""
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "os-release").write_text('PRETTY_NAME="x"\nVERSION_CODENAME=trixie\n')
    (root / "boot" / "firmware").mkdir(parents=True)
    (root / "boot" / "firmware" / "config.txt").write_text("dtparam=audio=on\n")
    (tmp_path / "bin").mkdir()
    program(tmp_path, "dpkg", "echo arm64")
    program(tmp_path, "dpkg-query", "exit 1")
    return root


def program(tmp_path, name, script):
    path = tmp_path / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def install(tree, *words):
    return subprocess.run(
        ["sh", str(INSTALL), "--root", str(tree), *words],
        env={**os.environ, "PATH": f"{tree.parent / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def content(tree):
    return {str(p.relative_to(tree)): p.read_bytes() for p in tree.rglob("*") if p.is_file()}


def test_a_dry_run_says_what_it_would_do_and_does_nothing(tree):
    before = content(tree)
    done = install(tree, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert content(tree) == before
    for word in ("python3-picamera2", "dtparam=i2c_arm=on", "pilewatch.service", "pip install"):
        assert word in done.stdout
    assert done.stdout.endswith("Nothing was changed.\n")


def test_numpy_is_the_systems_own_and_its_hashes_go_with_it(tree):
    lock = (INSTALL.parent.parent / "requirements.lock").read_text()
    kept = subprocess.run(
        ["awk", "/^[^ ]/ { skip = /^numpy==/ } !skip"],
        input=lock, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "numpy==" in lock
    assert "numpy" not in kept
    names = [line.split("==")[0] for line in lock.splitlines() if line[:1].isalnum()]
    assert [n for n in names if n != "numpy"] == [
        line.split("==")[0] for line in kept.splitlines() if line[:1].isalnum()
    ]
    assert "skip = /^numpy==/ } !skip" in INSTALL.read_text()


@pytest.mark.parametrize("arch", ["armhf", "armel", "i386"])
def test_a_32_bit_system_is_refused_with_the_reason(tree, arch):
    program(tree.parent, "dpkg", f"echo {arch}")
    done = install(tree, "--dry-run")
    assert done.returncode == 3
    assert arch in done.stderr
    assert "64-bit Raspberry Pi OS" in done.stderr


@pytest.mark.parametrize("name", ["bullseye", ""])
def test_another_release_is_refused(tree, name):
    (tree / "etc" / "os-release").write_text(f"VERSION_CODENAME={name}\n")
    done = install(tree, "--dry-run")
    assert done.returncode == 3
    assert "bookworm or trixie" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--dryrun"], "there is no option --dryrun"),
        (["--wheels"], "--wheels takes a folder"),
        (["--wheels", "/nowhere"], "there is no folder /nowhere"),
    ],
)
def test_a_wrong_word_ends_in_a_sentence(tree, words, says):
    done = install(tree, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_uninstalling_keeps_scores_and_settings(tree):
    for name in (
        "etc/systemd/system/pilewatch.service",
        "opt/pilewatch/program/x",
        "etc/udev/rules.d/60-pilewatch.rules",
        "etc/pilewatch.toml",
        "var/lib/pilewatch/journal/nights.db",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("x")
    done = install(tree, "--uninstall")
    assert done.returncode == 0, done.stderr
    left = set(content(tree))
    assert {"etc/pilewatch.toml", "var/lib/pilewatch/journal/nights.db"} <= left
    assert not any("opt/" in name or "rules" in name or "service" in name for name in left)
    assert install(tree, "--uninstall").returncode == 0


def test_the_dry_uninstall_removes_nothing(tree):
    (tree / "opt" / "pilewatch").mkdir(parents=True)
    (tree / "opt" / "pilewatch" / "x").touch()
    assert install(tree, "--uninstall", "--dry-run").returncode == 0
    assert (tree / "opt" / "pilewatch" / "x").exists()
