"""Everything in which one table's game differs from another's, as named switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_type_hints

from engine.cards import Rank, parse_rank
from engine.contradictions import check
from engine.errors import CardError, RulesError, nearest, one_of, shown


def _switch(
    default: Any,
    meaning: str,
    choices: tuple[str, ...] = (),
    least: int = 0,
    most: int = 99,
    joker: bool = False,
) -> Any:
    """A field of HouseRules together with what its value means and may be.

    ``joker`` tells that JK may stand in a list of ranks.
    """
    about = {
        "meaning": meaning,
        "choices": choices,
        "least": least,
        "most": most,
        "joker": joker,
    }
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The switches of one rule set; defaults are ``classic``.

    Each field is a switch of a rules file. The comments in the presets are the
    ``meaning`` given here.
    """

    name: str = _switch("classic", "the short name of this rule set")
    title: str = _switch("Idiot", "its name in words")

    # Seats and deal
    max_players: int = _switch(12, "how many can play at most", least=2, most=24)
    players_per_deck: int = _switch(4, "another pack for each so many players", least=1)
    fewer_packs: bool = _switch(True, "fewer packs than that will do, if the deal allows it")
    max_decks: int = _switch(8, "how many packs can be shuffled together", least=1, most=8)
    jokers: int = _switch(0, "jokers in each pack", most=4)
    down: int = _switch(3, "cards dealt face down to each player", most=6)
    up: int = _switch(3, "cards laid face up on them", most=6)
    row: str = _switch(
        "dealt",
        "the face-up cards are dealt, or chosen from the first hand",
        ("dealt", "chosen"),
    )
    hand: int = _switch(
        3, "cards dealt to the hand, and kept there from the stock", least=1, most=9
    )
    swap: bool = _switch(True, "before play, face-up cards may be exchanged with the hand")

    # Opening and end
    turned_card: bool = _switch(True, "a card turned from the stock begins the pile")
    turn_again: bool = _switch(False, "after a special card that is turned, another is turned")
    starter: str = _switch(
        "dealer_left",
        "who begins; all but the first are fixed by the first play",
        ("dealer_left", "lowest_card", "first_three", "first_play"),
    )
    ends: str = _switch(
        "idiot",
        "play goes on to the last with cards, or stops at the first without",
        ("idiot", "winner"),
    )

    # What lies on what
    reset_ranks: tuple[Rank, ...] = _switch(
        (Rank.TWO,), "laid on anything, followed by anything", joker=True
    )
    two: str = _switch(
        "next",
        "who follows such a card: the next player, or the same one, who owes another",
        ("next", "again"),
    )
    burn_ranks: tuple[Rank, ...] = _switch(
        (Rank.TEN,), "laid on anything; the pile is burned", joker=True
    )
    ten_on_higher: bool = _switch(True, "a burning rank may be laid on a higher card")
    ten_on_empty: bool = _switch(True, "a burning rank may be laid where no pile is")
    after_ten: str = _switch("same", "who leads after such a burn", ("same", "next"))
    lower_ranks: tuple[Rank, ...] = _switch((), "laid on anything; the next lays that or lower")
    lower_on_higher: bool = _switch(True, "such a rank may be laid on a higher card")
    lower_equal: bool = _switch(True, "the same rank may follow it too, not only lower ones")
    lower_choice: bool = _switch(False, "who lays it may call for higher cards instead")
    ten_on_seven: bool = _switch(True, "a burning rank may be laid where lower is asked for")
    face_up: str = _switch(
        "equal", "a face-up card must be equal or higher, or only higher", ("equal", "higher")
    )
    face_up_fails: str = _switch(
        "refused",
        "a face-up card that does not fit is refused, or laid and the pile taken",
        ("refused", "laid"),
    )
    no_finish_ranks: tuple[Rank, ...] = _switch(
        (), "ranks that cannot be anybody's last card", joker=True
    )
    pairs: bool = _switch(False, "equal cards laid together are beaten only by as many")

    # Cards that act
    glass_ranks: tuple[Rank, ...] = _switch(
        (), "laid on anything and seen through: what lies below counts", joker=True
    )
    skip_ranks: tuple[Rank, ...] = _switch((), "each card of it passes over one player", joker=True)
    glass_skips: bool = _switch(False, "glass on a card that passes over a player does so again")
    reverse_ranks: tuple[Rank, ...] = _switch(
        (), "each card of it turns the direction of play", joker=True
    )
    reverse_each: bool = _switch(True, "two such cards at once turn it twice, not once")
    reverse_two: str = _switch(
        "next", "who follows such a card when two are left in the game", ("next", "same")
    )
    pickup_ranks: tuple[Rank, ...] = _switch(
        (), "laid on anything and gone: the next player takes the pile", joker=True
    )
    red_jack_deflects: bool = _switch(False, "a red jack passes that pile on to the next player")

    # Runs of equal cards on top of the pile
    run_burn: bool = _switch(True, "enough equal cards on top take the pile out of the game")
    run_length: int = _switch(4, "how many are enough", least=2, most=32)
    run_whole: bool = _switch(False, "instead, every card of the rank must lie there")
    short_run_ranks: tuple[Rank, ...] = _switch((), "ranks of which fewer are enough")
    short_run_length: int = _switch(3, "how many of these are enough", least=2, most=32)
    glass_breaks_run: bool = _switch(True, "a card that is seen through parts a run of others")
    run_takes: str = _switch("pile", "what leaves the game", ("pile", "run"))
    after_run: str = _switch("same", "who leads after such a burn", ("same", "next"))
    four_on_any: bool = _switch(False, "enough equal cards laid together go on any card")
    cut_in: str = _switch(
        "off",
        "equal cards out of turn: never, to complete such a run, or always",
        ("off", "fourth", "equal"),
    )

    # Taking the pile
    after_pickup: str = _switch("next", "who leads after it", ("next", "same"))
    take_face_up: bool = _switch(
        False, "who plays from the face-up row takes equal cards of it along"
    )
    pickup_blind: bool = _switch(True, "who has only face-down cards may take the pile unplayed")

    # Further moves
    chance: bool = _switch(False, "a card of the stock may be turned instead of playing")
    chance_first: bool = _switch(False, "it is turned before the pile is taken")
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
        check(rules, where)
        return rules

    def to_json(self) -> dict[str, Any]:
        """Every switch, as ``override`` takes it."""
        return {name: _plain(getattr(self, name)) for name in SWITCHES}

    @property
    def powers(self) -> frozenset[Rank]:
        """The ranks that do something when they are played, or follow rules of their own."""
        return frozenset(
            (
                *self.reset_ranks,
                *self.burn_ranks,
                *self.lower_ranks,
                *self.glass_ranks,
                *self.pickup_ranks,
            )
        )


SWITCHES: dict[str, Any] = {each.name: each for each in fields(HouseRules)}
_TYPES: dict[str, Any] = get_type_hints(HouseRules)


def _plain(value: Any) -> Any:
    return [rank.code for rank in value] if isinstance(value, tuple) else value


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
        return _rank_list(key, value, where, about["joker"])
    raise RulesError(f"{where}: {key} = {shown(value)}; expected {expected}")


def _rank_list(key: str, value: object, where: str, joker: bool) -> tuple[Rank, ...]:
    if not isinstance(value, list):
        raise RulesError(
            f'{where}: {key} = {shown(value)}; expected a list of ranks such as ["2", "10"]'
        )
    try:
        ranks = tuple(parse_rank(code) for code in value)
    except CardError as wrong:
        raise RulesError(f"{where}: {key}: {wrong}") from None
    if Rank.JOKER in ranks and not joker:
        raise RulesError(f"{where}: {key}: expected ranks from 2 to A, not JK")
    if len(set(ranks)) < len(ranks):
        raise RulesError(f"{where}: {key} = {shown(value)}; expected each rank once")
    return ranks
