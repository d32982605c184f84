"""What holds in the pyramid patience for any events whatever."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARDS, Card, full_deck
from engine.pyramid import (
    Deal,
    Event,
    Flip,
    King,
    Match,
    Move,
    Patience,
    Position,
    Reason,
    Reset,
    Undo,
    from_json,
    moved,
    to_json,
)
from tests.engine.pyramid_oracle import successors
from tests.engine.pyramid_tools import full, legal_moves, move_of, plain

seeds = st.integers(0, 10**6)
suited = st.sampled_from(CARDS[:52])
events = st.one_of(
    st.builds(Flip, st.none() | suited),
    st.builds(Match, suited, suited),
    st.builds(King, suited),
    st.builds(Reset),
    st.builds(Undo),
)


class Step(NamedTuple):
    """One event of a random game."""

    before: Patience
    event: Event
    after: Patience

    @property
    def stood(self) -> bool:
        return self.after is not self.before


def played(seed: int, length: int) -> list[Step]:
    """A random game that gets on: mostly legal moves, some undos, some nonsense."""
    chance = Random(seed)
    game = Patience.new(full(seed), limit=1)
    steps: list[Step] = []
    for _ in range(length):
        moves = legal_moves(game.deal, game.position)
        pairs = [move for move in moves if not isinstance(move, Flip | Reset)]
        kind = chance.random()
        event: Event = Match(*chance.sample(CARDS[:52], 2))
        if kind < 0.15:
            event = Undo()
        elif kind < 0.9 and moves:
            event = chance.choice(pairs if pairs and chance.random() < 0.5 else moves)
        before = game
        game, _ = game.judge(event)
        steps.append(Step(before, event, game))
    return steps


def lying(game: Patience) -> list[Card]:
    """Every card that is not on the foundation."""
    deal, at = game.deal, game.position
    cards = [card for place, card in deal.in_pyramid.items() if place & at.pyramid]
    cards += [card for turn, card in deal.in_stock.items() if turn & at.waste]
    return cards + [card for turn, card in deal.in_stock.items() if turn & at.stock]


@given(events)
def test_an_event_survives_json(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@given(seeds)
def test_a_deal_survives_json(seed: int) -> None:
    deal = full(seed)
    assert Deal.from_json(json.loads(json.dumps(deal.to_json()))) == deal


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_cards_are_conserved(seed: int) -> None:
    removed: list[tuple[Card, ...]] = []
    for step in played(seed, 60):
        if step.stood and isinstance(step.event, Undo):
            removed.pop()
        elif step.stood:
            removed.append(step.event.cards if isinstance(step.event, Match | King) else ())
        gone = [card for cards in removed for card in cards]
        assert sorted(lying(step.after) + gone) == list(full_deck())
        assert step.after.foundation == len(gone)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_undo_is_exact_and_counts_a_move(seed: int) -> None:
    history: list[Patience] = []
    for before, event, after in (step for step in played(seed, 60) if step.stood):
        assert after.moves == before.moves + 1
        if isinstance(event, Undo):
            goal = history.pop()
            assert (after.position, after.dead) == (goal.position, goal.dead)
        else:
            history.append(before)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_every_move_can_be_taken_back_to_the_deal(seed: int) -> None:
    game = played(seed, 40)[-1].after
    reason = None
    while reason is None:
        game, ruling = game.judge(Undo())
        reason = ruling.reason
    assert reason is Reason.NOTHING_TO_UNDO
    assert game.position == game.deal.start


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_reset_is_exact_and_the_stock_comes_again_in_its_order(seed: int) -> None:
    game = played(seed, 40)[-1].after
    while game.stock:
        game, _ = game.judge(Flip())
    after, ruling = game.judge(Reset())
    assert ruling.stands
    assert after.position == Position(game.position.pyramid, 0, game.position.waste)
    for _ in range(after.stock):
        after, _ = after.judge(Flip())
    assert after.position == game.position


@settings(max_examples=100, deadline=None)
@given(seeds, st.lists(events, max_size=20))
def test_nonsense_changes_nothing_and_costs_nothing(seed: int, told: list[Event]) -> None:
    game = Patience.new(full(seed), limit=1)
    for event in told:
        after, ruling = game.judge(event)
        assert json.dumps(ruling.to_json(1))
        assert ruling.stands == (after is not game)
        assert ruling.stands == (ruling.reason is None)
        game = after


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_the_referee_allows_what_the_plain_rules_allow_and_nothing_else(seed: int) -> None:
    for step in played(seed, 40)[::8]:
        deal, at = step.after.deal, step.after.position
        expected = {}
        for codes, state in successors(plain(deal, at)):
            expected[key(move_of(codes))] = state
        tries: list[Move] = [Flip(), Reset(), *map(King, full_deck())]
        tries += [Match(*pair) for pair in combinations(full_deck(), 2)]
        found = {}
        for move in tries:
            after = moved(deal, at, move)
            if isinstance(after, Position):
                found[key(move)] = plain(deal, after)
        assert found == expected


def key(move: Move) -> tuple[str, frozenset[Card]]:
    """A move, in whichever order its cards are named."""
    cards = move.cards if isinstance(move, Match | King) else ()
    return type(move).__name__, frozenset(cards)
