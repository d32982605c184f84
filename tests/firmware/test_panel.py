"""What the panel shows: golden pictures, and that nothing ever runs over the edge."""

from __future__ import annotations

import dataclasses

import gallery
import numpy as np
import pytest
import speaking_gallery
from PIL import Image, ImageDraw

from engine.say import languages
from firmware import panel
from firmware.panel.type import NAME_SIZES, fit, font, width, wrap

#: Font rasterisers differ by a few pixels along the edges of letters.
TOLERANCE = 0.015


def test_every_golden_picture_has_its_screen():
    sheets = {f"all_{language}" for language in languages()}
    assert {path.stem for path in gallery.GOLDEN.glob("*.png")} == {*gallery.SCREENS, *sheets}


@pytest.mark.parametrize("name", gallery.SCREENS)
def test_screen_looks_as_it_was_approved(name):
    golden = np.asarray(Image.open(gallery.GOLDEN / f"{name}.png").convert("1"))
    drawn = np.asarray(panel.draw(gallery.SCREENS[name]))
    assert drawn.shape == (64, 128)
    assert np.mean(golden != drawn) <= TOLERANCE


@pytest.mark.parametrize("language", languages())
def test_every_screen_in_every_language_looks_as_it_was_approved(language):
    golden = np.asarray(Image.open(gallery.GOLDEN / f"all_{language}.png").convert("L"))
    drawn = np.asarray(speaking_gallery.sheet(language))
    assert drawn.shape == golden.shape
    assert np.mean(golden != drawn) <= TOLERANCE


@pytest.mark.parametrize("language", languages())
def test_no_word_of_ours_is_cut_off(language, monkeypatch):
    drawn = []
    real = ImageDraw.ImageDraw.text

    def text(pen, xy, word, **how):
        drawn.append(word)
        real(pen, xy, word, **how)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    for name, screen in speaking_gallery.in_language(language).items():
        drawn.clear()
        speaking_gallery.drawn(language, screen)
        cut = [word for word in drawn if word.endswith("…")]
        assert cut == [] or name == "scores_six", name  # six long names may be cut


NAMES = [
    "W",
    "Ann",
    "Wolfgang-Amadeus Maximilian",
    "WWWWWWWWWWWWWWWWWWWWWWWWW",
    "ğğğ Şşşı",
    "",
    "漢字",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("screen", ["turn", "turn_set", "refused", "takes_pile"])
def test_no_name_reaches_the_card(screen, name):
    long = dataclasses.replace(gallery.SCREENS[screen], player=name)
    short = dataclasses.replace(long, player="A")
    beside = np.s_[:, 89:]
    assert np.array_equal(
        np.asarray(panel.draw(long))[beside], np.asarray(panel.draw(short))[beside]
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("screen", [s for s in gallery.SCREENS.values() if hasattr(s, "player")])
def test_every_name_can_be_shown(screen, name):
    assert panel.draw(dataclasses.replace(screen, player=name)).size == panel.SIZE


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [40, 86, 126])
def test_a_name_is_set_as_large_as_it_fits_and_cut_only_in_the_smallest_size(name, room):
    text, face = fit(name, room, NAME_SIZES)
    assert width(text, face) <= room
    if text != name:
        assert text.endswith("…")
        assert face.size == NAME_SIZES[-1]


def test_short_names_are_set_large():
    assert fit("Ann", 86, NAME_SIZES)[1].size == max(NAME_SIZES)


def test_lines_break_at_spaces_within_the_room():
    lines = wrap("Take it back, or take the whole pile", font(14, "Semibold"), 90)
    assert len(lines) > 1
    assert all(width(line, font(14, "Semibold")) <= 90 for line in lines)


def test_the_refusal_is_the_one_light_screen():
    light = {
        name
        for name, screen in gallery.SCREENS.items()
        if np.asarray(panel.draw(screen)).mean() > 0.5
    }
    assert light == {name for name in gallery.SCREENS if name.startswith("refused")}
