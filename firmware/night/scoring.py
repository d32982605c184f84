"""The score of a night: letters, hat, points, who deals and who begins, from its results.

Pure: games in, score out. Where the text of a rule set is silent the loser deals, and if only
a winner is known the deal passes to the left (classic, reading 11).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.errors import SetupError, shown
from engine.house_rules import HouseRules

WORD = "IDIOTA"
"""The word of the Spanish rules, which have letters by themselves (idiota, rule 20)."""

LETTERED = "idiota"
LONGEST_WORD = 24


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table plays for.

    ``word`` is collected letter by letter by the losers, and completing it ends the night;
    None leaves that to the rules of each game, an empty one is none. ``points`` are for the
    places, the first first; places beyond them get nothing.
    """

    word: str | None = None
    points: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        word = self.word
        if word and (len(word) > LONGEST_WORD or not word.isprintable() or not word.strip()):
            raise SetupError(
                f"the word takes up to {LONGEST_WORD} letters that can be shown, not {shown(word)}"
            )
        if any(not -1000 <= points <= 1000 for points in self.points):
            raise SetupError("points take numbers from -1000 to 1000, the first place first")


PLAIN = Terms()
"""What the rules of each game say, and no points."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: who has no cards left, the first to finish first, and who lost.

    Either may be unknown; what is known of the places need not be all of them.
    """

    out: tuple[str, ...] = ()
    loser: str | None = None

    @property
    def winner(self) -> str | None:
        """Who was first out, None if that is not known."""
        return self.out[0] if self.out else None


def completed(said: Result, seats: tuple[str, ...], before: Result = Result()) -> Result:
    """The result with what it leaves open: as it stood ``before``, or as only one can be.

    What is said wins over what stood. A winner or loser alone takes that place and leaves the
    others in their order. Where one place is left and one player, it is his.
    """
    out, loser = said.out, said.loser
    if len(out) == 1 and out[0] in before.out:
        out = (*out, *(name for name in before.out if name not in (*out, loser)))
    elif not out:
        out = tuple(name for name in before.out if name != loser)
        if loser != before.loser and len(before.out) == len(seats) - 1 > 1 and before.loser:
            out = (*out, before.loser)  # finished after all, behind those who are known to have
    if loser is None and before.loser not in out:
        loser = before.loser
    rest = [name for name in seats if name not in (*out, loser)]
    if len(rest) == 1 and loser is None:
        loser = rest[0]
    elif len(rest) == 1:
        out = (*out, rest[0])
    return Result(out, loser)


@dataclass(frozen=True, slots=True)
class Scored:
    """A finished game as the score sees it: ``seats`` in order, ``dealer`` None: unknown."""

    rules: HouseRules
    seats: tuple[str, ...]
    result: Result
    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """Where the night stands.

    ``letters`` count; ``worn`` is after how many games each player wore the hat; ``hat`` is
    who wears it. ``dealer`` and ``starter`` are those of the next game by the rules of the
    last one; None: the cards, or the table, decide. ``winner`` won that last game.
    ``loser`` has completed the word, and the night is over.
    """

    word: str = ""
    letters: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    wins: dict[str, int] = field(default_factory=dict)
    worn: dict[str, int] = field(default_factory=dict)
    hat: str | None = None
    dealer: str | None = None
    starter: str | None = None
    winner: str | None = None
    loser: str | None = None

    @property
    def over(self) -> bool:
        """Whether somebody has completed the word."""
        return self.loser is not None

    def letters_of(self, player: str) -> str:
        """The letters that a player has."""
        return self.word[: self.letters.get(player, 0)]

    def after(self, game: Scored, terms: Terms, present: tuple[str, ...] = ()) -> Score:
        """The score after another game; ``present`` are those who still sit here, in order.

        Once the night is over further games change nothing but who plays next.
        """
        result = game.result
        present = present or game.seats
        dealer = _next_dealer(game, present)
        starter = next_starter(game.rules, dealer, present, result.winner)
        if self.over:
            return replace(self, dealer=dealer, starter=starter, winner=result.winner)
        loser, word = result.loser, _word(game.rules, terms)
        letters = _one_more(self.letters, loser if word else None)
        hat = loser or self.hat
        return Score(
            word=word or self.word,
            letters=letters,
            points=self._paid(game, terms),
            losses=_one_more(self.losses, loser),
            wins=_one_more(self.wins, result.winner),
            worn=_one_more(self.worn, hat),
            hat=hat,
            dealer=dealer,
            starter=starter,
            winner=result.winner,
            loser=loser if loser and word and letters[loser] >= len(word) else None,
        )

    def _paid(self, game: Scored, terms: Terms) -> dict[str, int]:
        if not terms.points:
            return self.points
        points = dict(self.points)
        for player, won in zip(places(game), terms.points, strict=False):
            if player is not None:
                points[player] = points.get(player, 0) + won
        return points


def score(games: Iterable[Scored], terms: Terms, present: tuple[str, ...] = ()) -> Score:
    """The score after these games."""
    total = Score(word=terms.word or "")
    for game in games:
        total = total.after(game, terms, present)
    return total


def places(game: Scored) -> tuple[str | None, ...]:
    """Who came in at each place, None where that is not known."""
    out: list[str | None] = list(game.result.out)
    out += [None] * (len(game.seats) - len(out))
    if game.result.loser is not None:
        out[-1] = game.result.loser
    return tuple(out)


def next_starter(
    rules: HouseRules, dealer: str | None, seats: tuple[str, ...], winner: str | None
) -> str | None:
    """Who begins, None where cards or the first play decide."""
    if rules.starter == "dealer_left" and dealer in seats:
        return seats[(seats.index(dealer) + 1) % len(seats)]
    if rules.starter == "first_play" and winner in seats:
        return winner
    return None


def _word(rules: HouseRules, terms: Terms) -> str:
    if terms.word is not None:
        return terms.word
    return WORD if rules.name == LETTERED else ""


def _next_dealer(game: Scored, present: tuple[str, ...]) -> str | None:
    """The loser, or who sits left of a dealer of whom only the winner is known."""
    seats = game.seats
    if game.result.loser in seats:
        first = seats.index(game.result.loser)
    elif game.dealer in seats:
        first = seats.index(game.dealer) + 1
    else:
        return None
    around = (seats[(first + i) % len(seats)] for i in range(len(seats)))
    return next((player for player in around if player in present), None)


def _one_more(counts: dict[str, int], player: str | None) -> dict[str, int]:
    return counts if player is None else counts | {player: counts.get(player, 0) + 1}
