import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from teamlead.core.evidence.references import SHOWN, CheckedReference, References
from teamlead.core.evidence.values import Evidence
from teamlead.core.reports import Reference, Result
from teamlead.errors import DiskUnusable
from teamlead.evidence import file_sources
from teamlead.evidence import references as module
from teamlead.evidence.cited_places import REACH
from teamlead.evidence.file_sources import LARGEST, CommitFiles, FolderFiles, FoundFile, Source
from teamlead.evidence.references import Comparison, Diff, check_references, examine_references
from teamlead.forms.citations.scanning import citations
from teamlead.system.git import Git, as_user

LOGIN = """\
import { hash } from './hash'

export async function authenticate(user: User) {
  const found = await lookup(user.name)
  if (!found) {
    return null
  }
  return hash(user.password) === found.password
}
"""
FILES = {
    "src/auth/login.ts": LOGIN,
    "lib/only.py": "x = 1\nyear = 2026\n",
    "app/[id]/page.tsx": "one\ntwo\nthree\n",
    "Makefile": "all:\n\ttrue\n",
    "src/日本語.ts": "export const greeting = 'hello'\n",
    "my docs/read me.md": "# Read me\n",
    "empty.txt": "",
    "logo.png": "PNG\0\0",
    "bin/tool": "#!/bin/sh\n",
    "crlf.txt": "first\r\nsecond line of it\r\n",
}


@pytest.fixture(autouse=True)
def identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")


@pytest.fixture(name="root")
def repository_root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    as_user(root, "init", "-q", "-b", "main")
    commit(root, FILES)
    return root


def commit(root: Path, files: Mapping[str, str | None]) -> str:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        else:
            path.write_text(content, newline="")
    as_user(root, "add", "-A")
    as_user(root, "commit", "-qm", "a change")
    return as_user(root, "rev-parse", "HEAD").text


@pytest.fixture(name="git")
def repository_git(root: Path) -> Git:
    return Git(root / ".git", root)


@pytest.fixture(params=["commit", "folder"], name="files")
def either_source(request: pytest.FixtureRequest, root: Path, git: Git) -> Source:
    return CommitFiles(git, "HEAD") if request.param == "commit" else FolderFiles(root)


def one(text: str, files: Source, **options: Any) -> CheckedReference:
    found = check_references(citations(text), files, **options)
    assert found.fault == ""
    (checked,) = found.checked
    return checked


@pytest.mark.parametrize(
    "place",
    [
        "src/auth/login.ts:1",
        "src/auth/login.ts:9",
        "src/auth/login.ts:1-9",
        "auth/login.ts:3",
        "only.py:2",
        "[id]/page.tsx:3",
        "./src/../src/auth/login.ts:3",
        "a/src/auth/login.ts:3",
        "Makefile:2",
        "src/日本語.ts:1",
        "`my docs/read me.md:1`",
        "認証はsrc/auth/login.ts:3",
        "bin/tool:1",
        r"src\auth\login.ts:3",
        "crlf.txt:2",
    ],
)
def test_a_place_that_is_there_is_valid_and_not_yet_verified(place: str, files: Source) -> None:
    assert one(place, files).standing == "unverified"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("src/auth/logout.ts:1", "file_not_found"),
        ("src/auth/login.ts:10", "line_exceeds_file_length"),
        ("src/auth/login.ts:5-10", "line_exceeds_file_length"),
        ("src/auth/login.ts:99999999999999999999", "line_exceeds_file_length"),
        ("empty.txt:1", "line_exceeds_file_length"),
        ("src/auth/login.ts:0", "invalid_line_number"),
        ("src/auth/login.ts:-3", "invalid_line_number"),
        ("src/auth/login.ts:5-3", "invalid_line_number"),
        ("./logo.png:1", "file_read_error"),
        ("../outside.ts:1", "file_not_found"),
        ("/etc/passwd.txt:1", "file_not_found"),
        ("/copy/../etc/passwd.txt:1", "file_not_found"),
        (r"C:\copy\src\auth\login.ts:1", "file_not_found"),
        ("src/auth.ts:1", "file_not_found"),
    ],
)
def test_a_place_that_is_not_there_is_invalid(place: str, reason: str, files: Source) -> None:
    found = one(place, files, roots=("/copy",))
    assert (found.standing, found.reason) == ("invalid", reason)


def test_absolute_paths_count_inside_the_working_copy(files: Source) -> None:
    assert one("/copy/src/auth/login.ts:3", files, roots=("/copy",)).standing == "unverified"
    assert one("/copy/src/auth/login.ts:3", files).reason == "file_not_found"
    assert one("/copying/src/auth/login.ts:3", files, roots=("/copy",)).reason == "file_not_found"


def test_the_root_comes_before_the_folders(root: Path, git: Git) -> None:
    commit(root, {"only.py": "y = 2\n"})
    assert one("only.py:2", CommitFiles(git, "HEAD")).reason == "line_exceeds_file_length"


def test_a_word_that_may_be_something_else_counts_only_if_the_file_exists(files: Source) -> None:
    cited = citations("bitnami/redis:7, server.port:8080, bin/tool:9")
    assert [each.place for each in check_references(cited, files).checked] == ["bin/tool:9"]


def test_what_is_no_readable_file_is_said_so(root: Path, git: Git) -> None:
    (root / "outside.txt").symlink_to("/etc/hostname")
    (root / "loop.txt").symlink_to("loop.txt")
    (root / "login.txt").symlink_to("src/auth/login.ts")
    (root / "linked").symlink_to("src")
    commit(root, {"large.txt": "x\n" * LARGEST})
    for files in (CommitFiles(git, "HEAD"), FolderFiles(root)):
        assert one("outside.txt:1", files).reason == "file_read_error"
        assert "too large" in one("large.txt:1", files).note
        assert one("login.txt:9", files).standing == "unverified"
        assert one("linked/auth/login.ts:9", files).standing == "unverified"
        assert one("loop.txt:1", files).standing == "invalid"
        assert one("Makefile/x.txt:1", files).reason == "file_not_found"


def test_a_reference_is_verified_by_its_code_and_its_confidence(files: Source) -> None:
    place, code = "src/auth/login.ts:3", "`export async function authenticate()`"
    assert one(f"{place}\n- Code: {code}\n- Confidence: 95", files).standing == "verified"
    assert one(f"{place}\n- Code: {code}", files).standing == "unverified"
    assert one(f"{place}\n- Confidence: 95", files).standing == "unverified"


@pytest.mark.parametrize(
    "quote",
    [
        "export async function authenticate(user: User) {",
        "export   async function authenticate( user:User )",
        "async function authenticate(...)",
        "export async function auth…",
        "export async function authenticate(user: User) {\n  const found = await lookup(user.name)",
        "// ...\nexport async function authenticate(user: User) {\n  // ...\n  return hash(user.password)",
        "3→export async function authenticate(user: User) {\n4→  const found = await lookup(user.name)",
    ],
)
def test_a_quotation_may_differ_in_spaces_and_leave_something_out(quote: str, files: Source) -> None:
    text = f"src/auth/login.ts:3 (confidence 90)\n```ts\n{quote}\n```"
    assert one(text, files).standing == "verified"


@pytest.mark.parametrize(
    "quote", ["}", "{", "()", "return", "authenticate", "...", "  ", "user.name", "x", "(!found)"]
)
def test_too_little_proves_nothing_and_disproves_nothing(quote: str, files: Source) -> None:
    for line in (1, 3, 4, 5, 9):
        text = f"src/auth/login.ts:{line}\n- Code: `{quote}`\n- Confidence: 95"
        assert one(text, files).standing == "unverified"


def test_a_short_line_is_proven_by_the_whole_of_it(files: Source) -> None:
    text = "src/auth/login.ts:6\n- Code: `return null`\n- Confidence: 95"
    assert one(text, files).standing == "verified"
    assert one("src/auth/login.ts:5\n- Code: `}`\n- Confidence: 95", files).standing == "unverified"


def test_a_quotation_that_reaches_into_the_cited_line_stands_there(files: Source) -> None:
    quote = "export async function authenticate(user: User) {\n const found = await lookup(user.name)"
    text = f"src/auth/login.ts:4 (confidence 90)\n```ts\n{quote}\n```"
    assert one(text, files).standing == "verified"


@pytest.mark.parametrize("line", [1, 7, 80])
def test_a_quotation_that_moved_is_relocated(line: int, files: Source) -> None:
    found = one(f"src/auth/login.ts:{line}: `const found = await lookup(user.name)`", files)
    assert (found.standing, found.line, found.reason) == ("moved", 4, None)


def test_the_nearest_of_several_lines_is_named(root: Path, git: Git) -> None:
    commit(root, {"many.py": "call(first)\n" + "\n" * 10 + "call(first)\n" + "\n" * 30 + "call(first)\n"})
    files = CommitFiles(git, "HEAD")
    assert [one(f"many.py:{line}: `call(first)`", files).line for line in (3, 9, 20, 41)] == [1, 12, 12, 43]


def test_code_that_is_not_in_the_file_is_a_mismatch(files: Source) -> None:
    found = one("src/auth/login.ts:3: `export const greeting = 'hello'`", files)
    assert (found.standing, found.reason) == ("invalid", "quote_mismatch")


def test_code_beside_that_is_no_quotation_disproves_nothing(files: Source) -> None:
    assert one("src/auth/login.ts:3 should be `function other(thing)`", files).standing == "unverified"


def test_one_quotation_that_stands_there_is_enough_unless_another_is_nowhere(files: Source) -> None:
    right, other = "src/auth/login.ts:4: `await lookup(user.name)`", "`return hash(user.password)`"
    assert one(f"{right}\n- Code: {other}\n- Confidence: 90", files).standing == "verified"
    assert one(f"{right}\n- Code: `return nothing(at.all)`", files).reason == "quote_mismatch"


def test_code_beside_that_stands_elsewhere_moves_nothing(files: Source) -> None:
    text = "src/auth/login.ts:3, which calls `lookup(user.name)` first"
    assert one(text, files).standing == "unverified"


def test_an_ellipsis_does_not_reach_over_a_whole_file(root: Path, git: Git) -> None:
    far = "begin_here(now)\n" + "x = 1\n" * REACH + "end_there(then)\n"
    commit(root, {"far.py": far})
    quote = "far.py:1\n```py\nbegin_here(now)\n# ...\nend_there(then)\n```"
    assert one(quote, CommitFiles(git, "HEAD")).reason == "quote_mismatch"


def numbered(count: int) -> str:
    return "".join(f"value_{number} = compute({number})\n" for number in range(1, count + 1))


@pytest.fixture(name="changed")
def a_change(root: Path, git: Git) -> tuple[Source, Comparison]:
    base = commit(root, {"long.py": numbered(60), "gone.py": "gone = True\nfor_good = 1\n"})
    after = numbered(60).replace("value_40 = compute(40)\n", "value_40 = changed(40)\nadded = new(1)\n")
    tip = commit(root, {"long.py": after, "gone.py": None, "aaa.py": numbered(30)})
    return CommitFiles(git, tip), Comparison(CommitFiles(git, base), lambda: Diff(git, base, tip))


def test_a_number_that_counts_lines_of_the_diff_is_recognised(
    changed: tuple[Source, Comparison], root: Path
) -> None:
    files, change = changed
    diff = as_user(root, "diff", "HEAD^", "HEAD").text.splitlines()
    whole = diff.index("+value_40 = changed(40)") + 1
    part = whole - diff.index("diff --git a/long.py b/long.py")
    hunk = whole - next(at for at, line in enumerate(diff) if line.startswith("@@ -37")) - 1
    for position in (whole, part, hunk):
        found = one(f"long.py:{position}: `value_40 = changed(40)`", files, change=change)
        assert (found.standing, found.line) == ("moved", 40), position
        assert "lines of the diff" in found.note
    elsewhere = one("long.py:20: `value_40 = changed(40)`", files, change=change)
    assert (elsewhere.line, elsewhere.note) == (40, "stands at line 40")


def test_a_quotation_of_several_lines_leads_from_the_diff_to_the_file(
    changed: tuple[Source, Comparison], root: Path
) -> None:
    files, change = changed
    diff = as_user(root, "diff", "HEAD^", "HEAD").text.splitlines()
    position = diff.index("+value_40 = changed(40)") + 1
    quote = "```py\nvalue_40 = changed(40)\nadded = new(1)\n```"
    found = one(f"long.py:{position}\n{quote}", files, change=change)
    assert (found.standing, found.line, "lines of the diff" in found.note) == ("moved", 40, True)


def test_a_huge_diff_is_not_searched(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, changed: tuple[Source, Comparison]
) -> None:
    monkeypatch.setattr(module, "LONGEST", 3)
    files, change = changed
    found = one("long.py:5: `value_40 = changed(40)`", files, change=change)
    assert (found.line, found.note) == (40, "stands at line 40")


def test_without_a_quotation_such_a_number_stays_invalid_and_is_explained(root: Path, git: Git) -> None:
    base = commit(root, {"short.py": "a = 1\nb = 2\n"})
    tip = commit(root, {"short.py": "a = 1\nb = 2\nc = 3\n"})
    change = Comparison(CommitFiles(git, base), lambda: Diff(git, base, tip))
    found = one("short.py:8", CommitFiles(git, tip), change=change)
    assert (found.standing, found.reason) == ("invalid", "line_exceeds_file_length")
    assert found.note == "the number counts lines of the diff; in the file it is line 3"
    beyond = one("short.py:80", CommitFiles(git, tip), change=change)
    assert beyond.note == "the file has 3 lines"


def test_what_stood_there_before_the_change_is_noted_and_not_rejected(
    changed: tuple[Source, Comparison],
) -> None:
    files, change = changed
    for text in ("gone.py:2", "gone.py:1: `gone = True`", "long.py:40: `value_40 = compute(40)`"):
        found = one(text, files, change=change)
        assert (found.standing, found.note) == ("moved", "stood there before the change"), text
    assert one("gone.py:3", files, change=change).standing == "invalid"
    assert one("gone.py:2", files).standing == "invalid"


def test_a_line_that_the_change_cut_off_stood_there_before_and_is_not_made_up(root: Path, git: Git) -> None:
    base = commit(root, {"cut.py": numbered(50)})
    tip = commit(root, {"cut.py": numbered(20)})
    change = Comparison(CommitFiles(git, base), lambda: Diff(git, base, tip))
    bare = one("cut.py:45", CommitFiles(git, tip), change=change)
    assert (bare.standing, bare.note) == ("moved", "stood there before the change")
    beyond = one("cut.py:51", CommitFiles(git, tip), change=change)
    assert (beyond.standing, beyond.reason) == ("invalid", "line_exceeds_file_length")
    quoted = one("cut.py:45: `value_45 = compute(45)`", CommitFiles(git, tip), change=change)
    assert (quoted.standing, quoted.note) == ("moved", "stood there before the change")


def test_the_commit_counts_and_not_the_users_files(root: Path, git: Git) -> None:
    (root / "src/auth/login.ts").write_text("short\n")
    (root / "new.py").write_text("new\n")
    files = CommitFiles(git, "HEAD")
    assert one("src/auth/login.ts:9", files).standing == "unverified"
    assert one("new.py:1", files).reason == "file_not_found"


def references(valid: int, invalid: int) -> References:
    good = tuple(CheckedReference(f"a:{number}", "unverified") for number in range(valid))
    bad = tuple(CheckedReference(f"b:{n}", "invalid", "file_not_found") for n in range(invalid))
    return References(good + bad)


@pytest.mark.parametrize(
    ("valid", "invalid", "blocks"),
    [
        (0, 0, False),
        (1, 0, False),
        (7, 3, False),
        (6, 3, True),
        (70, 30, False),
        (69, 30, True),
        (350, 150, False),
        (349, 151, True),
        (0, 1, True),
    ],
)
def test_more_than_three_of_ten_invalid_references_block(valid: int, invalid: int, blocks: bool) -> None:
    found = references(valid, invalid)
    assert found.blocks is blocks
    assert found.summary == f"valid {valid}/{valid + invalid}"


class Broken:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def look(self, paths: object) -> dict[str, FoundFile]:
        raise self._error

    def read(self, entries: object) -> Any:
        raise self._error


def test_what_cannot_be_checked_blocks() -> None:
    found = check_references(citations("src/a.ts:1"), Broken(ZeroDivisionError("a bug")))
    assert found.blocks
    assert found.summary == "references could not be checked: ZeroDivisionError: a bug"


def test_a_full_disk_is_nobodys_failure() -> None:
    with pytest.raises(DiskUnusable):
        check_references(citations("src/a.ts:1"), Broken(DiskUnusable("full")))


Examine = Callable[..., Evidence]


@pytest.fixture(name="examine")
def examine_a_report(root: Path, git: Git) -> Examine:
    def run(text: str, result: Result | None = None, commit: str = "HEAD", copy: str = "/copy") -> Evidence:
        (item,) = examine_references(
            text, result, git=git, commit=commit, base="HEAD", copies=(Path(copy),), command="again"
        )
        return item

    return run


def test_a_report_that_cites_nothing_passes(examine: Examine) -> None:
    assert examine("All done.").verdict == "unknown"


def test_a_report_whose_references_are_there_is_proven_and_assumptions_are_labelled(examine: Examine) -> None:
    item = examine("src/auth/login.ts:3 and /copy/Makefile:1")
    assert (item.kind, item.verdict, item.found, item.command) == (
        "references",
        "proven",
        "valid 2/2 (2 unverified)",
        "again",
    )
    assert item.details == ("src/auth/login.ts:3: UNVERIFIED", "/copy/Makefile:1: UNVERIFIED")


def test_the_standard_library_and_installed_packages_are_outside_and_not_made_up(
    examine: Examine, root: Path
) -> None:
    package = root / "node_modules/left-pad/index.js"
    package.parent.mkdir(parents=True)
    package.write_text("one\ntwo\n")
    (root.parent / "private.py").write_text("nobody's business\n")
    stdlib = Path(json.__file__).parent
    for text in (
        "json/decoder.py:10",
        f"{stdlib}/decoder.py:10",
        f"{root}/node_modules/left-pad/index.js:2",
        "/usr/lib/python2/decimal.py:9",
        "re.py:185",  # a folder by now
        "node:internal/test_runner/test.js:632",
        "node:fs.js:12",
    ):
        item = examine(f"As {text} does it.", copy=str(root))
        assert item.verdict == "unknown", text
        assert "outside of the repository" in item.details[0]
    for text in (
        "json/decoder.py:100000",
        "json/none.py:1",
        "node:made/up.js:1",
        "internal/test_runner/test.js:632",
        "node_modules/left-pad/index.js:3",
        f"{root.parent}/private.py:1",
    ):
        assert examine(f"As {text} does it.", copy=str(root)).verdict == "objected", text
    quoted = examine("As json/decoder.py:10: `what = never_stood(there)` does it.", copy=str(root))
    assert quoted.verdict == "objected"


def test_a_few_bad_references_are_flagged_with_their_reasons(examine: Examine) -> None:
    item = examine("src/auth/login.ts:1,2,3 and src/none.ts:4")
    assert (item.verdict, item.found) == ("flagged", "valid 3/4 (3 unverified, 1 invalid)")
    assert item.details[0] == "src/none.ts:4: file_not_found"


def test_a_moved_quotation_is_flagged(examine: Examine) -> None:
    item = examine("src/auth/login.ts:1: `const found = await lookup(user.name)`")
    assert (item.verdict, item.found) == ("flagged", "valid 1/1 (1 moved)")
    assert item.details == ("src/auth/login.ts:1: MOVED: stands at line 4",)


def test_many_bad_references_are_objected_to_and_ten_of_them_listed(examine: Examine) -> None:
    item = examine("\n".join(f"src/none{number}.ts:1" for number in range(15)))
    assert item.verdict == "objected"
    assert item.found.startswith(
        "what it cites is not there (valid 0/15): cite only lines that you have read"
    )
    assert "\n".join(item.told).count("file_not_found") == SHOWN == len(item.details)


def test_a_result_and_the_words_about_it_count_once(examine: Examine) -> None:
    handed_in = Result(
        "SUCCESS",
        summary="",
        findings="",
        references=(Reference("x", "src/auth/login.ts:3"),),
        confidence=90,
        confidence_reason="read",
    )
    assert examine("src/auth/login.ts:3", handed_in).found == "valid 1/1 (1 unverified)"


def test_git_that_fails_is_an_objection(examine: Examine) -> None:
    item = examine("src/auth/login.ts:3", commit="0" * 40)
    assert item.verdict == "objected"


def test_a_fault_in_the_reading_is_an_objection(examine: Examine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RecursionError("planted")

    monkeypatch.setattr(module, "citations_of", broken)
    item = examine("src/auth/login.ts:3")
    assert (item.verdict, "planted" in item.found) == ("objected", True)


def test_many_large_files_are_not_read_all_at_once(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(root, {f"part{number}.txt": f"{number}\n" * 100 for number in range(10)})
    monkeypatch.setattr(file_sources, "TOGETHER", 500)
    asked: list[int] = []
    contents = Git.contents

    def counted(self: Git, blobs: Any) -> list[bytes]:
        asked.append(len(blobs))
        return contents(self, blobs)

    monkeypatch.setattr(Git, "contents", counted)
    cited = citations("\n".join(f"part{number}.txt:100" for number in range(10)))
    found = check_references(cited, CommitFiles(git, "HEAD"))
    assert [each.standing for each in found.checked] == ["unverified"] * 10
    assert asked == [2] * 5


class Counted:
    """What is asked of a source."""

    def __init__(self, files: Source) -> None:
        self._files = files
        self.looks = 0
        self.read_paths: list[str] = []

    def look(self, paths: Any) -> dict[str, FoundFile]:
        self.looks += 1
        return self._files.look(paths)

    def read(self, entries: Any) -> Any:
        self.read_paths += [entry.path for entry in entries]
        return self._files.read(entries)


def test_files_are_looked_up_at_once_and_read_once(git: Git) -> None:
    files = Counted(CommitFiles(git, "HEAD"))
    text = "\n".join(f"src/auth/login.ts:{line} Makefile:{line} none{line}.ts:1" for line in range(1, 100))
    assert len(check_references(citations(text), files).checked) == 297
    assert (files.looks, sorted(files.read_paths)) == (1, ["Makefile", "src/auth/login.ts"])
