"""Presses that do not come from buttons: from ``controls.jsonl`` and from the keyboard."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from engine.errors import PilewatchError, ScenarioError, one_of, shown
from engine.written import decoded, read_text
from firmware.fixes import Doing, from_json, to_json
from firmware.inbox import HELD, Button, Correction, Press

FILE_NAME = "controls.jsonl"

Act = Press | Correction


class ControlsError(PilewatchError, ValueError):
    """A line of ``controls.jsonl`` that cannot be used."""


class Controls:
    """Presses and corrections by the frame at which they happen."""

    def __init__(self, lines: Iterable[tuple[int, Button | Doing, float]] = ()) -> None:
        self._at: dict[int, list[tuple[Button | Doing, float]]] = {}
        for frame, what, hold in lines:
            self._at.setdefault(frame, []).append((what, hold))

    def at(self, frame: int, t: float) -> Iterator[Act]:
        """What happens at ``frame``, in the order of the lines."""
        for what, hold in self._at.get(frame, ()):
            if isinstance(what, Button):
                yield Press(frame, t, what, hold)
            else:
                yield Correction(frame, t, what)


def read_controls(path: Path) -> Controls:
    """The presses of a file; ControlsError names file, line and what was expected."""
    text = read_text(path, "file of presses", ControlsError)
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                lines.append(_parse(line))
            except (ControlsError, ScenarioError) as wrong:
                raise ControlsError(f"{path}:{number}: {wrong}") from None
    return Controls(lines)


def _parse(line: str) -> tuple[int, Button | Doing, float]:
    about = ""
    try:
        data = decoded(line)
    except ScenarioError as wrong:
        data, about = None, f" ({wrong})"
    if not isinstance(data, dict):
        raise ControlsError(
            f'expected an object such as {{"frame": 120, "press": "pickup"}}, not'
            f" {shown(line)}{about}"
        )
    frame = data.pop("frame", None)
    if isinstance(frame, bool) or not isinstance(frame, int) or frame < 0:
        raise ControlsError(f"frame takes the number of a frame, from 0, not {shown(frame)}")
    if "event" in data and len(data) == 1:
        return frame, from_json(data["event"]), 0.0
    press, hold = data.pop("press", None), data.pop("hold", 0)
    buttons = [button.value for button in Button]
    if press not in buttons:
        raise ControlsError(f"press takes {one_of(buttons)}, not {shown(press)}")
    if isinstance(hold, bool) or not isinstance(hold, int | float) or not 0 <= hold < 3600:
        raise ControlsError(f"hold takes seconds, not {shown(hold)}")
    if data:
        raise ControlsError(f"there is no key {shown(next(iter(data)))}; expected press and hold")
    return frame, Button(press), float(hold)


def control_line(act: Act) -> str:
    """The line of ``controls.jsonl`` that repeats ``act``."""
    data: dict[str, Any] = {"frame": act.frame}
    if isinstance(act, Correction):
        data["event"] = to_json(act.event)
    else:
        data["press"] = act.button.value
        if act.hold:
            data["hold"] = act.hold
    return json.dumps(data)


KEYS = {"p": Button.PICKUP, "n": Button.NEXT, "o": Button.OOPS}


def press_of_key(key: str, frame: int, t: float) -> Press | None:
    """The press that a key stands for; capitals hold."""
    button = KEYS.get(key.lower())
    return None if button is None else Press(frame, t, button, HELD if key.isupper() else 0.0)


class Keyboard:
    """Keys as they are struck, without waiting for Enter, while in the ``with`` block.

    Where standard input is no terminal, its characters count as keys as they arrive.
    """

    def __init__(self) -> None:
        self._fd = -1
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        try:
            self._fd = sys.stdin.fileno()
        except (OSError, ValueError, AttributeError):
            return self
        if os.isatty(self._fd):
            import termios
            import tty

            self._before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)
            self._before = None

    def struck(self) -> str:
        """The keys struck since the last call."""
        keys = ""
        while self._fd >= 0 and select.select([self._fd], [], [], 0)[0]:
            more = os.read(self._fd, 64)
            if not more:
                self._fd = -1
            keys += more.decode(errors="ignore")
        return keys
