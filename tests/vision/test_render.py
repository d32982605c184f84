"""The renderer's truth is what training and the virtual table are measured against."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import parse_card
from engine.errors import PilewatchError
from vision.render import Camera, Hand, Placed, Stage, make_deck
from vision.render.deck import CARD_MM
from vision.render.glyphs import packaged_fonts
from vision.render.stage import Light, project

QUIET = Light(unevenness=0.0, blur=0.0, noise=0.0)


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(4, make_deck(4, plain=True), camera=Camera((640, 360), px_per_mm=2.0), light=QUIET)


def test_same_seed_draws_the_same_picture() -> None:
    cards = [Placed(parse_card("QH"), 5, -8, 0.4)]
    pictures = [Stage(9, make_deck(9), size=(320, 180)).draw(cards, tick=3) for _ in range(2)]
    assert np.array_equal(*pictures)


def test_without_a_font_package_no_other_deck_is_drawn_but_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seed that drew with fewer fonts would draw other cards than everywhere else."""
    packaged_fonts.cache_clear()
    monkeypatch.setattr("vision.render.glyphs.FONT_PACKAGES", ("font_lato", "font_that_nobody_has"))
    with pytest.raises(PilewatchError, match="expected the package font-that-nobody-has"):
        make_deck(4)
    packaged_fonts.cache_clear()


def test_another_tick_changes_only_the_noise(stage: Stage) -> None:
    noisy = Stage(4, stage.deck, camera=stage.camera, light=Light(noise=3.0))
    a, b = (noisy.draw([], tick=t).astype(int) for t in (0, 1))
    assert 0 < np.abs(a - b).mean() < 8


def test_camera_straight_down_maps_millimetres_to_pixels_from_the_middle() -> None:
    h = Camera((640, 360), px_per_mm=2.0).homography()
    assert project(h, np.array([[0.0, 0.0], [10.0, -5.0]])) == pytest.approx(
        np.array([[320, 180], [340, 170]])
    )


def test_tilt_makes_the_far_side_smaller() -> None:
    h = Camera((640, 360), px_per_mm=2.0, tilt=0.6).homography()
    near_left, near_right, far_left, far_right = project(
        h, np.array([[-50.0, 60.0], [50.0, 60.0], [-50.0, -60.0], [50.0, -60.0]])
    )
    assert abs(far_right - far_left)[0] != pytest.approx(abs(near_right - near_left)[0], rel=0.05)


@pytest.mark.parametrize("angle", [0.0, 0.5, -2.2])
def test_an_upright_index_points_the_way_its_card_is_turned(stage: Stage, angle: float) -> None:
    placed = [Placed(parse_card("7S"), 0, 0, angle)]
    _, owner = stage.compose(placed)
    upright = stage.indices(placed, owner)[0]
    assert np.exp(1j * upright.angle) == pytest.approx(np.exp(1j * angle), abs=1e-6)
    assert upright.visible == 1.0


def test_indices_point_to_the_middle_of_their_card(stage: Stage) -> None:
    placed = [Placed(parse_card("7S"), 12, -6, 1.1)]
    _, owner = stage.compose(placed)
    for index in stage.indices(placed, owner):
        middle = (index.x + index.to_centre[0], index.y + index.to_centre[1])
        assert middle == pytest.approx((320 + 24, 180 - 12), abs=1e-6)


def test_a_card_on_top_hides_the_index_below_it(stage: Stage) -> None:
    placed = [Placed(parse_card("7S"), 0, 0, 0), Placed(parse_card("KD"), 0, 30, 0)]
    _, owner = stage.compose(placed)
    seen = {(i.owner, i.to_centre[1] > 0): i.visible for i in stage.indices(placed, owner)}
    assert seen[0, True] == 1.0
    assert seen[0, False] == 0.0
    assert seen[1, True] == 1.0


def test_a_hand_hides_what_it_lies_on(stage: Stage) -> None:
    placed = [Placed(parse_card("7S"), 0, 0, 0)]
    _, owner = stage.compose(placed, Hand(-20, -30, 0.8))
    assert (owner == -2).any()
    assert min(i.visible for i in stage.indices(placed, owner)) < 1.0


def test_a_face_down_card_has_no_index(stage: Stage) -> None:
    placed = [Placed(None, 0, 0, 0)]
    _, owner = stage.compose(placed)
    assert (owner == 0).any()
    assert stage.indices(placed, owner) == []


@pytest.mark.parametrize("seed", range(12))
def test_every_deck_prints_its_indices_on_the_card(seed: int) -> None:
    deck = make_deck(seed)
    for code in ("2C", "10H", "QD", "AS", "JK"):
        card = parse_card(code)
        face = deck.face(card)
        assert face.shape == (440, 315, 4)
        places = deck.index_places(card)
        assert len(places) in (2, 4)
        for place in places:
            assert 0 < place.x < CARD_MM[0]
            assert 0 < place.y < CARD_MM[1]
            k, half = 5.0, place.size / 2
            block = face[
                max(0, int((place.y - half) * k)) : int((place.y + half) * k),
                max(0, int((place.x - half * 0.6) * k)) : int((place.x + half * 0.6) * k),
                :3,
            ].astype(int)
            # Ink that differs clearly from the paper must be there.
            paper = np.asarray(deck.style.paper)
            assert (np.abs(block - paper).max(2) > 60).mean() > 0.05
