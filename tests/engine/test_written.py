"""Text files and JSON of any making: read as meant, or refused in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine import written
from engine.errors import ScenarioError, shown
from engine.written import decoded, read_text


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
