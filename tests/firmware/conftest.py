"""The helpers of these tests (table_talk, gallery) lie beside them; the device, and its nights."""

import sys
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def pins():
    """The makers' own pins without a board."""
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = None


@pytest.fixture
def device(pins, tmp_path):
    """The whole device, its clock moved by hand."""
    from the_device import TheDevice

    device = TheDevice(tmp_path)
    yield device
    device.close()


@pytest.fixture
def night(capsys, tmp_path, monkeypatch):
    """Runs ``pilewatch night`` with these words, a journal of its own in ``tmp_path``.

    Returns exit code, output and complaints.
    """
    from firmware.cli import main

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["night", *words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


@pytest.fixture
def ended(night):
    """As ``night``, in a night of Ann, Bob and Cat in which Bob has lost the first game."""
    from night_command import done

    done(night("open", "Ann,Bob,Cat"))
    done(night("result", "--winner", "Ann", "--loser", "Bob"))
    return night


@pytest.fixture
def book(tmp_path):
    """The book of an empty journal."""
    from firmware.night.book import open_book

    with open_book(tmp_path) as book:
        yield book


@pytest.fixture
def on(book):
    """Its first game: Ann to play on a jack, a nine, a seven and a six; the plug is pulled."""
    from kept_table import Evening

    Evening(book).play("land 6C; wait 2; land 7H; land 9D; land JS")
    return book


@pytest.fixture(scope="module")
def played():
    """The folder of a journal with an evening of two games in it, which is still on."""
    import evenings
    import mishaps

    from firmware.night.acts import Opened
    from firmware.night.book import open_book

    with mishaps.quick_folder() as folder:
        with open_book(folder) as book:
            for first, *rest in evenings.evening(4, games=2, players=4, close=False):
                if isinstance(first, Opened):
                    book.open_night(first=rest)
                else:
                    book.write(first, *rest)
        yield str(folder)
