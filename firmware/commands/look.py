"""``pilewatch look``: reads the cards on still photographs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import PilewatchError, printable
from firmware.arguments import given
from firmware.decks import learned_deck

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.look import Look

EXIT_UNREAD = 1


class Reads(Protocol):
    """What is needed of a looker."""

    def look(self, image: Image) -> Look:
        """Return what the picture (H, W, 3, uint8, BGR) shows."""
        ...


def add_parser(sub: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``look``."""
    parser = sub.add_parser(
        "look",
        help="read the cards on still photographs",
        description=(
            "Reads still photographs: which cards are sure, and which it would ask about. "
            "A file that is no picture is told and passed over; the exit code is then 1, "
            "or 74 if what --annotate draws cannot be written. "
            "9? is a nine whose suit is not sure."
        ),
    )
    parser.add_argument("photos", type=given, nargs="+", metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each photo")
    parser.add_argument("--deck", type=given, metavar="NAME", help="a deck learned by learn-deck")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="also write the photos there with the readings drawn in; other files there stay",
    )


def run(args: argparse.Namespace) -> int:
    """Return 0, 1 if a photo could not be read, or what becomes of one that cannot be written."""
    # Imported here, so that --help does not wait for OpenCV and the models.
    from vision.look import Looker

    deck = learned_deck(args.deck) if args.deck else None
    return read_photos(
        args.photos, lambda: Looker.load(deck=deck), as_json=args.json, annotate=args.annotate
    )


def read_photos(
    photos: Sequence[str],
    load: Callable[[], Reads],
    *,
    as_json: bool = False,
    annotate: Path | str | None = None,
) -> int:
    """Print what each photo shows, in order, and return the exit code.

    ``load`` brings the looker; it is called once, and not at all when no photo can be opened.
    """
    from firmware.annotate import Annotated
    from firmware.journal.errors import WriteError
    from vision.pictures import PictureError, load_picture

    looker: Reads | None = None
    code = 0
    drawn = Annotated(annotate, photos) if annotate is not None else None
    for photo in photos:
        look: Look | None = None
        wrong: PictureError | WriteError | None = None
        try:
            image = load_picture(photo)
            looker = looker or load()
            look = looker.look(image)
            if drawn is not None:
                drawn.write(photo, image, look)
        except PictureError as error:
            wrong, code = error, max(code, EXIT_UNREAD)
        except WriteError as error:
            wrong, code = error, max(code, error.exit_code)
        _tell(photo, look, wrong, as_json)
    return code


def as_dict(photo: str, look: Look) -> dict[str, Any]:
    """Return the JSON object for a photo."""
    return {
        "photo": _legible(photo),
        "cards": [
            {
                "card": str(seen.card),
                "p": _rounded(seen.p),
                "p_rank": _rounded(seen.p_rank),
                "box": [int(v) for v in seen.box],
                "top": bool(seen.top),
            }
            for seen in look.cards
        ],
        "unsure": [
            {
                "candidates": [str(card) for card in asked.candidates],
                "p": [_rounded(p) for p in asked.p],
                "box": [int(v) for v in asked.box],
            }
            for asked in look.unsure
        ],
        "ms": round(float(look.ms), 1),
    }


def in_words(photo: str, look: Look) -> str:
    """Return the same for human eyes, a line for the photo and one for each card."""
    cards, asked = len(look.cards), len(look.unsure)
    head = f"{printable(photo)}: {cards} card{'' if cards == 1 else 's'}"
    if asked:
        head += f", {asked} question{'' if asked == 1 else 's'}"
    lines = [f"{head} ({look.ms:.0f} ms)"]
    for seen in look.cards:
        on_top = "  nothing covers it" if seen.top else ""
        lines.append(f"  {seen.card!s:<4} {100 * seen.p:5.1f} %{on_top}")
    for unsure in look.unsure:
        question = " or ".join(str(card) for card in unsure.candidates)
        chances = ", ".join(f"{100 * p:.0f} %" for p in unsure.p)
        lines.append(f"  {question}?  ({chances})")
    return "\n".join(lines)


def _rounded(p: float) -> float:
    return round(float(p), 4)


def _tell(photo: str, look: Look | None, wrong: PilewatchError | None, as_json: bool) -> None:
    if as_json:
        found = {"photo": _legible(photo)} if look is None else as_dict(photo, look)
        _print(json.dumps(found if wrong is None else found | {"error": str(wrong)}))
        return
    if look is not None:
        _print(in_words(photo, look))
    if wrong is not None:
        sys.stdout.flush()
        sys.stderr.write(f"pilewatch look: {wrong}\n")


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()  # whoever reads our lines sees each photo as soon as it is done


def _legible(text: str) -> str:
    r"""Return ``text`` with the bytes of a file name in no known encoding as ``\xe9``."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
