"""What an answer was expected to contain, held against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.errors import one_of, shown


def difference(
    expected: dict[str, Any], answer: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those keys of both that differ: objects key by key, everything else whole.

    A key that the answer does not have is among the expected ones alone; see ``missing``.
    """
    wanted: dict[str, Any] = {}
    got: dict[str, Any] = {}
    for key, value in expected.items():
        if key not in answer:
            wanted[key] = value
            continue
        have = answer[key]
        if isinstance(value, dict) and isinstance(have, dict):
            deeper, found = difference(value, have)
            if deeper:
                wanted[key], got[key] = deeper, found
        elif not _same(value, have):
            wanted[key], got[key] = value, have
    return wanted, got


def missing(wanted: dict[str, Any], got: dict[str, Any]) -> str:
    """What to add to the two that differ: the keys, if any, that the answer does not have."""
    names = [shown(name) for name in _absent(wanted, got)]
    return f"; the answer has no {one_of(names)}" if names else ""


def _absent(wanted: dict[str, Any], got: dict[str, Any]) -> Iterator[str]:
    for key, value in wanted.items():
        if key not in got:
            yield key
        elif isinstance(value, dict) and isinstance(got[key], dict):
            yield from (f"{key}.{name}" for name in _absent(value, got[key]))


def _same(one: object, other: object) -> bool:
    """Equality in JSON's sense, where ``true`` is not 1."""
    return json.dumps(one) == json.dumps(other)
