"""A public project that cases start from: obtained by name and version when needed, and kept in a cache.

The cache is a folder: `TEAMLEAD_BENCHMARK_CACHE`, or one of the user's. Nothing of it is committed.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

Language = Literal["python", "javascript", "go", "rust"]
Source = Literal["pypi", "npm", "debian", "here"]


class Project(NamedTuple):
    name: str
    version: str
    """As its archive calls it; of a Debian package what it is known for to work, any is taken."""
    language: Language
    source: Source
    package: str = ""
    """The name in the archive, where it is another."""
    inside: str = ""
    """The folder in the package that becomes the root of the repository."""
    takes: tuple[str, ...] = ()
    """Patterns of the files that are taken."""
    adds: Mapping[str, str] = {}
    """What is laid beside them: settings of the runner, tests where the package has none."""
    packages: tuple[str, ...] = ()
    """Further packages of npm that its tests need: linked as `node_modules`."""

    @property
    def files(self) -> Mapping[str, str]:
        """Path to text; obtained when first asked for."""
        return _files(self)

    @property
    def node_modules(self) -> Path | None:
        return cache_folder() / self._key / "node_modules" if self.packages else None

    @property
    def _key(self) -> str:
        return f"{self.source}-{self.package or self.name}-{self.version}"

    def obtain(self) -> Path:
        """Returns the folder that holds the package, unpacked."""
        place = cache_folder() / self._key
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
                unpacked = Path(scratch, "package")
                unpacked.mkdir()
                OBTAIN[self.source](self, Path(scratch), unpacked)
                if not place.exists():
                    unpacked.rename(place)
        return place


def cache_folder() -> Path:
    """In the place of the user's own, whatever HOME is while a case is played."""
    named = os.environ.get("TEAMLEAD_BENCHMARK_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "teamlead-benchmarks")


_KNOWN: dict[str, dict[str, str]] = {}


def _files(project: Project) -> Mapping[str, str]:
    if project.name not in _KNOWN:
        taken = {}
        if project.source != "here":
            package = project.obtain()
            (root,) = package.glob(project.inside) if project.inside else (package,)
            found = {path for pattern in project.takes for path in root.glob(pattern) if path.is_file()}
            taken = {str(path.relative_to(root)): path.read_text("utf-8") for path in sorted(found)}
        _KNOWN[project.name] = {**taken, **project.adds}
    return _KNOWN[project.name]


def _from_pypi(project: Project, scratch: Path, into: Path) -> None:
    wanted = f"{project.package or project.name}=={project.version}"
    pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", project.name)
    _run([*pip, "--disable-pip-version-check", "-d", str(scratch), wanted], scratch)
    (archive,) = scratch.glob("*.tar.gz")
    _unpack(archive, into)


def _from_npm(project: Project, scratch: Path, into: Path) -> None:
    _run(["npm", "pack", "--silent", f"{project.package or project.name}@{project.version}"], scratch)
    (archive,) = scratch.glob("*.tgz")
    _unpack(archive, into)
    if project.packages:
        (into / "package.json").write_text("{}", "utf-8")
        _run(["npm", "install", "--silent", "--no-audit", "--no-fund", *project.packages], into)


def _from_debian(project: Project, scratch: Path, into: Path) -> None:
    _run(["apt-get", "download", "-q", project.package], scratch)
    (archive,) = scratch.glob("*.deb")
    _run(["dpkg-deb", "-x", str(archive), str(into)], scratch)


OBTAIN: Mapping[str, Callable[[Project, Path, Path], None]] = {
    "pypi": _from_pypi,
    "npm": _from_npm,
    "debian": _from_debian,
}

PROGRAMS: Mapping[Language, tuple[str, ...]] = {
    "python": (),
    "javascript": ("node", "npm"),
    "go": ("go",),
    "rust": ("cargo",),
}


def missing(project: Project) -> str:
    """Names what this machine lacks for it; "" for nothing."""
    needs = (*PROGRAMS[project.language], *(("apt-get", "dpkg-deb") if project.source == "debian" else ()))
    return ", ".join(program for program in needs if not shutil.which(program))


def _unpack(archive: Path, into: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")


def _run(command: list[str], folder: Path) -> None:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")
