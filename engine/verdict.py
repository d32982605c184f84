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
    TOO_FEW_CARDS = "too_few_cards"
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
    def impossible(self) -> bool:
        """Whether an event with this reason contradicts what is known."""
        return self in _IMPOSSIBLE

    @property
    def verdict(self) -> Verdict:
        """Impossible where the event contradicts what is known, else illegal."""
        return Verdict.IMPOSSIBLE if self.impossible else Verdict.ILLEGAL


_IMPOSSIBLE = (
    Reason.CARD_ALREADY_GONE,
    Reason.HELD_BY_OTHER,
    Reason.NOT_IN_DECK,
    Reason.TOO_MANY_CARDS,
)


class Note(Enum):
    """What else is worth saying of an event."""

    COULD_PLAY = "could_play"
    """The pile was taken although a face-up card was known to fit (classic, reading 2)."""
    NO_CHANCE = "no_chance"
    """The pile was taken although a card of the stock comes first (idiota, reading 4)."""
    CUT_IN = "cut_in"
    """It was laid out of turn."""
    TURNED_ROUND = "turned_round"
    """The direction of play turned."""
    NO_LAST_CARD = "no_last_card"
    """The player holds one card, which may not be the last (norsk, reading 11)."""
    TURN_ANOTHER = "turn_another"
    """The turned card is a special one, and another is turned."""
    NOT_NOW = "not_now"
    """Refused although the rules have such a move: it is not the time for it."""
