"""What the director tells and asks, to whom, and in which order."""

from __future__ import annotations

import pytest
import table_talk as talk

from engine.setup import classic
from firmware.director import Director
from firmware.tell import Called, Outputs, Shown

NOTES = {
    "taken back is said softly": ("land 7H; take 7H", ["note.taken_back"]),
    "pressed and nothing is cleared: reminds once": ("press pickup; wait 30", ["note.away"]),
    "burned and nothing is cleared: reminds once": ("land 10H; wait 30", ["note.away_burn"]),
    "pressed and cleared: no reminder": ("press pickup; clear; wait 30", []),
    "it stands": ("land 5D; hold oops", ["note.stands"]),
}


@pytest.mark.parametrize("name", NOTES)
def test_notes(name):
    script, notes = NOTES[name]
    assert talk.table().play(script).notes == notes


QUESTIONS = {
    "no question while the press may still come": ("clear; wait 1.5; press pickup; wait 5", []),
    "one question, once": ("clear; wait 30", ["picked_up"]),
    "no question after a burn": ("land 10H; clear; wait 30", []),
    "toggling is not asking again": ("unsure 6S 9S; press next; press next", ["which"]),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions(name):
    script, asked = QUESTIONS[name]
    assert talk.table().play(script).asked == asked


def test_settled_card_is_told_at_the_frame_where_it_came_to_rest():
    game = talk.table()
    game.play("unsure 6S 9S; wait 2; press next; wait 8")
    unsure, landed = game.observed[-2:]
    assert (landed.frame, landed.settles) == (unsure.frame, unsure.id)
    called = [told for told in game.ears.told if isinstance(told, Called)][-1]
    assert called.frame == unsure.frame


def test_every_event_is_recorded_before_it_is_told():
    order: list[str] = []

    class Ears:
        def hear(self, announcement):
            if isinstance(announcement, Called):
                order.append(f"told {announcement.number}")

    eyes = talk.FakeEyes()
    director = Director(
        classic("Ann", "Bob"), eyes, [Ears()], lambda number, event: order.append(f"kept {number}")
    )
    game = talk.TableTalk(classic("Ann", "Bob"))
    game.director, game.eyes = director, eyes
    game.play("land 6C; land 7H")
    assert order == ["kept 1", "told 1", "kept 2", "told 2"]


def test_an_output_that_fails_is_logged_once_and_tried_again_with_back_off(caplog):
    calls: list[float] = []

    class Broken:
        def hear(self, announcement):
            calls.append(announcement.t)
            raise OSError("unplugged")

    kept = talk.Ears()
    outputs = Outputs([Broken(), kept])
    for tenth in range(100):
        outputs.tell(Shown(tenth, tenth / 10, None))
    assert len(kept.told) == 100
    assert calls == [0.0, 1.0, 3.0, 7.0]
    assert [record.getMessage() for record in caplog.records] == [
        "Broken failed (unplugged) and will be tried again"
    ]


def test_an_output_that_works_again_hears_everything_again(caplog):
    class Flaky(talk.Ears):
        def hear(self, announcement):
            if announcement.t < 0.05:
                raise OSError("not yet")
            super().hear(announcement)

    flaky = Flaky()
    outputs = Outputs([flaky])
    for tenth in range(20):
        outputs.tell(Shown(tenth, tenth / 10, None))
    assert len(flaky.told) == 10


def test_the_same_messages_make_the_same_game():
    script = "land 7H; unsure 6S 9S; press next; wait 1; land QD; clear; wait 3; land 3C"
    assert talk.table().play(script).ears.told == talk.table().play(script).ears.told
