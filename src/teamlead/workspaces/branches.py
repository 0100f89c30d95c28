"""The branches and notes of a session that is about to be forgotten."""

from teamlead.workspaces.session import Session


def remove_empty(session: Session) -> list[str]:
    """Those whose commits other branches, tags or kept refs have, too. Returns the names of the others."""
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
