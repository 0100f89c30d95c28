"""What speaks for and against a task's work, as its user sees it."""

import subprocess

from tests.flows.support import Project, done, write

GOOD = write("a.txt", "good\n")


def test_evidence_shows_each_item_with_a_command_that_repeats_it(project: Project) -> None:
    project.task(1, [GOOD], checks=["test -f a.txt"])
    assert project.start().code == 3

    shown = project.teamlead("evidence", "1")

    assert shown.code == 0
    assert "task-1" in shown.out
    assert "attempt 1: accepted" in shown.out
    found = {item["kind"]: item for item in project.teamlead("evidence", "1", "--json").json["evidence"]}
    assert list(found) == ["activity", "change", "scope", "check", "merged"]
    assert {item["verdict"] for item in found.values()} == {"proven"}
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
        ("activity", "proven"),
        ("change", "refused"),
    ]
    assert project.teamlead("evidence", "1", "--attempt", "3").code == 4
    assert project.teamlead("evidence", "7").code == 4
