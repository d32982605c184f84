"""A table at which every card is known: deals, carries out what players do, and keeps count."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.cards import Card, Rank
from engine.events import Zone
from engine.setup import Setup
from engine.simulate import law
from engine.simulate.attempt import Answer, Attempt
from engine.simulate.heap import Heap, Laid, stands_for


@dataclass(slots=True)
class Seat:
    """The cards of one player; ``shown`` are those of the row that everybody has seen."""

    hand: list[Card] = field(default_factory=list)
    up: list[Card] = field(default_factory=list)
    down: list[Card] = field(default_factory=list)
    shown: list[Card] = field(default_factory=list)

    def zone(self, zone: Zone) -> list[Card]:
        """The cards of that zone."""
        if zone is Zone.HAND:
            return self.hand
        return self.up if zone is Zone.UP else self.down

    def count(self) -> int:
        """How many cards the player has."""
        return len(self.hand) + len(self.up) + len(self.down)


@dataclass(frozen=True, slots=True)
class Window:
    """The last play, as long as its player may add to it."""

    player: int
    rank: int | None
    drawn: int
    blind: bool


class OpenTable:
    """A game in progress; ``turn`` is a seat, ``direction`` 1 to the left or -1 to the right.

    ``owes_card`` tells that a card is owed after a two, ``owes_pile`` that the pile must be
    taken, ``handed_on`` that another player's card is why. ``together`` is how many cards
    were laid last. ``gone`` are the cards out of the game.
    """

    def __init__(self, setup: Setup, chance: random.Random) -> None:
        self.rules, self.decks = setup.rules, setup.decks
        self.stock = list(setup.deck)
        chance.shuffle(self.stock)
        self.seats = [Seat() for _ in setup.players]
        for zone, size in ((Zone.DOWN, self.rules.down), (Zone.UP, self.rules.up)):
            self._deal(zone, size)
        self._deal(Zone.HAND, self.rules.hand)
        self.heap = Heap(self.rules, self.decks)
        self.gone: list[Card] = []
        left = (setup.dealer + 1) % len(self.seats)
        self.turn = left if setup.first is None else setup.first
        self.direction = 1
        self.opening = setup.first is None
        self.begun = self.over = False
        self.owes_card = self.owes_pile = self.handed_on = False
        self.window: Window | None = None
        self.together = 0
        self.out: list[int] = []
        self.loser: int | None = None

    def _deal(self, zone: Zone, size: int) -> None:
        for _ in range(size):
            for seat in self.seats:
                seat.zone(zone).append(self.stock.pop())

    # -- asking --------------------------------------------------------------------------------

    def has_cards(self, player: int) -> bool:
        """Whether the player is still in the game."""
        return self.seats[player].count() > 0

    def last_card(self, player: int) -> bool:
        """Whether the player has one card, and there are cards that may not be the last."""
        few = self.seats[player].count() == 1 and not self.stock
        return few and bool(self.rules.no_finish_ranks)

    def known_to_fit(self, player: int) -> bool:
        """Whether a card of the row that everybody has seen would fit."""
        shown = self.seats[player].shown
        return any(law.fits_by_rank(self, card) for card in shown)

    # -- doing ---------------------------------------------------------------------------------

    def turn_start(self) -> tuple[Card, bool]:
        """The card turned from the stock to begin the pile, and whether another is turned."""
        rules, card = self.rules, self.stock.pop()
        self.heap.cards.append(Laid(card, stands_for(rules, (card,), None)[0]))
        special = (
            *rules.reset_ranks,
            *rules.burn_ranks,
            *rules.lower_ranks,
            *rules.glass_ranks,
            *rules.pickup_ranks,
            *rules.skip_ranks,
            *rules.reverse_ranks,
            Rank.JOKER,
        )
        another = rules.turn_again and card.rank in special and bool(self.stock)
        self.begun = not another
        return card, another

    def swap(self, player: int, cards: tuple[Card, ...], taken: tuple[Card, ...]) -> None:
        """Lay cards of the hand face up in place of others."""
        seat = self.seats[player]
        for card in cards:
            seat.hand.remove(card)
            seat.up.append(card)
        for card in taken:
            seat.up.remove(card)
            seat.hand.append(card)

    def do(self, attempt: Attempt) -> Answer:
        """Carry the attempt out if it is allowed, and say what is true of it."""
        reason = law.objection(self, attempt)
        if reason is not None:
            return Answer(False, reason)
        if attempt.what == "play":
            return self._play(attempt)
        if attempt.what == "chance":
            return self._chance(attempt)
        if attempt.what == "pickup":
            self._pick_up(attempt)
        elif attempt.what == "lift":
            seat = self.seats[attempt.player]
            seat.down.remove(attempt.cards[0])
            seat.hand.append(attempt.cards[0])
            self.window = None
        elif attempt.what == "remove":
            return self._remove(attempt)
        elif self.opening:
            self.turn = self._after(attempt.player, 0)
        else:
            self._move_on(attempt.player, together=self.together)
        return Answer(True)

    def _play(self, attempt: Attempt) -> Answer:
        rules, player = self.rules, attempt.player
        joins = law.adds(self, attempt)
        cuts = law.cuts_in(self, attempt)
        deflects = self.owes_pile
        vain = None if deflects else law.in_vain(self, attempt)
        ranks = stands_for(rules, attempt.cards, attempt.joker)
        laid = [Laid(c, r, attempt.higher) for c, r in zip(attempt.cards, ranks, strict=True)]
        drawn = self._lay_down(attempt, draws=not vain)
        if vain:
            self.heap.cards += laid
            return self._must_take(player, vain)
        if attempt.under:
            self.heap.cards = laid[::-1] + self.heap.cards
            self._move_on(player, together=self.together)
            return Answer(True)
        self.heap.cards += laid
        if deflects:
            self._move_on(player)
            self.owes_pile = self.handed_on = not self.over
            return Answer(True)
        before = self.together if joins or cuts else 0
        answer = self._settle(attempt, ranks, (rules.after_ten, rules.after_run), joins)
        if not answer.burn and ranks[-1] not in rules.pickup_ranks:
            self.together = before + len(laid)
            self.window = Window(player, ranks[-1], drawn, Zone.DOWN in attempt.zones)
        return answer

    def _chance(self, attempt: Attempt) -> Answer:
        card = self.stock.pop()
        vain = law.in_vain(self, attempt)
        ranks = stands_for(self.rules, (card,), None)
        self.heap.cards.append(Laid(card, ranks[0]))
        if vain:
            return self._must_take(attempt.player, vain)
        answer = self._settle(attempt, ranks, (self.rules.after_chance_burn,) * 2, False)
        if not answer.burn:
            self.together = 1
        return answer

    def _lay_down(self, attempt: Attempt, draws: bool) -> int:
        """Take the cards from their places, drawing up the hand; how many were drawn."""
        seat, drawn = self.seats[attempt.player], 0
        series = self.rules.series != "off"
        for card, zone in zip(attempt.cards, attempt.zones, strict=True):
            seat.zone(zone).remove(card)
            if zone is Zone.UP and card in seat.shown:
                seat.shown.remove(card)
            drawn += self._draw(seat) if series and draws else 0
        return drawn + (self._draw(seat) if draws else 0)

    def _draw(self, seat: Seat) -> int:
        drawn = 0
        while len(seat.hand) < self.rules.hand and self.stock:
            seat.hand.append(self.stock.pop())
            drawn += 1
        return drawn

    def _must_take(self, player: int, reason: str) -> Answer:
        """The card lies there in vain, and its player takes everything."""
        self.turn = player
        self.owes_pile, self.handed_on, self.owes_card = True, False, False
        self.opening, self.begun, self.window, self.together = False, True, None, 0
        return Answer(True, "finish_forbidden" if reason == "finish_forbidden" else None)

    def _settle(
        self, attempt: Attempt, ranks: list[int | None], after: tuple[str, str], joins: bool
    ) -> Answer:
        """Let what lies on top act or burn, and the turn go on; ``after`` a ten and a run."""
        rules, player, last = self.rules, attempt.player, ranks[-1]
        turned = self._turn_round(attempt, ranks)
        replays = turned and rules.reverse_two == "same" and self._two_left()
        if last in rules.pickup_ranks:
            return self._hand_on(player, ranks)
        run = self.heap.full_run()
        if last in rules.burn_ranks or run:
            whole = last in rules.burn_ranks or rules.run_takes == "pile"
            bottom = 0 if whole else min(run)
            burned = [laid.card for laid in self.heap.cards[bottom:]]
            del self.heap.cards[bottom:]
            self.gone += burned
            lead = after[0] if last in rules.burn_ranks else after[1]
            self._move_on(player, stays=lead == "same")
            return Answer(True, None, True, len(burned))
        owes = rules.two == "again" and last in rules.reset_ranks
        skips = self._acting(attempt, ranks, rules.skip_ranks)
        top = self.heap.top()
        if rules.glass_skips and top >= 0 and self.heap.rank(top) in rules.skip_ranks:
            skips += self._acting(attempt, ranks, rules.glass_ranks)
        self._move_on(player, owes or replays, owes, skips, joins and not turned)
        return Answer(True)

    def _acting(self, attempt: Attempt, ranks: list[int | None], acting: tuple[Rank, ...]) -> int:
        jokers = Rank.JOKER in acting
        return sum(
            rank in acting or (jokers and card.rank is Rank.JOKER)
            for card, rank in zip(attempt.cards, ranks, strict=True)
        )

    def _turn_round(self, attempt: Attempt, ranks: list[int | None]) -> bool:
        """Turn the direction for each reversing card, and tell whether it is another now."""
        turns = self._acting(attempt, ranks, self.rules.reverse_ranks)
        odd = bool(turns) if not self.rules.reverse_each else turns % 2 == 1
        self.direction *= -1 if odd else 1
        return odd

    def _two_left(self) -> bool:
        return sum(self.has_cards(player) for player in range(len(self.seats))) == 2

    def _hand_on(self, player: int, ranks: list[int | None]) -> Answer:
        """The laid cards are gone, and the next player takes what lies below them."""
        count = 0
        while count < len(ranks) and ranks[-1 - count] in self.rules.pickup_ranks:
            self.gone.append(self.heap.cards.pop().card)
            count += 1
        self._move_on(player)
        self.owes_pile = self.handed_on = bool(self.heap.cards) and not self.over
        return Answer(True, None, False, count)

    def _pick_up(self, attempt: Attempt) -> None:
        seat = self.seats[attempt.player]
        seat.hand += [laid.card for laid in self.heap.cards]
        self.heap.cards.clear()
        for card in attempt.cards:
            seat.up.remove(card)
            seat.hand.append(card)
            if card in seat.shown:
                seat.shown.remove(card)
        self._move_on(attempt.player, stays=self.rules.after_pickup == "same")

    def _remove(self, attempt: Attempt) -> Answer:
        seat = self.seats[attempt.player]
        for card in attempt.cards:
            seat.hand.remove(card)
        self.gone += attempt.cards
        if not seat.hand:
            self._draw(seat)
        window, together, owes = self.window, self.together, self.owes_card
        self._move_on(attempt.player, stays=True, owes=owes, together=together)
        self.window = window
        return Answer(True, None, False, len(attempt.cards))

    def _move_on(
        self,
        player: int,
        stays: bool = False,
        owes: bool = False,
        skips: int = 0,
        joins: bool = False,
        together: int = 0,
    ) -> None:
        """Who is out, who acts next, and whether the game is over."""
        self.opening, self.begun, self.window = False, True, None
        self.owes_pile = self.handed_on = False
        self.together = together
        playing = self.has_cards(player)
        self.owes_card = owes and playing
        if not playing and player not in self.out:
            self.out.append(player)
            left = [each for each in range(len(self.seats)) if self.has_cards(each)]
            self.loser = left[0] if len(left) == 1 else None
            self.over = len(left) <= 1 or self.rules.ends == "winner"
        if self.over or (stays and playing):
            self.turn = player
        else:
            self.turn = self._after(player, skips, self.turn if joins else None)

    def _after(self, player: int, skips: int, first: int | None = None) -> int:
        """Who is next when so many are passed over, ``first`` before all others.

        Nobody passes over himself: whoever passes over everybody else plays again.
        """
        size = len(self.seats)
        start = (player + self.direction) % size if first is None else first
        order = [(start + self.direction * step) % size for step in range(size)]
        order = [each for each in order if self.has_cards(each)]
        if player in order:
            return order[min(skips, order.index(player))]
        return order[skips % len(order)]

    def counts(self, player: int) -> tuple[int, int, int]:
        """How many cards the player has in hand, face up and face down."""
        seat = self.seats[player]
        return len(seat.hand), len(seat.up), len(seat.down)

    def pile(self) -> Iterable[Card]:
        """The cards of the pile, the lowest first."""
        return (laid.card for laid in self.heap.cards)
