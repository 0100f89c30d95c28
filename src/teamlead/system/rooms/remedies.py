"""What a user can do about a machine that has no rooms. `machine` is where its files lie."""

import contextlib
import re
from pathlib import Path

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


def install(machine: Path = Path("/")) -> str:
    words: list[str] = []
    for line in _text(machine / "etc" / "os-release").splitlines():
        if line.startswith(("ID=", "ID_LIKE=")):
            words += re.findall(r"[\w.-]+", line.partition("=")[2])
    known = [INSTALLERS[word] for word in words if word in INSTALLERS]
    return known[0] if known else " or ".join(INSTALLERS[word] for word in ("debian", "fedora", "arch"))


def mend(said: str, machine: Path = Path("/")) -> str:
    """By what bubblewrap said when it failed, and by what the machine says of itself."""
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


def _text(path: Path) -> str:
    with contextlib.suppress(OSError):
        return path.read_text(errors="replace").strip()
    return ""
