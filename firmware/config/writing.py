"""The settings as a TOML file that can be read back."""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.errors import printable
from firmware.config.keys import KEYS
from firmware.config.reading import DEFAULT, Config


def to_toml(config: Config, meanings: bool = True) -> str:
    """The settings in force; behind each where it came from, above it what it means."""
    lines: list[str] = []
    section = ""
    for key in KEYS:
        first, dot, last = key.name.partition(".")
        if dot and first != section:
            section = first
            lines += ["", f"[{section}]"]
        if meanings:
            lines.append(f"# {key.meaning}")
        origin = config.origin[key.name]
        said = DEFAULT if origin == DEFAULT else f"from {printable(origin)}"
        lines.append(f"{last or first} = {_value(config[key.name])}  # {said}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_value(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    # Not %g: the value that is read back must be the one in force.
    return str(value).removesuffix(".0")
