"""What the program tells about a session, in words that are the same every time it is played."""

import json
import re
from typing import Any

from tests.flows.support import Project

RACING = {"CopyRemoved"}
"""Events that may come before or after others of their task."""

REPLACED = {
    "seq": "NUMBER",
    "pid": "NUMBER",
    "seconds": "SECONDS",
    "agent_seconds": "SECONDS",
    "user": "USER",
    "terminal": "TERMINAL",
}
"""By key."""

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
STATE = re.compile(r"PLACE/state/teamlead/[0-9a-f]{32}")
COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
DIGEST = re.compile(r"\b[0-9a-f]{32}\b")
PLANNING = re.compile(r"\bplan-\d{8}-\d{6}-\w{4}\b")
WIDTH = 110


def document(project: Project, *command: str) -> Any:
    """What a command says of the latest session now."""
    return normalised(project, project.teamlead(*command, "--json").json)


def events(project: Project) -> dict[str, list[str]]:
    """The kinds of events that `watch` tells, in their order, by the task that they are about."""
    found: dict[str, list[str]] = {}
    for line in project.teamlead("watch", "--json").lines:
        if line["seq"] is None or line["kind"] in RACING:
            continue
        body = line["body"]
        about = [concern["task"] for concern in body.get("tasks", ())] or [body.get("task") or "session"]
        for task in about:
            found.setdefault(task, []).append(line["kind"])
    return found


def normalised(project: Project, document: object) -> Any:
    subjects = dict(line.split(" ", 1) for line in project.git("log", "--all", "--format=%H %s").splitlines())

    def text(value: str) -> str:
        value = value.replace(str(project.place), "PLACE")
        for session in project.sessions:
            value = value.replace(session.name, "SESSION")
        value = STATE.sub("STATE", value)
        value = COMMIT.sub(lambda found: f"COMMIT({subjects.get(found[0], 'unknown')})", value)
        return PLANNING.sub("PLANNING", DIGEST.sub("DIGEST", TIME.sub("TIME", value)))

    def value(of: object) -> object:
        match of:
            case dict():
                return {
                    text(key): REPLACED[key] if key in REPLACED else value(item) for key, item in of.items()
                }
            case list():
                return [value(item) for item in of]
            case str():
                return text(of)
        return of

    return value(document)


def pretty(value: object, indent: str = "") -> str:
    """JSON with sorted keys, and on one line what fits on it: short enough to be read as a difference."""
    line = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = f"{indent} "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {pretty(item, deeper)}" for key, item in sorted(value.items())]
    else:
        items = [pretty(item, deeper) for item in value]
    inner = f",\n{deeper}".join(items)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}{inner}\n{indent}{closing}"
