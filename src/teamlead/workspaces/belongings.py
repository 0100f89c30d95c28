"""The belongings: what in a repository is the user's, and no agent may change.

Each belonging has a name, and a text that changes with it:

| name | text |
| --- | --- |
| `refs/heads/main`, also tags, notes and replaced objects | the object |
| `refs/stash` | the commits in it |
| `HEAD`, `worktrees/NAME/HEAD` | what is checked out in a working tree |
| `worktrees/NAME/gitdir`, `worktrees/NAME/commondir` | where that tree is, and the repository it is of |
| `worktrees/NAME/.git`, `modules/NAME/.git` | what lies in the checkout and leads git to its directory |
| `.git` | the same of the main checkout, where it is not the git directory itself |
| `hooks`, `modules/NAME/hooks` | where it leads, if it is a link |
| `config:core.hookspath`, `config.worktree:core.pager` | a digest of the values: they may be secrets |
| `config` | what is odd about that file, or about one that git cannot read |
| `hooks/pre-push`, `info/exclude`, `shallow`, `modules/NAME/config` | a digest of the file |
| `worktrees/NAME/config.worktree` | the same: settings of one working tree |
| `commondir` | the same. Git would take all but `HEAD` from elsewhere, and never writes it there itself |

They are looked at before and after each attempt, so that must cost little: files are read if their times tell
that they were touched, and git is asked only about a configuration that has changed.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from teamlead.errors import GitFailed
from teamlead.system.git import as_user
from teamlead.system.repository import PROJECTIONS, Repository
from teamlead.workspaces.odd_names import name_as_text, name_from_text
from teamlead.workspaces.refs import STASH, look, stashed, touched_since, user_refs

STEERING = (
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/http-alternates",
    "shallow",
    "commondir",
)
OF_MODULES = ("config", "config.worktree", "commondir", "info/attributes")
CONFIGURATIONS = ("config", "config.worktree")
UNREADABLE = "unreadable"
GIT_DIRECTORIES_HOLD = frozenset({"objects", "refs", "logs", "hooks", "info", "worktrees"})

POINTER = ".git"
"""In a checkout that is not the main one: a file that tells where its git directory is."""
LONGEST_POINTER = 1 << 12
OWN = "the git directory itself"
"""What it is in the main checkout as a rule, and then not worth a belonging."""
UNSEEN = "nobody knows from here"
"""From a linked checkout, if the git directory does not lie in the main one."""

Values = dict[str, tuple[str, ...]]
"""Of settings, by key."""


def survey(repository: Repository) -> dict[str, str]:
    common_dir = repository.common_dir
    stash = {STASH: " ".join(commits)} if (commits := stashed(common_dir)) else {}
    found = {
        **user_refs(common_dir),
        **stash,
        **dict(_main_checkout(repository)),
        **dict(_checkouts(repository)),
        **dict(_files(common_dir)),
        **dict(_settings(common_dir)),
    }
    return {name_as_text(name): name_as_text(text) for name, text in found.items()}


def is_setting(name: str) -> bool:
    return name.startswith(tuple(f"{file}:" for file in CONFIGURATIONS))


def places(repository: Repository) -> Iterator[tuple[str, Path]]:
    """The name of the HEAD of each working tree, and where that tree is."""
    yield "HEAD", repository.main_root
    for file in sorted((repository.common_dir / "worktrees").glob("*/gitdir")):
        try:
            link = file.read_text(errors="surrogateescape").strip()
        except FileNotFoundError:
            # It has gone just now.
            continue
        yield f"worktrees/{file.parent.name}/HEAD", tree_of(file.parent, link)


def tree_of(git_dir: Path, link: str) -> Path:
    """The working tree whose `.git` the file `gitdir` names."""
    return Path(os.path.normpath(git_dir / link)).parent


def is_pointer(name: str) -> bool:
    return name.endswith(f"/{POINTER}")


def is_hooks(name: str) -> bool:
    """Whether this is the folder of hooks, and not a hook in it."""
    return name == "hooks" or (name.startswith("modules/") and name.endswith("/hooks"))


def path_of(common_dir: Path, name: str) -> Path | None:
    """Returns where it lies; None for what lies in a checkout that nobody knows."""
    if is_pointer(name):
        place = _checkout_of(common_dir, name_from_text(name).removesuffix(f"/{POINTER}"))
        return place / POINTER if place else None
    return common_dir / name_from_text(name)


def _checkout_of(common_dir: Path, folder: str) -> Path | None:
    """Finds the checkout whose git directory is in this folder, by what is written there."""
    git_dir = common_dir / folder
    if folder.startswith("worktrees/"):
        link = os.fsdecode(read(git_dir / "gitdir")).strip()
        return tree_of(git_dir, link) if link else None
    try:
        found = settings_in(read(git_dir / "config")).get("core.worktree", ())
    except GitFailed:
        return None
    return Path(os.path.normpath(git_dir / found[-1])) if found else None


def _main_checkout(repository: Repository) -> Iterator[tuple[str, str]]:
    common_dir, path = repository.common_dir, repository.main_root / POINTER
    if common_dir.name != POINTER and repository.git_dir != common_dir:
        yield POINTER, UNSEEN
    elif (text := _pointer(path)) and (path != common_dir or path.is_symlink()):
        yield POINTER, text


def _checkouts(repository: Repository) -> Iterator[tuple[str, str]]:
    common_dir = repository.common_dir
    heads = [name for name, _ in places(repository)]
    linked = [name.removesuffix("/HEAD") for name in heads if name != "HEAD"]
    for name in (*heads, *(f"{folder}/{each}" for folder in linked for each in ("gitdir", "commondir"))):
        try:
            text = (common_dir / name).read_text(errors="surrogateescape")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            continue
        yield name, text.strip()
    for folder in linked:
        name = f"{folder}/config.worktree"
        if found := look(f"{common_dir}/{name}"):
            yield name, _file_digest(f"{common_dir}/{name}", *found)
    for folder in (*linked, *_modules(common_dir, "modules")):
        place = _checkout_of(common_dir, folder)
        if place and (text := _pointer(place / POINTER)):
            yield f"{folder}/{POINTER}", text


def _pointer(path: Path) -> str:
    """Returns what it says if it is a file, else what it is, and "" where there is nothing."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            return f"a link to {os.readlink(path)}"  # noqa: PTH115 - as it is written
        if not stat.S_ISREG(found.st_mode):
            return "a folder" if stat.S_ISDIR(found.st_mode) else "no file"
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return ""
    return os.fsdecode(data).strip() if len(data) <= LONGEST_POINTER else digest(data)


def _files(common_dir: Path) -> Iterator[tuple[str, str]]:
    modules = list(_modules(common_dir, "modules"))
    for name in (*STEERING, *(f"{module}/{each}" for module in modules for each in OF_MODULES)):
        if found := look(f"{common_dir}/{name}"):
            yield name, _file_digest(f"{common_dir}/{name}", *found)
    for folder in ("hooks", *(f"{module}/hooks" for module in modules)):
        if (common_dir / folder).is_symlink():
            yield folder, os.readlink(common_dir / folder)  # noqa: PTH115 - as it is written
        for name, found in touched_since(0, common_dir, folder):
            if not name.endswith(".sample"):
                yield name, _file_digest(f"{common_dir}/{name}", *found)


def _modules(common_dir: Path, below: str) -> Iterator[str]:
    """The git directories of submodules. Their names may have several parts."""
    try:
        folders = sorted(entry.name for entry in os.scandir(common_dir / below) if entry.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for folder in folders:
        name = f"{below}/{folder}"
        if (common_dir / name / "HEAD").is_file():
            yield name
            yield from _modules(common_dir, f"{name}/modules")
        elif folder not in GIT_DIRECTORIES_HOLD:
            yield from _modules(common_dir, name)


@lru_cache(maxsize=1024)
def _file_digest(path: str, mode: int, *_: int) -> str:
    content = read(Path(path))
    if path.endswith("/info/exclude"):
        # The line that keeps our files out of the user's `git status` is no change of theirs.
        content = b"".join(
            line for line in content.splitlines(keepends=True) if line.strip() != f"/{PROJECTIONS}".encode()
        )
    return digest(b"%o " % mode + content)


def _settings(common_dir: Path) -> Iterator[tuple[str, str]]:
    for file in CONFIGURATIONS:
        path, values = common_dir / file, {}
        form = _form(path)
        try:
            if look(str(path)):
                values = settings_in(path.read_bytes())
            elif os.path.lexists(path):
                form = UNREADABLE
        except (GitFailed, PermissionError):
            form = f"{UNREADABLE} {digest(read(path))} {form}".rstrip()
        if form:
            yield file, form
        for key, found in values.items():
            yield f"{file}:{key}", digest("\0".join(found).encode(errors="surrogateescape"))


def _form(path: Path) -> str:
    """Says what is odd about the file, if anything is."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            return f"a link to {os.readlink(path)}"  # noqa: PTH115 - as it is written
    except (FileNotFoundError, NotADirectoryError):
        return ""
    mode = stat.S_IMODE(found.st_mode)
    usual = mode & stat.S_IRUSR and mode & stat.S_IWUSR and not mode & stat.S_IWOTH
    return "" if usual else f"a file of mode {mode:o}"


def unreadable(belongings: Mapping[str, str]) -> tuple[str, ...]:
    """Returns how the names of settings begin that lie in a file which git cannot read."""
    return tuple(f"{file}:" for file in CONFIGURATIONS if belongings.get(file, "").startswith(UNREADABLE))


@lru_cache(maxsize=1024)
def settings_in(content: bytes) -> Values:
    """Reads them outside of the repository, whose configuration may be broken. Raises GitFailed if it is."""
    found: Values = {}
    if content.strip():
        for field in as_user(Path("/"), "config", "--file", "-", "--list", "-z", stdin=content).fields:
            key, assigned, value = os.fsdecode(field).partition("\n")
            found[key] = (*found.get(key, ()), value if assigned else "true")
    return found


def read(path: Path) -> bytes:
    """Returns b"" for what is no file, or cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return b""


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]
