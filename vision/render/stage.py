"""A camera over a table with cards on it.

The table is measured in millimetres from the middle of the view, x to the right and y
towards the viewer; angles in radians, clockwise as seen. Pictures are BGR uint8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.render.deck import CARD_MM, Deck, Pixels
from vision.render.glyphs import packaged_fonts
from vision.render.surface import make_surface, smooth_noise

Matrix = NDArray[Any]


@dataclass(frozen=True)
class Placed:
    """A card lying on the table, its middle at x, y; ``card`` None is face down."""

    card: Card | None
    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Hand:
    """A hand reaching in: fingertips at x, y, the arm coming from where ``angle`` points to."""

    x: float
    y: float
    angle: float
    sleeve: int = 0


@dataclass(frozen=True)
class Camera:
    """A pinhole camera looking at the middle of the table.

    ``px_per_mm`` is the scale in the middle of the picture, ``tilt`` the angle from
    straight down, ``turn`` the direction of the tilt.
    """

    size: tuple[int, int] = (1280, 720)
    px_per_mm: float = 2.2
    tilt: float = 0.0
    turn: float = 0.0

    def homography(self) -> Matrix:
        """3 × 3, from millimetres on the table to pixels (Hartley & Zisserman, ch. 8)."""
        w, h = self.size
        focal = 1.1 * w
        distance = focal / self.px_per_mm
        c, s = np.cos(self.turn), np.sin(self.turn)
        spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        ct, st = np.cos(self.tilt), np.sin(self.tilt)
        lean = np.array([[1, 0, 0], [0, ct, 0], [0, st, 1.0]])
        rotation = spin @ lean @ spin.T
        extrinsic = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
        lens = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1]])
        return np.asarray(lens @ extrinsic)


@dataclass(frozen=True)
class IndexTruth:
    """One printed index as the picture shows it; lengths in pixels, angle of its upright."""

    owner: int
    card: Card
    x: float
    y: float
    angle: float
    size: float
    to_centre: tuple[float, float]
    visible: float


def project(h: Matrix, points: NDArray[Any]) -> NDArray[Any]:
    """Map (n, 2) points through a homography."""
    q = np.column_stack([points, np.ones(len(points))]) @ h.T
    return np.asarray(q[:, :2] / q[:, 2:])


def _pose(placed: Placed) -> Matrix:
    """From the card's own millimetres (0, 0 its top left) to the table's."""
    c, s = np.cos(placed.angle), np.sin(placed.angle)
    lay = np.array([[c, -s, placed.x], [s, c, placed.y], [0, 0, 1]])
    centred = np.array([[1, 0, -CARD_MM[0] / 2], [0, 1, -CARD_MM[1] / 2], [0, 0, 1.0]])
    return np.asarray(lay @ centred)


def _paint(
    image: NDArray[Any],
    owner: NDArray[np.int16] | None,
    number: int,
    face: Pixels,
    h: Matrix,
    shade: float,
    lift: tuple[float, float],
) -> None:
    """Warp a card's face onto the picture through ``h`` (card millimetres to pixels)."""
    rows, columns = image.shape[:2]
    width, height = CARD_MM
    quad = project(h, np.array([[0, 0], [width, 0], [width, height], [0, height]]))
    pad = 8
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - pad, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + pad, (columns, rows))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    scale = np.sqrt(cv2.contourArea(quad.astype(np.float32))) / np.sqrt(
        face.shape[0] * face.shape[1]
    )
    while scale < 0.5 and min(face.shape[:2]) > 40:
        face = cv2.resize(
            face, (face.shape[1] // 2, face.shape[0] // 2), interpolation=cv2.INTER_AREA
        )
        scale *= 2
    to_mm = np.diag([width / face.shape[1], height / face.shape[0], 1.0])
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    warped = cv2.warpPerspective(
        face, shift @ h @ to_mm, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR
    )
    alpha = warped[..., 3:].astype(np.float32) / 255
    area = image[y0:y1, x0:x1]
    if shade > 0:
        shadow = cv2.warpAffine(
            alpha[..., 0],
            np.array([[1, 0, lift[0]], [0, 1, lift[1]]], np.float32),
            (alpha.shape[1], alpha.shape[0]),
        )
        area *= (1 - shade * cv2.blur(shadow, (7, 7)))[..., None]
    area *= 1 - alpha
    area += alpha * warped[..., :3]
    if owner is not None:
        owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number


_SKINS = ((140, 170, 225), (110, 140, 200), (80, 105, 160), (55, 75, 120), (40, 50, 80))
_SLEEVES = ((60, 50, 40), (150, 60, 40), (40, 40, 150), (60, 110, 60), (200, 200, 205))


def _paint_hand(
    image: NDArray[Any], owner: NDArray[np.int16] | None, hand: Hand, h: Matrix
) -> None:
    """A palm, four fingers, a thumb and a sleeve, softly shaded."""
    c, s = np.cos(hand.angle), np.sin(hand.angle)
    skin = _SKINS[hand.sleeve % len(_SKINS)]
    sleeve = _SLEEVES[(hand.sleeve // 2) % len(_SLEEVES)]
    mask = np.zeros(image.shape[:2], np.uint8)
    cloth = np.zeros_like(mask)

    def pixel(along: float, across: float) -> tuple[int, int]:
        point = project(
            h, np.array([[hand.x + c * along - s * across, hand.y + s * along + c * across]])
        )[0]
        return int(np.clip(point[0], -4000, 4000)), int(np.clip(point[1], -4000, 4000))

    unit = float(np.hypot(*np.subtract(pixel(70, 0), pixel(60, 0)))) / 10
    for across in (-28, -10, 9, 27):
        cv2.line(
            mask,
            pixel(abs(across) * 0.4, across),
            pixel(75, across * 0.8),
            (255.0,),
            max(1, int(17 * unit)),
            cv2.LINE_AA,
        )
    cv2.line(mask, pixel(45, 58), pixel(100, 26), (255.0,), max(1, int(20 * unit)), cv2.LINE_AA)
    cv2.fillConvexPoly(
        mask,
        np.array([pixel(65, -36), pixel(65, 36), pixel(150, 34), pixel(150, -34)], np.int32),
        (255.0,),
        cv2.LINE_AA,
    )
    cv2.fillConvexPoly(
        cloth,
        np.array([pixel(140, -44), pixel(140, 44), pixel(700, 75), pixel(700, -75)], np.int32),
        (255.0,),
        cv2.LINE_AA,
    )
    # Only where the hand is: most of the picture is table.
    soft = 2 * max(1, int(9 * unit)) + 1
    x0, y0, wide, high = cv2.boundingRect(cv2.max(mask, cloth))
    if not wide:
        return
    view = np.s_[y0 : y0 + high, x0 : x0 + wide]
    image, mask, cloth = image[view], mask[view], cloth[view]
    relief = cv2.blur(mask, (soft, soft)).astype(np.float32)[..., None] / 255
    for shape, colour in (
        (mask, np.asarray(skin, np.float32) * (0.65 + 0.35 * relief)),
        (cloth, np.asarray(sleeve, np.float32)),
    ):
        alpha = shape[..., None].astype(np.float32) / 255
        image *= 1 - alpha
        image += alpha * colour
    if owner is not None:
        owner[view][(mask > 127) | (cloth > 127)] = -2


@dataclass(frozen=True)
class Light:
    """How the picture departs from the even, sharp one."""

    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    unevenness: float = 0.12
    blur: float = 0.5
    motion: float = 0.0
    noise: float = 2.5
    glares: int = 0
    contrast: float = 1.0


class Stage:
    """A table, its light and the camera over it, all drawn from ``seed``."""

    def __init__(
        self,
        seed: int,
        deck: Deck,
        size: tuple[int, int] = (1280, 720),
        camera: Camera | None = None,
        light: Light | None = None,
        fonts: Sequence[Path] | None = None,
        clutter: float = 0.0,
    ) -> None:
        rng = np.random.default_rng([seed, 10])
        self.deck = deck
        self.camera = camera or Camera(
            size, tilt=float(rng.uniform(0.05, 0.35)), turn=float(rng.normal(0, 0.3))
        )
        self.light = light or Light(
            gain=float(rng.uniform(0.8, 1.05)),
            blur=float(rng.uniform(0.3, 0.7)),
            noise=float(rng.uniform(1.5, 4)),
        )
        w, h = self.camera.size
        self._seed = seed
        self._matrix = self.camera.homography()
        self._surface = make_surface(rng, (h, w), fonts or packaged_fonts(), clutter)
        self._gain = self._lamp(rng, (h, w))
        self._shade = float(rng.uniform(0.15, 0.5))
        self._lift = (float(rng.uniform(-3, 3)), float(rng.uniform(-3, 3)))
        self._glares = [
            (
                float(rng.uniform(0, w)),
                float(rng.uniform(0, h)),
                float(rng.uniform(0.03, 0.16) * w),
                float(rng.uniform(60, 230)),
            )
            for _ in range(self.light.glares)
        ]
        self._grain: NDArray[Any] | None = None
        self._lying: tuple[tuple[Placed, ...], NDArray[Any], NDArray[np.int16]] | None = None

    def _lamp(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[Any]:
        uneven = np.exp(smooth_noise(rng, shape, max(shape) / 1.5) * self.light.unevenness)
        return np.asarray(
            uneven[..., None]
            * np.asarray(self.light.tint, np.float32)
            * np.float32(self.light.gain),
            np.float32,
        )

    def compose(
        self, placed: Sequence[Placed], hand: Hand | None = None
    ) -> tuple[NDArray[Any], NDArray[np.int16]]:
        """The even, sharp picture and, for each pixel, the number of the card seen there.

        Numbers count ``placed`` from 0; -1 is the table, -2 a hand.
        """
        image, owner, done = self._begun(tuple(placed))
        for number, item in enumerate(placed[done:], done):
            face = self.deck.back() if item.card is None else self.deck.face(item.card)
            _paint(image, owner, number, face, self._matrix @ _pose(item), self._shade, self._lift)
        if hand is None:
            self._lying = (tuple(placed), image.copy(), owner.copy())
        else:
            _paint_hand(image, owner, hand, self._matrix)
        return image, owner

    def _begun(self, placed: tuple[Placed, ...]) -> tuple[NDArray[Any], NDArray[np.int16], int]:
        """A picture with the first cards of ``placed`` already in it, and how many those are.

        Most pictures of a game are the last one at rest and a card or a hand more.
        """
        if self._lying is not None:
            lying, image, owner = self._lying
            if placed[: len(lying)] == lying:
                return image.copy(), owner.copy(), len(lying)
        image = self._surface.copy()
        return image, np.full(image.shape[:2], -1, np.int16), 0

    def _noise(self, rng: np.random.Generator, rows: int, columns: int) -> NDArray[Any]:
        """Grain of the sensor, (rows, columns, 3): a random part of one larger field."""
        spare = 64
        if self._grain is None or self._grain.shape[:2] != (rows + spare, columns + spare):
            own = np.random.default_rng([self._seed, 12])
            size = rows + spare, columns + spare
            grain = own.standard_normal(size, dtype=np.float32)[..., None]
            coarse = own.standard_normal((size[0] // 2, size[1] // 2, 3), dtype=np.float32)
            self._grain = grain + 0.6 * cv2.resize(coarse, (size[1], size[0]))
        y, x = rng.integers(0, spare, 2)
        return self._grain[y : y + rows, x : x + columns]

    def expose(self, image: NDArray[Any], tick: int = 0) -> Pixels:
        """What the sensor makes of the light: unevenness, glare, blur, noise."""
        rng = np.random.default_rng([self._seed, 11, tick])
        light = self.light
        image = image * self._gain
        for x, y, radius, strength in self._glares:
            yy, xx = np.ogrid[0 : image.shape[0], 0 : image.shape[1]]
            spot = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * radius**2)).astype(np.float32)
            image += (spot * strength)[..., None]
        if light.contrast != 1.0:
            image = (image - 128) * light.contrast + 128
        if light.blur > 0.2:
            image = cv2.GaussianBlur(image, (0, 0), light.blur)
        if light.motion >= 2:
            n = int(light.motion)
            kernel = np.zeros((n, n), np.float32)
            a = self._seed % 628 / 100
            c = (n - 1) / 2
            cv2.line(
                kernel,
                (round(c - c * np.cos(a)), round(c - c * np.sin(a))),
                (round(c + c * np.cos(a)), round(c + c * np.sin(a))),
                (1.0,),
            )
            image = cv2.filter2D(image, -1, kernel / kernel.sum())
        image = cv2.scaleAdd(self._noise(rng, *image.shape[:2]), light.noise, image)
        return np.clip(image, 0, 255).astype(np.uint8)

    def draw(self, placed: Sequence[Placed], hand: Hand | None = None, tick: int = 0) -> Pixels:
        """The picture the camera takes, (h, w, 3) BGR; ``tick`` seeds the sensor's noise."""
        return self.expose(self.compose(placed, hand)[0], tick)

    def outline(self, placed: Placed) -> NDArray[Any]:
        """The card's four corners in pixels, (4, 2), from its own top left clockwise."""
        width, height = CARD_MM
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        return project(self._matrix @ _pose(placed), corners)

    def indices(self, placed: Sequence[Placed], owner: NDArray[np.int16]) -> list[IndexTruth]:
        """Every printed index of the cards that lie face up, hidden ones too."""
        found = []
        rows, columns = owner.shape
        for number, item in enumerate(placed):
            if item.card is None:
                continue
            h = self._matrix @ _pose(item)
            centre = project(h, np.array([[CARD_MM[0] / 2, CARD_MM[1] / 2]]))[0]
            for place in self.deck.index_places(item.card):
                half = place.size / 2 * (-1 if place.flipped else 1)
                middle, top, bottom = project(
                    h,
                    np.array(
                        [[place.x, place.y], [place.x, place.y - half], [place.x, place.y + half]]
                    ),
                )
                up = top - bottom
                # A grid over the block tells how much of it is really seen.
                u, v = np.meshgrid(np.linspace(-0.28, 0.28, 5), np.linspace(-0.45, 0.45, 7))
                grid = np.column_stack(
                    [place.x + u.ravel() * place.size, place.y + v.ravel() * place.size]
                )
                px = np.floor(project(h, grid)).astype(int)
                inside = (px >= 0).all(1) & (px[:, 0] < columns) & (px[:, 1] < rows)
                seen = np.zeros(len(px), bool)
                seen[inside] = owner[px[inside, 1], px[inside, 0]] == number
                found.append(
                    IndexTruth(
                        owner=number,
                        card=item.card,
                        x=float(middle[0]),
                        y=float(middle[1]),
                        angle=float(np.arctan2(up[0], -up[1])),
                        size=float(np.hypot(*up)),
                        to_centre=(float(centre[0] - middle[0]), float(centre[1] - middle[1])),
                        visible=float(seen.mean()),
                    )
                )
        return found
