"""The ledger: where every physical card is known to be, and where it can still come from.

A bag of cards is one whole number with a byte for each kind of card (``Card.number``), so
that taking a pile of any size into a hand is one addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from engine.cards import CARDS, JOKER_NUMBER, KINDS, Card, Rank
from engine.events import Zone
from engine.verdict import Reason

Bag = int

_SORTED: tuple[Card, ...] = tuple(sorted(CARDS))
_ONE: tuple[Bag, ...] = tuple(1 << (8 * number) for number in range(KINDS))
_SUIT_UNKNOWN: Bag = sum(0xFF << (8 * number) for number in range(JOKER_NUMBER + 1, KINDS))


def bag_of(cards: Iterable[Card]) -> Bag:
    """The bag of these cards."""
    return sum(_ONE[card.number] for card in cards)


def cards_in(bag: Bag) -> tuple[Card, ...]:
    """The cards of a bag, sorted."""
    counts = bag.to_bytes(KINDS, "little") if bag else b""
    return tuple(card for card in _SORTED[: len(counts)] for _ in range(counts[card.number]))


def bag_size(bag: Bag) -> int:
    """How many cards a bag holds."""
    return sum(bag.to_bytes(KINDS, "little")) if bag else 0


def _count(bag: Bag, number: int) -> int:
    return bag >> (8 * number) & 0xFF


def _of_rank(bag: Bag, rank: Rank) -> int:
    """How many cards of a rank a bag holds, those of unknown suit included."""
    four = (bag >> (32 * (rank - 2)) & 0xFFFFFFFF).to_bytes(4, "little")
    return sum(four) + _count(bag, JOKER_NUMBER - 1 + rank)


def _find(bag: Bag, card: Card) -> Bag:
    """The card in the bag that ``card`` can be, as a bag of one; 0 if there is none.

    A card of unknown suit can be any of its rank, and the other way round.
    """
    if not bag:
        return 0
    if _count(bag, card.number):
        return _ONE[card.number]
    if card.number == JOKER_NUMBER:
        return 0
    if not card.suit_unknown:
        number = JOKER_NUMBER - 1 + card.rank
        return _ONE[number] if _count(bag, number) else 0
    first = (card.rank - 2) * 4
    return next((_ONE[n] for n in range(first, first + 4) if _count(bag, n)), 0)


def _named_first(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """``cards``, those of unknown suit last: they must leave the others what is theirs."""
    return cards if len(cards) < 2 else tuple(sorted(cards, key=lambda card: card.suit_unknown))


def _likely(bag: Bag, card: Card) -> float:
    """How many such cards a bag holds; a card of unknown suit is a quarter of each."""
    if not bag:
        return 0.0
    if _count(bag, card.number):
        return float(_count(bag, card.number))
    return 0.25 if _find(bag, card) else 0.0


class Origin(IntEnum):
    """Where a card that a player lays comes from; the higher, the sooner from the row."""

    HAND = 0
    """It is known to be in the hand."""
    UNKNOWN = 1
    """A copy of unknown place; nothing is known of one in the row."""
    EITHER = 2
    """A copy of unknown place, or the one that is known to lie face up."""
    ROW = 3
    """It can only be the one that is known to lie face up."""


class Conflict(NamedTuple):
    """Why a player cannot have certain cards, and the first of them that it is about."""

    reason: Reason
    card: Card


Place = tuple[int, Zone]
"""A seat and a zone of which cards may be known: the hand or the face-up row."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is known of each card's place; all that is not known is in stock, hands or rows.

    ``pile`` and ``gone`` are bags; ``held`` are the cards known to be in each player's
    hand, ``rows`` those known to lie face up before each. ``known`` is the sum of them
    all. ``decks`` and ``jokers`` say how many there are of each suited card and of jokers.
    """

    decks: int
    jokers: int
    known: Bag
    pile: Bag
    gone: Bag
    held: tuple[Bag, ...]
    rows: tuple[Bag, ...]

    @staticmethod
    def new(players: int, decks: int, jokers: int) -> Ledger:
        """The ledger of a deal of which nothing has been seen; ``jokers`` in all."""
        nothing = (0,) * players
        return Ledger(decks, jokers, 0, 0, 0, nothing, nothing)

    # -- asking ------------------------------------------------------------------------------

    def free(self, card: Card, known: Bag | None = None) -> int:
        """How many copies of the card have an unknown place."""
        bag = self.known if known is None else known
        if card.number == JOKER_NUMBER:
            return self.jokers - _count(bag, card.number)
        if not card.suit_unknown and not bag & _SUIT_UNKNOWN:
            return self.decks - _count(bag, card.number)
        of_rank = 4 * self.decks - _of_rank(bag, card.rank)
        if card.suit_unknown:
            return of_rank
        return min(self.decks - _count(bag, card.number), of_rank)

    def may_land(self, card: Card, player: int) -> bool:
        """Whether the card can be the next that this player lays."""
        return (
            self.free(card) > 0
            or _find(self.held[player], card) > 0
            or _find(self.rows[player], card) > 0
        )

    def origins(self, player: int, cards: tuple[Card, ...]) -> tuple[Origin, ...]:
        """Where each of these cards of the player's comes from, every copy counted once.

        A card of unknown suit in the hand is rather one that is not known to lie in the row.
        """
        held, row, known = self.held[player], self.rows[player], self.known
        origins = [Origin.UNKNOWN] * len(cards)
        named = [(card.suit_unknown, _count(row, card.number)) for card in cards]
        order = sorted(range(len(cards)), key=lambda place: named[place])
        for place in order:
            card = cards[place]
            if one := _find(held, card):
                held -= one
                origins[place] = Origin.HAND
            elif self.free(card, known) > 0:
                known += _ONE[card.number]
            elif one := _find(row, card):
                row -= one
                origins[place] = Origin.ROW
        for place in order:
            if origins[place] is Origin.UNKNOWN and (one := _find(row, cards[place])):
                row -= one
                origins[place] = Origin.EITHER
        return tuple(origins)

    def in_row(self, card: Card, player: int) -> bool:
        """Whether the card is known to lie face up before the player."""
        return _find(self.rows[player], card) > 0

    def where(self, card: Card, player: int) -> Reason:
        """Why the player cannot have the card: it is gone, or known to be someone else's."""
        if card.number == JOKER_NUMBER and not self.jokers:
            return Reason.NOT_IN_DECK
        others = self._zones(seat for seat in range(len(self.held)) if seat != player)
        if self._keeper(card, others) is None:
            return Reason.CARD_ALREADY_GONE
        return Reason.HELD_BY_OTHER

    def _keeper(self, card: Card, zones: Iterable[Place]) -> Place | None:
        """Which of these zones is known to have the card, or may have it.

        Where every copy of it lies on the pile or is gone, a card of unknown suit that
        somebody holds is another.
        """
        lies = _count(self.pile + self.gone, card.number)
        if not card.suit_unknown and card.number != JOKER_NUMBER and lies >= self.decks:
            return None
        found = None
        for seat, zone in zones:
            one = _find(self._zone(seat, zone), card)
            if one == _ONE[card.number]:
                return seat, zone
            if one and found is None:
                found = seat, zone
        return found

    @staticmethod
    def _zones(seats: Iterable[int]) -> list[Place]:
        return [(seat, zone) for seat in seats for zone in (Zone.HAND, Zone.UP)]

    def conflict(self, player: int, cards: tuple[Card, ...]) -> Conflict | None:
        """Why the player cannot have these cards together, or None if that can be."""
        mine, known = self.held[player] + self.rows[player], self.known
        for card in _named_first(cards):
            one = _find(mine, card)
            if one:
                mine -= one
            elif self.free(card, known) > 0:
                known += _ONE[card.number]
            else:
                return Conflict(self.where(card, player), card)
        return None

    def conflict_by_zone(
        self, player: int, hand: tuple[Card, ...], row: tuple[Card, ...]
    ) -> Conflict | None:
        """Why the player cannot have ``hand`` in the hand while ``row`` lies face up.

        A card that can only be the one in the other zone is more than the player has.
        """
        zones = {Zone.HAND: self.held[player], Zone.UP: self.rows[player]}
        cards = [(card, Zone.HAND) for card in hand] + [(card, Zone.UP) for card in row]
        cards.sort(key=lambda each: each[0].suit_unknown)
        known = self.known
        for card, zone in cards:
            other = Zone.UP if zone is Zone.HAND else Zone.HAND
            if one := _find(zones[zone], card):
                zones[zone] -= one
            elif self.free(card, known) > 0:
                known += _ONE[card.number]
            elif _find(zones[other], card):
                return Conflict(Reason.TOO_MANY_CARDS, card)
            else:
                return Conflict(self.where(card, player), card)
        return None

    def unknown_among(self, player: int, cards: tuple[Card, ...], zone: Zone) -> int:
        """How many of the cards are not known to be in that zone of the player's."""
        bag = self._zone(player, zone)
        if not bag:
            return len(cards)
        strangers = 0
        for card in _named_first(cards):
            one = _find(bag, card)
            bag -= one
            strangers += not one
        return strangers

    def known_in(self, player: int, zone: Zone) -> int:
        """How many cards of that zone of the player's are known."""
        return bag_size(self._zone(player, zone))

    def prior(self, player: int) -> dict[Card, float]:
        """For each card the probability that it is the next one this player lays.

        It knows places only, no counts and no rules: a card known to be in the hand weighs
        1, one in the face-up row half as much, and those of unknown place share the weight
        of the three cards that a hand usually has of them; 0 where a card cannot be. The
        weights sum to 1 unless nothing can land at all. ``Game.prior`` knows more.
        """
        return self.weighed(player, in_hand=1.0, in_row=0.5, unknown=3.0)

    def weighed(
        self, player: int, in_hand: float, in_row: float, unknown: float
    ) -> dict[Card, float]:
        """For each card its share of these weights, by where it is known to be.

        ``in_hand`` and ``in_row`` are for each card of the player's known there, ``unknown``
        for all cards of unknown place together.
        """
        kinds = CARDS[: JOKER_NUMBER + (1 if self.jokers else 0)]
        unseen = {card: max(0, self.free(card)) for card in kinds}
        total = sum(unseen.values()) or 1
        held, row = self.held[player], self.rows[player]
        weights = {}
        for card in kinds:
            weight = unknown * unseen[card] / total
            weight += in_hand * _likely(held, card) + in_row * _likely(row, card)
            weights[card] = weight
        mass = sum(weights.values()) or 1.0
        return {card: weight / mass for card, weight in weights.items()}

    def held_by(self, player: int) -> tuple[Card, ...]:
        """The cards known to be in the player's hand, sorted."""
        return cards_in(self.held[player])

    def row_of(self, player: int) -> tuple[Card, ...]:
        """The cards known to lie face up before the player, sorted."""
        return cards_in(self.rows[player])

    def places(self) -> Mapping[str, tuple[Card, ...]]:
        """The bags that belong to nobody, by name: the pile and what is out of the game."""
        return {"pile": cards_in(self.pile), "gone": cards_in(self.gone)}

    def _zone(self, player: int, zone: Zone) -> Bag:
        if zone is Zone.HAND:
            return self.held[player]
        return self.rows[player] if zone is Zone.UP else 0

    # -- what happens ------------------------------------------------------------------------

    def turned(self, card: Card) -> Ledger:
        """A card came from the stock to the pile."""
        one = _ONE[card.number]
        return self._with(self.known + one, self.pile + one, self.gone, self.held, self.rows)

    def laid(self, player: int, cards: tuple[Card, ...], zone: Zone) -> Ledger:
        """Cards went from a zone of the player's to the pile."""
        bag, known, pile = self._zone(player, zone), self.known, self.pile
        for card in _named_first(cards):
            one = _find(bag, card)
            bag -= one
            known += _ONE[card.number] - one
            pile += _ONE[card.number]
        held = _put(self.held, player, bag) if zone is Zone.HAND else self.held
        rows = _put(self.rows, player, bag) if zone is Zone.UP else self.rows
        return self._with(known, pile, self.gone, held, rows)

    def burned(self, cards: tuple[Card, ...] | None = None) -> Ledger:
        """The whole pile left the game, or these cards of it."""
        bag = self.pile if cards is None else bag_of(cards)
        return self._with(self.known, self.pile - bag, self.gone + bag, self.held, self.rows)

    def thrown_out(self, player: int, cards: tuple[Card, ...]) -> Ledger:
        """Cards left the player's hand and the game."""
        laid = self.laid(player, cards, Zone.HAND)
        return self._with(laid.known, self.pile, self.gone + bag_of(cards), laid.held, self.rows)

    def picked_up(self, player: int) -> Ledger:
        """The whole pile went into the player's hand."""
        held = _put(self.held, player, self.held[player] + self.pile)
        return self._with(self.known, 0, self.gone, held, self.rows)

    def lifted(self, player: int, card: Card) -> Ledger:
        """A face-down card that was seen is in the player's hand."""
        one = _ONE[card.number]
        held = _put(self.held, player, self.held[player] + one)
        return self._with(self.known + one, self.pile, self.gone, held, self.rows)

    def swapped(self, player: int, cards: tuple[Card, ...], taken: tuple[Card, ...]) -> Ledger:
        """The player laid ``cards`` of the hand face up in place of ``taken``."""
        row, hand, known = self.rows[player], self.held[player], self.known
        for card in _named_first(taken):
            one = _find(row, card)
            row -= one
            known += _ONE[card.number] - one
        for card in _named_first(cards):
            one = _find(hand, card)
            hand -= one
            known += _ONE[card.number] - one
        held = _put(self.held, player, hand + bag_of(taken))
        rows = _put(self.rows, player, row + bag_of(cards))
        return self._with(known, self.pile, self.gone, held, rows)

    def shown(self, player: int, cards: tuple[Card, ...], swapped: bool) -> Ledger:
        """The player's row is these cards; what is missing of the old one is in the hand.

        That last only if cards were ``swapped``; else the old row had been misread.
        """
        old, new, hand = self.rows[player], bag_of(cards), self.held[player]
        lost, fresh = 0, new
        for card in _named_first(cards_in(old)):
            one = _find(fresh, card)
            fresh -= one
            lost += 0 if one else _ONE[card.number]
        found = 0
        for card in _named_first(cards_in(fresh)):
            one = _find(hand, card)
            hand -= one
            found += one
        kept = lost if swapped else 0
        known = self.known - old + new - found + kept
        return self._with(
            known,
            self.pile,
            self.gone,
            _put(self.held, player, hand + kept),
            _put(self.rows, player, new),
        )

    def conceded(self, player: int, cards: tuple[Card, ...], zone: Zone | None) -> Ledger:
        """The cards come from that zone of the player's after all (None: the stock).

        So they are not where they were thought to be, in another hand or row. What lies on
        the pile or is gone stays there, for it was seen.
        """
        ledger, spent = self, self.known
        bag = 0 if zone is None else self._zone(player, zone)
        elsewhere = [
            place for place in self._zones(range(len(self.held))) if place != (player, zone)
        ]
        for card in _named_first(cards):
            if one := _find(bag, card):
                bag -= one
            elif ledger.free(card, spent) > 0:
                spent += _ONE[card.number]
            elif (keeper := ledger._keeper(card, elsewhere)) is not None:
                one = _find(ledger._zone(*keeper), card)
                ledger = ledger._forgotten(*keeper, one)
                spent += _ONE[card.number] - one
        return ledger

    def believed(self, seats: Iterable[tuple[int, int, int]]) -> Ledger:
        """Without what is known of a hand or row that is of fewer cards than that."""
        ledger = self
        for seat, (hand, up, _) in enumerate(seats):
            for zone, size in ((Zone.HAND, hand), (Zone.UP, up)):
                if ledger.known_in(seat, zone) > size:
                    ledger = ledger._forgotten(seat, zone, ledger._zone(seat, zone))
        return ledger

    def _forgotten(self, player: int, zone: Zone, bag: Bag) -> Ledger:
        """These cards of a zone of the player's can be anywhere."""
        held, rows = self.held, self.rows
        if zone is Zone.HAND:
            held = _put(held, player, held[player] - bag)
        else:
            rows = _put(rows, player, rows[player] - bag)
        return self._with(self.known - bag, self.pile, self.gone, held, rows)

    def emptied(self, player: int) -> Ledger:
        """The player's hand is empty, whatever was thought to be in it."""
        bag = self.held[player]
        if not bag:
            return self
        return self._with(
            self.known - bag, self.pile, self.gone, _put(self.held, player, 0), self.rows
        )

    def _with(
        self, known: Bag, pile: Bag, gone: Bag, held: tuple[Bag, ...], rows: tuple[Bag, ...]
    ) -> Ledger:
        return Ledger(self.decks, self.jokers, known, pile, gone, held, rows)


def _put(bags: tuple[Bag, ...], player: int, bag: Bag) -> tuple[Bag, ...]:
    return (*bags[:player], bag, *bags[player + 1 :])
