"""Long trials on rendered tables that nothing was trained on.

    python -m models.training.trials --plays 6000 --nothing 1000 --seed 1 --shared ../shared

Plays: cards land on heaps, one play after another, before a :class:`~vision.watcher.Watcher` that
gets frames of each rest. Half the decks are artwork held out of training, half are drawn from
seeds of their own. Nothing: pictures of tables and of what lies about on them, without a card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from engine.cards import Card
from models.training.artwork import art_decks
from models.training.command import Parser, at_least, folder, told
from models.training.scenes import ALL_CARDS, random_light
from vision.frame import Frame
from vision.look import Looker
from vision.observation import Landed, Observation, Unsure
from vision.render import Camera, Hand, Placed, Stage, make_deck
from vision.render.deck import Deck, fan_step
from vision.render.stage import Light
from vision.spot import Pixels
from vision.watcher import Watcher

#: Seeds of drawn decks begin here; training draws its own below.
FIRST_DECK = 1 << 41
#: Heights of an index in the pictures, in pixels: what a camera over a pile shows.
INDEX_PX = 22.0, 45.0
#: Most cards of a pile, and how many of one rank land together, with their odds.
MOST = 14
TOGETHER, ODDS = (1, 2, 3, 4), (0.7, 0.2, 0.07, 0.03)
#: Part of an index that must be in view for its card to be expected, and how often a play is laid
#: anew until each of its cards shows one: what nobody at the table could read is no fault.
IN_VIEW, TRIES = 0.9, 30
#: Frames of one rest, and seconds between them.
FRAMES, STEP = 10, 0.1
CONFIDENCE = 1.96


@dataclass
class Tally:
    """How the plays ended; ``faults`` in words."""

    plays: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, truth: Sequence[Card], seen: Sequence[Observation], where: str) -> bool:
        """Count one play; whether it went right, unasked."""
        landed = _as_meant([c for o in seen if isinstance(o, Landed) for c in o.cards], truth)
        others = [o for o in seen if not isinstance(o, Landed | Unsure)]
        asked = any(isinstance(o, Unsure) for o in seen)
        too_many, too_few = landed - Counter(truth), Counter(truth) - landed
        self.plays += 1
        if too_many or others:
            self.wrong += 1
        elif asked:
            self.asked += 1
        elif too_few:
            self.missed += 1
        right = not (too_many or others or asked or too_few)
        if not right:
            told = " ".join(_told(o) for o in seen) or "nothing"
            self.faults.append(f"{where}: {' '.join(map(str, truth))}: {told}")
        return right

    def row(self) -> list[str]:
        """Shares with their 95 % bounds, and per 1,200 plays."""
        return [
            f"{self.plays:,}",
            *(_share(n, self.plays) for n in (self.wrong, self.asked, self.missed)),
        ]


def _as_meant(told: Sequence[Card], truth: Sequence[Card]) -> Counter[Card]:
    """What was told; a card without its suit is any of its rank, for Idiot is played with ranks."""
    landed = Counter(card for card in told if card.suit is not None)
    left = Counter(truth) - landed
    for card in told:
        if card.suit is None:
            meant = next((t for t in left if t.rank == card.rank and left[t] > 0), card)
            left[meant] -= 1
            landed[meant] += 1
    return landed


def _told(observation: Observation) -> str:
    cards = getattr(observation, "cards", getattr(observation, "candidates", ()))
    return f"{type(observation).__name__} {' '.join(map(str, cards))}".strip()


def bounds(count: int, of: int) -> tuple[float, float]:
    """95 % bounds of a share (Wilson 1927)."""
    z, p = CONFIDENCE, count / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * np.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def _share(count: int, of: int) -> str:
    if not of:
        return "–"
    low, high = bounds(count, of)
    percent = f"{100 * count / of:.2f} % ({100 * low:.2f}–{100 * high:.2f})"
    return f"{count}: {percent}, {1200 * count / of:.1f} in 1,200"


class Tables:
    """Tables, decks and lights that nothing was trained on, from one seed."""

    def __init__(self, seed: int, art: Path) -> None:
        self.rng = np.random.default_rng([seed, 30])
        self._seed = seed
        self._art: list[Deck] = list(art_decks(art, True)) if art.is_dir() else []
        self._made = 0

    def deck(self) -> tuple[str, Deck]:
        """The name of the deck's kind, and the deck."""
        self._made += 1
        if self._art and self._made % 2:
            return "artwork", self._art[self._made // 2 % len(self._art)]
        return "drawn", make_deck(FIRST_DECK + self._seed * 100_000 + self._made)

    def stage(self, deck: Deck, clutter: float) -> Stage:
        """A camera over a table, its view of an index as large as over a pile."""
        rng = self.rng
        px = float(np.exp(rng.uniform(*np.log(INDEX_PX))))
        per_mm = float(np.clip(px / deck.index_places(ALL_CARDS[5])[0].size, 1.4, 5.0))
        tilt = min(0.6, abs(float(rng.normal(0, 0.25))))
        camera = Camera((1280, 720), per_mm, tilt, float(rng.uniform(-np.pi, np.pi)))
        return Stage(
            int(rng.integers(1 << 40)), deck, camera=camera, light=self._light(), clutter=clutter
        )

    def _light(self) -> Light:
        """As a camera on a stand sees what lies still: exposed for the cards, and not smeared."""
        rng, any_light = self.rng, random_light(self.rng)
        return replace(
            any_light,
            gain=float(np.clip(any_light.gain, 0.4, 0.95)),
            contrast=float(np.clip(any_light.contrast, 0.8, 1.05)),
            noise=min(any_light.noise, 9.0),
            glares=int(rng.random() < 0.15),
            motion=0.0,
        )


def piles(tables: Tables) -> Iterator[tuple[str, Stage, list[list[Placed]]]]:
    """The kind of deck, a table, and the plays that land on it one after another."""
    rng = tables.rng
    while True:
        kind, deck = tables.deck()
        stage = tables.stage(deck, clutter=0.3)
        ranks = [list(rng.permutation([c for c in ALL_CARDS if c.rank == r])) for r in range(2, 15)]
        plays: list[list[Placed]] = []
        spread = float(np.exp(rng.uniform(np.log(3), np.log(30))))
        while sum(map(len, plays)) < MOST and any(ranks):
            left = [cards for cards in ranks if cards]
            cards = left[int(rng.integers(len(left)))]
            count = min(len(cards), int(rng.choice(TOGETHER, p=ODDS)))
            play = [cards.pop() for _ in range(count)]
            lying = [placed for earlier in plays for placed in earlier]
            for _ in range(TRIES):
                laid = _laid(rng, play, deck, spread)
                if _in_view(stage, lying, laid):
                    plays.append(laid)
                    break
        yield kind, stage, plays


def _in_view(stage: Stage, lying: Sequence[Placed], play: Sequence[Placed]) -> bool:
    """Whether each card of the play shows an index when it has come to lie on the others."""
    placed = [*lying, *play]
    _, owner = stage.compose(placed)
    shown = {i.owner for i in stage.indices(placed, owner) if i.visible >= IN_VIEW}
    return all(number in shown for number in range(len(lying), len(placed)))


def _laid(
    rng: np.random.Generator, cards: Sequence[Card], deck: Deck, spread: float
) -> list[Placed]:
    """A play: one card, or a fan that shows each index."""
    x, y = rng.normal(0, spread, 2)
    turn = float(rng.uniform(-np.pi, np.pi))
    step = max(fan_step(deck, card) for card in cards)
    return [
        Placed(
            card,
            float(x + step * i * np.cos(turn)),
            float(y + step * i * np.sin(turn)),
            turn + float(rng.normal(0, 0.04)),
        )
        for i, card in enumerate(cards)
    ]


class _Clock:
    """Frames at an even pace."""

    def __init__(self) -> None:
        self.index = 0

    def frame(self, image: Pixels) -> Frame:
        """The next one."""
        self.index += 1
        return Frame(self.index, self.index * STEP, image)


def watched(
    looker: Looker, tables: Tables, plays: int, tell: Callable[[], None]
) -> dict[str, Tally]:
    """Plays watched one by one; after a fault the pile is cleared, so that faults stay apart."""
    tallies = {"artwork": Tally(), "drawn": Tally()}
    for number, (kind, stage, pile) in enumerate(piles(tables)):
        watcher, clock = Watcher(Looker(looker.finder, looker.reader, looker.faces)), _Clock()
        for _ in range(5):
            watcher.step(clock.frame(stage.draw([], tick=clock.index)))
        lying: list[Placed] = []
        for play in pile:
            lying = [*lying, *play]
            image, _ = stage.compose(lying)
            seen: list[Observation] = []
            # A hand before the lens, for a moment: it laid them.
            watcher.step(clock.frame(np.zeros((720, 1280, 3), np.uint8)))
            for _ in range(FRAMES):
                seen += watcher.step(clock.frame(stage.expose(image, clock.index)))
            where = f"pile {number} ({kind}), {len(lying)} cards"
            right = tallies[kind].add([p.card for p in play if p.card], seen, where)
            tell()
            if sum(t.plays for t in tallies.values()) >= plays:
                return tallies
            if not right:
                break
    return tallies


@dataclass
class Nothing:
    """What was made of pictures without a card."""

    pictures: int = 0
    acted: int = 0
    asked: int = 0
    faults: list[str] = field(default_factory=list)


def nothing(looker: Looker, tables: Tables, pictures: int, tell: Callable[[], None]) -> Nothing:
    """Looks at tables with all that lies about on them, a hand now and then, and backs of cards."""
    told, rng = Nothing(), tables.rng
    for number in range(pictures):
        _, deck = tables.deck()
        stage = tables.stage(deck, clutter=1.0)
        backs = [
            Placed(None, *(float(v) for v in rng.normal(0, 60, 2)), float(rng.uniform(-3, 3)))
            for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.3 else 0)
        ]
        hand = None
        if rng.random() < 0.3:
            x, y, angle = (float(v) for v in rng.normal(0, 60, 3))
            hand = Hand(x, y, angle, int(rng.integers(10)))
        look = looker.look(stage.draw(backs, hand))
        told.pictures += 1
        told.acted += bool(look.cards)
        told.asked += bool(look.unsure)
        for card in look.cards:
            told.faults.append(f"picture {number}: {card.card} (p {card.p_rank:.3f}) at {card.box}")
        tell()
    return told


def main() -> None:
    """Try from the command line."""
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    here = Path(__file__).resolve().parents[2]
    parser = Parser(description="Try the sight on many rendered tables.")
    parser.add_argument("--plays", type=at_least(1), default=600)
    parser.add_argument("--nothing", type=at_least(0), default=100, help="pictures without a card")
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--shared", type=folder, default=here.parent / "shared")
    parser.add_argument("--models", type=folder, help="folder with the ONNX files")
    parser.add_argument("--faults", action="store_true", help="list every fault, too")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    looker, console = Looker.load(args.models), Console(width=150)
    # The packs on these tables have no jokers, and the referee knows that; whoever looks at a table
    # without cards does not.
    looker.reader.jokers = False
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("plays", total=args.plays)
        tallies = watched(
            looker,
            Tables(args.seed, args.shared / "art"),
            args.plays,
            lambda: progress.advance(task),
        )
        looker.reader.jokers = True
        other = progress.add_task("pictures without a card", total=args.nothing)
        empty = nothing(
            looker,
            Tables(args.seed + 1, args.shared / "art"),
            args.nothing,
            lambda: progress.advance(other),
        )
    table = Table("decks", "plays", "wrong", "asked", "missed", title="Plays on heaps, at rest")
    for kind, tally in tallies.items():
        table.add_row(kind, *tally.row())
    console.print(table)
    console.print(
        f"{empty.pictures:,} pictures without a card: acted on in {empty.acted}, "
        f"asked about in {empty.asked}"
    )
    if args.faults:
        for fault in (*(f for t in tallies.values() for f in t.faults), *empty.faults):
            console.print(fault)


if __name__ == "__main__":
    raise SystemExit(told(main))
