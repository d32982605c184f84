"""The voice: two programs, stood in for by scripts that write down what they were given."""

from __future__ import annotations

import os
import stat

import pytest

from firmware import words
from firmware.config import parse_config
from firmware.device.calls import Call, Weight
from firmware.device.service import LackingError, Service
from firmware.device.voice import Sentence, Speech

CONFIG = parse_config('[voice]\nvolume = 50\nsay_as = { "Gülşən" = "Gyulshen" }\n', "x")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    def program(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    program("espeak-ng", f'echo "$@" > {tmp_path}/spoke; cat')
    program("aplay", f'echo "$@" > {tmp_path}/played; cat > {tmp_path}/heard')
    return program


def finish(speech, service=None):
    """Step until nothing more is to be said."""
    t = 0.0
    for _ in range(2000):
        wait = service.step(t) if service else speech.work(t)
        if speech._speaking is None and wait >= 1:
            return
        # The scripts take real time, our clock none: nothing here is about how long it takes.
        if speech._speaking is not None:
            speech._speaking._player.wait()
    raise AssertionError("it never ended")


def test_a_sentence_goes_through_espeak_into_the_named_device(programs, tmp_path):
    speech = Speech(CONFIG)
    speech.set_up()
    speech.put(Call("-x Gülşən: too low.", Weight.REFUSED, 0.0))
    finish(speech)
    assert (tmp_path / "heard").read_text() == "-x Gyulshen: too low."
    assert (tmp_path / "spoke").read_text().split()[:4] == ["-v", "en-us", "-a", "100"]
    assert (tmp_path / "played").read_text() == "-q -D default\n"


@pytest.mark.parametrize("language", ["nb", "az", "es"])
def test_each_language_has_its_voice(programs, tmp_path, language):
    words.choose(language)
    try:
        sentence = Sentence(CONFIG, "x")
        sentence._player.wait()
        assert sentence.over()
    finally:
        words.choose("en")
    assert (tmp_path / "spoke").read_text().split()[1] == language


def test_a_device_that_refuses_is_told_with_its_own_words(programs):
    programs("aplay", "cat >/dev/null; echo 'audio open error: No such device' >&2; exit 1")
    told, speech = [], Speech(CONFIG)
    service = Service(speech, told.append)
    speech.put(Call("x", Weight.BURN, 0.0))
    finish(speech, service)
    assert [report.why for report in told] == ["audio open error: No such device"]


def test_missing_programs_mean_silence_and_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    told = []
    service = Service(Speech(CONFIG), told.append)
    service.step(0)
    service.step(100)
    assert [(r.why, r.lasting) for r in told] == [
        ("espeak-ng is missing; sudo apt install espeak-ng", True)
    ]
    with pytest.raises(LackingError):
        Speech(CONFIG).set_up()


class Endless:
    """A sentence that goes on until it is cut off."""

    cut: list[str] = []  # noqa: RUF012

    def __init__(self, config, text):
        self.text = text

    def over(self):
        return False

    def stop(self):
        Endless.cut.append(self.text)


def test_a_heavier_call_cuts_a_lighter_one_short():
    Endless.cut.clear()
    speech = Speech(CONFIG, start=Endless)
    speech.put(Call("play", Weight.PLAY, 0.0))
    speech.work(0.0)
    speech.put(Call("play again", Weight.PLAY, 0.1))
    speech.work(0.1)
    assert Endless.cut == []
    speech.put(Call("burn", Weight.BURN, 0.2))
    speech.work(0.2)
    assert Endless.cut == ["play"]


def test_a_program_that_hangs_is_cut_off():
    Endless.cut.clear()
    speech = Speech(CONFIG, start=Endless)
    speech.put(Call("x", Weight.PLAY, 0.0))
    speech.work(0.0)
    speech.work(20.0)
    assert Endless.cut == ["x"]


@pytest.mark.parametrize("mute", [True, False])
def test_mute_and_quiet_hours_say_nothing(mute):
    config = parse_config("[voice]\nvolume = 0\n", "x") if mute else CONFIG
    speech = Speech(config, quiet=lambda: not mute, start=Endless)
    speech.put(Call("x", Weight.REFUSED, 0.0))
    assert speech.work(0.0) == 0.0
    assert speech.work(0.0) == float("inf")
