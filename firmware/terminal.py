"""The demonstration in a terminal: the panel in braille dots, the table in colour, the lines."""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel as Box
from rich.table import Table as Grid
from rich.text import Text

from firmware import panel
from firmware.announce import lines
from firmware.tell import Announcement, Shown
from firmware.words import say
from vision.frame import Frame, Image

#: The panel is 64 × 16 characters of 2 × 4 dots, and so is a frame round it.
OLED_COLUMNS, OLED_ROWS = panel.SIZE[0] // 2, panel.SIZE[1] // 4
LEAST_COLUMNS = OLED_COLUMNS + 2
#: Beside the panel the lines need this much.
LINES_COLUMNS = 40
CAMERA_ROWS = 18
#: Pictures a second on the terminal, at most.
REFRESH = 10.0

OLED_STYLE = "#9fe8ff on #000000"
MARK_STYLES = {
    "✓": "green",
    "✗": "bold red",
    "♨": "bold yellow",
    "?": "bold magenta",
    "★": "bold bright_yellow",
    "·": "dim",
    "✎": "yellow",
}
#: Bits of a braille character by row and column of its dots (Unicode 10.0, ch. 21.1).
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


def braille(dots: Image) -> str:
    """The picture (h, w), where not 0, as lines of braille characters."""
    h, w = dots.shape
    cells = (dots != 0).reshape(h // 4, 4, w // 2, 2).transpose(0, 2, 1, 3)
    codes = 0x2800 + (cells * DOTS).sum((2, 3))
    return "\n".join("".join(map(chr, row)) for row in codes)


def oled(screen: panel.Screen) -> Text:
    """The panel's picture as text."""
    dots = np.asarray(panel.draw(screen), np.uint8)
    return Text(braille(dots), style=OLED_STYLE, no_wrap=True)


def thumbnail(image: Image, columns: int, rows: int) -> Text:
    """A picture (h, w, 3) BGR in half blocks, two pixels a character."""
    small = cv2.resize(image, (columns, rows * 2), interpolation=cv2.INTER_AREA)
    text = Text(no_wrap=True)
    for y in range(0, rows * 2, 2):
        for x in range(columns):
            (b, g, r), (below_b, below_g, below_r) = small[y, x], small[y + 1, x]
            text.append("▀", f"#{r:02x}{g:02x}{b:02x} on #{below_r:02x}{below_g:02x}{below_b:02x}")
        if y < rows * 2 - 2:
            text.append("\n")
    return text


class Terminal:
    """Shows the game while in the ``with`` block; hears what the director tells."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = title
        self._live = Live(console=console, screen=True, auto_refresh=False)
        self._lines: deque[Text] = deque(maxlen=200)
        self._screen: panel.Screen | None = None
        self._frame: Frame | None = None
        self._drawn = 0.0
        self._t = 0.0

    @staticmethod
    def fits(console: Console) -> bool:
        """Whether the terminal can show the panel at all."""
        return (
            console.is_terminal
            and not console.is_dumb_terminal
            and console.width >= LEAST_COLUMNS
            and console.height >= OLED_ROWS + 6
        )

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, value, trace)

    def hear(self, announcement: Announcement) -> None:
        """Take note of a line or another screen."""
        if isinstance(announcement, Shown):
            self._screen = announcement.screen
        self._t = max(self._t, announcement.t)
        for mark, words in lines(announcement):
            line = Text(f"{self._t:6.1f} ", style="dim", no_wrap=True, overflow="ellipsis")
            line.append(f"{mark} {words}", MARK_STYLES.get(mark, ""))
            self._lines.append(line)

    def show(self, frame: Frame) -> None:
        """Draw anew if it is time to."""
        self._frame = frame
        now = time.monotonic()
        if now - self._drawn >= 1 / REFRESH:
            self._drawn = now
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        width, height = self._console.size
        shown = oled(self._screen) if self._screen else Text("\n" * (OLED_ROWS - 1))
        device = Box(shown, width=LEAST_COLUMNS, padding=0, border_style="bright_black")
        beside = width >= LEAST_COLUMNS + LINES_COLUMNS
        left: list[RenderableType] = [device]
        if beside and self._frame and height >= OLED_ROWS + CAMERA_ROWS + 4:
            picture = thumbnail(self._frame.image, OLED_COLUMNS, CAMERA_ROWS)
            left.append(
                Box(
                    picture,
                    width=LEAST_COLUMNS,
                    padding=0,
                    border_style="bright_black",
                    title=say("demo.camera"),
                    title_align="left",
                )
            )
        room = height - 2 if beside else height - OLED_ROWS - 4
        told = list(self._lines)[-room:]
        box = Box(
            Group(*told),
            height=room + 2,
            title=self._title,
            title_align="left",
            border_style="bright_black",
        )
        if not beside:
            return Group(device, box)
        grid = Grid.grid(expand=True)
        grid.add_column(width=LEAST_COLUMNS)
        grid.add_column(ratio=1)
        grid.add_row(Group(*left), box)
        return grid
