"""The roles that teamlead knows by itself: what each may use, looks for, and talks about with whom."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from teamlead.core.model import Role, TaskSpec, ToolPolicy
from teamlead.core.runs import Consultant

Tier = Literal["small", "medium", "large"]
"""How able a model a task needs; which model that is depends on the agent."""

BUILT_IN: tuple[Role, ...] = (
    Role("worker"),
    Role("security-auditor", policy=ToolPolicy(("read", "search", "shell", "web"), commands="audit")),
    Role("qa-engineer"),
    Role("system-architect", policy=ToolPolicy(("read", "search"))),
    Role("verification-specialist", policy=ToolPolicy(("read", "search"))),
    Role("code-explorer", policy=ToolPolicy(("read", "search", "shell"), commands="audit")),
    # Who is consulted looks, and changes nothing.
    *(Role(name, policy=ToolPolicy(("read", "search"))) for name in get_args(Consultant)),
    # A model that leads delegates: it writes nothing but the session's own files.
    Role("leader", policy=ToolPolicy(("read", "search", "edit"), writes=(".teamlead/sessions/",))),
)


class Charter(NamedTuple):
    """What an agent's prompt says about its role."""

    focus: str = ""
    peers: str = ""


CHARTERS = {
    "security-auditor": Charter(
        "the OWASP Top 10, authentication and authorisation, input validation, exposure of data",
        "Discuss with qa-engineer how each finding can be tested. Report a critical vulnerability to the "
        "lead at once, before your result.",
    ),
    "qa-engineer": Charter(
        "gaps in test coverage, edge cases, whether each acceptance criterion can be verified",
        "Judge whether the findings of security-auditor can be tested, and tell it. Report the state of the "
        "quality gates to the lead.",
    ),
    "verification-specialist": Charter(
        "whether each cited place exists and says what is claimed of it; trust no quotation, read the file",
        "Tell the agent whose result you verify what does not hold.",
    ),
    "system-architect": Charter(
        "consistency of the architecture, scalability, the effect on technical debt",
        "Check that what security-auditor proposes is technically sound, and tell it. Report concerns about "
        "feasibility to the lead.",
    ),
}

TIERS: dict[str, Tier] = {
    # Finding things by pattern, such as which frameworks are used.
    "code-explorer": "small",
    # Requirements, the skeleton that all others build on, and the last look at it.
    "product-manager": "large",
    "arch-skeleton": "large",
    "reviewer": "large",
}


def role_named(roles: Iterable[Role], name: str) -> Role:
    """The session's own role, or the built-in one; any other name has a worker's rights."""
    return next((role for role in (*roles, *BUILT_IN) if role.name == name), Role(name))


def charter_of(role: str) -> Charter:
    return CHARTERS.get(role, Charter())


def tier_of(spec: TaskSpec) -> Tier:
    return TIERS.get(spec.role, "medium")
