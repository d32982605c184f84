"""The wiring table, the drawing and the settings agree."""

from __future__ import annotations

import re
from pathlib import Path

from firmware.config import defaults

DOCS = Path(__file__).resolve().parents[2] / "docs"

#: GPIO numbers by the pins of the header (Raspberry Pi documentation).
HEADER = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26,
    38: 20, 40: 21,
}  # fmt: skip


def rows():
    for line in (DOCS / "device.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.fullmatch(r"[\d, ]+", cells[1]) and cells[2] != "–":
            pins = [int(pin) for pin in cells[1].split(",")]
            numbers = [int(number) for number in cells[2].split(",")]
            yield cells[3].strip("`").split("`")[0], pins, numbers


def test_each_pin_of_the_table_carries_its_gpio():
    found = list(rows())
    assert len(found) == 9
    for name, pins, numbers in found:
        assert [HEADER[pin] for pin in pins] == numbers, name


def test_the_table_tells_the_default_settings():
    config = defaults()
    for name, _, numbers in rows():
        if name != "panel.bus":
            value = config[name]
            assert numbers == (list(value) if isinstance(value, tuple) else [value]), name


def test_every_wire_of_the_table_is_in_the_drawing():
    drawing = (DOCS / "wiring.svg").read_text(encoding="utf-8")
    wired = {
        int(pin)
        for pin in re.findall(
            r'(?:circle|rect)[^>]*fill="#(?!bbb|fff|e9efe6)\w+"/>\n<text[^>]*>(\d+)<', drawing
        )
    }
    assert {pin for _, pins, _ in rows() for pin in pins} <= wired
