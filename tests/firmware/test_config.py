"""One file of settings: what is not said has a default, what cannot be is named."""

from __future__ import annotations

import os

import pytest

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
        ("volume = 3", "1: there is no setting 'volume'; did you mean voice.volume?"),
        ("[voice]\nvolume = 300", "2: voice.volume takes a whole number from 0 to 100, not 300"),
        ("[voice]\nvolume = true", "2: voice.volume takes a whole number from 0 to 100, not true"),
        (
            '[panel]\ndriver = "sh1107"',
            "2: panel.driver takes ssd1306, sh1106 or none; did you mean sh1106?, not 'sh1107'",
        ),
        ("[lamps]\ngreen = 17", "2: GPIO 17 is taken by both buttons.pickup and lamps.green"),
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
        ("voice = 3", "1: voice is a section; expected [voice]"),
        ("[camera]\nfps = nan", "2: camera.fps takes a number from 1 to 60, not nan"),
        ("= 3", " expected settings in TOML (Invalid statement (at line 1, column 1))"),
    ],
)
def test_what_cannot_be_is_named_with_its_line(text, says):
    with pytest.raises(ConfigError) as wrong:
        parse_config(text, "f.toml")
    assert str(wrong.value) == f"f.toml:{says}"


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
