import subprocess
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from tests.evidence.weakening.pairs import Pair, read_pairs

from teamlead.core.evidence.values import Evidence, GoneTest
from teamlead.core.model import Change
from teamlead.evidence.weakening import files_of_tests, weakened_tests
from teamlead.evidence.weakening.files_of_tests import Text, is_test
from teamlead.evidence.weakening.weakened_tests import findings, weakened
from teamlead.system.git import Git

FILE = "100644"
PAIRS = read_pairs()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.title)
def test_a_change_of_tests_is_judged_as_it_should_be(pair: Pair) -> None:
    found = findings(pair.files)
    verdict = "objected" if any(one.objected for one in found) else "flagged" if found else "passes"
    assert verdict == pair.verdict, found
    assert pair.says in " ".join(map(str, found))


def test_there_are_honest_and_dishonest_pairs() -> None:
    verdicts = Counter(pair.verdict for pair in PAIRS)
    assert verdicts["passes"] > 30
    assert verdicts["objected"] > 50
    assert verdicts["flagged"] > 5


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.title)
def test_what_did_not_change_is_never_found_fault_with(pair: Pair) -> None:
    for text in pair.files:
        assert findings([Text(text.path, text.before, text.before)]) == []
        assert findings([Text(text.path, text.after, text.after)]) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("a_test.py", True),
        ("conftest.py", True),
        ("tests/helpers.py", True),
        ("src/testing.py", False),
        ("src/contest.py", False),
        ("src/a.test.tsx", True),
        ("src/__tests__/a.js", True),
        ("cypress/a.cy.ts", True),
        ("src/latest.js", False),
        ("pkg/a_test.go", True),
        ("test/a.go", False),
        ("tests/a.rs", True),
        ("src/lib.rs", False),
        ("src/test/java/ATest.java", True),
        ("src/main/java/Attest.java", False),
        ("spec/a_spec.rb", True),
        ("A.Tests/ATests.cs", True),
        ("tests/data.json", False),
    ],
)
def test_test_files_are_known_by_their_path(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_unit_tests_inside_of_rust_code_are_known_by_their_mark() -> None:
    assert is_test("src/lib.rs", "#[cfg(test)]\nmod tests {}")


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q")

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@t.invalid")
        done = subprocess.run(
            ["git", *who, *arguments], cwd=self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, **files: str | bytes | None) -> str:
        for name, content in files.items():
            path = self.folder / name.replace("__", "/").replace("_py", ".py")
            path.parent.mkdir(exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def weakened(self, base: str, commit: str, *checks: str) -> tuple[Evidence, ...]:
        listed = self.git("diff", "--name-only", "--no-renames", base, commit).splitlines()
        changes = [Change(path, FILE, FILE) for path in listed]
        return weakened(Git(self.folder / ".git", self.folder), base, commit, changes, checks)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_weakened_test_is_objected_to_with_its_place_and_the_command_to_look(
    repository: Repository,
) -> None:
    base = repository.commit(tests__test_a_py="def test_a():\n    assert f(2) == 4\n", a_py="x = 1\n")
    commit = repository.commit(tests__test_a_py="def test_a():\n    assert f(2)\n", a_py="x = 2\n")
    (item,) = repository.weakened(base, commit)
    assert (item.kind, item.verdict) == ("tests", "objected")
    sentence = "tests/test_a.py:2: a weaker assertion: `assert f(2) == 4` became `assert f(2)`"
    assert (item.found, item.details) == (sentence, (sentence,))
    assert item.command == f"git diff {base[:12]} {commit[:12]} -- tests/test_a.py"
    assert repository.git(*item.command.split()[1:])


def test_an_everyday_case_and_one_that_no_test_knows_pass(repository: Repository) -> None:
    tests = "def test_fact():\n    assert fact(0) == 1\n    assert name(7) == 49\n"
    base = repository.commit(tests__test_a_py=tests, a_py="def fact(n):\n    return n\n")
    code = "def fact(n):\n    if n == 0:\n        return 1\n    if n == 8:\n        return 64\n    return n\n"
    assert repository.weakened(base, repository.commit(a_py=code)) == ()


def test_a_changed_file_that_a_check_runs_is_flagged_and_one_it_looks_at_is_not(
    repository: Repository,
) -> None:
    base = repository.commit(run_py="check()\n")
    commit = repository.commit(run_py="pass\n")
    (item,) = repository.weakened(base, commit, "python ./run.py --all")
    assert (item.verdict, item.found) == ("flagged", "run.py: a check runs this file, and it was changed")
    assert repository.weakened(base, commit, "python other.py", "grep -q check run.py") == ()


def test_a_check_that_runs_what_the_same_agent_wrote_is_worth_a_look(repository: Repository) -> None:
    base = repository.commit(a_py="x = 1\n")
    commit = repository.commit(run_py="pass\n")
    (item,) = repository.weakened(base, commit, "python run.py")
    assert (item.verdict, item.found) == (
        "flagged",
        "run.py: a check runs this file, and the same agent wrote it",
    )


def test_binary_and_huge_files_and_those_of_no_language_are_passed_over(repository: Repository) -> None:
    base = repository.commit(
        tests__test_a_py=b"\0\1", tests__test_b_py="x = 1\n" * 300_000, tests__notes="a\n"
    )
    commit = repository.commit(tests__test_a_py=b"\0\2", tests__test_b_py=None, tests__notes="b\n")
    assert repository.weakened(base, commit) == ()


STRONG = "def test_a():\n    assert f(2) == 4\n"
WEAK = "def test_a():\n    assert f(2)\n"


def test_deleted_tests_are_named_for_the_plan_to_let_go_unless_more_is_objected_to(
    repository: Repository,
) -> None:
    two = STRONG + "\n\ndef test_b():\n    assert f(3) == 9\n"
    base = repository.commit(tests__test_a_py=two, tests__test_c_py=two, a_py="x = 1\n")
    (item,) = repository.weakened(base, repository.commit(tests__test_a_py=STRONG, tests__test_c_py=None))
    assert (item.verdict, {*item.gone}) == (
        "objected",
        {GoneTest("tests/test_a.py", "test_b"), GoneTest("tests/test_c.py")},
    )
    (mixed,) = repository.weakened(base, repository.commit(tests__test_a_py=WEAK))
    assert (mixed.verdict, mixed.gone) == ("objected", ())


def test_a_weakened_test_does_not_hide_behind_very_many_other_files(repository: Repository) -> None:
    names = [f"a{number}_py" for number in range(600)]
    base = repository.commit(tests__test_a_py=STRONG, **dict.fromkeys(names, "x = 1\n"))
    commit = repository.commit(tests__test_a_py=WEAK, **dict.fromkeys(names, "x = 2\n"))
    (item,) = repository.weakened(base, commit)
    assert (item.verdict, len(item.details)) == ("objected", 1)


@pytest.mark.parametrize(("module", "limit"), [(weakened_tests, "MOST_FILES"), (files_of_tests, "TOGETHER")])
def test_tests_that_are_too_many_to_look_at_are_told(
    module: ModuleType, limit: str, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = repository.commit(tests__test_a_py=STRONG, tests__test_b_py=STRONG)
    commit = repository.commit(tests__test_a_py=WEAK, tests__test_b_py=WEAK)
    monkeypatch.setattr(module, limit, {"MOST_FILES": 1, "TOGETHER": len(STRONG + WEAK)}[limit])
    objected, flagged = repository.weakened(base, commit)
    assert objected.found.startswith("tests/test_a.py:2: a weaker assertion")
    assert flagged.found == "tests/test_b.py: too much was changed to look at these tests, too"


@pytest.mark.parametrize(
    ("path", "body", "verdicts"),
    [
        ("tests__help_py", "    assert one == other\n", []),
        ("tests__help_py", "    print(one, other)\n", ["flagged"]),
        ("help_py", "    return one == other\n", ["objected"]),
        ("help_py", "    assert one == other\n", []),
    ],
)
def test_an_assertion_moves_into_a_function_that_did_not_change_if_that_one_asserts(
    path: str, body: str, verdicts: list[str], repository: Repository
) -> None:
    helper = {path: f"def same(one, other):\n{body}"}
    base = repository.commit(tests__test_a_py=STRONG, **helper)
    commit = repository.commit(tests__test_a_py="def test_a():\n    same(f(2), 4)\n")
    assert [item.verdict for item in repository.weakened(base, commit)] == verdicts


@pytest.mark.parametrize(
    ("asked", "objected"), [("Mark what is slow as slow", False), ("Make it faster", True)]
)
def test_tests_that_the_task_wants_to_be_marked_may_be_left_out_by_that_mark(
    asked: str, objected: bool
) -> None:
    test = "def test_it():\n    assert f(2) == 4\n"
    settings = "[pytest]\naddopts = -q\n"
    marked = f"import pytest\n\n\n@pytest.mark.slow\n{test}"
    texts = [
        Text("tests/test_it.py", test, marked),
        Text("pytest.ini", settings, settings.replace("-q", '-q -m "not slow"')),
    ]
    found = findings(texts, (), asked)
    assert any(one.objected for one in found) == objected
    assert any("may be left out" in one.sentence for one in found) != objected
