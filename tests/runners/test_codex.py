"""What the real codex does under our runner, against the scripted model."""

import pytest
from tests.runners.codex_support import PATCHING, Codex, codex, git

from teamlead.core.model import Usage

__all__ = ["codex"]

WORK = """
{say = "Beginning"},
{write = "new/a.txt", text = "one\\n"},
{run = "echo two >> new/a.txt; exit 3"},
{usage = {input_tokens = 1234, output_tokens = 56}},
{done = "All done"},
"""


@pytest.mark.parametrize("model", ["", PATCHING])
def test_it_works_in_its_copy_and_tells_what_it_did_and_used(codex: Codex, model: str) -> None:
    end = codex.run(WORK, model=model or "a-model")
    assert (end.status, end.summary, end.detail) == ("ok", "All done", "")
    assert (codex.copy / "new/a.txt").read_text() == "one\ntwo\n"
    assert (end.usage, end.tool_calls, end.turns) == (Usage(1434, 76), 2, 3)
    assert codex.events("tool_result")[-1]["exit_code"] == 3
    assert [event["text"] for event in codex.events("text")] == ["Beginning", "All done"]


def test_a_conversation_is_continued_and_its_usage_counted_once(codex: Codex) -> None:
    codex.follow('{touch = "first"}, {done = "one"}', '{touch = "second"}, {done = "two"}')
    first = codex.run(model="a-model")
    second = codex.run(model="a-model", attempt=2, conversation=first.conversation)
    assert (first.summary, second.summary) == ("one", "two")
    assert second.conversation == first.conversation
    assert (first.usage, second.usage) == (Usage(200, 20), Usage(200, 20))
    said = str(codex.model.requests[-1].body["input"]) if codex.model else ""
    assert "This is attempt 1." in said
    assert "This is attempt 2." in said


def test_it_may_not_commit_in_its_copy(codex: Codex) -> None:
    before = git(codex.repository, "for-each-ref")
    end = codex.run('{touch = "file"}, {commit = "mine"}, {done = "done"}', model="a-model")
    assert (end.status, (codex.copy / "file").exists()) == ("ok", True)
    assert git(codex.repository, "for-each-ref") == before
    assert "Read-only file system" in end.denials[0]
