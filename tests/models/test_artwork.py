"""Where the decks of artwork print their indices."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cards import Card, Rank, Suit
from models.training.artwork import ArtDeck, art_decks

ART = Path(__file__).parents[2].parent / "shared" / "art"

pytestmark = pytest.mark.skipif(not ART.is_dir(), reason=f"no deck artwork in {ART}")


@pytest.mark.parametrize(
    ("deck", "card", "indices"),
    [
        ("gnome-anglo", Card(Rank.KING, Suit.S), 2),
        ("kde-dondorf", Card(Rank.TWO, Suit.H), 4),
        ("kde-french", Card(Rank.SEVEN, Suit.C), 4),
        ("kde-jolly-royal", Card(Rank.ACE, Suit.D), 2),
        ("gnome-guyenne-classic", Card(Rank.TEN, Suit.C), 2),
        ("gnome-guyenne-classic", Card(Rank.QUEEN, Suit.C), 0),
    ],
)
def test_a_deck_has_as_many_indices_as_it_prints(deck: str, card: Card, indices: int) -> None:
    assert len(ArtDeck(ART / deck).index_places(card)) == indices


def test_no_deck_is_both_trained_on_and_held_out() -> None:
    trained, kept = ({d.folder.name for d in art_decks(ART, held)} for held in (False, True))
    assert trained and kept and not trained & kept
