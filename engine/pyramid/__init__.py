"""The pyramid patience as pure functions over frozen values: rules, referee and exact solver."""

from engine.pyramid.deal import Deal
from engine.pyramid.events import (
    Event,
    Flip,
    King,
    Match,
    Move,
    Reset,
    Undo,
    event_line,
    from_json,
    to_json,
)
from engine.pyramid.game import Patience, Ruling
from engine.pyramid.position import Position
from engine.pyramid.referee import Reason, moved
from engine.pyramid.rules import NAME, PyramidRules, parse_rules
from engine.pyramid.solver import NODE_LIMIT, Answer, solve, winning_line

__all__ = [
    "NAME",
    "NODE_LIMIT",
    "Answer",
    "Deal",
    "Event",
    "Flip",
    "King",
    "Match",
    "Move",
    "Patience",
    "Position",
    "PyramidRules",
    "Reason",
    "Reset",
    "Ruling",
    "Undo",
    "event_line",
    "from_json",
    "moved",
    "parse_rules",
    "solve",
    "to_json",
    "winning_line",
]
