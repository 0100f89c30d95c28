"""What the members of a team have found, as they handed it in: by stage, and joined in a file each phase.

The files follow from the state, like all that one can read: nothing is looked for in anybody's copy.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from teamlead.core.pipeline.guard import delivers
from teamlead.core.state.records import Task
from teamlead.core.state.stages import Stage
from teamlead.core.state.team_state import TeamState
from teamlead.prompts.dependencies import handed_in

FOLDER = "findings"

_HEADING = re.compile(r"#{1,6}[ \t]+(?:Card:[ \t]*)?(.+?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")


class Finding(NamedTuple):
    member: str
    task: str
    text: str
    """As it was handed in."""


def findings_of(state: TeamState, stage: Stage) -> list[Finding]:
    tasks = (state.tasks[name] for name in stage.tasks)
    return [
        Finding(task.spec.member or task.spec.id, task.spec.id, handed_in(task.accepted))
        for task in tasks
        if task.accepted is not None and stage.spec.findings and _stands(task)
    ]


def _stands(task: Task) -> bool:
    """Of one that is done again, what it found before stands until it has found something else."""
    return delivers(task) or (task.state not in {"SKIPPED", "REPLACED_BY_REPLAN"} and not task.spec.function)


def findings_files(state: TeamState) -> dict[str, str]:
    """By their names; of phases in which something was found, and of no session without a team."""
    return {f"{name}.md": _file(state, name, stages) for name, stages in findings_names(state).items()}


def findings_names(state: TeamState) -> dict[str, list[Stage]]:
    """The same, without what is in them: by name, the stages that found something."""
    files: dict[str, list[Stage]] = {}
    for stage in state.stages.values() if state.team is not None else ():
        if stage.closings and stage.spec.findings:
            files.setdefault(stage.spec.findings, []).append(stage)
    return files


def _file(state: TeamState, name: str, stages: Iterable[Stage]) -> str:
    assert state.team is not None
    head = [f"# {name}", "", f"Team {state.team.preset}, session {state.session.id}."]
    return "\n".join([*head, *(line for stage in stages for line in _stage(state, stage))]) + "\n"


def _stage(state: TeamState, stage: Stage) -> Iterator[str]:
    yield from ("", f"## {stage.spec.name}")
    parts = {each: _split(each.text, stage.spec.sections) for each in findings_of(state, stage)}
    for section in stage.spec.sections:
        said = [(each, text) for each, found in parts.items() if (text := found.get(section))]
        if said:
            yield from ("", f"### {section}")
        for each, text in said:
            yield from ("", f"#### {each.member} ({each.task})", "", text)
    rest = [(each, text) for each, found in parts.items() if (text := found.get(""))]
    if rest and stage.spec.sections:
        yield from ("", "### What else was handed in")
    for each, text in rest:
        yield from ("", f"#### {each.member} ({each.task})", "", text)
    written = {section for found in parts.values() for section, text in found.items() if text}
    if missing := [section for section in stage.spec.sections if section not in written]:
        yield from ("", f"Nobody has written below a heading of this name: {', '.join(missing)}.")


def _split(text: str, sections: Iterable[str]) -> dict[str, str]:
    """What stands below a heading of a section's name, up to the next heading; the rest below an empty name.

    No letter of it is changed.
    """
    known = {" ".join(section.casefold().split()): section for section in sections}
    found: dict[str, list[str]] = {}
    at, fence = "", ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        heading = None if fence or mark else _HEADING.match(line)
        if heading:
            said = heading[1].casefold().rstrip(":").split()
            at = known.get(" ".join(said), "")
            if at:
                continue
        found.setdefault(at, []).append(line)
    return {section: "\n".join(lines).strip("\n") for section, lines in found.items()}
