"""How the models that a session consults are asked, and how what they say is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.advisers.drafts import draft_of, title_of
from teamlead.core.answers import Answer
from teamlead.core.model import Plan
from teamlead.core.runs import Purpose, Run
from teamlead.core.state.team_state import TeamState
from teamlead.engine.parts import Consulting
from teamlead.forms.catalogue import answer_to
from teamlead.plans.writing import write
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.prompts.planner import planning_prompt
from teamlead.sessions.made_plans import read_draft
from teamlead.sessions.transcripts import transcript
from teamlead.system.secrets import Secrets


def consulting(templates: Templates, secrets: Secrets) -> Consulting:
    """No model is told one of the secrets, not even where an agent has written it into its work."""
    return Consulting(partial(_prompt, templates=templates, secrets=secrets), _transcript, _read)


def _prompt(
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
