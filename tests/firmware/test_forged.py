"""A night's file that was altered and given new checksums is refused, or is a night that can be."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import evenings
import pytest

from engine.errors import PilewatchError
from firmware.cli import main
from firmware.journal import Entry, NightFile, packed, to_bytes
from firmware.journal.nightfile import from_bytes
from firmware.night.acts import Opened
from firmware.night.book import open_book
from firmware.night.page import page
from firmware.night.statistics import statistics_of

Body = dict[str, Any]


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> NightFile:
    """An evening of two games."""
    with open_book(tmp_path_factory.mktemp("there")) as book:
        for first, *rest in evenings.evening(5, games=2):
            book.open_night(first=rest) if isinstance(first, Opened) else book.write(first, *rest)
        return book.journal.night_file(1)


def forged(night: NightFile, seq: int, kind: str, body: Body) -> NightFile:
    """The night with another entry in the place of ``seq``; its checksums are made anew."""
    entries = list(night.entries)
    entries[seq - 1] = replace(entries[seq - 1], kind=kind, body=packed(body))
    return replace(night, entries=tuple(entries))


def first(night: NightFile, kind: str) -> Entry:
    return next(entry for entry in night.entries if entry.kind == kind)


def altered(kind: str, **more: object) -> Callable[[NightFile], NightFile]:
    """Alters the first entry of a kind."""

    def alter(night: NightFile) -> NightFile:
        entry = first(night, kind)
        return forged(night, entry.seq, kind, entry.data | more)

    return alter


def first_play(body: Body) -> Callable[[NightFile], NightFile]:
    return lambda night: forged(night, first(night, "play").seq, "play", body)


FORGED = {
    "a stranger's play": (first_play({"play": ["7H"], "by": "Zed"}), "no player 'Zed' sits here"),
    "a stranger leaves": (first_play({"fix": "leave", "player": "Zed"}), "'Zed' sits here"),
    "a pile of cards that are not in the game": (
        first_play({"fix": "pile", "cards": ["7H", "7H"]}),
        "7H cannot lie there",
    ),
    "a hand too large": (
        first_play({"fix": "hand", "player": evenings.PEOPLE[0], "hand": 400}),
        "cannot have",
    ),
    "another loser than the plays come to": (
        altered("end", out=[evenings.PEOPLE[0]], loser=evenings.PEOPLE[1]),
        "not what its plays come to",
    ),
    "more plays than there were": (altered("end", plays=9999), "not 9999"),
    "an end of another kind": (altered("end", out=7), "out takes a list of names"),
    "rules from a file": (altered("begin", rules="/tmp/mine.toml"), "rules takes castle"),
    "rules that are none": (altered("begin", options={"jokers": 10**6}), "jokers"),
    "a name that is none": (altered("join", player="\x1b[2J"), "is no name"),
    "a name that is half a letter": (altered("join", player="\ud83e"), "is no name|can be kept"),
    "a seat below the first": (altered("join", seat=-1), "seat takes a number"),
    "a word that is no text": (altered("open", word=["IDIOT"]), "word takes a text"),
    "points beyond measure": (altered("open", points=[10**9]), "points take numbers"),
    "opened twice": (lambda night: forged(night, 3, "open", {}), "opened once"),
    "never opened": (lambda night: forged(night, 1, "close", {}), "opened once"),
    "a kind that is none": (lambda night: forged(night, 3, "sing", {}), "knows no 'sing'"),
    "a number beyond all nights": (lambda night: replace(night, number=1 << 39), "number up to"),
    "a time that is none": (
        lambda night: replace(
            night, entries=(replace(night.entries[0], at="\x1b[31m"), *night.entries[1:])
        ),
        "expected a time",
    ),
}


def written(night: NightFile) -> bytes:
    """The file of a night with checksums that are right, whatever is in it."""
    lines = [
        json.dumps(
            {"seq": entry.seq, "kind": entry.kind, "at": entry.at, "body": entry.data}
            | {"sum": entry.checksum(night.mark).hex()}
        )
        for entry in night.entries
    ]
    body = "".join(f"{line}\n" for line in lines).encode()
    header = json.loads(to_bytes(replace(night, entries=())).splitlines()[0])
    seal = hashlib.blake2b(f"{night.mark} {night.number}\n".encode() + body, digest_size=16)
    header |= {"entries": len(lines), "digest": seal.hexdigest()}
    return json.dumps(header).encode() + b"\n" + body


def test_a_night_that_is_true_is_taken_in(sound, tmp_path):
    assert from_bytes(written(sound), "night") == sound
    with open_book(tmp_path) as book:
        assert book.take_in(sound, "night") == (1, len(sound.entries))


@pytest.mark.parametrize(("forge", "why"), FORGED.values(), ids=FORGED)
def test_a_forged_night_is_refused_in_a_sentence(sound, tmp_path, capsys, forge, why):
    (tmp_path / "night").write_bytes(written(forge(sound)))
    code = main(["night", "import", str(tmp_path / "night"), "--journal", str(tmp_path / "here")])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(why, err), err
    with open_book(tmp_path / "here") as book:
        assert (book.nights(), book.journal.notes) == ([], [])


STRANGE = (None, True, -1, 0, 7, 10**40, 1.5, "", "Zed", "7H", "x" * 500, "\ud83e", "\x1b[2J", [])
NESTED = (["7H"] * 60, [[]], {}, {"play": ["7H"]}, [None, 1], {"fix": "leave"}, "mine.toml")


def mutated(night: NightFile, chance: random.Random) -> NightFile:
    """The night with something else in one place or two."""
    for _ in range(chance.randint(1, 2)):
        entry = chance.choice(night.entries)
        body, strange = entry.data, chance.choice(STRANGE + NESTED)
        key = chance.choice([*body, "by", "player", "fix", "play", "undo", "amend", "number"])
        kinds = sorted({each.kind for each in night.entries})
        kind = chance.choice(kinds) if chance.random() < 0.2 else entry.kind
        night = forged(night, entry.seq, kind, body | {key: strange})
    if chance.random() < 0.1:
        entries = [*night.entries]
        seq = chance.randrange(1, len(entries))
        del entries[seq]
        shifted = (replace(entry, seq=number) for number, entry in enumerate(entries, 1))
        night = replace(night, entries=tuple(shifted))
    return night


def outcome(data: bytes, folder: Path) -> str:
    """What becomes of such a file; whatever is taken in can be shown."""
    with open_book(folder) as book:
        try:
            number, _ = book.take_in(from_bytes(data, "night"), "night")
        except PilewatchError as wrong:
            assert str(wrong).startswith("night: ")
            assert str(wrong).isprintable()
            assert (book.nights(), book.journal.notes) == ([], [])
            return "refused"
        night = book.read(number)
        page(night, statistics_of(night)).encode()
        listed = book.nights()[0]
        assert [each.plays for each in listed.counted] == [each.plays for each in night.counted]
        assert book.journal.notes == []
    return "taken in"


def test_whatever_stands_in_a_forged_night_it_is_refused_or_can_be_shown(sound, tmp_path):
    chance = random.Random(1)
    many = [outcome(written(mutated(sound, chance)), tmp_path / str(i)) for i in range(40)]
    assert "refused" in many
