"""Every screen that has words of its own, in the language that is chosen.

``python tests/firmware/speaking_gallery.py SHEET.png`` draws all languages on one sheet;
``--write`` renews the golden pictures, to be looked at before they are committed, and the picture
in the documentation.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]

from gallery import TINT, card, cards
from PIL import Image

from engine.rules import preset
from engine.say import languages
from firmware import panel, words
from firmware.device.lobby import Lobby, Offer, specials
from firmware.inbox import Button
from firmware.words import say

GOLDEN = Path(__file__).parent / "golden"
#: What the README shows of it.
SHOWN = Path(__file__).parents[2] / "docs" / "panel.png"
CHOSEN = (
    "lobby_rules", "lobby_enough", "special", "turn_card", "turn", "refused_too_low", "burned",
    "which", "pickup", "out_first", "over", "scores",
)  # fmt: skip


def keys(section: str) -> list[str]:
    """The keys of a section of the catalogue."""
    lines = words.catalogue(words.DEFAULT)
    return [key.removeprefix(f"{section}.") for key in lines if key.startswith(f"{section}.")]


def screens() -> dict[str, panel.Screen]:
    """The screens by name."""
    no = say("device.shut_down_no")
    offer = Offer.of(("classic", "hat"), ("Åse", "Gülşən", "Íñigo"))
    lobby = Lobby.begin(offer)
    seats = lobby.press(Button.PICKUP)
    two = seats.press(Button.PICKUP).press(Button.PICKUP)
    deal = two.press(Button.PICKUP).press(Button.PICKUP).press(Button.NEXT)
    same = Lobby.begin(Offer.of(("classic",), (), ("Åse", "Gülşən"), "Åse", True))
    fixed = (say("panel.choose"), say("panel.choose_other"))
    out: dict[str, panel.Screen] = {
        "turn_card": panel.TurnCard("Åse"),
        "splash": panel.Splash("classic", ("Åse", "Gülşən", "Íñigo")),
        "turn": panel.Turn(
            "Gülşən", card("7H"), 1, say("panel.beat"), "Åse: 7", pile=12, stock=27, hand=3
        ),
        "turn_bound": panel.Turn("Åse", card("7S"), owed=say("panel.bound", rank=7), pile=3),
        "turn_free": panel.Turn("Åse", None, owed=say("panel.free")),
        "turn_taken": panel.Turn(
            "Åse",
            None,
            owed=say("panel.free"),
            last=say("panel.last_pickup", name="Bo", count=12),
            stock=27,
            hand=3,
        ),
        "turn_blind": panel.Turn(
            "Åse", card("7S"), 1, say("panel.beat"), say("device.blind_line"), 12
        ),
        "burned": panel.Burned("Íñigo", True, 7),
        "burned_next": panel.Burned("Íñigo", False, 4),
        "takes_pile": panel.TakesPile(
            "Gülşən", say("panel.last", name="Bo", cards="4"), card("4C")
        ),
        "which": panel.Which(cards("6S 9S"), 0, say("panel.which"), say("panel.which_hint")),
        "impossible": panel.Which(
            cards("5? 5C"), 0, say("panel.impossible"), say("panel.impossible_hint")
        ),
        "pickup": panel.YesNo(
            say("panel.picked_up", name="Åse"), say("panel.yes"), say("panel.no")
        ),
        "mismatch": panel.YesNo(
            say("ask.mismatch", count=7, card="10"), say("panel.as_seen"), say("panel.as_kept")
        ),
        "mismatch_empty": panel.YesNo(
            say("ask.mismatch_empty"), say("panel.as_seen"), say("panel.as_kept")
        ),
        "out_first": panel.Out("Åse", 1),
        "out": panel.Out("Íñigo", 2),
        "over": panel.Over("Gülşən", "Åse"),
        "over_without_loser": panel.Over(None, None),
        "over_without_score": panel.Notice(say("panel.over"), say("device.scores_hint")),
        "lobby_same": same.screen(),
        "lobby_rules": lobby.screen(),
        "lobby_seat": seats.screen(),
        "lobby_enough": two.screen(),
        "lobby_dealer": two.press(Button.PICKUP).screen(),
        "lobby_deal": deal.press(Button.NEXT).screen(),
        "special": panel.Lines(
            say("set_up.special"), specials(preset("classic")), say("set_up.special_hint")
        ),
        "special_jokers": panel.Lines(
            say("set_up.special"), specials(preset("jokers")), say("set_up.special_hint")
        ),
        "scores": panel.Scores(
            say("night.title", number=3),
            (panel.Row("Åse", "IDI"), panel.Row("Gülşən", "I", True), panel.Row("Íñigo", "")),
            say("device.scores_hint"),
        ),
        "scores_six": panel.Scores(
            say("night.title", number=3),
            tuple(panel.Row(f"Maximilian {n}", str(n), n == 2) for n in range(6)),
            say("device.scores_hint"),
        ),
        "starting": panel.Notice(say("device.starting")),
        "blind": panel.Notice(say("device.blind"), say("device.blind_text")),
        "sees": panel.Notice(say("device.sees")),
        "paused": panel.Notice(say("device.paused"), say("device.paused_text")),
        "address": panel.Address("192.168.178.123"),
        "no_network": panel.Notice(say("device.address"), say("device.no_network")),
        "goes_on": panel.Notice(say("note.goes_on", name="Åse", count=12)),
        "shut_down": panel.YesNo(say("device.shut_down"), say("device.shut_down_yes"), no),
        "stopping": panel.Notice(say("device.stopping")),
        "unplug": panel.Notice(say("device.unplug")),
        "still_on": panel.Notice(say("device.not_shut_down"), say("device.game_goes_on")),
        "pattern": panel.Pattern("ssd1306"),
    }
    for key in keys("part"):
        fault = say("device.fault", part=say(f"part.{key}"))
        out[f"fault_{key}"] = panel.Notice(
            fault, f"{say(f'mend.{key}')} {say('device.game_goes_on')}"
        )
        out[f"healed_{key}"] = panel.Notice(say("device.healed", part=say(f"part.{key}")))
    numbers = say("aim.numbers", index=90, sharp=140, light=120)
    for key in keys("aim"):
        if key not in {"numbers", "lens"}:
            out[f"aim_{key}"] = panel.Notice(say(f"aim.{key}"), numbers)
    out["aim_lens"] = panel.Notice(say("aim.good"), say("aim.lens", lens="12.34"))
    for key in keys("menu"):
        out[f"menu_{key}"] = panel.YesNo(say(f"menu.{key}", name="Gülşən"), *fixed)
    for reason in keys("reason"):
        out[f"refused_{reason}"] = panel.Refused(
            "Gülşən", cards("5D"), say(f"reason.{reason}"), say("panel.refused_hint")
        )
    out["new_night"] = panel.Notice(say("note.new_night", name="Gülşən", number=12))
    return out


def in_language(language: str) -> dict[str, panel.Screen]:
    """The screens of a language; the device speaks English again afterwards."""
    words.choose(language)
    try:
        return screens()
    finally:
        words.choose("en")


def drawn(language: str, screen: panel.Screen) -> Image.Image:
    """The picture of a screen, its fixed words in that language."""
    words.choose(language)
    try:
        return panel.draw(screen)
    finally:
        words.choose("en")


def sheet(language: str, columns: int = 8, chosen: tuple[str, ...] = ()) -> Image.Image:
    """All screens of a language, or those chosen, on one sheet, a pixel of grey between them."""
    found = in_language(language)
    pictures = [drawn(language, found[name]) for name in chosen or found]
    wide, high = panel.SIZE[0] + 1, panel.SIZE[1] + 1
    rows = -(-len(pictures) // columns)
    out = Image.new("L", (wide * columns, high * rows), 128)
    for i, picture in enumerate(pictures):
        out.paste(picture.convert("L"), (i % columns * wide, i // columns * high))
    return out


def as_on_the_panel(picture: Image.Image) -> Image.Image:
    """Twice as large, and in the panel's light blue."""
    big = picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.NEAREST)
    return Image.merge("RGB", [big.point(lambda v, k=k: v * k // 255) for k in TINT])


def main() -> None:
    if "--write" in sys.argv:
        for language in languages():
            sheet(language).save(GOLDEN / f"all_{language}.png", optimize=True)
        few = as_on_the_panel(sheet("en", 4, CHOSEN)).quantize(4)
        few.save(SHOWN, optimize=True)
        return
    sheets = [sheet(language) for language in languages()]
    out = Image.new("L", (sheets[0].width, sum(s.height + 6 for s in sheets)), 60)
    y = 0
    for each in sheets:
        out.paste(each, (0, y))
        y += each.height + 6
    as_on_the_panel(out).save(sys.argv[1])


if __name__ == "__main__":
    main()
