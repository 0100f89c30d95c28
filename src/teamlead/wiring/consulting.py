"""How the models that a session consults are asked, and how what they say is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.runs import Run
from teamlead.core.state import TeamState
from teamlead.engine.parts import Consulting
from teamlead.forms.catalogue import answer_to
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.system.secrets import Secrets
from teamlead.wiring.transcripts import transcript


def consulting(templates: Templates, secrets: Secrets) -> Consulting:
    """No model is told one of the secrets, not even where an agent has written it into its work."""
    return Consulting(partial(_prompt, templates=templates, secrets=secrets), _transcript, answer_to)


def _prompt(
    state: TeamState, asked: Run, log: str, change: str, *, templates: Templates, secrets: Secrets
) -> str:
    log, change = (secrets.hidden(text.encode(errors="replace")).decode() for text in (log, change))
    return consultation_prompt(state, asked, Material(log, change, templates))


async def _transcript(folder: Path) -> str:
    return await asyncio.to_thread(transcript, folder)
