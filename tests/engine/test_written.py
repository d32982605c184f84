"""Text files and JSON of any making: read as meant, or refused in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine import written
from engine.errors import RulesError, ScenarioError, shown
from engine.rulebook import read_rule_set
from engine.written import decoded, decoded_toml, read_text
from firmware.config.keys import BY_NAME, ConfigError
from firmware.config.reading import parse_config


def why(path: Path | str) -> str:
    with pytest.raises(ScenarioError) as wrong:
        read_text(path, "scenario", ScenarioError)
    return str(wrong.value)


def test_the_mark_at_the_beginning_of_a_file_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfone\r\ntwo\n")
    assert read_text(tmp_path / "a", "scenario", ScenarioError) == "one\ntwo\n"


def test_what_never_ends_and_what_never_comes_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in ("/dev/zero", "/dev/tty", tmp_path / "fifo", tmp_path):
        assert why(path) == f"{path}: the scenario cannot be read (it is no ordinary file)"


def test_a_pipe_that_the_shell_hands_over_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"one\n")
    os.close(write)
    assert read_text(f"/dev/fd/{read}", "scenario", ScenarioError) == "one\n"
    os.close(read)


def test_a_file_that_is_far_too_large_is_not_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written, "MOST_BYTES", 3)
    (tmp_path / "a").write_bytes(b"four")
    assert why(tmp_path / "a").endswith("the scenario is far too large; expected some kilobytes")


def test_a_name_longer_than_any_can_be(tmp_path: Path) -> None:
    told = why("x" * 5000)
    assert told.endswith("the scenario cannot be read (File name too long)")
    assert len(told) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"Ann": 1, "Bob": 2, "Ann": 3}}', "the key 'Ann' stands twice in one object"),
        ('{"start": NaN}', "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("[" * 100_000, "it cannot be decoded"),
        ("{", "Expecting property name enclosed in double quotes"),
    ],
)
def test_what_is_no_plain_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as wrong:
        decoded(text)
    assert str(wrong.value) == message


def test_the_same_key_in_two_objects_is_no_fault() -> None:
    assert decoded('[{"a": 1}, {"a": 2, "b": {"a": 3}}]')[1] == {"a": 2, "b": {"a": 3}}


def test_values_are_shown_as_they_are_written() -> None:
    assert shown({"a": [None, True, "x"], "b": 1.5}) == "{'a': [null, true, 'x'], 'b': 1.5}"
    assert shown("x" * 99) == "'" + "x" * 58 + "…"


LONG = ("9" * 5000, "0x" + "f" * 5000, "[" * 3000, "[" * 300 + "]" * 300, "1e400", "-inf", "nan")
"""Values that no switch and no setting takes, and some that no reader can take in."""


@pytest.mark.parametrize("value", LONG)
@pytest.mark.parametrize("key", ["hand", "jokers", "title", "run_burn", "reset_ranks", "base", "x"])
def test_no_value_of_a_rules_file_is_too_long_to_be_refused_in_a_sentence(
    key: str, value: str, tmp_path: Path
) -> None:
    (tmp_path / "k.toml").write_text(f"{key} = {value}\n")
    with pytest.raises(RulesError, match=r"k\.toml: ") as wrong:
        read_rule_set(str(tmp_path / "k.toml"))
    assert len(str(wrong.value)) < 500


@pytest.mark.parametrize("value", LONG)
@pytest.mark.parametrize("key", ["title", "cover_pairs"])
def test_nor_of_one_for_the_pyramid(key: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "k.toml").write_text(f'base = "pyramid"\n{key} = {value}\n')
    with pytest.raises(RulesError, match=r"k\.toml: "):
        read_rule_set(str(tmp_path / "k.toml"))


@pytest.mark.parametrize("value", LONG)
def test_nor_of_the_settings(value: str) -> None:
    for name in BY_NAME:
        section, _, key = name.rpartition(".")
        with pytest.raises(ConfigError, match=r"^here:"):
            parse_config(
                f"[{section}]\n{key} = {value}\n" if section else f"{key} = {value}\n", "here"
            )


def test_a_number_that_is_far_too_long_is_called_so() -> None:
    with pytest.raises(ScenarioError, match="a value in it is far too long"):
        decoded_toml("hand = " + "9" * 5000)
    assert shown(16**5000) == "a number of far too many digits"
    assert shown([-(10**80)]) == "[a number of far too many digits]"
    assert shown(decoded("[" * 900 + "]" * 900)) == "[" * 59 + "…"
