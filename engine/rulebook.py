"""Every rule set by name or file: those of Idiot and the pyramid patience."""

from __future__ import annotations

from engine import pyramid
from engine.errors import RulesError, nearest, one_of, shown
from engine.pyramid import PyramidRules
from engine.rules import HouseRules, parse_rules, preset, preset_names, to_toml
from engine.written import read_text

RuleSet = HouseRules | PyramidRules


def rule_set_names() -> tuple[str, ...]:
    """The names of all rule sets that come with Pilewatch, sorted."""
    return tuple(sorted((*preset_names(), pyramid.NAME)))


def rule_set(name_or_path: str) -> RuleSet:
    """A rule set by name, or a file by a path that ends in ``.toml``.

    RulesError lists the names there are, or says what is wrong in the file.
    """
    if name_or_path.endswith(".toml"):
        return read_rule_set(name_or_path)
    if name_or_path == pyramid.NAME:
        return PyramidRules()
    if name_or_path not in preset_names():
        raise RulesError(
            f"there is no rule set {shown(name_or_path)}; expected {one_of(rule_set_names())}"
            f"{nearest(name_or_path, rule_set_names())}"
        )
    return preset(name_or_path)


def read_rule_set(path: str) -> RuleSet:
    """The rule set of a file, whatever its name; RulesError names file, key and choices."""
    text = read_text(path, "rules file", RulesError)
    return pyramid.parse_rules(text, path) or parse_rules(text, path)


def as_toml(rules: RuleSet) -> str:
    """The rule set as a TOML file that ``read_rule_set`` reads back."""
    return rules.to_toml() if isinstance(rules, PyramidRules) else to_toml(rules)
