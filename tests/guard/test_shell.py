"""A lead's shell looks, and reads no more than a lookup."""

from pathlib import Path

import pytest

from teamlead.guard.delegation import Verdict
from teamlead.guard.shell import Reads, judge_command


def reads(command: str, project: Path) -> Reads:
    found = judge_command(command, project)
    assert isinstance(found, Reads), found
    return found


def refusal(command: str, project: Path) -> Verdict:
    found = judge_command(command, project)
    assert isinstance(found, Verdict), found
    assert not found.allowed
    return found


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "wc -l a.py b.py c.py d.py",
        "git status --short",
        "git log --oneline -5",
        "git diff --stat",
        "git show --stat HEAD",
        "git rev-parse HEAD",
        "teamlead status",
        "teamlead start plan.md && teamlead watch",
        "cd . && ls",
        "git log --oneline | grep fix",
    ],
)
def test_what_asks_for_names_and_states_reads_nothing(command: str, project: Path) -> None:
    assert reads(command, project) == Reads()


@pytest.mark.parametrize(
    ("command", "files", "lines"),
    [
        ("cat a.py", 1, 10),
        ("cat -n a.py", 1, 10),
        ("cat -n a.py b.py", 2, 20),
        ("cat a.py b.py | head -3", 2, 20),
        ("cat *.py", 0, 0),
        ("cat ./*.py", 4, 40),
        ("head a.py", 1, 10),
        ("head -n 3 a.py b.py", 2, 6),
        ("head -5 a.py", 1, 5),
        ("tail --lines=2 a.py", 1, 2),
        ("tail -n +1 a.py", 1, 10),
        ("tail -3 +2 a.py", 1, 10),
        ("git diff -- a.py", 1, 10),
        ("git blame a.py", 1, 10),
        ("grep '' a.py", 1, 10),
        ("grep -v nothing a.py b.py", 2, 20),
        ("grep -A 100 a a.py", 1, 10),
        ("grep -nv nothing a.py", 1, 10),
        ("grep -nA100 a a.py", 1, 10),
        ("grep -9 a a.py", 1, 10),
        ("grep -ne. a.py", 1, 10),
        ("grep --regexp=. a.py", 1, 10),
        ("grep -m 1000 '' a.py", 1, 10),
    ],
)
def test_what_shows_files_is_a_reading_of_them(command: str, files: int, lines: int, project: Path) -> None:
    if command == "cat *.py":
        assert "must not begin a word" in refusal(command, project).reason
        return
    found = reads(command, project).portions
    assert (len(found), sum(portion.lines for portion in found)) == (files, lines)


@pytest.mark.parametrize(
    ("command", "looked_into"),
    [
        ("grep -n a a.py", 1),
        ("grep a a.py b.py c.py d.py", 4),
        ("grep -e. a.py b.py c.py d.py", 4),
        ("grep -m1 a a.py", 1),
        ("grep -rn a .", 4),
        ("rg a", 4),
        ("rg a a.py", 1),
        ("find . -name a.py", 5),
        ("ls -R", 4),
    ],
)
def test_a_search_counts_the_files_it_looks_into(command: str, looked_into: int, project: Path) -> None:
    found = reads(command, project).searches
    assert found == (min(found[0], looked_into),)
    assert found[0] >= min(looked_into, 4)


@pytest.mark.parametrize(
    ("command", "role"),
    [
        ("echo x > a.py", "backend-specialist"),
        ("cat > App.tsx <<EOF", "frontend-specialist"),
        ("echo x >> tests/test_a.py", "qa-engineer"),
        ("echo x > spec.md", "product-manager"),
        ("sed -i s/a/b/ spec.md", "product-manager"),
        ("rm a.py", "backend-specialist"),
        ("mv a.py b.py", "backend-specialist"),
        ("python -c 'print(1)'", "backend-specialist"),
        ("pytest tests", "qa-engineer"),
        ("npm test", "qa-engineer"),
        ("bandit -r .", "security-auditor"),
        ("npm audit", "security-auditor"),
        ("git commit -am x", "backend-specialist"),
        ("git checkout .", "backend-specialist"),
        ("git diff", "code-explorer"),
        ("git show HEAD", "code-explorer"),
        ("git show HEAD:a.py --stat", "code-explorer"),
        ("git diff --stat -p", "code-explorer"),
        ("git log -p", "code-explorer"),
        ("git diff --stat --binary", "code-explorer"),
        ("git status -v", "code-explorer"),
        ("git log -S'secret'", "code-explorer"),
        ("git grep a", "code-explorer"),
        ("ls; rm a.py", "backend-specialist"),
        ("ls $(rm a.py)", "backend-specialist"),
        ("teamlead status; rm a.py", "backend-specialist"),
        ("cat a.py | tee b.py", "backend-specialist"),
        ("teamlead guard read a.py --purpose value --log App.tsx", "frontend-specialist"),
        ("teamlead result aggregate r.md --output=b.py", "backend-specialist"),
        ("", "backend-specialist"),
        ("ls\nrm a.py", "backend-specialist"),
    ],
)
def test_what_writes_or_reads_in_bulk_goes_to_an_agent(command: str, role: str, project: Path) -> None:
    assert refusal(command, project).role == role


@pytest.mark.parametrize(
    "command",
    [
        "teamlead guard install --project --remove",
        "teamlead guard hook",
        "ls && teamlead guard install --user",
        "teamlead config allow",
    ],
)
def test_the_guard_is_not_set_up_by_whom_it_holds(command: str, project: Path) -> None:
    assert refusal(command, project).rule == "guarded"
