"""The virtual table: people who play a whole game before a camera that is drawn.

``virtual:SEED`` is a source of frames like any other. The people on it also press buttons
and read the panel, and the table knows the truth to hold the referee to.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from PIL import Image as PilImage

from engine import simulate
from engine.cards import Card
from engine.events import Event
from engine.setup import Setup
from firmware import choreography
from firmware.choreography import Hands, Scene
from firmware.controls import Act
from firmware.director import Director
from firmware.inbox import Button, Correction, Press
from firmware.panel import Which, YesNo
from firmware.roughness import RoughStage
from firmware.score import Score
from firmware.tell import Announcement, Asked, Asking, Shown
from vision.frame import Frame, Image
from vision.render import Hand, Placed, Stage, make_deck
from vision.render.deck import Deck, fan_step

FPS = 10
#: Seconds: how long a play lies before the next, and how long people wait for a call.
REST = (0.7, 1.4)
PATIENCE = 2.5
#: Seconds until somebody answers a question, and until the next press.
REACTION, PRESS_GAP = (0.8, 1.2), 0.4
#: Seconds after which they go on playing whatever the panel says.
GIVE_UP = 12.0
#: How often, after a play, the pile is pushed, or a hand passes over it.
NUDGES, PASSES = 0.05, 0.06
#: As often as that on a rough table.
ROUGHER = 4
#: A scene of a movement is drawn once and stands for so many frames: too few to be a rest.
SCENE_FRAMES = 2
JPEG_QUALITY = 90


class Draws(Protocol):
    """The part of the stage that is needed here."""

    def draw(self, placed: Sequence[Placed], hand: Hand | None = None, tick: int = 0) -> Image:
        """The picture that the camera takes."""
        ...


@dataclass(frozen=True)
class Shot:
    """One picture as it is saved, and as it is read back."""

    data: bytes
    image: Image


def photograph(image: Image) -> Shot:
    """The picture as a JPEG file, and what a reader gets from that file."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    # Decoded by what reads folders of frames, for decoders differ in the last bit.
    with PilImage.open(io.BytesIO(data)) as picture:
        rgb = np.asarray(picture.convert("RGB"))
    return Shot(data, np.ascontiguousarray(rgb[:, :, ::-1]))


class VirtualTable:
    """A game at a virtual table: frames, presses, and the score of the referee.

    The table has to hear what the director tells (``hear``) and to be shown the director
    (``meet``) before its frames are taken. ``lying`` is what lies there, ``moving``
    whether anything moves in the frame that was taken last. A ``rough`` table has cards of two
    printers, poor and changing light, grain, and people who push the pile about.
    """

    def __init__(
        self,
        setup: Setup,
        seed: int,
        stage: Draws | None = None,
        photograph: Callable[[Image], Shot] = photograph,
        mischief: float = 0.05,
        keep: Callable[[int, bytes], None] = lambda index, data: None,
        rough: bool = False,
        fps: float = FPS,
    ) -> None:
        self.setup = setup
        self.fps = float(fps)
        self.dealer = simulate.Dealer(setup, seed, mischief)
        self.score = Score()
        self.lying: tuple[Placed, ...] = ()
        self.moving = False
        self.index = 0
        self.acts: list[Act] = []
        self._rng = np.random.default_rng([seed, 20])
        self._rough = rough
        if rough:
            bad = RoughStage(seed)
            self._deck: Deck = bad.deck
            self._stage: Draws = stage or bad
        else:
            self._deck = make_deck(seed, plain=True)
            self._stage = stage or Stage(seed, self._deck)
        self._photograph = photograph
        self._keep = keep
        self._hands = Hands(setup.players, self._rng)
        self._waiting: deque[tuple[int, Button | Event]] = deque()
        self._act: simulate.Act | None = None
        self._question: Asked | None = None
        self._about: simulate.Act | None = None
        self._answer_at = 0
        self._director: Director | None = None

    def meet(self, director: Director) -> None:
        """``director`` referees this table from now on."""
        self._director = director
        director.outputs.add(self)

    def hear(self, announcement: Announcement) -> None:
        """Somebody looks at the panel and keeps count of the calls."""
        self.score.hear(announcement)
        if isinstance(announcement, Asked):
            if not announcement.again:
                self._answer_at = self.index + self._frames(REACTION)
                self._about = self._act
            self._question = announcement
        elif isinstance(announcement, Shown) and not isinstance(announcement.screen, Which | YesNo):
            self._question = None

    def at(self, frame: int, t: float) -> Iterator[Act]:
        """What is pressed or corrected at ``frame``."""
        while self._waiting and self._waiting[0][0] <= frame:
            _, what = self._waiting.popleft()
            act = _act(frame, t, what)
            self.acts.append(act)
            yield act

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> VirtualTable:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        """The frames of the whole game; those who take one must let the director have it."""
        yield from self._still(0.6)
        for act in self.dealer:
            self._act = act
            self.score.began(act, self.index)
            yield from self._perform(act)
            yield from self._wait_for_call(act)
            if not self._open():
                yield from self._mishap(act)
            self._settle()
        yield from self._still(1.0)
        self._settle()

    # -- the acts ----------------------------------------------------------------------------

    def _perform(self, act: simulate.Act) -> Iterator[Frame]:
        if isinstance(act, simulate.Start | simulate.Lay):
            cards = (act.card,) if isinstance(act, simulate.Start) else act.cards
            new = choreography.throw(
                cards, self._rng, max(fan_step(self._deck, card) for card in cards)
            )
            player = self._dealer_name() if isinstance(act, simulate.Start) else act.player
            yield from self._move(choreography.laying(self.lying, new, player, self._hands))
            self.lying += new
        elif isinstance(act, simulate.TakeBack):
            count = len(act.cards)
            stays, taken = self.lying[:-count], self.lying[-count:]
            yield from self._move(choreography.taking_back(stays, taken, act.player, self._hands))
            self.lying = stays
        elif isinstance(act, simulate.TakePile):
            yield from self._take_pile(act)
        else:
            name = str(self._rng.choice(np.asarray(self.setup.players)))
            yield from self._sweep(name)

    def _take_pile(self, act: simulate.TakePile) -> Iterator[Frame]:
        if self._rng.random() < 0.5:
            self._press(Button.PICKUP)
            yield from self._still(float(self._rng.uniform(0.2, 0.8)))
            yield from self._sweep(act.player)
        else:
            yield from self._sweep(act.player)
            self._press(Button.PICKUP, after=float(self._rng.uniform(0.4, 1.2)))

    def _sweep(self, player: str) -> Iterator[Frame]:
        yield from self._move(choreography.sweeping(self.lying, player, self._hands))
        self.lying = ()

    def _mishap(self, act: simulate.Act) -> Iterator[Frame]:
        """Now and then the pile is pushed, or a hand passes over it: that is no play."""
        if not self.lying or act.truth.turn is None:
            return
        chance = self._rng.random()
        player = str(self._rng.choice(np.asarray(self.setup.players)))
        nudges, passes = (n * (ROUGHER if self._rough else 1) for n in (NUDGES, PASSES))
        if chance < nudges:
            x, y = choreography.middle_of(self.lying)
            self.lying = choreography.nudged(self.lying, self._rng)
            hand = self._hands.hand(player, x, y, away=30)
            yield from self._move(iter([Scene(self.lying, hand)]))
            yield from self._still(0.7)
        elif chance < nudges + passes:
            yield from self._move(choreography.passing(self.lying, player, self._hands))
            yield from self._still(0.6)

    def _dealer_name(self) -> str:
        return self.setup.players[self.setup.dealer]

    # -- waiting, reading the panel, pressing --------------------------------------------------

    def _wait_for_call(self, act: simulate.Act) -> Iterator[Frame]:
        """The cards lie; people look up, answer what is asked, and go on."""
        least = self._frames(REST)
        wants_call = not isinstance(act, simulate.TakeBack | simulate.ClearBurn)
        for waited, frame in enumerate(self._still(2 * GIVE_UP)):
            yield frame
            self._answer()
            done = not wants_call or self.score.has_called() or waited >= PATIENCE * self.fps
            if waited >= least and not self._waiting and (done or self._open()):
                if self._question is None or self._satisfied():
                    return
                if waited >= GIVE_UP * self.fps:
                    return

    def _open(self) -> bool:
        return self._question is not None

    def _satisfied(self) -> bool:
        """Whether going on playing answers the question rightly (or nothing does)."""
        asked, act = self._question, self._about
        if asked is None or act is None or asked.what is not Asking.WHICH:
            return False
        if act.truth.turn is None or (isinstance(act, simulate.Lay) and act.verdict != "legal"):
            return False  # who has won, or done wrong, waits to hear it
        right = [_is_one_of(card, act) for card in asked.candidates]
        return right[asked.choice] or not any(right)

    def _answer(self) -> None:
        """Press what a person would who has read the panel for a moment."""
        asked, act = self._question, self._about
        if asked is None or act is None or self.index < self._answer_at:
            return
        self._answer_at = self.index + round(PRESS_GAP * self.fps)
        if asked.what is Asking.WHICH:
            right = [_is_one_of(card, act) for card in asked.candidates]
            if any(right) and not right[asked.choice]:
                self._press(Button.NEXT)
        elif asked.what is Asking.PICKED_UP:
            took = isinstance(act, simulate.TakePile)
            self._press(Button.PICKUP if took else Button.OOPS)
        else:
            as_read = _is_one_of(asked.candidates[-1], act)
            self._press(Button.OOPS if as_read else Button.NEXT)

    def _press(self, button: Button, after: float = 0.0) -> None:
        self._waiting.append((self.index + round(after * self.fps), button))

    def _settle(self) -> None:
        """Hold the calls against the truth; the host puts right what is wrong."""
        if self._open() or self._director is None:
            return
        for event in self.score.settle(self._director.game):
            self._waiting.append((self.index, event))

    # -- frames ------------------------------------------------------------------------------

    def _frames(self, seconds: tuple[float, float]) -> int:
        return round(float(self._rng.uniform(*seconds)) * self.fps)

    def _move(self, scenes: Iterator[Scene]) -> Iterator[Frame]:
        for scene in scenes:
            shot = self._shoot(scene)
            for _ in range(SCENE_FRAMES):
                yield self._frame(shot, moving=True)

    def _still(self, seconds: float) -> Iterator[Frame]:
        """The table at rest: drawn once, for nothing changes, unless the light does."""
        shot = self._shoot(Scene(self.lying))
        for number in range(max(1, round(seconds * self.fps))):
            if self._rough and number:
                shot = self._shoot(Scene(self.lying))
            yield self._frame(shot, moving=False)

    def _shoot(self, scene: Scene) -> Shot:
        return self._photograph(self._stage.draw(scene.lying, scene.hand, self.index))

    def _frame(self, shot: Shot, moving: bool) -> Frame:
        frame = Frame(self.index, self.index / self.fps, shot.image)
        self.moving = moving
        self._keep(self.index, shot.data)
        self.index += 1
        return frame


def _act(frame: int, t: float, what: Button | Event) -> Act:
    if isinstance(what, Button):
        return Press(frame, t, what)
    return Correction(frame, t, what)


def _is_one_of(card: Card, act: simulate.Act) -> bool:
    if isinstance(act, simulate.Start):
        cards: tuple[Card, ...] = (act.card,)
    else:
        cards = getattr(act, "cards", ())
    if card.suit is None:
        return card.rank in {each.rank for each in cards}
    return card in cards
