"""``watch --night`` from the command line: kept, gone on with, photographed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.look
import vision.watcher
from engine.cards import parse_card
from engine.errors import PilewatchError
from firmware.cli import main
from firmware.journal import Journal, NoRoomError
from vision.observation import Landed


class ScriptedWatcher:
    """Says at some frames what a watcher might."""

    script: dict[int, str]

    def __init__(self, *args):
        pass

    def step(self, frame):
        if frame.index not in self.script:
            return []
        cards = tuple(map(parse_card, self.script[frame.index].split()))
        return [Landed(frame.index, frame.t, cards, (0.99,) * len(cards))]

    def settle(self, question_id, card):
        return []

    def forget(self):
        pass


@pytest.fixture
def watch(tmp_path, monkeypatch, capsys):
    """Runs ``watch --night`` on sixty frames in which these cards land; what it told."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(vision.look.Looker, "load", classmethod(lambda cls, **more: None))
    monkeypatch.setattr(vision.watcher, "Watcher", ScriptedWatcher)
    frames = tmp_path / "frames"
    frames.mkdir()
    for index in range(60):
        cv2.imwrite(str(frames / f"{index:04d}.png"), np.zeros((9, 16, 3), np.uint8))

    def run(script: dict[int, str], *words: str) -> str:
        monkeypatch.setattr(ScriptedWatcher, "script", script, raising=False)
        code = main(["watch", str(frames), "--night", *words])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return out

    run.state = tmp_path / "state"
    return run


def kept(capsys, *where: str) -> dict[str, object]:
    assert main(["night", "--json", *where]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_game_goes_on_where_it_was(watch, capsys):
    watch({5: "6C", 15: "7H 7S"}, "--players", "Ann,Bob,Cat")
    out = watch({5: "6C 7S", 20: "9D"})
    assert "Game goes on: Bob to play, 3 on the pile" in out
    assert "The pile is as it was" in out
    assert "✓ Bob lays 9♦" in out
    assert main(["night"]) == 0
    assert "Game 1 is on: Cat to play, 4 on the pile." in capsys.readouterr().out


def test_after_a_restart_another_pile_is_a_question(watch):
    watch({5: "6C", 15: "7H 7S"}, "--players", "Ann,Bob,Cat")
    told = [json.loads(line) for line in watch({5: "QD"}, "--json").splitlines()]
    assert told[-1] == {"frame": 5, "t": 0.5, "asked": "mismatch", "candidates": ["QD"]}


def test_the_next_game_is_for_the_same_people(watch, capsys):
    watch({5: "6C"}, "--players", "Ann,Bob,Cat")
    assert main(["night", "result", "--out", "Ann,Cat", "--loser", "Bob"]) == 0
    capsys.readouterr()
    watch({5: "6D", 15: "8C"})
    games = kept(capsys)["games"]
    assert [(game["loser"], game["dealer"]) for game in games] == [("Bob", "Cat"), (None, "Bob")]


@pytest.mark.parametrize("words", [["--players", "Ann,Bob"], ["--rules", "norsk"]])
def test_a_game_that_is_on_is_not_dealt_over(watch, capsys, words):
    watch({5: "6C"}, "--players", "Ann,Bob,Cat")
    frames = str(watch.state.parent / "frames")
    assert main(["watch", frames, "--night", *words]) == 2
    assert capsys.readouterr().err == (
        "pilewatch: game 1 of Ann, Bob, Cat is not over; watch --night without --players and"
        " --rules plays on, pilewatch night abandon ends it\n"
    )


def test_a_night_left_open_that_goes_on_with_others_is_told(watch, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ScriptedWatcher, "script", {}, raising=False)
    assert main(["night", "open", "Ann,Bob,Cat"]) == 0
    assert main(["night", "result", "--loser", "Bob"]) == 0
    capsys.readouterr()
    words = ["watch", str(tmp_path / "frames"), "--night", "--players", "Dan,ann"]
    assert main(words) == 0
    told = capsys.readouterr().err
    assert "is still on and goes on: Dan sat down, Bob, Cat got up" in told
    assert "night open begins another" in told


@pytest.mark.parametrize("words", [[], ["--players", "Bob,Cat,Ann"]], ids=["nobody named", "named"])
def test_once_somebody_has_the_whole_word_the_next_game_begins_another_night(watch, capsys, words):
    assert main(["night", "open", "Ann,Bob,Cat", "--word", "X", "--points", "2,1"]) == 0
    assert main(["night", "result", "--loser", "Bob"]) == 0
    capsys.readouterr()
    out = watch({5: "6C", 15: "7H"}, *words)
    assert out.count("Bob has the whole word: night 2 begins") == 1
    data = kept(capsys)
    assert (data["night"], data["word"], data["points"]) == (2, "X", [2, 1])
    assert sorted(data["seats"]) == ["Ann", "Bob", "Cat"]
    assert [game["dealer"] for game in data["games"]] == ["Bob"]
    assert main(["night", "list"]) == 0
    assert capsys.readouterr().out.count("(still on)") == 1
    # What was begun is gone on with, and not begun again.
    assert "night 2 begins" not in watch({5: "6C 7H"})


def test_the_same_command_goes_on_with_its_game(watch):
    watch({5: "6C", 15: "7H 7S"}, "--players", "Ann,Bob,Cat", "--rules", "classic")
    out = watch({5: "6C 7S"}, "--players", "Ann, Bob,Cat", "--rules", "classic")
    assert "Game goes on: Bob to play, 3 on the pile" in out


def test_a_virtual_table_cannot_go_on(watch, capsys, monkeypatch):
    def table(setup, seed):
        raise PilewatchError("the plug is pulled")

    monkeypatch.setattr("firmware.virtual.VirtualTable", table)
    assert main(["watch", "virtual:5", "--night"]) == 2
    capsys.readouterr()
    assert main(["watch", "virtual:5", "--night"]) == 2
    told = capsys.readouterr().err
    ends = f"pilewatch night abandon --journal {watch.state}/virtual"
    assert f"a virtual table can only begin anew; {ends} ends it" in told
    assert main(ends.split()[1:]) == 0


def test_a_virtual_table_has_a_journal_of_its_own(watch, capsys, monkeypatch):
    def table(setup, seed):
        raise PilewatchError("enough")

    watch({5: "6C"}, "--players", "Una,Dua")
    monkeypatch.setattr("firmware.virtual.VirtualTable", table)
    assert main(["watch", "virtual:5", "--night"]) == 2
    capsys.readouterr()
    assert len(kept(capsys)["games"]) == 1
    assert main(["night", "--journal", str(watch.state / "virtual"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == ["Ann", "Bob", "Cat"]


def test_who_sits_there_plays_at_a_virtual_table(watch, capsys, monkeypatch):
    dealt = []

    def table(setup, seed):
        dealt.append(setup.players)
        raise PilewatchError("enough")

    monkeypatch.setattr("firmware.virtual.VirtualTable", table)
    assert main(["watch", "virtual:3"]) == 2
    where = ["--journal", str(watch.state / "virtual")]
    assert main(["night", "open", "Åse,Gülşən,ليلى,Dan", *where]) == 0
    assert main(["watch", "virtual:3", "--night"]) == 2
    assert dealt == [("Ann", "Bob", "Cat"), ("Åse", "Gülşən", "ليلى", "Dan")]
    capsys.readouterr()
    data = kept(capsys, *where)
    assert data["seats"] == ["Åse", "Gülşən", "ليلى", "Dan"]
    assert len(data["players"]) == 4


def test_an_output_that_takes_nothing_is_told_once_and_the_score_is_kept(
    watch, capsys, caplog, monkeypatch
):
    script = {5: "6C", 15: "7H", 25: "9D"}
    monkeypatch.setattr(ScriptedWatcher, "script", script, raising=False)
    frames = str(watch.state.parent / "frames")
    with monkeypatch.context() as closed, Path("/dev/full").open("w") as full:
        closed.setattr("sys.stdout", full)
        assert main(["watch", frames, "--night", "--players", "Ann,Bob,Cat"]) == 74
    assert capsys.readouterr().err == ""
    assert [record.getMessage() for record in caplog.records] == [
        "pilewatch: the disk is full, nothing more can be written; the game goes on, and its score"
        " is kept"
    ]
    assert kept(capsys)["games"][0]["plays"] == 2


def test_a_full_disk_at_the_beginning_does_not_stop_the_game(watch, capsys, monkeypatch):
    room = Journal.begin

    def full(*args):
        raise NoRoomError("journal-1.db: the disk is full")

    monkeypatch.setattr(Journal, "begin", full)
    out = watch({5: "6C", 15: "7H"}, "--players", "Ann,Bob,Cat")
    assert out.count("The score is not being kept: journal-1.db: the disk is full") == 1
    assert "✓ Ann lays 7♥" in out

    calls = []

    def begin(*args):
        calls.append(args)
        return full() if len(calls) < 3 else room(*args)

    monkeypatch.setattr(Journal, "begin", begin)
    out = watch({5: "6C", 15: "7H", 25: "9D"}, "--players", "Ann,Bob,Cat")
    assert out.index("The score is not being kept") < out.index("The score is being kept again")
    game = kept(capsys)["games"][0]
    assert (game["players"], game["plays"]) == (["Ann", "Bob", "Cat"], 2)


def test_what_may_be_disputed_is_photographed(watch):
    watch({5: "6C", 15: "9H", 25: "4D"}, "--players", "Ann,Bob,Cat")
    folder = watch.state / "journal" / "photographs"
    # Opened, three sat down, one game, and the third entry of it was refused.
    assert [path.name for path in folder.iterdir()] == ["0001-000008.jpg"]
    assert cv2.imread(str(folder / "0001-000008.jpg")).shape == (9, 16, 3)
