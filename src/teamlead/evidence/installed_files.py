"""Files that agents cite and that belong to no repository: of the standard library, and of what is installed.

Only places where programs install themselves are looked into, whatever path is cited.
"""

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from teamlead.evidence.file_sources import LARGEST
from teamlead.forms.citations.file_names import OF_NODE

_FOLDERS = frozenset({"site-packages", "dist-packages", "node_modules", "rustlib"})
_ROOTS = tuple(
    Path(root)
    for root in (
        sysconfig.get_paths()["stdlib"],
        "/usr/lib",
        "/usr/local/lib",
        "/usr/share",
        "/usr/include",
        "/usr/local/go",
        "/opt",
    )
)
_CACHES = (
    "/go/pkg/mod/",
    "/.cargo/registry/",
    "/.rustup/toolchains/",
    "/.pyenv/versions/",
    "/.nvm/versions/",
)


def installed_file(path: str, roots: Sequence[str]) -> bytes | None:
    """What is there, if it is such a file. `roots`: of working copies, which may hold packages, too."""
    for place in _places(path, roots):
        try:
            if place.is_file() and place.stat().st_size <= LARGEST and _is_installed(place, roots):
                return place.read_bytes()
        except (OSError, ValueError, RuntimeError):
            continue
    return None


def elsewhere(path: str, roots: Sequence[str]) -> bool:
    """Whether it names such a file of another machine, a room or another version: it cannot be looked up."""
    if path.startswith("node:"):
        # Its library is a part of the program itself.
        return bool(OF_NODE.match(path))
    if path.startswith("/"):
        return not Path(path).exists() and _is_installed(Path(path), roots)
    return path.endswith(".py") and path.removesuffix(".py") in sys.stdlib_module_names


def _places(path: str, roots: Sequence[str]) -> Iterator[Path]:
    if path.startswith("/"):
        yield Path(path)
        return
    if ".." in PurePosixPath(path).parts:
        return
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    yield from (stdlib / path, stdlib / "site-packages" / path)
    # As it is often shortened: "python3.11/json/decoder.py", "lib/python3.11/json/decoder.py".
    parts = PurePosixPath(path).parts
    named = next((place for place, part in enumerate(parts) if part.startswith("python3")), None)
    if named is not None:
        yield stdlib.joinpath(*parts[named + 1 :])
    yield from (Path(library) / path for library in sorted(Path("/usr/lib").glob("go-*/src")))
    yield Path("/usr/local/go/src") / path
    for root in roots:
        yield Path(root) / path


def _is_installed(named: Path, roots: Sequence[str]) -> bool:
    place = named.resolve()
    if _FOLDERS & {*place.parts[:-1]}:
        return True
    # A project may lie in such a place itself: its own files are no package.
    if any(path.is_relative_to(root) for path in (named, place) for root in roots):
        return False
    return any(place.is_relative_to(root) for root in _ROOTS) or any(cache in str(place) for cache in _CACHES)
