"""What each event of Claude Code means for a lead.

Only the lead is held. Agents that it starts are free: their events carry an `agent_id`.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.errors import TeamleadError
from teamlead.guard import sessions
from teamlead.guard.calls import TOOLS, Judged, Place, judge_call
from teamlead.guard.delegation import Verdict
from teamlead.guard.log import record
from teamlead.guard.lookup import FALLBACK_WARNING, SECONDS
from teamlead.guard.sessions import Session, remembered

Event = dict[str, Any]
Answer = dict[str, Any]

AGENT_TOOLS = ("Agent", "Task")
TIMERS = ("CronCreate", "ScheduleWakeup")
"""With these a lead writes prompts that come back as if the user had said them."""
_SESSION = re.compile(r"[\w.-]{1,100}")
_NOTE = "<task-notification>"
_TASK = re.compile(r"<task-id>([^<]*)</task-id>")
_STATUS = re.compile(r"<status>([^<]*)</status>")
_DIRECTLY = re.compile(
    r"\b(?:edit|fix|change|correct|update|do)\b[^.!?\n]{0,80}\b(?:directly|yourself)\b"
    r"|\bwithout (?:an agent|a subagent|delegat\w+)|\bno need to delegate"
    r"|直接(?:編集|修正|直|変更|更新)|직접 (?:편집|수정|고쳐|변경)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no one|nobody|don't|avoid|instead of)\b|ない|禁止|마|않|금지", re.IGNORECASE
)


class Malformed(TeamleadError):
    """What arrived is no event of Claude Code."""


def _session(event: Event) -> str:
    session = event.get("session_id")
    if not isinstance(session, str) or not _SESSION.fullmatch(session) or not session.strip("."):
        raise Malformed("the event has no usable session_id")
    return session


def _place(event: Event) -> Place:
    folder = Path(str(event.get("cwd") or ".")).resolve()
    return Place(folder, Path(os.environ.get("CLAUDE_PROJECT_DIR") or folder).resolve())


def _before_tool(event: Event) -> Answer:
    tool, given = event.get("tool_name"), event.get("tool_input")
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise Malformed("the event names no tool with its input")
    if event.get("agent_id") or tool not in (*TOOLS, *TIMERS):
        return {}
    name, place = _session(event), _place(event)
    with remembered(name) as session:
        if tool in TIMERS:
            session.own_prompts = True
            return {}
        judged = judge_call(tool, given, session, place)
        record(judged.action, [judged.what], judged.verdict, session=name, folder=str(place.folder))
        if judged.verdict.allowed:
            _grant(session, str(event.get("tool_use_id")), judged)
            fallback = judged.verdict.exemption == "fallback-read"
            return {"systemMessage": f"teamlead: {FALLBACK_WARNING}"} if fallback else {}
    return deny(_told(judged.verdict))


def _grant(session: Session, call: str, judged: Judged) -> None:
    session.portions += [list(portion) for portion in judged.portions]
    session.searches += judged.searches
    session.granted[call] = ""
    if judged.change:
        from teamlead.guard.edits import keep  # noqa: PLC0415 - a hook for a read must start fast

        session.granted[call] = str(keep(*judged.change).folder)


def _told(verdict: Verdict) -> str:
    return (
        f"You lead, and this is not for you: {verdict.reason}. Delegate it to {verdict.role} with the Agent "
        f"tool, and work with what it reports. (rule {verdict.rule}; `teamlead guard rules` lists them)"
    )


def deny(reason: str) -> Answer:
    decision = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}


def _after_tool(event: Event) -> Answer:
    tool, given = str(event.get("tool_name")), event.get("tool_input")
    given = given if isinstance(given, dict) else {}
    name = _session(event)
    if event.get("agent_id"):
        if tool == "Read":
            with remembered(name) as session:
                path = str(_place(event).path(given.get("file_path")))
                session.analysed[path] = str(event.get("agent_type") or "an agent")
        return {}
    with remembered(name) as session:
        if tool in AGENT_TOOLS:
            _delegated(session, event.get("tool_response"), given)
        elif tool in TOOLS:
            return _verified(session, event, name)
    return {}


def _delegated(session: Session, response: object, given: Event) -> None:
    session.begin_lookup()
    if isinstance(response, dict):
        session.agents[str(response.get("agentId"))] = str(given.get("subagent_type"))
        if output := response.get("outputFile"):
            session.outputs.append(str(Path(str(output)).resolve()))


def _verified(session: Session, event: Event, name: str) -> Answer:
    """A use that nobody allowed, or that was more than was allowed, is an error."""
    kept = session.granted.pop(str(event.get("tool_use_id")), None)
    seconds = event.get("duration_ms", 0) / 1000
    problem = revert = ""
    if kept is None:
        problem = f"{event.get('tool_name')} was used without having been judged and logged"
    elif kept:
        from teamlead.guard.edits import at, forget, unintended  # noqa: PLC0415 - as above

        edit = at(Path(kept))
        if lines := unintended(edit):
            problem = f"{edit.path} changed in {len(lines)} more lines than was allowed"
            revert = f" Offer the user to take it back: {edit.revert}"
        else:
            forget(edit)
    elif event.get("tool_name") == "Read" and seconds >= SECONDS:
        problem = (
            f"it took {seconds:.0f} seconds, and a lookup takes less than {SECONDS}: delegate such reads"
        )
    if not problem:
        return {}
    record("verify", [str(event.get("tool_name"))], Verdict(allowed=False, reason=problem), session=name)
    return {
        "decision": "block",
        "reason": f"{problem}.{revert}",
        "systemMessage": f"teamlead: {problem}.{revert}",
    }


def _tool_failed(event: Event) -> Answer:
    if event.get("agent_id"):
        return {}
    with remembered(_session(event)) as session:
        if kept := session.granted.pop(str(event.get("tool_use_id")), None):
            from teamlead.guard.edits import at, forget, is_made  # noqa: PLC0415 - as above

            if not is_made(edit := at(Path(kept))):
                forget(edit)
        if event.get("tool_name") in AGENT_TOOLS and isinstance(given := event.get("tool_input"), dict):
            _failed(session, str(given.get("subagent_type")))
    return {}


def _failed(session: Session, kind: str) -> None:
    session.failures[kind] = session.failures.get(kind, 0) + 1


def _prompt(event: Event) -> Answer:
    prompt = str(event.get("prompt", ""))
    ended = ended_agent(prompt)
    with remembered(_session(event)) as session:
        session.begin_lookup()
        if ended is None:
            session.fast = asks_for_speed(prompt) and not session.own_prompts
        elif (kind := session.agents.get(ended.agent)) is not None:
            if ended.failed:
                _failed(session, kind)
            else:
                session.failures.pop(kind, None)
    return {}


class AgentEnded(NamedTuple):
    agent: str
    failed: bool


def ended_agent(prompt: str) -> AgentEnded | None:
    """None: the user speaks. What the agent itself says comes after the status, and is not looked at."""
    if not prompt.startswith(_NOTE):
        return None
    head = prompt.partition("<result>")[0].partition("<summary>")[0]
    task, status = _TASK.search(head), _STATUS.search(head)
    return AgentEnded(task[1] if task else "", failed=status is not None and status[1] == "failed")


def asks_for_speed(prompt: str) -> bool:
    """Whether the user plainly asks the lead to edit by itself. In doubt: no."""
    # Notes of programs come in tags.
    if prompt.lstrip().startswith("<"):
        return False
    sentences = re.split(r"[.!?。\n]", prompt)
    return any(_DIRECTLY.search(sentence) and not _NOT.search(sentence) for sentence in sentences)


def _agent_started(event: Event) -> Answer:
    with remembered(_session(event)) as session:
        session.agents[str(event.get("agent_id"))] = str(event.get("agent_type"))
    return {}


def _agent_ended(event: Event) -> Answer:
    with remembered(_session(event)) as session:
        session.begin_lookup()
    return {}


def _stop(event: Event) -> Answer:
    """To end its turn is how a lead waits. The user is told that what it says is not the end yet."""
    tasks = event.get("background_tasks")
    running = [
        str(task.get("agent_type"))
        for task in (tasks if isinstance(tasks, list) else [])
        if isinstance(task, dict) and task.get("type") == "subagent" and task.get("status") == "running"
    ]
    if not running:
        return {}
    who = ", ".join(sorted(running))
    return {"systemMessage": f"teamlead: still at work: {who}. This is not the lead's summary yet."}


def _end(event: Event) -> Answer:
    sessions.forget(_session(event))
    return {}


HANDLERS: dict[str, Callable[[Event], Answer]] = {
    "PreToolUse": _before_tool,
    "PostToolUse": _after_tool,
    "PostToolUseFailure": _tool_failed,
    "UserPromptSubmit": _prompt,
    "SubagentStart": _agent_started,
    "SubagentStop": _agent_ended,
    "Stop": _stop,
    "SessionEnd": _end,
}
