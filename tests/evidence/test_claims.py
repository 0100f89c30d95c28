"""What an agent says it changed, against what it changed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.evidence.change.repository import Repository

from teamlead.core.evidence.values import Evidence
from teamlead.core.model import Change
from teamlead.core.reports import ImplementationFeedback, ImplementationFindings, Result
from teamlead.evidence.claims import Said, examine_claims
from teamlead.evidence.examiner import RepositoryExaminer
from teamlead.evidence.weakening.files_of_tests import Text


def looked(
    text: str, *paths: str, checks: tuple[str, ...] = ("make",), texts: tuple[Text, ...] = (), **said: Any
) -> Evidence | None:
    changes = [Change(path, "100644", "100644", 1, 1) for path in paths]
    fields = {"result": None, "feedback": None, **said}
    items = examine_claims(Said(text, **fields), changes, checks, lambda _: False, texts)
    return items[0] if items else None


def result(**details: Any) -> Result:
    return Result(
        "SUCCESS",
        summary="s",
        findings="f",
        references=(),
        confidence=80,
        confidence_reason="r",
        details=ImplementationFindings(**details),
    )


@pytest.mark.parametrize(
    "text",
    [
        "I updated src/a.py and added `src/new/b.ts`.",
        "Files changed:\n- src/a.py: the rate\n- src/new/b.ts",
        "`src/a.py` was changed; I also created b.ts.",
        "src/a.pyを変更しました。src/new/b.tsを追加しました。",
        "src/a.py, src/new/b.ts 수정했습니다",
    ],
)
def test_files_that_are_named_as_changed_and_are_speak_for_the_work(text: str) -> None:
    item = looked(text, "src/a.py", "src/new/b.ts")
    assert item is not None
    assert item.verdict == "proven"


@pytest.mark.parametrize(
    "text",
    [
        "I fixed src/gone.py.",
        "Updated src/gone.py and src/a.py.",
        "Changed files: src/gone.py",
        "- Rewrote `src/gone.py`",
    ],
)
def test_a_file_that_is_said_to_be_changed_and_is_not_is_flagged(text: str) -> None:
    item = looked(text, "src/a.py")
    assert item is not None
    assert (item.verdict, item.details[0]) == ("flagged", "said to be changed, and not changed: src/gone.py")


@pytest.mark.parametrize(
    "text",
    [
        "All done.",
        "Look at src/other.py for how it is called.",
        "I did not change src/other.py.",
        "src/other.py should be updated next.",
        "src/other.py had been fixed already.",
        "Added support for Node.js 18 and example.com.",
        "Updated the text as https://example.com/style.md says.",
        "Fixed it in /usr/lib/python3/os.py.",
    ],
)
def test_what_is_only_spoken_of_is_no_claim(text: str) -> None:
    assert looked(text, "src/a.py") is None


def test_a_file_that_was_changed_and_is_not_mentioned_is_flagged_where_files_are_named() -> None:
    item = looked("Updated README.md.", "README.md", "src/auth.py")
    assert item is not None
    assert item.details == ("changed, and not mentioned: src/auth.py",)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Updated README.md, and `test_old` in the tests.", "tests/test_a.py"),
        ("README.md を更新しました。テストも直しました。", "tests/test_a.py"),
        ("Updated README.md. `mathutils.clamp()` is `limit()` now.", "boltons/mathutils.py"),
        ("Updated README.md; getKeys() uses plain loops.", "index.js"),
        ("Updated README.md; `parse_td` is gone.", "index.js"),
    ],
)
def test_what_is_said_of_a_file_in_other_words_mentions_it(text: str, path: str) -> None:
    change = Text("index.js", "function parse_td() {}\n", "function getKeys() {}\n")
    item = looked(text, "README.md", path, texts=(change,))
    assert item is None or item.verdict == "proven"
    plain = looked("Updated README.md; it is what a function does.", "README.md", path, texts=(change,))
    assert plain is not None
    assert plain.details == (f"changed, and not mentioned: {path}",)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("I documented it and changed the README.", ("README.md", "docs/a.md")),
        ("I added `merge.diff`, see docs/a.md.", ("docs/a.md",)),
        ("I updated CHANGELOG and docs/a.md.", ("CHANGELOG.rst", "docs/a.md")),
    ],
)
def test_a_file_without_its_ending_is_changed_and_a_method_is_no_file(
    text: str, paths: tuple[str, ...]
) -> None:
    item = looked(text, *paths)
    assert item is None or not any("not changed" in each for each in item.details)


def test_who_says_something_else_of_them_is_not() -> None:
    item = looked("I added tests that should fail without it, and nothing else.", "src/a.py")
    assert item is not None
    assert item.found == "says that tests were added, and no file of tests was changed"


@pytest.mark.parametrize(
    "text",
    [
        "I added no tests, as nothing new can be observed.",
        "No new tests, as the plan says.",
        "Only moved code, so there are no new tests.",
        "I have not added any tests.",
        "I didn't add new tests.",
        "テストを追加していません。",
        "테스트를 추가하지 않았습니다.",
    ],
)
def test_who_says_that_no_tests_were_added_is_believed(text: str) -> None:
    assert looked(text, "src/a.py") is None


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("I made it faster.", ("src/a.py", "src/b.py")),
        ("Updated src/a.py; see src/b.py too.", ("src/a.py", "src/b.py")),
        ("Updated src/a.py.", ("src/a.py", "package-lock.json", "dist/app.min.js", "go.sum", "api_pb2.py")),
        ("Updated everything in docs/guide.d.", ("docs/guide.d/a.md", "docs/guide.d/b.md")),
        ("Renamed src/old.py to src/new.py.", ("src/old.py", "src/new.py")),
        ("Updated Button.test.tsx.", ("web/src/Button.test.tsx",)),
        ("Updated `lists/price list.txt`.", ("lists/price list.txt",)),
        ("Updated src/a.py in the manner of shop/stock.py, which I left alone.", ("src/a.py",)),
    ],
)
def test_mentions_folders_renames_and_generated_files_are_enough(text: str, paths: tuple[str, ...]) -> None:
    item = looked(text, *paths)
    assert item is None or item.verdict == "proven"


def test_the_lists_of_a_report_and_of_feedback_are_claims() -> None:
    item = looked("Done.", "src/a.py", result=result(files=("src/a.py", "`src/b.py`: the form")))
    assert item is not None
    assert (item.verdict, item.details) == ("objected", ("said to be changed, and not changed: src/b.py",))
    item = looked("Done.", "src/a.py", feedback=ImplementationFeedback("success", ("src/c.py: x",)))
    assert item is not None
    assert (item.verdict, item.details) == ("objected", ("said to be changed, and not changed: src/c.py",))


@pytest.mark.parametrize(
    "line",
    [
        "src/b.py was not changed",
        "left src/b.py alone",
        "as in src/b.py",
        "shop/src/a.py",
        "src/b.py -> src/a.py",
    ],
)
def test_a_line_of_a_list_that_may_mean_something_else_is_not_false_for_certain(line: str) -> None:
    item = looked("Done.", "src/a.py", result=result(files=("src/a.py", line)))
    assert item is None or item.verdict != "objected"


def test_more_changes_than_are_compared_make_no_claim_false() -> None:
    many = tuple(f"src/part_{number}.py" for number in range(1001))
    item = looked("Done.", *many, result=result(files=(many[-1],)))
    assert item is None or item.verdict != "objected"


@pytest.mark.parametrize(
    ("said", "paths", "flagged"),
    [
        ({"text": "I added three unit tests."}, ("src/a.py",), True),
        ({"text": "I added three unit tests."}, ("src/a.py", "tests/test_a.py"), False),
        ({"text": "Done.", "result": result(tests=("test_a",))}, ("src/a.py",), True),
        ({"text": "テストを追加しました。"}, ("src/a.py",), True),
        ({"text": "I added no tests, as nothing new can be observed."}, ("src/a.py",), False),
        ({"text": "Only moved code, so there are no new tests."}, ("src/a.py",), False),
        ({"text": "It was not possible; I have not written a test."}, ("src/a.py",), False),
        ({"text": "No other change. I wrote two tests."}, ("src/a.py",), True),
    ],
)
def test_tests_that_are_said_to_be_added_are_looked_for(
    said: dict[str, Any], paths: tuple[str, ...], flagged: bool
) -> None:
    item = looked(said.pop("text"), *paths, **said)
    assert (item is not None and item.verdict == "flagged") is flagged


@pytest.mark.parametrize("text", ["All tests pass.", "all 12 tests now pass", "すべてのテストが通りました"])
def test_all_tests_pass_is_unverified_where_no_check_ran(text: str) -> None:
    item = looked(text, "src/a.py", checks=())
    assert item is not None
    assert item.details == ("says that all tests pass, which no check has verified",)
    assert looked(text, "src/a.py") is None


def test_words_that_contradict_the_change_or_each_other_are_flagged() -> None:
    item = looked("Nothing had to be changed.", "src/a.py")
    assert item is not None
    assert item.details == ("says that nothing had to be changed, and something was",)
    item = looked("All is done.", "src/a.py", feedback=ImplementationFeedback("failed"))
    assert item is not None
    assert item.details == ("its feedback says failed, and nothing else does",)


@pytest.mark.parametrize("name", ["README", "`changelog`", "the Makefile"])
def test_a_file_may_be_named_without_its_ending(name: str) -> None:
    item = looked(f"I updated {name} and src/a.py.", "README.md", "CHANGELOG.md", "Makefile", "src/a.py")

    assert item is None or not any("not changed" in detail for detail in item.details)


def test_what_is_called_is_no_file() -> None:
    item = looked("I added `cart.diff(a, b)` and `merge.map()` to src/a.py.", "src/a.py")

    assert item is not None
    assert item.verdict == "proven"


def test_an_empty_file_needs_no_mention() -> None:
    changes = [Change("src/a.py", "100644", "100644", 1, 1), Change("src/__init__.py", "000000", "100644")]
    (item,) = examine_claims(Said("Updated src/a.py.", None, None), changes, (), lambda _: False)
    assert item.verdict == "proven"


@pytest.mark.parametrize(
    "text", ["`" * 100_000, "." * 300_000, "a/" * 100_000, "changed " * 40_000, "x.py " * 40_000]
)
def test_hostile_words_are_read_in_bounded_time(text: str) -> None:
    looked(text, *(f"src/{n}.py" for n in range(2000)))


BASE = {"a.py": "A = 1\n", ".gitignore": "made/\n"}


def examined(root: Path, text: str = "Done.", **fields: Any) -> list[Evidence]:
    repository = Repository(root / "r", BASE)
    commit = repository.commit({"a.py": "A = 2\n"})
    claim = repository.claim(commit, text=text, **{"own_git": repository.git.git_dir} | fields)
    done = asyncio.run(RepositoryExaminer(repository.git, "s").examine(claim))
    return [item for item in done.evidence if item.kind == "claims"]


@pytest.mark.parametrize(("path", "verdict"), [("b.py", "objected"), ("made/b.py", "flagged")])
def test_a_file_that_git_ignores_may_have_been_changed(tmp_path: Path, path: str, verdict: str) -> None:
    (item,) = examined(tmp_path, result=result(files=("a.py", path)))
    assert (item.verdict, item.details) == (verdict, (f"said to be changed, and not changed: {path}",))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Committed as `abcdef1234`.", "objected"),
        ("The work is in commit abcdef1.", "objected"),
        ("Committed it: abcdef1234567890abcdef1234567890abcdef12", "objected"),
        ("The digest is abcdef1234.", "flagged"),
        ("As in upstream commit abcdef1234.", "flagged"),
        ("Committed as in https://example.com/a, commit abcdef1234.", "flagged"),
    ],
)
def test_what_is_called_a_commit_has_to_be_one(tmp_path: Path, text: str, verdict: str) -> None:
    (item,) = examined(tmp_path, text)
    assert item.verdict == verdict
    assert "which does not exist" in item.found


def test_a_commit_that_was_left_behind_in_the_copy_is_one(tmp_path: Path) -> None:
    text, other = "Committed as `abcdef1234`.", tmp_path / "git"
    (other / "logs").mkdir(parents=True)
    (other / "logs/HEAD").write_text(f"{'0' * 40} abcdef1234{'5' * 30} A <a@b> 1 +0000\tcommit: x\n")
    assert [item.verdict for item in examined(tmp_path, text, own_git=other)] == ["flagged"]


def test_where_nobody_knows_what_was_made_in_the_copy_it_is_asked(tmp_path: Path) -> None:
    assert [item.verdict for item in examined(tmp_path, "Committed as abcdef1.", own_git=None)] == ["flagged"]
