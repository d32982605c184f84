"""House rules: presets, files of one's own, and what a mistake in one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import RulesError
from engine.rulebook import rule_set
from engine.rules import (
    HouseRules,
    find_rules,
    load_rules,
    parse_rules,
    preset,
    preset_names,
    to_toml,
)


def test_the_presets() -> None:
    assert preset_names() == ("castle", "classic", "hat", "idiota", "jokers", "norsk")


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_written_out_as_it_was_read(name: str) -> None:
    file = Path(__file__).parents[2] / "engine" / "presets" / f"{name}.toml"
    assert file.read_text(encoding="utf-8") == to_toml(preset(name))
    assert parse_rules(to_toml(preset(name)), f"{name}.toml") == preset(name)


def test_the_defaults_are_classic() -> None:
    assert preset("classic") == HouseRules(title=preset("classic").title)


def test_switches_can_be_overridden() -> None:
    rules = preset("jokers").override({"run_burn": True, "burn_ranks": ["10", "j"]})
    assert (rules.run_burn, [rank.code for rank in rules.burn_ranks]) == (True, ["10", "J"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"run_brun": True},
            "house.toml: there is no house rule 'run_brun'; did you mean run_burn?",
        ),
        ({"run_burn": 1}, "house.toml: run_burn = 1; expected true or false"),
        ({"run_length": True}, "house.toml: run_length = true; expected a number from 2 to 32"),
        ({"run_length": 99}, "house.toml: run_length = 99; expected a number from 2 to 32"),
        ({"two": "nxt"}, "house.toml: two = 'nxt'; expected next or again; did you mean next?"),
        ({"two": 2}, "house.toml: two = 2; expected next or again"),
        ({"series": "on"}, "house.toml: series = 'on'; expected off, strict or gaps"),
        ({"title": ""}, "house.toml: title = ''; expected a text"),
        ({"burn_ranks": "10"}, "house.toml: burn_ranks = '10'; expected a list of ranks such as"),
        ({"burn_ranks": ["11"]}, "house.toml: burn_ranks: '11' is no rank; expected 2 … 10, J, Q"),
        ({"lower_ranks": ["JK"]}, "house.toml: lower_ranks: expected ranks from 2 to A, not JK"),
        (
            {"burn_ranks": ["2"]},
            "house.toml: burn_ranks = 2, which stands in reset_ranks already; "
            "expected each rank once",
        ),
    ],
)
def test_a_wrong_switch_is_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError) as wrong:
        HouseRules().override(options, "house.toml")
    assert str(wrong.value).startswith(message)


def test_an_unknown_preset_is_told() -> None:
    with pytest.raises(RulesError, match=r"no rule set 'norks'; expected castle, .*mean norsk"):
        find_rules("norks")


def test_a_file_changes_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('base = "hat"\nafter_run = "same"\n', encoding="utf-8")
    rules = find_rules(str(file))
    assert (rules.name, rules.two, rules.after_run) == ("ours", "again", "same")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"two = again\n", "expected a rules file in TOML"),
        (b"\xff\xfe\x00", "this is no text"),
        (b'base = "hut"\n', "base = 'hut' is no rule set; expected castle"),
        (b"base = 3\n", "base = 3 is no rule set"),
        (b"[deal]\njokers = 1\n", "a rules file has no sections such as [deal]; expected lines"),
        (b"[two]\nx = 1\n", "two = {'x': 1}; expected next or again"),
    ],
)
def test_a_bad_file_is_told_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(content)
    with pytest.raises(RulesError) as wrong:
        load_rules(file)
    assert str(wrong.value).startswith(f"{file}: ")
    assert message in str(wrong.value)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(b'\xef\xbb\xbfbase = "hat"\n')
    assert load_rules(file).hand == find_rules("hat").hand
    file.write_bytes(b'\xef\xbb\xbfbase = "pyramid"\n')
    assert rule_set(str(file)).name == "ours"


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml", "nul\0.toml"):
        with pytest.raises(RulesError, match="the rules file cannot be read"):
            load_rules(path)
