"""Tests of a check that tells numbers only: which ones there are is found out all the same."""

import re
import sys

from tests.flows.support import Project, run, write

PYTEST = f"{sys.executable} -B -m pytest -q -p no:cacheprovider"
HARD = "from calc import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
EASY = "def test_name():\n    assert str(1) == '1'\n"
CALC = "def half(number):\n    return number / 2\n"


def shop(project: Project) -> Project:
    project.commit("tests", {"calc.py": CALC, "test_calc.py": HARD, "test_other.py": EASY})
    return project


def test_a_test_removed_and_another_added_is_not_even(project: Project) -> None:
    added = write("test_new.py", EASY.replace("test_name", "test_more"))
    wrong = write("test_calc.py", "from calc import half\n")
    shop(project).task(1, [wrong, added], [write("test_calc.py", HARD)], checks=[PYTEST])

    assert project.start().code == 3

    assert project.outcomes(1) == ["returned", "accepted"]
    shown = project.teamlead("evidence", "1", "--attempt", "1").out
    assert "passed (2 passed) but tests that ran before do not any more" in shown
    assert "gone: test_calc.py::test_half" in shown
    assert "gone: test_calc.py::test_half" in project.prompt(1, 2)


def test_code_that_ends_the_program_before_its_tests_is_objected_to(project: Project) -> None:
    ends = "import os\n\nos._exit(0)\n"
    shop(project).task(
        1, [write("calc.py", ends)], [write("calc.py", f"{CALC}\n\nTWO = 2\n")], checks=[PYTEST]
    )

    assert project.start().code == 3

    assert project.outcomes(1) == ["returned", "accepted"]
    assert "gone: 2 tests before, none now" in project.prompt(1, 2)


def test_a_file_in_the_place_of_the_test_program_is_objected_to(project: Project) -> None:
    forged = "print('2 passed in 0.01s')\n"
    wrong = write("calc.py", CALC.replace("/ 2", "/ 3"))
    mended = [write("calc.py", f"{CALC}\n\nTWO = 2\n"), run("rm pytest.py")]
    shop(project).task(1, [wrong, write("pytest.py", forged)], mended, checks=[PYTEST])

    assert project.start().code == 3

    assert project.outcomes(1) == ["returned", "accepted"]
    assert "pytest.py is loaded in the place of 'pytest': give it another name" in project.prompt(1, 2)


def test_where_names_cannot_be_asked_for_it_is_said(project: Project) -> None:
    terse = "#!/bin/sh\necho 'Ran 2 tests in 0.1s'\necho OK\n"
    project.commit("a script", {"run": terse})
    project.task(1, [write("a.txt", "good\n")], checks=["sh run"])

    assert project.start().code == 3

    shown = project.teamlead("evidence", "1").out
    assert "tests were compared by number only: there is no known way to ask unittest for names" in shown


def test_what_ran_for_names_is_not_run_again_and_what_did_is_told_with_its_cost(project: Project) -> None:
    more = f"{HARD}\n\ndef test_half_of_six():\n    assert half(6) == 3\n"
    shop(project).task(
        1, [write("calc.py", f"{CALC}\n\nTWO = 2\n"), write("test_calc.py", more)], checks=[PYTEST]
    )

    assert project.start().code == 3

    further = project.teamlead("evidence", "1", "--json").json["further_runs"]
    runs = {cost["of"]: cost["runs"] for cost in further["costs"]}
    # On the base, it was asked for names when tests were compared.
    assert runs["frozen harness"] == 1
    assert further["runs"] == sum(runs.values())
    told = rf"\n{further['runs']} further runs in [\d.]+ s \(frozen harness 1 in [\d.]+ s, .*\); its checks "
    assert re.search(told, project.teamlead("evidence", "1").out)
