"""One process referees into a journal; a second one is told so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from firmware.night.acts import NightError
from firmware.night.alone import LOCK, alone_at


def test_a_second_referee_is_refused_while_the_first_is_there(tmp_path):
    refused = pytest.raises(NightError, match="another pilewatch referees there already")
    with alone_at(tmp_path), refused, alone_at(tmp_path):
        pass
    with alone_at(tmp_path):
        pass


def test_a_referee_that_was_killed_keeps_nobody_out(tmp_path):
    script = (
        "import os, sys, pathlib; from firmware.night.alone import alone_at\n"
        "with alone_at(pathlib.Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == -9
    assert (tmp_path / LOCK).exists()
    with alone_at(tmp_path):
        pass


def test_where_no_lock_can_be_had_nothing_can_be_written_either(tmp_path):
    with alone_at(tmp_path / "gone"):
        pass
