"""The table as it stands: what a person beside it can know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Card
from engine.ledger import Ledger
from engine.pile import Pile
from engine.setup import Setup
from engine.verdict import Must

NOBODY = -1


class Seat(NamedTuple):
    """How many cards a player has: in hand, face up, face down."""

    hand: int
    up: int
    down: int


class Last(NamedTuple):
    """The play that lies on top, as long as its player may still add to it.

    ``value`` is what was laid; ``drew`` is how many cards its player drew after it,
    ``blind`` tells that it was a face-down card.
    """

    player: int
    value: int
    drew: int
    blind: bool


@dataclass(frozen=True, slots=True)
class Table:
    """One moment of a game; seats are indices of ``setup.players``.

    ``turn`` is the seat that acts next and ``must`` what it owes (NOBODY and NONE once the
    game is over). ``out`` are the seats without cards in the order in which they finished;
    ``loser`` is the seat left with cards, or NOBODY. ``opening`` holds until the first
    play where that play fixes who began; ``begun`` from the turned card or first play on.
    ``owes`` tells that the player in turn owes another card after a two; ``last`` is the
    play that may still be added to; ``step`` is 1 while play goes to the left, -1 when it
    was turned round. ``together`` is how many cards the last play laid. ``passed_on`` tells
    that the pickup is owed because of a card of another player's; ``lifted`` are the seats
    that looked at a face-down card and have yet to play it; ``away`` are those whose players
    left in the middle of the game, which is no way to finish it.
    """

    setup: Setup
    pile: Pile | None
    seats: tuple[Seat, ...]
    stock: int
    turn: int
    must: Must
    out: tuple[int, ...]
    loser: int
    ledger: Ledger
    opening: bool
    begun: bool
    owes: bool = False
    last: Last | None = None
    step: int = 1
    together: int = 0
    passed_on: bool = False
    lifted: tuple[int, ...] = ()
    away: tuple[int, ...] = ()

    @staticmethod
    def new(setup: Setup) -> Table:
        """The table after the deal, before a card is turned or played."""
        rules, players = setup.rules, len(setup.players)
        seat = Seat(rules.hand, rules.up, rules.down)
        first = setup.first
        return Table(
            setup=setup,
            pile=None,
            seats=(seat,) * players,
            stock=setup.stock,
            turn=(setup.dealer + 1) % players if first is None else first,
            must=Must.PLAY,
            out=(),
            loser=NOBODY,
            ledger=Ledger.new(players, setup.decks, setup.decks * rules.jokers),
            opening=first is None,
            begun=False,
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.must is Must.NONE

    @property
    def top(self) -> Card | None:
        """The card on top of the pile."""
        return None if self.pile is None else self.pile.card

    def name(self, seat: int) -> str | None:
        """The player of a seat, None for NOBODY."""
        return None if seat < 0 else self.setup.players[seat]


def with_cards(seat: Seat) -> bool:
    """Whether a player still has cards."""
    return seat.hand + seat.up + seat.down > 0


def next_seat(seats: tuple[Seat, ...], seat: int, step: int = 1) -> int:
    """The next player, ``step`` by ``step``, who still has cards; ``seat`` if no other has."""
    other = seat
    for _ in seats:
        other = (other + step) % len(seats)
        if with_cards(seats[other]):
            return other
    return seat
