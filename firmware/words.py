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
        "panel.bound": "{rank} or lower",
        "panel.free": "plays anything",
        "panel.begins": "begins",
        "panel.which": "Which card is it?",
        "panel.which_hint": "next: the other one",
        "panel.impossible": "Is it really that?",
        "panel.impossible_hint": "next: this  oops: as read",
        "panel.picked_up": "Did {name} pick up?",
        "panel.yes": "pickup: yes",
        "panel.no": "oops: no",
        "panel.refused_hint": "Take it back, or the pile",
        "panel.last": "{name}: {cards}",
        "panel.last_pickup": "{name} takes {count}",
        "reason.too_low": "Too low",
        "reason.too_high": "Too high",
        "reason.mixed_ranks": "One rank at a time",
        "reason.not_your_turn": "Not your turn",
        "reason.hand_first": "Hand cards first",
        "reason.finish_forbidden": "Not as the last card",
        "reason.card_already_gone": "That card is gone",
        "reason.held_by_other": "Someone else has it",
        "reason.not_in_deck": "Not in this deck",
        "reason.too_many_cards": "More than you have",
        "reason.empty_pile": "No pile to take",
        "reason.must_pick_up": "Take the pile first",
        "reason.must_play": "A card is owed",
        "reason.not_allowed": "Not in these rules",
        "reason.game_over": "The game is over",
        "reason.no_start_card": "Turn up a card first",
        "reason.nothing_to_undo": "Nothing to undo",
        "reason.nothing_to_overrule": "Nothing to overrule",
        "reason.no_such_event": "No such play",
        "demo.title": "{rules} · table {seed}",
        "demo.camera": "what the camera sees",
        "demo.wrong": "Wrong:",
        "line.start": "{cards} is turned up",
        "line.play": "{name} lays {cards}",
        "line.fails": "{name} lays {cards}: it fails, the pile is owed",
        "line.burn": "Burn! {count} cards gone, {next} leads",
        "line.burn_last": "Burn! {count} cards gone",
        "line.turn": "{next} is next",
        "line.pickup": "{name} takes the pile of {count}",
        "line.refused": "{name}: {cards}. {reason}",
        "line.refused_pickup": "{name}: {reason}",
        "line.undo": "Undone: {next} again",
        "line.amend": "Corrected: {cards}",
        "line.overrule": "The table lets it stand",
        "line.out": "{name} is out",
        "line.over": "{name} is the idiot",
        "line.over_won": "{name} has won",
        "line.withdrawn": "{cards} taken back",
        "line.cleared": "the pile is gone",
        "note.taken_back": "taken back",
        "note.same_turn": "{name} again",
        "note.no_more": "There cannot be one more",
        "note.not_picked_up": "Not picked up: the pile still counts",
        "note.stands": "It stands",
        "note.away": "{name} took the pile: please lift it",
        "note.away_burn": "Burned: please lift the pile",
        "ask.which": "{first} or {second}?",
        "ask.picked_up": "Did {name} pick up?",
        "ask.impossible": "{second}: that cannot be. Is it {first}?",
    }
}


def say(key: str, **what: object) -> str:
    """The line ``key`` in the language of the device, its blanks filled in."""
    return WORDS[LANGUAGE][key].format(**what)
