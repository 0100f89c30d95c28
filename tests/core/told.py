"""Facts as tests tell them: in one line each."""

from typing import Any

from teamlead.core import effects as do
from teamlead.core import facts as f
from teamlead.core.answers import Answer
from teamlead.core.evidence.values import CheckResult, Evidence, Examined, Found
from teamlead.core.model import Change
from teamlead.core.reports import Feedback, Result
from teamlead.core.runs import AgentStatus, RunEnd, run_id


def agent_ended(task: str, attempt: int, status: AgentStatus, summary: str = "", **fields: Any) -> f.RunOver:
    return f.RunOver(run_id(task, attempt), RunEnd(status, summary, **fields))


def over(effect: do.RunAgent, status: AgentStatus, **fields: Any) -> f.RunOver:
    return f.RunOver(effect.run, RunEnd(status, **fields))


def quiet(task: str, attempt: int) -> f.RunQuiet:
    return f.RunQuiet(run_id(task, attempt))


def answered(
    run: str, status: AgentStatus, answer: Answer | None = None, problem: str = "", **fields: Any
) -> f.RunOver:
    """What came of asking a model: one that did not end well says why, one that did has a wrong answer."""
    if status == "ok":
        return f.RunOver(run, RunEnd(status, **fields), answer, problem)
    return f.RunOver(run, RunEnd(status, detail=problem, **fields), answer)


def work_found(
    task: str,
    attempt: int,
    commit: str,
    changes: tuple[Change, ...] = (),
    unmerged: tuple[str, ...] = (),
    *,
    result: Result | None = None,
    feedback: Feedback | None = None,
    evidence: tuple[Evidence, ...] = (),
    **fields: Any,
) -> f.WorkFound:
    found = Found(commit=commit, changes=changes, unmerged=unmerged, **fields)
    return f.WorkFound(task, attempt, found, Examined(result, feedback, evidence))


def check_ended(task: str, attempt: int, command: str, exit_code: int | None, **fields: Any) -> f.CheckEnded:
    return f.CheckEnded(task, attempt, CheckResult(command=command, exit_code=exit_code, **fields))
