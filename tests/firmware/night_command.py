"""``pilewatch night`` as these tests call it; its fixtures are in ``conftest.py``."""

from __future__ import annotations


def done(told: tuple[int, str, str]) -> str:
    """The output of a command that ended well and complained of nothing."""
    code, out, err = told
    assert (code, err) == (0, "")
    return out
