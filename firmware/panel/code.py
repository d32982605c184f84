"""The address as a code that phones read (QR)."""

from __future__ import annotations

from functools import cache

import segno
from PIL import Image

#: Pixels a module: with one alone phones see nothing.
MODULE = 2


@cache
def code(address: str) -> Image.Image:
    """The code of ``http://address``, dark on light, without the quiet zone round it.

    A numeric address takes 42 × 42 pixels, the longest there is 58 × 58.
    """
    host = f"[{address}]" if ":" in address else address
    # Capitals take less room, and mean the same in a scheme and in an address.
    made = segno.make_qr(f"HTTP://{host.upper()}", error="l")
    side = len(made.matrix)
    picture = Image.new("1", (side, side))
    picture.putdata([0 if dark else 1 for row in made.matrix for dark in row])
    return picture.resize((side * MODULE, side * MODULE), Image.Resampling.NEAREST)
