"""``pilewatch learn-deck`` and what uses a learned deck, with the real models."""

from __future__ import annotations

import errno
import signal
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import parse_card
from engine.setup import classic
from firmware.cli import main
from firmware.config import parse_config
from firmware.device.build import watchers
from vision.learned import LearnedDeck
from vision.render import Camera, Placed, Stage, make_deck


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "pilewatch" / "decks"


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    stage = Stage(5, make_deck(5, plain=True), camera=Camera((640, 480), px_per_mm=3.0))
    for name, code in (("a.png", "7H"), ("KS.png", "KS"), ("c.png", "4D")):
        cv2.imwrite(str(folder / name), stage.draw([Placed(parse_card(code), 0, 0, 0.3)]))
    return folder


def test_a_folder_of_photographs_teaches_a_deck_and_says_what_it_misses(
    home: Path, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn-deck", "grandmas", str(photos)]) == 1
    out = capsys.readouterr().out
    assert "grandmas: 3 of 53 cards known (the 2 jokers count as one)." in out
    assert "Still missing: 2C 2D" in out and " and 34 more" in out
    assert (home / "grandmas.npz").stat().st_size < 30_000
    assert main(["look", "--deck", "grandmas", str(photos / "a.png")]) == 0
    assert "7H" in capsys.readouterr().out


def test_a_second_lesson_adds_to_the_first(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "one"
    one.mkdir()
    (one / "KS.png").write_bytes((photos / "KS.png").read_bytes())
    assert main(["learn-deck", "odd", str(one)]) == 1
    assert "odd: 1 of 53 cards known " in capsys.readouterr().out
    assert main(["learn-deck", "odd", str(photos)]) == 1
    assert "odd: 3 of 53 cards known " in capsys.readouterr().out
    assert main(["learn-deck", "odd", str(one), "--anew", "--jokers", "0"]) == 1
    assert "odd: 1 of 52 cards known." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 41, "a\nb"])
def test_what_is_no_name_for_a_deck_is_a_sentence(
    home: Path, photos: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn-deck", name, str(photos)]) == 2
    assert "is no name for a deck" in capsys.readouterr().err
    assert not home.exists()


@pytest.mark.parametrize("command", ["look", "watch"])
def test_a_deck_nobody_taught_is_a_sentence(
    home: Path, photos: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir(parents=True)
    (home / "tarot.npz").write_bytes(b"")
    where = [photos / "a.png"] if command == "look" else [photos, "--players=Ann,Bob"]
    assert main([command, "--deck", "taro", *map(str, where)]) == 2
    assert "no deck 'taro' has been learned; did you mean tarot?" in capsys.readouterr().err


def test_a_game_at_a_virtual_table_is_no_lesson(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn-deck", "odd", "virtual:7"]) == 2
    assert "virtual:7: a game at a virtual table is no lesson" in capsys.readouterr().err


def test_a_folder_without_photographs_is_a_sentence(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn-deck", "odd", str(tmp_path)]) == 2
    assert "holds no pictures" in capsys.readouterr().err
    assert not (home / "odd.npz").exists()


def test_a_photograph_that_cannot_be_read_is_left_out(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "KS.png").write_bytes((photos / "KS.png").read_bytes())
    (folder / "broken.png").write_bytes(b"nothing")
    assert main(["learn-deck", "odd", str(folder)]) == 1
    told = capsys.readouterr()
    assert "broken.png" in told.err and "this photograph is left out" in told.err
    assert "1 of 53" in told.out


def test_a_photograph_on_which_no_card_was_read_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((480, 640, 3), 90, np.uint8))
    assert main(["learn-deck", "odd", str(tmp_path)]) == 1
    assert "  grey.png: no card was read\n" in capsys.readouterr().out


def test_each_photograph_is_told_by_its_name_and_one_that_is_misnamed_is_told_as_such(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("KS (1).png", "2D copy.png", "TH.png"):
        (tmp_path / name).write_bytes((photos / "KS.png").read_bytes())
    assert main(["learn-deck", "odd", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "  KS (1).png: KS\n" in out
    assert "  2D copy.png: 2D, as it is named, though it reads as KS\n" in out
    assert "  TH.png: 10H, as it is named, though it reads as KS\n" in out
    assert "odd: 3 of 53 cards known" in out
    assert "  2D was taken for KS before.\n" in out


def test_a_photograph_of_several_cards_is_not_taken_for_the_one_it_is_named_after(
    home: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = [cv2.imread(str(photos / name)) for name in ("KS.png", "a.png")]
    cv2.imwrite(str(tmp_path / "2D.png"), np.hstack(two))
    assert main(["learn-deck", "odd", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "expected 2D alone, as it is named: the name is not used" in out
    assert "odd: 2 of 53 cards known" in out and "2D was taken" not in out


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], list[str]]:
    """Has something happen as soon as so many cards are told; what is told."""

    def after(cards: int, happens: Callable[[], object]) -> list[str]:
        told: list[str] = []

        def tell(text: str) -> None:
            told.append(text)
            if len(told) == cards:
                happens()

        monkeypatch.setattr("firmware.commands.learn_deck._say", tell)
        return told

    return after


def raising(what: BaseException) -> Callable[[], object]:
    def happens() -> None:
        raise what

    return happens


@pytest.mark.parametrize(
    ("happens", "code"),
    [
        (raising(BrokenPipeError()), 141),
        (raising(KeyboardInterrupt()), 130),
        (raising(OSError(28, "full")), 74),
        (lambda: signal.raise_signal(signal.SIGHUP), 129),
        (lambda: signal.raise_signal(signal.SIGTERM), 143),
    ],
)
def test_what_was_shown_is_kept_however_the_lesson_ends(
    home: Path,
    photos: Path,
    ended: Callable[[int, Callable[[], object]], list[str]],
    happens: Callable[[], object],
    code: int,
) -> None:
    ended(2, happens)
    assert main(["learn-deck", "odd", str(photos)]) == code
    assert len(LearnedDeck.load(home / "odd.npz").cards) == 2


def test_a_folder_that_was_not_gone_through_to_its_end_says_what_was_learned(
    home: Path, photos: Path, ended: Callable[[int, Callable[[], object]], list[str]]
) -> None:
    told = ended(1, raising(KeyboardInterrupt()))
    assert main(["learn-deck", "odd", str(photos)]) == 130
    assert "1 of 53 cards known" in "".join(told)


def test_a_folder_without_a_readable_picture_is_told(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "KS.png").write_bytes(b"nothing")
    assert main(["learn-deck", "odd", str(tmp_path)]) == 2
    assert "holds no picture that can be read" in capsys.readouterr().err


def test_no_lesson_begun_anew_takes_the_place_of_another_deck(home: Path, photos: Path) -> None:
    decks = []
    for words in ([], ["--anew"], ["--anew"]):
        assert main(["learn-deck", "odd", str(photos), *words]) == 1
        decks.append((home / "odd.npz").read_bytes())
        (home / "odd.npz").write_bytes(decks[-1] + bytes(len(decks)))  # each its own bytes
    assert sorted(f.name for f in home.glob("*.npz")) == [
        "odd before 2.npz",
        "odd before.npz",
        "odd.npz",
    ]
    assert (home / "odd before.npz").read_bytes() == decks[0] + bytes(1)
    assert (home / "odd before 2.npz").read_bytes() == decks[1] + bytes(2)


def test_a_lesson_begun_anew_that_finds_no_room_leaves_the_deck_where_it_was(
    home: Path, photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn-deck", "odd", str(photos)]) == 1
    before = (home / "odd.npz").read_bytes()

    def full(deck: LearnedDeck, file: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(LearnedDeck, "save", full)
    assert main(["learn-deck", "odd", str(photos), "--anew"]) == 74
    assert "the disk is full" in capsys.readouterr().err
    assert [(f.name, f.read_bytes()) for f in home.glob("*")] == [("odd.npz", before)]


@pytest.mark.parametrize("name", ["odd", "o" * 40])
def test_a_deck_begun_anew_is_put_aside_once_there_is_another(
    home: Path, photos: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, aside = home / f"{name}.npz", f"{name[:33]} before"
    assert main(["learn-deck", name, str(photos)]) == 1
    before = file.read_bytes()
    blank = tmp_path / "blank"
    blank.mkdir()
    cv2.imwrite(str(blank / "grey.png"), np.full((480, 640, 3), 90, np.uint8))
    assert main(["learn-deck", name, str(blank), "--anew"]) == 1
    assert file.read_bytes() == before
    (blank / "KS.png").write_bytes((photos / "KS.png").read_bytes())
    assert main(["learn-deck", name, str(blank), "--anew"]) == 1
    assert f"What was learned before is the deck '{aside}'." in capsys.readouterr().out
    assert (home / f"{aside}.npz").read_bytes() == before
    assert main(["look", "--deck", aside, str(photos / "a.png")]) == 0


def _folder(file: Path) -> None:
    file.mkdir()


def _loop(file: Path) -> None:
    file.symlink_to(file)


@pytest.mark.parametrize("in_the_way", [_folder, _loop])
def test_what_lies_in_the_way_of_a_deck_is_told_before_the_lesson(
    home: Path,
    photos: Path,
    in_the_way: Callable[[Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    home.mkdir(parents=True)
    in_the_way(home / "odd.npz")
    assert main(["learn-deck", "odd", str(photos)]) == 74
    told = capsys.readouterr()
    assert not told.out
    assert told.err.endswith("a deck is to be written there; expected a file or nothing yet\n")
    assert main(["look", "--deck", "odd", str(photos / "a.png")]) == 2
    assert "did you mean" not in capsys.readouterr().err


def test_a_deck_that_may_not_be_read_is_not_called_damaged(
    home: Path, photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closed(file: Path) -> LearnedDeck:
        raise PermissionError(errno.EACCES, "Permission denied")

    home.mkdir(parents=True)
    (home / "odd.npz").write_bytes(b"")
    monkeypatch.setattr(LearnedDeck, "load", closed)
    assert main(["learn-deck", "odd", str(photos)]) == 74
    told = capsys.readouterr().err
    assert "odd.npz: this user may not read it" in told and "anew" not in told


def test_a_damaged_deck_can_be_begun_again(
    home: Path, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir(parents=True)
    (home / "odd.npz").write_bytes(b"nothing")
    assert main(["learn-deck", "odd", str(photos)]) == 2
    assert capsys.readouterr().err.endswith("learn-deck wrote; --anew begins it again\n")
    assert main(["learn-deck", "odd", str(photos), "--anew"]) == 1


def test_a_full_disk_is_told_and_nothing_half_is_left(
    home: Path, photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numpy.savez_compressed", full)
    assert main(["learn-deck", "odd", str(photos)]) == 74
    assert f"{home / 'odd.npz'}: the disk is full" in capsys.readouterr().err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("command", ["look", "watch", "learn-deck"])
def test_a_deck_of_an_earlier_reader_is_refused_with_what_to_do(
    home: Path, photos: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    LearnedDeck.new("odd", "an earlier one").save(home / "odd.npz")
    where = {
        "look": ["--deck", "odd", str(photos / "KS.png")],
        "watch": ["--deck", "odd", str(photos), "--players=Ann,Bob"],
        "learn-deck": ["odd", str(photos)],
    }[command]
    assert main([command, *where]) == 2
    told = capsys.readouterr().err
    assert "learned with another version of the reader" in told
    assert told.endswith("show it once more with pilewatch learn-deck odd SOURCE --anew\n")


def test_the_device_plays_on_without_a_deck_of_an_earlier_reader(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    LearnedDeck.new("odd", "an earlier one").save(home / "odd.npz")
    watch_for = watchers(parse_config('[game]\ndeck = "odd"\n', "here"))
    assert "learned with another version of the reader" in caplog.text
    assert watch_for(classic("Ann", "Bob"), lambda card: 1.0) is not None
