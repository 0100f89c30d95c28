"""How the models that a session consults are asked, and how what they say is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.answers import Answer
from teamlead.core.runs import Purpose, Run
from teamlead.core.state import TeamState
from teamlead.engine.parts import Consulting
from teamlead.forms.answers.readers import read_answer
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.forms import FORMS
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.system.secrets import Secrets
from teamlead.wiring.transcripts import transcript


def consulting(templates: Templates, secrets: Secrets) -> Consulting:
    """No model is told one of the secrets, not even where an agent has written it into its work."""
    return Consulting(partial(_prompt, templates=templates, secrets=secrets), _transcript, _read)


def _prompt(
    state: TeamState, asked: Run, log: str, change: str, *, templates: Templates, secrets: Secrets
) -> str:
    log, change = (secrets.hidden(text.encode(errors="replace")).decode() for text in (log, change))
    return consultation_prompt(state, asked, Material(log, change, templates))


def _read(purpose: Purpose, text: str) -> Answer:
    return read_answer(purpose, text, FORMS[purpose])


async def _transcript(folder: Path) -> str:
    return await asyncio.to_thread(transcript, folder)
