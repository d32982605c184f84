"""The helpers of these tests (table_talk, gallery) lie beside them."""

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
