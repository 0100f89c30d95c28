"""What an attempt says, held against its contract and the repository."""

import asyncio
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teamlead.core.evidence.values import Evidence, Examined
from teamlead.core.model import Change, TaskSpec
from teamlead.core.reports import DifficultyFeedback, Result
from teamlead.errors import DiskUnusable
from teamlead.evidence import examiner as module
from teamlead.evidence.examiner import REPORT, RepositoryExaminer
from teamlead.ports.checking import Claim
from teamlead.system.git import Git

ABSENT, FILE, SCRIPT = "000000", "100644", "100755"
GOOD = """\
### Status: SUCCESS

### Summary
The rate is read from one place.

### Findings
The rate stands in src/rate.py:1.

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
| rate | `src/rate.py:1` | the value |

### Confidence: 70
It was read.

### Verification
- [x] References are valid
- [x] Snippets match the files
- [x] No invented paths
- [x] Evidence is documented
"""


class Place:
    """A repository with a base and the work on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        self.base = self.commit({"src/rate.py": "RATE = 5\n", "run.sh": "echo\n"})

    def git(self, *arguments: str) -> str:
        who = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def commit(self, files: Mapping[str, str | bytes]) -> str:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def claim(self, text: str, commit: str = "", *changes: Change, **fields: Any) -> Claim:
        spec = TaskSpec("task-1", "Title", **fields.pop("spec", {}))
        given = {"checks": (), "result": None, **fields}
        return Claim(
            task=spec,
            attempt=2,
            text=text,
            base=self.base,
            commit=commit,
            changes=changes,
            copies=(self.root,),
            folder=self.root.parent / "attempt",
            **given,
        )

    def examine(self, claim: Claim, *, all_report: bool = False) -> Examined:
        git = Git(self.root / ".git", self.root)
        return asyncio.run(RepositoryExaminer(git, "s-1", all_report=all_report).examine(claim))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "repository"
    root.mkdir()
    return Place(root)


def of(kind: str, examined: Examined) -> list[Evidence]:
    return [item for item in examined.evidence if item.kind == kind]


def test_a_plain_summary_of_a_role_that_owes_no_report_is_in_nobodys_way(place: Place) -> None:
    examined = place.examine(place.claim("Made it faster."))
    assert {item.verdict for item in examined.evidence} <= {"proven", "unknown"}
    assert examined.result is None


def test_a_report_in_the_last_words_is_read_kept_and_its_references_are_looked_up(place: Place) -> None:
    examined = place.examine(place.claim(GOOD))
    assert examined.result is not None
    assert examined.result.summary == "The rate is read from one place."
    assert [item.verdict for item in of("report", examined)][:1] == ["proven"]
    assert of("references", examined)[0].command == (
        "teamlead refs verify --task task-1 --attempt 2 --session s-1"
    )
    assert (place.root.parent / "attempt" / REPORT).read_text() == GOOD


def test_a_report_that_breaks_its_contract_is_objected_to_with_every_reason(place: Place) -> None:
    item, *_ = of("report", place.examine(place.claim(GOOD.replace("- [x] References", "- [ ] References"))))
    assert item.verdict == "objected"
    assert any("checklist-complete" in detail for detail in item.details)


@pytest.mark.parametrize(
    ("role", "all_report", "verdict"),
    [("worker", False, "unknown"), ("worker", True, "objected"), ("code-explorer", False, "objected")],
)
def test_a_report_that_is_owed_and_missing_is_objected_to(
    place: Place, role: str, all_report: bool, verdict: str
) -> None:
    examined = place.examine(place.claim("Done.", spec={"role": role}), all_report=all_report)
    assert [item.verdict for item in of("report", examined)] == [verdict]


def test_a_result_that_was_handed_in_is_held_to_the_contract_instead_of_the_last_words(place: Place) -> None:
    handed_in = Result(
        "SUCCESS", summary="s", findings="f", references=(), confidence=95, confidence_reason="sure"
    )
    examined = place.examine(place.claim(GOOD, result=handed_in))
    assert examined.result == handed_in
    assert of("report", examined)[0].verdict == "objected"


def test_feedback_in_the_last_words_is_read(place: Place) -> None:
    text = '## Feedback\n```json\n{"type": "difficulty", "issue": "which schema?", "attempts": [],'
    text += ' "impediment": {"category": "ambiguity", "requestedAction": "clarification"}}\n```\n'
    feedback = place.examine(place.claim(text)).feedback
    assert isinstance(feedback, DifficultyFeedback)
    assert (feedback.issue, feedback.requested_action) == ("which schema?", "clarification")


def test_invented_references_are_objected_to(place: Place) -> None:
    examined = place.examine(place.claim("See src/none.py:3 and src/other.py:9."))
    assert [item.verdict for item in of("references", examined)] == ["objected"]


@pytest.mark.parametrize(
    ("outputs", "verdict"), [(("src/*.py",), "proven"), (("src/", "dist/"), "refused"), ((), None)]
)
def test_declared_outputs_have_to_be_in_the_work(
    place: Place, outputs: tuple[str, ...], verdict: str | None
) -> None:
    examined = place.examine(place.claim("Done.", spec={"outputs": outputs}))
    assert [item.verdict for item in of("outputs", examined)] == ([verdict] if verdict else [])


def test_a_weakened_test_is_objected_to(place: Place) -> None:
    place.base = place.commit({"tests/test_a.py": "def test_a():\n    assert rate() == 5\n"})
    commit = place.commit({"tests/test_a.py": "def test_a():\n    pass\n"})
    change = Change("tests/test_a.py", FILE, FILE, 1, 1)
    examined = place.examine(place.claim("Done.", commit, change))
    assert "objected" in [item.verdict for item in of("tests", examined)]


@pytest.mark.parametrize(
    ("text", "flagged"),
    [("RATE  =  5\n\n", True), ("RATE = 6\n", False)],
)
def test_a_change_of_nothing_but_white_space_is_flagged(place: Place, text: str, flagged: bool) -> None:
    commit = place.commit({"src/rate.py": text})
    examined = place.examine(place.claim("Done.", commit, Change("src/rate.py", FILE, FILE, 1, 1)))
    assert [item.verdict for item in of("change", examined)] == ["flagged"] * flagged


def test_conflict_markers_that_were_left_are_flagged(place: Place) -> None:
    commit = place.commit({"src/rate.py": "<<<<<<< ours\nRATE = 6\n=======\nRATE = 7\n>>>>>>> theirs\n"})
    examined = place.examine(place.claim("Done.", commit, Change("src/rate.py", FILE, FILE, 5, 1)))
    assert [item.found for item in of("change", examined)] == ["conflict markers were left"]


def test_a_change_of_nothing_but_modes_is_flagged(place: Place) -> None:
    examined = place.examine(place.claim("Done.", "HEAD", Change("run.sh", FILE, SCRIPT)))
    assert [item.found for item in of("change", examined)] == ["it changes nothing but the modes of files"]


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("I committed the work to the branch feature/rate.", True),
        ("All changes are on branch main.", False),
        ("I committed as 1234567890abcdef.", True),
        ("It builds on branch prediction.", False),
    ],
)
def test_a_place_that_does_not_hold_the_work_is_flagged(place: Place, text: str, flagged: bool) -> None:
    commit = place.commit({"src/rate.py": "RATE = 6\n"})
    examined = place.examine(place.claim(text, commit, Change("src/rate.py", FILE, FILE, 1, 1)))
    assert [item.verdict for item in of("claims", examined)] == ["flagged"] * flagged


@pytest.mark.parametrize(
    ("name", "kind", "verdict"),
    [
        ("is_result", "report", "objected"),
        ("read_feedback", "report", "objected"),
        ("examine_references", "references", "objected"),
        ("weakened", "tests", "objected"),
        ("examine_claims", "claims", "unknown"),
    ],
)
def test_what_cannot_be_examined_is_never_taken_for_good(
    place: Place, name: str, kind: str, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(module, name, fault)
    commit = place.commit({"src/rate.py": "RATE = 6\n"})
    examined = place.examine(place.claim("Done.", commit, Change("src/rate.py", FILE, FILE, 1, 1)))
    found = [item for item in of(kind, examined) if "RecursionError: too deep" in item.found]
    assert [item.verdict for item in found] == [verdict]


def test_a_full_disk_is_nobodys_fault(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise DiskUnusable("full")

    monkeypatch.setattr(module, "examine_references", full)
    with pytest.raises(DiskUnusable):
        place.examine(place.claim("Done."))


def test_what_goes_into_the_journal_is_bounded(place: Place) -> None:
    words = " ".join(f"src/{number}.py:7" for number in range(400))
    examined = place.examine(place.claim(words + "x" * 100_000))
    assert sum(len(repr(item)) for item in examined.evidence) < 100_000
