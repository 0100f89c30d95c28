"""The one way git is called.

An agent can write to the folders git looks at, so nothing is left to discovery: the git directory and the
working tree are named, hooks and file-system monitors are off, no protocol but plain files is allowed, and
of the user's own configuration only the settings read at the start take part (see `UserSettings`). The
repository's `.git/config` does take part: filters that its owner set up there are needed to read its files.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from teamlead.errors import GitFailed, UsageError
from teamlead.system.disk import means_unusable, storing, unusable
from teamlead.system.exhaustion import EXHAUSTED, exhausted, means_exhausted
from teamlead.system.faults import reach
from teamlead.system.file_modes import users_umask
from teamlead.system.locks import inherited
from teamlead.system.wardens import marks

OLDEST = (2, 38)
"""`merge-tree --write-tree`, which merges without a checkout."""

HARDENING = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.trustctime", "true"),
    ("core.checkStat", "default"),
    ("core.splitIndex", "false"),
    ("core.logAllRefUpdates", "true"),
    ("core.untrackedCache", "false"),
    ("core.safecrlf", "false"),
    ("core.filesRefLockTimeout", "3000"),
    ("core.packedRefsTimeout", "3000"),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
    ("protocol.file.allow", "always"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("commit.gpgSign", "false"),
    ("i18n.commitEncoding", "UTF-8"),
    ("advice.addEmbeddedRepo", "false"),
    ("advice.detachedHead", "false"),
)
ON_THE_USERS_BEHALF = (
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    # Neither may be started by us and stay.
    ("core.fsmonitor", "false"),
    ("maintenance.auto", "false"),
    ("gc.auto", "0"),
    ("merge.verifySignatures", "false"),
)

PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
PINNED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C.UTF-8",
}
PLACES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
)
"""Set by git around a hook or an alias: they would point every call at the repository of that moment."""


class UserSettings(NamedTuple):
    """What of the user's own configuration decides about the content and the author of a commit."""

    name: str = ""
    email: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def configuration(self) -> tuple[tuple[str, str], ...]:
        return (
            (("user.name", self.name), ("user.email", self.email), *self.options)
            if self.name
            else self.options
        )


class Result(NamedTuple):
    code: int
    output: bytes
    errors: str

    @property
    def text(self) -> str:
        return os.fsdecode(self.output).rstrip("\n")

    @property
    def fields(self) -> list[bytes]:
        """The fields of a command that was called with `-z`."""
        return self.output.split(b"\0")[:-1]


class Git(NamedTuple):
    git_dir: Path
    work_tree: Path
    settings: UserSettings = UserSettings()
    objects: Path | None = None
    """Takes what is stored, in the place of the repository. Nobody else sees what happens there."""
    beyond: Path | None = None
    """A store of objects that is read besides the repository's own."""

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        index: Path | None = None,
        ok: tuple[int, ...] = (0,),
        within: float | None = None,
    ) -> Result:
        """`index` stands in for the working tree's own. Raises GitFailed unless it ends with one of `ok`.

        `within`: seconds after which a question is given up. What changes something is never cut short.
        """
        # If this process is killed, what git is doing then is ended by the mark.
        pinned = {**PINNED, marks.VARIABLE: marks.own()}
        if index:
            pinned["GIT_INDEX_FILE"] = str(index)
        if self.objects:
            pinned["GIT_OBJECT_DIRECTORY"] = str(self.objects)
        if self.beyond:
            pinned["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = str(self.beyond)
        return call(
            [f"--git-dir={self.git_dir}", f"--work-tree={self.work_tree}"],
            arguments,
            configuration=HARDENING + self.settings.configuration,
            environment={**{key: os.environ[key] for key in PASSED_ON if key in os.environ}, **pinned},
            cwd=self.work_tree if self.work_tree.is_dir() else self.git_dir,
            stdin=stdin,
            ok=ok,
            within=within,
            locks=inherited(),
            seen=self.objects is None,
        )

    def text(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> str:
        return self.run(*arguments, stdin=stdin, index=index).text

    def holds(self, *arguments: str) -> bool:
        """Asks a command that answers with its exit code."""
        return self.run(*arguments, ok=(0, 1)).code == 0

    def commit(self, name: str) -> str:
        """Returns the commit that `name` stands for, or "" if there is none."""
        return self.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", ok=(0, 1)).text

    def resolve(self, *names: str) -> list[str]:
        """Returns the object that each name stands for, or "": one process asks for all of them."""
        asked = "".join(f"{name}\n" for name in names).encode()
        found = self.text("cat-file", "--batch-check=%(objectname)", stdin=asked).splitlines()
        # What it does not find it answers with the name and a word about it.
        return ["" if " " in line else line for line in found]

    def contents(self, blobs: Sequence[str]) -> list[bytes]:
        """Returns the content of each blob: one process reads all of them."""
        asked = "".join(f"{blob}\n" for blob in blobs).encode()
        output = self.run("cat-file", "--batch=%(objectsize)", stdin=asked).output
        found, at = [], 0
        for blob in blobs:
            line = output.index(b"\n", at)
            if not output[at:line].isdigit():
                raise GitFailed(f"the object {blob} is missing")
            at = line + 1 + int(output[at:line])
            found.append(output[line + 1 : at])
            at += 1
        return found

    def contains(self, tip: str, commit: str) -> bool:
        return tip == commit or self.holds("merge-base", "--is-ancestor", commit, tip)


def as_user(
    cwd: Path, *arguments: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,), locks: tuple[int, ...] = ()
) -> Result:
    """Calls git in the user's own working trees: with their configuration and environment, without hooks.

    `locks` are for git alone: a program that it leaves running, such as a key's agent, must not get them.
    """
    return call(
        [],
        arguments,
        configuration=ON_THE_USERS_BEHALF,
        environment=user_environment(),
        cwd=cwd,
        stdin=stdin,
        ok=ok,
        locks=locks,
    )


def user_environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in PLACES}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"}


def call(
    places: list[str],
    arguments: tuple[str, ...],
    *,
    configuration: tuple[tuple[str, str], ...],
    environment: Mapping[str, str],
    cwd: Path,
    stdin: bytes,
    ok: tuple[int, ...],
    locks: tuple[int, ...],
    within: float | None = None,
    seen: bool = True,
) -> Result:
    """`locks` stay locked until git has ended, also if this process is killed before.

    `seen`: others may see what it changes half done.
    """
    step = _changing(arguments) if seen else ""
    if step:
        with storing(cwd), _starting(arguments):
            reach(f"git {step}: before")
    options = [part for key, value in configuration for part in ("-c", f"{key}={value}")]
    try:
        with _starting(arguments):
            done = subprocess.run(
                ["git", *options, *places, *arguments],
                input=stdin,
                capture_output=True,
                check=False,
                cwd=cwd,
                env=dict(environment),
                pass_fds=locks,
                timeout=within,
                umask=users_umask(),
            )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {shortened(arguments)}: no answer within {within:g} s") from None
    except FileNotFoundError:
        if not cwd.is_dir():
            raise GitFailed(f"git {arguments[0]}: the folder {str(cwd)!r} is gone") from None
        raise UsageError("git is not installed, or not on PATH", remedy="install git 2.38 or newer") from None
    if step:
        reach(f"git {step}: after")
    errors = done.stderr.decode(errors="replace").strip()
    complaint = f"git {shortened(arguments)}: {errors[:2000] or f'exit code {done.returncode}'}"
    if done.returncode and means_exhausted(errors):
        raise exhausted(complaint)
    if done.returncode and means_unusable(errors, cwd):
        raise unusable(complaint, cwd)
    if done.returncode not in ok:
        raise GitFailed(complaint)
    return Result(done.returncode, done.stdout, errors)


@contextmanager
def _starting(arguments: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in EXHAUSTED:
            raise
        raise exhausted(f"{error.strerror}: cannot start git {shortened(arguments)}") from error


READING = frozenset(
    """
    cat-file config diff diff-files diff-tree for-each-ref log ls-files ls-tree merge-base rev-list rev-parse
    show show-ref status version
    """.split()  # noqa: SIM905 - a table of names reads better without quotes
)


def _changing(arguments: tuple[str, ...]) -> str:
    """The sub-command, or "" for one that only reads."""
    words = [word for word in arguments if not word.startswith("-") and "=" not in word]
    return "" if words[0] in READING or words[:2] == ["worktree", "list"] else words[0]


def shortened(arguments: tuple[str, ...]) -> str:
    line = " ".join(arguments)
    return line if len(line) <= 80 else line[:79] + "…"


def require_git() -> None:
    """Raises UsageError where git is missing or too old."""
    found = as_user(Path("/"), "version").text
    version = re.search(r"(\d+)\.(\d+)", found)
    if not version or (int(version[1]), int(version[2])) < OLDEST:
        raise UsageError(f"git 2.38 or newer is needed; found {found.removeprefix('git version ')!r}")


WANTED = re.compile(
    r"core\.(autocrlf|eol|excludesfile|attributesfile)|filter\.lfs\.(clean|smudge|process|required)"
)


def read_settings(root: Path) -> UserSettings:
    """The user's settings as git sees them in `root`. Raises UsageError where they have no identity."""
    values: dict[str, str] = {}
    for field in as_user(root, "config", "--list", "-z").fields:
        key, assigned, value = os.fsdecode(field).partition("\n")
        values[key] = value if assigned else "true"
    name = os.environ.get("GIT_AUTHOR_NAME") or values.get("user.name", "")
    email = os.environ.get("GIT_AUTHOR_EMAIL") or values.get("user.email", "")
    if not (name and email):
        raise UsageError(
            "git does not know who you are, and commits need an author",
            remedy='git config --global user.name "Your Name"; git config --global user.email you@your.mail',
        )
    return UserSettings(
        name, email, tuple((key, value) for key, value in values.items() if WANTED.fullmatch(key))
    )
