"""What a role is: one record of all that holds for its agents, and the table of those that are built in."""

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from msgspec.structs import replace

from teamlead.core.model import RoleSettings, TaskForm, ToolPolicy, Value
from teamlead.core.runs import Consultant

Tier = Literal["small", "medium", "large"]
"""How able a model is; which one that is depends on the agent."""
TIERS: tuple[Tier, ...] = get_args(Tier)


class Role(Value, frozen=True, kw_only=True):
    """What holds for every agent of one role, unless its task says otherwise."""

    name: str
    policy: ToolPolicy = ToolPolicy()
    tier: Tier = "medium"
    """Of the model that its tasks need."""
    form: TaskForm = "summary"
    """Of what its tasks hand in."""
    reads_for_others: bool = False
    """Its result is what others have to know: if it fails, the lead reads itself."""
    focus: str = ""
    """What its agents are told to look at above all."""
    peers: str = ""
    """With whom they are told to talk about it, where they can."""
    expertise: tuple[str, ...] = ()
    """Words of the categories that it knows better than others do."""
    settings: RoleSettings = RoleSettings("")
    """What the user's settings say of it. Their policy, if there is one, is `policy` already."""

    @property
    def reports(self) -> bool:
        """Its agents' last words do not do: they owe a report."""
        return self.form != "summary"


READING = ToolPolicy(("read", "search"))

_ROLES = (
    Role(name="worker"),
    Role(
        name="code-explorer",
        policy=ToolPolicy(("read", "search", "shell"), commands="audit"),
        # It finds things by pattern, such as which frameworks are used.
        tier="small",
        form="exploration",
        reads_for_others=True,
    ),
    Role(name="Explore", form="exploration", reads_for_others=True),
    # Requirements, the skeleton that all others build on, and the last look at it.
    Role(name="product-manager", tier="large"),
    Role(name="arch-skeleton", tier="large"),
    Role(name="reviewer", tier="large"),
    Role(
        name="system-architect",
        policy=READING,
        form="design",
        focus="consistency of the architecture, scalability, the effect on technical debt",
        peers="Check that what security-auditor proposes is technically sound, and tell it. Report concerns "
        "about feasibility to the lead.",
        expertise=("architecture", "design", "performance", "scalability", "dependencies"),
    ),
    Role(name="code-architect", form="design", expertise=("architecture", "design", "maintainability")),
    Role(
        name="frontend-specialist",
        form="implementation",
        expertise=("frontend", "accessibility", "usability", "ui"),
    ),
    Role(
        name="backend-specialist",
        form="implementation",
        expertise=("backend", "api", "database", "concurrency", "performance"),
    ),
    Role(
        name="security-auditor",
        policy=ToolPolicy(("read", "search", "shell", "web"), commands="audit"),
        form="review",
        focus="the OWASP Top 10, authentication and authorisation, input validation, exposure of data",
        peers="Discuss with qa-engineer how each finding can be tested. Report a critical vulnerability to "
        "the lead at once, before your result.",
        expertise=("security", "privacy", "secrets", "authentication", "authorization", "injection"),
    ),
    Role(
        name="qa-engineer",
        form="review",
        focus="gaps in test coverage, edge cases, whether each acceptance criterion can be verified",
        peers="Judge whether the findings of security-auditor can be tested, and tell it. Report the state "
        "of the quality gates to the lead.",
        expertise=("testing", "tests", "test", "coverage", "regression", "correctness", "reliability"),
    ),
    Role(
        name="verification-specialist",
        policy=READING,
        form="review",
        focus="whether each cited place exists and says what is claimed of it; trust no quotation, read the "
        "file",
        peers="Tell the agent whose result you verify what does not hold.",
    ),
    # Who is consulted looks, and changes nothing.
    *(Role(name=name, policy=READING) for name in get_args(Consultant)),
    # A model that leads delegates: it writes nothing but the session's own files.
    Role(name="leader", policy=ToolPolicy(("read", "search", "edit"), writes=(".teamlead/sessions/",))),
)

BUILT_IN: Mapping[str, Role] = {role.name: role for role in _ROLES}


def role_named(name: str, settings: Iterable[RoleSettings] = ()) -> Role:
    """What is built in, with what the settings say laid over it. Any other name has a worker's rights."""
    role = BUILT_IN.get(name) or Role(name=name)
    for said in settings:
        if said.name == name:
            return replace(role, settings=said, policy=said.policy or role.policy)
    return role
