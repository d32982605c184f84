"""Measure what a look says against labels: recall, wrong and asked, by folder and split.

For a rank and for the whole card:

* recall: labelled cards that are reported with the right rank (card), over all labelled;
* wrong: reported cards that lie in a labelled box and read otherwise, over all reported there;
* asked: labelled cards that would be asked about, over all labelled.

Reports outside every labelled box are counted apart (``stray``): backgrounds hold unlabelled cards.
Labels of ``decks`` are incomplete; its single-card photographs are therefore a row of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, parse_card
from models.training.command import InputError, Parser, at_least, folder, make, told
from models.training.photographs import Box, Photograph, inside, photographs
from models.training.report import Record, write_report
from models.training.scenes import Scene
from models.training.shards import SceneStore
from vision.look import Look, Looker
from vision.reader import SUITS


@dataclass
class Score:
    """Counts of one folder and split."""

    labelled: int = 0
    with_suit: int = 0
    rank_right: int = 0
    card_right: int = 0
    suit_wrong: int = 0
    suit_open: int = 0
    asked: int = 0
    reported: int = 0
    wrong: int = 0
    twice: int = 0
    stray: int = 0
    ms: list[float] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    def row(self) -> tuple[str, ...]:
        """Percentages for the table."""
        n = max(1, self.labelled)
        right = max(1, self.with_suit)
        return (
            str(self.labelled),
            f"{100 * self.rank_right / n:.1f}",
            f"{100 * self.wrong / max(1, self.reported):.2f}",
            f"{100 * self.asked / n:.1f}",
            f"{100 * self.card_right / right:.1f}" if self.with_suit else "–",
            f"{100 * self.suit_wrong / max(1, self.reported):.2f}" if self.with_suit else "–",
            f"{100 * self.suit_open / n:.1f}",
            str(self.twice),
            str(self.stray),
        )


HEADINGS = (
    "labelled",
    "rank recall %",
    "rank wrong %",
    "asked %",
    "card recall %",
    "suit wrong %",
    "suit open %",
    "twice",
    "stray",
)


def _truths(photo: Photograph) -> list[tuple[Card, list[Box]]]:
    """The physical cards of a photograph with their boxes; indices of one code are one card."""
    if photo.kind != "index":
        return [
            (parse_card(c), [b])
            for c, b in zip(photo.cards, photo.boxes, strict=True)
            if c != "BACK"
        ]
    boxes: dict[str, list[Box]] = defaultdict(list)
    for code, box in zip(photo.cards, photo.boxes, strict=True):
        if code != "BACK":
            boxes[code].append(box)
    return [(parse_card(code), found) for code, found in boxes.items()]


def _record(
    image: NDArray[np.uint8], deck: str, name: str, kind: str, truth: tuple[Card, list[Box]]
) -> Record:
    """What is known of a labelled card before it is looked for; ``kind`` of its boxes."""
    card, boxes = truth
    h, w = image.shape[:2]
    x0, y0 = (max(0, int(min(b[i] for b in boxes))) for i in (0, 1))
    x1, y1 = min(w, int(max(b[2] for b in boxes))), min(h, int(max(b[3] for b in boxes)))
    crop = image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    longest = max(max(b[2] - b[0], b[3] - b[1]) for b in boxes)
    # A card is about eight index blocks high.
    size = longest if kind == "index" else longest / 8
    corners = len(boxes) if kind == "index" else 0
    light = float(crop.mean()) if crop.size else 0.0
    return Record(deck, card, None, False, 0.0, size, light, corners, crop, name)


def compare(
    look: Look,
    truths: Sequence[tuple[Card, list[Box]]],
    score: Score,
    name: str,
    records: Sequence[Record] = (),
) -> None:
    """Add one picture to the score: the best one-to-one pairing of reports and labels.

    ``records`` of the truths, in their order, are completed and kept, if there are any.
    """
    pairs = []
    for i, (card, boxes) in enumerate(truths):
        for j, seen in enumerate(look.cards):
            hits = [
                any(inside(b, s.spot.x, s.spot.y, 0.05) for b in boxes)
                for s in seen.sighting.readings
            ]
            share = sum(hits) / len(hits)
            if share >= 0.5:
                same = 2.0 * (seen.card.rank == card.rank) + (seen.card.suit == card.suit)
                pairs.append((same + share, i, j))
    labels, reports = set(range(len(truths))), set(range(len(look.cards)))
    homes = {j for _, _, j in pairs}
    score.labelled += len(truths)
    for _, i, j in sorted(pairs, reverse=True):
        if i not in labels or j not in reports:
            continue
        labels.discard(i)
        reports.discard(j)
        card, seen = truths[i][0], look.cards[j]
        score.reported += 1
        if records:
            score.records.append(replace(records[i], seen=seen.card, p=seen.p_rank))
        if seen.card.rank != card.rank:
            score.wrong += 1
            score.mistakes.append(f"{name}: {card} read as {seen.card} (p {seen.p_rank:.3f})")
            continue
        score.rank_right += 1
        if card.suit is None:
            continue
        score.card_right += seen.card.suit == card.suit
        score.suit_open += seen.card.suit is None
        if seen.card.suit not in (None, card.suit):
            score.suit_wrong += 1
            score.mistakes.append(f"{name}: {card} read as {seen.card} (p {seen.p:.3f})")
    score.with_suit += sum(card.suit is not None for card, _ in truths)
    for j in reports:
        if j not in homes:
            score.stray += 1
            continue
        seen = look.cards[j]
        codes = {str(truths[i][0]) for _, i, k in pairs if k == j}
        ranks = {truths[i][0].rank for _, i, k in pairs if k == j}
        score.reported += 1
        if seen.card.rank in ranks:
            score.twice += 1
        else:
            score.wrong += 1
            score.mistakes.append(
                f"{name}: {seen.card} (p {seen.p_rank:.3f}) reported over {'/'.join(sorted(codes))}"
            )
    for i in labels:
        boxes = truths[i][1]
        about = [
            u
            for u in look.unsure
            if any(inside(b, r.spot.x, r.spot.y, 0.05) for b in boxes for r in u.sighting.readings)
        ]
        asked = bool(about)
        score.asked += asked
        if records:
            first = about[0].candidates[0].rank == truths[i][0].rank if about else False
            sight = about[0].sighting if about else None
            p = float(sight.ranks.max() * sight.p_index) if sight else 0.0
            score.records.append(replace(records[i], asked=asked, p=p, first=first))
        score.mistakes.append(f"{name}: {truths[i][0]} {'asked' if asked else 'missed'}")
    score.ms.append(look.ms)


def scene_truths(scene: Scene, least: float = 0.8) -> list[tuple[Card, list[Box]]]:
    """Cards of a rendered scene that show at least one index whole enough and 9 px high or more."""
    found: dict[tuple[int, int, int, int], list[Box]] = defaultdict(list)
    for x, y, _, size, cx, cy, visible, _, rank, suit in scene.indices:
        if visible >= least and size >= 9:
            key = int(rank), int(suit), round(float(x + cx)), round(float(y + cy))
            found[key].append((x - size / 2, y - size / 2, x + size / 2, y + size / 2))
    return [
        (Card(Rank(rank), None if suit < 0 else SUITS[suit]), boxes)
        for (rank, suit, _, _), boxes in found.items()
    ]


def evenly(photos: Sequence[Photograph], limit: int | None) -> list[Photograph]:
    """Of so many photographs, in their order, as many as wanted, each folder by its share."""
    count = len(photos) if limit is None else min(limit, len(photos))
    return [photos[len(photos) * i // count] for i in range(count)]


def score_photos(
    looker: Looker, root: Path, split: str, limit: int | None = None
) -> dict[str, Score]:
    """One score a folder, and ``decks: single`` for its photographs of one card."""
    from rich.progress import track

    scores: dict[str, Score] = defaultdict(Score)
    wanted = [p for p in photographs(root, split) if p.kind != "none"]
    for photo in track(evenly(wanted, limit), description=f"{split} photographs", transient=True):
        truths = _truths(photo)
        image = photo.pixels()
        look = looker.look(image)
        name = f"{photo.folder}/{photo.path.name}"
        records = [_record(image, photo.folder, name, photo.kind, truth) for truth in truths]
        compare(look, truths, scores[photo.folder], name, records)
        if photo.folder == "decks" and len(truths) == 1 and "BACK" not in photo.cards:
            compare(look, truths, scores["decks: single card"], name)
    return scores


def score_scenes(looker: Looker, place: Path, limit: int = 100) -> dict[str, Score]:
    """Rendered scenes of the decks held out of training; calibration uses the later ones."""
    scores: dict[str, Score] = defaultdict(Score)
    store = SceneStore.load(place, "held-out-*.npz")
    if not len(store):
        raise InputError(f"{place} holds no held-out-*.npz; expected the scenes of a training")
    for number in range(min(limit, len(store))):
        scene = store.scene(number)
        truths = scene_truths(scene)
        look = looker.look(scene.image)
        name = f"scene {number} {scene.deck}"
        records = [_record(scene.image, scene.deck, name, "index", truth) for truth in truths]
        compare(look, truths, scores["held-out decks, rendered"], name, records)
    return scores


def show(scores: dict[str, dict[str, Score]]) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("split", "folder", *HEADINGS, title="What a look says against the labels")
    for split, folders in scores.items():
        for name, score in sorted(folders.items()):
            table.add_row(split, name, *score.row())
    Console(width=150).print(table)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure from the command line."""
    here = Path(__file__).resolve().parents[2]
    parser = Parser(description="Measure the models on photographs and on rendered scenes.")
    parser.add_argument(
        "--photos",
        type=Path,
        default=here.parent / "shared" / "photos",
        metavar="DIR",
        help="the labelled photographs with their manifest.jsonl (%(default)s)",
    )
    parser.add_argument(
        "--scenes",
        type=folder,
        metavar="DIR",
        help="folder with held-out shards (made by models.training.run)",
    )
    parser.add_argument(
        "--models",
        type=folder,
        metavar="DIR",
        help="folder with the ONNX files; the installed ones by default",
    )
    parser.add_argument("--split", action="append", choices=("train", "val"), help="val by default")
    parser.add_argument(
        "--limit",
        type=at_least(1),
        metavar="N",
        help="no more photographs of a split than this, evenly from all of them",
    )
    parser.add_argument("--mistakes", action="store_true", help="list every mistake, too")
    parser.add_argument("--report", type=Path, metavar="DIR", help="tables and pictures of errors")
    args = parser.parse_args(argv)
    if not args.scenes and not args.photos.is_dir():
        raise InputError(
            f"there are no photographs at {args.photos}; expected --photos or --scenes"
        )
    if args.report:
        make(args.report)
    looker = Looker.load(args.models)
    scores: dict[str, dict[str, Score]] = {}
    if args.photos.is_dir():
        for split in args.split or ["val"]:
            scores[split] = score_photos(looker, args.photos, split, args.limit)
    else:
        print(f"no photographs at {args.photos}: only rendered scenes are measured")
    if args.scenes:
        scores["held out"] = score_scenes(looker, args.scenes)
    show(scores)
    times: list[Any] = [ms for folders in scores.values() for s in folders.values() for ms in s.ms]
    if times:
        print(f"median {np.median(times):.0f} ms a look")
    if args.report:
        for split, folders in scores.items():
            print(f"\n{split}")
            records = [r for score in folders.values() for r in score.records]
            write_report(records, args.report / split.replace(" ", "-"))
    if args.mistakes:
        for folders in scores.values():
            for name, score in folders.items():
                print(f"\n{name}")
                print("\n".join(score.mistakes))


if __name__ == "__main__":
    raise SystemExit(told(main))
