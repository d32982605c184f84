"""A table of make-believe players with all cards known: the truth to compare a referee with.

The dealer deals, plays and keeps the rules of ``classic`` by itself and asks no referee, so
that a mistake of the one is not a mistake of the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.cards import Card, Rank
from engine.errors import SetupError
from engine.events import Zone
from engine.rules import preset
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
    there is not among them, nor are burned cards.
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
    """

    def __init__(self, setup: Setup, seed: int, mischief: float = 0.05) -> None:
        if setup.rules != preset("classic") or setup.first is None:
            raise SetupError(
                f"the virtual table plays classic, not {setup.rules.name} or changed rules"
            )
        self.setup, self.seed, self.mischief = setup, seed, mischief
        deal = 0
        while True:
            game = _ClassicGame(setup, random.Random(f"{seed}/{deal}"), mischief)
            acts = game.play()
            if acts is not None:
                break
            deal += 1
        self.rows: dict[str, tuple[Card, ...]] = game.rows
        self.acts: tuple[Act, ...] = tuple(acts)

    def __iter__(self) -> Iterator[Act]:
        """The acts in order."""
        return iter(self.acts)


class _ClassicGame:
    """The classic game played out with open cards."""

    def __init__(self, setup: Setup, chance: random.Random, mischief: float) -> None:
        self.chance, self.mischief = chance, mischief
        self.stock = list(setup.deck)
        chance.shuffle(self.stock)
        self.players = [_Player(name) for name in setup.players]
        for _ in range(3):
            for player in self.players:
                player.down.append(self.stock.pop())
                player.up.append(self.stock.pop())
                player.hand.append(self.stock.pop())
        for player in self.players:
            if chance.random() < 0.6:
                _exchange(player)
        self.rows = {player.name: tuple(player.up) for player in self.players}
        self.turn = setup.first or 0
        self.pile: list[Card] = []
        self.out: list[str] = []
        self.owes_pile = self.over = False
        self.acts: list[Act] = []

    def play(self) -> list[Act] | None:
        """The whole game, or None if it grew longer than the bound."""
        card = self.stock.pop()
        self.pile.append(card)
        self.acts.append(Start(card, self._truth()))
        while not self.over:
            if len(self.acts) >= BOUND - 4:
                return None
            self._take_turn(self.players[self.turn])
        return self.acts

    # -- one turn ----------------------------------------------------------------------------

    def _take_turn(self, player: _Player) -> None:
        if not player.hand and not player.up:
            self._lay_blind(player)
            return
        zone = Zone.HAND if player.hand else Zone.UP
        cards = player.hand or player.up
        if self.chance.random() < self.mischief:
            wrong = self._wrong_cards(cards)
            if wrong is not None and self._lay_wrong(player, wrong, zone):
                return
        chosen = self._choice(cards)
        if chosen is None:
            self._take_pile(player)
        else:
            self._lay(player, chosen, zone)

    def _choice(self, cards: list[Card]) -> list[Card] | None:
        """What a sensible player lays: low before high, twos and tens when nothing else."""
        fitting = [card for card in cards if self._fits(card.rank)]
        if not fitting:
            return None
        tired = len(self.acts) > PATIENCE
        if tired or self.chance.random() < 0.08:
            rank = self.chance.choice(fitting).rank
        else:
            rank = min(fitting, key=_worth).rank
        same = [card for card in fitting if card.rank == rank]
        saves = rank in (Rank.TWO, Rank.TEN) and not tired
        if len(same) > 1 and (saves or self.chance.random() < 0.2):
            return same[: 1 if saves else self.chance.randint(1, len(same))]
        return same

    def _wrong_cards(self, cards: list[Card]) -> list[Card] | None:
        """Cards that the rules refuse: too low, or two that differ."""
        low = [card for card in cards if not self._fits(card.rank)]
        if low and self.chance.random() < 0.8:
            return [self.chance.choice(low)]
        pairs = [[one, two] for one in cards for two in cards if one.rank != two.rank]
        return self.chance.choice(pairs) if pairs else None

    def _lay_wrong(self, player: _Player, cards: list[Card], zone: Zone) -> bool:
        """Lay and be refused; True if the pile was taken then, so that the turn is over."""
        reason = "mixed_ranks" if len(cards) > 1 else "too_low"
        self.acts.append(Lay(player.name, tuple(cards), zone, "illegal", reason, False, 0,
                             self._truth()))
        mine = player.hand or player.up
        if zone is Zone.HAND and self.pile and self._choice(mine) is None:
            self._take_pile(player)
            return True
        self.acts.append(TakeBack(player.name, tuple(cards), self._truth()))
        return False

    def _lay_blind(self, player: _Player) -> None:
        card = player.down.pop(self.chance.randrange(len(player.down)))
        if self._fits(card.rank):
            player.down.append(card)
            self._lay(player, [card], Zone.DOWN)
            return
        self.pile.append(card)
        self.owes_pile = True
        self.acts.append(Lay(player.name, (card,), Zone.DOWN, "legal", None, False, 0,
                             self._truth()))
        self._take_pile(player)

    def _lay(self, player: _Player, cards: list[Card], zone: Zone) -> None:
        source = {Zone.HAND: player.hand, Zone.UP: player.up, Zone.DOWN: player.down}[zone]
        for card in cards:
            source.remove(card)
            self.pile.append(card)
        top = [card.rank for card in self.pile[-4:]]
        burn = cards[0].rank is Rank.TEN or (len(top) == 4 and len(set(top)) == 1)
        removed = len(self.pile) if burn else 0
        if burn:
            self.pile.clear()
        while len(player.hand) < 3 and self.stock:
            player.hand.append(self.stock.pop())
        if player.done:
            self.out.append(player.name)
            self.over = len(self.out) == len(self.players) - 1
        if not burn or player.done:
            self._pass_on()
        truth = self._truth()
        self.acts.append(Lay(player.name, tuple(cards), zone, "legal", None, burn, removed,
                             truth))
        if burn:
            self.acts.append(ClearBurn(truth))

    def _take_pile(self, player: _Player) -> None:
        player.hand += self.pile
        self.pile.clear()
        self.owes_pile = False
        self._pass_on()
        self.acts.append(TakePile(player.name, self._truth()))

    # -- the rules ---------------------------------------------------------------------------

    def _fits(self, rank: Rank) -> bool:
        if not self.pile or rank in (Rank.TWO, Rank.TEN):
            return True
        return rank >= self.pile[-1].rank

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
    return {Rank.TWO: 20, Rank.TEN: 30}.get(card.rank, int(card.rank))


def _exchange(player: _Player) -> None:
    """Before play: the best three of the six cards lie face up."""
    six = sorted(player.hand + player.up, key=_worth)
    player.hand, player.up = six[:3], six[3:]
