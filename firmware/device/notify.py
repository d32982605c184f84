"""Telling systemd how it goes: the protocol of sd_notify(3), a datagram to a named socket."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping

#: Names the socket, where systemd has started us.
SOCKET = "NOTIFY_SOCKET"


class Notifier:
    """Sends to the socket in ``NOTIFY_SOCKET``; without one it does nothing."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        env = os.environ if environ is None else environ
        address = env.get(SOCKET, "")
        # A leading @ is systemd's way to write the abstract name space.
        self._address = "\0" + address[1:] if address.startswith("@") else address

    def ready(self) -> None:
        """The device is up."""
        self._send("READY=1")

    def alive(self) -> None:
        """The loop has come round: called by nothing but the loop."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """It is coming to an end on purpose."""
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """One line for ``systemctl status``."""
        self._send("STATUS=" + " ".join(text.split()))

    def _send(self, text: str) -> None:
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto(text.encode(), self._address)
