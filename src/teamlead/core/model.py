"""The values everything speaks of. All frozen."""

from typing import Literal, TypeVar, get_args

import msgspec

from teamlead.core.transitions import StagePhase

Number = TypeVar("Number", int, float)

TaskType = Literal["implementation", "documentation", "investigation", "integration"]

TaskForm = Literal["summary", "exploration", "design", "review", "implementation"]
"""What a task hands in. summary: its agent's last words, in no fixed shape. Each of the others is a report
that keeps the contract, with findings in a shape of its own."""
TASK_FORMS: tuple[TaskForm, ...] = get_args(TaskForm)

Delivery = Literal["change", "report", "plan"]
"""What a task hands on: what it changed, what it found, or tasks for a session of their own."""

PipelineEnd = Literal["merge", "plan"]
"""merge: a person approves the merged work. plan: what was made are tasks for sessions of their own."""

Judged = Literal["acceptance", "undecided", "all"]
"""Whose work a judge looks at. acceptance: where words say when a task is done. undecided: of the rest, too,
what code has not decided on all counts. all: every task's."""
JUDGED: tuple[Judged, ...] = get_args(Judged)

Tool = Literal["read", "search", "edit", "shell", "web"]
TOOLS: tuple[Tool, ...] = get_args(Tool)

Effort = Literal["low", "medium", "high", "xhigh", "max"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)

Commands = Literal["any", "audit"]
"""What a shell may be used for. audit: only commands that read, judged by their parsed arguments."""


class Value(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """gc=False: values hold strings, numbers and tuples of values, so they can form no cycle."""


class Trespass(Value, frozen=True):
    """Something that was changed in the user's repository, and that nobody has put right."""

    item: str
    """Its name for `teamlead mend`."""
    told: str
    suspects: tuple[str, ...] = ()
    """Who has done it, or was at work meanwhile."""


Dimension = Literal["cost_usd", "tokens", "seconds", "turns"]
"""What a budget limits."""


class Budget(Value, frozen=True):
    """What may be spent; None: no limit."""

    cost_usd: float | None = None
    tokens: int | None = None
    """Input and output together."""
    seconds: float | None = None
    """Of agents at work, added up."""
    turns: int | None = None


class ToolPolicy(Value, frozen=True):
    """What an agent may use."""

    tools: tuple[Tool, ...] = TOOLS
    commands: Commands = "any"
    writes: tuple[str, ...] = ("**",)
    """Path patterns it may change, besides those of its task: what both allow."""
    asks: tuple[Tool, ...] = ()
    """Tools whose every call a person must allow."""


class RoleSettings(Value, frozen=True):
    """What the user's settings say of a role (see `core.roles`)."""

    name: str
    agent: str = ""
    model: str = ""
    effort: str = ""
    arguments: tuple[str, ...] = ()
    """Further arguments for the agent's program."""
    policy: ToolPolicy | None = None
    """None: the role's own."""
    budget: Budget = Budget()
    """For all agents of the role together."""


class TaskSpec(Value, frozen=True):
    """One task as the plan states it. Only who works on it and what it may change are a person's to alter."""

    id: str
    title: str
    description: str = ""
    scope: tuple[str, ...] = ("**",)
    """Path patterns the task may change, relative to the repository's root (see `core.policy.scope`)."""
    acceptance: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    """Shell commands that must pass in the working copy."""
    depends_on: tuple[str, ...] = ()
    type: TaskType = "implementation"
    role: str = "worker"
    form: TaskForm | Literal[""] = ""
    """Empty: its role's (see `core.forms`)."""
    agent: str = ""
    """Overrides the role's, which overrides the session's; so do the next three."""
    model: str = ""
    effort: str = ""
    arguments: tuple[str, ...] = ()
    budget: Budget = Budget()
    """For all attempts together."""
    branch: str = ""
    """A label from the plan. Work happens on `teamlead/<session>/<task>`."""
    context: str = ""
    hours: float = 1.0
    outputs: tuple[str, ...] = ()
    """Path patterns of what has to be there when it is done, each matching at least one file."""
    critical: bool = True
    """Without it the plan is not fulfilled. If another fails, the rest goes on without it."""
    delivers: Delivery | None = None
    """None: what its type says."""
    stage: str = ""
    """Empty: the first of its session's pipeline."""
    protects: tuple[str, ...] = ()
    """Path patterns that it may read and not change, unless its scope names the very path."""
    removes_tests: tuple[str, ...] = ()
    """Tests that may go: their names, patterns of them, or of their files."""
    hidden_checks: tuple[str, ...] = ()
    """Shell commands that must pass as well, and that no agent is told of."""
    member: str = ""
    """Who of its team works on it; empty: a member of its own, called as the task."""
    function: str = ""
    """Of the engine, which performs it in the place of an agent."""
    tools: tuple[Tool, ...] | None = None
    """Of those that its role has; None: all of them."""
    approved_by_user: bool = False
    """A person accepts its work, after code and models have."""

    @property
    def needs_change(self) -> bool:
        return self.type in {"implementation", "documentation"}

    @property
    def own_checks(self) -> tuple[str, ...]:
        """All that it names itself."""
        return (*self.checks, *self.hidden_checks)

    @property
    def criteria(self) -> tuple[str, ...]:
        """What has to hold that no command decides: a plan may repeat its checks there."""
        return tuple(text for text in self.acceptance if text.strip("`") not in self.checks)

    @property
    def required(self) -> tuple[str, ...]:
        """What a judge holds its work against, one by one: without words of its own, all that it says."""
        whole = "\n\n".join(filter(None, dict.fromkeys((self.title, self.description))))
        return self.criteria or (whole,)

    @property
    def delivery(self) -> Delivery:
        return self.delivers or ("report" if self.type == "investigation" else "change")

    @property
    def merges(self) -> bool:
        return self.delivery == "change"

    @property
    def plans(self) -> bool:
        """Its agent reads a borrowed copy, and what it hands in are tasks."""
        return self.delivery == "plan"


class Reopens(Value, frozen=True):
    """What is done again while a critical finding of a stage stands."""

    stages: tuple[str, ...]
    times: int = 3


class StageSpec(Value, frozen=True):
    """A named group of tasks. They start when every task of the stages before it is settled."""

    name: str = ""
    """Empty: it is the only one, and nobody speaks of it."""
    phase: StagePhase = "EXECUTING"
    findings: str = ""
    """The file in which what its members handed in is joined, such as "analysis"; empty: none is."""
    sections: tuple[str, ...] = ()
    """What has to stand there."""
    reopens: Reopens | None = None


class Pipeline(Value, frozen=True):
    """In which order groups of tasks are carried out, and how that ends."""

    stages: tuple[StageSpec, ...] = (StageSpec(),)
    ends: PipelineEnd = "merge"


class Said(Value, frozen=True):
    """One turn of the conversation in which a plan was made."""

    who: str
    text: str


class Plan(Value, frozen=True):
    title: str
    text: str
    """The whole document as the user wrote it."""
    tasks: tuple[TaskSpec, ...]
    source: str = ""
    instruction: str = ""
    """What the user wants, where the document was made from it."""
    source_type: Literal["planner-session", "plan-document"] = "plan-document"
    """Whether it was made from an instruction, or is a document of the user's, perhaps interpreted."""
    planner_session: str = ""
    """The planning that it is the result of."""
    conversation: tuple[Said, ...] = ()
    common: str = ""
    """What the document says outside of its tasks; all of it, where it is written freely."""
    hidden_lines: tuple[int, ...] = ()
    """Of its text, from 0: what no agent may see."""

    @property
    def wanted(self) -> str:
        """The original instruction, as agents may see it."""
        return self.instruction or self._shown

    @property
    def _shown(self) -> str:
        if not self.hidden_lines:
            return self.text
        hidden = frozenset(self.hidden_lines)
        lines = self.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return "\n".join(line for number, line in enumerate(lines) if number not in hidden)

    @property
    def holds_for_all(self) -> str:
        """What whoever works on one of its tasks, or judges one, has to know of the whole."""
        return self.common or self.instruction


class Limits(Value, frozen=True, kw_only=True):
    """Bounds of a session. Durations are seconds; 0 means none."""

    jobs: int = 4
    """Agents and models at work at one time. Checks are counted by themselves."""
    check_jobs: int = 0
    """Checks at one time; 0: as many as agents."""
    attempts: int = 3
    """Failures of one task before a person is asked."""
    conflict_reruns: int = 1
    retry_delay: float = 2.0
    """Before the first retry after an agent's crash, error or time-out; doubles each time."""
    hard_timeout: float = 3600.0
    idle_timeout: float = 900.0
    check_timeout: float = 900.0
    proof_times: float = 0.0
    """Runs that prove work may take so many times as long as its checks; 0: there are none."""
    grace: float = 10.0
    leaving: float = 60.0
    """In which a member that is asked to leave may answer, or end its turn. Awake time, as the next."""
    leaving_again: float = 10.0
    """In which it may do so once it was asked again."""
    questions: int = 10
    """Escalations to the user before they are asked whether to go on."""
    replans: int = 3
    """Escalations to the planner; beyond it, to who comes next. So with the two below."""
    validations: int = 5
    advices: int = 5
    planned_tasks: int = 5
    """That the planner may make a plan of, or put in the place of one."""
    planned_hours: float = 4.0
    """Of each of them."""
    plan_quality: int = 60
    """The score from which a plan that a model made may be used."""
    plan_target: int = 85
    """The score from which nothing better is asked for."""
    revisions: int = 3
    """Of the finished work, before the session counts as failed."""
    rounds: int = 1000
    """Attempts in a row that settle no task, before a person is asked."""

    reopenings: int = 10
    """Tasks of one stage that are reopened without a person's word, before a person is asked."""

    @property
    def checks_at_once(self) -> int:
        return self.check_jobs or self.jobs

    @property
    def live_attempts(self) -> int:
        """Whose agents work, or whose work is looked at: each has a copy. More would only wait for checks."""
        return self.jobs + self.checks_at_once


class TeamMember(Value, frozen=True):
    name: str
    role: str
    agent: str = ""
    """The program; empty: whichever the settings or the session say."""


class TeamSpec(Value, frozen=True):
    """Who carries out a session whose tasks come from a preset."""

    name: str
    """That of the session."""
    preset: str
    task: str
    """What the user wants of it."""
    members: tuple[TeamMember, ...] = ()
    text: str = ""
    """The preset as it was read: the session keeps to it, whatever becomes of the file."""


class SessionSpec(Value, frozen=True):
    """What is fixed when a session starts."""

    id: str
    plan: Plan
    base_commit: str
    target_branch: str
    agent: str
    limits: Limits = Limits()
    pipeline: Pipeline = Pipeline()
    model: str = ""
    effort: str = ""
    arguments: tuple[str, ...] = ()
    roles: tuple[RoleSettings, ...] = ()
    budget: Budget = Budget()
    autonomy: int = 1
    """1: the lead acts when an agent has ended. 2: also on what it reports while it works."""
    agent_settings: bool = False
    """The repository's own settings and hooks for agents take effect: the user allowed it."""
    checks: tuple[str, ...] = ()
    """Commands from the configuration that every task must pass besides its own."""
    auto_approve: bool = False
    """What holds is taken without asking: merged work is approved, a plan is accepted."""
    stop_on_escalation: bool = False
    consultants: tuple[str, ...] = ()
    """The roles of models that the lead may consult: see `core.asking.consulting`."""
    judged: Judged = "acceptance"
    judge_inputs: bool = False
    """A judge thinks of inputs of its own before it sees the work."""
    notify: tuple[str, ...] = ()
    """Commands that are run when a person is needed; "desktop" shows it there."""
    preflight: bool = False
    """Checks are tried on the base before agents work."""
    strict: bool = False
    """Agents and checks run in strict rooms, or not at all."""


class Person(Value, frozen=True):
    """Who decided something, as their machine knows them."""

    user: str
    pid: int
    """Of the process by which they said it."""
    terminal: str = ""
    """Empty: it has none."""


class Usage(Value, frozen=True):
    """What an agent's run consumed. None is unknown, which is not zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None

    def plus(self, other: "Usage") -> "Usage":
        """Adds what the same run used besides: it may tell tokens now, and the cost at its end."""
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cost_usd, other.cost_usd),
        )

    def beside(self, other: "Usage") -> "Usage":
        """Adds what another run used. What one did not tell stays unknown as long as the other used none."""
        return Usage(
            _least(self.input_tokens, other.input_tokens),
            _least(self.output_tokens, other.output_tokens),
            _least(self.cost_usd, other.cost_usd),
        )


def _sum(a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None:
        return b if a is None else a
    return a + b


def _least(a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None:
        return a or b or None
    return a + b


class Change(Value, frozen=True):
    """One path a task changed, against its base. Modes are git's, "000000" where there is no file."""

    path: str
    before: str
    after: str
    added: int = 0
    deleted: int = 0


class Excerpt(Value, frozen=True):
    """Some lines of a file that the lead has read itself."""

    path: str
    first: int
    lines: int


class Question(Value, frozen=True):
    text: str
    options: tuple[str, ...] = ()


class Concern(Value, frozen=True):
    """A task that something is asked about."""

    task: str
    attempt: int = 0
    """The one that asks, or whose work it is about; 0: none."""
    reason: str = ""
    """Why it is asked about this task, too; empty where it was raised for this one."""
    question: Question | None = None
    """As it would be asked about this task alone; so with None."""
