"""A user without any rights, who calls the program as installed for all: for tests that root calls."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from packaging.requirements import Requirement
from tests.flows.support import Project

import teamlead

STRANGER = 12345


def is_open(program: Path) -> bool:
    """To every user."""
    return all(folder.stat().st_mode & 0o1 for folder in program.resolve().parents)


@cache
def python_for_all() -> str:
    """One of the version that runs the tests, which every user may start; "" if there is none."""
    own = os.path.realpath(sys.executable)
    for program in (own if is_open(Path(own)) else "", "/usr/bin/python3"):
        question = "import sys; print(*sys.version_info[:2])"
        asked = [program or "false", "-I", "-c", question]
        if not shutil.which(asked[0]):
            continue
        told = subprocess.run(asked, capture_output=True, text=True, check=False)
        if told.stdout.split() == [str(part) for part in sys.version_info[:2]]:
            return program
    return ""


USERS = ["own", "other"] if os.getuid() == 0 and python_for_all() else ["own"]
"""Whoever runs the tests, and where they are root, one without any rights."""


def install(folder: Path) -> Path:
    """The program, pip and pytest, with all that they need, in an environment of its own."""
    place = folder / "program"
    subprocess.run([python_for_all(), "-m", "venv", "--without-pip", place], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for name in {*_needed("teamlead"), *_needed("pip"), *_needed("pytest")}:
        for file in metadata.files(name) or ():
            source = Path(str(file.locate()))
            if ".." not in file.parts and "teamlead" not in file.parts[0] and source.exists():
                target = packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                _link(source, target)
    # With its time, as a link has: by that Python knows what it has compiled.
    shutil.copytree(Path(teamlead.__file__).parent, packages / "teamlead", copy_function=shutil.copy2)
    return place / "bin" / "python"


def _needed(name: str) -> Iterator[str]:
    yield name
    for line in metadata.requires(name) or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            yield from _needed(wanted.name)


def _install_agent(program: Path, folder: Path) -> Path:
    """With what lies beside it. As links: these programs are large."""
    source = program.resolve()
    package = source.parents[1] if (source.parents[1] / "codex-resources").is_dir() else source.parent
    place = folder / source.name
    if not place.exists():
        shutil.copytree(package, place, copy_function=_link)
    return place / source.relative_to(package)


def _link(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@dataclass
class OtherUser(Project):
    program: Path = Path()

    @property
    def python(self) -> str:
        return python_for_all()

    @property
    def toolbox(self) -> str:
        return str(self.program)

    def reach(self, program: Path) -> Path:
        return _install_agent(program, self.place.parent)

    @property
    def identity(self) -> dict[str, Any]:
        """By then everything below its place is its own."""
        # Nothing else is touched: by its times git knows a file that has not changed.
        others = ["(", "!", "-user", str(STRANGER), "-o", "!", "-group", str(STRANGER), ")"]
        change = ["-exec", "chown", "-h", f"{STRANGER}:{STRANGER}", "{}", "+"]
        subprocess.run(["find", self.place, *others, *change], check=True)
        return {"user": STRANGER, "group": STRANGER, "extra_groups": []}

    def _call(  # type: ignore[override]
        self,
        arguments: Sequence[str | Path],
        out: IO[bytes],
        err: IO[bytes],
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [self.program, "-m", "teamlead", *map(str, arguments)],
            cwd=cwd or self.root,
            env=environment or self.environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            **self.identity,
        )
