"""A user with a home, a checkout and a session, and rooms for it: our own user, or one without any rights."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

DRIVER = Path(__file__).with_name("driver.py")
SECRET = "xyzzy"


class Done(NamedTuple):
    code: int
    lines: list[str]


class Guest:
    """Whoever starts rooms. All that it has lies in a folder below /tmp."""

    def __init__(self, folder: Path, user: int, python: str) -> None:
        """`python`: one that has teamlead installed, and that the user may start."""
        self.folder = folder
        self.user = user
        self.home = folder / "home"
        self.root = self.home / "project"
        self.state = self.home / ".local" / "state" / "teamlead"
        self.copy = self.state / "copies" / "one"
        self.git_dir = self.state / "git" / "one"
        self.scratch = self.state / "scratch" / "one"
        self.house: dict[str, Any] = {
            "root": self.root,
            "common_dir": self.root / ".git",
            "state": self.state,
            "objects": self.state / "objects",
            "home": self.home,
        }
        self.room: dict[str, Any] = {"copy": self.copy, "git_dir": self.git_dir, "scratch": self.scratch}
        self.env = {"HOME": str(self.home), "PATH": os.environ["PATH"] if self.ours else "/usr/bin:/bin"}
        self.python = python
        self._settle()

    @property
    def ours(self) -> bool:
        return self.user == os.getuid()

    def _settle(self) -> None:
        for place in (self.root, self.git_dir, self.copy, self.state / "copies" / "two"):
            place.mkdir(parents=True)
        self.git("init", "-q", "-b", "main", str(self.root))
        self.write(self.root / "file.txt", "of the user\n")
        self.git("-C", str(self.root), "add", ".")
        self.git("-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "first")
        self.git("init", "-q", "--bare", "-b", "main", str(self.git_dir))
        self.git(f"--git-dir={self.git_dir}", "config", "core.bare", "false")
        self.write(self.git_dir / "objects" / "info" / "alternates", f"{self.state}/objects\n")
        (self.state / "objects").symlink_to(self.root / ".git" / "objects")
        head = self.git("-C", str(self.root), "rev-parse", "HEAD").strip()
        self.write(self.git_dir / "refs" / "heads" / "main", f"{head}\n")
        self.write(self.copy / ".git", f"gitdir: {self.git_dir}\n")
        self.write(self.copy / "file.txt", "of the copy\n")
        self.write(self.state / "journal.db", SECRET)
        self.write(self.state / "copies" / "two" / "file.txt", SECRET)
        if not self.ours:
            shutil.copy(DRIVER, self.folder)

    def git(self, *arguments: str) -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            ["git", "-c", "safe.directory=*", *arguments],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def write(self, path: Path, text: str = SECRET) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *runs: list[str], **request: Any) -> list[Done]:
        """Everything the guest has belongs to it by then."""
        told = self._ask(list(runs), request)
        assert all(one["entered"] for one in told), told
        return [Done(one["code"], one["lines"]) for one in told]

    def refused(self, *argv: str, **request: Any) -> Done:
        """A program whose room cannot be made."""
        told = self._ask([list(argv)], request)[0]
        assert not told["entered"]
        return Done(told["code"], told["lines"])

    def fail(self, *argv: str, **request: Any) -> str:
        """What is said if the program cannot be started."""
        message: str = self._ask([list(argv)], request)[0]["failed"]
        return message

    def shell(self, script: str, **request: Any) -> Done:
        return self.run(["/bin/sh", "-c", script], **request)[0]

    def start(self, runs: list[list[str]], request: dict[str, Any]) -> "subprocess.Popen[str]":
        house = {**self.house, **request.pop("house", {})}
        room = {**self.room, **request.pop("room", {})}
        text = json.dumps({"runs": runs, "house": house, "room": room, **request}, default=str)
        driver = DRIVER if self.ours else self.folder / DRIVER.name
        return self._start(self.python, str(driver), text)

    def call(self, *argv: str) -> str:
        """What a program of the guest prints, in no room."""
        process = self._start(*argv)
        told, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
        return told

    def _start(self, *argv: str) -> "subprocess.Popen[str]":
        if not self.ours:
            subprocess.run(["chown", "-hR", f"{self.user}:{self.user}", self.folder], check=True)
        return subprocess.Popen(
            argv,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            user=self.user,
            group=None if self.ours else self.user,
            extra_groups=None if self.ours else [],
        )

    def _ask(self, runs: list[list[str]], request: dict[str, Any]) -> list[dict[str, Any]]:
        process = self.start(runs, request)
        told, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
        found: list[dict[str, Any]] = json.loads(told)
        return found
