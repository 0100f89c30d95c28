"""What speaks for and against a task's work, as its user sees it."""

import subprocess
import sys

from tests.flows.support import Project, done, run, write

GOOD = write("a.txt", "good\n")


def test_evidence_shows_each_item_with_a_command_that_repeats_it(project: Project) -> None:
    project.task(1, [GOOD], checks=["test -f a.txt"])
    assert project.start().code == 3

    shown = project.teamlead("evidence", "1")

    assert shown.code == 0
    assert "task-1" in shown.out
    assert "attempt 1: accepted" in shown.out
    found = {item["kind"]: item for item in project.teamlead("evidence", "1", "--json").json["evidence"]}
    assert list(found) == ["activity", "change", "scope", "report", "references", "check", "merged", "whole"]
    assert {item["verdict"] for item in found.values()} == {"proven", "unknown"}
    for kind in ("change", "scope", "merged"):
        command = found[kind]["command"]
        assert f"$ {command}" in shown.out
        subprocess.run(["/bin/sh", "-c", command], cwd=project.root, check=True, capture_output=True)


def test_an_earlier_attempt_has_its_own_evidence(project: Project) -> None:
    project.task(1, [done("all is done")], [GOOD])
    assert project.start().code == 3

    first = project.teamlead("evidence", "1", "--attempt", "1", "--json").json

    assert first["outcome"] == "refused"
    assert [(item["kind"], item["verdict"]) for item in first["evidence"]] == [
        ("activity", "flagged"),
        ("change", "refused"),
        ("report", "unknown"),
        ("references", "unknown"),
    ]
    assert project.teamlead("evidence", "1", "--attempt", "3").code == 4
    assert project.teamlead("evidence", "7").code == 4


def verdicts(project: Project, number: int, attempt: int = 0) -> dict[str, str]:
    options = ["--attempt", str(attempt)] if attempt else []
    items = project.teamlead("evidence", str(number), "--json", *options).json["evidence"]
    return {item["kind"]: item["verdict"] for item in items}


def test_an_investigation_that_looked_at_nothing_is_refused(project: Project) -> None:
    project.task(1, [done("everything is fine")], [run("cat README.md"), done("it is fine")], kind="research")

    assert project.start().code == 0

    assert project.outcomes(1) == ["refused", "accepted"]
    assert "no tool was used and nothing was changed" in project.prompt(1, 2)
    assert verdicts(project, 1, 1)["activity"] == "refused"


INVENTED = done("I looked at src/none.py:3 and at lib/other.py:9.")
HONEST = done("The title stands in README.md:1.")


def test_what_is_objected_to_goes_back_once_and_is_no_failure(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [GOOD, INVENTED], [HONEST])

    assert project.start().code == 3

    assert project.outcomes(1) == ["returned", "accepted"]
    assert "src/none.py" in project.prompt(1, 2)
    assert project.content(project.integration, "a.txt") == "good"


def test_a_person_may_accept_what_is_objected_to_twice(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [GOOD, INVENTED], [GOOD, INVENTED], [write("a.txt", "something else\n")])
    assert project.start().code == 3
    assert project.outcomes(1) == ["returned", "refused"]
    assert "accept" in project.teamlead("escalations").out

    assert project.resolve("accept").code == 0
    assert project.teamlead("resume").code == 3

    assert project.outcomes(1) == ["returned", "refused", "accepted"]
    assert project.content(project.integration, "a.txt") == "good", "no agent ran again"
    shown = project.teamlead("evidence", "1").out
    assert "accepted, as a person allowed" in shown
    assert "accepted by a person nevertheless" in project.teamlead("report").out
    assert "Worth a look" in project.teamlead("status").out
    assert "1 task with something worth a look first" in project.teamlead("status").out
    assert "worth a look: task-1" in project.teamlead("approve").out


def test_declared_outputs_have_to_exist(project: Project) -> None:
    project.task(1, [GOOD], [write("dist/app.js", "1\n")], fields=["Outputs: dist/*.js"])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert "nothing matches dist/*.js" in project.prompt(1, 2)
    assert verdicts(project, 1)["outputs"] == "proven"


PASSING = "def test_old():\n    assert True\n"
FAILING = "def test_old():\n    assert False\n"
PYTEST = f"{sys.executable} -B -m pytest -q -p no:cacheprovider"


def has_tests(project: Project, text: str) -> Project:
    project.commit("tests", {"test_it.py": text})
    return project


def test_a_failure_that_was_there_before_is_not_the_workers(project: Project) -> None:
    has_tests(project, FAILING).settings(f"retry_delay = 0\nchecks = ['{PYTEST}']\n")
    project.task(1, [GOOD])

    assert project.start().code == 3

    assert project.outcomes(1) == ["accepted"]
    assert verdicts(project, 1)["check"] == "flagged"
    assert "it failed before this change, too" in project.teamlead("report").out


def test_a_new_failure_is_named_and_refused(project: Project) -> None:
    has_tests(project, PASSING)
    project.task(1, [GOOD, write("test_it.py", FAILING)], [write("test_it.py", PASSING)], checks=[PYTEST])

    assert project.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert "new failures: test_it.py::test_old" in project.prompt(1, 2)


def test_a_flaky_test_is_repeated_and_flagged(project: Project) -> None:
    mark = project.barrier("mark")
    flaky = f"import pathlib\ndef test_old():\n    mark = pathlib.Path({str(mark)!r})\n"
    flaky += "    seen = mark.exists()\n    mark.touch()\n    assert seen\n"
    has_tests(project, PASSING)
    project.task(1, [GOOD, write("test_new.py", flaky)], checks=[PYTEST])

    assert project.start().code == 3

    assert project.outcomes(1) == ["accepted"]
    assert "failed, and passed when repeated: test_new.py::test_old" in project.teamlead("evidence", "1").out


def test_a_test_that_vanished_goes_back(project: Project) -> None:
    has_tests(project, PASSING + "\n\ndef test_other():\n    assert True\n")
    project.task(
        1,
        [GOOD, write("test_it.py", "def test_other():\n    assert True\n")],
        [write("test_it.py", PASSING + "\n\ndef test_other():\n    assert True\n")],
        checks=[PYTEST],
    )

    assert project.start().code == 3

    assert project.outcomes(1) == ["returned", "accepted"]
    assert "test_old" in project.prompt(1, 2)


def test_a_summary_that_contradicts_the_change_is_flagged(project: Project) -> None:
    project.task(1, [GOOD, done("I rewrote src/server.py and updated a.txt.")])

    assert project.start().code == 3

    assert project.outcomes(1) == ["accepted"]
    assert verdicts(project, 1)["claims"] == "flagged"
    assert "said to be changed, and not changed: src/server.py" in project.teamlead("report").out
    assert "claims" in project.teamlead("status").out
