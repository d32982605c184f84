"""``pilewatch test``: runs Pilewatch's own tests. Further arguments go to pytest."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.errors import PilewatchError

ROOT = Path(__file__).resolve().parents[2]


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``test``."""
    parser = sub.add_parser(
        "test",
        help="run Pilewatch's own tests",
        description="Runs the test suite of this checkout; all arguments go to pytest.",
        add_help=False,
        prefix_chars="\0",  # every option is pytest's
    )
    parser.add_argument("pytest_arguments", nargs="*")


def run(args: argparse.Namespace) -> int:
    """Return pytest's exit code."""
    if not (ROOT / "tests").is_dir():
        raise PilewatchError("the tests are not installed; run ./pilewatch test in a checkout")
    if importlib.util.find_spec("pytest") is None:
        raise PilewatchError("pytest is not installed here; ./pilewatch test brings it along")
    arguments = from_root(args.pytest_arguments, Path.cwd())
    return subprocess.run([sys.executable, "-P", "-m", "pytest", *arguments], cwd=ROOT).returncode


def from_root(arguments: Sequence[str], here: Path) -> list[str]:
    """Return the arguments with paths that mean something ``here`` made absolute.

    pytest runs in the checkout, where its settings lie, wherever it was called from.
    """
    if here == ROOT:
        return list(arguments)
    out = []
    for argument in arguments:
        path, colons, rest = argument.partition("::")
        is_path = os.sep in path or path.endswith(".py") or path in {".", ".."}
        if is_path and not path.startswith("-") and (here / path).exists():
            argument = f"{(here / path).resolve()}{colons}{rest}"
        out.append(argument)
    return out
