"""One entry of the journal, and the checksum that goes wherever the entry goes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PLAY = "play"
"""The kind of what happens within a game; every other kind is an act of the night."""

SUM_BYTES = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened, as entry ``seq`` (from 1) of its night.

    ``body`` is a JSON object in the form of ``packed``. ``at`` is what the device's clock
    showed, ISO 8601; it may be wrong and nothing is ordered by it.
    """

    seq: int
    kind: str
    body: str
    at: str

    @property
    def data(self) -> dict[str, Any]:
        """The decoded body."""
        decoded: dict[str, Any] = json.loads(self.body)
        return decoded

    def checksum(self, mark: str) -> bytes:
        """The checksum of this entry in the night ``mark``, the same in every file."""
        # Only the body can hold anything, and it comes last.
        text = f"{mark}\n{self.seq}\n{self.kind}\n{self.at}\n{self.body}"
        data = text.encode(errors="surrogatepass")
        return hashlib.blake2b(data, digest_size=SUM_BYTES).digest()


def packed(data: Mapping[str, Any]) -> str:
    """A JSON object in the one form in which entries hold it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
