"""The address under which the device can be reached, if there is a network."""

from __future__ import annotations

import socket


def address() -> str | None:
    """The numeric address of this machine, None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only looks up the route (192.0.2.0/24 is for examples).
            probe.connect(("192.0.2.1", 9))
            found: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if found.startswith(("0.", "127.")) else found
