"""ONNX Runtime sessions set up for a small board: one thread, no spinning while idle."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import PilewatchError

if TYPE_CHECKING:
    import onnxruntime


class ModelError(PilewatchError):
    """A model file is missing, damaged, or not one of ours."""


def models_folder() -> Path:
    """The folder of the installed models."""
    return Path(str(resources.files("models")))


def open_model(file: Path) -> onnxruntime.InferenceSession:
    """A session for ``file``; raises :class:`ModelError` when it cannot be used."""
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
