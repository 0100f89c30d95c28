"""A check may look elsewhere than at the copy that it runs in: then it proves nothing."""

import shutil
from typing import Any, NamedTuple

import pytest
from tests.flows.installed import CASES, ELSEWHERE, Case
from tests.flows.support import SETTINGS, Project, done, write

NO_ROOM = f"{SETTINGS}room = false\n"
BLIND = "not proven: this check does not see what was changed"


def checked(project: Project, number: int = 1) -> list[dict[str, Any]]:
    """What the evidence of a task says of its check: in its copy, and on the merged work."""
    told = project.teamlead("evidence", str(number), "--json").json["evidence"]
    found = [item for item in told if item["kind"] in ("check", "whole")]
    assert [item["kind"] for item in found] == ["check", "whole"]
    return found


def counted(project: Project, command: str) -> str:
    return f"echo x >> {project.barrier('runs')}; {command}"


def runs(project: Project) -> int:
    return len(project.barrier("runs").read_text().split())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_check_that_passes_broken_work_gets_a_remark_and_no_tick(project: Project, case: Case) -> None:
    check = case.install(project)
    project.settings(f"{NO_ROOM}{case.settings}{case.without_room}")
    passes_broken_work(project, case, check)


@pytest.mark.parametrize("case", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_room_does_not_vouch_for_what_is_installed_from_elsewhere(
    owner: Project, rooms: None, case: Case
) -> None:
    passes_broken_work(owner, case, case.install(owner))


def passes_broken_work(project: Project, case: Case, check: str) -> None:
    started = project.task(1, case.attempt(case.broken), checks=[check]).start()
    assert project.outcomes(1) == ["accepted"]
    assert "but does not see what was changed" in started.err
    for item in checked(project):
        assert item["verdict"] == "flagged"
        assert BLIND in item["found"]
        assert any(case.source in detail for detail in item["details"])


class Seeing(NamedTuple):
    files: dict[str, str]
    source: str
    text: str
    check: str


SEEING = {
    "unittest": Seeing(
        {
            "shop/__init__.py": "",
            "shop/tax.py": "RATE = 12\n",
            "tests/__init__.py": "",
            "tests/test_tax.py": (
                "import unittest\nfrom shop import tax\n\n\nclass Tax(unittest.TestCase):\n"
                "    def test_rate(self):\n        self.assertTrue(tax.RATE)\n"
            ),
        },
        "shop/tax.py",
        "RATE = 13\n",
        "python3 -m unittest",
    ),
    "unittest, a module that nobody uses yet": Seeing(
        {"tax.py": "RATE = 12\n", "test_tax.py": "import tax\n"},
        "new.py",
        "RATE = 13\n",
        "python3 test_tax.py",
    ),
}
if shutil.which("node"):
    SEEING["node"] = Seeing(
        {"lib/tax.js": "exports.rate = 12;\n", "tax.test.js": 'require("./lib/tax");\n'},
        "lib/tax.js",
        "exports.rate = 13;\n",
        "node tax.test.js",
    )
if shutil.which("make") and shutil.which("cc"):
    SEEING["C with make"] = Seeing(
        {
            "Makefile": "test: test_tax\n\t./test_tax\n\ntest_tax: test_tax.c tax.c\n\tcc -o $@ $^\n",
            "tax.c": "int rate(void) { return 12; }\n",
            "test_tax.c": "int rate(void);\nint main(void) { return !rate(); }\n",
            ".gitignore": "test_tax\n",
        },
        "tax.c",
        "int rate(void) { return 13; }\n",
        "make test",
    )


@pytest.mark.parametrize("settings", [SETTINGS, NO_ROOM], ids=["room", "no room"])
@pytest.mark.parametrize("case", SEEING.values(), ids=SEEING)
def test_a_check_that_sees_its_copy_gets_its_tick(project: Project, settings: str, case: Seeing) -> None:
    project.commit("A shop", case.files)
    project.settings(settings)
    project.task(1, [write(case.source, case.text), done("Changed.")], checks=[case.check]).start()
    without = ["it ran without a room"] if settings == NO_ROOM else []
    assert [item["details"] for item in checked(project)] == [without, without]
    assert ("ran without a room" in project.teamlead("report").out) == bool(without)
    assert [item["verdict"] for item in checked(project)] == ["proven", "proven"]


@pytest.mark.parametrize("settings", [SETTINGS, NO_ROOM], ids=["room", "no room"])
def test_a_check_is_tried_with_garbage_once_in_a_session(project: Project, settings: str) -> None:
    project.commit("A shop", {"shop/__init__.py": "", "shop/tax.py": "RATE = 12\n"})
    project.settings(settings)
    check = counted(project, "true")
    for number in (1, 2):
        text = f"RATE = {number}\n"
        project.task(number, [write(f"shop/tax{number}.py", text), done("Changed.")], checks=[check])
    project.start()
    assert [item["verdict"] for item in checked(project, 2)] == ["flagged", "flagged"]
    # On the base, in each copy, on the merged work, and with garbage.
    assert runs(project) == 5


def test_a_change_of_documentation_is_left_out(project: Project) -> None:
    check = counted(project, "true")
    project.task(1, [write("README.md", "# A shop\n"), done("Told.")], checks=[check]).start()
    assert [item["verdict"] for item in checked(project)] == ["proven", "proven"]
    # On the base, in the copy, and on the merged work.
    assert runs(project) == 3
