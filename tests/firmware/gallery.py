"""The screens kept as golden pictures, and a tool to look at them all.

``python tests/firmware/gallery.py SHEET.png`` draws a contact sheet;
``--write`` renews the golden pictures, to be looked at before they are committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]

from PIL import Image

from engine.cards import Card, parse_card
from firmware import panel

TINT = (150, 220, 255)
GOLDEN = Path(__file__).parent / "golden"


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def card(code: str) -> Card:
    return parse_card(code)


SCREENS: dict[str, panel.Screen] = {
    "splash": panel.Splash("classic", ("Ann", "Bob", "Cat")),
    "splash_many": panel.Splash(
        "classic", ("Alexandra", "Bartholomew", "Catherine", "Dagfinn", "Əsgər")
    ),
    "turn_card": panel.TurnCard("Cat"),
    "turn": panel.Turn("Ann", card("7H"), 1, "to beat", "Cat: 7", pile=12, stock=27, hand=3),
    "turn_set": panel.Turn("Bob", card("10S"), 3, "to beat", "Ann: 10 ×3", 5, stock=4, hand=12),
    "turn_empty": panel.Turn("Cat", None, 0, "plays anything", "Bob takes 12", stock=17, hand=3),
    "turn_late": panel.Turn("Cat", card("KD"), 1, "to beat", "Bob: K", pile=28, hand=1),
    "turn_joker_set": panel.Turn("Cat", card("JK"), 2, "plays anything", "Bob: joker", 4, 9, 3),
    "turn_long_name": panel.Turn(
        "Maximiliana", card("QD"), 2, owed="to beat", last="Wolfgang-Amadeus: Q ×2"
    ),
    "turn_letters": panel.Turn("Çağrı Şığ", card("AC"), owed="7 or lower", last="Ñuño: A"),
    "turn_joker": panel.Turn("Åse", card("JK"), owed="plays anything", last="Bø: joker"),
    "turn_no_suit": panel.Turn("Ann", card("6?"), owed="to beat", last="Cat: 6", pile=3),
    "refused": panel.Refused(
        "Bob", cards("5D"), "Five on a king: too low", "Take it back, or the pile"
    ),
    "refused_long": panel.Refused(
        "Bartholomew",
        cards("5D 10H"),
        "Two cards on different ranks are one too many",
        "Take it back, or the pile",
    ),
    "refused_no_card": panel.Refused("Ann", (), "There is no pile to take", ""),
    "burned": panel.Burned("Ann", True, 7),
    "burned_next": panel.Burned("Wolfgang-Amadeus", False, 4),
    "takes_pile": panel.TakesPile("Bob", "4 on a king", card("4C")),
    "which": panel.Which(cards("6S 9S"), 0, "Which card is it?", "next: the other one"),
    "which_second": panel.Which(cards("10H JH"), 1, "Which card is it?", "next: the other one"),
    "which_three": panel.Which(cards("6S 9S 8S"), 2, "Which card is it?", "next: the other one"),
    "impossible": panel.Which(cards("5? 5C"), 0, "Is it really that?", "next: this  oops: as read"),
    "pickup": panel.YesNo("Did Bob pick up?", "pickup: yes", "oops: no"),
    "pickup_long": panel.YesNo("Did Wolfgang-Amadeus pick up?", "pickup: yes", "oops: no"),
    "out": panel.Out("Ann", 1),
    "out_second": panel.Out("Catherine", 2),
    "over": panel.Over("Bob", "Ann"),
    "over_long": panel.Over("Bartholomew", "Alexandra"),
    "notice": panel.Notice("I can't see", "Keep playing: press next for each play"),
    "notice_short": panel.Notice("Safe to unplug"),
    "address": panel.Address("192.168.178.123"),
    "address_long": panel.Address("2001:db8:1234:5678:9abc:def0:1234:5678"),
    "tall_letters": panel.YesNo("Ấ́ Ỹ Ǟ Ở?", "Ẫ", "Ễ"),
}


def sheet(scale: int = 3, columns: int = 4) -> Image.Image:
    """All screens side by side, enlarged, as light blue on black like the real panel."""
    wide, high = panel.SIZE[0] * scale + 12, panel.SIZE[1] * scale + 12
    rows = -(-len(SCREENS) // columns)
    out = Image.new("RGB", (wide * columns, high * rows), (60, 60, 60))
    for i, screen in enumerate(SCREENS.values()):
        picture = (
            panel.draw(screen)
            .convert("L")
            .resize((panel.SIZE[0] * scale, panel.SIZE[1] * scale), Image.Resampling.NEAREST)
        )
        colour = Image.merge("RGB", [picture.point(lambda v, k=k: v * k // 255) for k in TINT])
        out.paste(colour, (i % columns * wide + 6, i // columns * high + 6))
    return out


def main() -> None:
    if "--write" in sys.argv:
        GOLDEN.mkdir(exist_ok=True)
        for name, screen in SCREENS.items():
            panel.draw(screen).save(GOLDEN / f"{name}.png", optimize=True)
        return
    sheet().save(sys.argv[1])


if __name__ == "__main__":
    main()
