"""The panel: a screen is a frozen value, its picture a pure function of it.

>>> picture = draw(Turn("Ann", parse_card("10H"), count=2))
"""

from firmware.panel.draw import SIZE, draw
from firmware.panel.screens import (
    Address,
    Burned,
    Choose,
    Lines,
    Notice,
    Out,
    Over,
    Pattern,
    Refused,
    Row,
    Scores,
    Screen,
    Splash,
    TakesPile,
    Turn,
    TurnCard,
    Which,
    YesNo,
)

__all__ = [
    "SIZE",
    "Address",
    "Burned",
    "Choose",
    "Lines",
    "Notice",
    "Out",
    "Over",
    "Pattern",
    "Refused",
    "Row",
    "Scores",
    "Screen",
    "Splash",
    "TakesPile",
    "Turn",
    "TurnCard",
    "Which",
    "YesNo",
    "draw",
]
