"""Who may import whom, down to the single module, and that nothing needs the device to import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "vision", "models", "firmware")
ON_THE_DEVICE_ONLY = {"picamera2", "libcamera", "lgpio", "RPi", "gpiozero", "smbus2"}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Full names of what is imported: ``a.b`` for ``from a import b`` too."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_import_time(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that runs on import: all but the insides of functions and of TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from at_import_time(child)


def names(path: Path, *, on_import: bool = False) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return set(imported(at_import_time(tree) if on_import else ast.walk(tree)))


def heads(path: Path, **how: bool) -> set[str]:
    return {name.split(".")[0] for name in names(path, **how)}


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_is_something_to_check() -> None:
    assert all(modules(folder) for folder in FOLDERS)
    assert "engine.cards.Card" in names(ROOT / "vision" / "observation.py")


@pytest.mark.parametrize("path", modules("engine"), ids=label)
def test_the_engine_stands_on_the_standard_library(path: Path) -> None:
    assert heads(path) <= sys.stdlib_module_names | {"engine"}


@pytest.mark.parametrize("path", modules("engine"), ids=label)
def test_the_engine_has_no_clock_and_no_threads(path: Path) -> None:
    assert not heads(path) & {"time", "datetime", "threading", "asyncio", "socket", "subprocess"}


@pytest.mark.parametrize("path", modules("vision"), ids=label)
def test_seeing_knows_cards_and_ledger_only(path: Path) -> None:
    allowed = ("engine.cards.", "engine.ledger.", "engine.errors.")
    engine = {name for name in names(path) if name.split(".")[0] == "engine"}
    assert {name for name in engine if not f"{name}.".startswith(allowed)} == set()
    assert not heads(path) & {"models", "firmware", "torch"}


@pytest.mark.parametrize("path", modules("models"), ids=label)
def test_the_models_know_cards_and_seeing_only(path: Path) -> None:
    allowed = ("engine.cards.", "engine.errors.")
    engine = {name for name in names(path) if name.split(".")[0] == "engine"}
    assert {name for name in engine if not f"{name}.".startswith(allowed)} == set()
    assert "firmware" not in heads(path)


@pytest.mark.parametrize("path", [p for f in FOLDERS for p in modules(f)], ids=label)
def test_importing_needs_no_device(path: Path) -> None:
    assert not heads(path, on_import=True) & ON_THE_DEVICE_ONLY


@pytest.mark.parametrize("path", modules("firmware/commands"), ids=label)
def test_a_command_can_say_its_help_without_opencv(path: Path) -> None:
    heavy = {"cv2", "numpy", "onnxruntime", "PIL", "vision"}
    assert not heads(path, on_import=True) & heavy
