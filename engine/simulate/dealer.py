"""A table of make-believe players with all cards known: the truth to compare a referee with.

The dealer deals, plays and keeps the rules by itself and asks no referee, so that a mistake
of the one is not a mistake of the other. Its players know every rule set but use none of the
moves that a camera cannot tell apart: no chance card, no drawn card added, no series.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.cards import Card, Rank
from engine.errors import SetupError
from engine.events import Zone
from engine.house_rules import HouseRules
from engine.setup import Setup

PATIENCE = 250
"""After so many acts players stop saving their good cards and lay whatever fits."""

BOUND = 700
"""No game is longer than so many acts: cards with which it would be are dealt again."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many cards a player really has."""

    hand: int
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class Truth:
    """What holds after an act, by the rules: who acts next and owes what, and the counts.

    ``pile`` are the cards that count, the lowest first; a refused card that still lies
    there is not among them, nor are burned cards. ``must`` is ``play``, ``pickup`` or ``none``.
    """

    turn: str | None
    must: str
    hands: dict[str, Count]
    stock: int
    pile: tuple[Card, ...]
    out: tuple[str, ...]
    loser: str | None


@dataclass(frozen=True, slots=True)
class Start:
    """The dealer turned a card to begin the pile."""

    card: Card
    truth: Truth


@dataclass(frozen=True, slots=True)
class Lay:
    """A player laid cards on the pile; ``verdict`` and ``reason`` are what is true of it."""

    player: str
    cards: tuple[Card, ...]
    zone: Zone
    verdict: str
    reason: str | None
    burn: bool
    removed: int
    truth: Truth


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A player took back the cards that were refused."""

    player: str
    cards: tuple[Card, ...]
    truth: Truth


@dataclass(frozen=True, slots=True)
class TakePile:
    """A player took everything that lies there, a refused card included."""

    player: str
    truth: Truth


@dataclass(frozen=True, slots=True)
class ClearBurn:
    """The burned cards were put aside."""

    truth: Truth


Act = Start | Lay | TakeBack | TakePile | ClearBurn


@dataclass(slots=True)
class _Player:
    name: str
    hand: list[Card] = field(default_factory=list)
    up: list[Card] = field(default_factory=list)
    down: list[Card] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return not (self.hand or self.up or self.down)


class Dealer:
    """One whole game as a sequence of acts, the same for the same seed.

    ``mischief`` is the chance that a player in turn first lays something that the rules
    refuse. ``rows`` are the face-up cards that lay before each player at the start.
    SetupError if the rules have a switch that these players do not know.
    """

    def __init__(self, setup: Setup, seed: int, mischief: float = 0.05) -> None:
        usual, strange = (
            HouseRules(),
            (
                "glass_ranks",
                "skip_ranks",
                "reverse_ranks",
                "pickup_ranks",
                "after_pickup",
                "ends",
            ),
        )
        for key in strange:
            if getattr(setup.rules, key) != getattr(usual, key):
                raise SetupError(f"the virtual table cannot play with a changed {key}")
        self.setup, self.seed, self.mischief = setup, seed, mischief
        deal = 0
        while True:
            chance = random.Random(f"{seed}/{deal}")
            game = _OpenGame(setup, chance, mischief)
            acts = game.play()
            if acts is not None:
                break
            deal += 1
        self.rows: dict[str, tuple[Card, ...]] = game.rows
        self.acts: tuple[Act, ...] = tuple(acts)

    def __iter__(self) -> Iterator[Act]:
        """The acts in order."""
        return iter(self.acts)


class _OpenGame:
    """A game played out with open cards."""

    def __init__(self, setup: Setup, chance: random.Random, mischief: float) -> None:
        self.rules, self.decks = setup.rules, setup.decks
        self.chance, self.mischief = chance, mischief
        self.stock = list(setup.deck)
        chance.shuffle(self.stock)
        self.players = [_Player(name) for name in setup.players]
        for pick in range(max(self.rules.down, self.rules.up, self.rules.hand)):
            for player in self.players:
                player.down += [self.stock.pop()] if pick < self.rules.down else []
                player.up += [self.stock.pop()] if pick < self.rules.up else []
                player.hand += [self.stock.pop()] if pick < self.rules.hand else []
        for player in self.players:
            if chance.random() < 0.6 and self.rules.swap:
                _exchange(player)
        self.rows = {player.name: tuple(player.up) for player in self.players}
        left = (setup.dealer + 1) % len(self.players)
        self.turn = left if setup.first is None else setup.first
        self.pile: list[Card] = []
        self.out: list[str] = []
        self.owes_pile = self.over = False
        self.acts: list[Act] = []

    def play(self) -> list[Act] | None:
        """The whole game, or None if it grew too long or came to a stand."""
        if self.rules.turned_card:
            card = self.stock.pop()
            self.pile.append(card)
            self.acts.append(Start(card, self._truth()))
        while not self.over:
            if len(self.acts) >= BOUND - 4:
                return None
            if not self._take_turn(self.players[self.turn]):
                return None
        return self.acts

    # -- one turn ----------------------------------------------------------------------------

    def _take_turn(self, player: _Player) -> bool:
        """Let the player act; False if there is nothing that can be done."""
        if not player.hand and not player.up:
            self._lay_blind(player)
            return True
        zone = Zone.HAND if player.hand else Zone.UP
        cards = player.hand or player.up
        if self.chance.random() < self.mischief:
            wrong = self._wrong_cards(cards, zone)
            if wrong is not None and self._lay_wrong(player, wrong, zone):
                return True
        chosen = self._choice(player, cards, zone)
        if chosen is not None:
            self._lay(player, chosen, zone)
        elif not self.pile:
            return False
        elif zone is Zone.UP and self.rules.face_up_fails == "laid":
            lowest = min(cards, key=_worth)
            player.up.remove(lowest)
            self._lay_in_vain(player, lowest, zone)
        else:
            self._take_pile(player)
        return True

    def _choice(self, player: _Player, cards: list[Card], zone: Zone) -> list[Card] | None:
        """What a sensible player lays: low before high, twos and tens when nothing else."""
        fitting = [card for card in cards if self._refused(card.rank, zone) is None]
        if self._is_last(player, cards):
            fitting = [card for card in fitting if card.rank not in self.rules.no_finish_ranks]
        if not fitting:
            return None
        tired = len(self.acts) > PATIENCE
        if tired or self.chance.random() < 0.08:
            rank = self.chance.choice(fitting).rank
        else:
            rank = min(fitting, key=_worth).rank
        same = [card for card in fitting if card.rank == rank]
        saves = _worth(same[0]) > Rank.ACE and not tired
        if len(same) > 1 and (saves or self.chance.random() < 0.2):
            return same[: 1 if saves else self.chance.randint(1, len(same))]
        return same

    def _is_last(self, player: _Player, cards: list[Card]) -> bool:
        """Whether these are a player's last cards, all of one rank."""
        return (
            len(cards) == len(player.hand) + len(player.up) + len(player.down)
            and not self.stock
            and len({card.rank for card in cards}) == 1
        )

    def _wrong_cards(self, cards: list[Card], zone: Zone) -> list[Card] | None:
        """Cards that the rules refuse: too low or high, or two that differ."""
        if zone is Zone.UP and self.rules.face_up_fails == "laid":
            return None
        bad = [card for card in cards if self._refused(card.rank, zone) is not None]
        if bad and self.chance.random() < 0.8:
            return [self.chance.choice(bad)]
        plain = [
            card
            for card in cards
            if card.rank is not Rank.JOKER
            and (self.rules.two == "next" or card.rank not in self.rules.reset_ranks)
        ]
        pairs = [[one, two] for one in plain for two in plain if one.rank != two.rank]
        return self.chance.choice(pairs) if pairs and self.rules.series == "off" else None

    def _lay_wrong(self, player: _Player, cards: list[Card], zone: Zone) -> bool:
        """Lay and be refused; True if the pile was taken then, so that the turn is over."""
        reason = "mixed_ranks" if len(cards) > 1 else self._refused(cards[0].rank, zone)
        self.acts.append(
            Lay(player.name, tuple(cards), zone, "illegal", reason, False, 0, self._truth())
        )
        if zone is Zone.HAND and self.pile and self._choice(player, player.hand, zone) is None:
            self._take_pile(player)
            return True
        self.acts.append(TakeBack(player.name, tuple(cards), self._truth()))
        return False

    def _lay_blind(self, player: _Player) -> None:
        card = player.down.pop(self.chance.randrange(len(player.down)))
        last = not player.down and not self.stock
        if last and card.rank in self.rules.no_finish_ranks:
            self._lay_in_vain(player, card, Zone.DOWN, "finish_forbidden")
        elif self._refused(card.rank, Zone.DOWN) is None:
            player.down.append(card)
            self._lay(player, [card], Zone.DOWN)
        else:
            self._lay_in_vain(player, card, Zone.DOWN)

    def _lay_in_vain(
        self, player: _Player, card: Card, zone: Zone, reason: str | None = None
    ) -> None:
        """A card that left its place but does not stand: it lies there, then all is taken."""
        self.pile.append(card)
        self.owes_pile = True
        self.acts.append(Lay(player.name, (card,), zone, "legal", reason, False, 0, self._truth()))
        self._take_pile(player)

    def _lay(self, player: _Player, cards: list[Card], zone: Zone) -> None:
        source = {Zone.HAND: player.hand, Zone.UP: player.up, Zone.DOWN: player.down}[zone]
        for card in cards:
            source.remove(card)
            self.pile.append(card)
        rank = cards[0].rank
        removed = self._burned(rank)
        while len(player.hand) < self.rules.hand and self.stock:
            player.hand.append(self.stock.pop())
        if player.done:
            self.out.append(player.name)
            self.over = len(self.out) == len(self.players) - 1
        if removed:
            ten = rank in self.rules.burn_ranks
            again = (self.rules.after_ten if ten else self.rules.after_run) == "same"
        else:
            again = self.rules.two == "again" and rank in self.rules.reset_ranks
        if not again or player.done:
            self._pass_on()
        truth = self._truth()
        self.acts.append(
            Lay(player.name, tuple(cards), zone, "legal", None, bool(removed), removed, truth)
        )
        if removed:
            self.acts.append(ClearBurn(truth))

    def _take_pile(self, player: _Player) -> None:
        player.hand += self.pile
        self.pile.clear()
        self.owes_pile = False
        self._pass_on()
        self.acts.append(TakePile(player.name, self._truth()))

    # -- the rules ---------------------------------------------------------------------------

    def _burned(self, rank: Rank) -> int:
        """Take out of the pile what the card just laid burns; how many cards that is."""
        values = self._values()
        run = 0
        while run < len(values) and values[-1 - run] == values[-1]:
            run += 1
        short = values[-1] in self.rules.short_run_ranks
        enough = self.rules.short_run_length if short else self.rules.run_length
        if self.rules.run_whole:
            enough = 4 * self.decks
        if rank in self.rules.burn_ranks:
            gone = len(values)
        elif self.rules.run_burn and run >= enough:
            gone = run if self.rules.run_takes == "run" else len(values)
        else:
            gone = 0
        del self.pile[len(values) - gone :]
        return gone

    def _values(self) -> list[int]:
        """What each card of the pile counts as: a joker as the card below it."""
        values: list[int] = []
        for card in self.pile:
            below = values[-1] if values else 0
            values.append(below if card.rank is Rank.JOKER else int(card.rank))
        return values

    def _refused(self, rank: Rank, zone: Zone) -> str | None:
        """Why a card of this rank does not go on the pile now."""
        rules, top = self.rules, (self._values() or [0])[-1]
        if not top or rank is Rank.JOKER or rank in rules.reset_ranks:
            return None
        bound = top in rules.lower_ranks
        if rank in rules.burn_ranks:
            return "too_high" if bound and rank > top and not rules.ten_on_seven else None
        if rank in rules.lower_ranks and rules.lower_on_higher:
            return None
        if bound:
            return "too_high" if rank > top else None
        if top in rules.reset_ranks or rank > top:
            return None
        strict = zone is Zone.UP and rules.face_up == "higher"
        return "too_low" if rank < top or strict else None

    def _pass_on(self) -> None:
        for _ in self.players:
            self.turn = (self.turn + 1) % len(self.players)
            if not self.players[self.turn].done:
                return

    def _truth(self) -> Truth:
        left = [player.name for player in self.players if not player.done]
        return Truth(
            turn=None if self.over else self.players[self.turn].name,
            must="none" if self.over else "pickup" if self.owes_pile else "play",
            hands={
                each.name: Count(len(each.hand), len(each.up), len(each.down))
                for each in self.players
            },
            stock=len(self.stock),
            pile=tuple(self.pile),
            out=tuple(self.out),
            loser=left[0] if self.over else None,
        )


def _worth(card: Card) -> int:
    """How much a sensible player wants to keep a card."""
    return {Rank.TWO: 20, Rank.JOKER: 25, Rank.TEN: 30}.get(card.rank, int(card.rank))


def _exchange(player: _Player) -> None:
    """Before play: the best cards of hand and row lie face up."""
    cards, kept = sorted(player.hand + player.up, key=_worth), len(player.hand)
    player.hand, player.up = cards[:kept], cards[kept:]
