"""What is made garbage to see whether a check looks at it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from teamlead.evidence.negative_control import GARBAGE, LATER, Garbled, choose, garble

PYTHON = {
    "pyproject.toml": "",
    "src/shop/__init__.py": "",
    "src/shop/tax.py": "",
    "src/shop/deep/__init__.py": "",
    "src/shop/deep/rates.py": "",
    "tests/test_tax.py": "from shop.tax import gross",
    "README.md": "",
}
FLAT = {
    "tax.js": "",
    "till.js": "",
    "tests/tax.test.js": 'require("../tax")',
    "tests/till.test.js": 'require("../till"); require("../tax")',
}
TWO = {
    "web/package.json": "",
    "web/lib/index.js": "",
    "web/lib/index.test.js": 'require("lib")',
    "server/go.mod": "",
    "server/rates.go": "",
    "server/rates_test.go": "rates",
}


def chosen(files: dict[str, str], *changed: str, command: str = "make test") -> Garbled | None:
    def read(paths: Sequence[str]) -> Iterable[str]:
        return [files[path] for path in paths]

    return choose(command, changed, [*files], read)


@pytest.mark.parametrize(
    ("changed", "paths"),
    [
        (["src/shop/tax.py"], ("src/shop/__init__.py", "src/shop/tax.py")),
        (["src/shop/deep/rates.py"], ("src/shop/__init__.py", "src/shop/deep/rates.py")),
        (["tests/test_tax.py"], ("src/shop/__init__.py",)),
        (["tests/test_tax.py", "src/shop/tax.py"], ("src/shop/__init__.py", "src/shop/tax.py")),
        (["src/shop/tax.py", "README.md", "pyproject.toml"], ("src/shop/__init__.py", "src/shop/tax.py")),
    ],
)
def test_it_is_what_was_changed_and_what_is_loaded_before_it_but_no_test(
    changed: list[str], paths: tuple[str, ...]
) -> None:
    assert chosen(PYTHON, *changed) == Garbled("", paths)


def test_without_a_package_it_is_the_source_that_the_most_tests_name() -> None:
    assert chosen({**FLAT, "new.js": ""}, "new.js") == Garbled("", ("tax.js", "new.js"))


def test_an_example_of_use_does_not_stand_in_for_what_the_tests_load() -> None:
    files = {
        "index.js": "",
        "example/parse.js": "",
        "test/parse.js": "const parse = require('../');",
        "test/num.js": "const parse = require('..'); parse([])",
    }
    assert chosen(files, "test/num.js") == Garbled("", ("index.js",))


@pytest.mark.parametrize("changed", [["README.md"], ["docs/guide.txt", "CHANGELOG.md"], []])
def test_documentation_alone_is_nothing_for_a_check_to_see(changed: list[str]) -> None:
    assert chosen(PYTHON, *changed) is None


@pytest.mark.parametrize("path", ["package.json", "jest.config.js", ".github/build.py", "Makefile", "a.toml"])
def test_what_steers_a_check_is_left_as_it_is(path: str) -> None:
    assert chosen({path: ""}, path) is None


@pytest.mark.parametrize("command", ["node tax.js", "cat ./tax.js", "test -s tax.js && true"])
def test_a_file_that_the_command_names_is_seen_in_any_case(command: str) -> None:
    assert chosen({"tax.js": ""}, "tax.js", command=command) is None


def test_where_the_command_names_all_that_was_changed_no_other_file_stands_in() -> None:
    command = "! grep -n LEAST src/shop/tax.py"
    assert chosen(PYTHON, "src/shop/tax.py", "README.md", command=command) is None
    assert chosen(PYTHON, "src/shop/tax.py", "src/shop/new.py", command=command) is not None


def test_a_deleted_file_is_no_file_to_write_to() -> None:
    assert chosen({"a.py": ""}, "gone.py") is None


@pytest.mark.parametrize(
    ("changed", "garbled"),
    [
        (["web/lib/index.js"], Garbled("web", ("web/lib/index.js",))),
        (["server/rates.go"], Garbled("server", ("server/rates.go",))),
        (["web/lib/index.js", "server/rates.go"], Garbled("", ("server/rates.go", "web/lib/index.js"))),
    ],
)
def test_it_is_looked_for_in_the_project_that_was_changed(changed: list[str], garbled: Garbled) -> None:
    found = chosen(TWO, *changed)
    assert found is not None
    assert found._replace(paths=tuple(sorted(found.paths))) == garbled


def test_garbage_is_newer_than_any_cache_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("")
    before = file.stat().st_mtime_ns
    assert garble(tmp_path, ["a.py", "gone.py"]) == ("a.py",)
    assert file.read_bytes() == GARBAGE
    assert file.stat().st_mtime_ns >= before + LATER * 10**9


def test_garbage_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "a.py").write_text("of the user")
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "link.py").symlink_to(tmp_path / "user" / "a.py")
    (copy / "folder").symlink_to(tmp_path / "user")
    assert garble(copy, ["link.py", "folder/a.py"]) == ()
    assert (tmp_path / "user" / "a.py").read_text() == "of the user"
