"""Random states an agent may leave its copy in, and all bytes that are in one."""

import os
import random
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from teamlead.system.git import Git

TRACKED = {
    b"README.md": b"hello\n",
    b"src/app.py": b"one\ntwo\nthree\n",
    b"src/deep/er/data.bin": bytes(range(256)),
    b"notes.txt": b"unix\nlines\n",
    b".gitignore": b"*.log\n.env\nbuild/\n__pycache__/\n.cache/\n",
    b".gitattributes": b"*.txt text=auto\n",
    b"dot.git": b"a name that looks escaped",
}
NAMES = (
    b"plain",
    "größe-日本語".encode(),
    b"not-utf8-\xff\xfe",
    b"new\nline",
    b"ends-in-cr\r",
    b'"quoted"\t\\back',
    b"-dash",
    b":(glob)**",
    b" blank ",
    b"n" * 200,
    b"dot.git",
    b"dotdot.git",
    b".GIT",
    b"git~1",
    b".gitmodules",
    b"file.txt",
)
CONTENTS = (b"", b"x", b"line\r\nline\r\n", b"\0\xff\r\n" * 20, b"text\n" * 50)


@dataclass
class Dirt:
    """One copy, and what was left in it."""

    copy: Path
    git_dir: Path
    agents: Git
    base: str
    random: random.Random
    did: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    """Made by the agent: each must be found again."""
    blobs: dict[str, bytes] = field(default_factory=dict)
    """Staged or in conflict, and maybe nowhere else."""

    def make(self) -> None:
        for _ in range(self.random.randint(0, 5)):
            deed: Callable[[Dirt], None] = self.random.choice(DEEDS)
            self.did.append(deed.__name__)
            deed(self)

    def write(self, path: bytes, content: bytes | None = None) -> None:
        place = self.place(path)
        if place.is_dir() and not place.is_symlink():
            return
        for parent in reversed(place.parents):
            if parent.is_symlink() or parent.is_file():
                return
        place.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(place):
            place.unlink()
        place.write_bytes(self.content() if content is None else content)

    def place(self, path: bytes) -> Path:
        return self.copy / os.fsdecode(path)

    def name(self) -> bytes:
        folders = [b"", b"sub/", b"src/", b"a/b/c/", b"l" * 150 + b"/" + b"m" * 150 + b"/"]
        return self.random.choice(folders) + self.random.choice(NAMES) + b"%d" % self.random.randrange(3)

    def content(self) -> bytes:
        return self.random.choice(CONTENTS) + b"%d" % self.random.randrange(1000)

    def git(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> str:
        return self.agents.text(*arguments, stdin=stdin, index=index)

    def store(self, content: bytes) -> str:
        blob = self.git("hash-object", "-w", "--stdin", stdin=content)
        self.blobs[blob] = content
        return blob

    def staged_blobs(self) -> set[str]:
        """Those of `blobs` that the index still names."""
        listed = self.git("ls-files", "--stage", index=self.git_dir / "index").splitlines()
        return {line.split()[1] for line in listed} & self.blobs.keys()

    def into_index(self, *lines: bytes) -> None:
        self.git(
            "update-index",
            "-z",
            "--index-info",
            stdin=b"\0".join(lines) + b"\0",
            index=self.git_dir / "index",
        )


def untracked(dirt: Dirt) -> None:
    dirt.write(dirt.name())


def exact_name(dirt: Dirt) -> None:
    dirt.write(b"exact/" + dirt.random.choice(NAMES))


def changed(dirt: Dirt) -> None:
    dirt.write(dirt.random.choice(list(TRACKED)))


def carriage_returns(dirt: Dirt) -> None:
    dirt.write(b"notes.txt", b"dos\r\nlines\r\n")


def deleted(dirt: Dirt) -> None:
    place = dirt.place(dirt.random.choice(list(TRACKED)))
    if place.is_file():
        place.unlink()


def ignored(dirt: Dirt) -> None:
    dirt.write(dirt.random.choice([b"run.log", b".env", b"build/out/x.bin", b"sub/\xff.log"]))


def everything_ignored(dirt: Dirt) -> None:
    dirt.write(b".gitignore", b"*\n")


def cached(dirt: Dirt) -> None:
    dirt.write(b"__pycache__/x.pyc", b"cache")
    dirt.write(b".cache/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55\n")
    dirt.write(b".cache/x", b"cache")


def program(dirt: Dirt) -> None:
    path = dirt.name()
    dirt.write(path)
    place = dirt.place(path)
    if place.is_file() and not place.is_symlink():
        place.chmod(0o755)


def link(dirt: Dirt) -> None:
    path = dirt.random.choice([b"link", b"sub/link", b".gitmodules", b"src/\xfflink"])
    place = dirt.place(path)
    if not os.path.lexists(place) and not any(p.is_symlink() or p.is_file() for p in place.parents):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(os.fsdecode(dirt.random.choice([b"README.md", b"/etc/passwd", b"gone\xff", b"."])))


def file_becomes_folder(dirt: Dirt) -> None:
    place = dirt.place(b"README.md")
    if place.is_file():
        place.unlink()
        dirt.write(b"README.md/inside")


def folder_becomes_file(dirt: Dirt) -> None:
    place = dirt.place(b"src")
    if place.is_dir():
        shutil.rmtree(place)
        dirt.write(b"src")


def empty_folder(dirt: Dirt) -> None:
    if not any(p.is_file() for p in (dirt.place(b"hollow"), dirt.place(b"hollow/inside"))):
        dirt.place(b"hollow/inside").mkdir(parents=True, exist_ok=True)


def staged(dirt: Dirt) -> None:
    content = dirt.content() + b" only staged"
    dirt.into_index(f"100644 {dirt.store(content)}\tstaged-{dirt.random.randrange(5)}".encode())


def conflicted(dirt: Dirt) -> None:
    blobs = [dirt.store(dirt.content() + b" side %d" % side) for side in (1, 2, 3)]
    dirt.into_index(*(f"100644 {blob} {side}\tclash".encode() for side, blob in enumerate(blobs, 1)))


def committed(dirt: Dirt) -> None:
    """On the task's branch, on a detached HEAD, or left for good."""
    blob = dirt.store(dirt.content() + b" committed")
    tree = dirt.git("mktree", "-z", stdin=f"100644 blob {blob}\tcommitted.txt".encode() + b"\0")
    commit = dirt.git("commit-tree", tree, "-p", dirt.base, "-m", "the agent's own")
    dirt.commits.append(commit)
    where = dirt.random.choice(["branch", "detached", "left"])
    head = (dirt.git_dir / "HEAD").read_text()
    if where == "branch" and head.startswith("ref: ") and not (dirt.git_dir / "HEAD.lock").exists():
        dirt.git("update-ref", head.removeprefix("ref: ").strip(), commit)
    elif where == "detached":
        (dirt.git_dir / "HEAD").write_text(f"{commit}\n")
    log = dirt.git_dir / "logs/HEAD"
    log.parent.mkdir(exist_ok=True)
    with log.open("a") as stream:
        stream.write(f"{dirt.base} {commit} Ada <ada@example.org> 1 +0000\tcommit: own\n")


def rebase_under_way(dirt: Dirt) -> None:
    folder = dirt.git_dir / "rebase-merge"
    folder.mkdir(exist_ok=True)
    (folder / "git-rebase-todo").write_text("pick 1234567 unfinished\n")


def nested(dirt: Dirt) -> None:
    """A repository as `git init` and a commit leave it, or a hollow one; or only something named like one."""
    folder = dirt.random.choice([b"inner", b"sub/inner", b"build/inner"])
    dirt.write(folder + b"/.git/HEAD", b"ref: refs/heads/main\n")
    dirt.write(folder + b"/.git/config", b"[core]\n\trepositoryformatversion = 0\n")
    dirt.write(folder + b"/.git/objects/ab/" + b"c" * 38, dirt.content())
    dirt.write(folder + b"/file", dirt.content())
    if dirt.random.random() < 0.5:
        dirt.write(folder + b"/.git/refs/heads/main", dirt.base.encode() + b"\n")


def own_repository(dirt: Dirt) -> None:
    """In place of the link to ours."""
    dot_git = dirt.copy / ".git"
    if dot_git.is_file():
        dot_git.unlink()
        dirt.write(b".git/HEAD", b"ref: refs/heads/own\n")
        dirt.write(b".git/objects/cd/" + b"e" * 38, dirt.content())


def locked(dirt: Dirt) -> None:
    (dirt.git_dir / "HEAD.lock").touch()


def pipe(dirt: Dirt) -> None:
    place = dirt.copy / "pipe"
    if not os.path.lexists(place):
        os.mkfifo(place)


DEEDS: tuple[Callable[[Dirt], None], ...] = (
    untracked,
    untracked,
    exact_name,
    changed,
    carriage_returns,
    deleted,
    ignored,
    everything_ignored,
    cached,
    program,
    link,
    file_becomes_folder,
    folder_becomes_file,
    empty_folder,
    staged,
    conflicted,
    committed,
    nested,
    own_repository,
    rebase_under_way,
    locked,
    pipe,
)

CACHES = (b"__pycache__/", b".cache/")
Bytes = dict[bytes, tuple[str, bytes]]


def all_bytes(folder: Path) -> Bytes:
    """Kind and content of every file, but for the copy's link to git."""
    found: Bytes = {}
    root = os.fsencode(folder)
    for here, folders, files in os.walk(root):
        for name in (*files, *folders):
            place = here + b"/" + name
            mode = os.lstat(place).st_mode
            kind = "program" if mode & 0o100 else "file"
            if stat.S_ISLNK(mode):
                found[place[len(root) + 1 :]] = ("link", os.fsencode(Path(os.fsdecode(place)).readlink()))
            elif stat.S_ISREG(mode):
                found[place[len(root) + 1 :]] = (kind, Path(os.fsdecode(place)).read_bytes())
    if found.get(b".git", ("", b""))[1].startswith(b"gitdir: "):
        del found[b".git"]
    return found
