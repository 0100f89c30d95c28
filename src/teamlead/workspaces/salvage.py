"""Finding kept work by the user's words, looking at it, and letting it go."""

from typing import NamedTuple

from teamlead.errors import NotFound, Refused, UsageError
from teamlead.system.git import Git
from teamlead.workspaces import git_objects
from teamlead.workspaces.escaped_names import unescape
from teamlead.workspaces.kept_work import EMPTY_FOLDERS, PLACE, Kept, kept_refs


class Change(NamedTuple):
    letter: str
    """As git has it: A added, M changed, D deleted, T another kind of file."""
    path: str


def find(git: Git, name: str) -> Kept:
    """By ref, by `<task>/<n>`, or by a part of a ref that only one has."""
    refs = kept_refs(git)
    wanted = name.removeprefix(f"{PLACE}/")
    exact = [kept for kept in refs if wanted in {kept.short, f"{kept.task}/{kept.name}"}]
    matching = exact or [kept for kept in refs if wanted and wanted in kept.short]
    if not matching:
        raise NotFound(
            f"there is no kept work {name!r} in this repository", remedy="see `teamlead salvage list`"
        )
    if len(matching) > 1:
        names = ", ".join(kept.short for kept in matching[:5])
        raise UsageError(f"{name!r} could be any of {len(matching)}: {names}", remedy="use more of the name")
    return matching[0]


def changes(git: Git, kept: Kept) -> list[Change]:
    """Against what the copy stood on."""
    question = ("diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", "--name-status")
    fields = git.run(*question, *_two(kept)).fields
    return [
        Change(letter.decode(), _shown(kept, path))
        for letter, path in zip(fields[::2], fields[1::2], strict=True)
    ]


def beside(git: Git, kept: Kept) -> list[str]:
    """What git held beside the files, by name."""
    paths = git_objects.read_tree(git, kept.beside) if kept.beside else {}
    return [_shown(kept, path) for path in paths if path != EMPTY_FOLDERS]


def patch(git: Git, kept: Kept) -> bytes:
    return git.run("diff-tree", "-p", "--root", "--no-ext-diff", "--no-textconv", *_two(kept)).output


def make_branch(git: Git, kept: Kept, name: str) -> str:
    ref = f"refs/heads/{name}"
    if name.startswith("-") or not git.holds("check-ref-format", ref):
        raise UsageError(f"{name!r} cannot be the name of a branch", remedy="choose another name")
    if git.commit(ref):
        raise Refused(f"there is a branch {name!r} already", remedy="choose another name")
    git.run("update-ref", "-m", f"teamlead: from {kept.short}", ref, kept.commit, "")
    return ref


def drop(git: Git, kept: Kept) -> None:
    git.run("update-ref", "-d", kept.ref, kept.commit)


def _two(kept: Kept) -> tuple[str, str]:
    return f"{kept.commit}^1", kept.commit


def _shown(kept: Kept, path: bytes) -> str:
    return (unescape(path) if kept.content else path).decode(errors="backslashreplace")
