"""Values that new lines of documentation show behind a call are tried on the work: `add(1, 2) // => 3`."""

import re
from collections.abc import Iterator

from teamlead.core.evidence.values import CheckResult, Evidence, Proofs
from teamlead.core.work.acceptance import listed
from teamlead.core.work.checking import look_again
from teamlead.evidence.added_secrets import added_lines
from teamlead.evidence.change.documented_names import PAGES
from teamlead.evidence.proofs.bench import Bench, Ran
from teamlead.evidence.proofs.documented_examples import AS_DOCUMENTED
from teamlead.evidence.proofs.planned_examples import Example, Known, Outcome, outcomes_of
from teamlead.evidence.proofs.stated_values import Stated
from teamlead.system.git import Git

MOST = 40
_LITERAL = (
    r"""[-+]?\d[\d_.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[.*\]|\{.*\}"""
    r"|true|false|null|undefined|NaN|None|True|False"
)
_SHOWN = re.compile(
    r"^\s*(?P<expression>[\w$.]+\(.*\)[^\s#/;]*)\s*;?\s*(?://|#)\s*"
    rf"(?:=+>|->|→|⇒|⟹|returns?:?|gives:?|is)\s*(?P<value>{_LITERAL})\s*;?\s*$"
)
"""A call on one line, and a plain value behind it."""


async def documented_values(bench: Bench) -> Proofs:
    check = next((check for check in bench.case.checks if check.passed), None)
    examples = await bench.look(_examples, bench) if check else []
    found = list[Evidence]()
    for spoken in ("python", "javascript"):
        own = [each for each in examples if each.spoken == spoken]
        came = await outcomes_of(bench, bench.work, check, own) if check and own else None
        if check and came:
            found += _item(check, came[0], list(zip(own, came[1], strict=True)))
    return Proofs(tuple(found))


def _examples(git: Git, bench: Bench) -> list[Example]:
    shown = list(_shown(git, bench))[:MOST]
    known = Known(git, bench) if shown else None
    return [example for each in shown if known and (example := known.resolved(each))]


def _shown(git: Git, bench: Bench) -> Iterator[Stated]:
    if not any(path.endswith(PAGES) for path in bench.is_there()):
        return
    for line in added_lines(git, bench.base, bench.work):
        text = line.text.decode("utf-8", "replace")
        if line.path.endswith(PAGES) and (found := _SHOWN.match(text)):
            place = f"{line.path}:{line.number}"
            yield Stated(found["expression"], found["value"], place, must=True)


def _item(check: CheckResult, ran: Ran, came: list[tuple[Example, Outcome]]) -> Iterator[Evidence]:
    wrong = [
        f"{each.stated.sentence}: `{each.stated.expression}` {end.got}, and not `{each.stated.value}`"
        for each, end in came
        if end.agrees is False
    ]
    right = sum(end.agrees is True for _, end in came)
    if wrong or right:
        yield Evidence(
            kind="proof",
            verdict="flagged" if wrong else "proven",
            claim=AS_DOCUMENTED,
            found=listed(wrong) if wrong else f"{right} values of pages come out",
            command=look_again(check.command, ran.commit, ran.end.room),
            log=ran.end.log,
            question=f"Is what the page shows right, or the work? {listed(wrong)}" if wrong else "",
        )
