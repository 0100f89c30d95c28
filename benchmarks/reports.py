"""What it costs to hold reports to their contract, look up what they cite, and sum them up.

`python -m benchmarks.reports [--reports N] [--rounds N]`
"""

import argparse
import subprocess
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from benchmarks.support import Goal, in_turns, ratio, scratch, told

from teamlead.evidence.references import examine_references
from teamlead.forms.aggregation import Report, aggregate
from teamlead.forms.results.contract import blocking, read_result
from teamlead.system.git import Git

FILES = 200
LINES = 300
REFERENCES = 20
ROLES = ("security-auditor", "qa-engineer")
HEAD = """\
## {role} Result

### Status
SUCCESS

### Summary
Read what was changed. What is wrong with it is below.

### Findings
| Finding | Category | Severity | Location | Evidence | Suggestion | Confidence |
| --- | --- | --- | --- | --- | --- | --- |
{findings}

### Key References
| Item | Location | Relevance |
| --- | --- | --- |
{references}

### Confidence
80 - read, not run
- verified_confidence: 90
- inferred_confidence: 70
- combined_confidence: 80

### Verification
- [x] File references valid
- [x] Code snippets accurate
- [x] No invented paths
- [x] Evidence documented
"""


def line_of(file: int, line: int) -> str:
    return f"value_{file}_{line} = compute({line}, name={file})"


def repository_in(folder: Path) -> Git:
    for file in range(FILES):
        path = folder / path_of(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line_of(file, line)}\n" for line in range(1, LINES + 1)))
    commit = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Files"]
    for arguments in (["init", "-q"], ["add", "-A"], commit):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True)
    return Git(folder / ".git", folder)


def processor_time() -> float:
    """Of this process and of git: other work on the machine changes it little."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cited_by(number: int) -> list[tuple[int, int]]:
    dice = Random(number)
    return [(dice.randrange(FILES), dice.randint(1, LINES)) for _ in range(REFERENCES)]


def path_of(file: int) -> str:
    return f"src/part_{file % 10}/module_{file}.py"


def report(number: int) -> str:
    """Half of its references are findings with the code they speak of."""
    cited = cited_by(number)
    half = REFERENCES // 2
    findings = [
        f"| Wrong | logic | important | `{path_of(file)}:{line}` | `{line_of(file, line)}` | mend it | 80 |"
        for file, line in cited[:half]
    ]
    references = [f"| part {file} | `{path_of(file)}:{line}` | read |" for file, line in cited[half:]]
    role = ROLES[number % len(ROLES)]
    return HEAD.format(role=role, findings="\n".join(findings), references="\n".join(references))


def whole_way(git: Git, commit: str, texts: list[str], spent: dict[str, float]) -> float:
    """As the lead goes it: each report by itself when it comes, then all of them as one."""
    began = processor_time()
    reports = []
    for number, text in enumerate(texts):
        at = processor_time()
        reading = read_result(text)
        spent["contract"] += processor_time() - at
        assert reading.result is not None, reading.problems
        assert not blocking(reading), reading.problems
        at = processor_time()
        (found,) = examine_references(
            text, reading.result, git=git, commit=commit, base=commit, copies=(git.work_tree,), command=""
        )
        spent["references"] += processor_time() - at
        assert found.verdict == "proven", found
        reports.append(Report(f"{number}.md", reading.result))
    at = processor_time()
    assert aggregate(reports).entries
    spent["aggregation"] += processor_time() - at
    return processor_time() - began


def reading_once(git: Git, number: int) -> float:
    """The files that each report cites, read from git and cut into lines, and nothing else."""
    began = processor_time()
    for report_number in range(number):
        names = {f"HEAD:{path_of(file)}\n" for file, _ in cited_by(report_number)}
        output = subprocess.run(
            ["git", "-C", str(git.work_tree), "cat-file", "--batch"],
            input="".join(sorted(names)).encode(),
            capture_output=True,
            check=True,
        ).stdout
        assert len(output.splitlines()) > LINES * len(names)
    return processor_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    whole = options.reports
    sizes = [whole // 4, whole // 2, whole]
    texts = [report(number) for number in range(whole)]
    spent = dict.fromkeys(("contract", "references", "aggregation"), 0.0)
    with scratch() as folder:
        git = repository_in(folder)
        commit = git.commit("HEAD")

        def ours(size: int) -> float:
            return whole_way(git, commit, texts[:size], spent) / size

        quarter, half, all_of_them, plain = in_turns(
            options.rounds,
            *(lambda _, size=size: ours(size) for size in sizes),
            lambda _: reading_once(git, whole) / whole,
        )
    count = sum(sizes) * options.rounds
    parts = ", ".join(f"{name} {value / count * 1e3:.1f} ms" for name, value in spent.items())
    told(f"a report of {whole} against one of {sizes[0]}", ratio(all_of_them, quarter), Goal(1.3))
    told(f"a report of {sizes[1]} against one of {sizes[0]}", ratio(half, quarter), Goal(1.3))
    told("a report against reading what it cites once", ratio(all_of_them, plain), Goal(5), parts)


if __name__ == "__main__":
    main()
