"""What agents and models are told, and how what a model says is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.advisers.drafts import draft_of, title_of
from teamlead.core.answers import Answer, Examples, Judgement
from teamlead.core.model import Plan
from teamlead.core.runs import Run
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Briefing, Consulting, Prompt, Shown
from teamlead.errors import Unreadable
from teamlead.evidence.named_places import NamedPlaces
from teamlead.forms.answers.named_faults import faults, founded
from teamlead.forms.catalogue import answer_to
from teamlead.plans.writing import write
from teamlead.prompts.consulting import asked_of, consultation_prompt, words_about
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.prompts.planner import planning_prompt
from teamlead.prompts.worker import Circumstances, continuation_prompt, worker_prompt
from teamlead.sessions.made_plans import read_draft
from teamlead.sessions.transcripts import transcript
from teamlead.system.git import Git
from teamlead.system.secrets import Secrets

INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")


def prompting(templates: Templates, *, sparse: bool, report: bool) -> Prompt:
    """For agents at work. `sparse`: a copy has only what its task may change. `report`: all owe one."""
    return partial(_work_prompt, templates=templates, sparse=sparse, report=report)


def _work_prompt(
    state: TeamState, task: Task, briefing: Briefing, *, sparse: bool, report: bool, templates: Templates
) -> str:
    write = continuation_prompt if briefing.continues else worker_prompt
    found = tuple(name for name in INSTRUCTIONS if (briefing.copy / name).is_file())
    lent = tuple((each.excerpt, each.text) for each in briefing.lent)
    return write(
        state,
        task,
        Circumstances(
            team=briefing.team,
            sparse=sparse,
            instructions=found,
            lent=lent,
            report=report,
            templates=templates,
        ),
    )


def consulting(templates: Templates, secrets: Secrets, git: Git) -> Consulting:
    """No model is told one of the secrets, not even where an agent has written it into its work."""
    question = partial(_question, templates=templates, secrets=secrets)
    return Consulting(question, _transcript, partial(_read, git))


def _question(state: TeamState, asked: Run, shown: Shown, *, templates: Templates, secrets: Secrets) -> str:
    if asked.purpose == "work":
        return planning_prompt(state, asked, templates)
    log, change, since = (secrets.hidden(text.encode(errors="replace")).decode() for text in shown)
    material = Material(log=log, change=change, since=since, plan=_plan(state, asked), templates=templates)
    return consultation_prompt(state, asked, material)


def _plan(state: TeamState, asked: Run) -> str:
    """What is to be reviewed, if that is a plan."""
    if asked.purpose != "quality":
        return ""
    draft = draft_of(state.tasks[asked.task].attempts[asked.attempt - 1])
    assert draft is not None, "only a proposal is reviewed"
    return write(Plan(title_of(state, draft), "", draft.tasks), state.session.plan.instruction)


async def _read(git: Git, state: TeamState, run: Run, text: str) -> Answer:
    if run.purpose == "work":
        return read_draft(text)
    answer = answer_to(run.purpose, text)
    if isinstance(answer, Judgement):
        await _believe(git, answer, state, run)
    if isinstance(answer, Examples):
        return _founded(answer, state, run)
    return answer


async def _believe(git: Git, answer: Judgement, state: TeamState, run: Run) -> None:
    """Raises where it leaves out what it was asked for, or names what is not there."""
    asked = asked_of(state, run)
    base = state.tasks[run.task].attempts[run.attempt - 1].base
    places = NamedPlaces(git, base, run.commit)
    missing = await asyncio.to_thread(places.faults, answer, asked.checks)
    if wrong := [*faults(answer, asked), *missing]:
        raise Unreadable("; ".join(wrong))


def _founded(answer: Examples, state: TeamState, run: Run) -> Examples:
    found = founded(answer, words_about(state, state.tasks[run.task]))
    if answer.examples and not found.examples:
        raise Unreadable("no `sentence` stands in the plan or in the task: copy them", remedy="answer again")
    return found


async def _transcript(folder: Path) -> str:
    return await asyncio.to_thread(transcript, folder)
