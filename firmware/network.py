"""The address under which the device can be reached, if there is a network."""

from __future__ import annotations

import contextlib
import socket

#: By the route to these (both for examples only) the address of this machine is found.
FAMILIES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def address() -> str | None:
    """The numeric address of this machine, None without a network. Nothing is sent."""
    for family, outside in FAMILIES:
        # Connecting a datagram socket only looks up the route.
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            found: str = probe.getsockname()[0]
            if not found.startswith(("0.", "127.", "::", "fe80:")):
                return found
    return None
