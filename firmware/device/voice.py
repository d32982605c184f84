"""The voice as a part: espeak-ng speaks into ALSA's aplay; or a buzzer gives signs.

A system service has no user's sound session, so ALSA is named directly. espeak-ng itself ends
well even where there is no sound device, so it only makes the sound, and aplay plays it: aplay
fails where it cannot.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import IO, Any

from firmware.config import Config
from firmware.device.calls import Call, Calls, Weight
from firmware.device.service import LackingError
from firmware.words import language

#: Seconds between looks at whether a sentence is over.
LOOK = 0.05
#: Seconds after which a sentence is cut off: no sentence of ours is that long.
LONGEST = 12.0
#: espeak-ng's voices by our languages.
VOICES = {"en": "en-us", "nb": "nb", "az": "az", "es": "es"}

#: Signs of the buzzer: pairs of a tone (None: silence) and seconds.
SIGNS: dict[Weight, tuple[tuple[str | None, float], ...]] = {
    Weight.PLAY: (("A5", 0.05),),
    Weight.NOTE: (("A4", 0.08),),
    Weight.QUESTION: (("E5", 0.1), (None, 0.08), ("A5", 0.1)),
    Weight.BURN: (("A4", 0.08), ("C5", 0.08), ("E5", 0.08), ("A5", 0.16)),
    Weight.END: (("A5", 0.15), ("E5", 0.15), ("A4", 0.4)),
    Weight.REFUSED: (("A4", 0.25), (None, 0.08), ("A4", 0.25)),
}


class Speech:
    """Speaks the calls that are put to it; a heavier one cuts a lighter one short."""

    name = "voice"

    def __init__(
        self,
        config: Config,
        quiet: Callable[[], bool] = lambda: False,
        start: Callable[[Config, str], Sentence] | None = None,
    ) -> None:
        self._config, self._quiet = config, quiet
        self._start = start or Sentence
        self._calls = Calls()
        self._speaking: Sentence | None = None
        self._call: Call | None = None
        self._until = 0.0
        self.wake: Callable[[], None] = lambda: None

    def put(self, call: Call) -> None:
        """``call`` wants to be heard."""
        self._calls.put(call)
        self.wake()

    def set_up(self) -> None:
        """LackingError if one of the programs is missing."""
        for program, package in (("espeak-ng", "espeak-ng"), ("aplay", "alsa-utils")):
            if shutil.which(program) is None:
                raise LackingError(f"{program} is missing; sudo apt install {package}")

    def tear_down(self) -> None:
        """Fall silent."""
        speaking, self._speaking = self._speaking, None
        if speaking is not None:
            speaking.stop()

    def work(self, now: float) -> float:
        """Go on speaking, or begin with what matters most; OSError if the device refuses."""
        if self._speaking is not None:
            overtaken = self._call is not None and self._calls.heavier(self._call.weight, now)
            if overtaken or now >= self._until:
                self.tear_down()
            elif not self._speaking.over():
                return LOOK
            else:
                self._speaking = None
        call = self._calls.take(now)
        if call is None:
            return float("inf")
        if self._config["voice.volume"] == 0 or self._quiet():
            return 0.0
        self._speaking = self._start(self._config, spelt(call.text, self._config["voice.say_as"]))
        self._call, self._until = call, now + LONGEST
        return LOOK


class Sentence:
    """A sentence being spoken by two programs, one making the sound and one playing it."""

    def __init__(self, config: Config, text: str) -> None:
        speaker = subprocess.Popen(
            [
                "espeak-ng",
                "-v",
                VOICES[language()],
                "-a",
                str(round(config["voice.volume"] * 2)),
                "-s",
                str(config["voice.speed"]),
                "--stdin",
                "--stdout",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._speaker = speaker
        self._player = subprocess.Popen(
            ["aplay", "-q", "-D", config["voice.device"]],
            stdin=speaker.stdout,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        # Only the player may hold the pipe, or the speaker never notices that it has gone.
        _close(speaker.stdout)
        # Through the standard input: a name may begin with a dash.
        with contextlib.suppress(BrokenPipeError):
            if speaker.stdin is not None:
                speaker.stdin.write(text.encode())
        with contextlib.suppress(BrokenPipeError):
            _close(speaker.stdin)

    def over(self) -> bool:
        """Whether it has been said; OSError if the sound device would not have it."""
        code = self._player.poll()
        if code is None:
            return False
        why = self._player.stderr.read().decode(errors="replace") if self._player.stderr else ""
        self.stop()
        if code:
            raise OSError(" ".join(why.split())[:200] or f"aplay ended with {code}")
        return True

    def stop(self) -> None:
        """Cut it off, and leave no process behind."""
        for process in (self._speaker, self._player):
            if process.poll() is None:
                process.kill()
            process.wait()
        _close(self._player.stderr)


class Buzzer:
    """Gives a sign for each call; ``make`` gives a buzzer of gpiozero for a pin."""

    name = "voice"

    def __init__(
        self,
        config: Config,
        make: Callable[[int], Any],
        quiet: Callable[[], bool] = lambda: False,
    ) -> None:
        self._pin, self._make, self._quiet = int(config["voice.buzzer"]), make, quiet
        self._mute = config["voice.volume"] == 0
        self._calls = Calls()
        self._buzzer: Any = None
        self._tones: list[tuple[str | None, float]] = []
        self._next = 0.0
        self.wake: Callable[[], None] = lambda: None

    def put(self, call: Call) -> None:
        """``call`` wants to be heard."""
        self._calls.put(call)
        self.wake()

    def set_up(self) -> None:
        """Take the pin."""
        self._buzzer = self._make(self._pin)

    def tear_down(self) -> None:
        """Fall silent, and give the pin back."""
        buzzer, self._buzzer, self._tones = self._buzzer, None, []
        if buzzer is not None:
            buzzer.close()

    def work(self, now: float) -> float:
        """Play the tone that is due."""
        if now < self._next:
            return self._next - now
        if not self._tones:
            self._buzzer.stop()
            call = self._calls.take(now)
            if call is None:
                return float("inf")
            if self._mute or self._quiet():
                return 0.0
            self._tones = list(SIGNS[call.weight])
        tone, seconds = self._tones.pop(0)
        if tone is None:
            self._buzzer.stop()
        else:
            self._buzzer.play(tone)
        self._next = now + seconds
        return seconds


def spelt(text: str, say_as: Mapping[str, str]) -> str:
    """``text`` with names spelt for the voice, where they stand as whole words."""
    for name, spelling in say_as.items():
        whole = rf"(?<!\w){re.escape(name)}(?!\w)"
        text = re.sub(whole, spelling.replace("\\", r"\\"), text)
    return text


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        pipe.close()
