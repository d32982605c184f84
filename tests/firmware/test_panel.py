"""What the panel shows: golden pictures, and that nothing ever runs over the edge."""

from __future__ import annotations

import dataclasses

import cv2
import gallery
import numpy as np
import pytest
import speaking_gallery
from PIL import Image, ImageDraw

from engine.say import languages
from firmware import panel
from firmware.panel.type import NAME_SIZES, fit, font, put, width, wrap

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
    "j" * 60,
    "Ấ̂ỹ Ẫ́ǭ̣",
    "👍🏽Ann",
    "ليلى",
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


def named(name: str) -> list[panel.Screen]:
    """Every screen that has a text, with a name as each of its texts."""
    rows = tuple(panel.Row(name, value, hat) for value in ("IDIOT", name) for hat in (0, 1))
    strange: list[panel.Screen] = [
        panel.Scores(name, rows * number, hint) for number in (1, 2, 3) for hint in ("", name)
    ]
    strange += [
        panel.Choose(name, name, name),
        panel.Lines(name, (name,), name),
        panel.Lines(name, (name, f"{name} {name}", name)),
        panel.YesNo(f"Did {name} pick up?", name, name),
        panel.Notice(name),
        panel.Notice(name, f"{name} {name}"),
        panel.Splash(name, (name,) * 6),
        panel.Over(name, name),
    ]
    for screen in gallery.SCREENS.values():
        texts = {"player", "last", "owed", "why", "reason", "hint", "dealer", "title"}
        own = [field.name for field in dataclasses.fields(screen) if field.name in texts]
        strange.append(dataclasses.replace(screen, **dict.fromkeys(own, name)))
    return strange


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_names_no_ink_is_set_beyond_the_edge(name, monkeypatch):
    beyond = []
    real = ImageDraw.ImageDraw.text

    def text(pen, xy, word, **how):
        left, top, right, bottom = how["font"].getbbox(word, mode="1", anchor=how["anchor"])
        box = (xy[0] + left, xy[1] + top, xy[0] + right, xy[1] + bottom)
        # Letters lean out of their place by a pixel, which is still within the margin.
        if word and (box[0] < -1 or box[1] < 0 or box[2] > 129 or box[3] > 64):
            beyond.append((type(screen).__name__, word, box))
        real(pen, xy, word, **how)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    for screen in named(name):
        panel.draw(screen)
    assert beyond == []


def test_hand_stock_and_pile_are_counted_beside_a_set_too():
    turn = panel.Turn("Ann", gallery.card("7H"), 3, "to beat", pile=12, stock=27, hand=4)
    assert len({panel.draw(dataclasses.replace(turn, count=n)).tobytes() for n in (1, 2, 3)}) == 3
    for what in ("pile", "stock", "hand"):
        other = dataclasses.replace(turn, **{what: getattr(turn, what) + 1})
        assert panel.draw(other).tobytes() != panel.draw(turn).tobytes()


@pytest.mark.parametrize(
    ("last", "hand", "shown"),
    [
        ("Ann: 10 ×3", 2, "Ann: 10 ×3"),
        ("Ann: 10 ×3", 12, "Ann"),
        ("Bartholomew: 10 ×3", 2, "B…: 10 ×3"),
        ("Bartholomew: 10 ×3", 12, "Bart…"),
    ],
)
def test_beside_the_counts_the_name_is_cut_first(last, hand, shown, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        ImageDraw.ImageDraw, "text", lambda pen, xy, word, **how: drawn.append(word)
    )
    panel.draw(panel.Turn("Bob", None, 0, "", last, pile=15, stock=24, hand=hand))
    assert "".join(drawn) == f"Bob 15 24 {hand} {shown}".replace(" ", "")


def in_light(image):
    """The panel as a phone sees it: larger, and with a dark rim."""
    big = image.convert("L").resize((128 * 6, 64 * 6), Image.Resampling.NEAREST)
    return np.pad(np.asarray(big), 40)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("192.168.178.123", "HTTP://192.168.178.123"),
        ("10.0.0.7", "HTTP://10.0.0.7"),
        (
            "2001:db8:1234:5678:9abc:def0:1234:5678",
            "HTTP://[2001:DB8:1234:5678:9ABC:DEF0:1234:5678]",
        ),
    ],
)
def test_a_phone_reads_the_address(address, says):
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(in_light(panel.draw(panel.Address(address))))
    assert text == says


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [40, 86, 126])
def test_a_name_is_set_as_large_as_it_fits_and_cut_only_in_the_smallest_size(name, room):
    text, face = fit(name, room, NAME_SIZES)
    assert width(text, face) <= room
    if text != name:
        assert text.endswith("…")
        assert face.size == NAME_SIZES[-1]


@pytest.mark.parametrize("weight", ["Regular", "Semibold", "Bold"])
@pytest.mark.parametrize("size", [11, 12, 13, 14, 16])
@pytest.mark.parametrize("word", ["yandırır", "azaldın", "çıxıb", "illi", "mmnn", "bitdi"])
def test_no_two_letters_touch_where_they_are_small(word, size, weight):
    image = Image.new("1", panel.SIZE)
    put(ImageDraw.Draw(image), (2, 30), word, font(size, weight))
    inked = np.asarray(image).any(axis=0)
    assert np.count_nonzero(np.diff(inked.astype(int)) == 1) == len(word)


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
