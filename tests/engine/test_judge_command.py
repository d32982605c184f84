"""``pilewatch judge`` and ``pilewatch rules`` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.cli import main

SETUP = '{"rules": "classic", "players": ["Ann", "Bob", "Cat"], "dealer": "Cat"}'
Capture = pytest.CaptureFixture[str]


def scenario(folder: Path, *lines: str, name: str = "game.jsonl") -> str:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def test_judge_answers_every_event_with_a_line(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(
        tmp_path, SETUP, '{"start": "5C"}', '{"expect": {"pile": 9}}', '{"play": ["7H", "7S"]}'
    )
    assert main(["judge", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith('{"event": 2, "verdict": "legal", "reason": null, "say": ')
    assert json.loads(lines[1]) == {
        "event": 2,
        "verdict": "legal",
        "reason": None,
        "say": "Ann: two sevens.",
        "burn": False,
        "removed": 0,
        "turn": "Bob",
        "must": "play",
        "top": "7S",
        "pile": 3,
        "stock": 22,
        "out": [],
        "loser": None,
        "hands": {name: {"hand": 3, "up": 3, "down": 3} for name in ("Ann", "Bob", "Cat")},
    }


def test_check_counts_and_shows_what_differs(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(
        tmp_path,
        SETUP,
        '{"start": "5C"}',
        '{"expect": {"pile": 1, "turn": "Ann"}}',
        "",
        '{"play": ["7H"]}',
        '{"expect": {"turn": "Cat", "burn": 0, "hands": {"Ann": {"hand": 2, "up": 3}}, "x": 1}}',
    )
    assert main(["judge", "--check", file]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f'{file}:6 expected {{"turn": "Cat", "burn": 0, "hands": {{"Ann": {{"hand": 2}}}}, "x": 1}}'
        ' got {"turn": "Bob", "burn": false, "hands": {"Ann": {"hand": 3}}};'
        " the answer has no 'x'",
        "1 passed, 1 failed",
    ]


def test_check_tells_a_key_that_the_answer_lacks_from_one_that_is_null(
    tmp_path: Path, capsys: Capture
) -> None:
    file = scenario(
        tmp_path, SETUP, '{"start": "5C"}', '{"expect": {"nokey": null, "hands": {"Dan": null}}}'
    )
    assert main(["judge", "--check", file]) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        f'{file}:3 expected {{"nokey": null, "hands": {{"Dan": null}}}} got {{"hands": {{}}}};'
        " the answer has no 'nokey' or 'hands.Dan'"
    )


def test_check_of_what_agrees(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, SETUP, '{"start": "5C"}', '{"expect": {"top": "5C", "out": []}}')
    assert main(["judge", "--check", file, file]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"


def test_rules_of_the_command_line_replace_those_of_the_scenario(
    tmp_path: Path, capsys: Capture
) -> None:
    ours = scenario(tmp_path, 'base = "classic"', "run_length = 3", name="ours.toml")
    file = scenario(tmp_path, SETUP, '{"start": "6C"}', '{"play": ["6H", "6D"]}')
    assert main(["judge", file, "--rules", ours]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[1])["burn"] is True


@pytest.mark.parametrize(
    ("lines", "where", "message"),
    [
        (["{"], 1, "expected one JSON object on the line"),
        (["[" * 100_000], 1, "expected one JSON object on the line"),
        (["[]"], 1, "expected a set-up as a JSON object, not []"),
        (['{"rules": "nors", "players": ["A", "B"]}'], 1, "there is no rule set 'nors'"),
        (['{"rules": "classic", "players": ["A"]}'], 1, "expected two players or more, not 1"),
        (['{"rules": "castle", "players": ["A", "B", "C", "D", "E"]}'], 1, "castle seats 2 to 4"),
        ([SETUP, "", '{"play": ["7X"]}'], 3, "play: '7X' is no card"),
        ([SETUP, '{"play": ["7H"], "by": "Zoe"}'], 2, "by: no player 'Zoe' sits here"),
        ([SETUP, '{"faceup": {"Zoe": ["7H"]}}'], 2, "no player 'Zoe' sits here"),
        ([SETUP, '{"paly": ["7H"]}'], 2, "did you mean play?"),
        ([SETUP, "7"], 2, "expected an event as a JSON object, not 7"),
        ([SETUP, '{"start": "5C"}', '{"expect": []}'], 3, "expected expect with an object"),
        ([SETUP, '{"expect": {}}'], 2, "expect stands before the first event"),
        ([SETUP, '{"start": NaN}'], 2, "expected one JSON object on the line (NaN is no number)"),
        ([SETUP, '{"play": ["7H"], "play": ["8H"]}'], 2, "the key 'play' stands twice"),
        (['{"rules": "classic", "players": ["Ann", "ann"]}'], 1, "'Ann' and 'ann' cannot be told"),
        ([SETUP, "9" * 5000], 2, "expected one JSON object on the line"),
    ],
)
@pytest.mark.parametrize("check", [[], ["--check"]], ids=["print", "check"])
def test_a_malformed_line_is_told_with_its_place(
    tmp_path: Path, capsys: Capture, lines: list[str], where: int, message: str, check: list[str]
) -> None:
    file = scenario(tmp_path, *lines)
    assert main(["judge", *check, file]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pilewatch: {file}:{where}: ")
    assert message in error
    assert error.count("\n") == 1


def test_a_file_that_is_none_is_told(tmp_path: Path, capsys: Capture) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\x89PNG\xff\xfe")
    empty = scenario(tmp_path, "", name="empty")
    for path in (tmp_path, tmp_path / "none", binary, empty):
        assert main(["judge", str(path)]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"pilewatch: {path}: ")
        assert error.count("\n") == 1


def test_the_other_files_are_still_judged(tmp_path: Path, capsys: Capture) -> None:
    good = scenario(tmp_path, SETUP, '{"start": "5C"}', '{"expect": {"pile": 1}}')
    assert main(["judge", "--check", str(tmp_path / "none"), good]) == 2
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_rules_lists_the_presets(capsys: Capture) -> None:
    assert main(["rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "castle",
        "classic",
        "hat",
        "idiota",
        "jokers",
        "norsk",
        "pyramid",
    ]


def test_rules_prints_a_preset_that_can_be_checked(tmp_path: Path, capsys: Capture) -> None:
    assert main(["rules", "norsk"]) == 0
    file = tmp_path / "ours.toml"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["rules", "--check", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: good (")


def test_rules_tells_what_is_wrong_in_a_file(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, 'two = "agian"', name="ours.toml")
    assert main(["rules", "--check", file]) == 2
    assert capsys.readouterr().err == (
        f"pilewatch: {file}: two = 'agian'; expected next or again; did you mean again?\n"
    )


def test_an_unknown_preset_is_told(capsys: Capture) -> None:
    assert main(["rules", "norks"]) == 2
    assert "did you mean norsk?" in capsys.readouterr().err
