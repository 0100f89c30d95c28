"""Places that a judge names are looked up in the work and in its base."""

from pathlib import Path

import pytest

from teamlead.core.answers import Fulfils, Judgement, Remark
from teamlead.evidence.named_places import NamedPlaces
from teamlead.system.git import Git, as_user

TESTS = "import a\n\n\ndef test_sum():\n    assert a.sum_of(1, 2) == 3\n"
SPEC = """\
describe("sums", () => {
  it("adds two numbers", () => {
    const total = sumOf(1, 2);
    expect(total).toBe(3);
  });
  it.each([1, 2])("adds %i to nothing", (number) => {
    expect(sumOf(number)).toBe(number);
  });
});
"""
OF_GO = """\
func TestSum(t *testing.T) {
	for _, c := range []struct{ name string }{{"of two"}} {
		t.Run(c.name, func(t *testing.T) { sumOf(1, 2) })
	}
}
"""
CHECKS = ("python3 -c 'import a'",)


@pytest.fixture(name="places")
def named_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NamedPlaces:
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    as_user(root, "init", "-q", "-b", "main")
    (root / "gone.py").write_text("one\ntwo\n")
    base = _commit(root)
    (root / "gone.py").unlink()
    (root / "a.py").write_text("def sum_of(*numbers):\n    return sum(numbers)\n")
    (root / "my docs.md").write_text("# Docs\n")
    (root / "web").mkdir()
    (root / "web" / "a.test.js").write_text(SPEC)
    (root / "web" / "go_test.go").write_text(OF_GO)
    (root / "logo.png").write_bytes(b"PNG\0\0")
    (root / "tests" / "test_a.py").write_text(TESTS)
    return NamedPlaces(Git(root / ".git", root), base, _commit(root))


def _commit(root: Path) -> str:
    as_user(root, "add", "-A")
    as_user(root, "commit", "-q", "-m", "files")
    return as_user(root, "rev-parse", "HEAD").text


def found(places: NamedPlaces, line: str = "", test: str = "") -> list[str]:
    return places.faults(Judgement(True, "so", fulfilled=(Fulfils(1, line, test),)), CHECKS)


@pytest.mark.parametrize(
    "line",
    [
        "a.py:2",
        "`a.py:1-2`",
        "a.py:1: def sum_of(*numbers)",
        "a.py",
        "my docs.md:1",
        "logo.png",
        "logo.png:1",
        "/tmp/copies/3/a.py:2",
        "gone.py:2",
        "",
    ],
)
def test_a_line_of_the_work_or_of_its_base_is_there(places: NamedPlaces, line: str) -> None:
    assert found(places, line) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a.py:9", "the file has 2 lines"),
        ("a.py:0", "invalid line number"),
        ("b.py:1", "file not found"),
        ("the parser", "name it as `path:line`"),
    ],
)
def test_a_line_that_is_nowhere_is_told_with_its_reason(places: NamedPlaces, line: str, reason: str) -> None:
    (told,) = found(places, line)
    assert told.startswith(f"there is no {line!r}, neither in the work nor in its base: ")
    assert reason in told


@pytest.mark.parametrize(
    "test",
    [
        "tests/test_a.py::test_sum",
        "tests/test_a.py::test_sum[1-2]",
        "`tests/test_a.py:4`",
        "tests/test_a.py",
        "test_sum",
        "test_sum in tests/test_a.py",
        "web/a.test.js::adds two numbers",
        "web/a.test.js::sums > adds two numbers",
        "web/a.test.js::adds 2 to nothing",
        "web/a.test.js:4",
        "web/go_test.go::TestSum",
        "web/go_test.go::TestSum/of_two",
        "python3 -c 'import a'",
        "`python3 -c 'import a'`",
        "",
    ],
)
def test_a_test_of_the_work_or_one_of_its_checks_is_one(places: NamedPlaces, test: str) -> None:
    assert found(places, "a.py:1", test) == []


@pytest.mark.parametrize(
    "test",
    [
        "tests/test_a.py::test_product",
        "tests/test_b.py::test_sum",
        "test_product",
        "make it",
        "a.py",
        "a.py:1",
        "a.py::sum_of",
        "sum_of",
        "tests/test_a.py::sum_of",
        "tests/test_a.py::assert",
        "tests/test_a.py:1",
        "web/a.test.js::total",
        "web/go_test.go::sumOf",
        "my docs.md::Docs",
        "gone.py::one_two",
    ],
)
def test_a_test_that_is_not_there_is_told(places: NamedPlaces, test: str) -> None:
    assert found(places, "a.py:1", test) == [
        f"there is no test {test!r} in the work: name it as `path::name`"
    ]


def test_the_lines_of_objections_and_statements_are_looked_up_too(places: NamedPlaces) -> None:
    said = Judgement(
        True, "so", objections=(Remark("unused", "a.py:7"),), statements=(Remark("it adds", "a.py:8"),)
    )
    assert [told.partition(",")[0] for told in places.faults(said, ())] == [
        "there is no 'a.py:7'",
        "there is no 'a.py:8'",
    ]
