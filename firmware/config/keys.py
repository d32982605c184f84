"""Every setting: its name, its default, what it may be, and what it means."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import PilewatchError
from engine.say import languages
from firmware.config import kinds
from firmware.config.kinds import Check


class ConfigError(PilewatchError, ValueError):
    """The configuration cannot be used; the message says which line, and what was expected."""


@dataclass(frozen=True)
class Key:
    """A setting: ``section.name`` and its default, ``meaning`` for the file's comment."""

    name: str
    default: object
    check: Check
    meaning: str


#: The panel's drivers, as luma.oled names them.
DRIVERS = ("ssd1306", "sh1106", "none")

KEYS: tuple[Key, ...] = (
    Key("language", "en", kinds.choice(*languages()), "What is shown and spoken: en, nb, az, es."),
    Key("game.rules", "classic", kinds.rules, "The rule set offered first, or a FILE.toml."),
    Key("game.players", (), kinds.names, "Names that are offered, besides those of past nights."),
    Key("game.deck", "", kinds.deck, "A deck taught by learn-deck; empty: any deck."),
    Key("game.pause_after", 600.0, kinds.number(30, 86400),
        "Seconds in which nobody touches anything until the game pauses."),
    Key("camera.source", "camera", kinds.source,
        "camera (the Pi's), camera:N (USB), virtual:SEED, none, or a video or folder."),
    Key("camera.fps", 15.0, kinds.number(1, 60), "Frames a second."),
    Key("camera.lens", 2.5, kinds.number(0, 15), "Focus in dioptres: 2.5 is 0.4 m."),
    Key("camera.mains", 50, kinds.either(50, 60), "Hertz of the lamps' mains: 50 or 60."),
    Key("camera.patience", 5.0, kinds.number(1, 60),
        "Seconds without a frame until the table is told that it cannot see."),
    Key("panel.driver", "ssd1306", kinds.choice(*DRIVERS, off="none"),
        "The chip of the OLED: ssd1306 or sh1106, or none."),
    Key("panel.bus", 1, kinds.whole(0, 22), "The I²C bus."),
    Key("panel.address", 0x3C, kinds.whole(0x08, 0x77), "The I²C address; 60 is 0x3C."),
    Key("panel.rotate", 0, kinds.whole(0, 3), "Quarter turns; 2 is upside down."),
    Key("panel.contrast", 200, kinds.whole(1, 255), "Brightness while playing."),
    Key("panel.dim_after", 120.0, kinds.number(5, 86400), "Seconds of quiet until it dims."),
    Key("panel.blank_after", 900.0, kinds.number(10, 86400), "Seconds of quiet until it is dark."),
    Key("buttons.pickup", 17, kinds.pin, "GPIO of the button pickup; pressed connects to ground."),
    Key("buttons.next", 27, kinds.pin, "GPIO of the button next."),
    Key("buttons.oops", 22, kinds.pin, "GPIO of the button oops."),
    Key("lamps.green", 5, kinds.pin, "GPIO of the green lamp."),
    Key("lamps.red", 6, kinds.pin, "GPIO of the red lamp."),
    Key("lamps.seats", (12, 13, 16, 19, 20, 21), kinds.pins, "GPIO of each seat's lamp, in order."),
    Key("lamps.in_view", False, kinds.flag,
        "The camera sees their light: they are dark while it looks, lit only after a call."),
    Key("voice.kind", "speech", kinds.choice("speech", "buzzer", "none", off="none"),
        "What is heard: speech, buzzer or none."),
    Key("voice.says", "trouble", kinds.choice("trouble", "all"),
        "trouble: refusals, burns, questions and the end; all: every play as well."),
    Key("voice.volume", 80, kinds.whole(0, 100), "Loudness; 0 is mute."),
    Key("voice.speed", 165, kinds.whole(80, 400), "Words a minute."),
    Key("voice.device", "default", kinds.text, "The ALSA device, as aplay -L lists them."),
    Key("voice.quiet", "", kinds.hours, 'Hours without sound, as "22:00-07:30".'),
    Key("voice.buzzer", 18, kinds.pin, "GPIO of the buzzer, where kind is buzzer."),
    Key("voice.say_as", {}, kinds.table, "How names are spelt for the voice."),
    Key("power.command", ("systemctl", "poweroff"), kinds.command,
        "What shuts the device down; empty: only the program ends."),
)  # fmt: skip

BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.name.split(".")[0] for key in KEYS if "." in key.name))
