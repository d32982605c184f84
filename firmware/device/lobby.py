"""Setting up a game with three buttons: *next* goes on to another, *pickup* takes it, *oops* back.

Pure: a lobby is a frozen value, a press gives the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from engine.cards import Rank
from engine.errors import PilewatchError
from engine.house_rules import HouseRules
from engine.rules import find_rules, preset_names
from engine.setup import Setup, check_spelling, likeness
from firmware.config import Config
from firmware.inbox import Button
from firmware.night.night import Night
from firmware.panel import Choose, Lines, Screen
from firmware.words import say

#: Names offered when nobody has ever played here.
STRANGERS = 6
LEAST_PLAYERS = 2

#: A file of rules is read once: it may be gone or changed in the middle of the evening.
rules_named = cache(find_rules)


class Step(Enum):
    """What is being chosen."""

    SAME = "same"
    RULES = "rules"
    SEATS = "seats"
    DEALER = "dealer"
    SPECIAL = "special"
    DEAL = "deal"


@dataclass(frozen=True)
class Offer:
    """What can be chosen: rule sets and names, the likeliest first; who sat here last.

    ``scored``: the score of the night already says who deals.
    """

    rules: tuple[str, ...]
    names: tuple[str, ...]
    seats: tuple[str, ...] = ()
    dealer: str | None = None
    scored: bool = False

    @staticmethod
    def of(
        rules: tuple[str, ...],
        names: tuple[str, ...],
        seats: tuple[str, ...] = (),
        dealer: str | None = None,
        scored: bool = False,
    ) -> Offer:
        """The offer, with strangers' names where too few are known."""
        strangers = (say("set_up.player", number=n) for n in range(1, STRANGERS + 1))
        return Offer(rules, _unlike((*seats, *names, *strangers)), seats, dealer, scored)


def _unlike(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names; of those that cannot be told apart, and so cannot sit together, the first."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(likeness(name), name)
    return tuple(first.values())


def offered(config: Config, night: Night | None, known: tuple[str, ...]) -> Offer:
    """What can be chosen after these games of the night; ``known`` are names of other nights."""
    names = (*config["game.players"], *known)
    rules = tuple(dict.fromkeys((str(config["game.rules"]), *preset_names())))
    if night is None:
        return Offer.of(rules, names)
    if night.rounds:
        # What was played last comes first: whoever wants the same again wants its rules, too.
        played = night.rounds[-1].setup.rules
        rules = tuple(sorted(rules, key=lambda name: rules_named(name) != played))
    scored = bool(night.counted)
    return Offer.of(rules, names, night.seats, night.score.dealer if scored else None, scored)


@dataclass(frozen=True)
class Lobby:
    """Where the table is in choosing; ``at`` is the choice that is pointed at."""

    offer: Offer
    step: Step
    rules: str
    seats: tuple[str, ...] = ()
    dealer: str | None = None
    at: int = 0
    ready: bool = False

    @staticmethod
    def begin(offer: Offer) -> Lobby:
        """The first question: the same again where somebody sat here, else the rules."""
        same = len(offer.seats) >= LEAST_PLAYERS
        step = Step.SAME if same else Step.RULES
        return Lobby(offer, step, offer.rules[0], offer.seats, offer.dealer)

    # -- presses -----------------------------------------------------------------------------

    def press(self, button: Button) -> Lobby:
        """The lobby after a press."""
        if button is Button.OOPS:
            return self._back()
        if self.step in (Step.SPECIAL, Step.DEAL):
            # Nothing to choose: either button goes on.
            return replace(self, step=Step.DEAL, ready=self.step is Step.DEAL)
        if self.step is Step.SAME:
            if button is Button.PICKUP:
                return replace(self, step=Step.SPECIAL)
            return replace(self, step=Step.RULES, at=0)
        if button is Button.NEXT:
            return replace(self, at=(self.at + 1) % len(self._choices()))
        return self._take(self._choices()[self.at])

    def _take(self, choice: str | None) -> Lobby:
        if choice is None:
            return self._seated()
        if self.step is Step.RULES:
            return replace(self, rules=choice, step=Step.SEATS, seats=(), at=0)
        if self.step is Step.DEALER:
            return replace(self, dealer=choice, step=Step.SPECIAL, at=0)
        sitting = replace(self, seats=(*self.seats, choice), at=0)
        full = len(sitting.seats) >= min(self._house().max_players, len(self.offer.names))
        return sitting._seated() if full else sitting

    def _seated(self) -> Lobby:
        if self.offer.scored:
            return replace(self, step=Step.SPECIAL, at=0)
        # Nobody having dealt yet, the last one is pointed at: then the first one begins.
        return replace(self, step=Step.DEALER, at=len(self.seats) - 1)

    def _back(self) -> Lobby:
        if self.step is Step.SEATS and self.seats:
            return replace(self, seats=self.seats[:-1], at=0)
        if self.step in (Step.SEATS, Step.SAME):
            return replace(self, step=Step.RULES, at=0)
        if self.step is Step.DEALER:
            return replace(self, step=Step.SEATS, seats=self.seats[:-1], at=0)
        if self.step is Step.DEAL:
            return replace(self, step=Step.SPECIAL)
        return Lobby.begin(self.offer)

    # -- what is chosen ----------------------------------------------------------------------

    def setup(self) -> Setup | None:
        """The table as the panel shows it; None if it cannot be seated yet."""
        seats = self.seats if len(self.seats) >= LEAST_PLAYERS else self.offer.seats
        dealer = self.dealer if self.dealer in seats else None
        try:
            check_spelling(seats)
            return Setup.new(self._house(), seats, dealer=dealer)
        except PilewatchError:
            return None

    def _house(self) -> HouseRules:
        return rules_named(self.rules)

    def _choices(self) -> tuple[str | None, ...]:
        """What can be taken; None, which is nobody's name, is that all sit."""
        if self.step is Step.RULES:
            return self.offer.rules
        if self.step is Step.DEALER:
            return self.seats
        free = tuple(name for name in self.offer.names if name not in self.seats)
        enough = (None,) if len(self.seats) >= LEAST_PLAYERS else ()
        # Once all who were expected sit, that is the likeliest answer.
        known = [name for name in self.offer.seats if name not in self.seats]
        return (*free, *enough) if known else (*enough, *free)

    # -- screens -----------------------------------------------------------------------------

    def screen(self) -> Screen:
        """What the panel shows."""
        if self.step is Step.SAME:
            people = ", ".join(self.seats)
            return Choose(say("set_up.same"), people, say("set_up.hint"))
        if self.step is Step.SPECIAL:
            return Lines(
                f"{say('set_up.special')}: {self.rules}",
                specials(self._house()),
                say("set_up.special_hint"),
            )
        if self.step is Step.DEAL:
            return self._deal()
        title = {
            Step.RULES: say("set_up.rules"),
            Step.SEATS: say("set_up.seat", number=len(self.seats) + 1),
            Step.DEALER: say("set_up.dealer"),
        }[self.step]
        choice = self._choices()[self.at]
        shown = say("set_up.enough") if choice is None else choice
        return Choose(title, shown, say("set_up.hint"))

    def _deal(self) -> Screen:
        house = self._house()
        setup = self.setup()
        dealer = "" if setup is None else setup.players[setup.dealer]
        cards = say("set_up.deal_cards", down=house.down, up=house.up, hand=house.hand)
        return Lines(say("set_up.deal", name=dealer), (cards,), say("set_up.deal_hint"))


def specials(house: HouseRules) -> tuple[str, ...]:
    """Three lines at most of what is special in these rules, what is forgotten most first."""
    lines: list[str] = []
    for key, ranks in (
        ("set_up.lower", house.lower_ranks),
        ("set_up.burns", house.burn_ranks),
        ("set_up.skips", house.skip_ranks),
        ("set_up.turns", house.reverse_ranks),
        ("set_up.glass", house.glass_ranks),
        ("set_up.resets", house.reset_ranks),
    ):
        if ranks:
            lines.append(say(key, ranks=" ".join(_shown(rank) for rank in ranks)))
    if house.run_burn:
        lines.insert(2, say("set_up.run", count=house.run_length))
    return tuple(lines[:3]) or (say("set_up.plain"),)


def _shown(rank: Rank) -> str:
    return say("panel.joker") if rank is Rank.JOKER else rank.code
