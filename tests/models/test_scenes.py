"""What the training scenes are made of."""

from __future__ import annotations

import numpy as np

from models.training.scenes import ALL_CARDS, ShuffledDecks
from vision.render import make_deck


def test_each_card_of_shuffled_decks_is_printed_and_indexed_by_one_of_them() -> None:
    decks = tuple(make_deck(seed) for seed in (1, 2, 3))
    pack = ShuffledDecks(decks)
    from_which = [
        {
            k
            for k, deck in enumerate(decks)
            if np.array_equal(pack.face(card), deck.face(card))
            and pack.index_places(card) == deck.index_places(card)
        }
        for card in ALL_CARDS[:9]
    ]
    assert all(len(which) == 1 for which in from_which)
    assert set.union(*from_which) == {0, 1, 2}
    assert np.array_equal(pack.back(), decks[0].back())
