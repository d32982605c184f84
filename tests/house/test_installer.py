"""The installer: refuses what cannot work, says what it would do, and leaves scores alone."""

from __future__ import annotations

import os
import shutil
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


def install(tree, *words, script=INSTALL, umask=-1):
    return subprocess.run(
        ["sh", str(script), "--root", str(tree), *words],
        umask=umask,
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
    for word in (
        "python3-picamera2",
        "polkitd",
        "dtparam=i2c_arm=on",
        "camera_auto_detect=1",
        "pilewatch.service",
        "pip install",
    ):
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
    done = install(tree, "--uninstall", "--dry-run")
    assert done.returncode == 0
    assert done.stdout.endswith("Nothing was changed.\n")
    assert "is removed" not in done.stdout
    assert (tree / "opt" / "pilewatch" / "x").exists()


# -- a real run in a tree, with a stand-in for Debian's Python ------------------------------------

PYTHON = """#!/bin/sh
case "$*" in
*"-m venv"*)
    for folder; do :; done
    mkdir -p "$folder/bin" "$folder/lib"
    cp "$0" "$folder/bin/python"
    ;;
-c*) echo "$(dirname "$(dirname "$0")")/lib" ;;
*config*) echo "# settings" ;;
esac
"""


@pytest.fixture
def whole(tree):
    """A tree that has all packages."""
    program(tree.parent, "dpkg-query", "echo installed")
    program(tree.parent, "python3", PYTHON.removeprefix("#!/bin/sh\n"))
    return tree


def test_it_installs_and_upgrades_by_one_rename(whole):
    place = whole / "opt" / "pilewatch" / "program"
    seen = []
    for _ in range(3):
        done = install(whole)
        assert done.returncode == 0, done.stderr
        seen.append(place.readlink().name)
        assert (place / "firmware" / "cli.py").is_file()
    assert seen == ["program-a", "program-b", "program-a"]
    assert (whole / "etc" / "systemd" / "system" / "pilewatch.service").is_file()
    assert (whole / "etc" / "pilewatch.toml").read_text() == "# settings\n"


def test_the_packages_may_lie_on_a_stick_whose_name_has_a_space(whole, tmp_path, monkeypatch):
    stick = tmp_path / "my stick"
    stick.mkdir()
    # The stand-in writes down the words it was called with, a line each.
    python = PYTHON.replace('case "$*" in', 'printf "%s\\n" "$@" >>"$HEARD"\ncase "$*" in', 1)
    program(tmp_path, "python3", python.removeprefix("#!/bin/sh\n"))
    monkeypatch.setenv("HEARD", str(tmp_path / "heard"))
    assert install(whole, "--wheels", str(stick)).returncode == 0
    heard = (tmp_path / "heard").read_text().splitlines()
    at = heard.index("--find-links")
    assert heard[at - 1 : at + 3] == ["--no-index", "--find-links", str(stick), "-r"]


def test_what_an_early_version_left_there_is_replaced(whole):
    old = whole / "opt" / "pilewatch" / "program" / "firmware"
    old.mkdir(parents=True)
    (old / "old.py").touch()
    assert install(whole).returncode == 0
    assert not (old / "old.py").exists()
    assert (old / "cli.py").is_file()


@pytest.mark.parametrize("command", ["cp", "ln", "mv"])
def test_an_upgrade_that_ends_half_way_leaves_the_old_program(whole, command):
    assert install(whole).returncode == 0
    place = whole / "opt" / "pilewatch" / "program"
    fails = 'case "$*" in *program-b*|*program.new*) exit 1 ;; esac'
    program(whole.parent, command, f'{fails}\nexec /bin/{command} "$@"')
    assert install(whole).returncode != 0
    assert place.readlink().name == "program-a"
    assert (place / "firmware" / "cli.py").is_file()
    (whole.parent / "bin" / command).unlink()
    assert install(whole).returncode == 0
    assert place.readlink().name == "program-b"


@pytest.mark.parametrize(
    ("before", "has", "lacks", "says"),
    [
        ("", "[all]\ncamera_auto_detect=1\n", "#", "detection is switched on"),
        ("camera_auto_detect=0\n", "[all]\ncamera_auto_detect=1\n", "#", "is switched on"),
        ("[pi5]\ncamera_auto_detect=1\n", "[all]\ncamera_auto_detect=1\n", "#", "switched on"),
        ("camera_auto_detect=1\n", "camera_auto_detect=1\n", "[all]\ncam", "by itself"),
        (
            "camera_auto_detect=0\ndtoverlay=imx708\n",
            "camera_auto_detect=0\n",
            "auto_detect=1",
            "sensor is named",
        ),
        ("start_x=1\n", "#start_x=1\n", "\nstart_x=1", "legacy camera"),
    ],
)
def test_the_camera_is_switched_on_and_nothing_else_is_touched(whole, before, has, lacks, says):
    config = whole / "boot" / "firmware" / "config.txt"
    config.write_text("# mine\ndtparam=audio=on\n" + before)
    done = install(whole)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    once = config.read_text()
    assert once.startswith("# mine\ndtparam=audio=on\n")
    assert has in once
    assert lacks == "#" or lacks not in once
    assert once.count("dtparam=i2c_arm=on") == 1
    assert install(whole).returncode == 0
    assert config.read_text() == once


@pytest.mark.parametrize(
    ("lines", "on"),
    [
        ("dtparam=i2c_arm=on\n", True),
        ("dtparam=audio=on,i2c_arm=on\r\n", True),
        ("dtparam=i2c=on", True),
        ("dtparam=i2c_arm\n", True),
        ("[pi5]\ndtoverlay=x\n[all]\ndtparam=i2c_arm=on\n[pi4]\ndtparam=spi=on\n", True),
        ("dtparam=i2c_arm=off\ndtparam=i2c_arm=on\n", True),
        ("#dtparam=i2c_arm=on\n", False),
        ("[pi5]\ndtparam=i2c_arm=on\n", False),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off\n", False),
        ("dtparam=i2c_arm=on\n[pi4]\ndtparam=i2c_arm=off\n", False),
        ("dtparam=i2c_arm_baudrate=400000\n", False),
    ],
)
def test_the_bus_of_the_panel_is_on_where_the_last_word_for_every_board_says_so(whole, lines, on):
    config = whole / "boot" / "firmware" / "config.txt"
    config.write_text("camera_auto_detect=1\n" + lines)
    before = config.read_bytes()
    done = install(whole)
    assert ("I²C: is on\n" in done.stdout) is on, done.stderr
    assert (config.read_bytes() == before) is on
    assert "I²C: is on\n" in install(whole).stdout


def test_whoever_keeps_his_files_to_himself_installs_for_all(whole, tmp_path):
    copy = tmp_path / "copy"
    for name in ("systemd", "firmware"):
        shutil.copytree(INSTALL.parents[1] / name, copy / name)
    shutil.copy(INSTALL.parents[1] / "requirements.lock", copy)
    for path in copy.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)
    # As an installer of earlier versions left it there.
    (whole / "opt" / "pilewatch").mkdir(parents=True, mode=0o700)
    done = install(whole, script=copy / "systemd" / "install.sh", umask=0o077)
    assert done.returncode == 0, done.stderr
    made = [whole / "etc" / "pilewatch.toml", *(whole / "opt").rglob("*")]
    assert len(made) > 50
    for path in made:
        wanted = 0o555 if path.is_dir() else 0o444
        assert path.stat().st_mode & wanted == wanted, path


def test_fresh_lists_of_packages_are_fetched_first(tree):
    done = install(tree, "--dry-run")
    assert done.stdout.index("apt-get update") < done.stdout.index("apt-get install")


PIP_FAILS = PYTHON.replace("-c*)", '*"pip install"*) exit 1 ;;\n-c*)')


def test_without_its_packages_the_new_program_does_not_take_the_place_of_the_old(whole):
    assert install(whole).returncode == 0
    program = whole / "opt" / "pilewatch" / "program"
    (whole / "opt" / "pilewatch" / "venv" / "bin" / "python").write_text(PIP_FAILS)
    done = install(whole)
    assert done.returncode == 1
    assert program.readlink().name == "program-a"
    assert done.stderr.endswith("without a network give --wheels DIR\n")


def test_a_folder_that_lacks_packages_is_told(whole, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    program(tmp_path, "python3", PIP_FAILS + 'case $1 in --version) echo "Python 3.13.5" ;; esac')
    done = install(whole, "--wheels", str(stick))
    assert done.returncode == 1
    assert done.stderr == (
        "install.sh: the Python packages could not be installed; expected in"
        f" {stick} all that requirements.lock names, fetched for Python 3.13.5 on arm64\n"
    )


def test_settings_that_cannot_be_used_are_told_by_the_installer(whole):
    refuses = PYTHON.replace(
        '*config*) echo "# settings"', '*config*) echo "pilewatch: X" >&2; exit 2'
    )
    assert install(whole).returncode == 0
    (whole / "opt" / "pilewatch" / "venv" / "bin" / "python").write_text(refuses)
    done = install(whole)
    assert done.returncode == 1
    assert done.stderr == (
        "install.sh: Pilewatch is in place, but its settings cannot be used (X); put them right,"
        " and run this again\n"
    )
    assert "is installed" not in done.stdout


def test_what_stays_after_uninstalling_is_said_with_its_place(whole):
    done = install(whole, "--uninstall")
    assert f"{whole}/var/lib/pilewatch" in done.stdout
    assert f"{whole}/etc/pilewatch.toml" in done.stdout
    for word in ("user pilewatch", "groups gpio and i2c", "config.txt"):
        assert word in done.stdout


def test_what_is_plugged_in_already_gets_its_group_at_once(whole):
    done = install(whole)
    lines = done.stdout.splitlines()
    reload = next(i for i, line in enumerate(lines) if "udevadm control --reload" in line)
    assert "udevadm trigger --action=change --subsystem-match=gpio" in lines[reload + 1]
