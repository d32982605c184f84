"""What a whole face adds to its indices, and what it cannot take away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cards import Rank, Suit, parse_card
from tests.vision.made_up import sighting
from vision.assemble import assemble
from vision.face import FACE_HEIGHT, FACE_WIDTH, FaceReader, face_crop, weighed
from vision.look import SURE_RANK, Looker
from vision.reader import RANKS, SUITS
from vision.render import Camera, Placed, Stage, make_deck
from vision.session import ModelError, models_folder
from vision.spot import Pyramid, Spot
from vision.uncovered import across

NONE = 14


def face_says(rank: Rank | None, suit: Suit = Suit.H, p: float = 0.98) -> tuple[np.ndarray, ...]:
    ranks, suits = np.full(15, (1 - p) / 14), np.full(4, (1 - p) / 3)
    ranks[NONE if rank is None else RANKS.index(rank)] = p
    suits[SUITS.index(suit)] = p
    return ranks, suits


def p_of(one: object, code: str) -> float:
    return float(one.joint()[parse_card(code)])  # type: ignore[attr-defined]


def test_a_face_that_agrees_leaves_a_sure_card_sure() -> None:
    seen = weighed(sighting("8H", p=0.97, or_else="JH"), *face_says(Rank.EIGHT))
    assert seen.ranks.max() > 0.99 and RANKS[int(seen.ranks.argmax())] is Rank.EIGHT


def test_a_face_that_contradicts_makes_even_a_sure_index_doubtful() -> None:
    """A jack whose letter is a B, in a deck nobody has seen, reads as an eight for certain."""
    seen = weighed(sighting("8H", p=0.9999), *face_says(Rank.JACK))
    assert seen.ranks.max() < SURE_RANK


def test_a_face_that_cannot_say_changes_next_to_nothing() -> None:
    before = sighting("8H", p=0.97, or_else="JH")
    after = weighed(before, *face_says(None))
    assert after.ranks.max() == pytest.approx(before.ranks.max(), abs=0.01)


def test_large_pips_tell_the_suit_that_a_small_sign_leaves_open() -> None:
    doubtful = replace(sighting("8S"), suits=np.array([0.45, 0.0, 0.0, 0.55]))
    seen = weighed(doubtful, *face_says(Rank.EIGHT, Suit.C))
    assert SUITS[int(seen.suits.argmax())] is Suit.C


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.0])
@pytest.mark.parametrize("tilt", [0.0, 0.5])
def test_a_face_is_cut_upright_whatever_way_the_card_lies(angle: float, tilt: float) -> None:
    card = parse_card("2H")
    stage = Stage(3, make_deck(3, plain=True), camera=Camera((640, 480), 2.5, tilt))
    placed = [Placed(card, 5.0, -5.0, angle)]
    image, owner = stage.compose(placed)
    one, other = (
        Spot(t.x, t.y, t.angle, t.size, (0.0, 0.0), 1.0, 1.0) for t in stage.indices(placed, owner)
    )
    face = face_crop(Pyramid(np.clip(image, 0, 255).astype(np.uint8)), one, other)
    assert face.shape == (FACE_HEIGHT, FACE_WIDTH, 3)
    red = (face[..., 2].astype(int) - face[..., 1] > 60)[:, FACE_WIDTH // 3 : -FACE_WIDTH // 3]
    rows = np.flatnonzero(red.any(1))
    # The two of hearts: one pip above, one below, nothing in the middle.
    assert rows.min() < FACE_HEIGHT / 3 and rows.max() > FACE_HEIGHT * 2 / 3
    assert not red[FACE_HEIGHT * 2 // 5 : FACE_HEIGHT * 3 // 5].any()


def test_faces_of_cards_on_a_drawn_table_are_told() -> None:
    cards = [parse_card(c) for c in ("2S", "5D", "7C", "10H", "AS")]
    camera = Camera((1280, 720), 2.2)
    stage = Stage(1, make_deck(1, plain=True), camera=camera)
    placed = [Placed(c, -180.0 + 90 * i, 0.0, 0.1) for i, c in enumerate(cards)]
    image = stage.draw(placed)
    looker = Looker.load()
    seen = assemble(looker.readings(image))
    faces = np.stack([face_crop(Pyramid(image), *pair) for s in seen if (pair := across(s))])
    ranks, _ = looker.faces.outputs(faces)
    told = sorted(int(RANKS[r]) if r < NONE else 0 for r in ranks.argmax(1))
    assert told == [2, 5, 7, 10, 14]


def test_a_network_that_takes_no_faces_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "face.onnx"
    other.write_bytes((models_folder() / "reader.onnx").read_bytes())
    with pytest.raises(ModelError, match="reads no faces"):
        FaceReader(other)


def test_no_face_brings_a_joker_into_a_deck_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    faces, joker = FaceReader(), RANKS.index(Rank.JOKER)
    says = np.eye(15, dtype=np.float32)[[joker]] * 12
    monkeypatch.setattr(faces, "outputs", lambda pictures: (says.copy(), np.zeros((1, 4))))
    blank = Pyramid(np.zeros((600, 600, 3), np.uint8))
    doubtful = [sighting("10D", 300, 300, p=0.6, or_else="QD")]
    assert p_of(faces.witness(blank, doubtful, jokers=True)[0], "JK") > 0.05
    assert p_of(faces.witness(blank, doubtful, jokers=False)[0], "JK") < 1e-3
