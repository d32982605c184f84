"""Keeps the details of a mistake of ours, so that the person need not read them."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from firmware import __version__, clock
from firmware.folders import hand_over, make_folder, state_folder

FILE_NAME = "pilewatch-crash.log"
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW


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
            make_folder(folder)
            path = folder / FILE_NAME
            file_number = os.open(path, _FLAGS, 0o644)
            with os.fdopen(file_number, "a", encoding="utf-8", errors="backslashreplace") as file:
                hand_over(file_number, folder)
                file.write(report)
        except OSError:
            continue
        return path
    return None
