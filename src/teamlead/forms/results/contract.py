"""The contract that reports are held to.

    text ─markdown or JSON─► Document ─conversion─► Result ─rules─► problems and flags

Hard rules (L1) hold for everyone who hands a report in. Soft ones (L2) hold where a report is asked for, or
nobody knows what is; where a summary would do, a breach of one is a flag.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from teamlead.core.reports import Override, Result
from teamlead.core.roles import role_named
from teamlead.core.rules import RULES as TABLE
from teamlead.core.rules import Level
from teamlead.forms.results import part_rules, proof_rules
from teamlead.forms.results.breaches import Asked, Breach, Check
from teamlead.forms.results.conversion import REQUIRED, converted, part_of
from teamlead.forms.results.document import Document, Values, broken_json, json_objects, key_lines, named
from teamlead.forms.results.markdown import document_of
from teamlead.forms.results.sections import outline

MOST_CHARACTERS: Final = 256 * 1024

RULES: Final[dict[str, Check]] = {
    "required-sections": part_rules.sections,
    "summary-length": part_rules.length,
    "blockers-reported": part_rules.blockers,
    "checklist-complete": part_rules.checklist,
    "references-exist": proof_rules.existing,
    "confidence-breakdown": proof_rules.breakdown,
    "confidence-formula": proof_rules.formula,
    "finding-place": proof_rules.cited,
    "confidence-justification": proof_rules.justification,
    "summary-not-raw": part_rules.not_raw,
    "uncertainty-section": proof_rules.uncertainty,
    "security-evidence": proof_rules.secure,
    "contradiction": proof_rules.consistent,
    "next-steps": part_rules.next_steps,
    "recovery-options": part_rules.recovery_options,
    "trade-offs": part_rules.trade_offs,
    "patterns-found": part_rules.patterns_found,
}
"""Of a result. Whether there is one at all, `conversion` tells: missing parts, known-status,
confidence-range, issue-severity."""

FLAGS: Final[dict[str, Check]] = {
    "single-source": proof_rules.corroborated,
    "contradiction": proof_rules.commands_failed,
    "confidence-justification": proof_rules.should_ask,
    "blockers-reported": part_rules.resolutions,
}
"""What somebody should look at, and nobody is refused for."""

LEVELS: Final = {rule.id: rule.level for rule in TABLE if rule.holds == "report"}
SOFT: Final = tuple(rule for rule, level in LEVELS.items() if level == "L2")
"""Rules that a recorded reason sets aside."""


class Problem(NamedTuple):
    rule: str
    level: Level
    message: str
    """What is wrong, and what to do about it."""
    line: int = 0

    def show(self, source: str = "") -> str:
        """As one line. Without a source it is for whoever wrote the report."""
        if source:
            place = f"{source}:{self.line}: " if self.line else f"{source}: "
        else:
            place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.level} {self.rule}: {self.message}"


class Reading(NamedTuple):
    result: Result | None
    """None where a part is missing or cannot be read."""
    problems: tuple[Problem, ...]
    flags: tuple[str, ...]
    """What somebody should look at, a sentence each."""
    overrides: tuple[Override, ...] = ()

    @property
    def set_aside(self) -> dict[str, str]:
        """The reason by the soft rule."""
        return {o.rule: o.reason for o in self.overrides if o.rule in SOFT and o.reason.strip()}


def read_result(text: str, role: str = "", form: str = "") -> Reading:
    """A report in Markdown or JSON. It never fails: what is wrong with it is in the problems.

    `role`: who hands it in; else its heading tells. `form`: in which one; else the role's.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"the report has {len(text)} characters (sum up; {MOST_CHARACTERS} are read)"
        return Reading(None, (Problem("summary-length", "L1", message),), ())
    whole = text.encode(errors="replace").decode()
    found = outline(whole)
    if _like_one(found.sections) or (given := _from_json(whole)) is None:
        if not found.sections and (fault := broken_json(whole)):
            return Reading(None, (Problem("required-sections", "L1", f"{fault} (mend it)", 1),), ())
        return _read(document_of(found), role, form)
    return _read(Document(named(given), key_lines(whole, given)), role, form)


def read_document(values: Values, role: str = "", form: str = "") -> Reading:
    """A report in the shape of its JSON."""
    return _read(Document(named(values)), role, form)


def read_value(result: Result, role: str = "", form: str = "") -> Reading:
    """A report that is a value already."""
    asked = _asked(role, form)
    return _judged(result, list(_breaches(RULES, result, asked)), asked, Document({}))


def blocking(reading: Reading) -> tuple[Problem, ...]:
    """What keeps it from being accepted: hard rules, and soft ones without a recorded reason."""
    open_rules = set(SOFT) - reading.set_aside.keys()
    return tuple(p for p in reading.problems if p.level == "L1" or p.rule in open_rules)


def is_result(text: str) -> bool:
    """Whether this tries to be a report, well or badly: not every text with a summary does."""
    return _like_one(outline(text).sections) or _from_json(text) is not None


def _from_json(text: str) -> Values | None:
    """The first object that is like a report; a text that is nothing but an object is one anyway."""
    objects = list(json_objects(text))
    if text.lstrip().startswith("{"):
        return next(iter(objects), None)
    return next((values for values in objects if _like_one(named(values))), None)


def _like_one(parts: Collection[str]) -> bool:
    found = REQUIRED.keys() & set(parts)
    return ("status" in found and len(found) > 1) or len(found) > 2


def _read(document: Document, role: str, form: str) -> Reading:
    agent = document.values.get("agent")
    asked = _asked(role or (agent if isinstance(agent, str) and role_named(agent).reports else ""), form)
    found = converted(document, asked.form)
    told = {(breach.rule, breach.at) for breach in found.breaches}
    further = (b for b in _breaches(RULES, found.result, asked) if part_of(b.at) not in found.left_out)
    breaches = [*found.breaches, *(b for b in further if (b.rule, b.at) not in told)]
    reading = _judged(found.result, breaches, asked, document)
    readable = all(LEVELS[breach.rule] != "L1" for breach in found.breaches)
    return reading if readable else reading._replace(result=None)


def _asked(role: str, form: str) -> Asked:
    return Asked(role, form or (role_named(role).form if role else ""))


def _judged(result: Result, breaches: Sequence[Breach], asked: Asked, document: Document) -> Reading:
    problems = [
        Problem(b.rule, LEVELS[b.rule], b.message, document.line(b.at))
        for b in breaches
        if not _softened(b, asked)
    ]
    flags = [*(b for b in breaches if _softened(b, asked)), *_breaches(FLAGS, result, asked)]
    return Reading(
        result,
        tuple(sorted(problems, key=lambda problem: (problem.line, problem.level))),
        tuple(dict.fromkeys([*(flag.message for flag in flags), *_idle_overrides(result)])),
        result.overrides,
    )


def _breaches(rules: dict[str, Check], result: Result, asked: Asked) -> Iterator[Breach]:
    for rule, check in rules.items():
        for fault in check(result, asked):
            yield Breach(rule, fault.message, fault.at)


def _softened(breach: Breach, asked: Asked) -> bool:
    return LEVELS[breach.rule] == "L2" and asked.form == "summary"


def _idle_overrides(result: Result) -> Iterator[str]:
    for override in result.overrides:
        level = LEVELS.get(override.rule)
        if level != "L2":
            why = "nothing overrides a hard rule" if level == "L1" else "there is no such soft rule"
            yield f"the override of {override.rule[:60]!r} has no effect: {why}"
        elif not override.reason.strip():
            yield f"the override of {override.rule!r} has no effect: it gives no reason"
