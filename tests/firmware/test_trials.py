"""The device tried at a virtual table: nothing of it gets into the nights of people."""

from __future__ import annotations

import pytest
from the_device import TheDevice

from firmware.config import parse_config
from firmware.device.appliance import Where
from firmware.device.build import build
from firmware.device.notify import Notifier
from firmware.night.book import TRIALS, open_book, usual_folder

pytestmark = pytest.mark.usefixtures("pins")


@pytest.mark.parametrize(("source", "name"), [("virtual:7", TRIALS), ("none", "journal")])
def test_a_virtual_table_has_a_journal_of_its_own(tmp_path, monkeypatch, source, name):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    config = parse_config(f'[camera]\nsource = "{source}"\n', "x")
    appliance = build(config, lambda: 0.0, Notifier({}))
    assert appliance.accounts.book.journal.folder == usual_folder(name) == tmp_path / name
    appliance.accounts.close()


def test_a_trial_leaves_alone_the_game_that_waits(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    first = TheDevice(tmp_path / "journal")
    first.begin().wait(3).land("5C").land("7H")
    first.close()
    trial = build(parse_config('[camera]\nsource = "virtual:7"\n', "x"), lambda: 0.0, Notifier({}))
    trial.step(0.1)
    assert trial.where is Where.GAME
    trial.accounts.close()
    with open_book() as book:
        assert len(book.nights()) == 1
        assert book.opened.current is not None
