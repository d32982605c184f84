"""Turn labelled photographs into training scenes: self-training against the labels.

A find inside a labelled box that reads as the box's card is a positive, with the pose the reader
gives it. A find outside every box, or one that reads as another card, is neither right nor wrong;
nor is a labelled card that shows fewer finds than it should. ``decks`` have boxes around the
indices themselves, which say where an index is even if nothing was found there.
Only the ``train`` split is used.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.photographs import Photograph, inside, photographs
from vision.finder import Finder
from vision.reader import RANKS, SUITS, Calibration, Reader, Reading
from vision.spot import Pyramid, Spot

RANK_CODES = {r.code: int(r) for r in RANKS}
_IGNORE, _MINED = -1.0, -2.0
#: How far a joker's title along the upper edge, or its stacked letters, are left of the card's
#: middle and above it (mm).
TITLE_OFF, STACK_OFF = (8.0, 36.0), (25.0, 28.0)
#: How wide its marks are for their length: stacked letters, and a title.
STRIP = 0.38, 0.28
#: A photograph with a joker counts so many times: they are rare.
JOKERS_COUNT = 6


def _row(spot: Spot, visible: float, rank: float, suit: float) -> list[float]:
    return [
        spot.x,
        spot.y,
        spot.angle,
        spot.size,
        spot.centre[0] - spot.x,
        spot.centre[1] - spot.y,
        visible,
        float(spot.open > 0.5),
        rank,
        suit,
    ]


def _card(code: str) -> tuple[int, int]:
    """Rank 2…15 and suit 0…3, -1 where there is none or it is not labelled."""
    if code == "JK":
        return 15, -1
    rank, suit = code[:-1], code[-1]
    return RANK_CODES[rank], -1 if suit == "?" else [s.name for s in SUITS].index(suit)


def _agrees(reading: Reading, rank: int, suit: int) -> float:
    """Probability that the reading is of that card."""
    p = float(reading.ranks[rank - 2])
    return p if suit < 0 else p * float(reading.suits[suit])


def _centres(photo: Photograph, rows: list[list[float]], homes: list[int]) -> None:
    """Put the card's true middle into the rows, where the labels tell it.

    That is the middle of a box around the whole card, or of two opposite indices of one card.
    """
    for i, box in enumerate(photo.boxes):
        mine = [row for row, home in zip(rows, homes, strict=True) if home == i]
        if photo.kind == "card":
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        else:
            if photo.kind == "index":
                twins = [k for k, code in enumerate(photo.cards) if code == photo.cards[i]]
                mine = [row for row, home in zip(rows, homes, strict=True) if home in twins]
            if len(mine) != 2 or np.cos(mine[0][2] - mine[1][2]) > -0.8:
                continue
            x, y = np.mean([row[:2] for row in mine], axis=0)
        for row in mine:
            row[4:6] = [float(x - row[0]), float(y - row[1])]


def jokers(photo: Photograph) -> dict[int, list[float]]:
    """Rows of a joker's two indices by the numbers of their boxes, found by nobody but the labels.

    What jokers are marked with differs too much for earlier models to confirm. Two boxes around
    the marks of one joker tell where its middle is, and with where such marks are printed, which
    way is up.
    """
    mine = [i for i, code in enumerate(photo.cards) if code == "JK"]
    if photo.kind != "index" or len(mine) != 2:
        return {}
    boxes = np.array([photo.boxes[i] for i in mine], float)
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    sides = (boxes[:, 2:] - boxes[:, :2]).mean(0)
    way = middles[0] - middles[1]
    marks = [
        _mark(way, sides, off, titled) for off, titled in ((TITLE_OFF, True), (STACK_OFF, False))
    ]
    _, angle, size = min(marks)
    rows = {}
    for number, middle, turn in zip(mine, middles, (0.0, np.pi), strict=True):
        x, y = (float(v) for v in middle)
        spot = Spot(x, y, angle + turn, size, tuple(middles.mean(0)), 1.0, 1.0)
        rows[number] = _row(spot, 1.0, 15.0, -1.0)
    return rows


def _mark(
    way: NDArray[np.float64], sides: NDArray[np.float64], off: tuple[float, float], titled: bool
) -> tuple[float, float, float]:
    """How badly boxes with such ``sides`` fit marks printed so, with their angle and size."""
    angle = float(np.arctan2(way[0], -way[1]) + np.arctan2(*off))
    along = angle if titled else angle + np.pi / 2
    c, s, thin = abs(np.cos(along)), abs(np.sin(along)), STRIP[titled]
    # The box around a strip that is turned.
    wide, high = c + s * thin, s + c * thin
    long = float(np.mean([sides[0] / wide, sides[1] / high]))
    misfit = abs(float(np.log(sides[0] / sides[1] * high / wide)))
    return misfit, angle, long / 1.1 if titled else long


def without_odd_sizes(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """``rows`` whose positives are of one size, give or take what perspective does.

    Parts of a large letter look like a small index of the same rank: they become negatives.
    """
    rows = rows.copy()
    good = rows[:, 6] > 0
    if good.sum() >= 2:
        small = rows[:, 3] / np.median(rows[good, 3])
        rows[good & (small < 0.7), 6] = _IGNORE
        rows[good & (small < 0.55), 6] = _MINED
    return rows


def label(
    photo: Photograph, finder: Finder, reader: Reader
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The photograph and its rows, as in :mod:`models.training.scenes`."""
    image = photo.pixels()
    readings = reader.read(Pyramid(image), finder.find(image))
    rows: list[list[float]] = []
    homes_of: list[int] = []
    hits = [0] * len(photo.cards)
    for reading in readings:
        spot = reading.spot
        homes = [
            i
            for i, box in enumerate(photo.boxes)
            if photo.cards[i] != "BACK"
            and inside(box, spot.x, spot.y, 0.1 if photo.kind == "index" else 0.02)
        ]
        best, _ = max(
            ((i, _agrees(reading, *_card(photo.cards[i]))) for i in homes),
            key=lambda h: h[1],
            default=(-1, 0.0),
        )
        # Early models are surer of ranks than of suits; the label knows the suit.
        fit = _agrees(reading, _card(photo.cards[best])[0], -1) if best >= 0 else 0.0
        size_fits = True
        if best >= 0 and photo.kind == "index":
            x0, y0, x1, y1 = photo.boxes[best]
            size_fits = 0.5 < spot.size / max(x1 - x0, y1 - y0) < 1.3
        if (
            best >= 0
            and size_fits
            and (fit > 0.3 or (photo.kind == "index" and reading.p_index > 0.5 and fit > 0.05))
        ):
            hits[best] += 1
            rank, suit = _card(photo.cards[best])
            if suit < 0 and rank < 15 and reading.suits.max() > 0.98:
                suit = int(reading.suits.argmax())
            rows.append(_row(spot, 1.0, rank, suit))
            homes_of.append(best)
            continue
        if best < 0 and photo.kind != "index" and reading.p_index > 0.3 and spot.score < 0.4:
            rows.append(_row(spot, _MINED if reading.ranks[:-1].max() < 0.5 else _IGNORE, 0, -1))
        else:
            rows.append(_row(spot, _IGNORE, 0, -1))
        homes_of.append(-1)
    _centres(photo, rows, homes_of)
    told = jokers(photo)
    for number, row in told.items():
        if not hits[number]:
            rows.append(row)
            hits[number] = 1
    for box, count in zip(photo.boxes, hits, strict=True):
        if count < (1 if photo.kind == "index" else 2):
            size = max(box[2] - box[0], box[3] - box[1])
            middle = Spot((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 0.0, size, (0, 0), 0.0, 0.0)
            rows.append(_row(middle, _IGNORE, 0, -1))
    return image, without_odd_sizes(np.asarray(rows, np.float32).reshape(-1, 10))


def main() -> None:
    """Label every training photograph and write shards beside the rendered ones."""
    from rich.progress import track

    parser = argparse.ArgumentParser(
        description="Label the training photographs with the current models."
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument(
        "--models", type=Path, required=True, help="folder with finder.onnx and reader.onnx"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder with the shards")
    parser.add_argument("--leave-out", default="", help="a folder of photographs not to use")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    finder = Finder(args.models / "finder.onnx")
    # The first models have none yet.
    reader = Reader(args.models / "reader.onnx", calibration=Calibration())
    pictures, tables, names = [], [], []
    wanted = [
        p
        for p in photographs(args.photos, "train")
        if p.kind != "none" and p.folder != args.leave_out
    ]
    for photo in track(wanted, description="labelling"):
        image, rows = label(photo, finder, reader)
        if not (rows[:, 6] > 0).any():
            continue
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].ravel()
        times = JOKERS_COUNT if (rows[:, 8] == 15).any() else 1
        pictures += [coded] * times
        tables += [rows] * times
        names += [f"photo-{photo.folder}"] * times
    args.out.mkdir(parents=True, exist_ok=True)
    target = args.out / "photos-000.npz"
    half = target.with_suffix(".part")
    with half.open("wb") as out:
        np.savez(
            out,
            bytes=np.concatenate(pictures),
            ends=np.cumsum([len(p) for p in pictures]),
            rows=np.concatenate(tables),
            row_ends=np.cumsum([len(t) for t in tables]),
            decks=np.array(names),
        )
    half.replace(target)
    counts = {
        f: (
            sum(n == f"photo-{f}" for n in names),
            int(
                sum(
                    (t[:, 6] > 0).sum()
                    for t, n in zip(tables, names, strict=True)
                    if n == f"photo-{f}"
                )
            ),
        )
        for f in ("tables", "decks", "surfaces")
    }
    print("photographs and positive indices:", counts)


if __name__ == "__main__":
    main()
