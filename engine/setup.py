"""Who sits where, by which rules and with how many packs: what is fixed before the deal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, full_deck
from engine.errors import RulesError, SetupError, nearest, one_of, shown
from engine.house_rules import HouseRules
from engine.rules import find_rules, preset, preset_names

LONGEST_NAME = 40
"""Letters of a name; more are on no panel and in no table."""

_KEYS = ("rules", "players", "decks", "dealer", "first", "options")


@dataclass(frozen=True, slots=True)
class Setup:
    """A table before the deal; ``players`` in seat order, play going to the left.

    ``dealer`` and ``first`` are seats (indices of ``players``). ``first`` None lets the
    first play fix who began; the seat at the dealer's left then stands in.
    """

    rules: HouseRules
    players: tuple[str, ...]
    decks: int
    dealer: int
    first: int | None

    @staticmethod
    def new(
        rules: HouseRules,
        players: tuple[str, ...],
        decks: int | None = None,
        dealer: str | None = None,
        first: str | None = None,
    ) -> Setup:
        """A table that can be seated; SetupError says why another cannot.

        Without ``decks`` the rules say how many packs so many players need; without
        ``dealer`` it is the last player, so that the first one begins.
        """
        _check_names(players)
        if len(players) > rules.max_players:
            raise SetupError(
                f"{rules.name} seats 2 to {rules.max_players} players, not {len(players)}"
            )
        needed = -(-len(players) // rules.players_per_deck)
        packs = min(needed, rules.max_decks) if decks is None else decks
        if not 1 <= packs <= rules.max_decks:
            raise SetupError(f"{rules.name} is played with {_packs(rules)}, not {shown(decks)}")
        if packs < needed and not rules.fewer_packs:
            raise SetupError(
                f"{rules.name} takes another pack for each {rules.players_per_deck} players:"
                f" {len(players)} need {needed}, not {packs}"
            )
        _check_deal(rules, len(players), packs)
        seat = len(players) - 1 if dealer is None else _seat(players, dealer, "dealer")
        if first is not None:
            begins: int | None = _seat(players, first, "first")
        elif rules.starter == "dealer_left":
            begins = (seat + 1) % len(players)
        else:
            begins = None
        return Setup(rules, players, packs, seat, begins)

    @staticmethod
    def from_json(data: object, rules: HouseRules | None = None) -> Setup:
        """The set-up of a scenario's first line; ``rules`` stands in for those it names."""
        if not isinstance(data, Mapping):
            raise SetupError(f"expected a set-up as a JSON object, not {shown(data)}")
        for key in data:
            if key not in _KEYS:
                raise SetupError(f"a set-up has no key {shown(key)}{nearest(str(key), _KEYS)}")
        options = {} if data.get("options") is None else data["options"]
        if not isinstance(options, Mapping):
            raise SetupError(f"options takes an object of house rules, not {shown(options)}")
        if rules is None:
            rules = _named_rules(data.get("rules"))
        return Setup.new(
            rules.override(options),
            _names(data.get("players")),
            _packs_of(data.get("decks")),
            _text(data, "dealer"),
            _text(data, "first"),
        )

    def to_json(self) -> dict[str, Any]:
        """The set-up line that ``from_json`` reads back; options are what differs."""
        base = self.rules.name if self.rules.name in preset_names() else "classic"
        usual = preset(base).to_json()
        mine = self.rules.to_json()
        out: dict[str, Any] = {
            "rules": base,
            "players": list(self.players),
            "decks": self.decks,
            "dealer": self.players[self.dealer],
        }
        if self.first is not None:
            out["first"] = self.players[self.first]
        out["options"] = {key: mine[key] for key in mine if mine[key] != usual[key]}
        return out

    @property
    def deck(self) -> tuple[Card, ...]:
        """Every card of the game, sorted."""
        return full_deck(self.decks, self.rules.jokers)

    @property
    def stock(self) -> int:
        """How many cards are left in the stock after the deal, before a card is turned."""
        rules = self.rules
        dealt = len(self.players) * (rules.down + rules.up + rules.hand)
        return self.decks * (52 + rules.jokers) - dealt

    def seat(self, name: str, key: str = "by") -> int:
        """The seat of a player; SetupError says where the name stood, and who sits here."""
        return _seat(self.players, name, key)


def _seat(players: tuple[str, ...], name: str, key: str) -> int:
    if name not in players:
        raise SetupError(
            f"{key}: no player {shown(name)} sits here; expected {one_of(players)}"
            f"{nearest(name, players)}"
        )
    return players.index(name)


def check_spelling(players: tuple[str, ...]) -> None:
    """SetupError if two names cannot be told apart by ear or eye; asked when people sit down."""
    seen: dict[str, str] = {}
    for name in players:
        other = seen.setdefault(likeness(name), name)
        if other != name:
            raise SetupError(
                f"{shown(other)} and {shown(name)} cannot be told apart; expected names that"
                " differ in more than capitals, blanks and letters that look alike"
            )


def likeness(name: str) -> str:
    """The same text for all names that look or sound alike: no capitals and no blanks."""
    text = unicodedata.normalize("NFKC", name).translate(_LOOKS)
    text = unicodedata.normalize("NFKC", text.casefold())
    return "".join("".join(letter for letter in text if not _shows_nothing(letter)).split())


def _shows_nothing(letter: str) -> bool:
    """Joiners, marks of direction, fillers and what only chooses the look of another letter."""
    return unicodedata.category(letter) == "Cf" or letter in _NOTHING


_NOTHING = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(
    chr(number) for number in range(0xFE00, 0xFE10)
)
"""Fillers, the blank of Braille and the selectors of variants; none of them is a blank to str."""

_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧοİı",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXoii",
)
"""Cyrillic and Greek letters that have the very shape of a Latin one, and the other two i."""


def _check_names(players: tuple[str, ...]) -> None:
    if len(players) < 2:
        raise SetupError(f"expected two players or more, not {len(players)}")
    for name in players:
        # Joiners show nothing themselves: they are within Persian words and within one emoji.
        letters = name.replace("\u200c", "").replace("\u200d", "")
        if not letters.isprintable() or not likeness(name):
            raise SetupError(f"players: {shown(name)} is no name that can be shown")
        if len(name) > LONGEST_NAME:
            raise SetupError(
                f"players: {shown(name)} has {len(name)} letters; expected at most {LONGEST_NAME}"
            )
        if players.count(name) > 1:
            raise SetupError(f"players: {shown(name)} sits here twice; names must differ")


def _check_deal(rules: HouseRules, players: int, packs: int) -> None:
    cards = packs * (52 + rules.jokers)
    needed = players * (rules.down + rules.up + rules.hand) + rules.turned_card
    if needed > cards:
        raise SetupError(
            f"{players} players cannot be seated: the deal takes {needed} cards and"
            f" {packs} pack{'s' if packs > 1 else ''} hold{'' if packs > 1 else 's'} {cards}"
        )


def _packs(rules: HouseRules) -> str:
    return "1 pack" if rules.max_decks == 1 else f"1 to {rules.max_decks} packs"


def _named_rules(name: object) -> HouseRules:
    if not isinstance(name, str):
        raise SetupError(f"rules takes the name of a rule set, not {shown(name)}")
    try:
        return find_rules(name)
    except RulesError as wrong:
        raise SetupError(f"rules: {wrong}") from None


def _names(players: object) -> tuple[str, ...]:
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise SetupError(f"players takes a list of names, not {shown(players)}")
    return tuple(players)


def _packs_of(decks: object) -> int | None:
    if decks is None:
        return None
    if isinstance(decks, bool) or not isinstance(decks, int):
        raise SetupError(f"decks takes a number of packs, not {shown(decks)}")
    return decks


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise SetupError(f"{key} takes a player's name, not {shown(value)}")
    return value


def classic(*players: str) -> Setup:
    """A table of the classic game, the last player dealing: for demonstrations and tests."""
    return Setup.new(preset("classic"), players)
