"""Every language has every line, with the same blanks, and says it in its own way."""

from __future__ import annotations

import string
import tomllib
from importlib import resources

import pytest
from spoken_sheet import SHEET, sheet

from engine.errors import PilewatchError
from engine.say import languages, spoken
from engine.say import words as engine_words
from engine.verdict import Reason
from firmware import words
from tests.engine.tabletalk import Talk

ENGLISH = words.catalogue("en")
OTHERS = [language for language in languages() if language != "en"]


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    words.choose("en")


def blanks(line: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(line) if name is not None}


def test_there_are_four_languages():
    assert languages() == ("az", "en", "es", "nb")


@pytest.mark.parametrize("language", OTHERS)
def test_the_device_has_every_line_in_every_language(language):
    lines = words.catalogue(language)
    assert set(lines) == set(ENGLISH)
    assert {key: blanks(line) for key, line in lines.items()} == {
        key: blanks(line) for key, line in ENGLISH.items()
    }
    assert all(line.strip() for line in lines.values())


@pytest.mark.parametrize("language", OTHERS)
def test_the_referee_has_every_line_in_every_language(language):
    english, other = engine_words("en"), engine_words(language)
    assert set(other) == set(english)
    for section, lines in english.items():
        assert set(other[section]) == set(lines), section
        for key, line in lines.items():
            # A place may be told without the card's name having to bend.
            assert blanks(other[section][key]) == blanks(line), f"{section}.{key}"


@pytest.mark.parametrize("package", ["engine", "firmware"])
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_was_left_in_english(package, language):
    def lines(name):
        text = (resources.files(package) / "words" / f"{name}.toml").read_text("utf-8")
        return {f"{s}.{k}": v for s, t in tomllib.loads(text).items() for k, v in t.items()}

    english, other = lines("en"), lines(language)
    same = {key for key in english if english[key] == other[key] and len(english[key]) > 6}
    # Lines that are nothing but blanks, or the same word by chance.
    assert {
        key for key in same if english[key].strip("{}:. ") and " " in _bare(english[key])
    } == set()


def _bare(line: str) -> str:
    return " ".join(part.strip(" :.,") for part, *_ in string.Formatter().parse(line)).strip()


def test_every_reason_can_be_shown():
    assert {f"reason.{reason.value}" for reason in Reason} <= set(ENGLISH)


@pytest.mark.parametrize(
    ("language", "lines", "said"),
    [
        ("nb", ("start 5C", "play 7H 7S"), "Ann: to sjuere."),
        ("nb", ("start AC", "play 5H 5S"), "To femmere på et ess: for lavt."),
        ("nb", ("start 5C", "play 10H"), "Brenn! Ann igjen."),
        ("es", ("start 5C", "play 7H 7S"), "Ann: dos sietes."),
        ("es", ("start QC", "play 5H 5S"), "Dos cincos sobre una reina: demasiado bajo."),
        ("es", ("start 5C", "play 5C"), "Cinco: esa carta ya no está. ¿La leí mal?"),
        ("az", ("start 5C", "play 7H 7S"), "Ann: iki yeddilik."),
        ("az", ("start KC", "play 5H 5S"), "İki beşlik kralın üstünə: kiçikdir."),
        ("az", ("start 5C", "play 9H by Bob"), "Növbə: Ann."),
    ],
)
def test_numbers_plurals_and_cards_are_said_as_people_say_them(language, lines, said):
    assert " ".join(spoken(Talk(3)(*lines), language)) == said


@pytest.mark.parametrize("language", languages())
def test_one_card_is_not_several(language):
    words.choose(language)
    one = words.say("line.burn", count=1, next="Ann")
    many = words.say("line.burn", count=4, next="Ann")
    assert "1" in one and "4" in many
    if language in ("en", "es"):
        assert one.replace("1", "4") != many


def test_an_unknown_language_changes_nothing():
    with pytest.raises(PilewatchError, match="az, en, es or nb"):
        words.choose("xx")
    assert words.language() == "en"


def test_the_table_of_spoken_sentences_is_what_is_said():
    assert SHEET.read_text(encoding="utf-8") == sheet()
