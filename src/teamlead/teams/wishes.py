"""What a preset wants that a repository may not have without its user's consent."""

from collections.abc import Iterator

from teamlead.core.roles import BUILT_IN
from teamlead.teams.preset import Preset


def wishes(preset: Preset) -> tuple[str, ...]:
    """Programs, models, commands, and tools of roles that nobody has limited yet. One line each.

    That a built-in role gets fewer tools is no wish: it tightens.
    """
    return tuple(dict.fromkeys(_wishes(preset)))


def _wishes(preset: Preset) -> Iterator[str]:
    roles = {member.name: member.role for member in preset.members}
    for member in preset.members:
        if member.agent:
            yield f"{member.name} is {member.agent}"
    for stage in preset.stages:
        for part in stage.parts:
            who = f"{part.member} in {stage.name}"
            if part.model:
                yield f"{who} has the model {part.model}"
            if part.tools is not None and roles[part.member] not in BUILT_IN:
                yield f"{who} uses {', '.join(part.tools) or 'no tools'}"
            for command in part.checks:
                yield f"{who} is checked by `{command}`"
