"""Presses from a file and from the keyboard."""

from __future__ import annotations

import os
import re

import pytest

from engine.events import Undo
from firmware.controls import (
    Controls,
    ControlsError,
    Keyboard,
    control_line,
    press_of_key,
    read_controls,
)
from firmware.inbox import Button, Correction, Press


def read(tmp_path, text):
    path = tmp_path / "controls.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_controls(path)


def test_a_press_happens_at_its_frame(tmp_path):
    controls = read(tmp_path, '{"frame": 120, "press": "pickup"}\n\n')
    assert list(controls.at(119, 11.9)) == []
    assert list(controls.at(120, 12.0)) == [Press(120, 12.0, Button.PICKUP)]


def test_a_press_may_be_held(tmp_path):
    (press,) = read(tmp_path, '{"frame": 3, "press": "oops", "hold": 1.5}').at(3, 0.3)
    assert press == Press(3, 0.3, Button.OOPS, 1.5)
    assert press.held


def test_presses_of_one_frame_keep_their_order(tmp_path):
    text = '{"frame": 1, "press": "next"}\n{"frame": 1, "press": "oops"}\n'
    buttons = [press.button for press in read(tmp_path, text).at(1, 0.1)]
    assert buttons == [Button.NEXT, Button.OOPS]


@pytest.mark.parametrize(
    "act",
    [Press(7, 0.7, Button.NEXT), Press(7, 0.7, Button.OOPS, 1.2), Correction(7, 0.7, Undo())],
    ids=["press", "hold", "correction"],
)
def test_what_is_written_is_read_back(tmp_path, act):
    assert list(read(tmp_path, control_line(act)).at(7, 0.7)) == [act]


WRONG = {
    "no JSON": ("pickup", "expected an object"),
    "no object": ("[1]", "expected an object"),
    "deep": ("[" * 100_000, "expected an object"),
    "no frame": ('{"press": "next"}', "frame takes the number of a frame, from 0, not null"),
    "frame before the first": ('{"frame": -1, "press": "next"}', "not -1"),
    "frame no number": ('{"frame": true, "press": "next"}', "not true"),
    "no such button": ('{"frame": 1, "press": "fire"}', "pickup, next or oops, not 'fire'"),
    "hold no number": ('{"frame": 1, "press": "next", "hold": "x"}', "hold takes seconds"),
    "hold for ever": ('{"frame": 1, "press": "next", "hold": 1e999}', "hold takes seconds"),
    "stray key": ('{"frame": 1, "press": "next", "held": 1}', "there is no key 'held'"),
    "wrong event": ('{"frame": 1, "event": {"jump": 1}}', "expected one of"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_line_is_named_with_file_and_number(tmp_path, name):
    line, words = WRONG[name]
    with pytest.raises(ControlsError, match=r"controls\.jsonl:2: .*" + re.escape(words)):
        read(tmp_path, '{"frame": 0, "press": "next"}\n' + line + "\n")


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "controls.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ControlsError, match="cannot be read"):
        read_controls(path)


def test_no_controls_are_no_presses():
    assert list(Controls().at(0, 0.0)) == []


@pytest.mark.parametrize(
    ("key", "button", "held"),
    [("p", Button.PICKUP, False), ("n", Button.NEXT, False), ("O", Button.OOPS, True)],
)
def test_keys_stand_in_for_buttons_and_capitals_hold(key, button, held):
    press = press_of_key(key, 5, 0.5)
    assert press is not None
    assert (press.button, press.held) == (button, held)


def test_other_keys_are_nothing():
    assert press_of_key("x", 5, 0.5) is None


def test_keys_come_as_they_are_struck(monkeypatch):
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as stdin, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", stdin)
        with Keyboard() as keyboard:
            assert keyboard.struck() == ""
            os.write(write_end, b"pn")
            assert keyboard.struck() == "pn"
            os.close(write_end)
            assert keyboard.struck() == ""
            assert keyboard.struck() == ""
