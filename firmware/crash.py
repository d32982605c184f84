"""Keeps the details of a mistake of ours, so that the person need not read them."""

from __future__ import annotations

import platform
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from firmware import __version__, clock
from firmware.folders import state_folder

FILE_NAME = "pilewatch-crash.log"


def write_crash_report(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Append the traceback of ``error`` to a log file and return its path.

    The state folder is tried first, then the folder for temporary files; None if neither can be
    written.
    """
    report = "\n".join(
        [
            f"{clock.stamp(clock.now())}  pilewatch {__version__}",
            f"Python {platform.python_version()} on {platform.platform()}",
            f"arguments: {list(arguments)!r}",
            "".join(traceback.format_exception(error)),
            "",
        ]
    )
    for folder in (state_folder(), Path(tempfile.gettempdir())):
        if folder is None:
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / FILE_NAME
            with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(report)
        except OSError:
            continue
        return path
    return None
