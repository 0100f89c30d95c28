"""What a model does that nobody wrote a script for: a small file within its task's scope, and "done"."""

from collections.abc import Callable, Sequence

from teamlead.core.model import TaskSpec, ToolPolicy
from teamlead.core.scope import in_scope
from teamlead.runners.script import Step

IsFolder = Callable[[str], bool]
"""Whether the repository has a folder of this name."""


def made_up(task: TaskSpec, policy: ToolPolicy, is_folder: IsFolder) -> list[Step]:
    done = {"done": f"Rehearsed: {task.title}"}
    if not task.needs_change:
        return [done]
    path = inside(task, policy.writes, is_folder)
    return [{"write": path, "text": f"{task.id} was rehearsed, in attempt {{attempt}}.\n"}, done]


def inside(task: TaskSpec, writes: Sequence[str], is_folder: IsFolder) -> str:
    """A path that the task may change; where there is none, one that it may not."""
    paths = (_example(pattern, task.id, is_folder) for pattern in (*task.scope, *writes))
    allowed = (path for path in paths if in_scope(path, task.scope) and in_scope(path, writes))
    return next(allowed, f"{_name(task.id)}.md")


def outside(task: TaskSpec) -> str:
    """A path that the task may not change."""
    path = f"outside-{task.id}.md"
    # The lead's own folder is in no scope that does not name it.
    return f".teamlead/{path}" if in_scope(path, task.scope) else path


def _example(pattern: str, task: str, is_folder: IsFolder) -> str:
    name = _name(task)
    pattern = pattern.removeprefix("./")
    parts = [part for part in pattern.split("/") if part not in {"", ".", "**"}]
    filled = "/".join(part.replace("**", "*").replace("*", name).replace("?", "x") for part in parts)
    whole_folder = pattern.endswith(("/", "**")) or not parts or is_folder(filled)
    # A name without a suffix is more often a folder's than a file's.
    if whole_folder or "." not in parts[-1].lstrip("."):
        return "/".join(filter(None, [filled, f"{name}.md"]))
    return filled


def _name(task: str) -> str:
    return f"rehearsal-{task}"
