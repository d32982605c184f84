"""Every sentence that is spoken, side by side in all languages, for those who speak them.

``python tests/firmware/spoken_sheet.py`` renews docs/sentences.md; ``--speak DIR`` has espeak-ng
say each into a file of its own, and tells how long each language takes.
"""

from __future__ import annotations

import subprocess
import sys
import wave
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]

from engine.say import capital, filled, languages
from engine.say import words as spoken_words
from firmware import words
from firmware.device.calls import AUDIBLE
from firmware.device.voice import LONGEST, VOICES
from firmware.words import say

SHEET = Path(__file__).parents[2] / "docs" / "sentences.md"
NAMES = {"en": "English", "nb": "Norsk", "az": "Azərbaycanca", "es": "Español"}
SECTIONS = {
    "lines": "Rulings",
    "notes": "Beside a ruling",
    "refusals": "What does not stand",
    "pyramid": "Pyramid",
    "pyramid_refusals": "Pyramid: what does not stand",
}
QUESTIONS = ("mismatch", "mismatch_empty", "which", "picked_up", "impossible")
HEAD = """# What is said, in four languages

Made by `python tests/firmware/spoken_sheet.py` from `engine/words` and `firmware/words`, with two
sevens for cards, a king on top, Åse as the player and Bob as the next. If something is not as you
would say it at the table, the words are free: the keys stay.
"""


def sentences(language: str) -> dict[str, dict[str, str]]:
    """What is spoken in ``language``, by section and key."""
    catalogue = spoken_words(language)
    parts = {
        "player": "Åse",
        "next": "Bob",
        "loser": "Bob",
        "cards": f"{catalogue['numbers']['2']} {catalogue['many']['7']}",
        "card": catalogue["one"]["5"],
        "top": catalogue["a"]["K"],
        "place": catalogue["places"]["1"],
        "moves": "24",
    }
    out = {
        section: {key: filled(catalogue, section, key, parts) for key in catalogue[section]}
        for section in SECTIONS
    }
    before = words.language()
    words.choose(language)
    blanks = {"count": 14, "card": catalogue["one"]["5"], "name": "Åse", "why": "disk full"}
    blanks |= {"number": "2"}
    both = {"first": catalogue["one"]["5"], "second": catalogue["one"]["8"]}
    out["ask"] = {key: say(f"ask.{key}", **blanks, **both) for key in QUESTIONS}
    out["note"] = {key.removeprefix("note."): say(key, **blanks) for key in sorted(AUDIBLE)}
    out["note"]["blind"] = f"{say('device.blind')}. {say('device.blind_text')}"
    out["note"]["sees"] = say("device.sees")
    for section in ("ask", "note"):
        out[section] = {key: capital(line, catalogue) for key, line in out[section].items()}
    words.choose(before)
    return out


def sheet() -> str:
    """The whole page."""
    told = {language: sentences(language) for language in NAMES}
    text = HEAD
    for section, title in {**SECTIONS, "ask": "Questions", "note": "Remarks"}.items():
        text += f"\n## {title}\n\n| key | {' | '.join(NAMES.values())} |\n"
        text += "|---" * (len(NAMES) + 1) + "|\n"
        for key in told["en"][section]:
            lines = " | ".join(told[language][section][key] for language in NAMES)
            text += f"| {key} | {lines} |\n"
    return text


def speak(folder: Path) -> None:
    """Say every sentence into a file; the lengths are told."""
    for language in languages():
        lengths = {}
        for section, lines in sentences(language).items():
            for key, line in lines.items():
                file = folder / f"{language}-{section}-{key}.wav"
                command = ["espeak-ng", "-v", VOICES[language], "-w", str(file), "--stdin"]
                subprocess.run(command, input=line.encode(), check=True)
                with wave.open(str(file)) as sound:
                    lengths[f"{section}.{key}"] = sound.getnframes() / sound.getframerate()
        longest = max(lengths, key=lambda key: lengths[key])
        middle = sorted(lengths.values())[len(lengths) // 2]
        sys.stdout.write(
            f"{NAMES[language]}: {len(lengths)} sentences, median {middle:.1f} s,"
            f" shortest {min(lengths.values()):.1f} s, longest {lengths[longest]:.1f} s ({longest})"
            "\n"
        )
        assert lengths[longest] < LONGEST, longest


if __name__ == "__main__":
    if sys.argv[1:2] == ["--speak"]:
        speak(Path(sys.argv[2]))
    else:
        SHEET.write_text(sheet(), encoding="utf-8")
