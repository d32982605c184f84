"""``pilewatch test`` hands everything to pytest, wherever it is called from."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware.cli import main
from firmware.commands.test import ROOT, from_root


def test_arguments_reach_pytest_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def run(command: list[str], **how: Any) -> subprocess.CompletedProcess[bytes]:
        seen.append((command[command.index("pytest") + 1 :], how["cwd"]))
        return subprocess.CompletedProcess(command, 5)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.chdir(ROOT)
    arguments = ["-q", "--maxfail=2", "tests/vision", "-k", "seven or eight"]
    assert main(["test", *arguments]) == 5
    assert seen == [(arguments, ROOT)]


def test_paths_are_those_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("")
    (tmp_path / "seven").write_text("")
    given = ["test_mine.py::test_a[1]", "-k", "seven", "./seven", "tests/vision", "--lf"]
    mine = f"{tmp_path}/test_mine.py::test_a[1]"
    expected = [mine, "-k", "seven", f"{tmp_path}/seven", "tests/vision", "--lf"]
    assert from_root(given, tmp_path) == expected


def test_without_tests_or_pytest_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "pytest" else name)
    assert main(["test"]) == 2
    assert "./pilewatch test brings it along" in capsys.readouterr().err
    monkeypatch.setattr("firmware.commands.test.ROOT", tmp_path)
    assert main(["test"]) == 2
    assert "the tests are not installed" in capsys.readouterr().err
