"""The rough table: two decks in one, light that changes, and the same game twice."""

from __future__ import annotations

import numpy as np

from engine.cards import full_deck
from firmware.roughness import SPELL, RoughStage
from vision.render import Placed, Stage, make_deck
from vision.settle import Motion, Settler

CARDS = full_deck()


def test_a_frame_depends_on_the_seed_and_its_time_alone():
    placed = [Placed(CARDS[7], 10.0, 5.0, 0.4)]
    one, other = RoughStage(4), RoughStage(4)
    one.draw([], tick=3)
    assert np.array_equal(one.draw(placed, tick=200), other.draw(placed, tick=200))
    assert not np.array_equal(one.draw(placed, tick=200), one.draw(placed, tick=201))


def test_some_cards_are_of_the_one_deck_and_some_of_the_other():
    stage = RoughStage(4)
    decks = [make_deck(4, plain=True), make_deck(5, plain=True)]
    own = [[np.array_equal(stage.deck.face(c), d.face(c)) for d in decks] for c in CARDS]
    assert all(sum(of) == 1 for of in own)
    assert 10 < sum(first for first, _ in own) < 42


def test_lamps_are_switched():
    stage = RoughStage(1)
    levels = [float(stage.draw([], tick=t).mean()) for t in range(0, 20 * SPELL, SPELL)]
    assert max(levels) > 1.3 * min(levels)


def test_it_is_grainier_than_an_ordinary_table():
    rough, plain = RoughStage(3), Stage(3, make_deck(3, plain=True))

    def grain(stage):
        a, b = (stage.draw([], tick=t).astype(float) for t in (0, 1))
        return float((a - b).std())

    assert grain(rough) > 1.5 * grain(plain)


def test_a_rough_table_comes_to_rest_all_the_same():
    stage, settler = RoughStage(5), Settler()
    settled = [settler.step(stage.draw([], tick=t), t / 10) for t in range(8)]
    assert Motion.SETTLED in settled
