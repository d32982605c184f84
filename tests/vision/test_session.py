"""Sessions of the models: nothing is told to anybody, and what is missing is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vision.session import ModelError, models_folder, open_model

ROOT = Path(__file__).resolve().parents[2]
OPEN = "from vision.session import *; open_model(models_folder() / 'finder.onnx')"


def test_nothing_is_written_into_the_home(tmp_path: Path) -> None:
    # Without the names by which the library knows that it is being tested, and keeps still.
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-B", "-c", OPEN], env=env, cwd=tmp_path, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_a_session_has_one_thread_which_does_not_spin_while_idle() -> None:
    options = open_model(models_folder() / "reference.onnx").get_session_options()
    assert (options.intra_op_num_threads, options.inter_op_num_threads) == (1, 1)
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_models_that_were_moved_away_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelError, match="the folder models is missing: expected it beside"):
        models_folder()
