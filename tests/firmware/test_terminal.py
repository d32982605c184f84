"""The demonstration in a terminal."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console
from table_talk import TableTalk

from engine.setup import classic
from firmware import panel
from firmware.terminal import Terminal, braille, oled, thumbnail
from vision.frame import Frame


def console(width, height):
    return Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=True,
        color_system="truecolor",
    )


def test_braille_dots_stand_where_the_pixels_are():
    dots = np.zeros((4, 4), np.uint8)
    dots[0, 0] = dots[3, 1] = dots[1, 3] = 1
    assert braille(dots) == "⢁⠐"


def test_the_panel_is_sixteen_lines_of_sixty_four():
    lines = oled(panel.Notice("Hello")).plain.splitlines()
    assert len(lines) == 16
    assert {len(line) for line in lines} == {64}


def test_thumbnail_has_two_pixels_a_character():
    text = thumbnail(np.full((72, 128, 3), (10, 20, 30), np.uint8), 8, 3)
    assert text.plain == "\n".join(["▀▀▀▀▀▀▀▀"] * 3)
    assert text.spans[0].style == "#1e140a on #1e140a"


@pytest.mark.parametrize(
    ("width", "height", "fits"), [(80, 24, True), (60, 24, False), (80, 20, False)]
)
def test_a_small_terminal_gets_lines_instead(width, height, fits):
    assert Terminal.fits(console(width, height)) is fits


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 30), (140, 50)])
def test_panel_and_lines_are_shown(width, height):
    out = console(width, height)
    told = TableTalk(classic("Ann", "Bob")).play("land 6C; land 7H").ears.told
    with Terminal(out, "Idiot") as terminal:
        for each in told:
            terminal.hear(each)
        terminal.show(Frame(0, 0.0, np.zeros((72, 128, 3), np.uint8)))
    shown = out.file.getvalue()
    assert "Ann lays 7♥" in shown
    assert "⣿" in shown
    assert ("▀" in shown) == (height == 50)
