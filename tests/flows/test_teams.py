"""A team from a preset works through its stages to the gate."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.flows.support import Project, Step, append, done, run, wait_for, write

from teamlead.core.model import TaskForm, TaskSpec
from teamlead.rehearsal.made_up_work import rehearsed_report

FAULT = "a bug: shared.txt says two"
MEMBERS: dict[int, tuple[str, TaskForm]] = {
    1: ("code-explorer", "exploration"),
    2: ("qa-engineer", "review"),
    3: ("system-architect", "design"),
    4: ("backend-specialist", "implementation"),
    5: ("qa-engineer", "review"),
    6: ("security-auditor", "review"),
}


FAULTY = """\
| finding | category | severity | file:line | evidence | suggestion | confidence |
| --- | --- | --- | --- | --- | --- | --- |
| it says 2, and not two | bug | critical | `shared.txt:2` | `2` | write it out | 70 |
"""


def handed_in(number: int, words: str = "") -> Step:
    """`words`: in the place of findings that there are none of."""
    role, form = MEMBERS[number]
    report = rehearsed_report(TaskSpec(f"task-{number}", f"Part {number}", role=role, form=form))
    before, _, after = report.partition("### Key References")
    kept = before.replace("None.", "") if words.startswith("|") else before
    return done(f"{kept.rstrip()}\n\n{words}\n\n### Key References{after}" if words else report)


def bugfix(project: Project, **runs: Sequence[list[Step]]) -> Project:
    """What its six tasks do, in their order: analyst, tester, designer, fixer, tester, reviewer."""
    look = run("cat README.md")
    for number in MEMBERS:
        usual = [
            [look, *([write("shared.txt", "one\n2\nthree\n")] if number == 4 else []), handed_in(number)]
        ]
        project.plays(f"task-{number}", *runs.get(f"task_{number}", usual))
    return project


def bodies(project: Project, *kinds: str) -> list[dict[str, Any]]:
    return [event["body"] for event in project.events() if event["kind"] in kinds]


def test_the_bugfix_team_works_from_a_keyword_to_the_users_branch(project: Project) -> None:
    bugfix(project)

    ended = project.start_team(FAULT)

    assert ended.code == 3, ended.out + ended.err
    assert "bugfix fits: bug" in ended.err
    assert set(project.states().values()) == {"DONE"}
    assert project.teamlead("approve").code == 0
    assert project.content("main", "shared.txt") == "one\n2\nthree"


def test_the_team_is_formed_then_the_session_then_the_leader_comes_then_members_begin(
    project: Project,
) -> None:
    bugfix(project)
    assert project.start_team(FAULT, "--team", "bugfix").code == 3

    kinds = [event["kind"] for event in project.events()]
    order = [kinds.index(kind) for kind in ("TeamFormed", "SessionOpened", "LeaderStarted", "AttemptStarted")]
    assert order == sorted(order)
    assert order[0] == 0
    (formed,) = bodies(project, "TeamFormed")
    assert formed["team"]["name"] == project.session
    assert formed["team"]["members"][0] == {"name": "leader", "role": "leader", "agent": "engine"}
    assert [each["name"] for each in formed["team"]["members"][1:]] == [
        "analyst",
        "tester",
        "designer",
        "fixer",
        "reviewer",
    ]


def test_stages_follow_each_other_and_the_phases_follow_them(project: Project) -> None:
    bugfix(project)
    assert project.start_team(FAULT).code == 3

    opened = [body["stage"] for body in bodies(project, "StageOpened")]
    assert opened == ["ANALYZING", "PLANNING", "EXECUTING", "REVIEWING"]
    phases = [body["phase"] for body in bodies(project, "PhaseChanged")]
    assert phases == [*opened, "AWAITING_APPROVAL"]


def findings(project: Project, name: str) -> str:
    return (project.root / ".teamlead" / "sessions" / project.session / "findings" / name).read_text()


def test_what_each_stage_found_is_joined_by_its_cards_as_it_was_handed_in(project: Project) -> None:
    cause = "#### Card: Cause\nThe letter `2` was never  typed.\n\n- nor was two"
    bugfix(project, task_1=[[run("cat README.md"), handed_in(1, cause)]])
    assert project.start_team(FAULT).code == 3

    analysis = findings(project, "analysis.md")
    assert (
        "### cause\n\n#### analyst (task-1)\n\nThe letter `2` was never  typed.\n\n- nor was two\n"
        in analysis
    )
    assert "#### tester (task-2)\n\nRehearsed: Part 2" in analysis
    assert "below a heading of this name: way to reproduce it, what it affects." in analysis
    assert all(findings(project, name) for name in ("design.md", "implementation.md", "review.md"))


def test_a_file_of_findings_that_a_member_leaves_is_its_findings_and_is_never_merged(
    project: Project,
) -> None:
    look = run("cat README.md")
    left = write(".party/findings/analysis.md", "#### cause\n\nNobody typed  two.\n")
    report = write("findings/implementation.md", handed_in(4)["done"])
    mends = write("shared.txt", "one\n2\nthree\n")
    bugfix(
        project,
        task_1=[[look, left, handed_in(1)]],
        task_4=[[look, mends, report, done("It is in findings/implementation.md.")]],
    )
    assert project.start_team(FAULT).code == 3

    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"
    assert [project.details_of(number)["attempts_total"] for number in MEMBERS] == [1] * 6
    assert "### cause\n\n#### analyst (task-1)\n\nNobody typed  two.\n" in findings(project, "analysis.md")
    assert "Nobody typed  two." in project.prompt(3, 1)
    assert "Rehearsed: Part 4" in findings(project, "implementation.md")
    assert sorted(project.files(project.integration)) == ["README.md", "shared.txt"]
    assert all(not project.details_of(number)["trespasses"] for number in MEMBERS)
    assert project.status()["session"]["kept_total"] == 0


def test_what_a_stage_found_is_shown_when_it_closes_and_lies_there_before_the_next_begins(
    project: Project,
) -> None:
    gate = project.barrier("go")
    bugfix(project, task_3=[[run("cat README.md"), wait_for(gate), handed_in(3)]])
    leader = project.background("start", FAULT, "--agent", f"scripted:{project.script}")
    leader.says(
        "stage ANALYZING: every task is settled; analyst: Rehearsed: Part 1; tester: Rehearsed: Part 2"
    )
    leader.says("task-3: attempt 1 starts")

    assert "Rehearsed: Part 1" in findings(project, "analysis.md")
    shown = project.teamlead("status").out
    assert "  ANALYZING (closed): analyst DONE, tester DONE\n    analyst: Rehearsed: Part 1\n" in shown
    assert "  PLANNING (open, 1 of 1 left): designer RUNNING\n" in shown
    gate.touch()
    assert leader.end().code == 3
    report = project.teamlead("report", "--json").json
    assert [each["member"] for each in report["stages"][0]["findings"]] == ["analyst", "tester"]


def test_a_critical_finding_sends_the_work_back_and_a_person_is_asked_when_it_stands_too_often(
    project: Project,
) -> None:
    look = run("cat README.md")
    found = [look, handed_in(6, FAULTY)]
    first = [look, write("shared.txt", "one\n2\nthree\n"), handed_in(4)]
    again = [look, append("shared.txt", "more\n"), handed_in(4)]
    bugfix(project, task_4=[first, again], task_6=[found])

    assert project.start_team(FAULT).code == 3

    assert len(bodies(project, "StageSentBack")) == 3
    assert project.details_of(4)["attempts_total"] == 4
    assert project.details_of(1)["attempts_total"] == project.details_of(3)["attempts_total"] == 1
    assert "it says 2, and not two" in project.prompt(4, 2)
    (question,) = project.status()["session"]["questions"]
    assert question["kind"] == "stage"
    assert "although it sent work back 3 times" in question["reason"]

    assert project.resolve("go on").code == 0
    assert project.teamlead("resume").code == 3
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"


def test_a_finding_that_is_mended_is_sent_back_once(project: Project) -> None:
    look = run("cat README.md")
    mends = [look, write("shared.txt", "one\ntwo!\nthree\n"), handed_in(4)]
    first = [look, write("shared.txt", "one\n2\nthree\n"), handed_in(4)]
    bugfix(project, task_4=[first, mends], task_6=[[look, handed_in(6, FAULTY)], [look, handed_in(6)]])

    assert project.start_team(FAULT).code == 3

    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"
    assert project.content(project.integration, "shared.txt") == "one\ntwo!\nthree"
    tries = [project.details_of(number)["attempts_total"] for number in MEMBERS]
    assert tries == [1, 1, 1, 2, 2, 2]


def until_approval(project: Project) -> None:
    """Its fixer adds something in each attempt."""
    first = [run("cat README.md"), write("shared.txt", "one\n2\nthree\n"), handed_in(4)]
    again = [run("cat README.md"), append("shared.txt", "more\n"), handed_in(4)]
    bugfix(project, task_4=[first, again])
    assert project.start_team(FAULT).code == 3


@pytest.mark.parametrize(
    ("stage", "tries"),
    [
        ("ANALYZING", [2, 2, 2, 2, 2, 2]),
        ("planning", [1, 1, 2, 2, 2, 2]),
        ("", [1, 1, 1, 2, 2, 2]),
        ("REVIEWING", [1, 1, 1, 1, 2, 2]),
    ],
)
def test_a_revision_runs_a_stage_and_what_was_built_on_it_again(
    project: Project, stage: str, tries: list[int]
) -> None:
    until_approval(project)
    shown = project.tip(project.integration)

    options = ["--from", stage] if stage else []
    assert project.teamlead("revise", "take the other way", *options).code == 0
    assert project.teamlead("resume").code == 3

    assert [project.details_of(number)["attempts_total"] for number in MEMBERS] == tries
    assert "take the other way" in project.prompt(tries.index(2) + 1, 2)
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"
    if stage != "REVIEWING":
        stale = project.teamlead("approve", "--commit", shown)
        assert stale.code == 5
        assert "came in since then" in stale.err


def test_what_a_fourth_revision_is_wanted_of_has_failed(project: Project) -> None:
    until_approval(project)
    for number in range(3):
        assert project.teamlead("revise", f"no, {number}", "--from", "REVIEWING").code == 0
        assert project.teamlead("resume").code == 3
    assert project.teamlead("revise", "still not").code == 0

    session = project.status()["session"]
    assert session["phase"] == "FAILED"
    assert session["phase_reason"] == "it was revised 3 times, and is still not what is wanted: still not"


def test_a_rejected_session_may_go_with_its_branches_and_what_they_held_is_kept(project: Project) -> None:
    until_approval(project)
    held = project.tip(project.integration)
    before = project.users_things()

    assert project.teamlead("reject", "--rollback").code == 0

    assert project.status()["session"]["phase"] == "ROLLED_BACK"
    assert [name for name in project.refs() if name.startswith("refs/heads/teamlead/")] == []
    kept = f"refs/teamlead/kept/{project.session}/integration/rolled-back"
    assert project.refs()[kept] == held
    assert "integration/rolled-back" in project.teamlead("salvage", "list").out
    assert project.users_things() == before


def asked(project: Project) -> list[dict[str, Any]]:
    folder = project.root / ".teamlead" / "sessions" / project.session / "approvals"
    return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


def test_what_the_user_was_asked_to_approve_is_kept_with_its_commit_and_their_answer(
    project: Project,
) -> None:
    until_approval(project)
    (first,) = asked(project)
    assert (first["status"], first["commit"]) == ("pending", project.tip(project.integration))
    assert first["task"] == FAULT
    assert [each["name"] for each in first["stages"]] == ["ANALYZING", "PLANNING", "EXECUTING", "REVIEWING"]
    assert first["stages"][0]["findings"][0]["text"].startswith("Rehearsed: Part 1")
    assert [(each["task"], each["paths"]) for each in first["files"]] == [("task-4", ["shared.txt"])]

    assert project.teamlead("revise", "more of it").code == 0
    assert project.teamlead("resume").code == 3
    assert project.teamlead("approve").code == 0
    before, after = asked(project)
    assert before == {**first, "status": "revised", "answer": "more of it"}
    assert after["status"] == "approved"
    assert after["commit"] != before["commit"]


def test_a_revision_says_what_it_cannot_be(project: Project) -> None:
    bugfix(project)
    assert project.start_team(FAULT).code == 3
    unknown = project.teamlead("revise", "another way", "--from", "TESTING")
    assert unknown.code == 4
    assert "its stages: ANALYZING, PLANNING, EXECUTING, REVIEWING" in unknown.err
    assert project.teamlead("revise", " ").code == 5
    assert project.teamlead("approve").code == 0
    late = project.teamlead("revise", "another way")
    assert late.code == 5
    assert "has ended" in late.err


def test_a_stage_with_something_missing_does_not_close_without_the_users_word(project: Project) -> None:
    lazy = [handed_in(1)]
    bugfix(project, task_1=[lazy, lazy, [run("cat README.md"), handed_in(1)]])

    assert project.start_team(FAULT).code == 3

    (question,) = project.status()["session"]["questions"]
    assert question["kind"] == "stage"
    assert "task-1 (analyst: ANALYZING), without anybody's word" in question["reason"]
    assert project.states()["task-3"] == "READY"
    assert [body["stage"] for body in bodies(project, "StageOpened")] == ["ANALYZING"]

    assert project.resolve("retry").code == 0
    assert project.teamlead("resume").code == 3
    assert project.states()["task-1"] == "DONE"
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"


def test_a_stage_in_which_nobody_handed_in_anything_does_not_close_without_the_users_word(
    project: Project,
) -> None:
    gate = project.barrier("go")
    bugfix(project, task_3=[[run("cat README.md"), wait_for(gate), handed_in(3)]])
    leader = project.background("start", FAULT, "--agent", f"scripted:{project.script}")
    leader.says("task-3: attempt 1 starts")
    assert project.teamlead("skip", "3", "--reason", "no design is needed").code == 0
    gate.touch()
    assert leader.end().code == 3

    (question,) = project.status()["session"]["questions"]
    assert "nobody has handed in anything for design" in question["reason"]
    assert project.resolve("go on").code == 0
    assert project.teamlead("resume").code == 3
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"


def test_a_task_that_no_team_fits_starts_nothing_and_names_the_command_that_would(project: Project) -> None:
    project.plays("default", [run("cat README.md")])
    ended = project.start_team("write a sonnet")
    assert ended.code == 3
    assert "This team is proposed; nothing was started" in ended.err
    assert "teamlead start --team proposed 'write a sonnet'" in ended.err
    assert project.sessions == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--team", "bugfx", "mend it"], "did you mean 'bugfix'?"),
        (["--team", "bugfix", "README.md"], "'README.md' is a file"),
        (["--team", "bugfix"], "--team goes with a task in words"),
        (["--team", "bugfix", " "], "the task is empty"),
        (["missing.md"], "missing.md"),
        (["docs/missing"], "docs/missing"),
    ],
)
def test_what_is_wrong_with_a_start_is_told_and_nothing_is_there(
    project: Project, words: list[str], told: str
) -> None:
    ended = project.teamlead("start", *words)
    assert ended.code in {2, 4}
    assert told in ended.err
    assert project.sessions == []


PAIR = """---
name: pair
description: One looks, the lead joins what was found, one writes.
trigger_keywords: [pair]
---
# Pair

## Members

### code-explorer as analyst
- **Phase**: ANALYZING
- **Instructions**: Look.
- **Form**: exploration

### engine:findings as joiner
- **Phase**: ANALYZING
- **After**: analyst

### backend-specialist as fixer
- **Phase**: EXECUTING
- **Instructions**: Write it.
- **Form**: implementation

## Workflow

1. **ANALYZING**: analyst, joiner
2. **EXECUTING**: fixer — depends on ANALYZING

## Finding Card Sections

- **analysis**: cause
"""


def test_what_the_lead_performs_itself_runs_no_agent_and_is_a_task_like_any_other(project: Project) -> None:
    project.commit("a team", {".teamlead/teams/pair.md": PAIR})
    project.plays("task-1", [run("cat README.md"), handed_in(1)])
    project.plays("task-3", [run("cat README.md"), write("shared.txt", "one\n2\nthree\n"), handed_in(4)])

    ended = project.start_team("a pair for shared.txt", "--team", "pair")

    assert ended.code == 3, ended.out + ended.err
    assert project.states() == {"task-1": "DONE", "task-2": "DONE", "task-3": "DONE"}
    assert project.details_of(2)["attempts_total"] == 1
    assert "task-2" not in project.prompt(1, 1)
    assert "#### analyst (task-1)\n\nRehearsed: Part 1" in findings(project, "analysis.md")
    assert project.teamlead("approve").code == 0
    assert project.content("main", "shared.txt") == "one\n2\nthree"
