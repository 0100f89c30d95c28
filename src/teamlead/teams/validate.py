"""Head and draft → Preset and every problem it has, in the order of lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from teamlead.core.policy.scope import within
from teamlead.markup.problems import Problem
from teamlead.teams import workflow
from teamlead.teams.cards import near_role, nearest
from teamlead.teams.draft import Draft
from teamlead.teams.front_matter import Head
from teamlead.teams.labels import is_gate
from teamlead.teams.markdown import MOST
from teamlead.teams.members import OTHERS, Told, told
from teamlead.teams.preset import FindingCard, Part, Preset, Stage
from teamlead.teams.stages import Placed, placed, reopening

EXAMPLE = """\
write it as in this example:

    ## Members

    ### code-explorer as analyst
    - **Instructions**: Find the cause, and change nothing.

    ### backend-specialist as fixer
    - **Instructions**: Mend it, with a test.

    ## Workflow

    1. **ANALYZING**: analyst
    2. **EXECUTING**: fixer — depends on ANALYZING"""

_SUMS_UP = re.compile(
    r"\b(?:sums? up|summari[sz]e|consolidate|aggregate|combine|merge the (?:results|findings)|join the)\b"
    r"|まとめ|統合し|集約|総合|종합|취합|집계|요약하",
    re.IGNORECASE,
)
_RESULTS = re.compile(
    r"\b(?:results?|findings?|reports?|analysis|conclusions?)\b|結果|所見|報告|결과|발견|보고", re.IGNORECASE
)


class Examined(NamedTuple):
    preset: Preset
    """Complete only if no problem is an error; what could not be used is left out."""
    problems: list[Problem]


def examine(head: Head, draft: Draft, text: str, source: str) -> Examined:
    stages: list[Stage] = []
    members: Mapping[str, Told] = {}
    if _of_bearable_size(draft):
        names = tuple(stage.name for stage in draft.stages if not is_gate(stage.name))
        members = told(draft, names)
        _check_sections(draft)
        order = placed(draft, members)
        stages = [_stage(draft, stage, order, members) for stage in order if stage.members]
        _check_members(draft, members, order)
    preset = Preset(
        name=head.name,
        description=head.description,
        keywords=head.keywords,
        members=tuple(each.member for each in members.values()),
        stages=tuple(stages),
        cards=tuple(FindingCard(card.name, tuple(card.sections)) for card in draft.cards),
        text=text,
        source=source,
    )
    return Examined(preset, sorted(draft.problems, key=lambda problem: problem.line))


def _of_bearable_size(draft: Draft) -> bool:
    for what, found in (("members", draft.members), ("stages", draft.stages)):
        if len(found) > MOST:
            line = found[MOST].line
            draft.say(line, f"{len(found)} {what} are too many", f"a team has at most {MOST}")
            return False
    return True


def _check_sections(draft: Draft) -> None:
    if not draft.members and "members" not in draft.sections:
        draft.say(1, "there is no section `## Members`", EXAMPLE)
    elif not draft.members:
        draft.say(draft.sections["members"], "the team has no members", EXAMPLE)
    if not draft.stages and "workflow" not in draft.sections:
        draft.say(1, "there is no section `## Workflow`", EXAMPLE)
    elif not any(not is_gate(stage.name) for stage in draft.stages):
        draft.say(draft.sections["workflow"], "the workflow has no stages", EXAMPLE)


def _check_members(draft: Draft, members: Mapping[str, Told], order: Sequence[Placed]) -> None:
    at_work = {name for stage in order for name in stage.members}
    for name, each in members.items():
        if name not in at_work and draft.stages:
            draft.say(
                each.member.line,
                f"{name!r} works in no stage",
                "name it in an item of the workflow, or take it away",
            )
        if near := near_role(each.member.role):
            draft.say(
                each.member.line,
                f"{each.member.role!r} is no role that is known, and has a worker's rights",
                f"did you mean {near!r}?",
                "warning",
            )


def _stage(draft: Draft, stage: Placed, order: Sequence[Placed], members: Mapping[str, Told]) -> Stage:
    parts = tuple(
        members[name].part(stage.name, tuple(_after(draft, members[name], stage, members)))
        for name in stage.members
    )
    _check_waiting(draft, stage, parts, members)
    _check_outputs(draft, stage, parts, members)
    if stage.draft.parallel:
        _check_summing_up(draft, stage, parts, order, members)
    reopens = stage.draft.policies.get("reopens")
    names = [each.name for each in order]
    return Stage(
        name=stage.name,
        phase=stage.phase,
        parts=parts,
        parallel=stage.draft.parallel,
        after=tuple(dict.fromkeys(_behind(stage, {each.name: each for each in order}))),
        reopens=reopening(draft, stage, names, reopens) if reopens else None,
        line=stage.draft.line,
    )


def _behind(stage: Placed, stages: Mapping[str, Placed], seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The stages that it depends on; in the place of one without members those before that."""
    for name in stage.after:
        if stages[name].members:
            yield name
        elif name not in seen:
            yield from _behind(stages[name], stages, seen | {name})


def _after(draft: Draft, member: Told, stage: Placed, members: Mapping[str, Told]) -> Iterator[str]:
    given: tuple[str, ...] = member.of("after", stage.name, ())
    if given == OTHERS:
        yield from (name for name in stage.members if name != member.member.name)
        return
    for name in given:
        found = workflow.known(name, members)
        if not found:
            near = nearest(name, members)
            hint = f"did you mean {near!r}?" if near else f"members: {', '.join(members)}"
            draft.say(
                member.member.line, f"{member.member.name!r} waits for {name[:60]!r}, who is no member", hint
            )
        elif found in stage.members:
            yield found
        elif stage.name in _limits(member):
            draft.say(
                member.member.line,
                f"{member.member.name!r} waits for {found!r} in {stage.name!r}, who does not work there",
                "stages wait for those before them by themselves",
            )


def _limits(member: Told) -> set[str]:
    return {stage for field, stage in member.values if field == "after"}


def _check_waiting(draft: Draft, stage: Placed, parts: Sequence[Part], members: Mapping[str, Told]) -> None:
    waiting = {part.member: set(part.after) for part in parts}
    while ready := [name for name, after in waiting.items() if not after & set(waiting)]:
        for name in ready:
            del waiting[name]
    if waiting:
        first = next(iter(waiting))
        draft.say(
            members[first].member.line,
            f"in {stage.name!r}, members wait for each other: {', '.join(waiting)}",
            "take one `After` away",
        )


def _check_outputs(draft: Draft, stage: Placed, parts: Sequence[Part], members: Mapping[str, Told]) -> None:
    for one, other in combinations(parts, 2):
        same = next(
            (path for path in other.outputs if within(path, one.outputs)),
            next((path for path in one.outputs if within(path, other.outputs)), ""),
        )
        if same:
            draft.say(
                members[other.member].member.line,
                f"{one.member!r} and {other.member!r} both write {same[:80]!r} in {stage.name!r}",
                "give each a file of its own, and one of them the last word in a later stage",
            )
    for part in parts:
        outside = [path for path in part.outputs if part.writes is not None and not within(path, part.writes)]
        if outside and not members[part.member].member.function:
            draft.say(
                members[part.member].member.line,
                f"{part.member!r} is to write {outside[0][:80]!r} in {stage.name!r}, and may not",
                "add it to `Writes`",
            )


def _check_summing_up(
    draft: Draft, stage: Placed, parts: Sequence[Part], order: Sequence[Placed], members: Mapping[str, Told]
) -> None:
    before = {name for each in order[: order.index(stage)] for name in each.members}
    for part in parts:
        others = [each.member for each in parts if each.member not in {part.member, *before}]
        if part.after or not others or not _builds_on(part.instructions, others, fresh=not before):
            continue
        draft.say(
            members[part.member].member.line,
            f"{part.member!r} seems to build on what others of {stage.name!r} find, at the same time",
            f"let it wait for them: `- **After**: {', '.join(others)}`",
            "warning",
        )


def _builds_on(instructions: str, others: Sequence[str], *, fresh: bool) -> bool:
    """`fresh`: nobody has worked before, whose results could be meant."""
    if fresh and _SUMS_UP.search(instructions):
        return True
    named = any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![A-Za-z0-9_-])", instructions, re.IGNORECASE)
        for name in others
    )
    return named and (_RESULTS.search(instructions) is not None or _SUMS_UP.search(instructions) is not None)
