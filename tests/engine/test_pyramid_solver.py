"""The solver of the pyramid patience against a plain search, and its answers played out."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import full_deck
from engine.pyramid import (
    Deal,
    Patience,
    Position,
    Reset,
    Undo,
    moved,
    solve,
    winning_line,
)
from engine.pyramid.deal import worth
from tests.engine.pyramid_oracle import winnable
from tests.engine.pyramid_tools import REDUCED, full, legal_moves, plain, reduced


@pytest.mark.parametrize("kind", REDUCED)
def test_solver_and_breadth_first_search_agree_on_reduced_decks(kind: str) -> None:
    answers = set()
    for seed in range(200):
        deal = reduced(kind, seed)
        answer = solve(deal).winnable
        assert answer == winnable(plain(deal)), seed
        answers.add(answer)
    assert answers == {True, False}


def test_solver_and_search_agree_without_cover_pairs() -> None:
    differs = 0
    for seed in range(100):
        deal = reduced("hardly a stock", seed, cover_pairs=False)
        answer = solve(deal).winnable
        assert answer == winnable(plain(deal), cover_pairs=False), seed
        differs += answer != solve(reduced("hardly a stock", seed)).winnable
    assert differs, "the switch changes nothing"


def test_solver_and_search_agree_in_the_middle_of_a_game_and_the_dead_stay_dead() -> None:
    deaths = 0
    for seed in range(120):
        deal = reduced("hardly a stock", seed)
        chance, position = Random(seed), deal.start
        before = solve(deal).winnable
        for _ in range(12):
            moves = legal_moves(deal, position)
            if not moves:
                break
            after = moved(deal, position, chance.choice(moves))
            assert isinstance(after, Position)
            position = after
            answer = solve(deal, position).winnable
            assert answer == winnable(plain(deal, position)), seed
            assert before or not answer
            deaths += before is True and answer is False
            before = answer
    assert deaths > 5


def test_a_winnable_deal_is_won_by_the_line() -> None:
    won = 0
    for seed in range(150):
        deal = full(seed)
        answer = solve(deal)
        if answer.winnable:
            position = deal.start
            for move in winning_line(deal, position, answer.pairs):
                after = moved(deal, position, move)
                assert isinstance(after, Position), (seed, move, after)
                position = after
            assert position.won
            won += 1
    assert 100 < won < 150


def test_the_line_also_wins_from_the_middle_of_a_game() -> None:
    deal = full(3)
    line = winning_line(deal, deal.start, solve(deal).pairs)
    assert Reset() in line
    game = Patience.new(deal)
    for move in line[: len(line) // 2]:
        game, _ = game.judge(move)
    for move in winning_line(deal, game.position, solve(deal, game.position).pairs):
        game, ruling = game.judge(move)
        assert ruling.stands
        assert game.dead is False
    assert game.won


def test_winnable_share_of_seeded_full_deals() -> None:
    # The documentation reports 1,000 deals; these are the first of them.
    answers = [solve(full(seed)).winnable for seed in range(1, 201)]
    assert [answers.count(each) for each in (True, False, None)] == [168, 32, 0]


def test_solver_that_gives_up_says_unknown_not_dead() -> None:
    deal = full(1)
    needed = solve(deal).nodes
    assert solve(deal, limit=needed).winnable is True
    assert solve(deal, limit=needed - 1).winnable is None
    assert Patience.new(deal, limit=needed - 1).dead is None


def test_the_rank_that_is_missing_is_seen_without_a_search() -> None:
    sixes = [card for card in full_deck() if worth(card) == 6][:3]
    seven = next(card for card in full_deck() if worth(card) == 7)
    answer = solve(Deal.of((*sixes, seven), rows=2))
    assert (answer.winnable, answer.nodes) == (False, 0)


def test_a_cleared_pyramid_needs_no_moves() -> None:
    deal = full(1)
    won = deal.start._replace(pyramid=0)
    assert solve(deal, won).winnable is True
    assert winning_line(deal, won, ()) == []


def test_it_is_announced_once_that_no_chance_is_left() -> None:
    announced = 0
    for seed in range(1, 50):
        chance, game = Random(seed), Patience.new(full(seed))
        for _ in range(80):
            moves = legal_moves(game.deal, game.position)
            if not moves:
                break
            before = game
            game, ruling = game.judge(chance.choice(moves))
            dies = game.dead is True and (before.dead is False or before.moves == 0)
            assert ("can no longer be cleared" in ruling.say) == dies
            announced += dies
            if dies and before.dead is False:
                back, undone = game.judge(Undo())
                assert (back.dead, undone.say) == (False, "Taken back.")
    assert announced > 10
