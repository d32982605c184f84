"""A referee on trial: shown what a camera and buttons see, held against an open table."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.events import Amend, Event, FaceUp, Fact, Pass, Play, Start, Swap, Undo, Zone
from engine.game import Game
from engine.ledger import bag_of
from engine.notation import event_line, parse_event, parse_table, table_line
from engine.opening import first_player
from engine.ruling import Ruling
from engine.setup import Setup
from engine.simulate import law
from engine.simulate.attempt import Answer, Attempt
from engine.simulate.open_table import OpenTable
from engine.simulate.players import TEMPERAMENTS, interject, think

BOUND = 500
"""A game is left off after so many acts: many never end."""


CARDS_EVERY = 10
"""After so many events every card is looked at, not only what the ruling says."""


class Disagreement(Exception):  # noqa: N818 - it is the finding, not a fault of the program
    """The referee and the open table differ; the message tells in what and when."""


@dataclass(frozen=True, slots=True)
class Astray:
    """A game in which event ``number`` was misread: it was really ``meant``.

    ``patience`` is how many more events pass before somebody notices.
    """

    game: Game
    number: int
    meant: Fact
    patience: int


class Trial:
    """One game: the truth, and the game as the referee was told it.

    ``told`` are the events so far; ``rows`` is when the face-up rows are shown: at the
    beginning, in the middle of the game, or never. ``slips`` is the chance that an event
    is first told wrongly, or taken back and told again.
    """

    def __init__(
        self, setup: Setup, chance: random.Random, tally: Counter[str], slips: float = 0.04
    ) -> None:
        self.setup, self.chance, self.tally, self.slips = setup, chance, tally, slips
        self.truth = OpenTable(setup, chance)
        self.game = Game.new(setup)
        self.told: list[Event] = []
        self.tempers = [chance.choice(TEMPERAMENTS) for _ in setup.players]
        self.rows = chance.choice(["first", "first", "later", "never"])
        self.with_source = chance.random() < 0.5
        self.astray: Astray | None = None
        self.beginner = 0

    def run(self) -> None:
        """Play the game to its end and count; Disagreement if the referee is wrong."""
        self._prepare()
        for act in range(BOUND):
            if self.truth.over or not self._act():
                break
            if self.rows == "later" and act == 20:
                self._show_rows()
        self.tally["games"] += 1
        self.tally["games to the end"] += self.truth.over

    # -- before the first play -------------------------------------------------------------------

    def _prepare(self) -> None:
        truth, rules = self.truth, self.setup.rules
        swaps = rules.swap or rules.row == "chosen"
        if self.rows == "first" and self.chance.random() < 0.3:
            self._show_rows()
            swaps = rules.swap
        for player, seat in enumerate(truth.seats):
            size = min(len(seat.hand), len(seat.up))
            if not (swaps and size) or self.chance.random() < 0.5:
                continue
            count = self.chance.randint(1, size)
            cards = tuple(self.chance.sample(seat.hand, count))
            taken = tuple(self.chance.sample(seat.up, count))
            truth.swap(player, cards, taken)
            if rules.swap and (seat.shown or self.chance.random() < 0.3):
                self._know_swap(player, cards, taken)
                ruling = self._tell(Swap(cards, taken, self.setup.players[player]))
                self._agree(ruling.stands, "a swap is refused")
        if self.rows == "first":
            self._show_rows()
        while rules.turned_card and not truth.begun:
            card, _ = truth.turn_start()
            self._compare(self._tell(Start(card)), Answer(True))
        if truth.opening:
            self._begin()

    def _know_swap(self, player: int, cards: tuple[Card, ...], taken: tuple[Card, ...]) -> None:
        shown = self.truth.seats[player].shown
        for card in taken:
            if card in shown:
                shown.remove(card)
        shown += cards

    def _show_rows(self) -> None:
        for seat in self.truth.seats:
            seat.shown = list(seat.up)
        names = self.setup.players
        rows = [(names[p], tuple(seat.up)) for p, seat in enumerate(self.truth.seats) if seat.up]
        if rows and not self.truth.over:
            ruling = self._tell(FaceUp(tuple(rows)))
            self._agree(ruling.stands, "the face-up rows are refused")

    def _begin(self) -> None:
        """Whose first play it is, by the cards; those before may pass aloud."""
        truth, rules = self.truth, self.setup.rules
        hands = [seat.hand for seat in truth.seats]
        player = first_player(rules, hands, self.setup.dealer)
        passes = rules.starter in ("lowest_card", "first_three") and self.chance.random() < 0.3
        while passes and truth.turn != player and truth.opening:
            answer = truth.do(Attempt(truth.turn, "pass"))
            self._compare(self._tell(Pass()), answer)
        self.beginner = player

    # -- the game --------------------------------------------------------------------------------

    def _act(self) -> bool:
        """One act of somebody; False if nothing can be done any more."""
        truth, chance = self.truth, self.chance
        attempt = None
        if chance.random() < 0.3:
            other = chance.randrange(len(truth.seats))
            attempt = interject(truth, other, chance) if other != truth.turn else None
        player = self.beginner if truth.opening else truth.turn
        attempt = attempt or think(truth, player, self.tempers[player], chance)
        if attempt is None:
            return False
        event = self._event(attempt)
        kind = self._kind(attempt)
        if chance.random() < self.slips:
            self._misread(event)
        before = self.game
        answer = truth.do(attempt)
        ruling = self._tell(event)
        self._compare(ruling, answer)
        self.tally[kind if answer.stands else f"refused as {answer.reason}"] += 1
        if answer.stands and chance.random() < self.slips:
            self._take_back(before, event)
        return True

    def _kind(self, attempt: Attempt) -> str:
        """What the tally calls it."""
        truth = self.truth
        if attempt.what != "play":
            return attempt.what
        if truth.owes_pile:
            return "deflected"
        if law.adds(truth, attempt):
            return "added"
        if law.cuts_in(truth, attempt):
            return "cut in"
        if attempt.under:
            return "slid under"
        if len(set(attempt.zones)) > 1:
            return "joined"
        ranks = {card.rank for card in attempt.cards} - {Rank.JOKER, *truth.rules.reset_ranks}
        return "series" if len(ranks) > 1 else "play"

    def _event(self, attempt: Attempt) -> Fact:
        """What the camera and the buttons tell of it."""
        truth, chance = self.truth, self.chance
        by: str | None = self.setup.players[attempt.player]
        in_turn = attempt.player == truth.turn
        if in_turn and attempt.what != "lift" and chance.random() < 0.8:
            by = None
        seat, zones = truth.seats[attempt.player], set(attempt.zones)
        source = zones.pop() if len(zones) == 1 else None
        plain = source is Zone.HAND or (source is Zone.UP and not seat.hand)
        plain = plain or (source is Zone.DOWN and not seat.hand and not seat.up)
        if plain and not self.with_source:
            source = None
        return attempt.event(by, source)

    def _tell(self, event: Event) -> Ruling:
        self.told.append(event)
        self.game, ruling = self.game.judge(event)
        if self.astray is not None:
            self._follow_astray(self.astray, event, ruling)
        return ruling

    # -- slips -----------------------------------------------------------------------------------

    def _misread(self, event: Fact) -> None:
        """An impossible card is called so; and the event first told wrongly is put right."""
        if not isinstance(event, Play) or self.truth.owes_pile:
            return
        cards = [card for card in self.setup.deck if card not in event.cards]
        wrong = Play((self.chance.choice(cards),), event.by, event.source)
        game, ruling = self.game.judge(wrong)
        player = self.truth.turn if event.by is None else self.setup.seat(event.by)
        expected = self._impossible(wrong.cards[0], player)
        given = ruling.reason.value if ruling.reason and ruling.reason.impossible else None
        if expected is not None and given != expected:
            raise self._disagreement(f"{event_line(wrong)} is {expected}, called {given}")
        self.tally["misread cards"] += 1
        if ruling.stands and self.astray is None:
            self.astray = Astray(game, game.count, event, self.chance.randint(0, 6))

    def _impossible(self, card: Card, player: int) -> str | None:
        """Why everybody knows that this player cannot lay this card."""
        truth, ledger = self.truth, self.game.ledger
        copies = self.setup.deck.count(card)
        places = [*truth.pile(), *truth.gone]
        others: list[Card] = []
        for seat, each in enumerate(truth.seats):
            if seat != player:
                others += [*each.shown, *ledger.held_by(seat)]
        if places.count(card) + others.count(card) < copies:
            return None
        return "held_by_other" if card in others else "card_already_gone"

    def _take_back(self, before: Game, event: Fact) -> None:
        """Undo brings the table back exactly; told again it is the same."""
        table = self.game.table
        self.game, ruling = self.game.judge(Undo())
        self._agree(ruling.stands and self.game.table is before.table, "undo is not exact")
        self.game, ruling = self.game.judge(event)
        self._agree(self.game.table == table, "told again, an event does something else")
        self.told += [Undo(), event]
        self.tally["undos"] += 1

    def _follow_astray(self, astray: Astray, event: Event, ruling: Ruling) -> None:
        """Carry on the game in which a card was misread, until somebody puts it right.

        That is at the latest when the referee's answer there differs from the true one.
        """
        game, other = astray.game, ruling
        if event is not astray.meant:
            game, other = game.judge(event)
        if astray.patience and not ruling.table.over and not other.differs(ruling):
            self.astray = Astray(game, astray.number, astray.meant, astray.patience - 1)
            return
        self.astray = None
        game, answer = game.judge(Amend(astray.number, astray.meant))
        if answer.stands:
            self._agree(game.table == self.game.table, "after an amendment it differs")
            self.tally["amendments"] += 1

    # -- comparing -------------------------------------------------------------------------------

    def _compare(self, ruling: Ruling, answer: Answer) -> None:
        truth, names = self.truth, self.setup.players
        expected = (
            "legal" if answer.stands else "illegal",
            answer.reason,
            answer.burn,
            answer.removed,
            None if truth.over else names[truth.turn],
            "none" if truth.over else "pickup" if truth.owes_pile else "play",
            len(truth.stock),
            len(truth.heap.cards),
            tuple(names[player] for player in truth.out),
            None if truth.loser is None else names[truth.loser],
            *(truth.counts(player) for player in range(len(names))),
        )
        given = (
            ruling.verdict.value,
            None if ruling.reason is None else ruling.reason.value,
            ruling.burn,
            ruling.removed,
            ruling.turn,
            ruling.must.value,
            ruling.stock,
            ruling.pile,
            ruling.out,
            ruling.loser,
            *ruling.table.seats,
        )
        if expected != given:
            raise self._disagreement(f"true is {expected}, the referee says {given}")
        self._agree(bool(ruling.say), "nothing is said")
        if len(self.told) % CARDS_EVERY == 0 or truth.over:
            self._compare_cards()

    def _compare_cards(self) -> None:
        """Every card is in one place, and where the referee thinks that it knows one, it is."""
        truth, table, ledger = self.truth, self.game.table, self.game.ledger
        held = [card for seat in truth.seats for zone in Zone for card in seat.zone(zone)]
        cards = [*held, *truth.stock, *truth.pile(), *truth.gone]
        self._agree(Counter(cards) == Counter(self.setup.deck), "a card is lost")
        pile = () if table.pile is None else table.pile.cards()
        self._agree(pile == tuple(truth.pile()), "the pile is another")
        self._agree(ledger.gone == bag_of(truth.gone), "other cards are gone")
        for player, seat in enumerate(truth.seats):
            known = Counter(ledger.held_by(player))
            self._agree(known <= Counter(seat.hand), "a hand is another than is known")
            self._agree(ledger.rows[player] == bag_of(seat.shown), "a row is another")
        line = table_line(table)
        self._agree(parse_table(line, table.setup) == table, "the table does not read back")
        event = self.told[-1]
        self._agree(parse_event(event_line(event)) == event, "the event does not read back")

    def _agree(self, holds: bool, message: str) -> None:
        if not holds:
            raise self._disagreement(message)

    def _disagreement(self, message: str) -> Disagreement:
        lines = [event_line(event) for event in self.told[-12:]]
        where = [str(self.setup.to_json()), table_line(self.game.table), *lines]
        return Disagreement("\n  ".join([message, *where]))
