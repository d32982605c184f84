"""Where Pilewatch keeps what must outlive the process, and whose it is."""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
from collections.abc import Mapping
from pathlib import Path

#: Where systemd/install.sh puts the program, and where its service keeps what it knows.
PROGRAM, DEVICE = Path("/opt/pilewatch"), Path("/var/lib/pilewatch")


def state_folder(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return the folder for journal and logs, which need not exist yet; None without a home.

    systemd names it in ``STATE_DIRECTORY``. The installed program knows its service's, whoever
    runs it: the nights of the device are those that people ask about. Elsewhere the XDG base
    directory rules are followed, by which a relative path in the environment counts as unset.
    """
    env = os.environ if environ is None else environ
    given = env.get("STATE_DIRECTORY", "").split(":")[0]
    if Path(given).is_absolute():
        return Path(given)
    if Path(__file__).resolve().is_relative_to(PROGRAM) and DEVICE.is_dir():
        return DEVICE
    base = Path(env.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():
        home = Path(env.get("HOME", ""))
        if not home.is_absolute():
            return None
        base = home / ".local" / "state"
    return base / "pilewatch"


def others(folder: Path) -> str:
    """Where else the nights may be that are missing in ``folder``, to be put behind it."""
    if not DEVICE.is_dir() or folder.is_relative_to(DEVICE):
        return ""
    return f"; the device itself keeps them in {DEVICE}, where the installed pilewatch looks"


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing."""
    if not folder.exists():
        make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        hand_over(folder, folder.parent)
    if not folder.is_dir():
        folder.mkdir()  # something else is there: the error that says so


def hand_over(made: Path | int, folder: Path) -> None:
    """Let what root has just made in ``folder``, a path or an open file, belong to its owner.

    Otherwise one command with sudo would lock the service out of its own journal. A file must not
    have been reached by a link, which could lead to one of the system's.
    """
    if os.geteuid() == 0:
        # A file system without owners needs none.
        with contextlib.suppress(OSError):
            owner = folder.stat()
            by_name = isinstance(made, Path)
            os.chown(made, owner.st_uid, owner.st_gid, follow_symlinks=not by_name)


def owner(path: Path) -> str | None:
    """Who may use what is at ``path``, None if this one may: the owner, as far as is seen."""
    try:
        user = path.stat().st_uid
    except FileNotFoundError:
        return owner(path.parent)
    except OSError:
        # A folder above it is closed to us; its owner is who may look in.
        return owner(path.parent) if path != path.parent else None
    if os.geteuid() in (user, 0):
        return None
    return user_name(user)


def user_name(number: int) -> str:
    """What a user is called; the number where nobody knows."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def reason(error: OSError, path: Path) -> str:
    """Why nothing can be put at ``path``: what the system says, or which file is in the way.

    The system names no file that stands where a folder would have to be.
    """
    there = next((each for each in (path, *path.parents) if os.path.lexists(each)), path)
    in_the_way = error.errno == errno.ENOTDIR or error.filename == str(there)
    if in_the_way and os.path.lexists(there) and not there.is_dir():
        return f"{there} is no folder"
    return error.strerror or str(error)


def forbidden(path: Path, why: str | None, act: str = "use") -> str:
    """What is to be told of a path that this user may not use, or not write."""
    name = owner(path)
    how = "" if name in (None, "root") else f": run it as sudo -u {name} pilewatch …"
    whose = f"; it belongs to {name}{how}" if name else ""
    return f"{path}: this user may not {act} it ({why or 'permission denied'}){whose}"
