"""The examiner holds what an attempt says of its work against its contract, and against the repository.

It never fails. Where it cannot examine something, it objects if that could be refused; else it is unknown.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from teamlead.core.evidence.values import Evidence, EvidenceKind, Examined, Verdict, bounded, in_brief
from teamlead.core.forms import form_of
from teamlead.core.policy.scope import in_scope
from teamlead.core.reports import Feedback, Result
from teamlead.errors import MachineUnable
from teamlead.evidence.added_secrets import examine_secrets
from teamlead.evidence.change.asked import words
from teamlead.evidence.change.looks import changed_texts, looks_at_change
from teamlead.evidence.claimed_things import examine_names, examine_places, examine_runs
from teamlead.evidence.claims import Said, examine_branches, examine_claims
from teamlead.evidence.references import examine_references
from teamlead.evidence.shadowed_programs import examine_shadows
from teamlead.evidence.weakening.weakened_tests import weakened
from teamlead.forms.catalogue import REPORTS
from teamlead.forms.feedback import read_feedback
from teamlead.forms.plain_words import read_plain_words
from teamlead.forms.results.contract import Reading, blocking, is_result, read_result, read_value
from teamlead.ports.checking import Claim
from teamlead.system.disk import storing
from teamlead.system.git import Git

REPORT = "report.md"
Look = Callable[[], Iterable[Evidence]]
REPORTED = "its report keeps the contract"


class RepositoryExaminer:
    """Implements `ports.checking.Examiner`.

    `all_report`: every role owes a report, not only those with a form. None of the `secrets` may be in a
    change.
    """

    def __init__(
        self,
        git: Git,
        session: str,
        *,
        all_report: bool = False,
        secrets: Mapping[str, str] = {},
    ) -> None:
        self._git = git
        self._session = session
        self._all_report = all_report
        self._secrets = secrets

    async def examine(self, claim: Claim) -> Examined:
        return await asyncio.to_thread(self._examine, claim)

    def _examine(self, claim: Claim) -> Examined:
        claim = _with_left_report(claim)
        self._keep(claim)
        reading, feedback, problem = _read(claim)
        result = claim.result or (reading.result if reading else None)
        said = Said(claim.text, result, feedback)
        texts = changed_texts(self._git, claim) if claim.commit else list
        looks: list[tuple[EvidenceKind, Verdict, Look]] = [
            ("outputs", "objected", partial(self._outputs, claim)),
            ("report", "objected", partial(self._report, claim, reading)),
            ("references", "objected", partial(self._references, claim, result)),
            (
                "claims",
                "unknown",
                lambda: examine_claims(
                    said, claim.changes, claim.checks, partial(_may_be_unseen, self._git, claim), texts()
                ),
            ),
            ("claims", "unknown", partial(examine_branches, self._git, claim)),
            ("claims", "unknown", partial(examine_runs, claim, result)),
            ("references", "unknown", partial(examine_places, self._git, claim)),
        ]
        if claim.commit:
            base, commit = claim.base, claim.commit
            looks += [("change", "unknown", look) for look in looks_at_change(self._git, claim, texts)]
            looks.append(("claims", "unknown", lambda: examine_names(self._git, claim, result, texts())))
            tests = partial(
                weakened, self._git, base, commit, claim.changes, claim.checks, asked=words(claim.task)
            )
            looks.append(("tests", "objected", tests))
            shadows = partial(examine_shadows, self._git, base, commit, claim.changes, claim.checks)
            looks.append(("tests", "objected", shadows))
            looks.append(("secrets", "objected", partial(examine_secrets, self._git, claim, self._secrets)))
            looks.append(("change", "unknown", partial(_markers, self._git, claim)))
        found = [*problem, *(item for look in looks for item in _guarded(*look))]
        return Examined(result, feedback, tuple(map(bounded, found)))

    def _keep(self, claim: Claim) -> None:
        """Keeps the last words for people, and for the command that checks them again."""
        if claim.text:
            path = claim.folder / REPORT
            with storing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(claim.text, encoding="utf-8", errors="replace")

    def _outputs(self, claim: Claim) -> Iterator[Evidence]:
        wanted = claim.task.outputs
        if not wanted:
            return
        commit = claim.commit or claim.base
        paths = self._git.text("ls-tree", "-r", "-z", "--name-only", commit).split("\0")
        missing = [pattern for pattern in wanted if not any(in_scope(path, (pattern,)) for path in paths)]
        told = f"there is {', '.join(wanted)}"
        command = f"git ls-tree -r --name-only {commit}"
        if missing:
            found = f"nothing matches {', '.join(missing)}, which the task has to produce: make it"
            yield Evidence("outputs", "refused", told, found, command)
        else:
            yield Evidence("outputs", "proven", told, "all of it is there", command)

    def _report(self, claim: Claim, reading: Reading | None) -> Iterator[Evidence]:
        kept = _checked_again(claim) if claim.text else ""
        if reading is None:
            owed = self._all_report or form_of(claim.task) != "summary"
            found = "it has no report in the contract's form"
            remedy = f": end with one, with {', '.join(REPORTS['implementation'].sections)}"
            yield Evidence("report", "objected" if owed else "unknown", REPORTED, found + remedy * owed, kept)
            return
        problems = tuple(problem.show() for problem in blocking(reading))
        if problems:
            found = "the report breaks its contract: mend it, and hand it in again"
            yield Evidence("report", "objected", claim=REPORTED, found=found, command=kept, details=problems)
        else:
            yield Evidence("report", "proven", REPORTED, "the report keeps its contract", kept)
        if reading.flags or reading.set_aside:
            aside = (f"{rule} was set aside: {reason}" for rule, reason in reading.set_aside.items())
            details = (*reading.flags, *aside)
            yield Evidence(
                "report", "flagged", claim=REPORTED, found=in_brief(details), command=kept, details=details
            )

    def _references(self, claim: Claim, result: Result | None) -> Iterable[Evidence]:
        commit = claim.commit or claim.base
        which = f"--task {claim.task.id} --attempt {claim.attempt} --session {self._session}"
        return examine_references(
            claim.text,
            result,
            git=self._git,
            commit=commit,
            base=claim.base,
            copies=claim.copies,
            command=f"teamlead refs verify {which}",
        )


def _may_be_unseen(git: Git, claim: Claim, path: str) -> bool:
    """Whether it may have been changed and be in no commit: git ignores it, or earlier work is meant."""
    if not claim.commit:
        return True
    there = git.run("cat-file", "-e", f"{claim.commit}:{path}", ok=(0, 1, 128)).code == 0
    return not there and git.run("check-ignore", "-q", "--no-index", path, ok=(0, 1, 128)).code != 1


def _markers(git: Git, claim: Claim) -> Iterator[Evidence]:
    """Whether a change is finished."""
    between = (claim.base, claim.commit)
    told = git.run("diff", "--check", "--no-renames", *between, ok=(0, 2)).text
    left = [line for line in told.splitlines() if line.endswith("leftover conflict marker")]
    if left:
        command = f"git diff --check {' '.join(between)}"
        yield Evidence(
            "change",
            "flagged",
            claim="it is finished",
            found="conflict markers were left",
            command=command,
            details=tuple(left),
        )


def _checked_again(claim: Claim) -> str:
    role, form = claim.task.role, form_of(claim.task)
    return f"teamlead result check {claim.folder / REPORT} --role {role} --form {form}"


def _with_left_report(claim: Claim) -> Claim:
    """It was asked for a report, and may have left it as a file."""
    try:
        left = bool(claim.findings) and not is_result(claim.text) and is_result(claim.findings)
    except Exception:  # noqa: BLE001 - whatever a text does to its reader
        left = False
    return claim._replace(text=f"{claim.text}\n\n{claim.findings}") if left else claim


def _read(claim: Claim) -> tuple[Reading | None, Feedback | None, list[Evidence]]:
    """Reads the report that was handed in, or that the last words are."""
    text, role, form = claim.text, claim.task.role, form_of(claim.task)
    try:
        feedback = read_feedback(text)
        reading = (
            read_value(claim.result, role, form)
            if claim.result is not None
            else read_result(text, role, form)
            if is_result(text)
            else None
        )
        if feedback is None and reading is None and claim.task.needs_change and not claim.commit:
            feedback = read_plain_words(text)
    except Exception as error:  # noqa: BLE001 - whatever a text does to its reader
        return None, None, [_failed("report", "objected", error)]
    return reading, feedback, []


def _guarded(kind: EvidenceKind, verdict: Verdict, look: Look) -> list[Evidence]:
    try:
        return list(look())
    except MachineUnable:
        raise
    except Exception as error:  # noqa: BLE001 - what cannot be examined must not end the leader
        return [_failed(kind, verdict, error)]


def _failed(kind: EvidenceKind, verdict: Verdict, error: Exception) -> Evidence:
    found = f"it could not be examined: {type(error).__name__}: {error}"
    return Evidence(kind, verdict, "it can be examined", found)
