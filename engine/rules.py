"""House rules as data: named switches, the presets, and their TOML form."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, get_type_hints

from engine.cards import Rank, parse_rank
from engine.errors import CardError, RulesError, nearest, one_of, shown


def _switch(
    default: Any, meaning: str, choices: tuple[str, ...] = (), least: int = 0, most: int = 99
) -> Any:
    """A field of HouseRules together with what its value means and may be."""
    about = {"meaning": meaning, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Everything in which one table's game differs from another's; defaults are ``classic``.

    Each field is a switch of a rules file. The comments in the presets are the
    ``meaning`` given here.
    """

    name: str = _switch("classic", "the short name of this rule set")
    title: str = _switch("Idiot", "its name in words")

    # Seats and deal
    max_players: int = _switch(12, "how many can play at most", least=2, most=24)
    players_per_deck: int = _switch(5, "another pack for each so many players", least=1)
    max_decks: int = _switch(8, "how many packs can be shuffled together", least=1, most=8)
    jokers: int = _switch(0, "jokers in each pack", most=4)
    down: int = _switch(3, "cards dealt face down to each player", most=6)
    up: int = _switch(3, "cards laid face up on them", most=6)
    hand: int = _switch(
        3, "cards dealt to the hand, and kept there from the stock", least=1, most=9
    )
    swap: bool = _switch(True, "before play, face-up cards may be exchanged with the hand")

    # Opening and end
    turned_card: bool = _switch(True, "a card turned from the stock begins the pile")
    starter: str = _switch("dealer_left", "who begins", ("dealer_left", "first_play"))
    ends: str = _switch(
        "idiot",
        "play goes on to the last with cards, or stops at the first without",
        ("idiot", "winner"),
    )

    # What lies on what
    reset_ranks: tuple[Rank, ...] = _switch((Rank.TWO,), "laid on anything, followed by anything")
    two: str = _switch(
        "next",
        "who follows such a card: the next player, or the same one, who owes another",
        ("next", "again"),
    )
    burn_ranks: tuple[Rank, ...] = _switch((Rank.TEN,), "laid on anything; the pile is burned")
    after_ten: str = _switch("same", "who leads after such a burn", ("same", "next"))
    lower_ranks: tuple[Rank, ...] = _switch((), "laid on anything; the next lays that or lower")
    lower_on_higher: bool = _switch(True, "such a rank may be laid on a higher card")
    ten_on_seven: bool = _switch(True, "a burning rank may be laid where lower is asked for")
    face_up: str = _switch(
        "equal", "a face-up card must be equal or higher, or only higher", ("equal", "higher")
    )
    face_up_fails: str = _switch(
        "refused",
        "a face-up card that does not fit is refused, or laid and the pile taken",
        ("refused", "laid"),
    )
    no_finish_ranks: tuple[Rank, ...] = _switch((), "ranks that cannot be anybody's last card")

    glass_ranks: tuple[Rank, ...] = _switch(
        (), "laid on anything and seen through: what lies below counts"
    )
    skip_ranks: tuple[Rank, ...] = _switch((), "each card of it passes over one player")
    reverse_ranks: tuple[Rank, ...] = _switch((), "each card of it turns the direction of play")

    # Runs of equal cards on top of the pile
    run_burn: bool = _switch(True, "enough equal cards on top take the pile out of the game")
    run_length: int = _switch(4, "how many are enough", least=2, most=32)
    run_whole: bool = _switch(False, "instead, every card of the rank must lie there")
    short_run_ranks: tuple[Rank, ...] = _switch((), "ranks of which fewer are enough")
    short_run_length: int = _switch(3, "how many of these are enough", least=2, most=32)
    glass_breaks_run: bool = _switch(True, "a card that is seen through parts a run of others")
    run_takes: str = _switch("pile", "what leaves the game", ("pile", "run"))
    after_run: str = _switch("same", "who leads after such a burn", ("same", "next"))

    # Taking the pile
    after_pickup: str = _switch("next", "who leads after it", ("next", "same"))
    take_face_up: bool = _switch(
        False, "who plays from the face-up row takes equal cards of it along"
    )

    # Further moves
    chance: bool = _switch(False, "a card of the stock may be turned instead of playing")
    after_chance_burn: str = _switch("same", "who leads when that card burns", ("same", "next"))
    add_drawn: bool = _switch(False, "a drawn card equal to those just laid may be added")
    match_blind: bool = _switch(False, "after a face-down card an equal one may be added")
    join_last: bool = _switch(False, "equal face-up cards may go with the last of the hand")
    series: str = _switch(
        "off", "cards in sequence in one play, without or with gaps", ("off", "strict", "gaps")
    )
    sneak_three: bool = _switch(False, "a three may be slid under the pile")
    remove_sets: bool = _switch(False, "all cards of a rank in one hand may be thrown out")

    def override(self, options: Mapping[str, object], where: str = "options") -> HouseRules:
        """These rules with single switches changed; RulesError names where, key and choices."""
        changed: dict[str, Any] = {key: _value(key, value, where) for key, value in options.items()}
        rules = replace(self, **changed) if changed else self
        _check_powers(rules, where)
        return rules

    def to_json(self) -> dict[str, Any]:
        """Every switch, as ``override`` takes it."""
        return {name: _plain(getattr(self, name)) for name in SWITCHES}


SWITCHES: dict[str, Any] = {each.name: each for each in fields(HouseRules)}
_TYPES: dict[str, Any] = get_type_hints(HouseRules)


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
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RulesError(f"{path}: expected a rules file in TOML, this is no text") from None
    except (OSError, ValueError) as wrong:
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise RulesError(f"{path}: the rules file cannot be read ({reason})") from None
    return parse_rules(text, where=str(path))


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
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise RulesError(f"{where}: expected a rules file in TOML ({wrong})") from None
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


def _plain(value: Any) -> Any:
    return [rank.code for rank in value] if isinstance(value, tuple) else value


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{rank.code}"' for rank in value) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _value(key: str, value: object, where: str) -> object:
    """``value`` as the switch ``key`` holds it, or a RulesError that says what it may be."""
    switch = SWITCHES.get(key)
    if switch is None:
        raise RulesError(f"{where}: there is no house rule {shown(key)}{nearest(key, SWITCHES)}")
    kind, about = _TYPES[key], switch.metadata
    expected = "a text"
    if kind is bool:
        if isinstance(value, bool):
            return value
        expected = "true or false"
    elif kind is int:
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and about["least"] <= value <= about["most"]
        ):
            return value
        expected = f"a number from {about['least']} to {about['most']}"
    elif kind is str:
        if (
            isinstance(value, str)
            and value.isprintable()
            and value != ""
            and (not about["choices"] or value in about["choices"])
        ):
            return value
        if about["choices"]:
            hint = nearest(value, about["choices"]) if isinstance(value, str) else ""
            expected = one_of(about["choices"]) + hint
    else:
        return _rank_list(key, value, where)
    raise RulesError(f"{where}: {key} = {shown(value)}; expected {expected}")


def _check_powers(rules: HouseRules, where: str) -> None:
    """A rank can go on anything for one reason only."""
    groups = ("reset_ranks", "burn_ranks", "lower_ranks", "glass_ranks")
    seen: dict[Rank, str] = {}
    for group in groups:
        for rank in getattr(rules, group):
            if rank in seen:
                raise RulesError(
                    f"{where}: {group} = {rank.code}, which stands in {seen[rank]} already;"
                    " expected each rank once"
                )
            seen[rank] = group


def _rank_list(key: str, value: object, where: str) -> tuple[Rank, ...]:
    if not isinstance(value, list):
        raise RulesError(
            f'{where}: {key} = {shown(value)}; expected a list of ranks such as ["2", "10"]'
        )
    try:
        ranks = tuple(parse_rank(code) for code in value)
    except CardError as wrong:
        raise RulesError(f"{where}: {key}: {wrong}") from None
    if Rank.JOKER in ranks:
        raise RulesError(f"{where}: {key}: expected ranks from 2 to A, not JK")
    return ranks
