"""What a session left: copies on disk, also those that no journal knows any more, and branches."""

from contextlib import suppress

from teamlead.errors import Refused, StorageFailed
from teamlead.system.repository import Repository
from teamlead.workspaces import private_git
from teamlead.workspaces.copy_folder import CopyFolder, Record
from teamlead.workspaces.releasing import let_go, part_with
from teamlead.workspaces.session import NAME, Session


def sessions_with_copies(repository: Repository) -> list[str]:
    """Lists their names. What lies there under another kind of name is not a session's."""
    folders = repository.state_dir / "copies"
    found = {path.name for path in folders.iterdir()} if folders.is_dir() else set()
    return sorted(name for name in found if NAME.fullmatch(name) and "-" in name)


def copies_of(session: Session) -> list[CopyFolder]:
    names = (
        {path.name.removeprefix(".") for path in session.copies.iterdir()}
        if session.copies.is_dir()
        else set()
    )
    return [CopyFolder(session, name) for name in sorted(names) if NAME.fullmatch(name)]


def clear_away(copy: CopyFolder) -> str:
    """Does what `part_with` does, also where our notes about the copy are gone."""
    if copy.load() is None and copy.own_dir.is_dir():
        git = copy.session.git
        # The branch first: it is where the lead left it, and what the agent committed since counts as work.
        base = git.commit(copy.branch) or git.commit(private_git.head(copy))
        if not base:
            raise Refused(
                f"nobody knows which commit {str(copy.path)!r} stood on", remedy="look into it yourself"
            )
        if not copy.index.exists():
            git.run("read-tree", base, index=copy.index)
        copy.save(Record(attempt=0, base=base, ready=True, tip=base))
    return part_with(copy)


def drop(copy: CopyFolder) -> None:
    """Removes a copy and keeps nothing of it: the user said so. Our notes may be broken or gone."""
    with suppress(StorageFailed):
        if copy.load() is not None and copy.there():
            let_go(copy, None)
    copy.remove()
    copy.forget()


def remove_empty_branches(session: Session) -> list[str]:
    """Removes branches whose commits other branches, tags or kept refs have, too, and notes of approvals.

    Returns the names of the branches that stay.
    """
    git = session.git
    ours = f"teamlead/{session.id}/*"
    elsewhere = (f"--exclude={ours}", "--branches", "--tags", "--remotes", "--glob=refs/teamlead/kept/")
    found = git.text(
        "for-each-ref", "--format=%(refname) %(objectname)", f"refs/heads/teamlead/{session.id}/"
    )
    stay = []
    for line in found.splitlines():
        ref, commit = line.split(" ")
        # A broken ref elsewhere holds nothing, and is in nobody's way.
        if git.text("rev-list", "--ignore-missing", "--max-count=1", commit, "--not", *elsewhere):
            stay.append(ref.removeprefix("refs/heads/"))
        else:
            git.run("update-ref", "-d", ref, commit)
    notes = git.text("for-each-ref", "--format=%(refname) %(objectname)", f"{session.approvals()}/")
    for line in notes.splitlines():
        git.run("update-ref", "-d", *line.split(" "))
    return stay
