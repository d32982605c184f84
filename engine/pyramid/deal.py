"""A deal of the pyramid patience: which card lies where before the first move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.cards import Card, Rank, full_deck, parse_card
from engine.errors import CardError, RulesError, SetupError, nearest, shown
from engine.pyramid.position import Position, bit
from engine.pyramid.rules import NAME, PyramidRules

ROWS = 7
STOCK = 24
THIRTEEN = 13
"""What the two cards of a pair come to, and a king alone (pyramid R3)."""

_KEYS = ("rules", "pyramid", "stock", "options")


def worth(card: Card) -> int:
    """What a card counts: ace 1, jack 11, queen 12, king 13 (pyramid R2)."""
    return 1 if card.rank is Rank.ACE else int(card.rank)


@dataclass(frozen=True, slots=True)
class Deal:
    """The rows of the pyramid from its point down, and the stock, first to be flipped first.

    ``in_pyramid`` and ``in_stock`` give the card of each bit of a ``Position``, ``places``
    the bit of each card of the pyramid and ``turns`` of each card of the stock.
    """

    rules: PyramidRules
    rows: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    in_pyramid: dict[int, Card] = field(init=False, repr=False, compare=False)
    in_stock: dict[int, Card] = field(init=False, repr=False, compare=False)
    places: dict[Card, int] = field(init=False, repr=False, compare=False)
    turns: dict[Card, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pyramid = {
            bit(row, place): card
            for row, cards in enumerate(self.rows)
            for place, card in enumerate(cards)
        }
        stock = {1 << turn: card for turn, card in enumerate(self.stock)}
        object.__setattr__(self, "in_pyramid", pyramid)
        object.__setattr__(self, "in_stock", stock)
        object.__setattr__(self, "places", {card: place for place, card in pyramid.items()})
        object.__setattr__(self, "turns", {card: turn for turn, card in stock.items()})

    @staticmethod
    def of(cards: tuple[Card, ...], rules: PyramidRules | None = None, rows: int = ROWS) -> Deal:
        """The deal of a shuffled pack: the pyramid from its point down, the rest is the stock."""
        start = [row * (row + 1) // 2 for row in range(rows + 1)]
        pyramid = tuple(cards[start[row] : start[row + 1]] for row in range(rows))
        return Deal(rules or PyramidRules(), pyramid, cards[start[rows] :])

    @staticmethod
    def shuffled(chance: Random, rules: PyramidRules | None = None) -> Deal:
        """A full deal, shuffled by ``chance``."""
        cards = list(full_deck())
        chance.shuffle(cards)
        return Deal.of(tuple(cards), rules)

    @staticmethod
    def from_json(data: object, rules: PyramidRules | None = None) -> Deal:
        """The deal of a scenario's first line; ``rules`` stands in for those it names.

        SetupError if it is not one pack of 52 in seven rows and a stock of 24.
        """
        if not isinstance(data, Mapping):
            raise SetupError(f"expected a set-up as a JSON object, not {shown(data)}")
        for key in data:
            if key not in _KEYS:
                raise SetupError(
                    f"a set-up of the pyramid has no key {shown(key)}{nearest(str(key), _KEYS)}"
                )
        if rules is None and data.get("rules") != NAME:
            raise SetupError(f"rules: expected {NAME} here, not {shown(data.get('rules'))}")
        options = {} if data.get("options") is None else data["options"]
        if not isinstance(options, Mapping):
            raise SetupError(f"options takes an object of pyramid rules, not {shown(options)}")
        try:
            played_by = (rules or PyramidRules()).override(options)
        except RulesError as wrong:
            raise SetupError(str(wrong)) from None
        deal = Deal(played_by, _rows(data.get("pyramid")), _stock(data.get("stock")))
        _check_once(deal)
        return deal

    def to_json(self) -> dict[str, Any]:
        """The set-up line that ``from_json`` reads back."""
        usual = PyramidRules()
        options = {
            key: getattr(self.rules, key)
            for key in ("cover_pairs", "undo_after_win")
            if getattr(self.rules, key) != getattr(usual, key)
        }
        out: dict[str, Any] = {
            "rules": NAME,
            "pyramid": [[str(card) for card in row] for row in self.rows],
            "stock": [str(card) for card in self.stock],
        }
        return out | ({"options": options} if options else {})

    @property
    def size(self) -> int:
        """How many cards there are."""
        return len(self.places) + len(self.turns)

    @property
    def start(self) -> Position:
        """The position before the first move: all cards lie, the waste is empty."""
        return Position(sum(self.in_pyramid), 0, sum(self.in_stock))


def _rows(value: object) -> tuple[tuple[Card, ...], ...]:
    if not isinstance(value, list) or len(value) != ROWS:
        seen = f"{len(value)} rows" if isinstance(value, list) else shown(value)
        raise SetupError(f"pyramid takes {ROWS} rows of 1 to {ROWS} cards, not {seen}")
    return tuple(
        _cards(row, f"pyramid row {number}", number) for number, row in enumerate(value, start=1)
    )


def _stock(value: object) -> tuple[Card, ...]:
    return _cards(value, "stock", STOCK)


def _cards(value: object, where: str, count: int) -> tuple[Card, ...]:
    expected = f"{count} card code{'s' if count > 1 else ''}"
    if not isinstance(value, list):
        raise SetupError(f"{where} takes a list of {expected}, not {shown(value)}")
    if len(value) != count:
        raise SetupError(f"{where} takes {expected}, not {len(value)}")
    return tuple(_card(code, where) for code in value)


def _card(code: object, where: str) -> Card:
    try:
        card = parse_card(code)  # type: ignore[arg-type]  # it refuses what is no text
    except CardError as wrong:
        raise SetupError(f"{where}: {wrong}") from None
    if card.suit is None:
        raise SetupError(f"{where}: {card} has no suit; expected one of the 52 cards")
    return card


def _check_once(deal: Deal) -> None:
    """28 and 24 cards with a suit are the whole pack if none of them stands twice."""
    seen: dict[Card, str] = {}
    zones = [(f"pyramid row {row}", cards) for row, cards in enumerate(deal.rows, start=1)]
    for where, cards in (*zones, ("stock", deal.stock)):
        for card in cards:
            if card in seen:
                raise SetupError(
                    f"{where}: {card} stands in {seen[card]} already; expected each card once"
                )
            seen[card] = where
