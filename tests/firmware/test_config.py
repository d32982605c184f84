"""One file of settings: what is not said has a default, what cannot be is named."""

from __future__ import annotations

import errno
import os

import pytest

from firmware import checks
from firmware.cli import main
from firmware.config import (
    KEYS,
    ConfigError,
    config_file,
    defaults,
    parse_config,
    read_config,
    to_toml,
)
from firmware.device.build import build
from firmware.device.notify import Notifier
from firmware.panel import Notice


def test_everything_has_a_default_that_is_allowed_and_a_meaning():
    for key in KEYS:
        plain = list(key.default) if isinstance(key.default, tuple) else key.default
        assert key.check(plain) == key.default
        assert key.meaning.endswith((".", ".'"))


def test_the_printed_settings_read_back_as_they_were():
    text = to_toml(defaults())
    assert parse_config(text, "x.toml").values == defaults().values


@pytest.mark.parametrize("seconds", [1234.567, 100000.0, 0.1 + 30, 86400.0, 33.0])
def test_a_number_is_printed_as_it_is_in_force(seconds):
    config = parse_config(f"[game]\npause_after = {30 + seconds % 86370!r}\n", "x.toml")
    assert parse_config(to_toml(config), "x.toml").values == config.values


def test_a_file_changes_only_what_it_names_and_its_line_is_told():
    config = parse_config('language = "nb"\n\n[voice]\nvolume = 30\n', "my.toml")
    assert (config["language"], config["voice.volume"]) == ("nb", 30)
    assert config.origin["voice.volume"] == "my.toml:4"
    assert config.origin["voice.kind"] == "default"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[voice]\nvolum = 3", "2: there is no setting 'voice.volum'; did you mean voice.volume?"),
        ("[voise]\nx = 3", "1: there is no setting 'voise'; did you mean voice?"),
        ("bus = 1", "1: there is no setting 'bus'; did you mean panel.bus?"),
        (
            "learned = 3",
            "1: there is no setting 'learned'; the sections are game, camera, panel, buttons,"
            " lamps, voice or power",
        ),
        ("volume = 3", "1: there is no setting 'volume'; did you mean voice.volume?"),
        ("[voice]\nvolume = 300", "2: voice.volume takes a whole number from 0 to 100, not 300"),
        ("[voice]\nvolume = true", "2: voice.volume takes a whole number from 0 to 100, not true"),
        (
            '[panel]\ndriver = "sh1107"',
            "2: panel.driver takes ssd1306, sh1106 or none, not 'sh1107'; did you mean sh1106?",
        ),
        ("[lamps]\ngreen = 17", "2: GPIO 17 is taken by both buttons.pickup and lamps.green"),
        ("[lamps]\nseats = [12, 13, 12]", "2: GPIO 12 stands twice in lamps.seats"),
        ("[lamps]\ngreen = 2", "2: GPIO 2 is taken by both lamps.green and the panel's I²C bus"),
        (
            "[lamps]\ngreen = 40",
            "2: lamps.green takes a GPIO number from 2 to 27, or 0 for none, not 40",
        ),
        (
            '[voice]\nquiet = "22-7"',
            '2: voice.quiet takes hours such as "22:00-07:30", or "", not \'22-7\'',
        ),
        ("[camera]\nmains = 55", "2: camera.mains takes 50 or 60, not 55"),
        (
            '[voice]\nkind = "buzzer"\nbuzzer = 0',
            "3: voice.kind is buzzer; expected its GPIO, not 0",
        ),
        (
            '[camera]\nsource = "virtual:abc"',
            "2: camera.source: 'virtual:abc' names no virtual table; expected virtual:SEED with a"
            " whole number from 0 to 999999999",
        ),
        (
            '\ncamera = { fps = 10, source = "camera:x" }',
            "2: camera.source: 'camera:x' names no camera; expected camera, camera:N,"
            " virtual:SEED, none, or a video or folder of pictures",
        ),
        (
            '[game]\nrules = "hatt"',
            "2: game.rules: there is no rule set 'hatt'; expected castle, classic, hat, idiota,"
            " jokers or norsk; did you mean hat?",
        ),
        (
            '[game]\ndeck = "../x"',
            "2: game.deck: '../x' is no name for a deck; expected up to 40 letters, digits,"
            " spaces, - _ or .",
        ),
        (
            'language = "en"\n[game]\n\nplayers = ["A", "B", "A"]',
            "4: game.players: 'A' stands there twice; names must differ",
        ),
        (
            '[game]\nplayers = ["Ann", "ann"]',
            "2: game.players: 'Ann' and 'ann' cannot be told apart; expected names that differ in"
            " more than capitals, blanks and letters that look alike",
        ),
        (
            '[game]\nplayers = ["A\\tB"]',
            "2: game.players: 'A\\tB' is no name; expected 1 to 40 letters that can be shown,"
            " unlike U+0009",
        ),
        (
            '[voice]\nsay_as = { "A\\nB" = "x" }',
            "2: voice.say_as: 'A\\nB' is no name; expected 1 to 40 letters that can be shown,"
            " unlike U+000A",
        ),
        ('[game]\nplayers = "Ann"', "2: game.players takes a list of names, not 'Ann'"),
        (
            '[game]\nplayers = ["Ann", 1]',
            "2: game.players: in the list stands 1; expected a name",
        ),
        (
            "[lamps]\nseats = [12, 99]",
            "2: lamps.seats: in the list stands 99; expected a GPIO number from 2 to 27, or 0 for"
            " none",
        ),
        (
            '[power]\ncommand = ["halt", 0]',
            "2: power.command: in the list stands 0; expected a text of one line",
        ),
        (
            '[voice]\nquiet = "22:00-22:00"',
            '2: voice.quiet takes hours that end at another time than they begin, or "", not'
            " '22:00-22:00'",
        ),
        (
            '[power]\ncommand = ["", "x"]',
            "2: power.command takes a list of texts, the first of which names a program, or [],"
            " not ['', 'x']",
        ),
        ("[camera]\nfps = 1979-05-27", "2: camera.fps takes a number from 1 to 60, not 1979-05-27"),
        (
            "[a.b]\n[camera]\n[camera]",
            " expected settings in TOML (Cannot declare camera twice (at line 3, column 8))",
        ),
        ("voice = 3", "1: voice is a section; expected [voice]"),
        ("[camera]\nfps = nan", "2: camera.fps takes a number from 1 to 60, not nan"),
        ("= 3", " expected settings in TOML (Invalid statement (at line 1, column 1))"),
    ],
)
def test_what_cannot_be_is_named_with_its_line(text, says):
    with pytest.raises(ConfigError) as wrong:
        parse_config(text, "f.toml")
    assert str(wrong.value) == f"f.toml:{says}"


def test_none_and_off_mean_that_a_part_is_not_wanted():
    for word in ("none", "off"):
        config = parse_config(f'panel.driver = "{word}"\nvoice.kind = "{word}"\n', "x")
        assert (config["panel.driver"], config["voice.kind"]) == ("none", "none")


def test_names_may_hold_joined_letters_and_emoji_of_several_signs():
    text = '[game]\nplayers = ["👩‍🚀", " Ann  Lee "]\n[voice]\nsay_as = { "👩‍🚀" = "Eva" }\n'
    config = parse_config(text, "x")
    assert config["game.players"] == ("👩‍🚀", "Ann Lee")
    assert config["voice.say_as"] == {"👩‍🚀": "Eva"}


NOT_THERE = {
    "rules": (
        '[game]\nrules = "/nowhere/mine.toml"\n',
        "2: game.rules: /nowhere/mine.toml: the rules file cannot be read (No such file or"
        " directory)",
    ),
    "deck": (
        '[game]\ndeck = "tarot"\n',
        "2: game.deck: no deck 'tarot' has been learned; there is none yet in {decks} (pilewatch"
        " learn-deck teaches one)",
    ),
    "source": (
        '\n[camera]\nsource = "camra"\n',
        "3: camera.source: there is no file or folder 'camra'; expected camera, camera:N,"
        " virtual:SEED, none, or a video or folder of pictures",
    ),
    "a value": (
        '[game]\nrules = "nope"\n',
        "2: game.rules: there is no rule set 'nope'; expected castle, classic, hat, idiota,"
        " jokers or norsk",
    ),
}


@pytest.mark.parametrize(("text", "says"), NOT_THERE.values(), ids=NOT_THERE)
def test_what_is_not_there_config_refuses(tmp_path, monkeypatch, capsys, text, says):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    path = tmp_path / "p.toml"
    path.write_text(text)
    assert main(["config", "--config", str(path)]) == 2
    told = f"pilewatch: {path}:{says.format(decks=tmp_path / 'decks')}\n"
    assert capsys.readouterr() == ("", told)


NOTHING_THERE = """
[game]
rules = "/nowhere/mine.toml"
deck = "tarot"
[camera]
source = "gone"
"""


def test_doctor_tells_of_all_that_is_named_and_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    found = checks.settings(parse_config(NOTHING_THERE, "p.toml"))
    assert [(each.what, each.well) for each in found] == [("settings", False)] * 3
    for each, says in zip(found, ("p.toml:3: game.rules", "p.toml:4", "p.toml:6"), strict=True):
        assert each.said.startswith(says)
    assert [each.well for each in checks.settings(defaults())] == [True]


def test_the_device_does_without_what_is_not_there_and_tells_of_it(tmp_path, monkeypatch, pins):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    # Without a panel as well: on one that has failed nobody would be told.
    text = f'{NOTHING_THERE}[panel]\ndriver = "none"\n'
    appliance = build(parse_config(text, "p.toml"), lambda: 0.0, Notifier({}))
    told = []
    for second in range(20):
        appliance.step(float(second))
        appliance.crew.step(float(second))
        told.append(appliance.screen)
    appliance.accounts.close()
    assert Notice("Rules: trouble", "Look at game.rules. The game goes on") in told
    assert Notice("Deck: trouble", "Look at game.deck. The game goes on") in told
    assert "I can't see" in [each.title for each in told]
    assert appliance.config["game.rules"] == "classic"


@pytest.mark.parametrize("command", ["config", "run", "doctor", "aim"])
def test_a_file_that_the_environment_names_is_told_with_the_variable(monkeypatch, capsys, command):
    monkeypatch.setenv("PILEWATCH_CONFIG", "/nowhere/p.toml")
    assert main([command]) == 2
    assert capsys.readouterr().err == (
        "pilewatch: PILEWATCH_CONFIG names /nowhere/p.toml: the file of settings cannot be read"
        " (No such file or directory)\n"
    )


def test_the_command_prints_the_settings_of_a_file(tmp_path, capsys):
    path = tmp_path / "p.toml"
    path.write_text('language = "en"\n[camera]\nfps = 12\n', encoding="utf-8")
    assert main(["config", "--config", str(path), "--bare"]) == 0
    out = capsys.readouterr().out
    assert f"fps = 12  # from {path}:3" in out
    assert 'driver = "ssd1306"  # default' in out


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_ends_in_a_sentence(tmp_path, capsys, content):
    path = tmp_path / "p.toml"
    if content:
        path.write_bytes(content)
    assert main(["config", "--config", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_a_file_of_ones_own_comes_before_that_of_the_system(tmp_path):
    mine = tmp_path / "pilewatch.toml"
    mine.touch()
    assert config_file({"XDG_CONFIG_HOME": str(tmp_path)}) == mine
    assert str(config_file({"PILEWATCH_CONFIG": "/x.toml"})) == "/x.toml"


def test_a_file_that_may_not_be_looked_at_is_no_file_that_is_not_there(tmp_path, monkeypatch):
    class Closed(type(tmp_path)):
        def stat(self, **how):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("firmware.config.reading.Path", Closed)
    # Whoever reads it is told the rest.
    mine = config_file({"XDG_CONFIG_HOME": str(tmp_path)})
    assert str(mine) == str(tmp_path / "pilewatch.toml")


def test_a_file_may_begin_with_the_mark_that_some_editors_put_first(tmp_path):
    file = tmp_path / "pilewatch.toml"
    file.write_bytes(b'\xef\xbb\xbflanguage = "nb"\r\n')
    assert read_config(file)["language"] == "nb"


@pytest.mark.parametrize("what", ["nobody at the other end", "no text", "a folder"])
def test_what_holds_no_settings_is_a_sentence(tmp_path, what):
    file = tmp_path / "pilewatch.toml"
    if what == "no text":
        file.write_bytes(b"\xff\xfe\x00")
    elif what == "a folder":
        file.mkdir()
    else:
        os.mkfifo(file)
    with pytest.raises(ConfigError, match="the file of settings cannot be read"):
        read_config(file)
