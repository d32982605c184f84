"""The report of errors: groups, calibration, and pictures that hold what they should."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import parse_card
from models.training.evaluate import Score, compare
from models.training.report import (
    GROUPS,
    Record,
    by_group,
    calibration_error,
    confusion_picture,
    worst_sheet,
    write_report,
)
from tests.models.test_measuring import BOX, asked, seen
from vision.look import Look

CROP = np.full((30, 20, 3), 90, np.uint8)


def record(
    card: str, read: str | None = None, p: float = 0.99, ask: bool = False, **more: object
) -> Record:
    of = {"deck": "a", "size": 20.0, "light": 100.0, "corners": 2, "name": "photo", **more}
    shown = parse_card(read) if read else None
    return Record(card=parse_card(card), seen=shown, asked=ask, p=p, crop=CROP, **of)  # type: ignore[arg-type]


def test_groups_are_counted_apart() -> None:
    records = [
        record("7H", "7H", size=10),
        record("8H", "9H", size=10),
        record("KH", None, 0.6, ask=True, size=60),
    ]
    assert by_group(records, GROUPS["index height"]) == [
        ("  0 to 12 px", "2", "50.0", "50.00", "0.0"),
        (" 45 px and more", "1", "0.0", "0.00", "100.0"),
    ]


def test_one_who_is_as_often_right_as_said_is_calibrated() -> None:
    fair = [record("7H", "7H" if i % 10 else "8H", p=0.9) for i in range(600)]
    assert calibration_error(fair)[0] == pytest.approx(0.0, abs=0.01)
    boastful = [record("7H", "7H" if i % 2 else "8H", p=0.9) for i in range(600)]
    assert calibration_error(boastful)[0] == pytest.approx(0.4, abs=0.01)


def test_what_was_missed_says_nothing_of_calibration() -> None:
    assert calibration_error([record("7H", None, p=0.0)])[0] == 0.0


def test_a_confusion_is_red_and_a_right_reading_green() -> None:
    image = confusion_picture([record("2H", "2H"), record("2H", "3H")]).astype(int)
    right, wrong, empty = image[50, 86], image[50, 132], image[50, 178]
    assert right[1] > right[0] and right[1] > right[2]
    assert wrong[2] > wrong[0] and wrong[2] > wrong[1]
    assert empty.min() == 255


def test_the_surest_error_comes_first_and_what_is_right_not_at_all() -> None:
    dark, pale = np.full((9, 9, 3), 10, np.uint8), np.full((9, 9, 3), 200, np.uint8)
    records = [
        record("7H", "7H"),
        record("8H", "9H", p=0.91),
        record("4H", "AH", p=0.99),
    ]
    records[1:] = [
        Record(**{**vars(r), "crop": c}) for r, c in zip(records[1:], (pale, dark), strict=True)
    ]
    sheet = worst_sheet(records)
    assert sheet[70, 70].max() == 10
    assert sheet[70, 220].min() == 200
    assert sheet[70, 370].min() == 255


def test_records_tell_what_became_of_each_label() -> None:
    labels = [(parse_card("7H"), [BOX]), (parse_card("2C"), [(400.0, 0.0, 600.0, 250.0)])]
    records = [record("7H", p=0.0), record("2C", p=0.0)]
    score = Score()
    compare(Look((seen("7H"),), (), 1.0), labels, score, "photo", records)
    assert [(r.card, r.seen, r.asked) for r in score.records] == [
        (parse_card("7H"), parse_card("7H"), False),
        (parse_card("2C"), None, False),
    ]
    score = Score()
    compare(Look((), (asked("7H", "9H"),), 1.0), labels[:1], score, "photo", records[:1])
    (one,) = score.records
    assert one.asked and one.first and one.seen is None


def test_a_report_is_tables_and_three_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_report([record("7H", "7H"), record("8H", "9H"), record("JK", None)], tmp_path / "val")
    out = capsys.readouterr().out
    assert all(title in out for title in GROUPS)
    assert "expected calibration error" in out
    for name in ("confusion", "reliability", "worst"):
        assert cv2.imread(str(tmp_path / "val" / f"{name}.png")) is not None
