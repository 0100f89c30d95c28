"""How each kind of belonging gets back to what the reference has. What it is now is kept first."""

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from teamlead.errors import GitFailed, Refused
from teamlead.system.atomic_files import write_atomically
from teamlead.system.disk import storing
from teamlead.system.faults import reach
from teamlead.system.git import Git, as_user
from teamlead.workspaces import checkout_files
from teamlead.workspaces.belongings import (
    CONFIGURATIONS,
    POINTER,
    UNREADABLE,
    is_hooks,
    is_pointer,
    is_setting,
    path_of,
    places,
    read,
    settings_in,
)
from teamlead.workspaces.mending_work import BY_MEND, OBJECT, Mending
from teamlead.workspaces.noted_changes import LOST, Change
from teamlead.workspaces.odd_names import name_from_text
from teamlead.workspaces.reference_state import Content, is_log, put_content
from teamlead.workspaces.refs import STASH, log_tail, stashed


def put_back(work: Mending, change: Change) -> str:
    """Puts the change back, and returns where the changed side is kept."""
    if change.name == LOST:
        raise Refused("nothing is left to put it back from", remedy=f"take it as it is: --accept {LOST}")
    return _way(change.name)(work, change)


def _way(name: str) -> Callable[[Mending, Change], str]:
    ways = (
        (checkout_files.is_file(name), _in_checkout),
        (is_setting(name), _setting),
        (name in CONFIGURATIONS, _configuration),
        (is_log(name), _log),
        (name == STASH, _stash),
        (name.startswith("refs/"), _ref),
        (name.endswith("HEAD"), _head),
        (name == POINTER, _git_directory),
        (is_pointer(name), _pointer),
        (is_hooks(name), _hooks),
        (name.startswith("worktrees/") and name.endswith("/gitdir"), _registration),
    )
    return next((way for fits, way in ways if fits), _file)


def _in_checkout(work: Mending, change: Change) -> str:
    known = work.files.get(change.name)
    if known and not known.kept:
        raise Refused(
            f"{change.name!r} was too large to be kept", remedy=f"take it as it is: --accept {change.name}"
        )
    if change.after == checkout_files.GONE:
        work.restore_tree(checkout_files.folder_of(change.name))
        return ""
    place = checkout_files.place_of(work.repository, change.name, work.reference.belongings)
    kept = work.keep_file(place.file)
    checkout_files.put_back(place, known)
    return kept


def _setting(work: Mending, change: Change) -> str:
    file, _, key = name_from_text(change.name).partition(":")
    path = work.common_dir / file
    kept = work.keep_file(path)
    _write_setting(path, key, work.reference.values.get(change.name, ()))
    if file not in work.reference.contents and not path.read_bytes().strip():
        put_content(path, None)
    return kept


def _write_setting(path: Path, key: str, values: tuple[bytes, ...]) -> None:
    # Outside of the repository: a configuration that is not right may keep git from working in it.
    reach(f"setting {key}: before")
    # The first takes the place of those that are there, so that the order of settings stays.
    ways = ("--replace-all", *("--add" for _ in values[1:]))
    for way, value in zip(ways, values, strict=False):
        as_user(Path("/"), "config", "--file", str(path), way, key, os.fsdecode(value))
    if not values:
        as_user(Path("/"), "config", "--file", str(path), "--unset-all", key, ok=(0, 5))
    reach(f"setting {key}: after")


def _configuration(work: Mending, change: Change) -> str:
    """Puts back a file that git cannot read, with settings that came since; of any other file its form."""
    path, prefix = work.common_dir / change.name, f"{change.name}:"
    known = work.reference.contents.get(change.name)
    if not change.after.startswith(UNREADABLE):
        kept, now = work.keep_file(path), read(path)
        work.make_way(path)
        if known and known.link:
            put_content(path, None)
            path.symlink_to(name_from_text(known.link))
        else:
            put_content(path, Content(known.mode if known else 0o644, now))
        return kept
    kept = _file(work, change)
    wanted = {
        name_from_text(name).removeprefix(prefix): values
        for name, values in work.reference.values.items()
        if name.startswith(prefix)
    }
    there = settings_in(read(path))
    for key in sorted(wanted.keys() | there.keys()):
        if tuple(map(os.fsencode, there.get(key, ()))) != wanted.get(key, ()):
            _write_setting(path, key, wanted.get(key, ()))
    return kept


def _file(work: Mending, change: Change) -> str:
    path = path_of(work.common_dir, change.name)
    assert path, "it lies in the git directory"
    kept = work.keep_file(path)
    folder = change.name.rpartition("/")[0]
    if is_hooks(folder) and folder not in work.reference.belongings and path.parent.is_symlink():
        # Not through a link that was not there.
        _put_hooks_back(work, folder)
    content = work.reference.contents.get(change.name)
    if content is None and change.before:
        raise Refused(f"what was in {change.name!r} is not known", remedy=f"--accept {change.name}")
    work.make_way(path)
    put_content(path, content)
    return kept


def _hooks(work: Mending, change: Change) -> str:
    return _put_hooks_back(work, change.name)


def _put_hooks_back(work: Mending, name: str) -> str:
    """Puts back the folder with the hooks that were in it, or the link that it was."""
    path = work.common_dir / name_from_text(name)
    kept = work.move_away(path)
    with storing(path):
        if link := work.reference.belongings.get(name):
            path.symlink_to(name_from_text(link))
            return kept
        path.mkdir(parents=True)
    for each, content in work.reference.contents.items():
        if each.startswith(f"{name}/"):
            put_content(work.common_dir / name_from_text(each), content)
    return kept


def _pointer(work: Mending, change: Change) -> str:
    """Puts back a pointer in a checkout, where there may be anything by now."""
    path = path_of(work.common_dir, change.name)
    folder = change.name.rpartition("/")[0]
    if folder.startswith("worktrees/") and (path is None or not path.parent.is_dir()):
        work.restore_tree(folder)
        return ""
    if path is None or not path.parent.is_dir():
        raise Refused(f"the checkout of {change.name!r} is gone", remedy=f"--accept {change.name}")
    content = work.reference.contents.get(change.name)
    if content is None and change.before:
        raise Refused(
            f"{change.name!r} was no file, and its content was not kept",
            remedy=f"put {str(path)!r} right by hand, or take it as it is: --accept {change.name}",
        )
    kept = work.move_away(path)
    put_content(path, content)
    return kept


def _git_directory(work: Mending, change: Change) -> str:
    """Refuses to move a git directory: others know it by its place, and it may be another checkout's."""
    place, path = work.repository.main_root / POINTER, work.common_dir
    by_hand = f"rm {shlex.quote(str(place))} && mv {shlex.quote(str(path))} {shlex.quote(str(place))}"
    if change.before:
        by_hand = f"let {str(place)!r} be {change.before!r} again"
    raise Refused(
        f"the git directory is {str(path)!r} now",
        remedy=f"while nothing uses it: {by_hand}; or take it as it is: --accept {POINTER}",
    )


def _log(work: Mending, change: Change) -> str:
    """Writes what the log held, and what came since."""
    path = work.common_dir / name_from_text(change.name)
    kept = work.keep_file(path)
    before = work.reference.contents[change.name].data
    known = set(before.splitlines())
    since = b"".join(
        line for line in log_tail(path).splitlines(keepends=True) if line.rstrip(b"\n") not in known
    )
    put_content(path, Content(0o644, before + since))
    return kept


def _stash(work: Mending, change: Change) -> str:
    before, root, kept = change.before.split(), work.repository.main_root, ""
    for commit in stashed(work.common_dir):
        if commit not in before:
            kept = work.keep_object(commit) or kept
            found = stashed(work.common_dir)
            as_user(root, "stash", "drop", "--quiet", f"stash@{{{len(found) - 1 - found.index(commit)}}}")
    left = stashed(work.common_dir)
    if not left or left != before[: len(left)]:
        # Else they would not come to lie in their order, and git notes nothing about a ref without a log.
        work.git.run("update-ref", "--no-deref", "-d", STASH)
    for commit in before:
        if commit not in stashed(work.common_dir):
            told = work.git.text("log", "-1", "--format=%s", commit)
            as_user(root, "stash", "store", "--message", told, commit)
    return kept


def _ref(work: Mending, change: Change) -> str:
    name, old, new = name_from_text(change.name), change.before, change.after
    kept = work.keep_object(new)
    if new and not OBJECT.fullmatch(new):
        # No object, so that git would not touch it.
        kept = work.keep_file(work.common_dir / name)
        (work.common_dir / name).unlink(missing_ok=True)
        new = ""
    if old:
        _put_settings_back(work, name.removeprefix("refs/heads/"))
    place = _checked_out(work, name)
    if old and new and place is not None:
        # With the files there: what was not committed stays, and where it is in the way, git refuses.
        try:
            as_user(place, "reset", "--quiet", "--keep", old)
        except GitFailed as error:
            raise Refused(
                f"{name!r} is checked out in {str(place)!r}, and git does not put it back there: {error}",
                remedy="commit or stash what is in the way, then try again",
            ) from error
    elif old:
        arguments = [old, new] if new else [old]
        work.git.run("update-ref", "--no-deref", "-m", BY_MEND, name, *arguments)
    else:
        work.git.run("update-ref", "--no-deref", "-m", BY_MEND, "-d", name, new)
    return kept


def _put_settings_back(work: Mending, branch: str) -> None:
    """Puts back the settings of a branch, which git drops with the branch."""
    path, prefix = work.common_dir / "config", f"branch.{branch}."
    if not any(key.startswith(prefix) for key in settings_in(read(path))):
        for name, values in work.reference.values.items():
            if name_from_text(name).startswith(f"config:{prefix}"):
                _write_setting(path, name_from_text(name).removeprefix("config:"), values)


def _checked_out(work: Mending, ref: str) -> Path | None:
    for name, place in places(work.repository):
        if read(work.common_dir / name).strip() == os.fsencode(f"ref: {ref}") and place.is_dir():
            return place
    return None


def _head(work: Mending, change: Change) -> str:
    name, before = name_from_text(change.name), name_from_text(change.before)
    place = dict(places(work.repository)).get(name)
    kept = work.keep_object(change.after)
    branch = before.removeprefix("ref: ").strip()
    git = Git((work.common_dir / name).parent, place or work.repository.root)
    here, there = "", ""
    with suppress(GitFailed):
        here, there = git.commit("HEAD"), git.commit(branch)
    if place is None or not here or here == there:
        # The files are not concerned, or nobody could say how.
        write_atomically(work.common_dir / name, os.fsencode(f"{before}\n"))
        return kept
    way = ("--detach", branch) if OBJECT.fullmatch(branch) else (branch.removeprefix("refs/heads/"),)
    try:
        as_user(place, "switch", "--quiet", "--no-guess", *way)
    except GitFailed as error:
        raise Refused(
            f"git does not switch back to {branch!r} in {str(place)!r}: {error}",
            remedy="commit or stash what is in the way, then try again",
        ) from error
    return kept


def _registration(work: Mending, change: Change) -> str:
    kept = work.keep_file(work.common_dir / name_from_text(change.name))
    work.restore_tree(change.name.rpartition("/")[0])
    return kept
