"""Where Pilewatch keeps what must outlive the process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def state_folder(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return the folder for journal and logs, which need not exist yet; None without a home.

    systemd names it in ``STATE_DIRECTORY``; elsewhere the XDG base directory rules are followed,
    by which a relative path in the environment counts as unset.
    """
    env = os.environ if environ is None else environ
    given = env.get("STATE_DIRECTORY", "").split(":")[0]
    if Path(given).is_absolute():
        return Path(given)
    base = Path(env.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        home = Path(env.get("HOME", ""))
        if not home.is_absolute():
            return None
        base = home / ".local" / "state"
    return base / "pilewatch"
