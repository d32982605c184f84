"""Whether a night that comes from elsewhere is one that could have been played.

Its checksums prove that nothing was damaged on the way, not that it was ever true: anybody can
write such a file. So it is gone through act by act, as if it were happening now.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from engine.errors import PilewatchError, shown
from engine.game import Game
from firmware.fixes import judged
from firmware.journal import Entry, NightFile
from firmware.night.acts import (
    Act,
    Began,
    Did,
    Ended,
    NightError,
    Opened,
    PlayedOn,
    Renamed,
    act_of,
)
from firmware.night.night import Night, result_of

MOST_NUMBER = 10**6
"""No device keeps more nights, and a larger number leaves no room for those that follow."""
MOST_ENTRIES, MOST_PLAYERS = 50_000, 100
"""A night of ten games has 1,300 entries."""


def checked(whole: NightFile, where: str) -> Night:
    """The night of a file; NightError names ``where`` it comes from if it cannot have been."""
    try:
        if whole.number > MOST_NUMBER:
            raise NightError(f"expected a number up to {MOST_NUMBER}, not {whole.number}")
        if len(whole.entries) > MOST_ENTRIES:
            raise NightError(f"expected up to {MOST_ENTRIES} entries, not {len(whole.entries)}")
        for entry in whole.entries:
            _check_text(entry)
        return _played(act_of(entry.kind, entry.body) for entry in whole.entries)
    except PilewatchError as wrong:
        raise NightError(f"{where}: it holds no night that can be ({wrong})") from None
    except RecursionError:
        raise NightError(f"{where}: it holds no night that can be (nested too deep)") from None


def _check_text(entry: Entry) -> None:
    try:
        # Half a letter cannot be kept, and what is no time is not to be shown for one.
        entry.body.encode()
        if entry.at:
            datetime.fromisoformat(entry.at)
    except ValueError:
        raise NightError(
            f"entry {entry.seq} is of {shown(entry.at)}; expected a time and text that can be kept"
        ) from None


def _played(acts: Iterable[Act]) -> Night:
    """The night after these acts, each of them allowed and each play judged in its turn."""
    night, game, ended = Night(), None, False
    for number, act in enumerate(acts, 1):
        try:
            if (number == 1) != isinstance(act, Opened):
                raise NightError("a night is opened once, by its first entry")
            night.allow(act)
            if isinstance(act, Ended):
                _check_end(night, game if ended else None, act)
            night = night.after(act)
            if len(night.players) > MOST_PLAYERS:
                raise NightError(f"expected up to {MOST_PLAYERS} players in one night")
            if isinstance(act, Did):
                played = night.rounds[-1]
                game = played.game() if game is None else judged(game, act.doing)[0]
                ended = game.table.over
            elif isinstance(act, Began | Renamed):
                game, ended = None, False
            elif isinstance(act, PlayedOn):
                ended = False  # and may be ended in another way
        except PilewatchError as wrong:
            raise NightError(f"entry {number}: {wrong}") from None
    return night


def _check_end(night: Night, game: Game | None, act: Ended) -> None:
    """NightError unless the end is what the plays of the game, if they end it, come to."""
    played = night.current
    if played is not None and act.plays != played.plays:
        raise NightError(f"game {played.number} has {played.plays} plays, not {act.plays}")
    if game is not None and act.result != result_of(game):
        raise NightError("a game's result is not what its plays come to")
