"""``judge``, ``rules`` and ``solve`` with the pyramid patience, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cards import full_deck
from engine.pyramid import Deal
from firmware.cli import main
from tests.engine.pyramid_tools import dealt, full

Capture = pytest.CaptureFixture[str]
SETUP = json.dumps(dealt("3C 10D KH 5S 8C QD AC", stock="10C").to_json())
DEAD = 7  # seeds of full deals
ALIVE = 1


def scenario(folder: Path, *lines: str, name: str = "game.jsonl") -> str:
    file = folder / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def changed(**keys: Any) -> str:
    """The set-up with some keys changed, those with None left out."""
    data = json.loads(SETUP) | keys
    return json.dumps({key: value for key, value in data.items() if value is not None})


def row(number: int, *codes: Any) -> str:
    rows = json.loads(SETUP)["pyramid"]
    rows[number - 1] = list(codes)
    return changed(pyramid=rows)


def test_judge_answers_every_event_with_a_line(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, SETUP, '{"flip": true}', '{"expect": {}}', '{"match": ["10C", "3C"]}')
    assert main(["judge", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith('{"event": 2, "verdict": "legal", "reason": null, "say": ')
    assert json.loads(lines[1]) == {
        "event": 2,
        "verdict": "legal",
        "reason": None,
        "say": "Ten and three.",
        "left": 27,
        "stock": 23,
        "waste": 0,
        "waste_top": None,
        "foundation": 2,
        "moves": 2,
        "won": False,
        "dead": False,
    }


def test_judge_checks_what_is_expected(tmp_path: Path, capsys: Capture) -> None:
    expected = '{"expect": {"verdict": "illegal", "reason": "not_13", "left": 28, "moves": 1}}'
    file = scenario(tmp_path, SETUP, '{"match": ["3C", "8C"]}', expected)
    assert main(["judge", "--check", file]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f'{file}:3 expected {{"moves": 1}} got {{"moves": 0}}',
        "0 passed, 1 failed",
    ]


def test_judge_tells_a_dead_deal(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, json.dumps(full(DEAD).to_json()), '{"flip": true}')
    assert main(["judge", file]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["dead"] is True
    assert answer["say"].endswith(". The pyramid can no longer be cleared.")


@pytest.mark.parametrize(
    ("lines", "where", "message"),
    [
        ([changed(pyramid=None)], 1, "pyramid takes 7 rows of 1 to 7 cards, not null"),
        ([changed(pyramid=[])], 1, "pyramid takes 7 rows of 1 to 7 cards, not 0 rows"),
        ([row(3, "AC", "2C")], 1, "pyramid row 3 takes 3 card codes, not 2"),
        ([changed(stock=["AC"])], 1, "stock takes 24 card codes, not 1"),
        ([changed(stock="AC")], 1, "stock takes a list of 24 card codes, not 'AC'"),
        ([row(1, "KH")], 1, "pyramid row 7: KH stands in pyramid row 1 already; expected each"),
        ([row(1, "1H")], 1, "pyramid row 1: '1H' is no card; expected a rank 2"),
        ([row(1, 7)], 1, "pyramid row 1: 7 is no card; expected a rank 2"),
        ([row(1, "JK")], 1, "pyramid row 1: JK has no suit; expected one of the 52 cards"),
        ([row(1, "7?")], 1, "pyramid row 1: 7? has no suit; expected one of the 52 cards"),
        ([changed(stok=[])], 1, "a set-up of the pyramid has no key 'stok'; did you mean stock?"),
        ([changed(players=["Ann"])], 1, "a set-up of the pyramid has no key 'players'"),
        ([changed(options=7)], 1, "options takes an object of pyramid rules, not 7"),
        ([changed(options={"swap": True})], 1, "options: there is no pyramid rule 'swap'"),
        ([changed(options={"cover_pairs": 1})], 1, "cover_pairs = 1; expected true or false"),
        ([changed(rules="pyramids")], 1, "there is no rule set 'pyramids'; expected castle,"),
        ([changed(rules="classic")], 1, "expected players, for classic is played, not a deal"),
        (['{"rules": "pyramid", "players": ["A", "B"]}'], 1, "has no key 'players'"),
        ([SETUP, '{"match": ["3C"]}'], 2, "match takes a list of two card codes such as"),
        ([SETUP, '{"match": ["3C", "1H"]}'], 2, "match takes two card codes: '1H' is no card"),
        ([SETUP, '{"match": ["3C", 4]}'], 2, "match takes two card codes such as 10H, not 4"),
        (
            [SETUP, '{"match": ["3?", "10?"]}'],
            2,
            "match takes two card codes, each with its suit, not '3?'",
        ),
        ([SETUP, '{"king": true}'], 2, "king takes a card code such as 10H, not true"),
        ([SETUP, '{"king": "K?"}'], 2, "king takes a card code with its suit, not 'K?'"),
        ([SETUP, '{"flip": 1}'], 2, "flip takes true or a card code such as 10H, not 1"),
        ([SETUP, '{"flip": false}'], 2, "flip takes true or a card code such as 10H, not false"),
        ([SETUP, '{"reset": 1}'], 2, "reset takes true, not 1"),
        ([SETUP, '{"undo": false}'], 2, "undo takes true, not false"),
        ([SETUP, '{"fli": true}'], 2, "found fli; did you mean flip?"),
        ([SETUP, '{"flip": true, "by": "Ann"}'], 2, "found flip or by"),
        ([SETUP, "{}"], 2, "expected one of flip, match, king, reset or undo, found nothing"),
        ([SETUP, "7"], 2, "expected an event as a JSON object, not 7"),
    ],
)
@pytest.mark.parametrize("command", [["judge"], ["judge", "--check"], ["solve"]], ids=" ".join)
def test_a_malformed_line_is_told_with_its_place(
    tmp_path: Path, capsys: Capture, command: list[str], lines: list[str], where: int, message: str
) -> None:
    file = scenario(tmp_path, *lines)
    assert main([*command, file]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pilewatch: {file}:{where}: ")
    assert message in error
    assert error.count("\n") == 1


# -- Rules ---------------------------------------------------------------------------------------


def test_rules_prints_the_pyramid_so_that_it_can_be_checked_and_played(
    tmp_path: Path, capsys: Capture
) -> None:
    assert main(["rules", "pyramid"]) == 0
    printed = capsys.readouterr().out
    assert 'base = "pyramid"' in printed
    ours = scenario(tmp_path, printed.replace("pairs = true", "pairs = false"), name="ours.toml")
    assert main(["rules", "--check", ours]) == 0
    assert capsys.readouterr().out == f"{ours}: good (Pyramid patience, for one player)\n"
    deal = json.dumps(dealt("4C 5D 8D", "9H").to_json())
    file = scenario(tmp_path, deal, '{"match": ["5D", "8D"]}', '{"match": ["4C", "9H"]}')
    assert main(["judge", file]) == main(["judge", "--rules", ours, file]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["reason"] for answer in answers] == [None, None, None, "covered"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cover_pair = true", "there is no pyramid rule 'cover_pair'; did you mean cover_pairs?"),
        ("cover_pairs = 1", "cover_pairs = 1; expected true or false"),
        ('title = ""', "title = ''; expected a text"),
    ],
)
def test_rules_tells_what_is_wrong_in_a_file(
    tmp_path: Path, capsys: Capture, line: str, message: str
) -> None:
    file = scenario(tmp_path, 'base = "pyramid"', line, name="ours.toml")
    assert main(["rules", "--check", file]) == 2
    assert capsys.readouterr().err == f"pilewatch: {file}: {message}\n"


def test_options_of_a_set_up_change_single_rules(tmp_path: Path, capsys: Capture) -> None:
    deal = dealt("4C 5D 8D", "9H", cover_pairs=False)
    assert deal.to_json()["options"] == {"cover_pairs": False}
    file = scenario(
        tmp_path, json.dumps(deal.to_json()), '{"match": ["5D", "8D"]}', '{"match": ["4C", "9H"]}'
    )
    assert main(["judge", file]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[1])["reason"] == "covered"


# -- Solve ---------------------------------------------------------------------------------------


def test_what_solve_finds_is_judged_won(tmp_path: Path, capsys: Capture) -> None:
    assert main(["solve", "--seed", str(ALIVE), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["deal"], found["winnable"]) == (f"seed {ALIVE}", True)
    lines = [json.dumps(line) for line in (found["setup"], *found["line"])]
    file = scenario(tmp_path, *lines)
    assert main(["judge", file]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["verdict"], last["won"], last["moves"]) == ("legal", True, found["moves"])
    assert main(["solve", file]) == 0
    assert capsys.readouterr().out == f"{file}: is cleared\n"


def test_solve_begins_after_the_events_of_the_file(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, SETUP, '{"flip": true}', '{"expect": {}}', '{"match": ["10C", "3C"]}')
    assert main(["solve", "--json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winnable"]
    assert not any("3C" in move.get("match", ()) for move in found["line"])


def test_solve_tells_a_deal_in_words(tmp_path: Path, capsys: Capture) -> None:
    alive = scenario(tmp_path, SETUP)
    dead = scenario(tmp_path, json.dumps(full(DEAD).to_json()), name="dead.jsonl")
    assert main(["solve", alive, dead]) == 0
    first, *moves, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{alive}: can be cleared, for example in ")
    assert moves[0].startswith("  king KH, ")
    assert last == f"{dead}: cannot be cleared"


def test_solve_draws_the_deal_of_a_seed(capsys: Capture) -> None:
    assert main(["solve", "--seed", str(DEAD)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"seed {DEAD}: cannot be cleared"
    assert sorted(" ".join(lines).replace("stock:", "").split()) == sorted(map(str, full_deck()))
    assert lines[6].split() == [str(card) for card in full(DEAD).rows[6]]


def test_solve_that_gives_up_says_unknown(tmp_path: Path, capsys: Capture) -> None:
    file = scenario(tmp_path, json.dumps(full(ALIVE).to_json()))
    assert main(["solve", "--limit", "1", file]) == 0
    assert capsys.readouterr().out == f"{file}: unknown, given up after 1 choices\n"
    assert main(["solve", "--limit", "1", "--json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["winnable"], found["moves"], found["line"]) == (None, None, [])


def test_solve_measures_seeded_deals(capsys: Capture) -> None:
    assert main(["solve", "--deals", "30", "--seed", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    seen = [found[key] for key in ("deals", "first_seed", "winnable", "dead", "unknown")]
    assert seen == [30, 0, 23, 7, 0]
    assert 0 < found["median_ms"] <= found["p99_ms"] <= found["max_ms"]
    assert main(["solve", "--deals", "30", "--seed", "0"]) == 0
    assert "can be cleared   23 (76.7 %)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [[], ["game.jsonl", "--seed", "1"], ["game.jsonl", "--deals", "1"]], ids=str
)
def test_solve_wants_one_kind_of_deal(arguments: list[str], capsys: Capture) -> None:
    assert main(["solve", *arguments]) == 2
    assert capsys.readouterr().err == (
        "pilewatch: expected either scenarios with a deal, or --seed, or --deals\n"
    )


def test_solve_goes_on_after_a_file_that_is_none(tmp_path: Path, capsys: Capture) -> None:
    idiot = scenario(tmp_path, '{"rules": "classic", "players": ["A", "B"]}', name="idiot.jsonl")
    good, empty = scenario(tmp_path, SETUP), scenario(tmp_path, "", name="empty.jsonl")
    assert main(["solve", "--json", str(tmp_path / "none"), idiot, empty, good]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["deal"] == good
    none, one, two = shown.err.splitlines()
    assert "the scenario cannot be read" in none
    assert one == (f"pilewatch: {idiot}:1: expected a deal of the pyramid, only that can be solved")
    assert two == f"pilewatch: {empty}: expected a set-up line, the file is empty"


@pytest.mark.parametrize("value", ["0", "-1", "x", "1.5"])
def test_solve_wants_whole_numbers(value: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        raise SystemExit(main(["solve", f"--deals={value}"]))
    assert stop.value.code == 2
    assert f"'{value}' is no number from 1 to 1000000000" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["99999999999", "9" * 5000])
def test_a_count_that_is_too_high_is_told_with_its_range(value: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        raise SystemExit(main(["solve", "--deals", value]))
    assert "is no number from 1 to 1000000000" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["99999999999999999999999", "-1"])
def test_a_seed_that_cannot_be_is_told_the_range_of_seeds(value: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        raise SystemExit(main(["solve", f"--seed={value}"]))
    told = capsys.readouterr().err
    assert f"expected a whole number from 0 to 999999999, not '{value}'" in told


def test_the_deal_of_a_seed_stays_the_same() -> None:
    assert isinstance(full(ALIVE), Deal)
    assert [str(card) for card in full(ALIVE).rows[1]] == ["4D", "JD"]
