"""Every document that the reference describes, as the real commands print it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator
from tests.documents import require
from tests.flows.support import Ended, Project, ask, done, fail, say, until, wait_for, write
from tests.flows.test_free_form_plans import SEED, interprets
from tests.flows.test_kept_work import left_dirty
from tests.flows.test_planning import proposes, task
from tests.forms.reviews import INJECTION, review

from teamlead.cli.main import cli
from teamlead.views.documents.catalogue import DOCUMENTS

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs/reference/documents.schema.json").read_text(encoding="utf-8")
)

LOOKS = {
    "status": (),
    "list": (),
    "escalations": ("--all",),
    "report": (),
    "evidence": ("1",),
    "logs": ("1",),
    "diff": ("1",),
    "refs verify": ("cites.md",),
    "mend": (),
    "clean": ("--dry-run",),
    "salvage list": (),
    "session status": (),
    "state status": (),
    "state check-lock": (),
    "plan check": ("plan.md",),
    "plan graph": ("plan.md",),
    "result check": ("security.md",),
    "result aggregate": ("security.md", "qa.md"),
    "guard rules": (),
    "guard read": ("README.md", "--purpose", "What is its title?"),
    "guard edit": ("README.md", "--before", "-   one", "--after", "- one"),
    "guard verify": (),
    "guard log": (),
    "team list": (),
    "team show": ("bugfix",),
    "team check": (),
    "team select": ("a bug",),
    "prompts list": (),
    "prompts show": ("judge",),
    "prompts check": (),
    "config show": (),
    "agents": (),
    "doctor": (),
    "init": (),
}
"""Commands that change nothing of the session: two tasks, of which the first is done and the second asks."""

STEERS = {
    "tell": ("2", "Hurry."),
    "pause": ("2",),
    "retry": ("2",),
    "reassign": ("2", "--agent", "command:true"),
    "plan add": ("Another one", "--depends-on", "1"),
    "skip": ("2",),
}
"""In their order, with the session above."""

ELSEWHERE = {
    "start",
    "start, with questions of its planner",
    "start --detach",
    "resume",
    "resume --detach",
    "plan new",
    "plan new --start",
    "plan list",
    "plan show",
    "rehearse",
    "prove",
    "watch",
    "watch, what agents stream",
    "salvage show",
    "release",
    "resolve",
    "approve",
    "reject",
    "cancel",
    "session.json",
    "session init",
    "revise",
    "state transition",
    "approvals/MOMENT.json",
    "tickets/TASK.json",
    "active-session.json",
}
"""Each of these has a test of its own below."""


def require_described(name: str, text: str) -> None:
    kind = DOCUMENTS[name]
    require(kind, text)
    schema = {**SCHEMA, "$ref": f"#/$defs/{kind.__name__}"}
    assert list(Draft202012Validator(schema).iter_errors(json.loads(text))) == []


def call(project: Project, name: str, *arguments: str) -> Ended:
    return project.teamlead(*name.split(), *arguments, "--json")


@pytest.fixture(scope="module")
def asked(shared: Project) -> Project:
    files = {"plan.md": "# P\n\n### 1. One\n- Scope: a.txt\n", "README.md": "# A\n\n-   one\n"}
    files |= {"security.md": review("security-auditor", INJECTION), "qa.md": review("qa-engineer", INJECTION)}
    shared.commit("files to look at", {**files, "cites.md": "See README.md:1 and none.py:3.\n"})
    shared.task(1, [write("a.txt", "a\n"), done("wrote it")], checks=["test -f a.txt"])
    shared.task(2, [ask("Which?", "this", "that")], after=[1])
    ended = shared.start("--json")
    assert ended.code == 3
    require_described("start", ended.out)
    return shared


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", LOOKS)
def test_what_a_command_prints_is_what_its_schema_says(asked: Project, name: str) -> None:
    require_described(name, call(asked, name, *LOOKS[name]).out)


def test_every_line_of_watch_is_what_its_schema_says(asked: Project) -> None:
    for line in asked.teamlead("watch", "--json").out.splitlines():
        require_described("watch", line)
    written = asked.root / ".teamlead" / "sessions" / asked.session / "events.ndjson"
    for line in written.read_text(encoding="utf-8").splitlines():
        require_described("watch", line)


def test_what_agents_stream_is_what_its_schema_says(project: Project) -> None:
    go_on = project.barrier("go on")
    project.task(1, [wait_for(go_on), say("I see"), write("a.txt", "a\n")])
    leader = project.start_in_background()
    until(lambda: project.happened("AttemptStarted"), "the agent has begun")
    watch = project.background("watch", "--json").says("AttemptStarted")
    go_on.touch()
    assert leader.end().code == 3
    streamed = [line for line in watch.end().out.splitlines() if json.loads(line)["seq"] is None]
    assert any("I see" in line for line in streamed)
    for line in streamed:
        require_described("watch, what agents stream", line)


def test_the_file_of_a_session_is_what_its_schema_says(asked: Project) -> None:
    path = asked.root / ".teamlead" / "sessions" / asked.session / "session.json"
    require_described("session.json", path.read_text(encoding="utf-8"))


def test_the_files_of_tasks_of_the_gate_and_of_the_active_session_are_what_their_schemas_say(
    project: Project,
) -> None:
    project.task(1, [write("a.txt", "a\n")], [write("a.txt", "b\n")])
    assert project.start().code == 3
    folder = project.root / ".teamlead" / "sessions"
    (asked,) = (folder / project.session / "approvals").iterdir()
    require_described("approvals/MOMENT.json", asked.read_text())
    require_described("tickets/TASK.json", (folder / project.session / "tickets/task-1.json").read_text())
    require_described("active-session.json", (folder / "active-session.json").read_text())
    require_described("revise", call(project, "revise", "another way").out)
    assert project.teamlead("resume").code == 3
    require_described("state transition", call(project, "state transition", "REVISION", "and another").out)


def test_a_session_that_is_only_opened_is_told_as_its_schema_says(project: Project) -> None:
    project.plays("default", [write("a.txt", "a\n")])
    named = ("--team", "bugfix", "--task", "mend it", "--members", "[]")
    options = ("--agent", f"scripted:{project.script}")
    require_described("session init", call(project, "session init", *named, *options).out)


def test_who_steers_is_told_what_follows_as_its_schema_says(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    project.task(2, [ask("Which?")], after=[1])
    assert project.start().code == 3
    for name, arguments in STEERS.items():
        ended = call(project, name, *arguments)
        assert ended.code == 0, ended.err
        require_described(name, ended.out)


def test_who_answers_and_approves_is_told_what_came_of_it_as_its_schema_says(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "a\n")])
    project.task(2, [ask("Where?")], [write("b.txt", "b\n")])
    assert project.start("--jobs", "1").code == 3
    silent = call(project, "resolve", "--escalation-id", "1")
    assert (silent.code, "--resolution TEXT" in silent.err, silent.out) == (2, True, "")
    answered = call(project, "resolve", "--escalation-id", "1", "--resolution", "this")
    require_described("resolve", answered.out)
    assert (answered.json["tasks"], answered.json["open"]) == (["task-1"], ["esc-2"])
    assert call(project, "resolve", "--resolution", "there").json["open"] == []
    assert project.teamlead("resume").code == 3
    approved = call(project, "approve")
    require_described("approve", approved.out)
    assert (approved.json["branch"], approved.json["commit"]) == ("main", project.git("rev-parse", "main"))


def test_who_turns_work_down_is_told_so_as_its_schema_says(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    require_described("reject", call(project, "reject").out)
    assert project.start().code == 3
    require_described("cancel", call(project, "cancel").out)


def test_who_ends_a_hold_is_told_so_as_its_schema_says(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\n")
    project.task(1, [fail("no such model")])
    project.task(2, [fail("no such model")])
    assert project.start("--jobs", "1").code == 3
    (hold,) = project.status()["session"]["holds"]
    released = call(project, "release", hold["agent"])
    require_described("release", released.out)
    assert released.json["agent"] == hold["agent"]


def test_a_session_that_is_resumed_prints_what_its_schema_says(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "a\n")])
    assert project.start().code == 3
    assert project.resolve("this").code == 0
    require_described("resume", project.teamlead("resume", "--json").out)


def test_a_session_in_the_background_is_told_as_its_schema_says(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "a\n")])
    require_described("start --detach", project.start("--detach", "--json").out)
    require_described("pause", call(project, "pause").out)
    require_described("resume --detach", project.teamlead("resume", "--detach", "--json").out)
    assert project.teamlead("cancel").code == 0


def plan_options(project: Project) -> tuple[str, ...]:
    """A planner that proposes one task, and an agent for it."""
    project.plays("planner", proposes(task(1)))
    project.plays("task-1", [write("1.txt", "1")])
    made, agent = str(project.place / "made.md"), f"scripted:{project.script}"
    return "write a file", "--output", made, "--agent", agent


def test_a_planning_is_told_as_its_schema_says(project: Project) -> None:
    options = plan_options(project)
    require_described("plan new", call(project, "plan new", *options).out)
    require_described("plan list", call(project, "plan list").out)
    require_described("plan show", call(project, "plan show").out)


def test_a_plan_that_is_made_and_started_is_told_as_its_schema_says(project: Project) -> None:
    options = plan_options(project)
    require_described("plan new --start", call(project, "plan new", *options, "--start").out)


def test_questions_of_a_planner_are_told_as_their_schema_says(project: Project) -> None:
    interprets(project, [{"answer": {"questions": ["Which file?"]}}])
    (project.place / "notes.md").write_text(SEED)
    notes, agent = str(project.place / "notes.md"), f"scripted:{project.script}"
    ended = call(project, "start", notes, "--agent", agent)
    require_described("start, with questions of its planner", ended.out)
    assert [question["text"] for question in ended.json["planning"]["questions"]] == ["Which file?"]


def test_a_rehearsal_is_told_as_its_schema_says(project: Project) -> None:
    project.task(1, scope="a.txt")
    options = (str(project.plan), "--agent", "scripted", "--fault", "crash")
    require_described("rehearse", call(project, "rehearse", *options).out)


def test_kept_work_is_told_as_its_schema_says(project: Project) -> None:
    left_dirty(project)
    assert project.teamlead("cancel").code == 0
    require_described("salvage show", call(project, "salvage show", "task-1/1").out)


def test_every_document_is_tried() -> None:
    assert set(DOCUMENTS) == {*LOOKS, *STEERS, *ELSEWHERE}


def test_every_command_that_prints_json_has_a_document() -> None:
    assert set(printing(cli)) == {
        name for name in DOCUMENTS if " --" not in name and ", " not in name and not name.endswith(".json")
    }


def printing(command: click.Command, name: str = "") -> Iterator[str]:
    """The commands that have `--json`, at first or second hand."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from printing(found, f"{name} {child}".strip())
    elif any("--json" in option.opts for option in command.params):
        yield name
