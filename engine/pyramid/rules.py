"""The switches of the pyramid patience, and their TOML form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from engine.errors import RulesError, ScenarioError, nearest, shown
from engine.written import decoded_toml

NAME = "pyramid"


def _switch(default: object, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True)
class PyramidRules:
    """Everything in which one table's pyramid differs from another's; defaults are the preset."""

    name: str = _switch(NAME, "the short name of this rule set")
    title: str = _switch("Pyramid patience, for one player", "its name in words")
    cover_pairs: bool = _switch(
        True, "a card may go together with the one that it alone still covers"
    )
    undo_after_win: bool = _switch(False, "moves may be taken back when the pyramid is cleared")

    def override(self, options: Mapping[str, object], where: str = "options") -> PyramidRules:
        """These rules with single switches changed; RulesError names where, key and choices."""
        for key, value in options.items():
            if key not in _SWITCHES:
                raise RulesError(
                    f"{where}: there is no pyramid rule {shown(key)}{nearest(str(key), _SWITCHES)}"
                )
            if isinstance(_SWITCHES[key].default, bool):
                if not isinstance(value, bool):
                    raise RulesError(f"{where}: {key} = {shown(value)}; expected true or false")
            elif not isinstance(value, str) or not value.isprintable() or not value:
                raise RulesError(f"{where}: {key} = {shown(value)}; expected a text")
        changed: dict[str, Any] = dict(options)
        return replace(self, **changed)

    def to_toml(self) -> str:
        """The rules as a TOML file: every switch, under a comment that says what it does."""
        lines = ["# the rule set that this file changes", f'base = "{NAME}"']
        for name, switch in _SWITCHES.items():
            lines += ["", f"# {switch.metadata['meaning']}", f"{name} = {_toml(self, name)}"]
        return "\n".join(lines) + "\n"


_SWITCHES = {each.name: each for each in fields(PyramidRules)}


def parse_rules(text: str, where: str) -> PyramidRules | None:
    """The rules of a TOML text with ``base = "pyramid"``; None for every other text.

    What is no such text is left to the reader of the other rule sets, which says what is
    wrong with it. RulesError names ``where``, key and choices.
    """
    try:
        data = decoded_toml(text)
    except ScenarioError:
        return None
    if data.pop("base", None) != NAME:
        return None
    return replace(PyramidRules(), name=Path(where).stem).override(data, where)


def _toml(rules: PyramidRules, name: str) -> str:
    value = getattr(rules, name)
    if isinstance(value, bool):
        return "true" if value else "false"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
