"""A clock without a battery: whatever it shows, nights are kept, shown and carried away."""

from __future__ import annotations

import json

import pytest
from night_command import done

from firmware import clock
from firmware.cli import main
from firmware.commands.doctor import all_checks
from firmware.config import defaults, parse_config
from firmware.device.build import build_voice

MOMENTS = {
    "before 1970": (-15 * 86400.0, "1969-12"),
    "before all calendars": (-(10.0**12), ""),
    "the last second of 9999": (253402300799.0, "9999-12-31"),
    "the year 10000": (253402300800.0, ""),
    "more than a C library takes": (2.0**62, ""),
}
CLOCKS = pytest.mark.parametrize(("seconds", "began"), MOMENTS.values(), ids=MOMENTS)


@pytest.fixture
def shows(monkeypatch):
    """Has the device's clock show so many seconds after 1970."""
    return lambda seconds: monkeypatch.setattr("time.time", lambda: seconds)


@CLOCKS
def test_a_night_is_kept_and_shown_whatever_the_clock_shows(night, shows, seconds, began):
    shows(seconds)
    done(night("open", "Ann,Bob"))
    title = done(night("result", "--loser", "Bob")).splitlines()[0]
    shown = began or "(still on)"
    assert title.startswith(f"Night 1  {shown}")
    assert done(night("list")).splitlines()[1].startswith(f"    1  {shown}")
    assert done(night("list", "--csv")).splitlines()[1].startswith(f"1,{began}")
    assert json.loads(done(night("list", "--json")))["began"].startswith(began)
    assert json.loads(done(night("--json")))["began"].startswith(began)
    assert ('<p class="when">' in done(night("--html"))) == bool(began)
    assert done(night("--csv"))


@CLOCKS
def test_a_night_of_any_clock_can_be_carried_away_and_restored(
    night, shows, tmp_path, capsys, seconds, began
):
    shows(seconds)
    done(night("open", "Ann,Bob"))
    done(night("result", "--loser", "Bob"))
    done(night("export", "1", str(tmp_path / "file")))
    assert main(["backup", str(tmp_path)]) == 0
    kept = json.loads(done(night("list", "--json")).splitlines()[-1])
    for name, words in (
        ("one", ["night", "import", str(tmp_path / "file")]),
        ("two", ["restore", str(tmp_path)]),
    ):
        elsewhere = ["--journal", str(tmp_path / name)]
        assert main([*words, *elsewhere]) == 0
        assert capsys.readouterr().err == ""
        assert json.loads(done(night("list", "--json", *elsewhere))) == kept


@CLOCKS
def test_quiet_hours_need_an_hour(shows, seconds, began):
    shows(seconds)
    quiet = [
        build_voice(parse_config(f'[voice]\nkind = "speech"\nquiet = "{hours}"\n', "x"))._quiet()
        for hours in ("00:00-12:00", "12:00-00:00")
    ]
    assert sum(quiet) == bool(began)


@CLOCKS
def test_the_doctor_looks_at_any_clock(shows, seconds, began):
    shows(seconds)
    finding = dict(all_checks(defaults()))["clock"]()
    assert finding.well == (began == "9999-12-31")


def test_a_zone_that_no_calendar_has_is_that_of_greenwich(monkeypatch):
    """A journal of such a zone was refused where it was restored."""

    class Odd(clock.datetime):
        def astimezone(self, zone=None):
            if zone is None:
                raise ValueError("offset must be strictly between -24 and 24 hours")
            return super().astimezone(zone)

    monkeypatch.setattr(clock, "datetime", Odd)
    assert clock.stamp(clock.moment(0.0)) == "1970-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        ("2026-05-01T20:15:30+0200", "2026-05-01 20:15"),
        ("2026-05-01T20:15:30+02:00", "2026-05-01 20:15"),
        ("10000-01-01T00:00:00+0000", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_the_day_and_hour_of_what_was_written(stamp, told):
    assert clock.day_and_hour(stamp) == told
