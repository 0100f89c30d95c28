"""Every document that the reference describes, as the real commands print it."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.flows.documents import require
from tests.flows.support import Project, ask, done, say, until, wait_for, write

from teamlead.views.documents.catalogue import DOCUMENTS

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs/reference/documents.schema.json").read_text(encoding="utf-8")
)

LOOKS = {
    "status": ("status", "--json"),
    "list": ("list", "--json"),
    "escalations": ("escalations", "--all", "--json"),
    "report": ("report", "--json"),
    "evidence": ("evidence", "1", "--json"),
}
"""Commands that only look, in a session of two tasks, of which the first is done and the second asks."""


def require_described(name: str, text: str) -> None:
    kind = DOCUMENTS[name]
    require(kind, text)
    schema = {**SCHEMA, "$ref": f"#/$defs/{kind.__name__}"}
    assert list(Draft202012Validator(schema).iter_errors(json.loads(text))) == []


@pytest.fixture(scope="module")
def asked(shared: Project) -> Project:
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
    require_described(name, asked.teamlead(*LOOKS[name]).out)


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


def test_a_session_that_is_resumed_prints_what_its_schema_says(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "a\n")])
    assert project.start().code == 3
    assert project.resolve("this").code == 0
    require_described("resume", project.teamlead("resume", "--json").out)


def test_a_session_in_the_background_is_told_as_its_schema_says(project: Project) -> None:
    project.task(1, [ask("Which?")], [write("a.txt", "a\n")])
    require_described("start --detach", project.start("--detach", "--json").out)
    assert project.teamlead("pause").code == 0
    require_described("resume --detach", project.teamlead("resume", "--detach", "--json").out)
    assert project.teamlead("cancel").code == 0


def test_every_document_is_tried() -> None:
    leading = {"start", "resume", "start --detach", "resume --detach"}
    assert set(DOCUMENTS) == {*LOOKS, *leading, "watch", "watch, what agents stream", "session.json"}
