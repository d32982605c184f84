"""Sentences for people: one line each, whatever a file or a wrong word is called."""

from __future__ import annotations

import pytest

from engine.errors import CardError, PilewatchError, printable


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a table.jpg", "a table.jpg"),
        ("کارت‌ها 👩‍🚀\xa0ñ", "کارت‌ها 👩‍🚀\xa0ñ"),
        ("red\x1b[31m", "red\\x1b[31m"),
        ("two\nlines\r\t", "two\\nlines\\r\\t"),
        ("eight bits \x9b31m", "eight bits \\x9b31m"),
        ("turned \u202egpj", "turned \\u202egpj"),
        ("caf\udce9.jpg", "caf\\xe9.jpg"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_would_steer_a_terminal_is_escaped(text: str, line: str) -> None:
    assert printable(text) == line
    assert printable(line) == line


@pytest.mark.parametrize("kind", [PilewatchError, CardError])
def test_an_error_is_one_printable_line_of_its_own_accord(kind: type[PilewatchError]) -> None:
    assert str(kind("a\nb.jpg is \x1b no picture")) == "a\\nb.jpg is \\x1b no picture"
