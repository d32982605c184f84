"""What follows from what the camera sees."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from engine.events import Amend, PickUp, Play, Start, Undo
from engine.ruling import Ruling
from engine.verdict import Verdict
from firmware.desk import Desk, Gone, Laid, Moment, Owed, Refused
from firmware.tell import Asked, Asking, Observed
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn

#: Seconds within which a card is lifted off just before the rest of the pile goes with it.
LIFT_WINDOW = 3.0
#: What went is heard before what came: a card may be exchanged in one motion.
ORDER = (Cleared, Withdrawn, Unsure, Landed)


class Landings(Desk):
    """Cards that land, are taken back, or go altogether."""

    def _see(self, observations: tuple[Observation, ...]) -> None:
        if self.over:
            return
        for observation in sorted(observations, key=lambda each: ORDER.index(type(each))):
            if isinstance(observation, Cleared):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._cleared(observation)
            elif isinstance(observation, Withdrawn):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._withdrawn(observation)
            elif isinstance(observation, Unsure):
                self._unsure(observation)
            else:
                self._landed(observation)

    def _landed(self, landed: Landed) -> None:
        if self.questions and landed.frame != self.questions[0].frame:
            self._settle_all()
        self._tell(Observed(landed.frame, landed.t, landed))
        self._held.append(landed)
        # Cards that came to rest together are one play, so it waits for the unsure ones.
        if not self.questions:
            self._lay_held()

    def _lay_held(self) -> None:
        if self._held:
            cards = tuple(card for landed in self._held for card in landed.cards)
            when = self._held[0]
            self._held.clear()
            self._lay(cards, when)

    def _lay(self, cards: tuple[Card, ...], when: Moment) -> None:
        if self.owed:
            self.eyes.forget()
            self.owed = None
        if self.gone:
            self._judge(PickUp(), self.gone)
            self.gone = None
        if self.refused and self.refused.doubt:
            self._believe_doubt()
        self.refused = self._laid = self._lifted = None
        if self.must_turn_card:
            self._judge(Start(cards[0]), when)
            cards = cards[1:]
        if cards:
            self._play(cards, when)

    def _play(self, cards: tuple[Card, ...], when: Moment) -> None:
        player = self.turn
        number, ruling = self._judge(Play(cards), when)
        if ruling.verdict is Verdict.LEGAL:
            self._stands(number, cards, ruling, player)
            return
        doubt: tuple[Card, ...] = ()
        if ruling.verdict is Verdict.IMPOSSIBLE:
            doubt = self._second_reading(cards)
        self.refused = Refused(when.frame, when.t, number, cards, ruling, player, doubt)
        if doubt:
            self._tell(Asked(self.frame, self.t, Asking.IMPOSSIBLE, (doubt[-1], cards[-1])))

    def _stands(
        self, number: int, cards: tuple[Card, ...], ruling: Ruling, player: str | None
    ) -> None:
        self._laid = Laid(number, cards, self.t, player)
        self.refused = None
        if ruling.burn:
            self.owed = Owed(True, self.t, player, ruling.removed)

    def _second_reading(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards without their suits, if so they can be: a suit is what is misread most."""
        bare = tuple(card if card.suit is None else Card(card.rank, None) for card in cards)
        if bare == cards:
            return ()
        _, ruling = self.game.judge(Play(bare))
        return () if ruling.verdict is Verdict.IMPOSSIBLE else bare

    def _believe_doubt(self) -> None:
        if self.refused and self.refused.doubt:
            refused, self.refused = self.refused, None
            self._play(refused.doubt, refused)

    def _unsure(self, unsure: Unsure) -> None:
        if self.questions and unsure.frame != self.questions[0].frame:
            self._settle_all()
        self.questions.append(unsure)
        self._tell(Observed(unsure.frame, unsure.t, unsure))
        if len(self.questions) == 1:
            self.choice = 0
            self._ask_which()

    def _ask_which(self, again: bool = False) -> None:
        question = self.questions[0]
        self._tell(
            Asked(self.frame, self.t, Asking.WHICH, question.candidates, self.choice, None, again)
        )

    def _settle_all(self) -> None:
        while self.questions:
            self._settle()

    def _settle(self) -> None:
        """The candidate that is pointed at counts."""
        question = self.questions.pop(0)
        card = question.candidates[self.choice]
        self.choice = 0
        for observation in self.eyes.settle(question.id, card):
            if isinstance(observation, Landed):
                self._tell(Observed(observation.frame, observation.t, observation))
                self._held.append(observation)
        if not self.questions:
            self._lay_held()
        else:
            self._ask_which()

    def _withdrawn(self, withdrawn: Withdrawn) -> None:
        if self.owed or self.gone:
            return  # the pile is on its way out, in handfuls
        if self.questions and set(withdrawn.cards) & set(self.questions[0].candidates):
            self.questions.clear()
            self._held.clear()
        elif self.refused:
            left = without(self.refused.cards, withdrawn.cards)
            if len(left) < len(self.refused.cards):
                self.refused = None
                if left:
                    self._play(left, withdrawn)
                else:
                    self._note("note.same_turn", name=self.turn)
        elif self._laid and not self.must_pick_up:
            self._taken_back(self._laid, withdrawn)

    def _taken_back(self, laid: Laid, withdrawn: Withdrawn) -> None:
        left = without(laid.cards, withdrawn.cards)
        if len(left) <= laid.added:
            self._lifted, self._laid = replace(laid, t=self.t), None
            for _ in range(laid.steps):
                self._judge(Undo(), withdrawn)
            self._note("note.taken_back")
        elif len(left) < len(laid.cards):
            self._amend(left, laid.added)

    def _cleared(self, cleared: Cleared) -> None:
        self._settle_as_burn()
        if self.owed:
            self.owed = None
            return
        if self._lifted and self.t - self._lifted.t <= LIFT_WINDOW:
            # Its top went first, the rest followed: nobody took a card back.
            cards, self._lifted = self._lifted.cards, None
            self._play(cards, cleared)
        self._laid = self.refused = None
        if self.must_pick_up:
            self._seen_off, _ = self._judge(PickUp(), cleared)
        elif self.game.table.pile is not None:
            self.gone = Gone(cleared.frame, cleared.t)

    def _settle_as_burn(self) -> None:
        """The pile went while a card was in question: if one reading burns, it was that."""
        if not self.questions:
            return
        for i, card in enumerate(self.questions[0].candidates):
            _, ruling = self.game.judge(Play((card,)))
            if ruling.burn:
                self.choice = i
                break
        self._settle_all()

    def _amend(self, cards: tuple[Card, ...], added: int) -> None:
        """The last play was really ``cards``, unless that cannot be."""
        if self._laid is None:
            return
        laid = self._laid
        event = Amend(laid.number, Play(cards))
        _, ruling = self.game.judge(event)
        if ruling.verdict is not Verdict.LEGAL:
            self._note("note.no_more")
            return
        self.owed = None
        _, ruling = self._judge(event, self)
        self._stands(laid.number, cards, ruling, laid.player)
        self._laid = replace(laid, cards=cards, t=self.t, steps=laid.steps + 1, added=added)


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """``cards`` less those of ``gone``; an unknown suit goes with any of its rank."""
    left = list(cards)
    for card in gone:
        for i, other in enumerate(left):
            if other == card or (other.rank == card.rank and None in (other.suit, card.suit)):
                del left[i]
                break
    return tuple(left)
