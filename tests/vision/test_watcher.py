"""From looks to observations: landings, questions, cards taken back, a pile that goes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Card, Rank, parse_card
from tests.vision.made_up import SIZE, lone, reading, sighting
from vision.assemble import Sighting
from vision.evidence import CROP_PX, Decision, Evidence
from vision.frame import Frame
from vision.lying import Stillness
from vision.observation import Cleared, Landed, Observation, Unsure, Withdrawn
from vision.reader import RANKS, SUITS, Reading
from vision.watcher import Watcher

CARD_W, CARD_H = int(5.2 * SIZE), int(7.4 * SIZE)


class Table:
    """Draws a grey block for each card, so that settling sees them, and gives its sightings."""

    def __init__(self) -> None:
        self.cards: list[Sighting] = []
        self.shown: list[Sighting] | None = None
        self.found: list[Reading] = []
        self.watcher = Watcher(self)
        self.frames = 0
        self.looks = 0

    def readings(self, image: np.ndarray) -> list[Reading]:
        self.looks += 1
        return self.found

    def cards_of(self, looks: object, image: np.ndarray) -> list[Sighting]:
        return list(self.cards if self.shown is None else self.shown)

    def picture(self, hand: bool = False) -> np.ndarray:
        image = np.full((720, 1280, 3), 60, np.uint8)
        for i, card in enumerate(self.cards):
            x, y = (int(v) for v in card.centre)
            image[y - CARD_H // 2 : y + CARD_H // 2, x - CARD_W // 2 : x + CARD_W // 2] = (
                150 + 17 * (i % 5)
            )
        if hand:
            image[200:720, 500 + 40 * (self.frames % 7) : 800 + 40 * (self.frames % 7)] = (
                90,
                120,
                200,
            )
        return image

    def run(self, seconds: float, hand: bool = False) -> list[Observation]:
        out: list[Observation] = []
        for _ in range(round(seconds * 10)):
            frame = Frame(self.frames, self.frames / 10, self.picture(hand))
            out += self.watcher.step(frame)
            self.frames += 1
        return out

    def lay(self, *cards: Sighting) -> list[Observation]:
        self.run(0.3, hand=True)
        self.cards += cards
        return self.run(1.5)


@pytest.fixture
def table() -> Table:
    table = Table()
    assert table.run(1.0) == []
    return table


def landed(*codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes)


def test_a_card_that_comes_to_rest_has_landed(table: Table) -> None:
    (seen,) = table.lay(sighting("7H", 640, 360))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("7H")
    assert seen.p[0] > 0.9


def test_a_sure_card_is_looked_at_twice_and_no_more(table: Table) -> None:
    table.run(0.5)
    before = table.looks
    assert table.lay(sighting("7H", 640, 360))
    assert table.looks == before + 2


def test_landing_is_told_once(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    assert table.run(5.0) == []


def test_cards_laid_together_land_together_the_open_one_last(table: Table) -> None:
    (seen,) = table.lay(sighting("7H", 680, 360, opened=0.95), sighting("7S", 640, 360, opened=0.1))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("7S", "7H")


@pytest.mark.parametrize(("p_suit", "told"), [(0.99, "7H"), (0.9, "7?")])
def test_a_card_whose_suit_is_not_sure_is_called_by_its_rank(
    table: Table, p_suit: float, told: str
) -> None:
    (seen,) = table.lay(sighting("7H", 640, 360, p_suit=p_suit))
    assert isinstance(seen, Landed)
    assert seen.cards == landed(told) and seen.p[0] > 0.95
    assert [str(lying.card) for lying in table.watcher.pile.cards] == ["7H"]


def test_a_card_over_another_lands_alone(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    table.shown = [sighting("9C", 645, 365)]
    (seen,) = table.lay(sighting("9C", 645, 365))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("9C")


def test_a_hand_that_passes_changes_nothing(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    assert table.run(0.6, hand=True) == []
    assert table.run(1.5) == []


def test_a_nudged_pile_has_not_landed_again(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    table.run(0.3, hand=True)
    table.cards = [sighting("7H", 690, 330, angle=0.3)]
    assert table.run(1.5) == []


def test_a_card_taken_back_is_withdrawn(table: Table) -> None:
    table.lay(sighting("7H", 500, 360))
    table.lay(sighting("5D", 560, 400))
    table.run(0.3, hand=True)
    table.cards.pop()
    (seen,) = table.run(1.5)
    assert isinstance(seen, Withdrawn)
    assert seen.cards == landed("5D")


def test_a_card_under_a_find_that_nobody_can_read_was_not_taken_back(table: Table) -> None:
    table.lay(sighting("7H", 500, 360))
    table.lay(sighting("5D", 560, 400))
    table.run(0.3, hand=True)
    table.cards.pop()
    table.found = [reading("KS", 575, 410, p=0.05)]
    table.found[0].ranks[-1] = 0.95
    seven = table.cards[0].readings[0].spot
    still = Stillness(lambda spot: float(spot == seven), known=True)
    table.watcher._stillness = lambda image, sightings: still  # type: ignore[method-assign]
    assert table.run(1.5) == []


def test_an_empty_table_after_a_pile_is_cleared(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    table.run(0.3, hand=True)
    table.cards.clear()
    (seen,) = table.run(1.5)
    assert isinstance(seen, Cleared)


def test_a_hand_resting_on_the_pile_is_not_a_cleared_pile(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    table.run(0.3, hand=True)
    hidden = table.picture(hand=True)
    table.shown = []
    seen: list[Observation] = []
    for _ in range(12):
        seen += table.watcher.step(Frame(table.frames, table.frames / 10, hidden))
        table.frames += 1
    assert seen == []
    table.shown = None
    assert table.run(1.5) == []


def test_a_new_card_elsewhere_with_the_old_pile_gone_is_cleared_and_landed(table: Table) -> None:
    table.lay(sighting("7H", 400, 360))
    table.run(0.3, hand=True)
    table.cards.clear()
    first, second = table.lay(sighting("3C", 900, 360))
    assert isinstance(first, Cleared)
    assert isinstance(second, Landed)
    assert second.cards == landed("3C")


def test_a_doubtful_card_is_asked_about_after_looking_again(table: Table) -> None:
    (asked,) = table.lay(sighting("6S", 640, 360, p=0.6, or_else="9S"))
    assert isinstance(asked, Unsure)
    assert asked.candidates == landed("6S", "9S")
    (settled,) = table.watcher.settle(asked.id, parse_card("9S"))
    assert isinstance(settled, Landed)
    assert settled.cards == landed("9S")
    assert settled.settles == asked.id
    assert settled.frame == asked.frame


def test_an_answer_teaches_which_card_was_seen() -> None:
    told: list[tuple[Rank, Card]] = []
    table = Table()
    table.watcher = Watcher(
        table, taught=lambda s, card: told.append((RANKS[int(s.ranks.argmax())], card))
    )
    table.run(1.0)
    (asked,) = table.lay(sighting("6S", 640, 360, p=0.6, or_else="9S"))
    assert isinstance(asked, Unsure) and told == []
    table.watcher.settle(asked.id, parse_card("9S"))
    assert told == [(Rank.SIX, parse_card("9S"))]


def test_a_decision_keeps_its_crop_and_both_readings(table: Table) -> None:
    table.lay(sighting("7H", 640, 360))
    (asked,) = table.lay(sighting("6S", 700, 330, p=0.6, or_else="9S"))
    assert isinstance(asked, Unsure)
    first, second = table.watcher.evidence.decisions
    assert (first.candidates, first.asked) == (landed("7H"), False)
    assert [str(card) for card, _ in first.readings] == ["7H", "7H"]
    assert (second.candidates, second.asked) == (landed("6S", "9S"), True)
    assert second.crop is asked.crop
    assert second.crop.ndim == 3 and max(second.crop.shape[:2]) <= CROP_PX
    assert table.watcher.evidence.of_frame(asked.frame) == (second,)


def test_evidence_is_bounded() -> None:
    evidence = Evidence(kept=3)
    for frame in range(9):
        evidence.keep(Decision(frame, 0.0, (), (), False, (), np.zeros((1, 1, 3), np.uint8)))
    assert [d.frame for d in evidence.decisions] == [6, 7, 8]


def test_a_question_is_answered_once(table: Table) -> None:
    (asked,) = table.lay(sighting("6S", 640, 360, p=0.6, or_else="9S"))
    assert isinstance(asked, Unsure)
    table.watcher.settle(asked.id, parse_card("9S"))
    assert table.watcher.settle(asked.id, parse_card("6S")) == []


def test_a_doubtful_card_beside_a_sure_one_is_taken_for_its_equal(table: Table) -> None:
    (seen,) = table.lay(
        sighting("6H", 600, 360, opened=0.2), sighting("6S", 640, 360, p=0.6, or_else="9S")
    )
    assert isinstance(seen, Landed)
    assert [str(c) for c in seen.cards] == ["6H", "6S"]


def test_a_card_that_cannot_land_is_read_as_one_that_can(table: Table) -> None:
    table.watcher.prior = lambda card: 0.0 if str(card) == "6S" else 1.0
    (seen,) = table.lay(sighting("6S", 640, 360, p=0.9, or_else="9S"))
    assert isinstance(seen, Landed)
    assert [str(c) for c in seen.cards] == ["9S"]


def test_forgetting_keeps_what_landed_last(table: Table) -> None:
    table.lay(sighting("7H", 500, 360))
    table.lay(sighting("9C", 560, 400))
    table.watcher.forget()
    assert [str(c.card) for c in table.watcher.pile.cards] == ["9C"]


def test_one_card_seen_as_two_lands_once(table: Table) -> None:
    (seen,) = table.lay(sighting("7H", 640, 360), sighting("7H", 700, 400, p=0.99))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("7H")


def test_with_two_decks_the_same_card_lands_twice(table: Table) -> None:
    table.watcher = Watcher(table, copies=2)
    table.run(1.0)
    (seen,) = table.lay(sighting("7H", 500, 360), sighting("7H", 800, 400))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("7H", "7H")


def test_a_corner_hardly_found_is_not_believed_beside_a_sure_card(table: Table) -> None:
    table.lay(sighting("2C", 300, 300))
    (seen,) = table.lay(sighting("AH", 700, 360), lone("4D", 560, 500, score=0.4))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("AH")


def test_a_whole_index_of_doubtful_rank_is_asked_about_beside_a_sure_card(table: Table) -> None:
    table.lay(sighting("2C", 300, 300))
    unclear = lone("KC", 560, 500, score=0.9)
    ranks = np.full(14, 0.01)
    ranks[RANKS.index(Rank.KING)], ranks[RANKS.index(Rank.NINE)] = 0.5, 0.38
    seen = table.lay(sighting("AH", 760, 360), replace(unclear, ranks=ranks, p_index=0.999))
    assert [o.cards for o in seen if isinstance(o, Landed)] == [landed("AH")]
    (asked,) = [o for o in seen if isinstance(o, Unsure)]
    assert asked.candidates[0].rank is Rank.KING


def unsure_of_its_sign(code: str, other: str, x: float, y: float) -> Sighting:
    """A lone index whose sign reads as that of ``code``, or nearly as well as that of ``other``."""
    suits = np.full(4, 0.01)
    for each, p in ((code, 0.6), (other, 0.37)):
        suit = parse_card(each).suit
        assert suit is not None
        suits[SUITS.index(suit)] = p
    return replace(lone(code, x, y, score=0.9), suits=suits)


def test_each_card_of_a_fan_lands_though_two_signs_read_alike(table: Table) -> None:
    corner = sighting("7C", 640, 360).readings[0].spot
    beside = unsure_of_its_sign("7C", "7S", corner.x - SIZE + 2.1 * SIZE, corner.y + 3.2 * SIZE)
    (seen,) = table.lay(sighting("7C", 640, 360), beside)
    assert isinstance(seen, Landed)
    assert sorted(str(card) for card in seen.cards) == ["7?", "7C"]


@pytest.mark.parametrize(("p_suit", "cards"), [(0.98, ["7C"]), (0.6, ["7?", "7C"])])
def test_a_corner_that_surely_has_the_sign_of_a_card_is_no_other_of_its_rank(
    table: Table, p_suit: float, cards: list[str]
) -> None:
    """It lies beyond the card's other corners, where the finder put it."""
    stray = lone("7C", 640 + 9 * SIZE, 360, score=0.9)
    signs = reading("7C", p_suit=p_suit).suits
    read = replace(stray.readings[0], suits=signs)
    (seen,) = table.lay(
        sighting("7C", 640, 360), replace(stray, suits=signs.astype(float), readings=(read,))
    )
    assert isinstance(seen, Landed)
    assert sorted(str(card) for card in seen.cards) == cards


def test_an_index_seen_twice_and_hardly_read_is_no_card_of_a_set(table: Table) -> None:
    corner = sighting("4C", 640, 360).readings[0].spot
    twice = lone("4D", corner.x + 2.1 * SIZE, corner.y + 0.6 * SIZE + 3.2 * SIZE, score=0.5, p=0.9)
    signs = np.array([0.25, 0.7, 0.03, 0.02])
    poor = replace(twice.readings[0], ranks=reading("4D", p=0.6).ranks, suits=signs)
    twice = replace(twice, suits=signs)
    (seen,) = table.lay(sighting("4C", 640, 360), replace(twice, readings=(poor,)))
    assert isinstance(seen, Landed)
    assert seen.cards == landed("4C")


def test_what_one_look_showed_and_the_next_missed_is_looked_for_once_more(table: Table) -> None:
    fan = [sighting("7C", 640, 360), sighting("7D", 690, 360)]
    shows = iter([fan, fan[:1], fan])
    table.run(0.3, hand=True)
    table.cards += fan
    table.cards_of = lambda looks, image: next(shows)  # type: ignore[method-assign]
    (seen,) = table.run(1.5)
    assert isinstance(seen, Landed)
    assert sorted(map(str, seen.cards)) == ["7C", "7D"]
