"""The helpers of these tests (table_talk, gallery) lie beside them; the device and its pins."""

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
