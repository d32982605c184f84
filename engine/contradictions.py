"""House rules that cannot hold together, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Rank
from engine.errors import RulesError

if TYPE_CHECKING:
    from engine.house_rules import HouseRules

_PLACES = ("reset_ranks", "burn_ranks", "lower_ranks", "glass_ranks", "pickup_ranks")
"""Switches of ranks that have a place of their own in the order; a rank has only one."""

_NEEDS_RUNS: dict[str, tuple[object, str]] = {
    "four_on_any": (True, "false"),
    "cut_in": ("fourth", "off or equal"),
}
"""Switches that speak of runs: the value that does, and what is expected without runs."""


def check(rules: HouseRules, where: str) -> None:
    """Nothing, or a RulesError that names two switches and says why they exclude each other."""
    for complaint in (_places(rules), _runs(rules), _moves(rules), _end(rules)):
        if complaint is not None:
            raise RulesError(f"{where}: {complaint}")


def _places(rules: HouseRules) -> str | None:
    seen: dict[Rank, str] = {}
    for group in _PLACES:
        for rank in getattr(rules, group):
            if rank in seen:
                return (
                    f"{group} = {rank.code}, which stands in {seen[rank]} already;"
                    " expected each rank once"
                )
            seen[rank] = group
    for rank in rules.skip_ranks:
        if seen.get(rank) in ("burn_ranks", "pickup_ranks"):
            return (
                f"skip_ranks = {rank.code}, which stands in {seen[rank]} already: who acts"
                " after it is settled there; expected another rank"
            )
    return None


def _runs(rules: HouseRules) -> str | None:
    if not rules.run_burn:
        for key, (value, instead) in _NEEDS_RUNS.items():
            if getattr(rules, key) == value:
                told = str(value).lower()
                return f"{key} = {told}, but run_burn = false: no run burns; expected {instead}"
    if not rules.short_run_ranks:
        return None
    if rules.run_whole:
        return (
            f"short_run_ranks = {rules.short_run_ranks[0].code}, but run_whole = true asks"
            " for every card of a rank; expected one of the two"
        )
    if rules.run_burn and rules.short_run_length >= rules.run_length:
        return (
            f"short_run_length = {rules.short_run_length} is not shorter than"
            f" run_length = {rules.run_length}; expected fewer"
        )
    return None


def _moves(rules: HouseRules) -> str | None:
    if rules.chance_first and not rules.chance:
        return "chance_first = true, but chance = false: there is no card to turn; expected false"
    if rules.red_jack_deflects and not rules.pickup_ranks:
        return (
            "red_jack_deflects = true, but pickup_ranks = []: no card makes anybody take the"
            " pile; expected false"
        )
    if rules.red_jack_deflects and Rank.JACK in rules.pickup_ranks:
        return (
            "red_jack_deflects = true, but pickup_ranks = J: a jack cannot do both; expected false"
        )
    if rules.turn_again and not rules.turned_card:
        return "turn_again = true, but turned_card = false: no card begins the pile; expected false"
    if rules.lower_choice and not rules.lower_ranks:
        return "lower_choice = true, but lower_ranks = []: no rank asks for lower; expected false"
    if rules.pairs and rules.series != "off":
        return (
            f"pairs = true, but series = {rules.series}: a series is no number of equal cards;"
            " expected one of the two"
        )
    return None


def _end(rules: HouseRules) -> str | None:
    if len(set(rules.no_finish_ranks) - {Rank.JOKER}) == len(Rank) - 1:
        return "no_finish_ranks names every rank, so that nobody could finish; expected fewer"
    return None
