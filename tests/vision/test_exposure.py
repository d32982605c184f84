"""The light is judged by the camera, kept, and judged anew when it has changed for good."""

from __future__ import annotations

import numpy as np
import pytest

from vision.exposure import AUTOMATIC, PIPELINE, Exposure, fixed_controls
from vision.light import ENOUGH, LASTS, LightWatch, bright_parts


def view(cloth: float = 60, cards: int = 0, white: float = 200) -> np.ndarray:
    picture = np.full((90, 160), cloth, np.float32)
    for card in range(cards):
        picture[20:50, 10 + 22 * card : 30 + 22 * card] = white
    return np.clip(picture, 0, 255).astype(np.uint8)


def changes(watch: LightWatch, picture: np.ndarray, begin: float, seconds: float) -> float | None:
    """Seconds until the watch says so, None if it does not."""
    for step in range(round(seconds * 10)):
        if watch.changed(picture, begin + step / 10):
            return step / 10
    return None


@pytest.mark.parametrize(
    ("mains_hz", "exposure", "gain", "expected", "expected_gain"),
    [
        (50, 23_456, 1.0, 20_000, 1.17),
        (50, 19_950, 1.0, 20_000, 1.0),
        (50, 4_000, 3.0, 10_000, 1.2),
        (50, 500_000, 1.0, 60_000, 8.33),
        (60, 23_456, 1.0, 16_667, 1.41),
        (60, 4_000, 3.0, 8_333, 1.44),
    ],
)
def test_exposure_is_a_multiple_of_half_a_mains_period(
    mains_hz: int, exposure: int, gain: float, expected: int, expected_gain: float
) -> None:
    fixed = fixed_controls({"ExposureTime": exposure, "AnalogueGain": gain}, 15.0, mains_hz)
    assert fixed["ExposureTime"] == expected
    assert fixed["AnalogueGain"] == pytest.approx(expected_gain, rel=0.01)
    assert "AwbEnable" not in fixed


def test_in_daylight_cards_must_not_burn_out_for_the_sake_of_the_lamps() -> None:
    fixed = fixed_controls({"ExposureTime": 2_000, "AnalogueGain": 1.0}, 15.0, 50)
    assert (fixed["ExposureTime"], fixed["AnalogueGain"]) == (2_000, 1.0)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("the lamp goes out", view(60, 2), view(20, 2, 66)),
        ("the lamp goes on", view(60, 2), view(110, 2, 255)),
        ("nearly all black, then light", view(3), view(60, 2)),
    ],
)
def test_another_light_is_noticed_when_it_has_lasted(
    name: str, before: np.ndarray, after: np.ndarray
) -> None:
    watch = LightWatch(before, 0)
    assert changes(watch, before, 0, 10) is None
    assert changes(watch, after, 10, 10) == pytest.approx(LASTS, abs=0.11)


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("a pile grows", view(60, 4)),
        ("a pile goes", view(60)),
        ("a cloud", view(45, 2, 150)),
        ("a sleeve", np.vstack([view(60, 2)[:50], view(10)[50:]])),
    ],
)
def test_what_happens_on_a_table_is_no_other_light(name: str, after: np.ndarray) -> None:
    watch = LightWatch(view(60, 2), 0)
    assert changes(watch, after, 10, 10) is None


def in_colour(picture: np.ndarray, red: float = 1.0, blue: float = 1.0) -> np.ndarray:
    """The grey picture in the light of a lamp."""
    return np.clip(np.dstack([picture * blue, picture, picture * red]), 0, 255).astype(np.uint8)


def reddened(picture: np.ndarray, columns: int) -> np.ndarray:
    """The same picture with court cards, or a red sleeve, in so many of its columns."""
    after = picture.copy()
    after[:, :columns, :2] //= 3
    return after


@pytest.mark.parametrize(
    ("name", "after", "noticed"),
    [
        ("evening: the lamp instead of the window", in_colour(view(60, 2), 1.3, 0.7), True),
        ("morning", in_colour(view(60, 2), 0.8, 1.25), True),
        ("a cloud before the sun", in_colour(view(55, 2, 180), 0.95, 1.1), False),
        ("court cards and a red sleeve", reddened(in_colour(view(60, 2)), 70), False),
    ],
)
def test_another_colour_of_the_light_is_noticed_and_red_cards_are_none(
    name: str, after: np.ndarray, noticed: bool
) -> None:
    watch = LightWatch(in_colour(view(60, 2)), 0)
    waited = changes(watch, after, 10, 10)
    assert waited == (pytest.approx(LASTS, abs=0.11) if noticed else None)
    assert not watch.far


def test_a_shadow_that_passes_is_no_other_light_but_nothing_is_read_in_it() -> None:
    watch = LightWatch(view(60, 2), 0)
    for begin in range(0, 40, 4):
        assert changes(watch, view(60, 2), begin, 2) is None
        assert not watch.far
        assert changes(watch, view(20, 2, 66), begin + 2, 1.8) is None
        assert watch.far


def test_cards_that_burn_out_are_noticed_but_not_time_and_again() -> None:
    watch = LightWatch(view(60), 0)
    assert changes(watch, view(60, 3, 255), 1, 58) is None
    assert changes(watch, view(60, 3, 255), 60, 10) is not None


def test_darkness_is_no_light_and_a_bare_cloth_is() -> None:
    assert bright_parts(view(12, 3, 30)) < ENOUGH
    assert bright_parts(view(20, 1, 120)) > ENOUGH
    assert bright_parts(np.dstack([view(90)] * 3)) > ENOUGH


def run(exposure: Exposure, found: dict[str, object], t: float, seconds: float) -> list[dict]:
    steps = range(round(seconds * 15))
    told = [exposure.step(lambda: found, lambda: view(60, 2), t + step / 15) for step in steps]
    return [controls for controls in told if controls]


FOUND = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.1)}


def test_an_automatic_that_never_rests_is_stopped() -> None:
    exposure = Exposure(15, 50, 1.0)
    for step in range(28):
        found = FOUND | {"AnalogueGain": 1.0 + step % 2}
        assert not exposure.step(lambda found=found: found, view, step / 15)
    assert run(exposure, FOUND, 28 / 15, 1)


def test_pictures_on_their_way_are_let_pass() -> None:
    exposure = Exposure(15, 50, 1.0)
    steps = 0
    while not exposure.step(lambda: FOUND, view, steps / 15):
        steps += 1
    for _ in range(PIPELINE):
        assert not exposure.fixed
        exposure.step(lambda: FOUND, view, steps / 15)
    assert exposure.fixed


def test_when_the_light_has_changed_the_automatic_gets_its_turn() -> None:
    exposure = Exposure(15, 50, 1.0)
    run(exposure, FOUND, 0, 3)
    dark = view(20, 2, 66)
    told = [exposure.step(lambda: FOUND, lambda: dark, 3 + step / 15) for step in range(60)]
    controls = [each for each in told if each]
    assert controls[0] == AUTOMATIC
    assert controls[1]["AeEnable"] is False


def test_a_camera_that_tells_nothing_is_left_as_it_is() -> None:
    exposure = Exposure(15, 50, 1.0)
    assert run(exposure, {}, 0, 3) == []
    assert exposure.fixed
