"""From a TOML file to the settings in force, and where each came from."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import PilewatchError, ScenarioError, nearest, one_of, shown
from engine.written import decoded_toml, read_text
from firmware.config.keys import BY_NAME, KEYS, SECTIONS, ConfigError

DEFAULT = "default"
#: Names a file of one's own; the command line comes before it.
VARIABLE = "PILEWATCH_CONFIG"
SYSTEM_FILE = Path("/etc/pilewatch.toml")


@dataclass(frozen=True)
class Config:
    """The settings in force; ``origin`` says of each where it came from.

    ``config["panel.driver"]`` is the value. Every key of ``KEYS`` is there.
    """

    values: Mapping[str, Any]
    origin: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        """The value of a setting."""
        return self.values[name]

    def is_said(self, name: str) -> bool:
        """Whether somebody has written it down."""
        return self.origin[name] != DEFAULT

    def without(self, name: str) -> Config:
        """The same with the default in place of that setting."""
        return Config({**self.values, name: BY_NAME[name].default}, {**self.origin, name: DEFAULT})


def defaults() -> Config:
    """What holds where nothing is said."""
    return Config({key.name: key.default for key in KEYS}, {key.name: DEFAULT for key in KEYS})


def config_file(environ: Mapping[str, str] | None = None) -> Path | None:
    """The file that is read unless another is named; None if there is none."""
    env = os.environ if environ is None else environ
    if env.get(VARIABLE):
        return Path(env[VARIABLE])
    base = Path(env.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():
        base = Path(env.get("HOME", "/nonexistent")) / ".config"
    for path in (base / "pilewatch.toml", SYSTEM_FILE):
        try:
            if stat.S_ISREG(path.stat().st_mode):
                return path
        except PermissionError:
            return path  # whoever reads it is told that it may not be read
        except OSError:
            continue
    return None


def read_config(path: Path | None) -> Config:
    """The settings of a file over the defaults; None: the defaults.

    ConfigError names file, line, key and what was expected.
    """
    if path is None:
        return defaults()
    return parse_config(read_text(path, "file of settings", ConfigError), str(path))


def parse_config(text: str, where: str) -> Config:
    """The settings of a text over the defaults; ``where`` names it in messages."""
    try:
        data = decoded_toml(text)
    except ScenarioError as wrong:
        raise ConfigError(f"{where}: expected settings in TOML ({wrong})") from None
    base = defaults()
    values, origin = dict(base.values), dict(base.origin)
    for name, value in _flat(data, text, where):
        place = f"{where}:{_line(text, name)}"
        try:
            values[name] = BY_NAME[name].check(value)
        except PilewatchError as wrong:
            raise ConfigError(f"{place}: {name}: {wrong}") from None
        except ValueError as wrong:
            takes, *hint = wrong.args
            raise ConfigError(
                f"{place}: {name} takes {takes}, not {shown(value)}{''.join(hint)}"
            ) from None
        origin[name] = place
    _check_pins(values, origin)
    return Config(values, origin)


def _flat(data: Mapping[str, Any], text: str, where: str) -> Iterator[tuple[str, object]]:
    """Each setting under its whole name; ConfigError for one that there is not."""
    for first, value in data.items():
        if first not in SECTIONS:
            if first in BY_NAME:
                yield first, value
                continue
            raise _unknown(first, text, where)
        if not isinstance(value, dict):
            raise ConfigError(
                f"{where}:{_line(text, first)}: {first} is a section; expected [{first}]"
            )
        for second, inner in value.items():
            name = f"{first}.{second}"
            if name not in BY_NAME:
                raise _unknown(name, text, where)
            yield name, inner


def _unknown(name: str, text: str, where: str) -> ConfigError:
    # A name that was put into the wrong section, or into none, is found by its last part.
    tails = {key.rsplit(".", 1)[-1]: key for key in BY_NAME}
    last = name.rsplit(".", 1)[-1]
    if last in tails:
        hint = f"; did you mean {tails[last]}?"
    else:
        hint = nearest(name, [*BY_NAME, *SECTIONS]) or f"; the sections are {one_of(SECTIONS)}"
    return ConfigError(f"{where}:{_line(text, name)}: there is no setting {shown(name)}{hint}")


def _line(text: str, name: str) -> int:
    """The line on which a setting stands, as well as can be told; TOML keeps none."""
    section, _, last = name.rpartition(".")
    current, found = "", 0
    short = re.compile(rf"\s*[\"']?{re.escape(last)}[\"']?\s*[=.]")
    whole = re.compile(rf"\s*{re.escape(name)}\s*=")
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            current = head[1]
            if current == name:
                found = found or number
        elif (current == section and short.match(line)) or (not current and whole.match(line)):
            return number
    return found or (_line(text, section) if section else 1)


def _check_pins(values: Mapping[str, Any], origin: Mapping[str, str]) -> None:
    """ConfigError if two things hang on one pin, of which one is said in the file."""
    used: dict[int, str] = {}
    for name in ("buttons.pickup", "buttons.next", "buttons.oops", "lamps.green", "lamps.red"):
        _use(used, values[name], name, origin)
    for pin in values["lamps.seats"]:
        _use(used, pin, "lamps.seats", origin)
    if values["voice.kind"] == "buzzer":
        if not values["voice.buzzer"]:
            raise ConfigError(
                f"{origin['voice.buzzer']}: voice.kind is buzzer; expected its GPIO, not 0"
            )
        _use(used, values["voice.buzzer"], "voice.buzzer", origin)
    if values["panel.driver"] != "none" and values["panel.bus"] == 1:
        for pin in (2, 3):
            _use(used, pin, "the panel's I²C bus", origin)


def _use(used: dict[int, str], pin: int, name: str, origin: Mapping[str, str]) -> None:
    if not pin:
        return
    if pin in used:
        places = [origin.get(each, DEFAULT) for each in (name, used[pin])]
        place = next((each for each in places if each != DEFAULT), DEFAULT)
        both = f"is taken by both {used[pin]} and {name}"
        how = f"stands twice in {name}" if used[pin] == name else both
        raise ConfigError(f"{place}: GPIO {pin} {how}")
    used[pin] = name
