"""The words of a ruling: verdicts, reasons and what a player owes."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """Whether an event stands."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    IMPOSSIBLE = "impossible"


class Must(Enum):
    """What the player in turn owes."""

    PLAY = "play"
    PICKUP = "pickup"
    NONE = "none"


class Reason(Enum):
    """Why an event does not stand; the impossible ones contradict what is known."""

    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    MIXED_RANKS = "mixed_ranks"
    NOT_YOUR_TURN = "not_your_turn"
    HAND_FIRST = "hand_first"
    FINISH_FORBIDDEN = "finish_forbidden"
    CARD_ALREADY_GONE = "card_already_gone"
    HELD_BY_OTHER = "held_by_other"
    NOT_IN_DECK = "not_in_deck"
    TOO_MANY_CARDS = "too_many_cards"
    EMPTY_STOCK = "empty_stock"
    EMPTY_PILE = "empty_pile"
    MUST_PICK_UP = "must_pick_up"
    MUST_PLAY = "must_play"
    NOT_ALLOWED = "not_allowed"
    GAME_OVER = "game_over"
    NO_START_CARD = "no_start_card"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_OVERRULE = "nothing_to_overrule"
    NO_SUCH_EVENT = "no_such_event"

    @property
    def verdict(self) -> Verdict:
        """Impossible where the event contradicts what is known, else illegal."""
        return Verdict.IMPOSSIBLE if self in _IMPOSSIBLE else Verdict.ILLEGAL


_IMPOSSIBLE = (
    Reason.CARD_ALREADY_GONE,
    Reason.HELD_BY_OTHER,
    Reason.NOT_IN_DECK,
    Reason.TOO_MANY_CARDS,
)
