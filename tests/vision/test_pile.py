"""What the pile's memory makes of a look, given what the pictures say of places that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.cards import parse_card
from tests.vision.made_up import SIZE, reading, sighting
from vision.assemble import Sighting, assemble
from vision.lying import UNKNOWN, Stillness, covers
from vision.pile import PileMemory
from vision.push import Push
from vision.spot import Spot, same_index


def remembered(*codes_and_places: tuple[str, float, float, float]) -> PileMemory:
    """Cards that landed one after another, all in view."""
    pile = PileMemory()
    for code, x, y, angle in codes_and_places:
        pile.land([(parse_card(code), sighting(code, x, y, angle))])
    return pile


def kept_but_at(*changed: tuple[float, float, float]) -> Callable[[Spot], float]:
    """All places are as before but those near x, y, of which only so much is."""

    def kept(spot: Spot) -> float:
        near = [k for x, y, k in changed if abs(spot.x - x) + abs(spot.y - y) < SIZE]
        return min(near, default=1.0)

    return kept


def corners(code: str, x: float, y: float, angle: float = 0.0) -> Sequence[tuple[float, float]]:
    """Where the card's indices are."""
    return [(r.spot.x, r.spot.y) for r in sighting(code, x, y, angle).readings]


def one_index(
    code: str, x: float, y: float, angle: float = 0.0, score: float = 0.6, opened: float = 0.9
) -> Sighting:
    """A card of which one index is seen."""
    alone = reading(code, x, y, angle)
    (card,) = assemble([replace(alone, spot=replace(alone.spot, score=score, open=opened))])
    return card


@pytest.mark.parametrize(("left", "known"), [(1.0, True), (0.5, True), (0.0, False)])
def test_a_pile_of_which_half_an_index_is_as_it_was_has_not_been_pushed(
    left: float, known: bool
) -> None:
    pile = remembered(("4D", 300, 300, 0.0))
    (ax, ay), (bx, by) = corners("4D", 300, 300)
    assert pile.stillness(kept_but_at((ax, ay, 0.0), (bx, by, left))).known is known


def test_what_surely_reads_as_another_card_where_an_index_was_landed_on_it() -> None:
    """No card that would have half covered the old index is seen: this is that card."""
    pile = remembered(("4D", 300, 300, 0.0))
    (ax, ay), _ = corners("4D", 300, 300)
    new = one_index("JC", ax + 3, ay + 2)
    still = Stillness(kept_but_at((ax, ay, 0.0)), known=True)
    change = pile.compare([one_index("4D", *corners("4D", 300, 300)[1], 3.14), new], still)
    assert [str(s.ranks.argmax() + 2) for s in change.new] == ["11"]


def test_an_index_half_covered_by_a_new_card_is_no_card_more() -> None:
    pile = remembered(("4D", 300, 300, 0.0))
    (ax, ay), _ = corners("4D", 300, 300)
    over = sighting("9H", 300 - 1.2 * SIZE, 300, 0.0)
    rest = one_index("JC", ax, ay, opened=0.4)
    still = Stillness(
        kept_but_at((ax, ay, 0.0), *((*c, 0.0) for c in corners("9H", 276, 300))), True
    )
    assert pile.compare([rest, over], still).new == (over,)


def test_a_hidden_card_does_not_move_under_a_pile_that_has_not() -> None:
    pile = remembered(("10C", 300, 300, 0.0), ("3H", 310, 305, 0.9))
    pile.cards[0] = replace(pile.cards[0], seen=False)
    doubtful = sighting("10S", 330, 340, 0.0)
    suits = doubtful.suits.copy()
    suits[:] = 0.4, 0.01, 0.01, 0.58
    doubtful = replace(doubtful, suits=suits)
    changed = kept_but_at(*((*c, 0.0) for c in corners("10S", 330, 340)))
    three = sighting("3H", 310, 305, 0.9)
    assert pile.compare([three, doubtful], Stillness(changed, known=True)).new == (doubtful,)
    assert pile.compare([three, doubtful], UNKNOWN).new == ()


@pytest.mark.parametrize(("p_suit", "landed"), [(0.5, True), (0.9, False)])
def test_a_card_whose_sign_is_doubtful_is_none_of_another_place_that_has_not_moved(
    p_suit: float, landed: bool
) -> None:
    pile = remembered(("5D", 300, 300, 0.0), ("KC", 900, 300, 0.0))
    five = sighting("5D", 600, 300, p_suit=p_suit)
    places = (*corners("5D", 300, 300), *corners("5D", 600, 300))
    still = pile.stillness(kept_but_at(*((*c, 0.0) for c in places)))
    assert still.known
    change = pile.compare([sighting("KC", 900, 300), five], still)
    assert any(s is five for s in change.new) is landed


def test_a_card_laid_just_where_another_lay_is_new_though_it_reads_a_little_like_it() -> None:
    pile = remembered(("2C", 200, 200, 0.0), ("5H", 640, 360, 0.0))
    gone = [(x, y, 0.0) for x, y in corners("5H", 640, 360)]
    still = pile.stillness(kept_but_at(*gone))
    there = sighting("5C", 644, 362, p_suit=0.9)
    change = pile.compare([sighting("2C", 200, 200), there], still)
    assert [s is there for s in change.new] == [True]
    assert not [c for c, _ in change.found if c.card == parse_card("5H")]


def test_an_old_card_of_which_both_known_corners_are_read_once_more_is_nothing_new() -> None:
    pile = remembered(("2C", 200, 200, 0.0), ("9H", 640, 360, 0.0))
    still = pile.stillness(lambda spot: 1.0)
    twice = [sighting("9H", 640, 360), sighting("9D", 640, 361, p_suit=0.86)]
    assert pile.compare([sighting("2C", 200, 200), *twice], still).new == ()


@pytest.mark.parametrize(("off", "landed"), [(0.0, False), (0.3, True)])
def test_a_sign_that_reads_otherwise_exactly_in_its_place_is_no_equal_card_laid_there(
    off: float, landed: bool
) -> None:
    pile = remembered(("7C", 300, 300, 0.0))
    signs = [0.01, 0.005, 0.005, 0.98]
    again = replace(sighting("7S", 300 + off * SIZE, 300), suits=np.array(signs))
    half = Stillness(lambda spot: 0.5, known=True)
    assert bool(pile.compare([again], half).new) is landed


def test_a_card_in_its_place_whose_sign_reads_otherwise_is_still_that_card() -> None:
    """A card laid across half covers the sign, not the rank, and the place is half as before."""
    pile = remembered(("5S", 300, 300, 0.0), ("QD", 900, 300, 0.0))
    (ax, ay), (bx, by) = corners("5S", 300, 300)
    still = pile.stillness(kept_but_at((ax, ay, 0.5), (bx, by, 0.5)))
    half = sighting("5D", 300, 300)
    spots = [replace(r.spot, score=0.5) for r in half.readings]
    read = tuple(replace(r, spot=spot) for r, spot in zip(half.readings, spots, strict=True))
    change = pile.compare([replace(half, readings=read), sighting("QD", 900, 300)], still)
    assert change.new == ()


def test_two_old_indices_of_different_cards_read_as_one_card_are_nothing_new() -> None:
    pile = remembered(("5S", 300, 300, 0.0), ("5C", 900, 300, 0.0))
    (x, y), (u, v) = corners("5S", 300, 300)[0], corners("5C", 900, 300)[1]
    mixed = replace(sighting("5S", 600, 300), readings=(reading("5S", x, y), reading("5S", u, v)))
    still = pile.stillness(lambda spot: 1.0)
    assert pile.compare([mixed], still).new == ()


def test_where_nobody_knows_what_was_there_a_sure_card_of_the_set_has_landed() -> None:
    """All that was in view is covered: the fan's lowest card has its corner where one was."""
    pile = remembered(("8S", 300, 300, 0.0))
    (x, y), _ = corners("8S", 300, 300)
    low = one_index("4H", x + 2, y + 2, score=0.8, opened=0.7)
    fan = [low, sighting("4D", x + 60 + 2.1 * SIZE, y + 3.2 * SIZE)]
    assert len(pile.compare(fan, Stillness(lambda spot: 0.0, False)).new) == 2


@pytest.mark.parametrize(
    ("seen", "known"),
    [
        (["10H"], True),  # it covers all that was in view
        (["10H", "4D"], False),  # the four is read elsewhere: the pile has been pushed
        ([], False),
    ],
)
def test_a_pile_wholly_covered_has_not_been_pushed(seen: list[str], known: bool) -> None:
    pile = remembered(("4D", 300, 300, 0.0))
    places = {"10H": (306, 298), "4D": (340, 310)}
    sightings = [sighting(code, *places[code]) for code in seen]
    assert pile.stillness(lambda spot: 0.0, sightings).known is known


def test_a_whole_index_of_the_rank_of_a_hidden_card_near_its_corner_may_be_a_new_card() -> None:
    """Its sign is another's, though not surely: what lay hidden there did not come to light."""
    pile = remembered(("3S", 300, 300, 0.0), ("2C", 900, 300, 0.0))
    pile.cards[0] = replace(pile.cards[0], seen=False)
    (x, y), _ = corners("3S", 300, 300)
    low = one_index("3C", x + 0.3 * SIZE, y, angle=0.4, score=0.85, opened=0.75)
    low = replace(low, suits=low.suits * 0.0 + [0.85, 0.01, 0.0, 0.14])
    top = sighting("3D", 340, 340, 0.4)
    still = pile.stillness(kept_but_at((x, y, 0.0), *((*c, 0.0) for c in corners("3D", 340, 340))))
    change = pile.compare([sighting("2C", 900, 300), low, top], still)
    assert {id(s) for s in change.new} == {id(low), id(top)}


def test_what_shows_at_a_hidden_cards_place_once_the_pile_was_pushed_is_that_card() -> None:
    """Nothing is as it was, but everything found again has moved by as much."""
    pile = remembered(("7C", 300, 300, 0.0), ("QD", 600, 300, 0.5), ("3H", 900, 300, 0.0))
    pile.cards[0] = replace(pile.cards[0], seen=False)
    x, y = corners("7C", 300, 300)[0]
    half = one_index("3C", x + 8, y - 12, score=0.74, opened=0.77)
    half = replace(half, ranks=half.ranks * 0.65 + 0.35 / 14, p_index=0.85)
    seen = [sighting("QD", 608, 288, 0.5), sighting("3H", 908, 288), half]
    still = pile.stillness(lambda spot: 0.0, seen)
    assert not still.known and pile.compare(seen, still).new == ()


def test_a_pile_of_which_most_lies_elsewhere_has_been_pushed_though_a_card_stayed() -> None:
    """What shows at a place that has changed may then be anything, an old card above all."""
    pile = remembered(("KD", 300, 300, 0.0), ("AD", 600, 300, 0.5), ("5C", 900, 300, 0.0))
    pushed = [("KD", 310, 300, 0.0), ("AD", 610, 300, 0.5)]
    seen = [sighting(*place) for place in pushed] + [sighting("5C", 900, 300)]
    moved = [(*c, 0.0) for place in pushed for c in corners(*place)]
    assert not pile.stillness(kept_but_at(*moved), seen).known


def test_a_card_with_small_indices_hides_as_far_as_its_own_corners_reach() -> None:
    """On a card twice as large for its index, a pile below is covered, not gone."""
    a, b = reading("9D", 400, 350), reading("9D", 560, 550, 3.14)
    (over,) = assemble([replace(r, spot=replace(r.spot, centre=(480, 450))) for r in (a, b)])
    assert len(over.readings) == 2
    assert covers(over, one_index("AC", 480 + 4.3 * SIZE, 450))
    assert not covers(over, one_index("AC", 480 + 6 * SIZE, 450))


@pytest.mark.parametrize("left", [1.0, 0.5])
def test_an_index_that_has_not_changed_and_one_that_has_are_of_two_cards(left: float) -> None:
    """Both read as one ace, but all corners of the one that lies there are known."""
    pile = remembered(("AS", 300, 300, 0.0))
    (x, y), _ = corners("AS", 300, 300)
    mixed = sighting("AS", 300, 300)
    far = replace(mixed.readings[1], spot=replace(mixed.readings[1].spot, x=x + 6 * SIZE))
    mixed = replace(mixed, readings=(mixed.readings[0], far))
    still = Stillness(kept_but_at((far.spot.x, far.spot.y, 0.0), (x, y, left)), known=True)
    new, old = pile.told_apart([mixed], still)
    assert [r.spot.x for r in new.readings] == [far.spot.x]
    assert [r.spot.x for r in old.readings] == [x]
    assert pile.told_apart([mixed], UNKNOWN) == [mixed]


def test_an_old_card_that_shows_its_known_corners_stays_one() -> None:
    pile = remembered(("AS", 300, 300, 0.0))
    (ax, ay), _ = corners("AS", 300, 300)
    still = Stillness(kept_but_at((ax, ay, 0.0)), known=True)
    assert len(pile.told_apart([sighting("AS", 300, 300)], still)) == 1


def test_a_card_just_where_one_of_open_suit_lay_is_new_if_its_sign_is_another() -> None:
    pile = remembered(("2C", 900, 300, 0.0))
    unsure = sighting("8S", 300, 300)
    pile.land([(parse_card("8?"), replace(unsure, suits=np.array([0.05, 0.1, 0.05, 0.8])))])
    still = pile.stillness(kept_but_at(*((*c, 0.0) for c in corners("8S", 300, 300))))
    clubs, spades = (sighting(code, 302, 301) for code in ("8C", "8S"))
    two = sighting("2C", 900, 300)
    assert pile.compare([two, clubs], still).new == (clubs,)
    assert pile.compare([two, spades], still).new == ()


@pytest.mark.parametrize(("beside", "landed"), [("10D", True), ("KD", False)])
def test_a_doubtful_index_on_an_old_one_is_new_in_a_row_of_its_rank(
    beside: str, landed: bool
) -> None:
    """A fan's lowest card hides the index of the card below, or the fan has left half of it."""
    pile = remembered(("9S", 300, 300, 0.0), ("2C", 900, 300, 0.0))
    (x, y), _ = corners("9S", 300, 300)
    low = one_index("10S", x + 0.3 * SIZE, y, score=0.5)
    low = replace(low, ranks=low.ranks * 0.7 + 0.3 / 14, p_index=0.8)
    cx, cy = x + (1.1 + 2.1) * SIZE, y + 3.2 * SIZE
    top = sighting(beside, cx, cy)
    still = pile.stillness(kept_but_at((x, y, 0.0), *((*c, 0.0) for c in corners("9S", cx, cy))))
    change = pile.compare([sighting("2C", 900, 300), low, top], still)
    assert any(s is low for s in change.new) is landed


def test_a_card_that_lies_as_it_did_is_left_though_it_was_not_read() -> None:
    pile = remembered(("KH", 300, 300, 0.0), ("JH", 600, 300, 0.0))
    still = pile.stillness(kept_but_at(*((*c, 0.0) for c in corners("JH", 600, 300))))
    change = pile.compare([sighting("5H", 600, 310)], still)
    assert [str(c.card) for c in change.unread] == ["KH"]
    assert not change.found and not change.nothing_left


@pytest.mark.parametrize(("moved", "known"), [(0.0, True), (9.0, False)])
def test_an_old_card_seen_after_all_is_one_that_showed_a_corner_before(
    moved: float, known: bool
) -> None:
    """Nothing of it has changed; its suit was open, and its other corner had been missed."""
    pile = remembered(("2C", 900, 300, 0.0))
    queen = sighting("QS", 300, 300)
    (x, y), _ = corners("QS", 300 + moved * SIZE, 300)
    pile.land([(parse_card("Q?"), one_index("QH", x, y))])
    pile.cards[-1] = replace(pile.cards[-1], seen=False)
    still = pile.stillness(lambda spot: 1.0)
    new = pile.compare([sighting("2C", 900, 300), queen], still).new
    assert (queen not in new) is known


PUSHED = Push(0.02, 18.0, -9.0)


def test_what_lies_hidden_has_gone_with_the_pile_that_was_pushed() -> None:
    """The four's lower corner went under the queen; the queen is taken back where it lies now."""
    pile = remembered(("4D", 300, 300, 0.0), ("QS", 380, 400, 0.3))
    upper, lower = sighting("4D", 300, 300).readings
    alone = one_index("4D", upper.spot.x, upper.spot.y)
    pile.confirm(pile.compare([alone, sighting("QS", 380, 400, 0.3)]))
    pile.confirm(pile.compare([PUSHED.sighting(s) for s in (alone, sighting("QS", 380, 400, 0.3))]))
    four = pile.cards[0]
    assert any(same_index(PUSHED.spot(lower.spot), k) for k in four.spots)
    assert not any(same_index(lower.spot, k) for k in four.spots)


def test_of_a_pile_that_lies_still_nothing_hidden_moves() -> None:
    pile = remembered(("4D", 300, 300, 0.0), ("QS", 300, 302, 0.0))
    seen = [sighting("QS", 304, 302)]
    pile.confirm(pile.compare(seen, pile.stillness(lambda spot: 1.0)))
    assert pile.cards[0].sighting.centre == (300, 300)


def test_one_card_of_several_that_moved_has_not_pushed_the_others() -> None:
    pile = remembered(("4D", 300, 300, 0.0), ("9H", 500, 300, 0.0), ("QS", 700, 300, 0.0))
    pile.confirm(pile.compare([sighting("QS", 720, 310)]))
    assert pile.cards[0].sighting.centre == (300, 300)
