"""One task of a draft → its TaskSpec, with everything that is wrong with it alone.

A value that cannot be used is a problem and the default takes its place, so that the rest is still checked.
"""

import re
import shlex
import textwrap
from collections.abc import Sequence
from typing import Literal

from teamlead.core.budget_text import BadAmount, parse_budget
from teamlead.core.model import EFFORTS, Budget, TaskForm, TaskSpec, TaskType
from teamlead.core.policy.paths import fault_of
from teamlead.core.policy.scope import within
from teamlead.core.work.graph import TASK_ID
from teamlead.markup import values
from teamlead.markup.problems import Problem, Severity
from teamlead.markup.values import Value
from teamlead.markup.words import FORMS, form_named, is_none, means_user, nearest_form, yes_or_no
from teamlead.plans.draft import DraftTask
from teamlead.plans.labels import (
    LABELS,
    TYPES,
    Field,
    type_of,
)
from teamlead.plans.values import hours, references

_NAME = re.compile(r"[^\W_]\S{0,99}")
_AGENT = re.compile(r"[^\W_]\S{0,99}|(?:acp|command|scripted):.{1,1000}")
_STAGE = re.compile(r"[^\W_][^\x00-\x1f]{0,59}")
_WRAPPED = re.compile(r"\A`([^`]*)`\Z")
_PROSE = re.compile(r"^[^\x00-\x7f]|[^\x00-\x7f]$|\w\.$")


def read_task(task: DraftTask, problems: list[Problem]) -> TaskSpec:
    """Dependencies come as written; whether they exist is a question to the whole plan."""
    return _TaskReader(task, problems).read()


class _TaskReader:
    def __init__(self, task: DraftTask, problems: list[Problem]) -> None:
        self._task = task
        self._problems = problems

    def read(self) -> TaskSpec:
        self._check_identity()
        kind = self._type()
        checks = tuple(self._commands("checks"))
        hidden = tuple(self._hidden(checks))
        acceptance = tuple(self._texts("acceptance"))
        if not acceptance and not checks and not hidden:
            self._problem(
                self._task.line,
                "warning",
                f"{self._task.id} has no acceptance and no checks",
                "say how one can tell that it is done: `- Checks: make test`",
            )
        scope = self._scope(kind)
        return TaskSpec(
            id=self._task.id,
            title=self._task.title,
            description=self._description(),
            scope=scope,
            acceptance=acceptance or checks,
            checks=checks,
            depends_on=tuple(
                dict.fromkeys(r for value in self._values("depends_on") for r in references(value))
            ),
            type=kind,
            role=self._name("role") or "worker",
            form=self._form(),
            agent=self._name("agent", _AGENT),
            model=self._name("model"),
            effort=self._effort(),
            arguments=tuple(self._arguments()),
            budget=self._budget(),
            branch=self._one("branch"),
            context="\n\n".join(value.text.strip() for value in self._values("context")),
            hours=self._hours(),
            outputs=tuple(dict.fromkeys(path for path in self._paths("outputs") if not is_none(path))),
            critical=self._critical(),
            stage=self._stage(),
            protects=self._protects(scope),
            removes_tests=tuple(dict.fromkeys(self._tests())),
            hidden_checks=hidden,
            approved_by_user=self._approved_by(),
        )

    def _problem(self, line: int, severity: Severity, message: str, remedy: str) -> None:
        self._problems.append(Problem(line, severity, message, remedy))

    def _values(self, field: Field) -> list[Value]:
        entry = self._task.labels.get(field)
        if entry is None:
            return []
        if not entry.values:
            self._problem(
                entry.line, "warning", f"{LABELS[field][0]!r} is empty", "give it a value or remove the line"
            )
        return entry.values

    def _check_identity(self) -> None:
        task = self._task
        if not TASK_ID.fullmatch(task.id):
            self._problem(
                task.line, "error", f"{task.id!r} is not a task id", "number tasks from 1: `### 1. Title`"
            )
        if not task.title:
            self._problem(
                task.line,
                "error",
                f"{task.id} has no title",
                f"write one: `### {task.id}: What is to be done`",
            )
        elif len(task.title) > 200:
            self._problem(
                task.line,
                "warning",
                f"the title of {task.id} has {len(task.title)} characters",
                "shorten it, and put the rest below it as text",
            )

    def _one(self, field: Field) -> str:
        found = [word for value in self._values(field) for word in values.words(value) if not is_none(word)]
        if len(found) > 1:
            line = self._task.labels[field].line
            self._problem(
                line, "error", f"{LABELS[field][0]!r} takes one value, not {len(found)}", "keep one of them"
            )
        return found[0] if found else ""

    def _name(self, field: Field, pattern: re.Pattern[str] = _NAME) -> str:
        """Names reach other programs as arguments, so they must not look like options."""
        name = self._one(field)
        if name and not pattern.fullmatch(name):
            line = self._task.labels[field].line
            self._problem(
                line,
                "error",
                f"{name[:60]!r} cannot be the {field}",
                "use one word that begins with a letter or a digit",
            )
            return ""
        return name

    def _stage(self) -> str:
        name = " ".join(self._one("stage").split())
        if name and not _STAGE.fullmatch(name):
            remedy = "begin with a letter or a digit, and use at most 60 characters"
            line = self._task.labels["stage"].line
            self._problem(line, "error", f"{name[:60]!r} cannot be the name of a stage", remedy)
            return ""
        return name

    def _type(self) -> TaskType:
        word = self._one("type")
        found = type_of(word) if word else "implementation"
        if found is None:
            line = self._task.labels["type"].line
            self._problem(line, "error", f"unknown type {word[:60]!r}", f"use one of: {', '.join(TYPES)}")
        return found or "implementation"

    def _form(self) -> TaskForm | Literal[""]:
        word = self._one("form")
        found = form_named(word) if word else ""
        if found is None:
            near = nearest_form(word)
            remedy = f"did you mean {near!r}?" if near else f"use one of: {', '.join(FORMS)}"
            self._problem(self._task.labels["form"].line, "error", f"unknown form {word[:60]!r}", remedy)
        return found or ""

    def _effort(self) -> str:
        word = self._one("effort").casefold()
        if word and word not in EFFORTS:
            line = self._task.labels["effort"].line
            self._problem(
                line,
                "error",
                f"unknown effort {word[:60]!r}",
                f"use {', '.join(EFFORTS)}; hours belong under Estimate",
            )
            return ""
        return word

    def _arguments(self) -> list[str]:
        found: list[str] = []
        for value in self._values("arguments"):
            for written in values.commands(value).items:
                try:
                    found += shlex.split(written) if not is_none(written) else ()
                except ValueError as error:
                    reason = str(error).lower()
                    self._problem(
                        value.line,
                        "error",
                        f"cannot read the arguments {written[:60]!r}: {reason}",
                        "quote them as for a shell",
                    )
        return found

    def _budget(self) -> Budget:
        given = [value for value in self._values("budget") if not is_none(value.text)]
        try:
            return (
                parse_budget(", ".join(" ".join(value.text.split()) for value in given))
                if given
                else Budget()
            )
        except BadAmount as problem:
            self._problem(given[0].line, "error", str(problem), "as in `- Budget: 5 usd, 200k tokens, 2h`")
            return Budget()

    def _hours(self) -> float:
        text = self._one("hours")
        if not text:
            return 1.0
        line = self._task.labels["hours"].line
        found = hours(text)
        if found is None:
            self._problem(
                line, "error", f"cannot read the estimate {text[:60]!r}", "write hours, as in `2` or `1.5 h`"
            )
        elif not 0.5 <= found <= 8:
            self._problem(
                line,
                "error",
                f"an estimate of {found:g} h is out of range",
                "use 0.5 to 8 hours, or split the task",
            )
        else:
            if found > 4:
                self._problem(
                    line,
                    "warning",
                    f"{self._task.id} takes {found:g} h, more than 4",
                    "consider splitting it",
                )
            return found
        return 1.0

    def _texts(self, field: Field) -> list[str]:
        texts = (v.text.strip() if v.code else " ".join(v.text.split("\n")) for v in self._values(field))
        return [_WRAPPED.sub(r"\1", text) for text in texts if text and not is_none(text)]

    def _commands(self, field: Field) -> list[str]:
        found = []
        for value in self._values(field):
            listed = values.commands(value)
            self._ignored(
                value, listed, "put the whole command in backticks, and other words on another line"
            )
            found += [command for command in listed.items if not is_none(command)]
            if _reads_as_prose(value):
                self._problem(
                    value.line,
                    "warning",
                    f"this check does not look like a command: {value.text[:80]!r}",
                    "put commands in backticks, and say in words under `Acceptance` what must hold",
                )
        return found

    def _hidden(self, checks: Sequence[str]) -> list[str]:
        found = self._commands("hidden_checks")
        if told := [command for command in found if command in checks]:
            self._problem(
                self._task.labels["hidden_checks"].line,
                "error",
                f"the hidden check {told[0][:80]!r} stands under `Checks`, too, where agents see it",
                "keep it in one place",
            )
        return found

    def _tests(self) -> list[str]:
        """Separated like paths: their names, patterns of them, or their files."""
        return [
            name
            for value in self._values("removes_tests")
            for name in values.paths(value).items
            if not is_none(name)
        ]

    def _protects(self, scope: Sequence[str]) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(path for path in self._paths("protects") if not is_none(path)))
        if found and scope and all(within(path, found) and not _names_one(path) for path in scope):
            self._problem(
                self._task.labels["protects"].line,
                "error",
                f"{self._task.id} may change nothing: all of its scope is protected",
                "protect less, or name the very files that it may change in its scope",
            )
        return found

    def _scope(self, kind: TaskType) -> tuple[str, ...]:
        found = self._paths("scope")
        nothing = bool(found) and all(map(is_none, found))
        if nothing and kind == "investigation":
            return ()
        if nothing:
            line = self._task.labels["scope"].line
            self._problem(
                line,
                "error",
                f"{self._task.id} may change nothing",
                "name paths, or make its type investigation",
            )
        elif not found and kind != "investigation" and "scope" not in self._task.labels:
            self._problem(
                self._task.line,
                "warning",
                f"{self._task.id} has no scope and may change every file",
                "name the paths it may change: `- Scope: src/auth/`",
            )
        return tuple(dict.fromkeys(path for path in found if not is_none(path))) or ("**",)

    def _paths(self, field: Field) -> list[str]:
        found: list[str] = []
        for value in self._values(field):
            listed = values.paths(value)
            self._ignored(value, listed, "name only paths here")
            found += [path for path in listed.items if self._usable(path, field, value.line)]
        return found

    def _usable(self, path: str, field: Field, line: int) -> bool:
        reason = "" if is_none(path) else fault_of(path)
        if reason:
            self._problem(
                line, "error", f"{field} {path[:80]!r} {reason}", "use a path below the repository's root"
            )
        return not reason

    def _critical(self) -> bool:
        # Not `_one`: "no" is an answer here.
        given = [value for value in self._values("critical") if value.text.strip()]
        found = [yes_or_no(value.text) for value in given]
        if len(given) > 1 or None in found:
            self._problem(given[0].line, "error", "'Critical' takes yes or no", "write `- Critical: no`")
        return found != [False]

    def _approved_by(self) -> bool:
        word = self._one("approved_by")
        if word and not means_user(word):
            line = self._task.labels["approved_by"].line
            remedy = "write `- Approved by: you`"
            self._problem(line, "error", f"nobody is called {word[:60]!r} who could approve", remedy)
        return bool(word)

    def _ignored(self, value: Value, listed: values.Listed, remedy: str) -> None:
        if listed.ignored:
            self._problem(
                value.line, "warning", f"only what stands in backticks is read: {value.text[:80]!r}", remedy
            )

    def _description(self) -> str:
        given = [value.text.strip() for value in self._values("description")]
        notes = [textwrap.dedent(note).strip() for note in self._task.notes]
        return "\n\n".join([*given, *notes]) or self._task.title


def _names_one(path: str) -> bool:
    """As far as its text tells: a file, and not a folder or a pattern."""
    return not path.endswith("/") and "*" not in path and "." in path.rpartition("/")[2]


def _reads_as_prose(value: Value) -> bool:
    bare = not value.code and "`" not in value.text and not is_none(value.text)
    return bare and _PROSE.search(value.text) is not None
