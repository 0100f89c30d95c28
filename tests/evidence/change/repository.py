"""A repository whose commits are made of texts, and claims about them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from teamlead.core.model import Change, TaskSpec
from teamlead.evidence.weakening.files_of_tests import Text, read_texts
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

ABSENT, FILE = "000000", "100644"
Files = Mapping[str, str | None]
"""None: it goes."""


class Repository:
    def __init__(self, root: Path, files: Files) -> None:
        self.root = root
        root.mkdir(parents=True)
        self._git("init", "-q", "-b", "main")
        self.git = Git(root / ".git", root)
        self.base = self.commit(files)

    def _git(self, *arguments: str) -> str:
        who = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def commit(self, files: Files) -> str:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", "x")
        return self._git("rev-parse", "HEAD")

    def claim(self, commit: str, base: str = "", *, text: str = "Done.", **fields: Any) -> Claim:
        base = base or self.base
        spec = {"title": "Make total() faster", "scope": ("shop/**", "tests/**"), **fields.pop("spec", {})}
        told = self.git.text("diff-tree", "-r", "--no-renames", base, commit).splitlines()
        changes = [(line.split("\t")[1], line[1:7], line[8:14]) for line in told]
        given: dict[str, Any] = {"checks": (), "result": None, **fields}
        return Claim(
            task=TaskSpec("task-2", **spec),
            attempt=1,
            text=text,
            base=base,
            commit=commit,
            changes=tuple(Change(path, before, after, 1, 1) for path, before, after in changes),
            copies=(self.root,),
            folder=self.root.parent / "attempt",
            **given,
        )

    def texts(self, claim: Claim) -> list[Text]:
        return read_texts(self.git, claim.base, claim.commit, [change.path for change in claim.changes])
