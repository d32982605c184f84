"""What an answer was expected to contain, held against it."""

from __future__ import annotations

import json
from typing import Any


def difference(
    expected: dict[str, Any], answer: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those keys of both that differ: objects key by key, everything else whole."""
    wanted: dict[str, Any] = {}
    got: dict[str, Any] = {}
    for key, value in expected.items():
        have = answer.get(key)
        if isinstance(value, dict) and isinstance(have, dict):
            deeper, found = difference(value, have)
            if deeper:
                wanted[key], got[key] = deeper, found
        elif key not in answer or not _same(value, have):
            wanted[key], got[key] = value, have
    return wanted, got


def _same(one: object, other: object) -> bool:
    """Equality in JSON's sense, where ``true`` is not 1."""
    return json.dumps(one) == json.dumps(other)
