"""Where the agents of a plan can read what its hidden checks are, although nobody tells them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from teamlead.core.model import Plan
from teamlead.errors import TeamleadError
from teamlead.markup.problems import Problem
from teamlead.sessions.hidden_files import named_files
from teamlead.system.git import Git
from teamlead.system.repository import discover


def readable_by_agents(plan: Plan, file: str) -> list[Problem]:
    """What git tracks is in every copy. Outside of a repository nothing can be told."""
    commands = dict.fromkeys(command for task in plan.tasks for command in task.hidden_checks)
    if not commands:
        return []
    with suppress(TeamleadError):
        repository = discover(Path.cwd())
        line = min(plan.hidden_lines, default=0) + 1
        return list(_problems(repository.git(), repository.root, file, list(commands), line))
    return []


def _problems(git: Git, root: Path, file: str, commands: list[str], line: int) -> Iterator[Problem]:
    if _tracked(git, root, Path(file).absolute()):
        told = "git tracks this plan, which has hidden checks: agents can read them in their copies"
        yield Problem(line, "warning", told, "keep the plan outside of the repository, or ignored")
    for path in dict.fromkeys(named for command in commands for named in named_files(command)):
        if _tracked(git, root, root / path):
            told = f"git tracks {str(path)[:80]!r} of a hidden check: agents can read it in their copies"
            yield Problem(line, "warning", told, "keep it outside of the repository")


def _tracked(git: Git, root: Path, path: Path) -> bool:
    try:
        below = path.resolve().relative_to(root.resolve())
    except ValueError:
        return False
    return bool(git.run("ls-files", "-z", "--", f":(literal,top){below}").fields)
