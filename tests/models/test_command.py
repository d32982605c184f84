"""The commands of the training: one sentence for whatever they are given that cannot be."""

from __future__ import annotations

import errno
import json
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import evaluate, reference_model
from models.training.command import PlaceError, told, write
from models.training.photographs import Photograph

ROW = {"photo": "tables/a.jpg", "split": "val", "box": "card", "cards": [], "boxes": []}


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the present one, with four labelled photographs in ``photos``."""
    monkeypatch.chdir(tmp_path)
    rows = []
    for name in ("tables/a.jpg", "tables/b.jpg", "decks/a.jpg", "decks/b.jpg"):
        Path("photos", name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(f"photos/{name}", np.full((240, 320, 3), 90, np.uint8))
        rows.append(json.dumps(ROW | {"photo": name}) + "\n")
    Path("photos/manifest.jsonl").write_text("".join(rows))
    for name in ("empty", "broken", "torn"):
        Path(name).mkdir()
    Path("broken/manifest.jsonl").write_text(json.dumps(ROW) + "\n{}\n")
    Path("torn/held-out-000.npz").write_bytes(b"PK")
    Path("afile").touch()
    return tmp_path


def evaluated(*words: str) -> int:
    try:
        return told(lambda: evaluate.main(words))
    except SystemExit as stop:
        return int(stop.code or 0)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("--photos nowhere", 2, "there are no photographs at nowhere; expected --photos or"),
        ("--photos empty", 2, "empty/manifest.jsonl: the photographs' labels cannot be read (No"),
        ("--photos broken", 2, "broken/manifest.jsonl:2: expected a row with photo, split, box"),
        (
            "--models nowhere",
            2,
            "argument --models: expected a folder that is there, not 'nowhere'",
        ),
        ("--models empty", 2, "model file reader.onnx is missing from empty"),
        (
            "--scenes nowhere",
            2,
            "argument --scenes: expected a folder that is there, not 'nowhere'",
        ),
        ("--scenes empty", 2, "empty holds no held-out-*.npz; expected the scenes of a training"),
        ("--scenes torn", 2, "torn/held-out-000.npz is damaged; expected scenes of a training"),
        ("--report afile", 74, "afile cannot be made a folder (File exists)"),
        ("--report afile/x", 74, "afile/x cannot be made a folder (Not a directory)"),
        ("--report /proc/x", 74, "/proc/x cannot be made a folder (No such file or directory)"),
        (
            "--limit -3",
            2,
            "argument --limit: expected a whole number from 1 to 999999999, not '-3'",
        ),
        ("--limit 0", 2, "argument --limit: expected a whole number from 1 to 999999999, not '0'"),
        ("--limit many", 2, "expected a whole number from 1 to 999999999, not 'many'"),
        ("--split both", 2, "argument --split: invalid choice: 'both'"),
    ],
)
def test_what_cannot_be_measured_is_told_in_one_sentence(
    photos: Path, capsys: pytest.CaptureFixture[str], words: str, code: int, sentence: str
) -> None:
    given = words.split() if "--photos" in words else ["--photos", "photos", *words.split()]
    assert evaluated(*given) == code
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_a_photograph_that_the_manifest_names_and_is_not_there_is_told(
    photos: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("photos/decks/b.jpg").unlink()
    assert evaluated("--photos", "photos") == 2
    assert capfd.readouterr().err.endswith(
        "photos/decks/b.jpg, which the manifest names, is no readable picture\n"
    )


@pytest.mark.parametrize(("limit", "expected"), [(None, 4), (9, 4), (3, 3), (2, 2), (1, 1)])
def test_a_small_sample_is_taken_evenly_from_all(limit: int | None, expected: int) -> None:
    photos = [
        Photograph(Path(f"{folder}/{n}"), folder, "val", "card", (), ())
        for folder in ("tables", "decks")
        for n in range(2)
    ]
    taken = evaluate.evenly(photos, limit)
    assert len(set(taken)) == expected
    if expected % 2 == 0:
        assert Counter(photo.folder for photo in taken) == dict.fromkeys(
            ("tables", "decks"), expected // 2
        )
    assert evaluate.evenly([], limit) == []


def test_a_full_disk_is_no_success(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(file: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PlaceError, match=r"a\.png cannot be written \(No space left on device\)"):
        write(Path("a.png"), b"")
    assert evaluated("--photos", "photos", "--limit", "1", "--report", "report") == 74
    assert capsys.readouterr().err.endswith(
        "report/val/confusion.png cannot be written (No space left on device)\n"
    )


def test_a_report_is_written(photos: Path) -> None:
    assert evaluated("--photos", "photos", "--report", "report") == 0
    assert sorted(path.name for path in Path("report/val").iterdir()) == [
        "confusion.png",
        "reliability.png",
        "worst.png",
    ]


def test_what_needs_the_training_packages_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.setattr(sys, "argv", ["reference_model.py", str(tmp_path / "it.onnx")])
    assert told(reference_model.main) == 2
    told_so = capsys.readouterr().err
    assert "the package onnx is not installed; expected the environment of the training" in told_so
