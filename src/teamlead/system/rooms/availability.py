"""Which rooms this machine can have: we find out by starting one, and never guess from versions.

Where none can be had, it says what the user can do about it. `machine` is where the files of the machine lie.
"""

import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from teamlead.errors import StorageFailed
from teamlead.ports.rooms import Means
from teamlead.system.atomic_files import write_atomically
from teamlead.system.rooms import seatbelt
from teamlead.system.rooms.trial_room import Trial, try_out
from teamlead.system.warden_client import supported
from teamlead.system.wardens.steps import landlock_version

USUAL = "/usr/bin/bwrap"
"""Asked first: systems that forbid user namespaces make an exception for the program at this path."""
_known: list[Means] = []
_caches: list[Path] = []
"""Where that was remembered, or may have been."""

INSTALLERS = {
    "debian": "sudo apt install bubblewrap",
    "ubuntu": "sudo apt install bubblewrap",
    "fedora": "sudo dnf install bubblewrap",
    "rhel": "sudo dnf install bubblewrap",
    "arch": "sudo pacman -S bubblewrap",
    "suse": "sudo zypper install bubblewrap",
    "alpine": "sudo apk add bubblewrap",
}
APPARMOR = (
    "AppArmor forbids user namespaces here; this allows them to bubblewrap: "
    "sudo apt install apparmor-profiles"
    " && sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/"
    " && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict"
)
SWITCHED_OFF = "sudo sysctl kernel.unprivileged_userns_clone=1"
LIMITED = "sudo sysctl user.max_user_namespaces=15000"
CONTAINER = (
    "start the container with user namespaces allowed in it:"
    " docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
)
UNKNOWN = "allow user namespaces on this system, or ask who looks after it"


def means(cache: Path | None = None) -> Means:
    """Returns what this process has found, or `cache` remembers of the same kernel, program and user."""
    if cache and cache not in _caches:
        _caches.append(cache)
    # Another thread may doubt it meanwhile.
    found = next(iter(_known), None)
    if found is None:
        found = _remembered(cache) or ask_again(cache)
        _known[:] = [found]
    return found


def ask_again(cache: Path | None) -> Means:
    """Looks again, whatever is remembered, and remembers what it finds."""
    found = look()
    _known[:] = [found]
    if cache:
        with contextlib.suppress(OSError, StorageFailed):
            _remember(found, cache)
    return found


def doubt() -> None:
    """Forgets what is known: a room could not be made all the same. The next start looks again."""
    _known.clear()
    for cache in _caches:
        # What cannot be forgotten now is doubted again when it fails again.
        with contextlib.suppress(OSError):
            cache.unlink(missing_ok=True)


def look() -> Means:
    """Asks the machine again."""
    if sys.platform == "darwin":
        return Means(why_not="macOS has no namespaces", seatbelt=os.access(seatbelt.PROGRAM, os.X_OK))
    if sys.platform != "linux":
        return Means(why_not="only Linux has namespaces")
    landlock = landlock_version()
    if not supported():
        return Means(why_not="wardens hold rooms, and this system has none")
    program = _program()
    if not program:
        return Means(landlock=landlock, why_not="bubblewrap is not installed", remedy=install())
    version = _version(program)
    tried: Trial | None = None
    # As much as works: where bubblewrap needs rights that Landlock takes from it, it goes without.
    for wanted in (
        Means(program, version, landlock, overlays=True),
        Means(program, version, landlock),
        Means(program, version, overlays=True),
        Means(program, version),
    ):
        tried = try_out(wanted)
        if tried.works:
            return wanted
    assert tried
    return Means(version=version, landlock=landlock, why_not=tried.why_not, remedy=mend(tried.said))


def install(machine: Path = Path("/")) -> str:
    """Says how bubblewrap is installed there."""
    words: list[str] = []
    for line in _text(machine / "etc" / "os-release").splitlines():
        if line.startswith(("ID=", "ID_LIKE=")):
            words += re.findall(r"[\w.-]+", line.partition("=")[2])
    known = [INSTALLERS[word] for word in words if word in INSTALLERS]
    return known[0] if known else " or ".join(INSTALLERS[word] for word in ("debian", "fedora", "arch"))


def mend(said: str, machine: Path = Path("/")) -> str:
    """Says what mends it, by what bubblewrap said when it failed, and what the machine says of itself."""
    kernel = machine / "proc" / "sys" / "kernel"
    if _text(kernel / "apparmor_restrict_unprivileged_userns") == "1":
        return APPARMOR
    if _text(kernel / "unprivileged_userns_clone") == "0":
        return SWITCHED_OFF
    if "ENOSPC" in said:
        return LIMITED
    if any((machine / name).exists() for name in (".dockerenv", "run/.containerenv")):
        return CONTAINER
    return UNKNOWN


def _program() -> str:
    return USUAL if os.access(USUAL, os.X_OK) else shutil.which("bwrap") or ""


def _version(program: str) -> str:
    with contextlib.suppress(OSError):
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        return told.strip().removeprefix("bubblewrap ")
    return ""


def _remember(found: Means, cache: Path) -> None:
    # What does not work may have been mended by tomorrow, and is tried again. A command that is refused
    # leaves nothing behind: where there is no folder yet, nothing is remembered.
    if not found.program:
        cache.unlink(missing_ok=True)
    elif cache.parent.is_dir():
        text = json.dumps({"identity": _identity(found.program), "means": found._asdict()})
        write_atomically(cache, text.encode())


def _remembered(cache: Path | None) -> Means | None:
    if cache:
        # Whatever it is that stands there, there is a way to find out anew.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(cache.read_bytes())
            found = Means(**told["means"])
            if found.program == _program() and told["identity"] == _identity(found.program):
                return found
    return None


def _identity(program: str) -> list[Any]:
    found = os.stat(program)  # noqa: PTH116
    return [platform.release(), program, found.st_ino, found.st_mtime_ns, found.st_size, os.getuid()]


def _text(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text(errors="replace").strip()
    return ""
