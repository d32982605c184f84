"""``pilewatch bench`` measures the right things. How long they take is not tested anywhere."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pytest
from fake_watcher import FakeWatcher, NoPictures, as_it_is

from engine.cards import parse_card
from engine.events import Play
from firmware import measure, measure_rules, measure_table
from firmware.commands import bench
from firmware.tell import Asked, Asking, Called
from firmware.virtual import VirtualTable
from vision.session import models_folder


def test_the_yardstick_is_eight_convolutions_of_sixteen_channels() -> None:
    session = onnxruntime.InferenceSession(
        str(models_folder() / "reference.onnx"), providers=["CPUExecutionProvider"]
    )
    (entry,), (result,) = session.get_inputs(), session.get_outputs()
    assert entry.shape == result.shape == [1, 16, 233, 233]
    out = session.run(None, {entry.name: np.ones(entry.shape, np.float32)})[0]
    assert out.min() == 0  # the ReLU
    assert np.isfinite(out).all()
    # A picture of one bright dot spreads by a pixel for each 3×3 convolution: eight of them.
    dot, black = np.zeros((2, *entry.shape), np.float32)
    dot[0, :, 116, 116] = 100
    changed = np.argwhere(
        (session.run(None, {entry.name: dot})[0] != session.run(None, {entry.name: black})[0])[0]
    )
    assert changed[:, 1].min() == 116 - 8
    assert changed[:, 1].max() == 116 + 8


def test_look_and_yardstick_are_measured_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    clock = itertools.accumulate(itertools.cycle([0, 0.010, 0, 0.020]))
    monkeypatch.setattr(measure.time, "perf_counter", lambda: next(clock))
    times = measure.look_times(lambda: order.append("look"), lambda: order.append("piece"), 3)
    assert order == ["look", "piece"] + ["piece", "look"] * 3
    assert times.reference_ms == pytest.approx(10)
    assert times.look_ms == pytest.approx(20)
    assert times.ratio == pytest.approx(2)


def test_whole_games_are_judged() -> None:
    assert measure.events_per_second(1) > 0


def test_a_night_long_games_and_make_believe_games_are_measured() -> None:
    assert measure_rules.refold_ms() > 0
    assert measure_rules.growth(1)[0] == 1
    assert len(measure_rules.growth(1)) == len(measure_rules.LENGTHS)
    assert measure_rules.games_per_second(1) > 0


def test_a_fresh_process_tells_its_own_memory() -> None:
    fresh = measure.fresh_process(["--version"], 1)
    assert 3 < fresh.peak_mib < 60  # a bare Python; a parent with OpenCV would be three times that
    assert fresh.seconds > 0


def test_a_process_that_fails_is_not_measured() -> None:
    with pytest.raises(RuntimeError, match="there is no command 'nonsense'"):
        measure.fresh_process(["nonsense"], 1)


def test_a_call_is_timed_from_the_rest_of_the_cards_and_not_where_it_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter((7.0, 7.25, 9.0))
    monkeypatch.setattr(measure_table.time, "perf_counter", lambda: next(clock))
    watch = measure_table.Stopwatch()
    called = Called(0, 0.0, 1, Play((parse_card("7H"),)), SimpleNamespace(), "Ann")
    watch.set_to(100.0)
    watch.hear(called)  # nothing has come to rest
    assert watch.waited == []
    watch.rest = 40.0
    watch.hear(called)
    watch.hear(called)  # corrected, or told again
    assert watch.waited == [60.25]
    watch.rest = 40.0
    watch.hear(Asked(0, 0.0, Asking.WHICH))
    watch.hear(called)
    assert (len(watch.waited), watch.asked) == (1, 1)


def test_the_whole_device_plays_and_idles(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []

    def table(setup, seed, fps):
        tables.append(VirtualTable(setup, seed, NoPictures(), as_it_is, fps=fps))
        return tables[-1]

    def watch_for(setup, prior):
        return FakeWatcher(tables[-1])

    monkeypatch.setattr(measure_table, "VirtualTable", table)
    monkeypatch.setattr(measure_table, "watchers", lambda config: watch_for)
    monkeypatch.setattr(measure_table, "IDLE", 0.1)
    monkeypatch.setattr(measure_table, "BEFORE", 0.1)
    found = measure_table.at_table(3)
    assert found.calls == 3
    assert 2 / 15 < found.call_s <= found.call_99_s  # it waits for three frames of rest
    assert found.idle_share > 0
    assert found.playing_share > 0


def test_the_picture_is_what_the_camera_sees() -> None:
    picture = bench.table_picture(None)
    assert picture.shape == (720, 1280, 3)
    assert picture.std() > 10


def test_every_figure_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "fresh_process", lambda *_: measure.Fresh(0.25, 123.4))
    monkeypatch.setattr(
        measure, "look_times", lambda look, *_: (look(), measure.LookTimes(82, 20, 4.1))[1]
    )
    times = measure_table.TableTimes(60, 0, 0.354, 0.412, 61.2, 2.44, 0.081, 0.0134, 210.3)
    monkeypatch.setattr(measure, "table_times", lambda calls: vars(times))
    picture = np.zeros((72, 128, 3), np.uint8)
    found = bench.measure(lambda _: SimpleNamespace(cards=[1, 2], unsure=[3]), picture, 1)
    assert found["look_ms"] == 82
    assert found["look_per_reference"] == 4.1
    assert found["look_per_detector"] == 1
    assert (found["start_ms"], found["first_look_ms"], found["peak_mib"]) == (250, 250, 123)
    table = bench.as_table(found | {"load": 0.3})
    assert "a look at 128×72, 3 cards" in table
    assert "a night of 1 games opened again" in table
    assert found["journal_kib"] > 10
    assert "82 ms" in table
    assert "an event after 100, 1,000, 10,000 others" in table
    assert "1,200 plays, folded again" in table
    assert "from a card's rest to its call, 60 calls" in table
    for figure in ("0.35 s", "0.41 s", "61.2 ms", "2.44", "8.1 % of a core", "1.3 % of a core"):
        assert figure in table
    assert "210 MiB" in table
    assert "busy" not in table
    assert "busy (load 5.0)" in bench.as_table(found | {"load": 5.0})
