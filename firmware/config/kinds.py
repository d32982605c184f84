"""What a setting may be: each kind turns what a file holds into the value, or says what it takes.

A check returns the value as the program uses it. It raises ``ValueError`` with the words that
follow "takes", as ``a whole number from 0 to 100``, and perhaps a hint; or a ``PilewatchError``,
which says all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.errors import PilewatchError, nearest, one_of, shown
from engine.rules import preset
from firmware.decks import check_deck_name
from firmware.night.names import check_differ, clean_name
from firmware.sources import check_source

Check = Callable[[object], object]

#: The pins that the 40-pin header carries, by their BCM numbers. 0 and 1 belong to add-on boards.
PINS = range(2, 28)
#: Seats that can have a lamp of their own.
MOST_SEATS = 6

_HOURS = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")


def choice(*choices: str, **before: str) -> Check:
    """One of these words; ``before`` are words that meant one of them in older versions."""

    def check(value: object) -> object:
        if value in choices:
            return value
        if isinstance(value, str) and value in before:
            return before[value]
        raise ValueError(one_of(choices), nearest(value, choices) if isinstance(value, str) else "")

    return check


def number(least: float, most: float) -> Check:
    """A number from ``least`` to ``most``, both included."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"a number from {least:g} to {most:g}")
        if not least <= value <= most:  # nor is what is no number, nan, between anything
            raise ValueError(f"a number from {least:g} to {most:g}")
        return float(value)

    return check


def whole(least: int, most: int) -> Check:
    """A whole number from ``least`` to ``most``, both included."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return check


def either(*numbers: int) -> Check:
    """One of these whole numbers, and none between."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or value not in numbers:
            raise ValueError(one_of([str(each) for each in numbers]))
        return value

    return check


def each_of(values: list[object], check: Check) -> tuple[object, ...]:
    """What each of a list is; PilewatchError tells which of them cannot be, and not the list."""
    found = []
    for value in values:
        try:
            found.append(check(value))
        except PilewatchError:
            raise
        except ValueError as wrong:
            raise PilewatchError(f"in the list stands {shown(value)}; expected {wrong}") from None
    return tuple(found)


def flag(value: object) -> object:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def text(value: object) -> object:
    """A line of text, which may be empty."""
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        raise ValueError("a text of one line")
    return value


def pin(value: object) -> object:
    """A GPIO pin by its BCM number, or 0 where nothing is connected."""
    if value == 0 and not isinstance(value, bool):
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value not in PINS:
        raise ValueError(f"a GPIO number from {PINS[0]} to {PINS[-1]}, or 0 for none")
    return value


def pins(value: object) -> object:
    """A list of GPIO pins, one a seat."""
    if not isinstance(value, list) or len(value) > MOST_SEATS:
        raise ValueError(f"a list of up to {MOST_SEATS} GPIO numbers")
    return each_of(value, pin)


def command(value: object) -> object:
    """A program and its words as a list of texts, or an empty one."""
    if not isinstance(value, list) or len(value) > 60:
        raise ValueError("a list of up to 60 texts")
    program = each_of(value, text)
    if program and not str(program[0]).strip():
        raise ValueError("a list of texts, the first of which names a program, or []")
    return program


def line(value: object) -> str:
    """A text as ``text`` takes it."""
    return str(text(value))


def rules(value: object) -> object:
    """The name of a rule set, or a file of rules that may be there."""
    wanted = line(value)
    return wanted if wanted.endswith(".toml") else preset(wanted).name


def deck(value: object) -> object:
    """What can be the name of a deck, or nothing."""
    wanted = line(value)
    if wanted:
        check_deck_name(wanted)
    return wanted


def source(value: object) -> object:
    """What can be a source of frames."""
    spec = line(value)
    check_source(spec)
    return spec


def name(value: object) -> object:
    """The name of a person."""
    if not isinstance(value, str):
        raise ValueError("a name")
    return clean_name(value)


def names(value: object) -> object:
    """A list of names that people at one table can have."""
    if not isinstance(value, list):
        raise ValueError("a list of names")
    people = tuple(map(str, each_of(value, name)))
    check_differ(people)
    return people


def table(value: object) -> object:
    """Texts by names of people."""
    if not isinstance(value, dict):
        raise ValueError('a table such as { "Gülşən" = "Gyulshan" }')
    return {clean_name(key): line(each) for key, each in value.items()}


def hours(value: object) -> object:
    """A time of the day such as ``22:00-07:30``, or nothing."""
    if value == "":
        return value
    if not isinstance(value, str) or not _HOURS.fullmatch(value):
        raise ValueError('hours such as "22:00-07:30", or ""')
    begin, end = value.split("-")
    if begin == end:  # never, or all day long?
        raise ValueError('hours that end at another time than they begin, or ""')
    return value


FREE = (text, command, table, rules, deck, source, names)
"""Kinds of which somebody writes what he likes."""
