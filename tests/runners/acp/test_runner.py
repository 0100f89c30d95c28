"""Against an agent built with the protocol's official library, as a real program."""

import asyncio
import importlib.util
import json
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from teamlead.core.model import Budget, ToolPolicy, Usage
from teamlead.core.runs import RunEnd
from teamlead.errors import Refused, UsageError
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.acp.dialect import MOST_REMINDERS
from teamlead.runners.acp.runner import AcpRunner

MakeSpec = Callable[..., RunSpec]
AGENT = str(Path(__file__).with_name("agent.py"))
READER = ToolPolicy(tools=("read", "search"), writes=())
CHOICES = {
    "configOptions": [
        {
            "id": "m",
            "name": "Model",
            "category": "model",
            "type": "select",
            "currentValue": "small",
            "options": [{"value": "small", "name": "Small"}, {"value": "big-2", "name": "The Big One"}],
        },
        {
            "id": "e",
            "name": "Effort",
            "category": "thought_level",
            "type": "select",
            "currentValue": "low",
            "options": [
                {
                    "group": "g",
                    "name": "All",
                    "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}],
                }
            ],
        },
    ]
}
MODES = {
    "modes": {
        "currentModeId": "build",
        "availableModes": [
            {"id": "build", "name": "Build"},
            {"id": "ro", "name": "Read Only"},
            {"id": "auto", "name": "Default"},
        ],
    }
}

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("acp") is None, reason="agent-client-protocol is not installed"
)


class Probe:
    """One run of the agent, and what both sides saw."""

    def __init__(self, spec: RunSpec, offers: Mapping[str, Any]) -> None:
        self.spec = spec
        self._seen = spec.folder.parent / "seen.jsonl"
        self._seen.parent.mkdir(parents=True, exist_ok=True)
        offered = json.dumps({"seen": str(self._seen), **offers})
        self.runner = AcpRunner([sys.executable, AGENT, offered])

    def run(self) -> RunEnd:
        async def main() -> RunEnd:
            return await (await self.runner.start(self.spec)).result()

        return asyncio.run(asyncio.wait_for(main(), 60))

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        lines = (self.spec.folder / "events.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in lines]
        return [event for event in events if not kind or event["type"] == kind]

    def until_prompted(self) -> None:
        pause = threading.Event()
        while not (self._seen.exists() and self.seen("prompt")):
            pause.wait(0.01)

    def seen(self, what: str) -> list[dict[str, Any]]:
        lines = map(json.loads, self._seen.read_text().splitlines())
        return [asked for name, asked in lines if name == what]


@pytest.fixture
def probe(spec: MakeSpec, tmp_path: Path) -> Callable[..., Probe]:
    def make(*steps: Mapping[str, Any], offers: Mapping[str, Any] | None = None, **changes: Any) -> Probe:
        return Probe(
            spec(**{"prompt": json.dumps(steps), "home": tmp_path / "home", **changes}), offers or {}
        )

    return make


MakeProbe = Callable[..., Probe]


def test_a_turn_ends_well_with_what_was_said_last(probe: MakeProbe) -> None:
    run = probe({"say": "First "}, {"say": "this."}, {"write": "made.txt"}, {"say": "Made "}, {"say": "it."})
    end = run.run()
    assert (end.status, end.summary, end.tool_calls, end.turns) == ("ok", "Made it.", 1, 2)
    assert (run.spec.cwd / "made.txt").read_text() == "written\n"
    assert [event["text"] for event in run.events("text")] == ["First this.", "Made it."]


def test_the_agent_is_greeted_without_our_files_and_terminals(probe: MakeProbe) -> None:
    run = probe()
    run.run()
    (greeting,) = run.seen("initialize")
    assert greeting["protocol_version"] == 1
    assert greeting["client_capabilities"]["fs"] == {"read_text_file": False, "write_text_file": False}
    assert run.seen("new_session")[0]["cwd"] == str(run.spec.cwd)


def test_any_prompt_arrives_intact(probe: MakeProbe) -> None:
    run = probe()
    hard = "--help\n\n- \"quotes\" and 'quotes' \\ Grüße, 世界 \N{PILE OF POO}\0" + "x" * 300_000
    whole = json.dumps([{"answer": {"_meta": {"text": hard}}}], ensure_ascii=False)
    run.spec = run.spec._replace(prompt=whole)
    assert run.run().status == "ok"
    assert run.seen("prompt")[0]["text"] == whole


def test_a_call_outside_of_the_policy_is_rejected_and_recorded(probe: MakeProbe) -> None:
    run = probe({"write": "made.txt"}, {"say": "done"}, policy=READER)
    end = run.run()
    assert not (run.spec.cwd / "made.txt").exists()
    assert run.seen("permission") == [{"outcome": {"outcome": "selected", "optionId": "no"}}]
    assert len(end.denials) == 1
    assert end.denials[0].startswith("Write made.txt: the edit tool is not allowed")
    assert end.status == "ok"


def test_an_agent_that_ends_its_turn_when_a_call_is_rejected_is_told_why_and_goes_on(
    probe: MakeProbe,
) -> None:
    run = probe(
        {"say": "First."}, {"write": "made.txt"}, offers={"then": [{"say": "Without it."}]}, policy=READER
    )
    end = run.run()
    assert (end.status, end.summary, len(end.denials)) == ("ok", "Without it.", 1)
    _, reminder = run.seen("prompt")
    assert reminder["text"].startswith("A tool call was rejected: the edit tool is not allowed in your role")


def test_an_agent_that_tries_again_and_again_is_not_reminded_for_ever(probe: MakeProbe) -> None:
    run = probe({"write": "made.txt"}, offers={"then": [{"write": "made.txt"}]}, policy=READER)
    assert run.run().status == "ok"
    assert len(run.seen("prompt")) == 1 + MOST_REMINDERS


@pytest.mark.parametrize(("answer", "written"), [("", True), ("not today", False)])
def test_a_person_decides_what_the_role_must_ask_for(probe: MakeProbe, answer: str, written: bool) -> None:
    asked = []

    async def permit(what: str) -> str:
        asked.append(what)
        return answer

    run = probe({"write": "made.txt"}, {"say": "done"}, policy=ToolPolicy(asks=("edit",)), permit=permit)
    end = run.run()
    assert asked == ["edit made.txt"]
    assert (run.spec.cwd / "made.txt").exists() is written
    assert end.denials == (() if written else ("Write made.txt: not today",))


def test_a_run_that_waits_for_a_person_can_be_cancelled(probe: MakeProbe) -> None:
    waiting = asyncio.Event()

    async def permit(_: str) -> str:
        waiting.set()
        await asyncio.Event().wait()
        return ""

    run = probe({"write": "made.txt"}, {"wait": True}, policy=ToolPolicy(asks=("edit",)), permit=permit)

    async def main() -> RunEnd:
        handle = await run.runner.start(run.spec)
        await waiting.wait()
        await handle.cancel(30.0)
        return await handle.result()

    assert asyncio.run(asyncio.wait_for(main(), 60)).status == "interrupted"
    assert run.seen("cancel") == [{}]
    assert not (run.spec.cwd / "made.txt").exists()


def test_where_nobody_can_be_asked_the_answer_is_no(probe: MakeProbe) -> None:
    run = probe({"write": "made.txt"}, {"say": "done"}, policy=ToolPolicy(asks=("edit",)))
    assert run.run().denials == ("Write made.txt: nobody could be asked whether it may be done",)


def test_an_edit_outside_of_the_copy_or_of_git_is_rejected(probe: MakeProbe) -> None:
    outside = ("../outside.txt", "docs/../../outside.txt", "/etc/outside.txt", "link/x", ".git/config")
    run = probe(*({"write": path} for path in outside), {"say": "None of them."})
    (run.spec.cwd / "link").symlink_to("/etc")
    assert len(run.run().denials) == len(outside)


def test_an_edit_outside_of_the_tasks_scope_is_rejected(probe: MakeProbe) -> None:
    run = probe({"write": "a.txt"}, {"write": "b.txt"}, {"say": "One."}, scope=("a.*",))
    end = run.run()
    assert len(end.denials) == 1
    assert [(run.spec.cwd / name).exists() for name in ("a.txt", "b.txt")] == [True, False]


def test_what_was_not_offered_is_refused_with_a_proper_error(probe: MakeProbe) -> None:
    methods = ("fs/read_text_file", "fs/write_text_file", "terminal/create", "elicitation/create", "x/y")
    run = probe(*({"request": method} for method in methods), {"say": "went on"})
    assert run.run().summary == "went on"
    for method in methods:
        assert run.seen(method) == [{"code": -32601, "message": f"teamlead offers no {method!r}"}]


def test_a_turn_that_stops_for_another_reason_is_an_error(probe: MakeProbe) -> None:
    end = probe({"say": "So far."}, {"answer": {"stopReason": "max_tokens"}}).run()
    assert (end.status, end.summary) == ("error", "So far.")
    assert end.detail == "the model reached its limit of tokens in one turn"


def test_a_limit_tells_when_it_ends(probe: MakeProbe) -> None:
    end = probe({"error": [-32603, "usage limit reached|4102444800"]}).run()
    assert (end.status, end.reset_at) == ("limit", 4102444800.0)


def cost(amount: float, currency: str = "USD") -> dict[str, Any]:
    told = {"amount": amount, "currency": currency}
    return {"tell": {"sessionUpdate": "usage_update", "used": 1, "size": 9, "cost": told}}


def test_usage_is_counted_once_though_the_cost_is_told_as_a_total(probe: MakeProbe) -> None:
    usage = {"inputTokens": 10, "outputTokens": 5, "cachedReadTokens": 100, "totalTokens": 115}
    end = probe(cost(0.25), cost(0.75), {"answer": {"usage": usage}}).run()
    assert end.usage == Usage(110, 5, 0.75)


def test_of_a_continued_conversation_only_what_was_added_to_its_cost_counts(probe: MakeProbe) -> None:
    first = probe(cost(0.75), offers=RESUMES).run()
    again = probe(cost(1.0), offers=RESUMES, conversation=first.conversation, attempt=2).run()
    other = probe(cost(0.5), offers=RESUMES, attempt=3).run()
    assert [end.usage.cost_usd for end in (first, again, other)] == [0.75, 0.25, 0.5]


def test_usage_that_nobody_told_is_unknown(probe: MakeProbe) -> None:
    assert probe(cost(1, "EUR")).run().usage == Usage()


def test_a_run_over_its_budget_is_interrupted_by_the_protocol(probe: MakeProbe) -> None:
    run = probe(cost(2.0), {"wait": True}, budget=Budget(cost_usd=1.0))
    end = run.run()
    assert (end.status, end.usage.cost_usd) == ("budget", 2.0)
    assert run.seen("cancel") == [{}]


def test_a_cancelled_run_is_asked_over_the_protocol_first(probe: MakeProbe) -> None:
    run = probe({"say": "at work"}, {"tell": {"sessionUpdate": "agent_thought_chunk"}}, {"wait": True})

    async def main() -> RunEnd:
        handle = await run.runner.start(run.spec)
        await asyncio.to_thread(run.until_prompted)
        await handle.cancel(30.0)
        return await handle.result()

    end = asyncio.run(asyncio.wait_for(main(), 60))
    assert end.status == "interrupted"
    assert run.seen("cancel") == [{}]
    assert run.events("finished")[0]["error"] == "the agent cancelled its turn"


def test_silence_is_the_services_unless_a_tool_is_at_work(probe: MakeProbe) -> None:
    end = probe({"wait": True}, idle_timeout=4.0).run()
    assert (end.status, end.detail) == ("unavailable", "no answer from its service for 4 s")
    tool = {"sessionUpdate": "tool_call", "toolCallId": "1", "title": "make", "rawInput": {"x": 1}}
    end = probe({"tell": tool}, {"wait": True}, idle_timeout=4.0, attempt=2).run()
    assert end.status == "timeout"


def test_an_agent_that_stays_after_its_turn_is_ended_and_has_succeeded(probe: MakeProbe) -> None:
    assert probe({"say": "done"}, offers={"lingers": True}).run().status == "ok"


def test_the_exit_code_after_the_end_of_a_turn_changes_nothing(probe: MakeProbe) -> None:
    assert probe({"say": "done"}, offers={"exit_code": 3}).run().status == "ok"


def test_an_agent_that_ends_in_mid_turn_is_an_error_with_its_exit_code(probe: MakeProbe) -> None:
    end = probe({"say": "x"}, {"exit": 3}).run()
    assert (end.status, end.detail) == ("error", "exit code 3")


HTTP = {"capabilities": {"mcpCapabilities": {"http": True}}}


def test_the_team_is_reached_over_http_where_the_agent_can(probe: MakeProbe) -> None:
    run = probe(offers=HTTP, team=Team("http://127.0.0.1:1/mcp", "s3cret"))
    run.run()
    (server,) = run.seen("new_session")[0]["mcp_servers"]
    assert (server["type"], server["name"], server["url"]) == ("http", "team", "http://127.0.0.1:1/mcp")
    assert server["headers"] == [{"name": "Authorization", "value": "Bearer s3cret"}]


def test_the_team_is_reached_by_a_bridge_otherwise_with_no_secret_in_its_arguments(probe: MakeProbe) -> None:
    run = probe(team=Team("http://127.0.0.1:1/mcp", "s3cret"))
    run.run()
    (server,) = run.seen("new_session")[0]["mcp_servers"]
    assert [server["command"], *server["args"]] == [sys.executable, "-P", "-m", "teamlead", "mcp"]
    assert {"name": "TEAMLEAD_TEAM_TOKEN", "value": "s3cret"} in server["env"]
    assert b"s3cret" not in b"".join(path.read_bytes() for path in run.spec.folder.iterdir())


LOADS = {"capabilities": {"loadSession": True}}
RESUMES = {"capabilities": {"loadSession": True, "sessionCapabilities": {"resume": {}}}}


@pytest.mark.parametrize("offers", [LOADS, RESUMES])
def test_a_conversation_that_can_be_continued_is_remembered(probe: MakeProbe, offers: dict[str, Any]) -> None:
    assert probe(offers=offers).run().conversation == "s-1"


def test_a_conversation_that_cannot_be_continued_is_not_remembered(probe: MakeProbe) -> None:
    assert probe().run().conversation == ""


def test_of_a_continued_conversation_only_the_new_turn_counts(probe: MakeProbe) -> None:
    run = probe({"say": "new"}, offers=LOADS, conversation="s-1")
    end = run.run()
    assert (end.status, end.summary, end.tool_calls, end.turns) == ("ok", "new", 0, 1)
    assert end.conversation == "s-1"
    assert run.seen("load_session") == [{"session_id": "s-1"}]
    assert "an old answer" not in (run.spec.folder / "events.jsonl").read_text()
    assert "an old answer" in (run.spec.folder / "raw.jsonl").read_text()


def test_a_conversation_is_continued_without_its_history_where_the_agent_can(probe: MakeProbe) -> None:
    run = probe({"say": "new"}, offers=RESUMES, conversation="s-1")
    assert run.run().status == "ok"
    assert run.seen("resume_session") == [{"session_id": "s-1"}]


@pytest.mark.parametrize("offers", [LOADS, {}])
def test_a_conversation_that_is_gone_is_lost(probe: MakeProbe, offers: dict[str, Any]) -> None:
    end = probe({"say": "new"}, offers=offers, conversation="s-9").run()
    assert (end.status, end.conversation) == ("lost", "")


METHODS = [
    {"id": "web", "name": "Log in with a browser"},
    {"type": "env_var", "id": "key", "name": "Use PROBE_KEY", "vars": [{"name": "PROBE_KEY"}]},
]


def test_an_agent_that_wants_a_key_gets_the_one_in_the_environment(probe: MakeProbe) -> None:
    run = probe({"say": "in"}, offers={"auth_methods": METHODS}, environment={"PROBE_KEY": "x"})
    assert run.run().status == "ok"
    assert run.seen("authenticate") == [{"method_id": "key"}]


def test_an_agent_that_wants_a_person_to_log_in_is_denied(probe: MakeProbe) -> None:
    end = probe(offers={"auth_methods": METHODS}).run()
    assert end.status == "denied"
    assert end.detail == "the agent wants a login first: Log in with a browser, Use PROBE_KEY"


def test_model_and_effort_are_chosen_by_value_or_name(probe: MakeProbe) -> None:
    run = probe(offers={"session": CHOICES}, model="the big one", effort="high")
    assert run.run().status == "ok"
    assert run.seen("set_config_option") == [
        {"config_id": "m", "value": "big-2"},
        {"config_id": "e", "value": "high"},
    ]
    assert not run.events("warning")


@pytest.mark.parametrize(
    ("session", "words"), [(CHOICES, "there are: small, big-2"), ({}, "it lets nobody choose")]
)
def test_a_model_that_is_not_to_be_had_is_warned_of(
    probe: MakeProbe, session: dict[str, Any], words: str
) -> None:
    run = probe(offers={"session": session}, model="gigantic")
    assert run.run().status == "ok"
    (warning,) = run.events("warning")
    assert warning["text"] == f"the agent has no model 'gigantic' and uses its own; {words}"


def test_a_choice_that_the_agent_refuses_is_warned_of(probe: MakeProbe) -> None:
    options = [{**CHOICES["configOptions"][0], "options": [{"value": "broken", "name": "Broken"}]}]
    run = probe(offers={"session": {"configOptions": options}}, model="broken")
    assert run.run().status == "ok"
    assert (
        "did not take the model 'broken': Internal error: no such engine" in run.events("warning")[0]["text"]
    )


@pytest.mark.parametrize(("policy", "mode"), [(READER, "ro"), (ToolPolicy(), "auto")])
def test_a_mode_that_fits_the_role_is_set(probe: MakeProbe, policy: ToolPolicy, mode: str) -> None:
    run = probe(offers={"session": MODES}, policy=policy)
    assert run.run().status == "ok"
    assert run.seen("set_session_mode") == [{"mode_id": mode}]


def test_another_version_of_the_protocol_is_refused(probe: MakeProbe) -> None:
    end = probe(offers={"version": 2}).run()
    assert (end.status, "version 2" in end.detail) == ("error", True)


UPDATE = '{"jsonrpc": "2.0", "method": "session/update", "params": '
NOISE = [
    "Hello, I am a banner\n",
    "{broken\n",
    "\n\n",
    "[1, 2]\n",
    "null\n",
    '{"jsonrpc": "2.0"}\n',
    '{"type": "finished", "status": "error"}\n',
    '{"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "refusal"}, "method": 7}\n',
    '{"jsonrpc": "2.0", "id": 99, "result": {}}\n',
    '{"jsonrpc": "2.0", "id": true, "result": {}}\n',
    '{"jsonrpc": "2.0", "id": [3], "result": {}}\n',
    '{"jsonrpc": "2.0", "id": null, "method": "fs/read_text_file"}\n',
    '{"jsonrpc": "2.0", "id": {"a": 1}, "method": "session/request_permission", "params": []}\n',
    UPDATE + '{"update": {"sessionUpdate": ["tool_call"]}}}\n',
    UPDATE + '{"update": {"sessionUpdate": "tool_call"}}}\n',
    UPDATE + '"x"}\n',
    '{"jsonrpc": "2.0", "method": "no/such/thing"}\n',
    '{"a":' * 3000 + "\n",
    "\udcff\udcfe{\n",
]


def test_what_makes_no_sense_disturbs_nothing(probe: MakeProbe) -> None:
    run = probe(*({"raw": noise} for noise in NOISE), {"flood": 17_000_000}, {"say": "still here"})
    end = run.run()
    assert (end.status, end.summary) == ("ok", "still here")
    assert len(run.events("finished")) == 1


def other(spec: RunSpec, *argv: str) -> RunEnd:
    async def main() -> RunEnd:
        return await (await AcpRunner(argv).start(spec)).result()

    return asyncio.run(asyncio.wait_for(main(), 60))


def test_a_program_that_only_echoes_is_no_agent(spec: MakeSpec) -> None:
    assert other(spec(), "cat").status == "error"


def test_a_program_that_ends_at_once_is_an_error_with_its_last_words(spec: MakeSpec) -> None:
    end = other(spec(), "sh", "-c", "echo no such model >&2; exit 4")
    assert (end.status, end.detail) == ("error", "exit code 4: no such model")


def test_a_program_that_never_answers_is_given_up(spec: MakeSpec) -> None:
    end = other(spec(idle_timeout=1.0), "sleep", "600")
    assert (end.status, end.detail) == ("timeout", "idle time-out: no output for 1 s")


def test_a_program_that_is_absent_is_refused_before_anything_starts() -> None:
    with pytest.raises(UsageError, match="no-such-agent"):
        AcpRunner(["no-such-agent"]).validate()


def test_an_agent_that_would_follow_the_repositorys_settings_is_refused_beside_them(spec: MakeSpec) -> None:
    (spec().cwd / ".opencode").mkdir()
    with pytest.raises(Refused, match=r"opencode would follow the repository's own \.opencode"):
        other(spec(), "opencode", "acp")


def test_further_arguments_go_to_the_program(spec: MakeSpec) -> None:
    end = other(spec(arguments=("echo $0 >&2; exit 1", "further")), "sh", "-c")
    assert end.detail == "exit code 1: further"


def test_messages_are_left_for_the_next_tool_call(probe: MakeProbe) -> None:
    run = probe({"say": "x"})

    async def main() -> bool:
        handle = await run.runner.start(run.spec)
        sent = await handle.send("hurry")
        await handle.result()
        return sent

    assert asyncio.run(asyncio.wait_for(main(), 60)) is run.runner.capabilities.steer is False
