"""A night as the fold of its acts: who sits where, which games were played, where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.errors import nearest, one_of, shown
from engine.game import Game
from engine.setup import Setup, check_spelling, likeness
from firmware import fixes
from firmware.fixes import Doing, judged
from firmware.night.acts import (
    Abandoned,
    Act,
    Agreed,
    Began,
    Closed,
    Did,
    Edited,
    Ended,
    Joined,
    Left,
    NightError,
    Opened,
    PlayedOn,
    Renamed,
    Reopened,
    Seated,
)
from firmware.night.names import check_name, check_reason
from firmware.night.scoring import PLAIN, Result, Score, Scored, Terms, next_starter, score


@dataclass(frozen=True, slots=True)
class Round:
    """One game of the night, names as they are now.

    ``doings`` are what happened in it, where that was read, and ``plays`` is how many entries
    they are. ``result`` is None while it is not over; ``changed`` is why it is another than was
    played, None if it is not. ``edits`` are results that stood before, each with the reason for
    which it went. ``abandoned`` is the reason, None if it was not.
    """

    number: int
    setup: Setup
    doings: tuple[Doing, ...] = ()
    plays: int = 0
    result: Result | None = None
    edits: tuple[tuple[Result, str], ...] = ()
    changed: str | None = None
    abandoned: str | None = None

    @property
    def unfinished(self) -> bool:
        """Whether it can still be played on."""
        return self.result is None and self.abandoned is None

    @property
    def staying(self) -> tuple[str, ...]:
        """Who played it to its end, or does so still."""
        away = self.game().table.away
        return tuple(name for seat, name in enumerate(self.setup.players) if seat not in away)

    def game(self) -> Game:
        """The game as its doings leave it."""
        game = Game.new(self.setup)
        for doing in self.doings:
            game, _ = judged(game, doing)
        return game


@dataclass(frozen=True, slots=True)
class Night:
    """One evening, after its acts so far.

    ``players`` are all who ever sat down, ``seats`` those who sit there now, in order.
    ``began`` is the clock at its opening, for showing only.
    """

    number: int = 0
    terms: Terms = PLAIN
    players: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    open: bool = False
    began: str = ""

    @staticmethod
    def fold(acts: Iterable[Act], number: int = 0, began: str = "") -> Night:
        """The night after these acts; NightError if one of them cannot be."""
        night = Night(number=number, began=began)
        for act in acts:
            night = night.after(act)
        return night

    @property
    def current(self) -> Round | None:
        """The game that is being played."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].unfinished else None

    @property
    def still_on(self) -> bool:
        """Whether another game can follow: it is not closed, and nobody has the whole word."""
        return self.open and not self.score.over

    @property
    def counted(self) -> tuple[Round, ...]:
        """The games that have a result."""
        return tuple(each for each in self.rounds if each.result is not None)

    @property
    def score(self) -> Score:
        """Where the night stands."""
        games = [
            Scored(each.setup.rules, each.setup.players, each.result, _dealer(each.setup))
            for each in self.counted
            if each.result is not None
        ]
        return score(games, self.terms, self.seats)

    def next_setup(self, setup: Setup) -> Setup:
        """The set-up with who deals and begins by the score; as it is before the first game.

        Who begins is up to the rules of the game that is dealt, not of the one before.
        """
        if not self.counted:
            return setup
        score, players = self.score, setup.players
        dealer = score.dealer if score.dealer in players else _dealer(setup)
        first = next_starter(setup.rules, dealer, players, score.winner)
        return Setup.new(setup.rules, players, setup.decks, dealer, first)

    def after(self, act: Act) -> Night:
        """The night after another act; NightError says why it cannot be."""
        if isinstance(act, Opened):
            if self.open or self.players:
                raise NightError("the night has begun already")
            return replace(self, open=True, terms=act.terms)
        if isinstance(act, Edited):
            return self._edited(act)
        if isinstance(act, Reopened):
            return replace(self, open=True)
        if not self.open:
            raise NightError(f"night {self.number} is over; night resume {self.number} opens it")
        if isinstance(act, Closed):
            return replace(self, open=False)
        if isinstance(act, Agreed):
            return replace(self, terms=act.terms)
        if isinstance(act, Joined | Left | Seated | Renamed):
            return self._sat(act)
        if isinstance(act, Did):
            return self._did(act)
        return self._played(act)

    def allow(self, act: Act) -> None:
        """NightError if the score forbids the act: no game begins once the word is complete.

        Nor may names be too like, or a reason be what cannot be shown. This is asked once, when
        the act is done, and not again when the night is read.
        """
        if isinstance(act, Joined):
            self._check_unlike(act.player, self.players)
        if isinstance(act, Renamed):
            self._check_unlike(act.name, tuple(n for n in self.players if n != act.player))
        if isinstance(act, Edited | Abandoned):
            check_reason(act.reason)
        if isinstance(act, Edited) and 1 <= act.game <= len(self.rounds):
            _check_somebody_left(self.rounds[act.game - 1], act.result)
        if isinstance(act, Ended) and self.current is not None:
            _check_somebody_left(self.current, act.result)
        if isinstance(act, Began) and self.score.over:
            raise NightError(
                f"the night is over: {self.score.loser} has the whole word; night open begins"
                " another, and night terms another word for this one"
            )

    def spelt(self, name: str) -> str:
        """The name as it is spelt tonight, if somebody has one that cannot be told apart from it.

        Who left as Cat and comes back as cat has the letters and the hat of before.
        """
        if name in self.players:
            return name
        alike = likeness(name)
        return next((each for each in self.players if likeness(each) == alike), name)

    @staticmethod
    def _check_unlike(name: str, players: tuple[str, ...]) -> None:
        """SetupError if another of the players, here or gone home, has a name too like this."""
        for other in players:
            check_spelling((other, name))

    # -- the seats ---------------------------------------------------------------------------

    def _sat(self, act: Joined | Left | Seated | Renamed) -> Night:
        if isinstance(act, Seated):
            if sorted(act.players) != sorted(self.seats):
                raise NightError(f"the seats take each of {one_of(self.seats)} once, in order")
            return replace(self, seats=act.players)
        if isinstance(act, Joined):
            check_name(act.player)
            if act.player in self.seats:
                raise NightError(f"{act.player} sits here already")
            at = len(self.seats) if act.seat is None else act.seat
            players = self.players if act.player in self.players else (*self.players, act.player)
            seats = (*self.seats[:at], act.player, *self.seats[at:])
            return replace(self, players=players, seats=seats)
        if isinstance(act, Left):
            self._known(act.player, self.seats)
            return replace(self, seats=tuple(name for name in self.seats if name != act.player))
        return self._renamed(act)

    def _renamed(self, act: Renamed) -> Night:
        self._known(act.player, self.players)
        check_name(act.name)
        if act.name == act.player:
            raise NightError(f"{act.name} is called so already; expected another name")
        if act.name in self.players:
            raise NightError(f"there is another {act.name} tonight; names must differ")

        def new(name: str) -> str:
            return act.name if name == act.player else name

        return replace(
            self,
            players=tuple(map(new, self.players)),
            seats=tuple(map(new, self.seats)),
            rounds=tuple(_renamed_round(each, act) for each in self.rounds),
        )

    @staticmethod
    def _known(name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise NightError(
                f"no {shown(name)} sits here; expected {one_of(names)}{nearest(name, names)}"
            )

    # -- the games ---------------------------------------------------------------------------

    def _played(self, act: Began | Ended | Abandoned | PlayedOn) -> Night:
        if isinstance(act, PlayedOn):
            return self._played_on()
        if isinstance(act, Abandoned) and act.game is not None:
            return self._struck_out(act, act.game)
        last = self.current
        if isinstance(act, Began):
            if last is not None:
                raise NightError(f"game {last.number} is not over; abandon it or play on")
            for name in act.setup.players:
                self._known(name, self.seats)
            return replace(self, rounds=(*self.rounds, Round(len(self.rounds) + 1, act.setup)))
        if last is None and isinstance(act, Ended) and self.rounds:
            # It was played on after an undo; who reads results alone does not see that.
            last = self.rounds[-1] if self.rounds[-1].result is not None else None
        if last is None:
            raise NightError("no game is on that could end")
        if isinstance(act, Abandoned):
            return self._with(replace(last, abandoned=act.reason))
        _check_result(last, act.result)
        plays = max(act.plays, last.plays)
        return self._with(replace(last, result=act.result, changed=None, plays=plays))

    def _did(self, act: Did) -> Night:
        last = self.rounds[-1] if self.rounds else None
        if last is None or last.abandoned is not None:
            raise NightError("there is no game in which this could happen")
        # A game that was over and is played on, after an undo, has no result any more.
        doings = (*last.doings, act.doing)
        now = replace(last, doings=doings, plays=len(doings), result=None, changed=None)
        return self._with(now)

    def _played_on(self) -> Night:
        if not self.rounds or self.rounds[-1].unfinished:
            raise NightError("there is no game that was ended and could go on")
        last = self.rounds[-1]
        edits = last.edits if last.result is None else (*last.edits, (last.result, ""))
        return self._with(replace(last, result=None, edits=edits, changed=None, abandoned=None))

    def _struck_out(self, act: Abandoned, number: int) -> Night:
        struck = self._round(number)
        if not act.reason.strip() and struck.result is not None:
            raise NightError("a result is only taken out for a reason; say it, with --reason")
        edits = (
            struck.edits if struck.result is None else (*struck.edits, (struck.result, act.reason))
        )
        now = replace(struck, result=None, edits=edits, changed=None, abandoned=act.reason)
        return self._with(now)

    def _round(self, number: int) -> Round:
        if not 1 <= number <= len(self.rounds):
            raise NightError(f"there is no game {number}; the night has {len(self.rounds)}")
        return self.rounds[number - 1]

    def _edited(self, act: Edited) -> Night:
        before = self._round(act.game)
        if not act.reason.strip():
            raise NightError("a result is only changed for a reason; say it, with --reason")
        _check_result(before, act.result)
        old = before.result or Result()
        now = replace(
            before,
            result=act.result,
            abandoned=None,
            edits=(*before.edits, (old, act.reason)),
            changed=act.reason,
        )
        return self._with(now)

    def _with(self, now: Round) -> Night:
        at = now.number
        return replace(self, rounds=(*self.rounds[: at - 1], now, *self.rounds[at:]))


def result_of(game: Game) -> Result:
    """The result of a game as it stands; who left in the middle of it has no place."""
    table = game.table
    return Result(tuple(game.setup.players[seat] for seat in table.out), table.name(table.loser))


def taken_down(night: Night, doings: Sequence[Doing], before: Game, after: Game) -> list[Act]:
    """The acts that keep these doings of the game that is on.

    Whoever left the table by them gets up, whoever is back in the game by an undo sits down
    where he sat, and a game that is over has its result.
    """
    batch: list[Act] = [Did(doing) for doing in doings]
    names, seats = after.setup.players, night.seats
    for seat, name in enumerate(names):
        was, now = seat in before.table.away, seat in after.table.away
        if now and not was and name in seats:
            batch.append(Left(name))
        elif was and not now and name not in seats:
            behind = [seats.index(each) for each in names[:seat] if each in seats]
            place = behind[-1] + 1 if behind else 0
            seats = (*seats[:place], name, *seats[place:])
            batch.append(Joined(name, place))
    if after.table.over:
        batch.append(Ended(result_of(after), len(night.rounds[-1].doings) + len(doings)))
    return batch


def _check_result(played: Round, result: Result) -> None:
    names = (*result.out, *([] if result.loser is None else [result.loser]))
    if not names:
        raise NightError("a result names who won or who lost, or both")
    for name in names:
        Night._known(name, played.setup.players)
        if names.count(name) > 1:
            raise NightError(f"{name} cannot end a game twice")


def _check_somebody_left(played: Round, result: Result) -> None:
    if len(result.out) >= len(played.setup.players):
        raise NightError("somebody is left with cards; name those who finished without the loser")


def _dealer(setup: Setup) -> str:
    return setup.players[setup.dealer]


def _renamed_round(played: Round, act: Renamed) -> Round:
    def new(name: str) -> str:
        return act.name if name == act.player else name

    def result(old: Result) -> Result:
        return Result(tuple(map(new, old.out)), None if old.loser is None else new(old.loser))

    return replace(
        played,
        setup=replace(played.setup, players=tuple(map(new, played.setup.players))),
        doings=tuple(_renamed_doing(doing, act) for doing in played.doings),
        result=None if played.result is None else result(played.result),
        edits=tuple((result(old), reason) for old, reason in played.edits),
    )


def _renamed_doing(doing: Doing, act: Renamed) -> Doing:
    """The event or fix with the new name, wherever its JSON form holds names."""
    data = fixes.to_json(doing)
    for key in ("by", "player"):
        if data.get(key) == act.player:
            data[key] = act.name
    if "faceup" in data:
        rows = data["faceup"].items()
        data["faceup"] = {act.name if name == act.player else name: row for name, row in rows}
    return fixes.from_json(data)
