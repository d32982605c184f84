"""The screen between two games: who has lost how much, and who wears the hat."""

from __future__ import annotations

from firmware.night.night import Night
from firmware.panel import Notice, Row, Scores, Screen
from firmware.words import say


def standings(night: Night | None) -> Screen:
    """The score of the night as it stands; without one, that a game is over."""
    if night is None or not night.counted:
        return Notice(say("panel.over"), say("device.scores_hint"))
    score = night.score
    rows = tuple(
        Row(name, score.letters_of(name) or str(score.losses.get(name, 0)), name == score.hat)
        for name in night.seats
    )
    return Scores(say("night.title", number=night.number), rows, say("device.scores_hint"))
