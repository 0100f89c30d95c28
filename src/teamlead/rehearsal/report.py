"""What a role that owes a report ends with, where nobody wrote a script: it keeps the contract, and claims
nothing.
"""

from teamlead.core.model import TaskSpec
from teamlead.core.roles import FINDINGS, Format

_FINDINGS: dict[Format, tuple[str, ...]] = {
    "exploration": ("Entry points", "Flow", "Patterns", "Dependencies"),
    "design": ("Decision", "Alternatives", "Trade-offs", "Interfaces", "Files to change"),
    "review": (),
    "implementation": ("Behaviour changed", "Tests added", "Commands run"),
}

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


def last_words(task: TaskSpec, path: str = "") -> str:
    """`path`: what it has changed."""
    summary = f"Rehearsed: {task.title}"
    form = FINDINGS.get(task.role)
    if form is None:
        return summary
    changed = [f"- Files changed: {path or 'none'}"] if form == "implementation" else []
    findings = [*changed, *(f"- {part}: none" for part in _FINDINGS[form])] or ["None."]
    return _REPORT.format(role=task.role, summary=summary, findings="\n".join(findings))
