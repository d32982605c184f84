"""Rule sets by name and as TOML files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from engine.errors import RulesError, ScenarioError, nearest, one_of, shown
from engine.house_rules import SWITCHES, HouseRules
from engine.written import decoded_toml, read_text

__all__ = [
    "SWITCHES",
    "HouseRules",
    "find_rules",
    "load_rules",
    "parse_rules",
    "preset",
    "preset_names",
    "to_toml",
]


def preset_names() -> tuple[str, ...]:
    """The names of the rule sets that come with Pilewatch, sorted."""
    folder = resources.files("engine") / "presets"
    return tuple(
        sorted(
            entry.name[: -len(".toml")]
            for entry in folder.iterdir()
            if entry.name.endswith(".toml")
        )
    )


@cache
def preset(name: str) -> HouseRules:
    """The rule set of that name; RulesError lists those there are."""
    if name not in preset_names():
        raise RulesError(
            f"there is no rule set {shown(name)}; expected {one_of(preset_names())}"
            f"{nearest(name, preset_names())}"
        )
    text = (resources.files("engine") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_rules(text, where=f"{name}.toml")


def load_rules(path: Path | str) -> HouseRules:
    """The rule set of a TOML file of one's own; RulesError names file, key and choices."""
    return parse_rules(read_text(path, "rules file", RulesError), where=str(path))


def find_rules(name_or_path: str) -> HouseRules:
    """A preset by name, or a file by a path that ends in ``.toml``."""
    if name_or_path.endswith(".toml"):
        return load_rules(name_or_path)
    return preset(name_or_path)


def parse_rules(text: str, where: str) -> HouseRules:
    """The rule set of a TOML text; ``where`` is what messages call the file.

    The key ``base`` names the preset that the file changes; without it every switch
    that is left out has its default, which is that of ``classic``.
    """
    try:
        data = decoded_toml(text)
    except ScenarioError as wrong:
        raise RulesError(f"{where}: expected a rules file in TOML ({wrong})") from None
    strange = (key for key, value in data.items() if isinstance(value, dict))
    section = next((key for key in strange if key not in SWITCHES), None)
    if section is not None:
        raise RulesError(
            f"{where}: a rules file has no sections such as [{section}]; expected lines such as"
            " jokers = 2"
        )
    base = data.pop("base", None)
    if base is None:
        rules = HouseRules(name=Path(where).stem)
    elif isinstance(base, str) and base in preset_names():
        rules = replace(preset(base), name=Path(where).stem)
    else:
        raise RulesError(
            f"{where}: base = {shown(base)} is no rule set; expected {one_of(preset_names())}"
        )
    return rules.override(data, where)


def to_toml(rules: HouseRules) -> str:
    """The rule set as a TOML file: every switch, under a comment that says what it does."""
    lines = []
    for name, switch in SWITCHES.items():
        choices = switch.metadata["choices"]
        note = switch.metadata["meaning"] + (f" ({one_of(choices)})" if choices else "")
        lines += [f"# {note}", f"{name} = {_toml(getattr(rules, name))}", ""]
    return "\n".join(lines[:-1]) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{rank.code}"' for rank in value) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
