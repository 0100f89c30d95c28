"""What a draft's labels say of its members: values that can be used, and what is wrong with the others."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from teamlead.core.model import TOOLS, TaskForm, Tool
from teamlead.core.policy.calls import may_change
from teamlead.core.policy.paths import fault_of
from teamlead.core.policy.scope import within
from teamlead.core.roles import role_named
from teamlead.markup import values
from teamlead.markup.values import Labelled, Listed, Value
from teamlead.markup.words import FORMS, form_named, is_none, means_user, nearest_form
from teamlead.teams import workflow
from teamlead.teams.cards import FUNCTIONS, nearest
from teamlead.teams.draft import Draft, DraftMember
from teamlead.teams.labels import LABELS, Field, means_others
from teamlead.teams.preset import Member, Part

OTHERS = ("*",)
"""In the place of names: all others of its stage."""
_MODEL = re.compile(r"[^\W_]\S{0,99}")
_OF_FUNCTIONS: frozenset[Field] = frozenset({"phase", "outputs", "after"})
_COMMAS = re.compile(r"[,、，\n]|\s+and\s+")  # noqa: RUF001


class Told(NamedTuple):
    """One member, and what its labels say: by label and the stage that this is limited to."""

    member: Member
    values: Mapping[tuple[Field, str], Any]
    phases: tuple[str, ...]
    """The stages that its own label names."""
    notes: str

    def of(self, field: Field, stage: str, default: Any) -> Any:
        return self.values.get((field, stage), self.values.get((field, ""), default))

    def part(self, stage: str, after: tuple[str, ...]) -> Part:
        instructions = [self.of("instructions", stage, ""), self.notes]
        return Part(
            member=self.member.name,
            instructions="\n\n".join(filter(None, instructions)),
            form=self.of("form", stage, ""),
            writes=self.of("writes", stage, None),
            outputs=self.of("outputs", stage, ()),
            checks=self.of("checks", stage, ()),
            model=self.of("model", stage, ""),
            tools=self.of("tools", stage, None),
            after=after,
            approved_by_user=self.of("approved_by", stage, default=False),
        )


def told(draft: Draft, stages: tuple[str, ...]) -> dict[str, Told]:
    """By the name of the member, in their order. `stages`: those of the workflow."""
    found: dict[str, Told] = {}
    for member in draft.members:
        name = member.card.name
        if member.card.leads:
            draft.say(
                member.line,
                f"{name[:60]!r} is the lead, which is there by itself",
                "it is left out; what it is told here, nobody is",
                "warning",
            )
        elif same := workflow.known(name, found):
            first = found[same].member.line
            draft.say(
                member.line,
                f"the member {name!r} is there twice, first on line {first}",
                "give each a name of its own: `### codex as second-reviewer`",
            )
        else:
            found[name] = _Reader(draft, member, stages).read()
    return found


class _Reader:
    def __init__(self, draft: Draft, member: DraftMember, stages: tuple[str, ...]) -> None:
        self._draft = draft
        self._member = member
        self._name = member.card.name
        self._role = role_named(member.card.role)
        self._stages = stages

    def read(self) -> Told:
        card = self._member.card
        found: dict[tuple[Field, str], Any] = {}
        readers: Mapping[Field, Callable[[Labelled], Any]] = {
            "instructions": self._instructions,
            "form": self._form,
            "writes": self._writes,
            "outputs": self._outputs,
            "checks": self._checks,
            "model": self._model,
            "tools": self._tools,
            "after": self._after,
            "approved_by": self._approved_by,
        }
        for (field, stage), entry in self._member.labels.items():
            limit = self._limit(field, stage, entry)
            if limit is None:
                continue
            if not entry.values:
                self._say(
                    entry, f"{LABELS[field][0]!r} is empty", "give it a value, or remove the line", "warning"
                )
            elif card.function and field not in _OF_FUNCTIONS:
                remedy = f"`engine:{card.function}` {FUNCTIONS[card.function]}"
                self._say(entry, f"a function of the engine takes no {LABELS[field][0]!r}", remedy)
            elif field in readers:
                value = readers[field](entry)
                if value is not None:
                    found[field, limit] = value
        member = Member(self._name, card.role, card.agent, card.function, self._member.line)
        return Told(member, found, self._phases(), "\n".join(self._member.notes).strip())

    def _say(self, entry: Labelled, message: str, remedy: str, severity: str = "error") -> None:
        self._draft.say(entry.line, message, remedy, "warning" if severity == "warning" else "error")

    def _limit(self, field: Field, stage: str, entry: Labelled) -> str | None:
        """The stage as the workflow spells it; None: there is none such."""
        if not stage:
            return ""
        if found := workflow.known(stage, self._stages):
            return found
        near = nearest(stage, self._stages)
        hint = f"did you mean {near!r}?" if near else f"stages: {', '.join(self._stages) or 'none'}"
        self._say(entry, f"{LABELS[field][0]!r} is limited to {stage[:60]!r}, which is no stage", hint)
        return None

    def _phases(self) -> tuple[str, ...]:
        entry = self._member.labels.get(("phase", ""))
        found: dict[str, None] = {}
        for name in _words(entry) if entry else ():
            stage = workflow.known(name, self._stages)
            if stage:
                found[stage] = None
            elif entry and self._stages:
                near = nearest(name.upper() if name.islower() else name, self._stages)
                hint = f"did you mean {near!r}?" if near else f"stages: {', '.join(self._stages)}"
                self._say(
                    entry, f"{self._name!r} works in {name[:60]!r}, which is no stage of the workflow", hint
                )
        return tuple(found)

    def _instructions(self, entry: Labelled) -> str:
        return "\n".join(value.text for value in entry.values)

    def _form(self, entry: Labelled) -> TaskForm | None:
        word = self._single(entry)
        found = form_named(word)
        if word and found is None:
            near = nearest_form(word)
            hint = f"did you mean {near!r}?" if near else f"use one of: {', '.join(FORMS)}"
            self._say(entry, f"unknown form {word[:60]!r}", hint)
        return found

    def _writes(self, entry: Labelled) -> tuple[str, ...]:
        found = self._paths(entry)
        policy = self._role.policy
        writing = may_change(replace(policy, writes=("**",)), "any.file")
        forbidden = [path for path in found if not writing or not within(path, policy.writes)]
        if forbidden:
            self._say(
                entry,
                f"the role {self._role.name!r} may not change {forbidden[0][:60]!r}",
                "a preset gives a role no more than it has: choose another role, or write `nothing`",
            )
        return found

    def _outputs(self, entry: Labelled) -> tuple[str, ...]:
        return self._paths(entry)

    def _paths(self, entry: Labelled) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for value in entry.values:
            listed = values.paths(value)
            self._ignored(value, listed, "name only paths here")
            for path in listed.items:
                fault = "" if is_none(path) else fault_of(path)
                if fault:
                    self._draft.say(
                        value.line, f"{path[:80]!r} {fault}", "use a path below the repository's root"
                    )
                elif not is_none(path):
                    found[path] = None
        return tuple(found)

    def _checks(self, entry: Labelled) -> tuple[str, ...]:
        found: list[str] = []
        for value in entry.values:
            listed = values.commands(value)
            self._ignored(
                value, listed, "put the whole command in backticks, and other words on another line"
            )
            found += [command for command in listed.items if not is_none(command)]
        return tuple(dict.fromkeys(found))

    def _ignored(self, value: Value, listed: Listed, remedy: str) -> None:
        if listed.ignored:
            self._draft.say(
                value.line, f"only what stands in backticks is read: {value.text[:80]!r}", remedy, "warning"
            )

    def _model(self, entry: Labelled) -> str | None:
        word = self._single(entry)
        if word and not _MODEL.fullmatch(word):
            self._say(entry, f"{word[:60]!r} cannot be a model", "use its name, or small, medium or large")
            return None
        return word or None

    def _tools(self, entry: Labelled) -> tuple[Tool, ...]:
        """A preset takes tools away from a role, and gives none."""
        found: dict[Tool, None] = {}
        for word in _words(entry):
            tool = word.casefold()
            if tool not in TOOLS:
                near = nearest(tool, TOOLS)
                hint = f"did you mean {near!r}?" if near else f"known: {', '.join(TOOLS)}"
                self._say(entry, f"unknown tool {word[:60]!r}", hint)
            elif tool not in self._role.policy.tools:
                has = ", ".join(self._role.policy.tools)
                self._say(
                    entry,
                    f"the role {self._role.name!r} may not use {tool!r}",
                    f"a preset gives a role no more than it has: {has}",
                )
            else:
                found[tool] = None
        return tuple(found)

    def _after(self, entry: Labelled) -> tuple[str, ...]:
        text = " ".join(value.text for value in entry.values)
        return OTHERS if means_others(text.strip(" .")) else tuple(_words(entry))

    def _approved_by(self, entry: Labelled) -> bool | None:
        word = self._single(entry)
        if word and not means_user(word):
            self._say(entry, f"nobody is called {word[:60]!r} who could approve", "write `Approved by: you`")
            return None
        return True if word else None

    def _single(self, entry: Labelled) -> str:
        found = [word for value in entry.values for word in values.words(value) if not is_none(word)]
        if len(found) > 1:
            self._say(entry, f"one value is needed, not {len(found)}", "keep one of them")
        return found[0] if found else ""


def _words(entry: Labelled) -> Iterator[str]:
    for value in entry.values:
        for part in _COMMAS.split(value.text.replace("`", "")):
            word = " ".join(part.strip(" *.").split())
            if word and not is_none(word):
                yield word
