"""``pilewatch run`` as systemd starts it, on a machine that has none of the parts."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from luma.core.device import dummy

from firmware.cli import main
from firmware.commands import run as command
from firmware.config import defaults, parse_config
from firmware.device.crew import Crew
from firmware.device.display import Display

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def started(tmp_path):
    """The command in a process of its own, and the socket on which systemd would listen."""
    settings = tmp_path / "p.toml"
    settings.write_text('[camera]\nsource = "none"\n[power]\ncommand = []\n')
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(120)
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", "run", "--config", str(settings)],
            cwd=ROOT,
            env={
                **os.environ,
                "STATE_DIRECTORY": str(tmp_path / "state"),
                "RUNTIME_DIRECTORY": str(tmp_path),
                "NOTIFY_SOCKET": str(tmp_path / "notify"),
                "PATH": str(tmp_path),
            },
            stderr=subprocess.PIPE,
            text=True,
        )
        yield process, ear
        process.kill()
        process.communicate()


def test_with_nothing_connected_it_runs_says_so_once_and_ends_when_told(started):
    process, ear = started
    heard = []
    while heard.count(b"WATCHDOG=1") < 5:
        heard.append(ear.recv(4096))
    assert heard[0] == b"READY=1"
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 0, said
    for part in ("panel", "buttons", "lamps", "voice"):
        assert said.count(f"pilewatch: {part}: out of order") == 1, said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[game]\nrules = "clasic"\n', "did you mean classic?"),
        ('[camera]\nsource = "virtual:x"\n', "whole number"),
        ("[camera]\nsorce = 1\n", "did you mean camera.source?"),
    ],
)
def test_settings_that_cannot_be_end_it_with_2(tmp_path, capsys, text, says):
    path = tmp_path / "p.toml"
    path.write_text(text)
    assert main(["run", "--config", str(path)]) == 2
    assert says in capsys.readouterr().err


class Ending:
    """As much of an appliance as its end needs."""

    def __init__(self, display, shut_down):
        self.crew = Crew(display=display)
        self.crew.engage(lambda report: None)
        self.shut_down = shut_down
        self.accounts = self
        self.order = []

    def close(self):
        self.order.append("journal closed")


@pytest.mark.parametrize("shut_down", [True, False])
def test_the_last_picture_comes_after_the_journal_is_closed(shut_down, monkeypatch):
    shown = []

    class Oled(dummy):
        def display(self, image):
            shown.append(list(ending.order))
            super().display(image)

    ending = Ending(Display(defaults(), lambda: Oled(128, 64, mode="1")), shut_down)
    command.leave(ending)
    assert shown[-1] == ["journal closed"]


def test_without_a_panel_it_ends_all_the_same():
    def gone():
        raise OSError("no panel")

    command.leave(Ending(Display(defaults(), gone), True))


def test_the_device_is_shut_down_by_the_command_of_the_settings(tmp_path, caplog):
    done = tmp_path / "done"
    config = parse_config(f'[power]\ncommand = ["touch", "{done}"]\n', "x")
    command.power_off(config)
    assert done.exists()
    command.power_off(parse_config('[power]\ncommand = ["false"]\n', "x"))
    assert "false did not shut down" in caplog.text
    command.power_off(parse_config('[power]\ncommand = ["/no/such"]\n', "x"))
    assert "cannot be started" in caplog.text
