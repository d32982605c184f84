"""ONNX Runtime sessions set up for a small board: one thread, no spinning while idle."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PilewatchError

if TYPE_CHECKING:
    import onnxruntime


class ModelError(PilewatchError):
    """A model file is missing, damaged, or not one of ours."""


def models_folder() -> Path:
    """The folder of the installed models; raises :class:`ModelError` where there is none."""
    found = importlib.util.find_spec("models")
    places = None if found is None else found.submodule_search_locations
    if not places:
        raise ModelError(
            "the folder models is missing: expected it beside the program; install again"
        )
    return Path(next(iter(places)))


def open_model(file: Path) -> onnxruntime.InferenceSession:
    """A session for ``file``; raises :class:`ModelError` when it cannot be used."""
    # It would send what it does to its makers, and number this machine by a file in the home.
    # The library reads this once, when it is loaded.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    if not file.is_file():
        raise ModelError(
            f"model file {file.name} is missing from {file.parent}: expected it with the program; "
            "install again"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Idle threads spin by default: 29 % of a core at 10 looks a second, against 0.6 % without.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # onnxruntime raises classes of its own that share no documented base.
        raise ModelError(
            f"model file {file} cannot be read ({type(error).__name__}): expected an ONNX model; "
            "install again"
        ) from error
