"""Who does what a lead does not: a fixed map from the kind of work to the role it goes to.

Agents come first, always. That a task is clear is no reason to do it oneself: what a lead may do directly is
in `exemptions`, and each of those is a permission, never a duty.
"""

from typing import Literal, NamedTuple

Work = Literal["reading", "code", "tests", "security", "design"]
"""design: specifications, designs and whatever else is written for people."""

Occasion = Literal["user-asked-for-speed", "agent-failed"]
"""Why a trivial edit is not delegated. agent-failed: also when it was tried once more."""

RESPONSIBILITIES = {
    "orchestration": "start agents and coordinate them",
    "synthesis": "join what they report into one consistent summary",
    "communication": "present findings to the user, and ask",
    "progress": "keep the list of tasks and the progress file",
    "verification": "read what an agent named, at most three files at a time, where it is needed",
}
"""All that a lead does itself."""

ROLES: dict[Work, str] = {
    "reading": "code-explorer",
    "tests": "qa-engineer",
    "security": "security-auditor",
    "design": "product-manager",
}
FRONTEND, BACKEND = "frontend-specialist", "backend-specialist"

_DOCUMENTS = (".md", ".markdown", ".rst", ".adoc")
_DOCUMENT_FOLDERS = frozenset({"doc", "docs", "spec", "specs", "design", "designs"})
"""There a plain text is a document, too. Elsewhere programs may read it: `requirements.txt`."""
_SCREENS = (".tsx", ".jsx", ".vue", ".svelte", ".css", ".scss", ".sass", ".less", ".html")
_SCREEN_FOLDERS = frozenset({"frontend", "client", "web", "ui", "components", "pages", "views", "styles"})
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "testing", "e2e"})


class Verdict(NamedTuple):
    """Whether a lead may do something itself."""

    allowed: bool
    reason: str
    role: str = ""
    """If not: to whom it goes."""
    rule: str = ""
    """If not: which rule says so."""
    exemption: str = ""
    """If so: by which exemption, if it needs one."""
    met: tuple[str, ...] = ()
    """Which of its conditions were looked at and hold."""


def refused(rule: str, reason: str, role: str) -> Verdict:
    return Verdict(allowed=False, reason=reason, role=role, rule=rule)


def role_for(work: Work, path: str = "") -> str:
    if work == "code":
        return FRONTEND if _is_screen(path) else BACKEND
    return ROLES[work]


def work_on(path: str) -> Work:
    """What a change of this file is."""
    *folders, name = path.lower().split("/")
    stem, _, _ = name.partition(".")
    if (
        _TEST_FOLDERS.intersection(folders)
        or stem.startswith("test_")
        or stem.endswith(("_test", "_spec"))
        or stem == "conftest"
        or ".test." in name
        or ".spec." in name
    ):
        return "tests"
    plain = name.endswith(".txt") and not _DOCUMENT_FOLDERS.isdisjoint(folders)
    return "design" if plain or name.endswith(_DOCUMENTS) else "code"


def _is_screen(path: str) -> bool:
    *folders, name = path.lower().split("/")
    return name.endswith(_SCREENS) or bool(_SCREEN_FOLDERS.intersection(folders))
