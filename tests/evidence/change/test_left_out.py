"""Functions that a task wants changed with others, and that were left as they were."""

from pathlib import Path

import pytest
from tests.evidence.change.repository import Files, Repository

from teamlead.evidence.change.left_out import examine_left_out

GO = (
    "package ids\n\nfunc Parse(s string) error {\n\treturn plain(s)\n}\n\n"
    "func ParseBytes(b []byte) error {\n\treturn raw(b)\n}\n\n"
    "func plain(s string) error {\n\treturn nil\n}\n\n"
    "func raw(b []byte) error {\n\treturn nil\n}\n"
)
GO_HALF = GO.replace("return plain(s)", 'if s == "" {\n\t\treturn empty\n\t}\n\treturn plain(s)')
PYTHON = (
    "LIMITS = [\n    1,\n]\n\n\ndef load(text):\n    return text\n\n\n"
    "def load_file(path):\n    return path\n\n\n"
    "def load_all(paths):\n    return [LIMITS, *map(load, paths)]\n"
)
PYTHON_HALF = PYTHON.replace("return text", "return text.strip()")
SCRIPT = (
    "exports.trimLeft = function (s) {\n  return s\n}\nexports.trimRight = (s) => {\n  return s\n}\n"
    "class Text {\n  padEnd(s) {\n    return s\n  }\n}\nexports.Text = Text\n"
)
SCRIPT_HALF = SCRIPT.replace(
    "  return s\n}\nexports.trimRight", "  return s.trimStart()\n}\nexports.trimRight"
)


def left_out(
    root: Path,
    base: Files,
    files: Files,
    description: str,
    text: str = "Done.",
    *,
    title: str = "Empty input",
) -> list[str]:
    repository = Repository(root / "r", base)
    spec = {"title": title, "description": description}
    claim = repository.claim(repository.commit(files), spec=spec, text=text)
    items = list(examine_left_out(repository.git, claim, repository.texts(claim)))
    assert all(item.verdict == "flagged" and item.question for item in items)
    return [detail.partition(":")[0] for item in items for detail in item.details]


@pytest.mark.parametrize(
    ("name", "base", "half", "told"),
    [
        ("ids.go", GO, GO_HALF, ("It is refused, in `Parse` and in `ParseBytes`.", "ParseBytes")),
        ("ids.go", GO, GO_HALF, ("`ParseBytes` and `Parse` refuse it.", "ParseBytes")),
        ("load.py", PYTHON, PYTHON_HALF, ("load() and load_file() strip what they get", "load_file")),
        ("load.py", PYTHON, PYTHON_HALF, ("`load` strips. `load_file` must strip, too.", "load_file")),
        ("trim.js", SCRIPT, SCRIPT_HALF, ("`trimLeft`, `trimRight` take white space away", "trimRight")),
        ("trim.js", SCRIPT, SCRIPT_HALF, ("`trimLeft` and `Text.padEnd` take white space away", "padEnd")),
        ("trim.js", SCRIPT, SCRIPT_HALF, ("`trimLeft` と `trimRight` は空白を取り除く", "trimRight")),
    ],
)
def test_one_of_several_that_the_work_leaves_as_it_was_is_asked_about(
    tmp_path: Path, name: str, base: str, half: str, told: tuple[str, str]
) -> None:
    description, found = told

    assert left_out(tmp_path, {name: base}, {name: half}, description) == [found]


def test_what_the_agent_says_of_both_counts_where_the_task_names_them(tmp_path: Path) -> None:
    description = "`Parse` takes it. So does `ParseBytes`."

    assert left_out(tmp_path / "quiet", {"a.go": GO}, {"a.go": GO_HALF}, description) == []
    said = "`Parse` and `ParseBytes` refuse it."
    assert left_out(tmp_path, {"a.go": GO}, {"a.go": GO_HALF}, description, said) == ["ParseBytes"]


@pytest.mark.parametrize(
    ("name", "base", "after", "description"),
    [
        ("a.py", PYTHON, PYTHON_HALF, "`load` and `load_all` strip"),
        ("a.py", PYTHON, PYTHON.replace("    1,", "    2,"), "`LIMITS` and `load_all` change"),
        ("a.py", PYTHON, PYTHON_HALF, "`load` strips, `load_file` stays as it is"),
        ("a.py", PYTHON, PYTHON_HALF, "`load` and `load_file` must not strip"),
        ("a.py", PYTHON, PYTHON_HALF, "`load` strips like `load_file`"),
        ("a.py", PYTHON, PYTHON_HALF, "`load` and `nowhere` strip"),
        ("a.py", PYTHON, PYTHON_HALF.replace("strip()", "strip(load_file)"), "`load` and `load_file` strip"),
        (
            "a.go",
            GO,
            GO.replace("func raw(b []byte) error {", "func raw(b []byte) error {\n\t_ = plain"),
            "`raw` and `ParseBytes` refuse it",
        ),
        ("a.go", GO, GO, "`Parse` and `ParseBytes` refuse it"),
    ],
    ids=[
        "calls it",
        "reads it",
        "stays",
        "must not",
        "like it",
        "stands nowhere",
        "is called",
        "calls go",
        "nothing",
    ],
)
def test_what_is_reached_or_is_to_stay_is_left_alone(
    tmp_path: Path, name: str, base: str, after: str, description: str
) -> None:
    assert left_out(tmp_path, {name: base}, {name: after}, description) == []


def test_one_that_a_changed_test_touches_is_shown_to_do_it(tmp_path: Path) -> None:
    tests = {"a_test.go": "package ids\n\nfunc TestBytes(t *testing.T) {\n\tParseBytes(nil)\n}\n"}

    assert (
        left_out(tmp_path, {"a.go": GO}, {"a.go": GO_HALF, **tests}, "`Parse` and `ParseBytes` refuse it")
        == []
    )


def test_conditions_of_scripts_are_no_functions_that_others_reach(tmp_path: Path) -> None:
    script = "exports.parse = function parse(s) {\n  if (s) {\n    return s\n  }\n  return ''\n}\n"
    beside = (
        f"{script}\nfunction begins(c, on) {{\n  if (on) {{\n    return c === '#'\n  }}\n  return false\n}}\n"
    )

    assert left_out(tmp_path, {"a.js": script}, {"a.js": beside}, "", title="parse(): an option") == ["parse"]


BESIDE = "\n\ndef begins_comment(text, comments=True):\n    return comments and text.startswith('#')\n"


@pytest.mark.parametrize(
    ("title", "after", "found"),
    [
        ("load(): an option to keep comments", PYTHON + BESIDE, ["load"]),
        ("An option of `load(text, comments)`", PYTHON + BESIDE, ["load"]),
        ("load() and load_file() take comments", PYTHON + BESIDE, ["load", "load_file"]),
        ("load_all() takes comments", PYTHON_HALF + BESIDE, []),
        ("load_all(): other limits", PYTHON.replace("    1,", "    2,"), []),
        ("load() takes comments", PYTHON_HALF + BESIDE, []),
        ("begins_comment() beside load()", PYTHON + BESIDE, []),
        ("Load without comments", PYTHON + BESIDE, []),
        ("load() stays as it is, comments can be found", PYTHON + BESIDE, []),
    ],
)
def test_a_function_of_the_title_that_nothing_reaches_is_asked_about_though_its_tests_name_it(
    tmp_path: Path, title: str, after: str, found: list[str]
) -> None:
    tests = {"test_load.py": "def test_load():\n    assert load.begins_comment('#')\n"}

    assert left_out(tmp_path, {"a.py": PYTHON}, {"a.py": after, **tests}, "", title=title) == found
