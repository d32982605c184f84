"""Which of the sightings that are new came to rest as a play, and as what cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from engine.cards import Card
from vision.assemble import Sighting, apart_from, gap_aside, gap_between
from vision.corners import part_missing
from vision.look import WORTH_ASKING, CardSeen, decide
from vision.lying import WELL_FOUND, Stillness, covers, in_a_row, likelihood
from vision.reader import RANKS, SUITS

#: Odds that cards which land together are of one rank; that a lone index which is found so well is
#: of the rank of cards that it stands in a row with: more would hide mixed plays from the referee.
SAME_RANK_ODDS, OF_A_ROW, SURELY_FOUND = 30.0, 100.0, 0.75
#: Odds that a doubtful index is one after all, if it reads as the rank of what lands with it.
SAME_INDEX_ODDS = 10.0
#: Odds that a doubtful index is one after all, if nothing of the kind was there before.
FRESH_ODDS = 3.0
#: A suit sign this likely to be another after all may be misread.
OTHER_SUIT = 0.02
#: A lone sign that cannot be what it reads as is any other one, this likely each.
MISREAD_ALONE = 0.1
#: But one read this surely: that is rather another corner of the card which has it.
SURELY_ITS_SIGN = 0.95
#: A lone index read with less than this probability and so near to one of an equal card (block
#: heights) is that one seen twice, but for a sign that hardly is the same.
READ_SURELY, TWICE, ANOTHER_SIGN = 0.9, 0.65, 0.1
#: However surely it is read, it is the other one if it is nearer than this and has its sign.
ONE_SPOT, SAME_SIGN = 0.5, 0.5
#: So is one of which the finder is less sure than so much of what it is of the other.
FAINT = 0.6
#: It may then be this far from it, if it has its sign.
FAINTLY = 0.8
#: But the indices of a fan stand side by side, so far apart (block heights), and have other signs.
#: Of 21 such finds, rendered, 19 were cards, of 104 others 18.
SIDE_BY_SIDE, OF_A_FAN = 0.5, 0.4
#: What fits a card that lies there this well is read as that card, or surely is.
THAT_CARD, SURELY_THAT_CARD = 0.4, 0.97
#: Odds that an index is a new card's count this much at least, however little the ledger expects
#: what it reads as: the ledger may be wrong.
UNEXPECTED = 0.2
#: What is less likely than this to be a card at all does not land.
LEAST_CARD = 0.7
#: An index this sure is one.
SURE_INDEX = 0.97


def seen_twice(sighting: Sighting, beside: Sequence[Sighting]) -> bool:
    """Whether what is found or read poorly may be an index of an equal card, just beside itself.

    To be asked of what was read, before anything is known of what can land.
    """
    if len(sighting.readings) > 1:
        return False
    return any(
        other is not sighting
        and other.ranks.argmax() == sighting.ranks.argmax()
        and _is_double(sighting, other)
        and other.p_index * other.ranks.max() >= sighting.p_index * sighting.ranks.max()
        for other in beside
    )


def _is_double(sighting: Sighting, other: Sighting) -> bool:
    """Whether one index of an equal card may be an index of ``other``, found once more."""
    gap, one_sign = gap_between(sighting, other), float(sighting.suits @ other.suits)
    if one_sign < OF_A_FAN and gap_aside(sighting, other) > SIDE_BY_SIDE:
        return False
    if sighting.readings[0].spot.score < FAINT * max(r.spot.score for r in other.readings):
        return one_sign > ANOTHER_SIGN and gap < (FAINTLY if one_sign > SAME_SIGN else TWICE)
    if one_sign > SAME_SIGN and gap < ONE_SPOT:
        return True
    return one_sign > ANOTHER_SIGN and gap < TWICE and not _read_surely(sighting)


def comes_to_light(
    sighting: Sighting,
    lying: Sequence[Card],
    prior: Callable[[Card], float] | None,
    still: Stillness,
    gone: Sequence[Sighting] = (),
) -> bool:
    """Whether a lone index is another corner of a card that lies there and cannot land once more.

    Unless the pictures say that it was surely not there before, and nothing that is ``gone`` lay
    over it.
    """
    if prior is None or len(sighting.readings) > 1:
        return False
    read = THAT_CARD
    if still.fresh(sighting):
        if not any(covers(over, sighting) for over in gone):
            return False
        read = SURELY_THAT_CARD
    return any(
        card.suit is not None and likelihood(sighting, card) > read and prior(card) <= 0
        for card in lying
    )


def distinct(
    new: Sequence[Sighting],
    there: Sequence[tuple[Card, Sighting]],
    still: Stillness,
    copies: int,
) -> list[Sighting]:
    """``new`` without what would be one copy of a card too many: one card seen as two.

    Where the picture surely has changed, or where the first copy cannot reach, a card lies
    there: then it is the other suit that its sign may be.
    """
    count = Counter(card for card, _ in there)
    seen = list(there)
    kept = []
    for sighting in sorted(new, key=lambda s: -s.p_index * float(s.ranks.max() * s.suits.max())):
        likely = sighting
        rank = RANKS[int(sighting.ranks.argmax())]
        alike = [other for card, other in seen if card.rank is rank]
        apart = (
            bool(alike)
            and _read_surely(sighting)
            and all(apart_from(sighting, other) for other in alike)
        )
        if apart or (still.fresh(sighting) and len(sighting.readings) > 1):
            doubtful = len(sighting.readings) == 1 and sighting.suits.max() < SURELY_ITS_SIGN
            misread = MISREAD_ALONE if doubtful else 0.0
            likely = _of_suits_left(sighting, lambda card: count[card] < copies, misread)
        decided = decide(likely)
        if decided is not None:
            sure = isinstance(decided, CardSeen)
            card = decided.card if isinstance(decided, CardSeen) else decided.candidates[0]
            if card.suit is None and len(likely.readings) == 1 and not apart:
                # More likely another corner of what is there already than a card of its own?
                taken = [count[Card(card.rank, suit)] >= copies for suit in SUITS]
                best = int(likely.suits.argmax())
                if float(likely.suits[taken].sum()) > 0.5 or not still.fresh(likely):
                    card = Card(card.rank, SUITS[best])
            if card.suit is not None and count[card] >= copies:
                continue
            count[card] += sure
            seen.append((card, sighting))
        kept.append(likely)
    return kept


def with_prior(sighting: Sighting, prior: Callable[[Card], float] | None) -> Sighting:
    """The sighting weighed with what the ledger holds possible.

    What reads as cards that cannot land is the less likely to be one that did: of a card that lay
    there, half covered or come to light, more likely.
    """
    if prior is None:
        return sighting
    chances = {card: max(prior(card), 1e-4) for card in sighting.joint()}
    joint = {card: p * chances[card] for card, p in sighting.joint().items()}
    total = sum(joint.values())
    odds = sighting.p_index / max(1 - sighting.p_index, 1e-9)
    odds *= min(max(total / fmean(chances.values()), UNEXPECTED), 1.0)
    ranks, suits = np.zeros(len(RANKS)), np.full(len(SUITS), 1e-9)
    for card, p in joint.items():
        ranks[RANKS.index(card.rank)] += p / total
        if card.suit is not None:
            suits[SUITS.index(card.suit)] += p / total
    best = RANKS[int(ranks.argmax())]
    of_best = (
        np.array([joint.get(Card(best, suit), 0.0) for suit in SUITS]) + 1e-12
        if best in RANKS[:-1]
        else suits
    )
    return replace(sighting, ranks=ranks, suits=of_best / of_best.sum(), p_index=odds / (1 + odds))


def _read_surely(sighting: Sighting) -> bool:
    """Whether the reader knows the rank without what lies beside it."""
    return max(float(r.ranks[:-1].max()) for r in sighting.readings) > READ_SURELY


def _of_suits_left(
    sighting: Sighting, left: Callable[[Card], bool], misread: float = 0.0
) -> Sighting:
    """The sighting as one of the suits of its rank that are ``left``, if that may well be.

    ``misread``: how likely each suit is whatever was read, since what was read cannot be.
    """
    rank = RANKS[int(sighting.ranks.argmax())]
    may = np.array([left(Card(rank, s)) for s in SUITS]) if rank in RANKS[:-1] else np.ones(4, bool)
    mass = float(sighting.suits[may].sum())
    if may.all() or (mass < OTHER_SUIT and not misread):
        return sighting
    read = int(sighting.suits.argmax())
    suits = np.where(may, sighting.suits + (0.0 if may[read] else misread), 0.0)
    return replace(sighting, suits=suits / suits.sum())


def one_over_another(new: Sequence[Sighting]) -> list[Sighting]:
    """The lowest first: what lies open lies over what does not."""
    return sorted(new, key=lambda s: s.open)


def of_one_rank(new: list[Sighting]) -> list[Sighting]:
    """Cards that come to rest together are mostly one play: a sure rank helps its neighbour."""
    if len(new) < 2:
        return new
    out = []
    for i, sighting in enumerate(new):
        # Of how many cards the play is counts once: they agree in one thing, its rank.
        play = np.prod([other.ranks + 1e-6 for j, other in enumerate(new) if j != i], axis=0)
        play /= play.sum()
        odds = OF_A_ROW if _stands_in_a_row(sighting, new) else SAME_RANK_ODDS
        ranks = sighting.ranks * (1 + (odds - 1) * play)
        out.append(replace(sighting, ranks=ranks / ranks.sum()))
    return out


def _stands_in_a_row(sighting: Sighting, new: Sequence[Sighting]) -> bool:
    """Whether a lone index stands as one of a fan beside a card that shows both corners."""
    spot = sighting.readings[0].spot
    return (
        len(sighting.readings) == 1
        and spot.score > SURELY_FOUND
        and any(
            in_a_row(spot, r.spot)
            for other in new
            if len(other.readings) > 1
            for r in other.readings
        )
    )


def of_the_play(new: Sequence[Sighting], still: Stillness) -> list[Sighting]:
    """``new`` without what was there before, if a card of another rank surely landed.

    What comes to rest together is mostly of one rank: an old index that another card half covers,
    or that has come to light, is not of the play.
    """
    landed = {s.ranks.argmax() for s in new if still.fresh(s) and isinstance(decide(s), CardSeen)}
    return [
        s
        for s in new
        if not landed or not still.known or still.fresh(s) or s.ranks.argmax() in landed
    ]


def muddled(sighting: Sighting, new: Sequence[Sighting], beside: Sequence[Sighting]) -> Sighting:
    """A lone index for what it is worth: what is left of a covered one reads as anything.

    So may what is of another rank than a card that is ``new`` with it, and what is found much
    smaller than the other indices in view.
    """
    if len(sighting.readings) > 1:
        return sighting
    muddle = part_missing(sighting.size, float(np.median([s.size for s in beside])))
    if any(len(s.readings) > 1 and s.ranks.argmax() != sighting.ranks.argmax() for s in new):
        muddle = 1 - (1 - muddle) * (1 - sighting.readings[0].muddle)
    return replace(sighting, ranks=(1 - muddle) * sighting.ranks + muddle / len(RANKS))


def plausible(new: Sequence[Sighting], still: Stillness) -> tuple[Sighting, ...]:
    """What may be a card that landed.

    What is no index hardly reads as its neighbour's rank; and where the picture has changed,
    something did land.
    """
    kept = []
    for sighting in new:
        agree = max(
            (float(sighting.ranks @ n.ranks) * n.p_index for n in new if n is not sighting),
            default=0.0,
        )
        odds = sighting.p_index / max(1 - sighting.p_index, 1e-9)
        odds *= (1 + (SAME_INDEX_ODDS - 1) * agree) * (FRESH_ODDS if still.fresh(sighting) else 1)
        if odds / (1 + odds) >= LEAST_CARD and not _is_remnant(sighting, still):
            kept.append(replace(sighting, p_index=odds / (1 + odds)))
    return tuple(kept)


def _is_remnant(sighting: Sighting, still: Stillness) -> bool:
    """Whether it is what is left of an old index: half its place is as before, and it reads badly.

    Of 15 read less surely than 90 %, on heaps of the decks of training, two were new and right.
    """
    lone = len(sighting.readings) == 1
    sure = float(sighting.ranks.max()) * sighting.p_index > WORTH_ASKING
    return still.known and lone and not sure and not still.fresh(sighting)


def joins(sighting: Sighting, sure: Sequence[CardSeen]) -> bool:
    """Whether a doubtful card is most likely of the rank of one that landed with it: a fan."""
    rank = RANKS[int(sighting.ranks.argmax())]
    return any(seen.card.rank == rank for seen in sure) and sighting.ranks.max() > 0.9


def surely_there(sighting: Sighting, still: Stillness) -> bool:
    """Whether a lone index is whole and was not there before: which card it is must be asked."""
    score = sighting.readings[0].spot.score
    return still.fresh(sighting) and score > WELL_FOUND and sighting.p_index > SURE_INDEX
