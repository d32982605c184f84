"""The command line: help at once, one sentence for every failure, and the right exit code."""

from __future__ import annotations

import argparse
import importlib.machinery
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import CardError, PilewatchError
from firmware import __version__, cli
from firmware.cli import main
from firmware.commands import test as command
from firmware.folders import state_folder

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[BaseException], int]:
    """Runs a command that raises what it is given."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("PILEWATCH_DEBUG", raising=False)

    def run_with(error: BaseException) -> int:
        def run(args: argparse.Namespace) -> int:
            raise error

        monkeypatch.setattr(command, "run", run)
        return main(["test"])

    return run_with


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"], ["help"]])
def test_help_comes_without_asking(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "usage: pilewatch COMMAND" in out
    assert all(f"  {name}" in out for name in cli.available())


def test_every_command_is_listed_and_every_listed_command_is_there() -> None:
    there = {p.stem.replace("_", "-") for p in (ROOT / "firmware" / "commands").glob("[a-z]*.py")}
    assert set(cli.available()) == there


@pytest.mark.parametrize("name", sorted(cli.available()))
def test_every_command_explains_itself(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    out, err = capfd.readouterr()
    assert "usage:" in out
    assert err == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pilewatch {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lok"], "pilewatch: there is no command 'lok'; did you mean look?"),
        (
            ["xyzzy"],
            "pilewatch: there is no command 'xyzzy'; pilewatch --help lists what there is.",
        ),
        (["--jsn"], "pilewatch: there is no option '--jsn'; pilewatch --help lists what there is."),
        (
            ["look"],
            "pilewatch look: the following arguments are required: PHOTO "
            "(see: pilewatch look --help)",
        ),
        (
            ["bench", "--rounds", "0"],
            "pilewatch bench: argument --rounds: '0' is no number of rounds from 1 to 1000 "
            "(see: pilewatch bench --help)",
        ),
        (
            ["backup", "x" * 300],
            f"pilewatch backup: argument FOLDER: '{'x' * 58}… cannot be used (File name too long) "
            "(see: pilewatch backup --help)",
        ),
        (
            ["learn-deck", "odd", "x" * 300],
            f"pilewatch learn-deck: argument SOURCE: '{'x' * 58}… cannot be used (File name too "
            "long) (see: pilewatch learn-deck --help)",
        ),
        (
            ["x" * 300],
            f"pilewatch: there is no command '{'x' * 58}…; pilewatch --help lists what there is.",
        ),
        (
            ["look", "a.jpg", "--js"],
            "pilewatch look: unrecognized arguments: '--js' (see: pilewatch look --help)",
        ),
        (
            ["night", "open", "Ann", "Bob"],
            "pilewatch night open: unrecognized arguments: 'Bob' "
            "(see: pilewatch night open --help)",
        ),
    ],
)
def test_a_wrong_command_line_gets_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", sentence + "\n")


@pytest.mark.parametrize("kind", [PilewatchError, CardError])
def test_our_errors_are_told_as_they_are(
    kind: type[PilewatchError],
    fails: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fails(kind("a.jsonl:3: '11H' is no card; expected a rank and a suit")) == 2
    said = "pilewatch: a.jsonl:3: '11H' is no card; expected a rank and a suit\n"
    assert capsys.readouterr() == ("", said)


def test_a_mistake_of_ours_is_kept_in_a_file(
    fails: Callable[[BaseException], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails(KeyError("seven\nof clubs")) == 70
    log = tmp_path / "state" / "pilewatch" / "pilewatch-crash.log"
    err = capsys.readouterr().err
    assert err == (
        "pilewatch: a mistake inside Pilewatch (KeyError: 'seven\\nof clubs'); "
        f"the details are in {log}.\n"
    )
    assert "Traceback" in log.read_text()
    assert "arguments: ['test']" in log.read_text()
    fails(ValueError("again"))
    assert log.read_text().count("Traceback") == 2


def test_without_a_place_for_it_the_temporary_folder_serves(
    fails: Callable[[BaseException], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert fails(ValueError("x")) == 70
    assert f"the details are in {tmp_path}/pilewatch-crash.log." in capsys.readouterr().err
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert fails(ValueError("x")) == 70
    assert "could not be written anywhere." in capsys.readouterr().err


def test_a_developer_sees_the_traceback(
    fails: Callable[[BaseException], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILEWATCH_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        fails(ZeroDivisionError())


def test_ctrl_c_is_quiet(
    fails: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fails(KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("code", "expected"), [(None, 0), (3, 3), ("bad", 1)])
def test_system_exit_keeps_its_code(
    code: object, expected: int, fails: Callable[[BaseException], int]
) -> None:
    assert fails(SystemExit(code)) == expected


COMMAND = [sys.executable, "-P", "-m", "firmware"]
ENV = os.environ | {"PYTHONPATH": str(ROOT)}


def pilewatch(*arguments: str, **how: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        env=ENV,
        stderr=subprocess.PIPE,
        **how,  # type: ignore[call-overload]
    )


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    process = pilewatch("--help", stdout=write)
    os.close(write)
    assert process.communicate()[1] == b""
    assert process.returncode == 141


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["rules"], ["look", "--help"]])
def test_a_full_output_is_told(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        process = pilewatch(*arguments, stdout=full)
        told = process.communicate()[1]
    assert told == b"pilewatch: the disk is full, nothing more can be written\n"
    assert process.returncode == 74


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["rules"], ["look", "--help"]])
def test_a_closed_output_is_told(arguments: list[str]) -> None:
    process = pilewatch(*arguments, preexec_fn=lambda: os.close(1))
    told = process.communicate()[1]
    assert told == b"pilewatch: standard output is closed; expected a place to write to\n"
    assert process.returncode == 74


def test_where_nobody_can_be_told_the_exit_code_says_it() -> None:
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run([*COMMAND, "xyzzy"], env=ENV, stderr=full).returncode == 2
    assert (
        subprocess.run([*COMMAND, "xyzzy"], env=ENV, preexec_fn=lambda: os.close(2)).returncode == 2
    )


def test_ctrl_c_is_held_back_until_it_can_be_answered(capfd: pytest.CaptureFixture[str]) -> None:
    blocked = {signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    # A shell starts what runs in the background deaf to it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        assert main(["--version"]) == 130
        assert capfd.readouterr() == ("", "")
        assert not blocked & signal.pthread_sigmask(signal.SIG_BLOCK, set())
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
        signal.signal(signal.SIGINT, before)


class ExtensionFileLoader:
    """In place of Python's own, with a library that is interrupted while it is imported."""

    @staticmethod
    def exec_module(number: signal.Signals) -> None:
        try:
            signal.raise_signal(number)
        except (KeyboardInterrupt, SystemExit):
            raise ImportError("initialization failed") from None


def test_pythons_own_loader_of_libraries_in_c_is_known_by_its_name() -> None:
    loader = importlib.machinery.ExtensionFileLoader
    for act in (loader.create_module, loader.exec_module):
        assert act.__code__.co_qualname.startswith("ExtensionFileLoader.")


@pytest.mark.parametrize(
    ("number", "untouched"),
    [
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_DFL),
    ],
)
def test_what_ends_a_command_while_a_library_in_c_is_imported_waits_until_it_has_come(
    number: signal.Signals,
    untouched: signal.Handlers,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(args: argparse.Namespace) -> int:
        ExtensionFileLoader.exec_module(number)
        time.sleep(10)
        return 0

    monkeypatch.setattr("firmware.commands.rules.run", run)
    before = signal.signal(number, untouched)
    try:
        assert main(["rules"]) == 128 + number
        assert signal.getsignal(number) is untouched
    finally:
        signal.signal(number, before)
    assert capsys.readouterr() == ("", "")


def test_a_command_that_shall_outlive_its_terminal_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """As nohup starts it: deaf to a closed terminal."""

    def run(args: argparse.Namespace) -> int:
        signal.raise_signal(signal.SIGHUP)
        return 0

    monkeypatch.setattr("firmware.commands.rules.run", run)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert main(["rules"]) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_lies_in_the_present_folder_is_not_imported(tmp_path: Path) -> None:
    for name in ("engine", "firmware", "argparse", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    process = pilewatch("--version", stdout=subprocess.PIPE, cwd=tmp_path)
    out, err = process.communicate()
    assert (out.decode(), err) == (f"pilewatch {__version__}\n", b"")


def test_a_light_command_does_not_wait_for_the_heavy_libraries() -> None:
    script = (
        "import sys; from firmware.cli import main; main(['look', '--help']); "
        "print([m for m in ('cv2', 'numpy', 'onnxruntime', 'PIL', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"STATE_DIRECTORY": "/var/lib/pilewatch", "HOME": "/h"}, "/var/lib/pilewatch"),
        ({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}, "/var/lib/a"),
        ({"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/pilewatch"),
        ({"XDG_STATE_HOME": "s", "HOME": "/h"}, "/h/.local/state/pilewatch"),
        ({"HOME": "/h"}, "/h/.local/state/pilewatch"),
        ({"HOME": ""}, None),
        ({}, None),
    ],
)
def test_where_state_is_kept(environ: dict[str, str], expected: str | None) -> None:
    assert state_folder(environ) == (None if expected is None else Path(expected))
