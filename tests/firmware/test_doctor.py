"""The doctor: each check with a machine that is made up, and the sentence that mends it."""

from __future__ import annotations

import errno
import io
import os
import pwd
import shutil
import socket
import tempfile
from importlib import metadata

import cv2
import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from luma.core.device import dummy

from engine.errors import PilewatchError
from firmware import checks
from firmware import checks_hardware as hardware
from firmware.cli import main
from firmware.commands import doctor
from firmware.config import defaults, parse_config
from firmware.device.gpio import make_button, make_buzzer, make_led
from firmware.sharpness import SHARP, sharpness
from vision.frame import Frame, SourceError

CONFIG = defaults()
BUZZER = parse_config('[voice]\nkind = "buzzer"\n', "x")


pytestmark = pytest.mark.usefixtures("pins")


def installed(**versions):
    def version(name):
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    return version


def broken():
    raise PilewatchError("finder.onnx is missing")


def plays(device):
    return None


FINDINGS = {
    "models gone": (lambda: checks.models(broken), False, "finder.onnx is missing"),
    "models there": (lambda: checks.models(lambda: None), True, "load"),
    "the deadly onnxruntime": (
        lambda: checks.libraries(installed(onnxruntime="1.21.0"), "aarch64"), False, "1.21.0"),
    "a good one": (lambda: checks.libraries(installed(onnxruntime="1.22.0"), "aarch64"), True, ""),
    "the empty lgpio": (lambda: checks.libraries(installed(lgpio="0.0.0.2"), "x86_64"), False,
        "empty"),
    "32 bit": (lambda: checks.libraries(installed(), "armv7l"), False, "32-bit"),
    "no clock": (lambda: checks.clock(1970, None), False, "1970"),
    "a clock of no calendar": (lambda: checks.clock(None, None), False, "no year"),
    "a clock": (lambda: checks.clock(2027, False), True, ""),
    "enough voltage": (lambda: checks.power("throttled=0x0"), True, ""),
    "too little now": (lambda: checks.power("throttled=0x50005"), False, "too low now"),
    "too little before": (lambda: checks.power("throttled=0x50000"), False, "since the start"),
    "slowed down": (lambda: checks.power("throttled=0x4"), False, "slowed"),
    "no Pi": (lambda: checks.power(None), True, "cannot be told"),
    "hot": (lambda: checks.temperature("85123\n"), False, "85 °C"),
    "cool": (lambda: checks.temperature("45123\n"), True, "45 °C"),
    "no thermometer": (lambda: checks.temperature(None), True, "cannot be told"),
    "no espeak": (lambda: checks.sound(CONFIG, lambda name: None, plays), False, "espeak-ng"),
    "no sound device": (
        lambda: checks.sound(CONFIG, lambda name: name, lambda device: "No such device"), False,
        "sound device default cannot be played on (No such device)"),
    "sound": (lambda: checks.sound(CONFIG, lambda name: name, plays), True, "default plays"),
    "a buzzer": (lambda: checks.sound(BUZZER, lambda name: None, plays), True, "no speech"),
    "no place": (lambda: checks.disk(None), False, "journal"),
}  # fmt: skip


@pytest.mark.parametrize("name", FINDINGS)
def test_findings(name):
    check, well, said = FINDINGS[name]
    finding = check()
    assert finding.well is well
    assert said in finding.said
    assert bool(finding.mend) is not well


def test_a_canary_is_written_and_read_back_and_leaves_nothing(tmp_path):
    assert checks.disk(tmp_path / "new").well
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO])
def test_a_disk_that_cannot_be_written_is_trouble(tmp_path, monkeypatch, number):
    def refuse(**how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    finding = checks.disk(tmp_path)
    assert not finding.well
    assert os.strerror(number) in finding.said
    assert "read-only" in finding.mend


def test_a_disk_that_gives_something_else_back_is_trouble(tmp_path, monkeypatch):
    monkeypatch.setattr(checks.Path, "read_bytes", lambda path: b"")
    finding = checks.disk(tmp_path)
    assert (finding.well, finding.mend) == (False, "Replace the card.")


@pytest.mark.parametrize(("spare", "well"), [(-1, False), (0, True)])
def test_a_disk_that_is_full_is_trouble(tmp_path, monkeypatch, spare, well):
    usage = shutil.disk_usage(tmp_path)._replace(free=checks.LEAST_FREE + spare)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    finding = checks.disk(tmp_path)
    assert finding.well is well
    assert ("only 199 MB are free" in finding.said) is not well


def test_a_sound_device_is_really_played_on(tmp_path, monkeypatch):
    aplay = tmp_path / "aplay"
    aplay.write_text('#!/bin/sh\n[ "$3" = hw:1 ] || { echo "audio open error" >&2; exit 1; }\n')
    aplay.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert checks.play_silence("hw:1") is None
    assert checks.play_silence("hw:7") == "audio open error"
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert checks.play_silence("hw:1") == "No such file or directory"


def test_a_check_that_fails_itself_does_not_stop_the_others():
    def bad():
        raise RuntimeError("driver")

    findings = list(checks.run_all([("a", bad), ("b", lambda: checks.temperature("1"))]))
    assert [(f.what, f.well) for f in findings] == [("a", False), ("temperature", True)]


def test_the_wrong_driver_shows_in_the_test_picture():
    screen = dummy(128, 64, mode="1")
    finding = hardware.oled(CONFIG, lambda: screen, lambda question: False)
    assert 'panel.driver = "sh1106"' in finding.mend
    corners = [screen.image.getpixel(at) for at in ((0, 0), (127, 0), (0, 63), (127, 63))]
    assert all(corners)
    finding = hardware.oled(CONFIG, lambda: screen, lambda question: True)
    assert (finding.well, finding.said) == (
        True,
        "ssd1306 answers at 0x3c, and its picture is whole",
    )


def test_where_nobody_looks_at_the_test_picture_the_line_says_so(monkeypatch):
    screen = dummy(128, 64, mode="1")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    finding = hardware.oled(CONFIG, lambda: screen, doctor.ask)
    assert finding.said == "ssd1306 answers at 0x3c; nobody was there to look at the test picture"


def test_a_panel_that_does_not_answer_is_trouble():
    def gone():
        raise OSError("no ssd1306 answers at I²C address 0x3c")

    assert "i2cdetect" in hardware.oled(CONFIG, gone, lambda question: True).mend


def test_a_button_that_is_stuck_is_named(pins):
    def stuck(pin):
        contact = make_button(pin)
        if pin == 22:
            pins.pin(pin).drive_low()
        return contact

    finding = hardware.pins(CONFIG, stuck, make_led, make_buzzer)
    assert "oops (GPIO 22)" in finding.said
    assert hardware.pins(CONFIG, make_button, make_led, make_buzzer).well


def test_all_pins_are_tried_and_given_back():
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    for _ in range(2):
        finding = hardware.pins(BUZZER, make_button, make_led, make_buzzer)
        assert finding.said == "all 12 can be had, no button is stuck"


@pytest.mark.parametrize(
    ("taken", "name"),
    [(17, "pickup"), (6, "red lamp"), (20, "lamp of seat 5"), (18, "buzzer")],
)
def test_a_pin_that_cannot_be_had_is_named(taken, name):
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    with make_led(taken):
        finding = hardware.pins(BUZZER, make_button, make_led, make_buzzer)
    assert not finding.well
    assert finding.said.startswith(f"GPIO {taken} ({name}) cannot be had")


class Pictures:
    def __init__(self, image):
        self.image = image

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __iter__(self):
        for i in range(9):
            yield Frame(i, 0.0, self.image)


def a_card(grey=200, blur=0):
    image = np.full((360, 640, 3), grey, np.uint8)
    for i, text in enumerate(("7", "K", "10", "Q")):
        cv2.putText(image, text, (60 + 130 * i, 200), 0, 3, (20, 20, 20), 6)
    return cv2.GaussianBlur(image, (0, 0), blur) if blur else image


@pytest.mark.parametrize(
    ("image", "wrong"),
    [
        (a_card(), []),
        (a_card(blur=9), ["focus"]),
        (a_card(grey=20), ["focus", "light"]),
        (a_card(grey=250), ["light"]),
    ],
)
def test_the_camera_is_judged_by_its_pictures(image, wrong):
    found = hardware.camera("camera", lambda: Pictures(image))
    assert [f.what for f in found] == ["camera", "focus", "light"]
    assert [f.what for f in found if not f.well] == wrong


@pytest.mark.parametrize(
    ("spec", "mend"),
    [
        ("camera", "Check the ribbon cable, or camera.source."),
        ("camera:0", "Check the cable, or camera.source."),
        ("/srv/pictures", "Check /srv/pictures, or camera.source."),
    ],
)
def test_no_camera_is_told_in_its_own_words(spec, mend):
    def none():
        raise SourceError("there is no camera /dev/video0; found: none at all")

    found = hardware.camera(spec, none)
    assert found[0].mend == mend
    assert "/dev/video0" in found[0].said
    assert [(each.what, each.well) for each in found] == [
        ("camera", False), ("focus", False), ("light", False),
    ]  # fmt: skip


def test_what_is_sharp_is_told_from_what_is_not():
    assert sharpness(a_card()) > SHARP > sharpness(a_card(blur=9))


def test_the_command_has_a_line_for_each_part_and_an_exit_code(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(doctor, "all_checks", lambda config: [
        ("a", lambda: checks.power("throttled=0x0")), ("b", lambda: checks.clock(1970, None)),
    ])  # fmt: skip
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "OK       power: the voltage has been enough since the start"
    assert out[1].startswith("TROUBLE  clock: it is set to the year 1970. Connect a network")
    assert out[2] == "1 of 2 need mending."


NAMED = """
[game]
rules = "/srv/Nargiz/ours.toml"
players = ["Gülşən", "Bo"]
deck = "Leylas deck"
[camera]
source = "/home/other/Pictures/torleif"
[voice]
device = "bluealsa:Ingrids headset"
say_as = { "Gülşən" = "Gyulshen" }
[power]
command = ["/home/other/off.sh"]
"""
SAID = (
    "/home/gulsen/x is fine, /home/other/y and /media/gulsen/KJELLS_STICK/z are not;"
    " there is no file or folder '/home/other/Pictures/torleif'; Bo and GÜLŞƏN on torsten-laptop,"
    " asks Solveig Ask, account solveig; Bose is no name"
)


def test_a_report_leaves_out_the_names_of_people(tmp_path, monkeypatch):
    user = pwd.struct_passwd(("solveig", "x", 1001, 1001, "Solveig Ask,,,", "/data/s", "/bin/sh"))
    pi = pwd.struct_passwd(("pi", "x", 1000, 1000, ",,,", "/home/pi", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwall", lambda: [user, pi])
    monkeypatch.setattr(socket, "gethostname", lambda: "torsten-laptop")
    config = parse_config(NAMED, "/home/gulsen/.config/torsten.toml")
    path = tmp_path / "report.txt"
    doctor.write_report(path, config, [checks.Finding("disk", True, SAID)])
    text = path.read_text(encoding="utf-8").casefold()
    for name in (
        "Gülşən", "Gyulshen", "gulsen", "other", "Nargiz", "Leyla", "torleif", "Ingrid", "torsten",
        "kjell", "solveig", "Bo ",
    ):  # fmt: skip
        assert name.casefold() not in text
    assert "~/x is fine, ~/y and ~/z are not" in text
    assert "bose is no name" in text
    assert 'source = "(left out)"  # from line 7' in text


def test_a_report_keeps_what_helps_and_names_nobody(tmp_path):
    config = parse_config(
        '[game]\nrules = "hat"\n[camera]\nsource = "camera:2"\n[voice]\ndevice = "hw:1,0"\n', "x"
    )
    path = tmp_path / "report.txt"
    doctor.write_report(path, config, [])
    text = path.read_text(encoding="utf-8")
    for line in ('rules = "hat"', 'source = "camera:2"', 'device = "hw:1,0"', 'driver = "ssd1306"'):
        assert line in text


def test_a_report_that_cannot_be_written_ends_in_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "all_checks", lambda config: [])
    assert main(["doctor", "--report", str(tmp_path / "no" / "r.txt")]) == 2
    assert "expected a folder that is there" in capsys.readouterr().err
    assert main(["doctor", "--report", str(tmp_path)]) == 2
    assert "expected a file to write to" in capsys.readouterr().err

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["doctor", "--report", str(tmp_path / "r.txt")]) == 74
    assert "r.txt: the disk is full" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
