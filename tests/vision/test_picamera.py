"""The adapter bears what the Pi camera does, as picamera2 documents it: one fault, one test."""

from __future__ import annotations

import contextlib
import itertools
import sys
import threading
import types
from collections.abc import Iterator

import numpy as np
import pytest

from tests.vision.fake_picamera2 import FRAME, INCOMPLETE, TRUE_GAINS, Board
from vision.frame import Image, SourceError
from vision.live import LiveSource
from vision.picamera import CameraSettings, PiCamera, open_pi_camera
from vision.settle import Motion, Settler

SETTINGS = CameraSettings(size=(128, 72), small=(64, 36), settle_seconds=0.6, patience=0.2)
MOST_FRAMES = 200


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board()
    yield board
    assert board.owner is None, "the camera was left open, and so busy"


@contextlib.contextmanager
def opened(board: Board, settings: CameraSettings = SETTINGS) -> Iterator[PiCamera]:
    camera = PiCamera(board, settings, clock=board.clock)
    try:
        yield camera
    finally:
        camera.close()


def seen(camera: PiCamera) -> tuple[Image, Image]:
    """The next picture that is to be seen."""
    for _ in range(MOST_FRAMES):
        picture = camera.read()
        if picture is not None and picture[1] is not None:
            return picture[0], picture[1]
    raise AssertionError("nothing is to be seen")


def fixed(board: Board) -> list[dict[str, object]]:
    return [each for each in board.named("set_controls") if each.get("AeEnable") is False]


# -- one configuration, two streams ------------------------------------------------------------


def test_one_configuration_with_two_streams_serves_all_night(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        board.light = 0.2
        for _ in range(150):
            camera.read()
    (configuration,) = board.named("configure")
    assert configuration["main"] == {"size": (128, 72), "format": "RGB888"}
    assert configuration["lores"] == {"size": (64, 36), "format": "YUV420"}
    assert configuration["raw"] is None  # a third stream takes buffers that a Zero has not
    assert configuration["buffer_count"] in {3, 4}
    assert configuration["controls"] == {"FrameRate": 15.0}
    assert len(board.named("start")) == 1


def test_what_is_called_rgb_arrives_as_blue_green_red(board: Board) -> None:
    with opened(board) as camera:
        image, _ = seen(camera)
    blue, green, red = image[28, 58]  # the red sign on the white card
    assert red > 4 * green
    assert green > blue
    assert np.ptp(image[40, 70].astype(int)) < 3  # the white of the card


def test_the_small_picture_is_the_brightness_without_the_padding_of_its_rows(
    board: Board,
) -> None:
    with opened(board) as camera:
        image, grey = seen(camera)
    assert grey.shape == (36, 64)
    assert np.abs(grey - image[::2, ::2].mean(2)).max() <= 1


def test_both_pictures_are_of_one_request_which_is_given_back(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        before, board.calls = board.frames, []
        camera.read()
        assert board.frames == before + 1
        assert [call for call, _ in board.calls] == ["make_array", "make_array"]
        assert board.owner is not None
        assert board.owner.out == 0


def test_a_request_is_given_back_when_its_picture_cannot_be_had(board: Board) -> None:
    with opened(board) as camera:
        board.fail = "make_array"
        for _ in range(6):  # there are four buffers
            with pytest.raises(RuntimeError, match="no buffer"):
                camera.read()
        board.fail = ""
        seen(camera)


# -- light and focus ---------------------------------------------------------------------------


def test_exposure_and_white_balance_get_time_and_are_then_kept(board: Board) -> None:
    with opened(board) as camera:
        pictures = [camera.read() for _ in range(60)]
        images = [picture[0] for picture in pictures if picture is not None]
    judged = len(pictures) - len(images)
    assert pictures[:judged] == [None] * judged
    assert judged * FRAME >= SETTINGS.settle_seconds
    (kept,) = fixed(board)
    assert kept["ExposureTime"] == 20_000  # what it strives for, not what it began with
    assert kept["AwbEnable"] is False
    assert kept["ColourGains"] == pytest.approx(TRUE_GAINS, rel=0.05)
    assert np.ptp(np.stack(images).astype(int), axis=0).max() == 0


def test_the_lens_is_set_by_hand_and_stays(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        assert board.owner is not None
        assert board.owner.state["LensPosition"] == 2.5
    lens = [each for each in board.named("set_controls") if "AfMode" in each]
    assert lens == [{"AfMode": 0, "LensPosition": 2.5}]


def test_a_lens_that_cannot_move_is_left_alone() -> None:
    board = Board(lens=False)
    with opened(board) as camera:
        seen(camera)
        assert camera.focus() is None
    assert not [each for each in board.named("set_controls") if "AfMode" in each]


def test_the_focus_is_searched_once_and_kept(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        assert camera.focus() == pytest.approx(2.86)
        seen(camera)
    assert board.named("set_controls")[-1] == {"AfMode": 0, "LensPosition": 2.86}
    assert len(board.named("autofocus_cycle")) == 1


def test_a_focus_that_is_never_found_holds_up_nothing(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.picamera.FOCUS_SECONDS", 0.1)
    board.blind_focus = True
    with opened(board) as camera:
        seen(camera)
        assert camera.focus() is None
        seen(camera)
    assert board.named("set_controls")[-1] == {"AfMode": 0, "LensPosition": 2.5}


@pytest.mark.parametrize("light", [0.2, 5.0])
def test_when_the_light_changes_for_good_it_is_judged_anew(board: Board, light: float) -> None:
    with opened(board) as camera:
        image, _ = seen(camera)
        board.light = light
        for _ in range(150):
            camera.read()
        again, _ = seen(camera)
    assert len(fixed(board)) == 2
    assert np.abs(again.astype(int) - image).mean() < 12


@pytest.mark.parametrize("lamp", [(1.35, 0.7), (0.8, 1.3)])
def test_when_only_the_colour_of_the_lamp_changes_white_is_judged_anew(
    board: Board, lamp: tuple[float, float]
) -> None:
    with opened(board) as camera:
        seen(camera)
        board.lamp = lamp
        tinted, _ = seen(camera)
        for _ in range(150):
            camera.read()
        again, _ = seen(camera)
    assert np.ptp(tinted[40, 70].astype(int)) > 50
    assert np.ptp(again[40, 70].astype(int)) < 8  # the white of the card
    first, second = fixed(board)
    gains = [true / seen for true, seen in zip(TRUE_GAINS, lamp, strict=True)]
    assert second["ColourGains"] == pytest.approx(gains, rel=0.05)
    assert second["ExposureTime"] == first["ExposureTime"]


def test_what_the_light_does_meanwhile_is_no_card_that_moves(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        settler, motions = Settler(), []
        for step in range(300):
            if step == 30:
                board.light = 0.45
            picture = camera.read()
            if picture is not None and picture[1] is not None:
                motions.append(settler.step(picture[1], board.clock()))
    assert len(fixed(board)) == 2
    assert motions.count(Motion.SETTLED) == 1


def test_a_shadow_that_passes_changes_nothing(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        for light in (0.5, 1.0, 0.5, 1.0):
            board.light = light
            for _ in range(25):
                assert camera.read() is not None
    assert len(fixed(board)) == 1


@pytest.mark.parametrize("light", [0.3, 4.0])
def test_cards_are_not_looked_for_where_they_cannot_be_made_out(board: Board, light: float) -> None:
    with opened(board) as camera:
        seen(camera)
        board.light = light
        assert [camera.read() for _ in range(20)] == [None] * 20
        board.light = 1.0
        assert camera.read() is not None


# -- what goes wrong ---------------------------------------------------------------------------


def test_frames_that_stop_are_a_fault_after_a_while(board: Board) -> None:
    with opened(board) as camera:
        seen(camera)
        board.stalled = True
        with pytest.raises(TimeoutError, match=r"no picture for 0\.2 seconds"):
            camera.read()


def test_a_capture_that_never_ends_does_not_hold_up_closing(board: Board) -> None:
    camera = PiCamera(board, SETTINGS, clock=board.clock)
    board.stalled = True
    with pytest.raises(TimeoutError):
        camera.read()
    board.calls.clear()
    camera.close()
    assert [call for call, _ in board.calls][:3] == ["cancel_all_and_flush", "stop", "close"]


@pytest.mark.parametrize("fail", ["", "stop", "cancel_all_and_flush"])
def test_it_is_closed_once_whatever_happens(board: Board, fail: str) -> None:
    camera = PiCamera(board, SETTINGS, clock=board.clock)
    board.fail = fail
    if fail == "stop":
        assert board.owner is not None
        board.owner.started = False  # close() stops it as well, which would fail again
    with pytest.raises(RuntimeError) if fail else contextlib.nullcontext():
        camera.close()
    camera.close()
    assert len(board.named("close")) == 1


def test_an_old_picamera2_that_gives_nothing_up_is_closed_all_the_same(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("tests.vision.fake_picamera2.Picamera2.cancel_all_and_flush")
    with opened(board) as camera:
        seen(camera)
    assert board.calls[-1][0] == "close"


@pytest.mark.parametrize("fail", ["configure", "start", "set_controls"])
def test_it_is_closed_when_it_does_not_start(board: Board, fail: str) -> None:
    board.fail = fail
    with pytest.raises(RuntimeError, match=f"{fail} failed"):
        PiCamera(board, SETTINGS, clock=board.clock)
    assert board.calls[-1][0] == "close"


def test_it_is_closed_when_the_light_cannot_be_kept(board: Board) -> None:
    with source(board) as live:
        board.fail = "set_controls"
        board.light = 0.2
        told = itertools.islice(live, MOST_FRAMES)
        reader = live._reader
        assert reader is not None
        next(told)
        reader.join(10)
        board.fail = ""
    assert board.owner is None


@pytest.mark.parametrize(
    ("fail", "connected", "words"),
    [
        ("", False, "no camera is connected"),
        ("open", False, "no camera is connected"),
        ("info", False, f"does not start .{INCOMPLETE}"),
    ],
)
def test_no_camera_is_said_in_words(fail: str, connected: bool, words: str) -> None:
    board = Board(connected=connected)
    board.fail = fail
    with pytest.raises(OSError, match=words):
        PiCamera(board, SETTINGS)


def test_a_camera_that_somebody_else_has_is_busy(board: Board) -> None:
    with (
        opened(board),
        pytest.raises(OSError, match="is another program using it"),
    ):
        PiCamera(board, SETTINGS)
    with opened(board) as camera:
        seen(camera)


# -- closed and opened again -------------------------------------------------------------------


def source(board: Board, told: list[str] | None = None) -> LiveSource:
    return LiveSource(
        lambda: PiCamera(board, SETTINGS, clock=board.clock),
        "the Pi camera", 200.0, tell=(told if told is not None else []).append,
        patience=10.0, start_patience=20.0, pauses=(0.05, 0.1),
    )  # fmt: skip


def test_a_camera_whose_frames_stop_is_closed_and_opened_again(board: Board) -> None:
    told: list[str] = []
    board.gap = 0.002
    with source(board, told) as live:
        frames = iter(live)
        for _ in range(5):
            next(frames)
        board.stalled = True
        first = board.owner
        # By then it has been opened anew more than once, without a frame.
        threading.Timer(1.5, setattr, (board, "stalled", False)).start()
        for _ in range(5):
            frame = next(frames)
        assert frame.image is not None
        assert board.owner is not first
    assert board.opened >= 2
    assert len(board.named("configure")) == board.opened
    assert board.refused == 0  # it was never left busy
    assert told == [
        "the Pi camera has stopped (no picture for 0.2 seconds); trying to get it back",
        "the Pi camera is back",
    ]
    assert board.owner is None


def test_frames_reach_the_reader_with_their_grey_companion(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.SimpleNamespace(Picamera2=board)
    monkeypatch.setitem(sys.modules, "picamera2", module)  # type: ignore[arg-type]
    board.gap = 0.001
    with open_pi_camera(10, CameraSettings(settle_seconds=0.1)) as live:
        frame = next(iter(live))
    assert frame.image.shape == (720, 1280, 3)
    assert frame.grey is not None
    assert frame.grey.shape == (180, 320)
    assert frame.grey.dtype == np.uint8


def test_the_focus_is_searched_between_two_frames(board: Board) -> None:
    board.gap = 0.002
    with source(board) as live:
        assert live.focus() == pytest.approx(2.86)
        assert next(iter(live)).image is not None
    assert live.focus() is None


def test_a_picamera2_that_does_not_fit_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    monkeypatch.setitem(sys.modules, "picamera2", Broken("picamera2"))
    with pytest.raises(SourceError, match=r"does not start \(numpy\.dtype size changed"):
        open_pi_camera(10)
