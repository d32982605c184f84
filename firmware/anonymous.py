"""What of the settings and findings can be sent to strangers: everything but names of people.

Names do not only stand where names are asked for: folders, sticks, headphones and the machine are
called after people, and a driver's message quotes all of them.
"""

from __future__ import annotations

import pwd
import re
import socket
from collections.abc import Iterable, Iterator, Mapping

from engine.rules import preset_names
from firmware.config import KEYS, Config, kinds
from firmware.config.reading import DEFAULT

LEFT_OUT = "(left out)"

#: Settings that hold what somebody wrote, not one of our choices.
FREE = tuple(key for key in KEYS if key.check in kinds.FREE)
#: What may be said of them all the same, besides their defaults.
HARMLESS = {
    "game.rules": "|".join(preset_names()),
    "camera.source": r"camera(:\d+)?|virtual:\d+|none",
    "voice.device": r"default|null|sysdefault|(plug)?hw:\d+(,\d+)?",
}
#: Below these folders the next one is named after a person or a thing of a person's.
HOMES = re.compile(r"(?:/home|/Users|/mnt|(?:/run)?/media/[^/\s]+)/[^/\s'\":;,)]+")
#: From this number on users are people (login.defs of Debian); this name is everybody's.
FIRST_USER, EVERYBODY = 1000, {"pi", "nobody"}


def public(config: Config) -> Config:
    """The settings without what somebody wrote, and without the name of their file."""
    values = dict(config.values)
    for key in FREE:
        if not _is_harmless(key.name, values[key.name], key.default):
            value = values[key.name]
            values[key.name] = LEFT_OUT if isinstance(value, str) else type(value)()
    origin = {
        name: DEFAULT if place == DEFAULT else f"line {place.rpartition(':')[2]}"
        for name, place in config.origin.items()
    }
    return Config(values, origin)


def without_names(text: str, config: Config) -> str:
    """The text without what somebody wrote, and the names of users, folders and the machine."""
    for name in sorted({*_private(config), *_users(), socket.gethostname()}, key=len, reverse=True):
        if name:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", text, flags=re.IGNORECASE)
    return HOMES.sub("~", text)


def _is_harmless(name: str, value: object, default: object) -> bool:
    return value == default or (
        isinstance(value, str) and re.fullmatch(HARMLESS.get(name, "(?!)"), value) is not None
    )


def _private(config: Config) -> Iterator[str]:
    """Every text that somebody wrote into the settings."""
    for key in FREE:
        value = config[key.name]
        if not _is_harmless(key.name, value, key.default):
            yield from _texts(value)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, Mapping):
        return (*map(str, value), *map(str, value.values()))
    return map(str, value) if isinstance(value, tuple) else (str(value),)


def _users() -> Iterator[str]:
    """The people who have an account here, by their short and whole names."""
    for user in pwd.getpwall():
        if user.pw_uid >= FIRST_USER and user.pw_name not in EVERYBODY:
            yield from (user.pw_name, user.pw_gecos.split(",")[0])
