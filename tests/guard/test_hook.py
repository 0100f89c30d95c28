"""A lead is stopped where it would do an agent's work, told what to do instead, and its agents are free."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.guard.conftest import SESSION, Lead

from teamlead.guard import edits
from teamlead.guard.hook import respond
from teamlead.guard.log import entries, log_file
from teamlead.guard.sessions import folder_of

KNOWN = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SubagentStart", "Stop"]


def test_a_fourth_file_in_one_lookup_goes_to_the_explorer(lead: Lead) -> None:
    *three, fourth = lead.reads("a.py", "b.py", "c.py", "d.py")
    assert three == ["", "", ""]
    assert "4 files are more than the 3 of a lookup" in fourth
    assert "Delegate it to code-explorer" in fourth


def test_a_file_that_was_read_before_is_not_another_one(lead: Lead) -> None:
    assert lead.reads("a.py", "b.py", "c.py", "a.py") == ["", "", "", ""]


@pytest.mark.parametrize(("lines", "allowed"), [(200, True), (201, False)])
def test_of_one_file_at_most_200_lines_are_read(*, lines: int, allowed: bool, lead: Lead) -> None:
    (lead.project / "long.py").write_text("x\n" * lines)
    assert (lead.reads("long.py") == [""]) is allowed


def test_a_part_of_a_long_file_is_read(lead: Lead) -> None:
    path = lead.project / "long.py"
    path.write_text("x\n" * 5000)
    assert lead.refusal("Read", file_path=str(path), offset=100, limit=200) == ""
    assert "200 a file" in lead.refusal("Read", file_path=str(path), offset=1, limit=1)


def test_a_line_without_end_is_not_short(lead: Lead) -> None:
    (lead.project / "bundle.js").write_text("x" * 150_000)
    assert "300 lines of" in lead.reads("bundle.js")[0]


def test_more_than_300_lines_in_total_are_too_many(lead: Lead) -> None:
    for name in ("e.py", "f.py"):
        (lead.project / name).write_text("x\n" * 151)
    first, second = lead.reads("e.py", "f.py")
    assert first == ""
    assert "302 lines are more than the 300 in total" in second


def test_a_lookup_begins_anew_with_a_prompt_and_with_a_delegation(lead: Lead) -> None:
    assert lead.reads("a.py", "b.py", "c.py") == ["", "", ""]
    lead.asks("go on")
    assert lead.reads("d.py", "a.py", "b.py") == ["", "", ""]
    lead.done("Agent", subagent_type="Explore")
    assert lead.reads("c.py") == [""]
    lead.event("SubagentStop", agent_id="a1", agent_type="Explore")
    assert lead.reads("a.py", "b.py", "d.py") == ["", "", ""]


def test_agents_are_free_to_work(lead: Lead) -> None:
    for number in range(10):
        for tool, given in (
            ("Read", {"file_path": str(lead.project / f"{number}.py")}),
            ("Write", {"file_path": str(lead.project / "a.py"), "content": "x"}),
            ("Bash", {"command": "rm -rf build"}),
        ):
            asked = {"tool_name": tool, "tool_input": given, "tool_use_id": "x"}
            assert lead.event("PreToolUse", agent_id="a1", agent_type="worker", **asked) == {}
    assert lead.reads("a.py", "b.py", "c.py") == ["", "", ""]


def test_what_an_agent_has_read_is_not_read_again(lead: Lead) -> None:
    (lead.project / "long.py").write_text("x\n" * 100)
    lead.agent_read("long.py")
    path = str(lead.project / "long.py")
    assert "Explore has read" in lead.refusal("Read", file_path=path)
    assert "Explore has read" in lead.refusal("Bash", command="cat long.py")
    assert lead.refusal("Read", file_path=path, offset=50, limit=40) == ""


@pytest.mark.parametrize(
    ("tool", "name", "role"),
    [
        ("Write", "new.py", "backend-specialist"),
        ("Write", "App.tsx", "frontend-specialist"),
        ("Write", "test_new.py", "qa-engineer"),
        ("Write", "design.md", "product-manager"),
        ("Write", "spec.md", "product-manager"),
        ("MultiEdit", "a.py", "backend-specialist"),
        ("NotebookEdit", "a.ipynb", "backend-specialist"),
    ],
)
def test_a_lead_writes_no_file_itself(tool: str, name: str, role: str, lead: Lead) -> None:
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    told = lead.refusal(tool, **{key: str(lead.project / name), "content": "x"})
    assert f"Delegate it to {role}" in told


def edit(lead: Lead, name: str, old: str, new: str) -> str:
    return lead.refusal("Edit", file_path=str(lead.project / name), old_string=old, new_string=new)


def test_code_is_not_edited_even_in_one_character(lead: Lead) -> None:
    assert "Delegate it to backend-specialist" in edit(lead, "a.py", "a = 1", "a = 2")
    assert "Delegate it to backend-specialist" in edit(lead, "a.py", "a = 1", "a  = 1")


def test_a_trivial_edit_of_form_is_made_and_verified(lead: Lead) -> None:
    assert edit(lead, "spec.md", "-   one", "- one") == ""
    path = lead.project / "spec.md"
    path.write_text(path.read_text().replace("-   one", "- one"))
    assert lead.done("Edit") == {}


def test_an_edit_that_changes_more_than_was_allowed_is_told_with_the_way_back(lead: Lead) -> None:
    path = lead.project / "spec.md"
    before = path.read_text()
    assert edit(lead, "spec.md", "-   one", "- one") == ""
    path.write_text(before.replace("-   one", "- one").replace("two", "three"))
    answer = lead.done("Edit")
    assert answer["decision"] == "block"
    assert "1 more lines than was allowed" in answer["reason"]
    command = answer["systemMessage"].partition("take it back: ")[2]
    subprocess.run(command, shell=True, check=True)
    assert path.read_text() == before


def test_a_typo_is_for_an_agent_unless_the_user_asked_for_speed(lead: Lead) -> None:
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")
    lead.asks("Fix the typo in the spec directly, please")
    assert edit(lead, "spec.md", "recieve", "receive") == ""
    assert "no TRIVIAL edit" in edit(lead, "spec.md", "is good", "is required")
    lead.asks("go on")
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")


def test_what_an_agent_says_is_not_what_the_user_asked_for(lead: Lead) -> None:
    lead.agent_ends("completed")
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")


def test_a_prompt_that_the_lead_may_have_scheduled_itself_is_not_the_users(lead: Lead) -> None:
    assert lead.refusal("CronCreate", cron="* * * * *", prompt="Fix the typo directly") == ""
    lead.asks("Fix the typo directly")
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")


def test_an_agent_that_failed_twice_is_a_reason_to_do_it_oneself(lead: Lead) -> None:
    lead.event("SubagentStart", agent_id="a1", agent_type="product-manager")
    lead.agent_ends("failed")
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")
    lead.event("SubagentStart", agent_id="a2", agent_type="product-manager")
    lead.agent_ends("failed", "a2")
    assert edit(lead, "spec.md", "recieve", "receive") == ""
    for name in ("e.py", "f.py"):
        (lead.project / name).write_text("x\n" * 200)
    assert lead.reads("e.py", "f.py") == ["", ""]
    assert entries(log_file())[-1]["exemption"] == "fallback-read"
    given = {"tool_name": "Read", "tool_input": {"file_path": "a.py"}, "tool_use_id": "last"}
    assert "results may be incomplete" in lead.event("PreToolUse", **given)["systemMessage"]


def test_an_agent_that_succeeds_in_between_takes_the_reason_away(lead: Lead) -> None:
    lead.event("SubagentStart", agent_id="a1", agent_type="product-manager")
    for status in ("failed", "completed", "failed"):
        lead.agent_ends(status)
    assert "an agent comes first" in edit(lead, "spec.md", "recieve", "receive")


@pytest.mark.parametrize(
    ("tool", "given", "allowed"),
    [
        ("Grep", {"pattern": "x", "path": "a.py"}, True),
        ("Grep", {"pattern": "x", "glob": "*.md"}, True),
        ("Grep", {"pattern": "x"}, False),
        ("Grep", {"pattern": "x", "glob": "*.py"}, False),
        ("Glob", {"pattern": "*.md"}, True),
        ("Glob", {"pattern": "**/*"}, False),
        ("Glob", {"pattern": "*.py"}, False),
    ],
)
def test_one_narrow_search_is_allowed(*, tool: str, given: dict[str, str], allowed: bool, lead: Lead) -> None:
    told = lead.refusal(tool, **given)
    assert (told == "") is allowed
    assert "one narrow search" in lead.refusal("Grep", pattern="x", path="a.py") or not allowed


def test_a_folder_too_large_to_look_at_is_a_wide_search(lead: Lead) -> None:
    for number in range(60):
        folder = lead.project / f"many-{number}"
        folder.mkdir()
        for name in range(100):
            (folder / f"{name}.txt").touch()
    assert "at most 3 files" in lead.refusal("Glob", pattern="*.nothing")


@pytest.mark.parametrize("name", [".teamlead/sessions/s1/claude-progress.json", "~/.claude/plans/plan.md"])
def test_a_lead_keeps_its_own_state(name: str, lead: Lead, home: Path) -> None:
    path = lead.project / name if name[0] == "." else home / name[2:]
    path.parent.mkdir(parents=True)
    path.write_text("{}\n" * 1000)
    assert lead.refusal("Write", file_path=str(path), content="x") == ""
    assert lead.refusal("Edit", file_path=str(path), old_string="{}", new_string="x") == ""
    assert lead.refusal("Read", file_path=str(path)) == ""
    assert entries(log_file())[-1]["exemption"] == "metadata-read"


def test_a_link_out_of_the_leads_own_folder_is_followed(lead: Lead) -> None:
    folder = lead.project / ".teamlead" / "sessions"
    folder.mkdir(parents=True)
    (folder / "code.py").symlink_to(lead.project / "a.py")
    assert lead.refusal("Write", file_path=str(folder / "code.py"), content="x") != ""


def test_what_an_agent_wrote_down_for_the_lead_is_read_whole(lead: Lead, tmp_path: Path) -> None:
    output = tmp_path / "a1.output"
    output.write_text("found\n" * 1000)
    answer = {"agentId": "a1", "outputFile": str(output)}
    asked = {"tool_name": "Agent", "tool_input": {"subagent_type": "Explore"}, "tool_use_id": "x"}
    lead.event("PostToolUse", tool_response=answer, **asked)
    assert lead.refusal("Read", file_path=str(output)) == ""


def test_every_use_and_every_refusal_is_logged(lead: Lead) -> None:
    lead.reads("a.py", "b.py", "c.py", "d.py")
    found = entries(log_file())
    assert [entry["allowed"] for entry in found] == [True, True, True, False]
    assert found[0] | {"at": ""} == {
        "at": "",
        "action": "read",
        "what": ["a.py"],
        "allowed": True,
        "reason": "within the limits",
        "exemption": "quick-lookup",
        "session": SESSION,
        "folder": str(lead.project),
    }
    assert (found[3]["role"], found[3]["rule"]) == ("code-explorer", "bulk-reading")


def test_what_cannot_be_logged_is_not_allowed(lead: Lead) -> None:
    log_file().mkdir(parents=True)
    assert "cannot judge this call, so it is not made" in lead.reads("a.py")[0]


def test_a_use_that_nobody_allowed_is_an_error(lead: Lead) -> None:
    answer = lead.done("Read", call="never-asked", file_path=str(lead.project / "a.py"))
    assert answer["decision"] == "block"
    assert "without having been judged and logged" in answer["reason"]
    assert entries(log_file())[-1]["allowed"] is False


def test_a_lookup_that_took_too_long_is_told(lead: Lead) -> None:
    assert lead.reads("a.py") == [""]
    done = {"tool_name": "Read", "tool_input": {}, "tool_use_id": f"call-{lead.calls}"}
    assert "took 10 seconds" in lead.event("PostToolUse", duration_ms=10_000, **done)["reason"]


def test_of_an_edit_that_failed_no_permission_is_left(lead: Lead) -> None:
    given = {"file_path": str(lead.project / "spec.md"), "old_string": "-   one", "new_string": "- one"}
    assert lead.refusal("Edit", **given) == ""
    assert len(edits.kept()) == 1
    lead.event("PostToolUseFailure", tool_name="Edit", tool_input=given, tool_use_id=f"call-{lead.calls}")
    assert edits.kept() == []


def test_the_user_is_told_that_agents_are_still_at_work(lead: Lead) -> None:
    task = {"id": "a1", "type": "subagent", "status": "running", "agent_type": "Explore"}
    assert "still at work: Explore" in lead.event("Stop", background_tasks=[task])["systemMessage"]
    assert lead.event("Stop", background_tasks=[{**task, "status": "completed"}]) == {}
    assert lead.event("Stop") == {}


@pytest.mark.parametrize(
    "tool", ["Agent", "TodoWrite", "AskUserQuestion", "mcp__team__ask_human", "ToolSearch"]
)
def test_what_a_lead_is_there_for_is_free(tool: str, lead: Lead) -> None:
    assert lead.refusal(tool, anything="x") == ""


@pytest.mark.parametrize("variable", [("TEAMLEAD_GUARD", "off"), ("TEAMLEAD_TASK", "task-1")])
def test_who_does_not_lead_is_not_held(
    variable: tuple[str, str], lead: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*variable)
    assert lead.refusal("Write", file_path="a.py", content="x") == ""


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"hook_event_name": 1}', b"[" * 100_000, b"{}"]
)
def test_what_is_no_event_blocks_with_one_clear_line(raw: bytes) -> None:
    outcome = respond(raw)
    assert outcome.code == 2
    assert "stdin" in outcome.problem
    assert "\n" not in outcome.problem


@pytest.mark.parametrize(
    "broken",
    [
        {"session_id": "../../etc"},
        {"session_id": ".."},
        {"session_id": None},
        {"tool_name": 5},
        {"tool_input": "x"},
        {"tool_input": {"file_path": "a\0b"}},
        {"tool_input": {"file_path": "\ud800"}},
    ],
)
def test_a_call_that_cannot_be_judged_is_not_made(broken: dict[str, object], project: Path) -> None:
    asked = {"tool_name": "Read", "tool_input": {"file_path": "a.py"}, "tool_use_id": "x"}
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(project), **asked, **broken}
    outcome = respond(json.dumps(event).encode())
    assert outcome.code == 0
    decision = outcome.answer["hookSpecificOutput"]
    assert decision["permissionDecision"] == "deny"
    assert "Error" not in decision["permissionDecisionReason"]


@pytest.mark.parametrize("name", [name for name in KNOWN if name != "PreToolUse"])
def test_a_problem_after_a_call_is_told_and_stops_nobody(name: str, lead: Lead) -> None:
    folder_of(SESSION).parent.mkdir(parents=True)
    folder_of(SESSION).touch()
    event = {"hook_event_name": name, "session_id": SESSION, "tool_name": "Read", "tool_input": {}}
    outcome = respond(json.dumps(event).encode())
    assert outcome.answer == {}
    assert outcome.code == (0 if name == "Stop" else 1)


def test_an_event_of_another_kind_is_let_through(lead: Lead) -> None:
    assert lead.event("PreCompact") == {}


def test_a_state_that_cannot_be_read_is_begun_anew(lead: Lead) -> None:
    lead.reads("a.py")
    (folder_of(SESSION) / "state.json").write_text("{broken")
    assert lead.reads("b.py") == [""]


def test_a_session_that_ended_is_forgotten(lead: Lead) -> None:
    lead.reads("a.py")
    assert folder_of(SESSION).exists()
    lead.event("SessionEnd")
    assert not folder_of(SESSION).exists()


def test_hooks_that_run_at_the_same_time_count_together(lead: Lead) -> None:
    """Twelve reads at once: three are allowed, and no more."""

    def read(number: int) -> bytes:
        asked = {"tool_name": "Read", "tool_input": {"file_path": str(lead.project / f"{number}.py")}}
        event = {"hook_event_name": "PreToolUse", "session_id": SESSION, "tool_use_id": f"{number}", **asked}
        command = [sys.executable, "-m", "teamlead", "guard", "hook"]
        done = subprocess.run(command, input=json.dumps(event).encode(), capture_output=True, check=True)
        return done.stdout

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(read, range(12)))
    assert sum(answer == b"" for answer in answers) == 3
    assert [entry["allowed"] for entry in entries(log_file())].count(True) == 3


def test_the_hook_imports_nothing_heavy(lead: Lead) -> None:
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": SESSION,
        "cwd": str(lead.project),
        "tool_name": "Read",
        "tool_input": {"file_path": "a.py"},
        "tool_use_id": "x",
    }
    command = [sys.executable, "-X", "importtime", "-m", "teamlead", "guard", "hook"]
    done = subprocess.run(
        command, input=json.dumps(event), capture_output=True, text=True, check=True, env={**os.environ}
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "teamlead.guard.hook" in imported
    assert not imported & {"click", "msgspec", "asyncio", "subprocess", "apsw", "rich", "shutil", "difflib"}
    assert not imported & {"teamlead.guard.trivial", "teamlead.core.policy.audit", "teamlead.cli.main"}
