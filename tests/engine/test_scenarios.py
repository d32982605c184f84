"""The worked examples beside the repository, where there are any."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.cli import main

FOLDER = Path(__file__).parents[2].parent / "shared" / "scenarios"
PRESETS = ("classic", "jokers", "norsk", "hat", "castle", "idiota", "ambiguous", "pyramid")


@pytest.mark.parametrize("preset", PRESETS)
def test_scenarios_pass(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(str(path) for path in (FOLDER / preset).glob("*.jsonl"))
    if not files:
        pytest.skip(f"no worked examples in {FOLDER / preset}")
    code = main(["judge", "--check", *files])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, ""), shown.out + shown.err
