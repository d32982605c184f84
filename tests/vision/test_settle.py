"""When is it time to look? What must wake the settler, and what must not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.frame import Image
from vision.settle import Motion, Settler, shrink

FPS = 10.0
CARD = (194, 139)  # height and width in pixels of a card under the camera at 1280×720


def table(seed: int = 1) -> Image:
    """A plain dark cloth with soft uneven light."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:720, 0:1280].astype(np.float32)
    light = 70 + 25 * np.cos(x / 900) * np.cos(y / 700)
    weave = cv2.resize(rng.normal(0, 6, (360, 640)).astype(np.float32), (1280, 720))
    tint = np.array([0.7, 1.0, 0.6], np.float32)
    return np.clip((light + weave)[..., None] * tint, 0, 255).astype(np.uint8)


def with_card(picture: Image, x: int, y: int, *, pips: int = 7, paper: int = 225) -> Image:
    """The picture with a card of ``pips`` dark pips whose corner is at x, y."""
    out = picture.copy()
    height, width = CARD
    out[y : y + height, x : x + width] = paper
    out[y + 8 : y + 48, x + 8 : x + 24] = 40
    for pip in range(pips):
        row, column = divmod(pip, 2)
        cv2.circle(out, (x + 50 + 45 * column, y + 25 + 35 * row), 9, (30, 30, 30), -1)
    return out


def with_hand(picture: Image, x: int, y: int) -> Image:
    out = picture.copy()
    cv2.ellipse(out, (x, y), (170, 90), 40, 0, 360, (120, 150, 200), -1)
    return out


@functools.cache
def grain(seed: int) -> Image:
    """Sensor noise with a standard deviation of 32 levels, round zero."""
    out = np.zeros((720, 1280, 3), np.int16)
    cv2.setRNGSeed(seed)
    return cv2.randn(out, (0, 0, 0), (32, 32, 32))


def noisy(picture: Image, seed: int, sigma: float = 5.0) -> Image:
    return cv2.addWeighted(picture, 1, grain(seed % 17), sigma / 32, 0, dtype=cv2.CV_8U)


def lit(picture: Image, gain: float, offset: float = 0.0) -> Image:
    return np.clip(picture * gain + offset, 0, 255).astype(np.uint8)


def motions(pictures: Iterable[Image], fps: float = FPS, settler: Settler | None = None) -> str:
    """What the settler says to each picture: M(oving), ! (settled) or . (still)."""
    settler = settler or Settler()
    sign = {Motion.MOVING: "M", Motion.SETTLED: "!", Motion.STILL: "."}
    return "".join(sign[settler.step(p, i / fps)] for i, p in enumerate(pictures))


EMPTY = table()
ONE = with_card(EMPTY, 560, 260)
TWO = with_card(ONE, 590, 280, pips=9)


def test_the_first_rest_is_told_once() -> None:
    assert motions([ONE] * 8) == "MMM!...."


@pytest.mark.parametrize(
    ("fps", "expected"), [(2, "M!.."), (4, "M!.."), (15, "MMMM!.."), (30, "M" * 8 + "!..")]
)
def test_a_quarter_of_a_second_at_any_rate(fps: float, expected: str) -> None:
    assert motions([ONE] * len(expected), fps) == expected


def test_a_card_laid_by_a_hand() -> None:
    hands = [with_hand(EMPTY, 200 + 120 * i, 700 - 90 * i) for i in range(4)]
    assert motions([EMPTY] * 5 + hands + [ONE] * 6) == "MMM!." + "MMMM" + "MMM!.."


def test_a_hand_that_is_there_for_two_frames_only() -> None:
    hand = [with_hand(ONE, 640, 300), with_hand(ONE, 660, 320)]
    assert motions([ONE] * 5 + hand + [TWO] * 5) == "MMM!." + "MM" + "MMM!."


def test_a_card_that_is_simply_there() -> None:
    assert motions([ONE] * 5 + [TWO] * 5) == "MMM!.MMM!."


def test_a_card_squared_up_on_another_of_its_look() -> None:
    seven, eight = with_card(EMPTY, 560, 260, pips=7), with_card(EMPTY, 560, 260, pips=8)
    pictures = [noisy(p, i, 3.0) for i, p in enumerate([seven] * 20 + [eight] * 6)]
    assert motions(pictures)[20:] == "MMM!.."


def test_a_hand_that_goes_away_again_is_a_rest_too() -> None:
    assert motions([ONE] * 5 + [with_hand(ONE, 640, 300)] + [ONE] * 5) == "MMM!.MMMM!."


def test_a_slow_hand_does_not_pass_for_stillness() -> None:
    creeping = [with_hand(ONE, 100 + 6 * i, 600 - 3 * i) for i in range(40)]
    assert "!" not in motions([ONE] * 5 + creeping)[5:]


@pytest.mark.parametrize("sigma", [0.0, 2.0, 6.0, 12.0])
def test_noise_is_not_motion(sigma: float) -> None:
    pictures = (noisy(ONE, i, sigma) for i in range(60))
    assert motions(pictures) == "MMM!" + "." * 56


def test_noise_that_rises_comes_to_rest_again() -> None:
    pictures = [noisy(ONE, i, 2.0) for i in range(20)] + [noisy(ONE, i, 25.0) for i in range(60)]
    assert motions(pictures).endswith("." * 10)


def test_a_card_is_seen_through_noise() -> None:
    pictures = [noisy(p, i, 12.0) for i, p in enumerate([ONE] * 30 + [TWO] * 6)]
    assert motions(pictures)[30:] == "MMM!.."


def test_jpeg_is_not_motion() -> None:
    def coded(i: int) -> Image:
        quality = [cv2.IMWRITE_JPEG_QUALITY, 40 if i % 12 == 0 else 60]
        data = cv2.imencode(".jpg", noisy(ONE, i, 3.0), quality)[1]
        return cv2.imdecode(data, cv2.IMREAD_COLOR)

    assert motions(coded(i) for i in range(50)) == "MMM!" + "." * 46


LIGHTS: dict[str, Callable[[float], Image]] = {
    "a lamp less": lambda s: lit(ONE, 1 - 0.45 * (s > 3)),
    "a lamp more": lambda s: lit(ONE, 0.6 + 0.4 * (s > 3)),
    "haze": lambda s: lit(ONE, 0.8, 25 * (s > 3)),
    "dusk": lambda s: lit(ONE, 1 - 0.13 * s),
    "dawn": lambda s: lit(ONE, 0.3 + 0.11 * s),
    "one side darkens": lambda s: (ONE * np.linspace(1, 1 - 0.05 * s, 1280)[:, None]).astype("u1"),
}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS.keys())
def test_light_is_not_motion(light: Callable[[float], Image]) -> None:
    pictures = (noisy(light(i / FPS), i, 3.0) for i in range(60))
    assert motions(pictures) == "MMM!" + "." * 56


def test_a_soft_shadow_is_not_motion() -> None:
    x = np.arange(1280)

    def shaded(i: int) -> Image:
        shadow = 1 - 0.3 / (1 + np.exp((x - 30 * i) / 150))
        return (ONE * shadow[:, None]).astype(np.uint8)

    assert motions([shaded(i) for i in range(60)]) == "MMM!" + "." * 56


def test_a_card_that_comes_as_the_light_goes() -> None:
    assert motions([ONE] * 5 + [lit(TWO, 0.6)] * 5) == "MMM!.MMM!."


def test_a_covered_lens_is_noticed() -> None:
    black = np.zeros_like(ONE)
    assert motions([ONE] * 5 + [black] * 5) == "MMM!.MMM!."


def test_a_picture_of_another_size_begins_anew() -> None:
    assert motions([ONE] * 5 + [cv2.resize(ONE, (640, 480))] * 5) == "MMM!.MMM!."


def test_grey_pictures_do_as_well() -> None:
    def grey(picture: Image) -> Image:
        return cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (320, 180))

    assert motions([grey(ONE)] * 5 + [grey(TWO)] * 5) == "MMM!.MMM!."


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 2000, 3), (90, 160), (480, 640)])
def test_any_shape_is_taken(shape: tuple[int, ...]) -> None:
    assert motions([np.zeros(shape, np.uint8)] * 5) == "MMM!."


def test_the_small_picture_keeps_the_proportions() -> None:
    assert shrink(ONE).shape == (90, 160)
    assert shrink(np.zeros((480, 640, 3), np.uint8)).shape == (120, 160)


@settings(max_examples=40, deadline=None)
@given(
    before=st.tuples(st.integers(0, 1140), st.integers(0, 520)),
    after=st.tuples(st.integers(0, 1140), st.integers(0, 520)),
    blink=st.integers(0, 3),
    gain=st.floats(0.7, 1.1),
    sigma=st.floats(0, 8),
    fps=st.sampled_from([8.0, 10.0, 15.0, 30.0]),
)
def test_every_change_between_two_rests_is_told_exactly_once(
    before: tuple[int, int],
    after: tuple[int, int],
    blink: int,
    gain: float,
    sigma: float,
    fps: float,
) -> None:
    first = with_card(EMPTY, *before)
    second = lit(with_card(first, *after, pips=9), gain)
    rest = int(fps * 0.6)
    hand = [with_hand(first, 640 + 90 * i, 360 - 60 * i) for i in range(blink)]
    if max(abs(before[0] - after[0]), abs(before[1] - after[1])) < 8:
        return  # the same card at the same place
    pictures = [noisy(p, i, sigma) for i, p in enumerate([first] * rest + hand + [second] * rest)]
    told = motions(pictures, fps)
    assert told.count("!") == 2
    assert told[-1] == "."
