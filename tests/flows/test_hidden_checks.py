"""A hidden check decides, and no word of it reaches an agent: through the real command."""

from tests.flows.support import Project, run, write

SECRET = "hidden-oracle"


def test_an_agent_hears_only_that_a_hidden_check_fails(project: Project) -> None:
    project.settings("")
    oracle = project.barriers / f"{SECRET}.sh"
    oracle.write_text("echo 'the oracle wants right' >&2\ngrep -q right a.txt\n")
    project.task(
        1,
        [write("a.txt", "wrong\n")],
        [run("true"), write("a.txt", "right\n")],
        checks=("test -e a.txt",),
        fields=(f"Hidden checks: `sh {oracle}`",),
    )
    assert project.start().code == 3
    assert project.outcomes(1) == ["refused", "accepted"]
    for number in (1, 2):
        told = project.prompt(1, number)
        assert SECRET not in told
        assert "oracle" not in told
    assert "a hidden check fails" in project.prompt(1, 2)
    assert "`test -e a.txt`" in project.prompt(1, 2)
    evidence = project.teamlead("evidence", "1", "--attempt", "1").out
    assert f"sh {oracle}` passes, which no agent knows of" in evidence


def test_in_a_room_an_agent_reads_neither_a_hidden_check_nor_the_plan_that_names_it(project: Project) -> None:
    project.settings("")
    oracle = project.barriers / f"{SECRET}.sh"
    oracle.write_text("grep -q open a.txt && ! grep -rq hidden-oracle .\n")
    plan = project.barriers / "plan.md"
    project.task(
        1,
        [run(f"(cat {oracle} {plan}; echo open) > a.txt 2>&1 || true")],
        checks=("test -e a.txt",),
        fields=(f"Hidden checks: `sh {oracle}`",),
    )
    plan.write_text(project.plan.read_text())
    assert project.teamlead("start", plan, "--agent", f"scripted:{project.script}").code == 3
    assert project.outcomes(1) == ["accepted"]
    assert project.teamlead("approve").code == 0
    assert (project.root / "a.txt").read_text() == "open\n"


def test_work_in_what_is_protected_is_refused(project: Project) -> None:
    project.task(
        1,
        [write("src/a.txt", "a\n"), write("shared.txt", "mine\n")],
        [run("true"), write("shared.txt", "one\ntwo\nthree\n")],
        fields=("Protect: shared.txt, tests/",),
    )
    assert project.start().code == 3
    assert project.outcomes(1) == ["refused", "accepted"]
    told = "changed what the task has to leave as it is (shared.txt, tests/): shared.txt: undo these changes"
    assert told in project.prompt(1, 2)
    assert "- but not shared.txt, tests/: read it, and leave it as it is" in project.prompt(1, 1)


def test_a_tracked_plan_with_hidden_checks_is_told_to_be_readable_for_agents(project: Project) -> None:
    text = "# Plan\n\n### 1. One\n- Scope: a.txt\n- Checks: `true`\n- Hidden checks: `sh checks/oracle.sh`\n"
    project.commit("a plan", {"plan.md": text, "checks/oracle.sh": "true\n"})
    told = project.teamlead("plan", "check", "plan.md").out
    assert "plan.md:6: warning: git tracks this plan, which has hidden checks: agents can read them" in told
    assert "plan.md:6: warning: git tracks 'checks/oracle.sh' of a hidden check" in told
    project.task(1, [write("a.txt", "a\n")])
    started = project.teamlead("start", "plan.md", "--agent", f"scripted:{project.script}")
    assert "git tracks this plan, which has hidden checks" in started.err
