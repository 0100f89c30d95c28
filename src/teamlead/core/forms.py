"""In which form a task hands its work in: the one that it names, else its role's.

What each form asks for, and how it is read, is told in the room `forms`.
"""

from teamlead.core.model import TaskForm, TaskSpec

FORM_OF_ROLE: dict[str, TaskForm] = {
    "code-explorer": "exploration",
    "Explore": "exploration",
    "code-architect": "design",
    "system-architect": "design",
    "qa-engineer": "review",
    "security-auditor": "review",
    "verification-specialist": "review",
    "frontend-specialist": "implementation",
    "backend-specialist": "implementation",
}
"""Every other role hands in a summary."""


def form_of(task: TaskSpec) -> TaskForm:
    return task.form or FORM_OF_ROLE.get(task.role, "summary")
