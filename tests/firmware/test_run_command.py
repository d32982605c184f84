"""``pilewatch run`` as systemd starts it, on a machine that has none of the parts."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from luma.core.device import dummy

from firmware.cli import main
from firmware.commands import run as command
from firmware.config import defaults, parse_config
from firmware.device.crew import Crew
from firmware.device.display import SHIFTS, Display, picture
from firmware.panel import Notice

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


def test_the_device_tells_on_the_panel_that_its_settings_keep_it_from_starting(
    tmp_path, monkeypatch, capsys
):
    shown = []
    monkeypatch.setattr("firmware.device.display.open_oled", lambda config: Oled(shown.append))
    path = tmp_path / "p.toml"
    path.write_text("colour = 1\n")
    # Whoever starts it by hand reads the sentence.
    assert main(["run", "--config", str(path)]) == 2
    assert not shown
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    assert main(["run", "--config", str(path)]) == 2
    assert "there is no setting 'colour'" in capsys.readouterr().err
    assert shown[-1] in pictures_of("Settings: trouble", "See: pilewatch config")


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "0", "soon"])
def test_the_seconds_to_run_are_a_number_that_can_be_waited(capsys, seconds):
    assert main(["run", f"--seconds={seconds}"]) == 2
    assert f"expected more than 0 and up to 99999999 seconds, not '{seconds}'" in (
        capsys.readouterr().err
    )


class Ending:
    """As much of an appliance as its end needs."""

    def __init__(self, display, shut_down):
        self.crew = Crew(display=display)
        self.crew.engage(lambda report: None)
        self.shut_down = shut_down
        self.accounts = self
        self.book = None
        self.order = []

    def close(self):
        self.order.append("journal closed")


class Oled(dummy):
    """The makers' dummy, which says when it is drawn on."""

    def __init__(self, said):
        self.said = said
        super().__init__(128, 64, mode="1")

    def display(self, image):
        self.said(image.tobytes())
        super().display(image)


def pictures_of(*screen):
    return {picture(Notice(*screen), shift=shift).tobytes() for shift in SHIFTS}


def test_the_last_picture_comes_after_the_journal_is_closed():
    shown = []
    display = Display(defaults(), lambda: Oled(lambda image: shown.append(list(ending.order))))
    ending = Ending(display, False)
    command.leave(ending)
    assert shown[-1] == ["journal closed"]


UNPLUG = ("Safe to unplug",)
STILL_ON = ("It did not shut down", "The game goes on")


@pytest.mark.parametrize(
    ("orders", "done", "last"),
    [
        ([], True, UNPLUG),
        (["true"], True, UNPLUG),
        (["false"], False, STILL_ON),
        (["/no/such"], False, STILL_ON),
    ],
)
def test_that_the_plug_may_be_pulled_is_said_only_once_it_shuts_down(orders, done, last):
    shown = []
    ending = Ending(Display(defaults(), lambda: Oled(shown.append)), True)
    command.leave(ending)
    assert shown[-1] in pictures_of("Shutting down")
    config = parse_config(f"[power]\ncommand = {json.dumps(orders)}\n", "x")
    assert command.shut_down(ending, config) is done
    assert shown[-1] in pictures_of(*last)


def test_without_a_panel_it_ends_all_the_same():
    def gone():
        raise OSError("no panel")

    ending = Ending(Display(defaults(), gone), True)
    command.leave(ending)
    assert command.shut_down(ending, parse_config("[power]\ncommand = []\n", "x"))


def test_the_device_is_shut_down_by_the_command_of_the_settings(tmp_path, caplog):
    done = tmp_path / "done"
    assert command.power_off(parse_config(f'[power]\ncommand = ["touch", "{done}"]\n', "x"))
    assert done.exists()
    assert not command.power_off(parse_config('[power]\ncommand = ["false"]\n', "x"))
    assert "false did not shut down: it ended with 1\n" in caplog.text
    assert not command.power_off(parse_config('[power]\ncommand = ["/no/such"]\n', "x"))
    assert "cannot be started" in caplog.text


def test_a_shut_down_that_is_refused_ends_with_a_code_that_has_it_started_again(
    tmp_path, monkeypatch
):
    class Pressed:
        shut_down = True
        crew = Crew()
        accounts = Ending(None, True)

        def run(self):
            self.crew.engage(lambda report: None)

    monkeypatch.setattr("firmware.device.build.build", lambda *parts: Pressed())
    path = tmp_path / "p.toml"
    for orders, code in ((["true"], 0), (["false"], 1)):
        path.write_text(f"[power]\ncommand = {json.dumps(orders)}\n")
        assert main(["run", "--config", str(path)]) == code
    assert "Restart=on-failure" in (ROOT / "systemd" / "pilewatch.service").read_text()


@pytest.mark.parametrize("given", [{}, {"RUNTIME_DIRECTORY": "/run/pilewatch"}])
def test_the_pins_have_the_one_driver_that_works_on_every_pi_and_a_place_for_its_file(
    monkeypatch, given
):
    environ = dict(given)
    monkeypatch.setattr(os, "environ", environ)
    command.prepare_pins()
    assert environ["GPIOZERO_PIN_FACTORY"] == "lgpio"
    assert environ["LG_WD"] == given.get("RUNTIME_DIRECTORY", tempfile.gettempdir())


def test_what_the_service_says_of_the_pins_stands():
    environ = {"GPIOZERO_PIN_FACTORY": "mock", "LG_WD": "/run/pilewatch"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", environ)
        command.prepare_pins()
    assert environ == {"GPIOZERO_PIN_FACTORY": "mock", "LG_WD": "/run/pilewatch"}
