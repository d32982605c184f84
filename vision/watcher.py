"""From frames to observations: look once when things have come to rest, again where in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.assemble import LEAST_INDEX, Sighting, with_a_top
from vision.evidence import Decision, Evidence, crop_of, read_alone
from vision.frame import Frame
from vision.look import CardSeen, CardUnsure, decide
from vision.lying import UNKNOWN, Stillness, covers
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn
from vision.onepack import of_one_pack
from vision.pile import Change, PileMemory
from vision.play import (
    comes_to_light,
    distinct,
    joins,
    muddled,
    of_one_rank,
    of_the_play,
    one_over_another,
    plausible,
    seen_twice,
    surely_there,
    with_prior,
)
from vision.reader import Reading
from vision.settle import Motion, Settler
from vision.spot import Pixels
from vision.unchanged import Before

#: Seconds between looks at the same rest where one look does not decide it.
LOOK_AGAIN = 0.1
#: Looks at one rest before a question is asked, or a pile that shows nothing is called cleared.
LOOKS_TO_ASK = 3
#: Looks before what is sure is called landed: one look misses a corner now and then.
LOOKS_TO_LAND = 2
#: Looks that must agree before cards are called withdrawn.
LOOKS_TO_WITHDRAW = 2
#: A landed card this sure needs no third look.
SURE_AT_ONCE = 0.97
#: Its suit is told if it is this likely: nobody asks for it, so that no guess is called for.
SURE_SIGN = 0.95
#: A bare table differs from its picture by less than this (grey levels, light evened out).
BARE = 7.0
#: Seconds for which a view that shows no card, and does not look like the bare table, may go on.
PATIENCE = 2.0


class Looks(Protocol):
    """What the watcher needs of a looker."""

    def readings(self, image: Pixels) -> list[Reading]:
        """Every index in the picture."""
        ...

    def cards_of(self, looks: Sequence[Sequence[Reading]], image: Pixels) -> list[Sighting]:
        """Every card, from the readings of all pictures of one rest, ``image`` the last."""
        ...


@dataclass
class _Rest:
    """One time of stillness."""

    frame: int
    t: float
    looks: int = 0
    most: int = 0  # cards that seemed to have landed, at one look
    due: float = 0.0
    done: bool = False
    seen: list[list[Reading]] = field(default_factory=list)


class Watcher:
    """Tells what lands on the pile, what is taken back, and when it has gone.

    ``prior`` gives how likely each card is to land next (0: it cannot), from the ledger;
    ``copies`` how often one card is in play: the number of decks. ``taught`` hears which card a
    sighting was of after a question.
    """

    def __init__(
        self,
        looker: Looks,
        prior: Callable[[Card], float] | None = None,
        copies: int = 1,
        taught: Callable[[Sighting, Card], None] | None = None,
    ) -> None:
        self._looker = looker
        self._taught = taught
        self._copies = copies
        self.prior = prior
        self._settler = Settler()
        self.pile = PileMemory()
        self.evidence = Evidence()
        self._rest: _Rest | None = None
        self._bare: NDArray[np.float32] | None = None
        self._before: Before | None = None
        self._asked: dict[int, tuple[Sighting, int, float]] = {}
        self._questions = 0

    def step(self, frame: Frame) -> list[Observation]:
        """What the frame brings to light, mostly nothing."""
        motion = self._settler.step(frame.grey if frame.grey is not None else frame.image, frame.t)
        if motion is Motion.MOVING:
            self._rest = None
            return []
        if motion is Motion.SETTLED or self._rest is None:
            self._rest = _Rest(frame.index, frame.t, due=frame.t)
        rest = self._rest
        if rest.done or frame.t < rest.due - 1e-6:
            return []
        rest.looks += 1
        rest.due = frame.t + LOOK_AGAIN
        return self._look(frame, rest)

    def settle(self, question_id: int, card: Card) -> list[Observation]:
        """The answer to a question: what landed after all. An unknown question gives nothing."""
        if question_id not in self._asked:
            return []
        sighting, frame, t = self._asked.pop(question_id)
        if self._taught is not None:
            self._taught(sighting, card)
        self.pile.cards = [
            replace(c, card=card) if c.sighting is sighting else c for c in self.pile.cards
        ]
        return [Landed(frame, t, (card,), (1.0,), settles=question_id)]

    def forget(self) -> None:
        """The cards that lie there are gone as far as the game is concerned.

        What landed last stays: it is what made the old ones count as gone.
        """
        self.pile.cards = list(self.pile.last_landing())

    def _look(self, frame: Frame, rest: _Rest) -> list[Observation]:
        rest.seen.append(self._looker.readings(frame.image))
        told = self._weigh(frame, rest, self._looker.cards_of(rest.seen, frame.image))
        if rest.done:
            self._before = Before(frame.image)
        return told

    def _weigh(self, frame: Frame, rest: _Rest, sightings: Sequence[Sighting]) -> list[Observation]:
        still = self._stillness(frame.image, sightings)
        sightings = self.pile.told_apart(sightings, still)
        change = self.pile.compare(sightings, still)
        lying = [c.card for c in self.pile.cards]
        gone = [c.sighting for c in change.missing]
        new = [
            muddled(s, change.new, sightings)
            for s in change.new
            if not seen_twice(s, sightings)
            and not comes_to_light(s, lying, self.prior, still, gone)
        ]
        change = replace(change, new=plausible(new, still))
        if not self.pile.cards and not change.new:
            self._bare = _evened(frame.image)
            rest.done = True
            return []
        if change.nothing_left and self.pile.cards and not self._hidden_by(change):
            return self._perhaps_cleared(frame, rest, change)
        if not change.new and change.missing:
            return self._perhaps_withdrawn(rest, change, still)
        if change.new:
            return self._perhaps_landed(frame.image, rest, change, still)
        self.pile.confirm(change)
        rest.done = True
        return []

    def _stillness(self, image: Pixels, sightings: Sequence[Sighting]) -> Stillness:
        before = self._before
        if before is None:
            return UNKNOWN
        return self.pile.stillness(lambda spot: before.kept(image, spot), sightings)

    def _hidden_by(self, change: Change) -> bool:
        """Whether the new cards can hide all that was seen before."""
        before = [lying for lying in self.pile.cards if lying.seen] or self.pile.cards[-1:]
        return bool(change.new) and all(
            any(covers(n, lying.sighting) for n in change.new) for lying in before
        )

    def _perhaps_cleared(self, frame: Frame, rest: _Rest, change: Change) -> list[Observation]:
        if change.new:
            # Other cards lie elsewhere and none of the old is left: the old went under a hand.
            if rest.looks < LOOKS_TO_WITHDRAW:
                return []
            self.pile.clear()
            change = self.pile.compare(change.new)
            still = self._stillness(frame.image, change.new)
            return [
                Cleared(rest.frame, rest.t),
                *self._perhaps_landed(frame.image, rest, change, still),
            ]
        bare = self._bare is not None and _difference(self._bare, _evened(frame.image)) < BARE
        if rest.looks < LOOKS_TO_WITHDRAW or (not bare and frame.t - rest.t < PATIENCE):
            return []
        self.pile.clear()
        rest.done = True
        self._bare = _evened(frame.image)
        return [Cleared(rest.frame, rest.t)]

    def _perhaps_withdrawn(
        self, rest: _Rest, change: Change, still: Stillness
    ) -> list[Observation]:
        last = {id(lying) for lying in self.pile.last_landing()}
        gone = tuple(lying for lying in change.missing if id(lying) in last)
        hidden_before = any(not lying.seen for lying, _ in change.found)
        unread = any(
            r.p_index < LEAST_INDEX and self.pile.is_strange(r.spot, still) for r in rest.seen[-1]
        )
        if not gone or unread or (len(gone) < len(change.missing) and not hidden_before):
            # Not what lay on top: it is hidden, a card slid over it or a hand rests there. Or one
            # has landed on it that the reader does not know for a card.
            if rest.looks >= LOOKS_TO_WITHDRAW:
                self.pile.confirm(change)
                rest.done = True
            return []
        if rest.looks < LOOKS_TO_WITHDRAW:
            return []
        self.pile.remove(gone)
        self.pile.confirm(self.pile.compare([s for _, s in change.found]))
        rest.done = True
        return [Withdrawn(rest.frame, rest.t, tuple(lying.card for lying in gone))]

    def _perhaps_landed(
        self, image: Pixels, rest: _Rest, change: Change, still: Stillness
    ) -> list[Observation]:
        new = with_a_top(change.new)
        if self._copies == 1:
            new = of_one_pack(new)
        weighed = of_one_rank([with_prior(s, self.prior) for s in new])
        there = [(lying.card, sighting) for lying, sighting in change.found]
        new = one_over_another(distinct(weighed, there, still, self._copies))
        if not new:
            self.pile.confirm(change)
            rest.done = True
            return []
        new = of_the_play(new, still)
        decided = [decide(s) for s in new]
        sure = [d for d in decided if isinstance(d, CardSeen)]
        doubtful = len(sure) < len(decided) or any(d.p_rank < SURE_AT_ONCE for d in sure)
        # What one look showed and the next one missed is worth a third.
        doubtful |= len(new) < rest.most
        rest.most = max(rest.most, len(new))
        if rest.looks < (LOOKS_TO_ASK if doubtful else LOOKS_TO_LAND):
            return []
        if sure:
            # What lands lies on top and shows two corners. One doubtful corner beside a card that
            # is sure is a bit of both, or was there before: not worth a question.
            pairs = [
                (s, d)
                for s, d in zip(new, decided, strict=True)
                if isinstance(d, CardSeen)
                or len(s.readings) > 1
                or joins(s, sure)
                or surely_there(s, still)
            ]
            new, decided = [s for s, _ in pairs], [d for _, d in pairs]
        rest.done = True
        self.pile.confirm(change)
        out: list[Observation] = []
        landed: list[tuple[Card, Sighting]] = []
        for sighting, d in zip(new, decided, strict=True):
            if d is None:
                continue
            crop = self._keep(image, rest, d)
            if isinstance(d, CardUnsure):
                self._questions += 1
                self._asked[self._questions] = (sighting, rest.frame, rest.t)
                out.append(Unsure(self._questions, rest.frame, rest.t, d.candidates, d.p, crop))
                landed.append((d.candidates[0], sighting))
            else:
                landed.append((d.card, sighting))
        if landed:
            self.pile.land(landed)
        if sure:
            cards, p = zip(*map(_told, sure), strict=True)
            out.append(Landed(rest.frame, rest.t, cards, p))
        return out

    def _keep(self, image: Pixels, rest: _Rest, d: CardSeen | CardUnsure) -> Pixels:
        """Put a decision into the evidence; its crop."""
        crop, asked = crop_of(image, d.sighting), isinstance(d, CardUnsure)
        candidates = d.candidates if isinstance(d, CardUnsure) else (d.card,)
        p = d.p if isinstance(d, CardUnsure) else (d.p,)
        readings = tuple(read_alone(r) for r in d.sighting.readings)
        self.evidence.keep(Decision(rest.frame, rest.t, candidates, p, asked, readings, crop))
        return crop


def _told(seen: CardSeen) -> tuple[Card, float]:
    """The card as it is called and how sure that is: its rank alone where its suit is not."""
    if seen.p >= SURE_SIGN * seen.p_rank:
        return seen.card, seen.p
    return Card(seen.card.rank, None), seen.p_rank


def _evened(image: Pixels) -> NDArray[np.float32]:
    """A small grey picture with the light evened out, for telling a bare table again."""
    small = cv2.resize(image, (96, 54), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey -= cv2.blur(grey, (31, 31))
    return np.asarray(grey / max(float(grey.std()), 4.0) * 20, np.float32)


def _difference(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Mean over the worst tenth of the pixels, so that one card counts."""
    worst = np.sort(cv2.blur(np.abs(a - b), (5, 5)).ravel())
    return float(worst[-len(worst) // 10 :].mean())
