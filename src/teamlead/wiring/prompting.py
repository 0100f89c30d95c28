"""What agents and models are told, and how what a model says is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.advisers.drafts import draft_of, title_of
from teamlead.core.answers import Answer
from teamlead.core.model import Plan
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.records import Task
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Briefing, Consulting, Prompt
from teamlead.forms.catalogue import answer_to
from teamlead.plans.writing import write
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.prompts.planner import planning_prompt
from teamlead.prompts.worker import Circumstances, continuation_prompt, worker_prompt
from teamlead.sessions.made_plans import read_draft
from teamlead.sessions.transcripts import transcript
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


def consulting(templates: Templates, secrets: Secrets) -> Consulting:
    """No model is told one of the secrets, not even where an agent has written it into its work."""
    return Consulting(partial(_question, templates=templates, secrets=secrets), _transcript, _read)


def _question(
    state: TeamState, asked: Run, log: str, change: str, *, templates: Templates, secrets: Secrets
) -> str:
    if asked.purpose == "work":
        return planning_prompt(state, asked, templates)
    log, change = (secrets.hidden(text.encode(errors="replace")).decode() for text in (log, change))
    return consultation_prompt(state, asked, Material(log, change, _plan(state, asked), templates))


def _plan(state: TeamState, asked: Run) -> str:
    """What is to be reviewed, if that is a plan."""
    if asked.purpose != "quality":
        return ""
    draft = draft_of(state.tasks[asked.task].attempts[asked.attempt - 1])
    assert draft is not None, "only a proposal is reviewed"
    return write(Plan(title_of(state, draft), "", draft.tasks), state.session.plan.instruction)


def _read(purpose: Purpose, text: str) -> Answer:
    return read_draft(text) if purpose == "work" else answer_to(purpose, text)


async def _transcript(folder: Path) -> str:
    return await asyncio.to_thread(transcript, folder)
