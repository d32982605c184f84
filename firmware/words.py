"""Every line that the device shows of its own accord, by language; code holds the keys.

What the referee speaks has its own catalogue in the engine.
"""

from __future__ import annotations

LANGUAGE = "en"

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "panel.turn_card": "Turn up a card",
        "panel.deals": "{name} deals",
        "panel.joker": "joker",
        "panel.burn": "Burn!",
        "panel.again": "{name} again",
        "panel.next": "{name} is next",
        "panel.takes": "takes the pile",
        "panel.or": "or",
        "panel.out_first": "is out, first!",
        "panel.out": "is out",
        "panel.over": "Game over",
        "panel.idiot": "is the idiot",
        "panel.winner": "{name} won",
        "panel.beat": "to beat",
        "panel.bound": "7 or lower",
        "panel.free": "plays anything",
        "panel.which": "Which card is it?",
        "panel.which_hint": "next: the other one",
        "panel.impossible": "Is it really that?",
        "panel.impossible_hint": "next: this  oops: as read",
        "panel.pickup?": "Did {name} pick up?",
        "panel.yes": "pickup: yes",
        "panel.no": "oops: no",
        "panel.refused_hint": "Take it back, or the pile",
        "panel.paused": "Paused",
        "panel.paused_hint": "Press next to go on",
        "call.plays": "{name}: {cards}",
        "call.picks": "{name} takes {count}",
        "call.taken_back": "taken back",
        "call.stands": "It stands",
    }
}


def say(key: str, **what: object) -> str:
    """The line ``key`` in the language of the device, its blanks filled in."""
    return WORDS[LANGUAGE][key].format(**what)
