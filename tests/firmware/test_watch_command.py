"""``watch`` and ``demo`` from the command line, with a watcher that needs no models."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import ClassVar

import cv2
import fake_watcher
import numpy as np
import pytest

import firmware.virtual
import vision.look
import vision.watcher
from engine.cards import parse_card
from engine.errors import PilewatchError
from engine.setup import Setup
from firmware.cli import main
from firmware.commands import demo
from vision.observation import Cleared, Landed


class ScriptedWatcher:
    """Says at some frames what a watcher might."""

    script: ClassVar[dict[int, list[str]]] = {}

    def __init__(self, looker, prior=None, *more):
        self.prior = prior

    def step(self, frame):
        out = []
        for what in self.script.get(frame.index, ()):
            if what == "clear":
                out.append(Cleared(frame.index, frame.t))
            else:
                cards = tuple(map(parse_card, what.split()))
                assert all(self.prior(card) > 0 for card in cards)
                out.append(Landed(frame.index, frame.t, cards, (0.99,) * len(cards)))
        return out

    def settle(self, question_id, card):
        return []

    def forget(self):
        pass


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for index in range(60):
        cv2.imwrite(str(tmp_path / f"{index:04d}.png"), np.zeros((9, 16, 3), np.uint8))
    monkeypatch.setattr(vision.look.Looker, "load", classmethod(lambda cls, **more: None))
    monkeypatch.setattr(vision.watcher, "Watcher", ScriptedWatcher)
    monkeypatch.setattr(
        ScriptedWatcher, "script", {5: ["6C"], 15: ["7H 7S"], 30: ["clear"], 45: ["4D"]}
    )
    return tmp_path


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_folder_of_frames_is_refereed(folder, capsys):
    args = ["watch", str(folder), "--rules", "classic", "--players", "Ann,Bob,Cat", "--json"]
    assert main(args) == 0
    told = lines(capsys)
    assert told[:2] == [
        {"frame": 5, "t": 0.5, "landed": ["6C"], "p": [0.99]},
        {"frame": 5, "t": 0.5, "ruling": told[1]["ruling"]},
    ]
    rulings = [line["ruling"] for line in told if "ruling" in line]
    assert [ruling["turn"] for ruling in rulings] == ["Ann", "Bob", "Cat", "Ann"]


def test_presses_and_set_up_are_read_from_the_folder(folder, capsys):
    (folder / "controls.jsonl").write_text('{"frame": 25, "press": "pickup"}\n')
    (folder / "setup.json").write_text('{"rules": "classic", "players": ["Una", "Dua"]}')
    assert main(["watch", str(folder), "--json"]) == 0
    rulings = [line for line in lines(capsys) if "ruling" in line]
    assert [line["frame"] for line in rulings] == [5, 15, 25, 45]
    assert rulings[0]["ruling"]["turn"] == "Una"


def test_flags_override_the_set_up_of_the_folder(folder, capsys):
    (folder / "setup.json").write_text(
        '{"rules": "hat", "players": ["Una", "Dua"], "options": {"after_run": "same"}}'
    )
    args = ["watch", str(folder), "--json", "--rules", "classic", "--first", "Dua"]
    assert main(args) == 0
    assert lines(capsys)[1]["ruling"]["turn"] == "Dua"


def test_words_instead_of_json(folder, capsys):
    assert main(["watch", str(folder), "--players", "Ann,Bob"]) == 0
    assert "Ann lays 7♥ 7♠" in capsys.readouterr().out


WRONG = {
    "no such source": (
        ["watch", "nowhere", "--players", "Ann,Bob"],
        "'nowhere'; expected camera, camera:N, virtual:SEED, a video file or a folder",
    ),
    "no such source for aim": (["aim", "nowhere"], "'nowhere'; expected camera, camera:N, virtual"),
    "nobody plays": (["watch", "FOLDER"], "--players Ann,Bob,Cat"),
    "one player": (["watch", "FOLDER", "--players", "Ann"], "two players or more, not 1"),
    "an empty name": (["watch", "FOLDER", "--players", "Ann,,Bob"], "no name"),
    "a name twice": (["watch", "FOLDER", "--players", "Ann,Ann"], "twice"),
    "unknown rules": (["watch", "FOLDER", "--players", "Ann,Bob", "--rules", "x"], "'x'"),
    "unknown first": (["watch", "FOLDER", "--players", "Ann,Bob", "--first", "Eve"], "'Eve'"),
    "no rate": (["watch", "FOLDER", "--players", "Ann,Bob", "--fps", "0"], "not '0'"),
    "rate no number": (["watch", "FOLDER", "--players", "Ann,Bob", "--fps", "ten"], "not 'ten'"),
    "seed no number": (["watch", "virtual:ten"], "whole number"),
    "no seed": (["watch", "virtual:"], "'virtual:' names no virtual table; expected virtual:SEED"),
    "no set-up": (["watch", "BROKEN"], "setup.json: expected one JSON object"),
    "set-up no object": (
        ["watch", "LIST"],
        "setup.json: expected one JSON object, a set-up, not []",
    ),
    "strange set-up": (["watch", "STRANGE"], "setup.json: a set-up has no key 'deck'"),
    "wrong presses": (["watch", "PRESSES", "--players", "Ann,Bob"], "controls.jsonl:1: "),
    "demo: seed": (["demo", "--seed", "x"], "whole number"),
    "demo: seed below 0": (["demo", "--seed", "-1"], "whole number from 0 to 999999999, not '-1'"),
    "demo: rules": (["demo", "--rules", "x"], "'x'"),
    "demo: frames among others": (["demo", "--frames", "FOLDER"], "is not empty"),
    "demo: frames in a file": (["demo", "--frames", "FOLDER/0000.png"], "cannot be kept"),
}


FILES = {
    "BROKEN": ("setup.json", "{"),
    "LIST": ("setup.json", "[]"),
    "STRANGE": ("setup.json", '{"players": ["Una", "Dua"], "deck": 1}'),
    "PRESSES": ("controls.jsonl", "{}"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_input_gets_one_sentence(folder, capsys, name):
    args, words = WRONG[name]
    if args[1] in FILES:
        file, text = FILES[args[1]]
        (folder / file).write_text(text)
        args = ["watch", "FOLDER", *args[2:]]
    args = [arg.replace("FOLDER", str(folder)) for arg in args]
    assert main(args) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert words in out.err
    assert out.err.count("\n") == 1


@pytest.fixture
def fake_demo(monkeypatch):
    class Table(firmware.virtual.VirtualTable):
        def __init__(self, setup, seed, **more):
            super().__init__(setup, seed, fake_watcher.NoPictures(), **more)
            made.append(self)

    made: list[Table] = []
    monkeypatch.setattr(firmware.virtual, "VirtualTable", Table)
    monkeypatch.setattr(vision.look.Looker, "load", classmethod(lambda cls, **more: None))
    monkeypatch.setattr(vision.watcher, "Watcher", lambda *more: fake_watcher.FakeWatcher(made[-1]))


def test_demo_ends_with_the_score(fake_demo, capsys):
    assert main(["demo", "--fast", "--seed", "3"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    score = json.loads(last)
    assert list(score) == ["plays", "called", "wrong", "asked", "seconds"]
    assert last.startswith('{"plays": 64, "called": 64, "wrong": 0, "asked": 0, "seconds": ')


def test_demo_keeps_frames_set_up_and_presses(fake_demo, tmp_path, capsys):
    kept = tmp_path / "kept"
    assert main(["demo", "--fast", "--seed", "3", "--frames", str(kept)]) == 0
    frames = sorted(kept.glob("*.jpg"))
    assert [int(frame.stem) for frame in frames] == list(range(len(frames)))
    assert json.loads((kept / "setup.json").read_text())["players"] == ["Ann", "Bob", "Cat"]
    presses = [json.loads(line) for line in (kept / "controls.jsonl").read_text().splitlines()]
    assert {press["press"] for press in presses} == {"pickup"}


def test_watch_of_a_virtual_table(fake_demo, capsys):
    assert main(["watch", "virtual:3", "--json"]) == 0
    told = lines(capsys)
    assert told[-1]["ruling"]["must"] == "none"


def test_frames_on_which_nothing_is_seen_are_counted(folder, capsys, monkeypatch):
    monkeypatch.setattr(ScriptedWatcher, "script", {})
    args = ["watch", str(folder), "--players", "Ann,Bob,Cat"]
    assert main(args) == 0
    assert capsys.readouterr().out.endswith("· 60 frames, and no card was seen\n")
    assert main([*args, "--json"]) == 0
    assert capsys.readouterr().out == ""
    for picture in sorted(folder.glob("*.png"))[1:]:
        picture.unlink()
    assert main(args) == 0
    assert capsys.readouterr().out.endswith("· 1 frame, and no card was seen\n")


def test_a_folder_without_a_readable_frame_is_told(folder, capsys, monkeypatch):
    for picture in sorted(folder.glob("*.png")):
        picture.write_bytes(b"no picture")
    assert main(["watch", str(folder), "--players", "Ann,Bob,Cat"]) == 2
    assert capsys.readouterr() == (
        "",
        f"pilewatch: folder {folder} holds no picture that can be read; expected JPEG, PNG, WebP,"
        " TIFF, BMP, PPM or GIF\n",
    )


def ends_at_a_full_output(words, capfd, monkeypatch):
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main(words) == 74
        monkeypatch.undo()
    told = "pilewatch: the disk is full, nothing more can be written\n"
    assert capfd.readouterr().err == told


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["words", "json"])
def test_an_output_that_takes_nothing_ends_the_watch(folder, capfd, caplog, monkeypatch, more):
    words = ["watch", str(folder), "--players", "Ann,Bob,Cat", *more]
    ends_at_a_full_output(words, capfd, monkeypatch)
    assert caplog.text == ""


def test_an_output_that_takes_nothing_ends_the_demo(fake_demo, capfd, caplog, monkeypatch):
    ends_at_a_full_output(["demo"], capfd, monkeypatch)
    assert caplog.text == ""


@pytest.mark.parametrize("words", [["judge", ""], ["solve", ""], ["rules", "--check", ""]])
def test_an_empty_word_names_no_file(capsys, words):
    assert main(words) == 2
    assert "expected a word, not an empty one" in capsys.readouterr().err


@pytest.mark.parametrize("fps", ["0", "1e-300", "nan", "241", "fast"])
def test_a_rate_that_cannot_be_is_told(folder, capsys, fps):
    assert main(["watch", str(folder), "--fps", fps]) == 2
    told = capsys.readouterr().err
    assert f"expected from 0.01 to 240 frames a second, not '{fps}'" in told


def test_an_empty_source_is_not_the_present_folder(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["watch", "", "--players", "Ann,Bob"]) == 2
    assert "argument SOURCE: expected a word, not an empty one" in capsys.readouterr().err


def test_frames_that_cannot_be_kept_are_told(tmp_path, monkeypatch, capsys):
    frames = tmp_path / "frames"
    setup = Setup.from_json({"rules": "classic", "players": ["Ann", "Bob"]})
    keep = demo._keeper(frames, setup)

    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PilewatchError, match=r"000000\.jpg: the disk is full") as wrong:
        keep(0, b"picture")
    assert wrong.value.exit_code == 74
    assert [path.name for path in frames.iterdir()] == ["setup.json"]
