"""Make-believe tables with all cards known: the truth to compare a referee with.

``dealer`` plays what a camera can tell apart, for the virtual table; ``open_table`` and
``players`` play every move of every house rule, and ``trial`` holds a referee against them.
None of them asks the referee or its modules what is allowed, so that a mistake of the one
is not a mistake of the other.
"""

from engine.simulate.dealer import (
    Act,
    ClearBurn,
    Count,
    Dealer,
    Lay,
    Start,
    TakeBack,
    TakePile,
    Truth,
)

__all__ = [
    "Act",
    "ClearBurn",
    "Count",
    "Dealer",
    "Lay",
    "Start",
    "TakeBack",
    "TakePile",
    "Truth",
]
