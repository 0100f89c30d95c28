"""What models do without a script: they write a small file within the scope of a task, and all is well."""

from collections.abc import Sequence
from pathlib import Path

from teamlead.core.forms import form_of
from teamlead.core.model import TaskSpec, ToolPolicy
from teamlead.core.policy.scope import in_scope
from teamlead.forms.labels import PARTS
from teamlead.runners.script import DEFAULTS, Script
from teamlead.runners.script_steps import Step

_REPORT = """\
## {role} Result

### Status
SUCCESS

### Summary
{summary}

### Findings
{findings}

### Key References
None.

### Confidence
70 - a rehearsal finds nothing out

### Overrides
- finding-place: a rehearsal has found nothing

### Verification
- [x] every file:line reference exists
- [x] quoted code matches the files
- [x] no path is invented
- [x] each finding has its evidence
"""
CONTENT: Script = {
    "judge": [[{"answer": DEFAULTS["judge"]}]],
    "validator": [[{"answer": DEFAULTS["validate"]}]],
    "planner: complete": [[{"answer": DEFAULTS["complete"]}]],
}
"""Those who are consulted about such work. A scripted agent plays only whom its script names."""


def made_up(task: TaskSpec, policy: ToolPolicy, root: Path) -> list[Step]:
    if not task.needs_change:
        # Who looks at nothing has found nothing.
        return [{"run": "git log -1"}, {"done": rehearsed_report(task)}]
    path = inside(task, policy.writes, root)
    written = {"write": path, "text": f"{task.id} was rehearsed, in attempt {{attempt}}.\n"}
    return [written, {"done": rehearsed_report(task, path)}]


def inside(task: TaskSpec, writes: Sequence[str], root: Path) -> str:
    """Returns a path that the task may change; where there is none, one that it may not."""
    paths = (_example(pattern, task.id, root) for pattern in (*task.scope, *writes))
    allowed = (path for path in paths if in_scope(path, task.scope) and in_scope(path, writes))
    return next(allowed, f"{_name(task.id)}.md")


def outside(task: TaskSpec) -> str:
    """Returns a path that the task may not change."""
    path = f"outside-{task.id}.md"
    # The lead's own folder is in no scope that does not name it.
    return f".teamlead/{path}" if in_scope(path, task.scope) else path


def rehearsed_report(task: TaskSpec, path: str = "") -> str:
    """What a task that owes a report ends with: it keeps the contract, and claims nothing.

    `path`: what it has changed.
    """
    summary = f"Rehearsed: {task.title}"
    form = form_of(task)
    if form == "summary":
        return summary
    values = {"Files Changed": path} if path else {}
    labels = (words[0] for words in PARTS.get(form, {}).values())
    findings = [f"- {label}: {values.get(label, 'none')}" for label in labels] or ["None."]
    return _REPORT.format(role=task.role, summary=summary, findings="\n".join(findings))


def _example(pattern: str, task: str, root: Path) -> str:
    name = _name(task)
    pattern = pattern.removeprefix("./")
    parts = [part for part in pattern.split("/") if part not in {"", ".", "**"}]
    filled = "/".join(part.replace("**", "*").replace("*", name).replace("?", "x") for part in parts)
    file = root / filled
    # Of what does not exist yet, a name without a dot is more often a folder's than a file's.
    if file.is_dir() or pattern.endswith(("/", "**")) or not (file.is_file() or "." in parts[-1]):
        return "/".join(filter(None, [filled, f"{name}.md"]))
    return filled


def _name(task: str) -> str:
    return f"rehearsal-{task}"
