"""How the models that a session consults are asked, and how what they say is read."""

import asyncio
from functools import partial
from pathlib import Path

from teamlead.core.consultation import Consultation
from teamlead.core.state import TeamState
from teamlead.engine.parts import Consulting
from teamlead.prompts.consulting import consultation_prompt
from teamlead.prompts.library import Templates
from teamlead.prompts.material import Material
from teamlead.reports.answers import read_answer
from teamlead.wiring.transcripts import transcript


def consulting(templates: Templates) -> Consulting:
    return Consulting(partial(_prompt, templates=templates), _transcript, read_answer)


def _prompt(state: TeamState, asked: Consultation, log: str, change: str, *, templates: Templates) -> str:
    return consultation_prompt(state, asked, Material(log, change, templates))


async def _transcript(folder: Path) -> str:
    return await asyncio.to_thread(transcript, folder)
