"""Whether somebody else should look at what an agent is sure of, and the task that has it done."""

from collections.abc import Iterable

from teamlead.core import events as e
from teamlead.core.evidence.references import Standing
from teamlead.core.forms import form_of
from teamlead.core.model import TaskSpec
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.graph import free_ids

HIGH = 85
SPECIALIST = "verification-specialist"

TASK = """\
{role} is {confidence:g} % sure of its result, and nobody else has looked at these places. Read each, and
report whether it says what is claimed of it.

{cited}

Its result:

{summary}

{findings}"""


def needs_specialist(confidence: float, standings: Iterable[Standing]) -> bool:
    """High confidence that rests on references which only the agent itself vouches for."""
    return confidence >= HIGH and any(standing != "verified" for standing in standings)


def wanted(task: Task) -> bool:
    """Of work that others build on by reading it. What is implemented, tests and checks have looked at."""
    result = task.attempts[-1].result
    read_by_others = form_of(task.spec) not in {"summary", "implementation"}
    if result is None or not read_by_others or task.spec.role == SPECIALIST:
        return False
    return needs_specialist(result.confidence, ["unverified" for _ in _doubtful(task)])


def _doubtful(task: Task) -> list[str]:
    """What it cites and is not verified, as the evidence tells it."""
    items = (item for item in task.attempts[-1].work.evidence if item.kind == "references")
    return [detail for item in items for detail in item.details]


def second_look(state: TeamState) -> list[e.AnyEvent]:
    """The task for the first that waits for one."""
    for name in state.second_looks:
        return [e.TaskAdded(_task(state, state.tasks[name]), "lead")]
    return []


def _task(state: TeamState, task: Task) -> TaskSpec:
    cited = "\n".join(f"- {each}" for each in _doubtful(task))
    result = task.attempts[-1].result
    assert result is not None
    return TaskSpec(
        next(free_ids(state.tasks)),
        f"Verify what {task.spec.id} cites",
        TASK.format(
            role=task.spec.role,
            confidence=result.confidence,
            cited=cited,
            summary=result.summary,
            findings=result.findings,
        ),
        scope=(),
        depends_on=(task.spec.id,),
        type="investigation",
        role=SPECIALIST,
        critical=False,
        stage=task.spec.stage,
    )
