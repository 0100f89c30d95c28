"""From the greeting to a session that is ready for its prompt: what is asked, in order.

A generator yields each request, and gets its result or, raised, the error that answers it.
"""

import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from teamlead import __version__
from teamlead.core.model import ToolPolicy
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.acp.ends import ConversationLost
from teamlead.runners.acp.rpc import AUTHENTICATION_REQUIRED, Request, RpcError
from teamlead.runners.run_events import Event
from teamlead.runners.untrusted_fields import table, tables, text
from teamlead.system.environment import TEAM_TOKEN, TEAM_URL

VERSION = 1
# No file system and no terminal of ours: the agent uses its own.
_GREETING = {
    "protocolVersion": VERSION,
    "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
    "clientInfo": {"name": "teamlead", "title": "teamlead", "version": __version__},
}

Result = dict[str, Any]
Asking = Generator[Request, Any, None]
Category = Literal["mode", "model", "thought_level"]

READ_ONLY = ("read-only", "readonly", "default", "ask", "plan")
"""By preference: what asks before each call is held by the policy, and a mode for plans yields only plans."""
ASKING = READ_ONLY[:-1]
WRITING = ("workspace-write", "default", "ask")
SHOWN = 10


class Opening(NamedTuple):
    spec: RunSpec
    environment: Mapping[str, str]
    """The agent's."""
    meta: Mapping[str, Any]
    """What only this agent understands."""
    tell: Callable[[Event], None]

    def run(self) -> Generator[Request, Any, str]:
        """Returns the session's id."""
        hello = table((yield Request("initialize", _GREETING)))
        if hello.get("protocolVersion") != VERSION:
            spoken = hello.get("protocolVersion")
            raise RpcError(
                None, f"the agent speaks version {spoken!r} of ACP, and teamlead version {VERSION}"
            )
        can = table(hello.get("agentCapabilities"))
        resumes = isinstance(table(can.get("sessionCapabilities")).get("resume"), dict)
        loads = can.get("loadSession") is True
        request = self._session(can, "session/resume" if resumes else "session/load" if loads else "")
        try:
            opened = yield from self._admitted(request, hello)
        except RpcError as error:
            if self.spec.conversation and error.code != AUTHENTICATION_REQUIRED:
                raise ConversationLost(error.code, error.message) from error
            raise
        session = self.spec.conversation or text(opened.get("sessionId"))
        if not session:
            raise RpcError(None, "the agent opened a session without an id")
        agent = table(hello.get("agentInfo"))
        name = f"{text(agent.get('name'))} {text(agent.get('version'))}".strip()
        lasting = session if resumes or loads else ""
        self.tell({"type": "started", "agent": name, "model": self.spec.model, "conversation": lasting})
        yield from self._choose(session, opened, "model", self.spec.model)
        yield from self._choose(session, opened, "thought_level", self.spec.effort)
        yield from self._choose_mode(session, opened)
        return session

    def _session(self, can: Mapping[str, Any], continuing: str) -> Request:
        params: Result = {"cwd": str(self.spec.place), "mcpServers": [], "_meta": dict(self.meta)}
        if self.spec.team is not None:
            http = table(can.get("mcpCapabilities")).get("http") is True
            params["mcpServers"] = [_http_server(self.spec.team) if http else _bridge(self.spec.team)]
        if not self.spec.conversation:
            return Request("session/new", params)
        if not continuing:
            raise ConversationLost(None, "the agent cannot continue a conversation")
        return Request(continuing, {**params, "sessionId": self.spec.conversation})

    def _admitted(self, request: Request, hello: Mapping[str, Any]) -> Generator[Request, Any, Result]:
        try:
            return table((yield request))
        except RpcError as error:
            if error.code != AUTHENTICATION_REQUIRED:
                raise
        yield self._authentication(tables(hello.get("authMethods")))
        return table((yield request))

    def _authentication(self, methods: list[Result]) -> Request:
        """Chooses a method by what is in the environment: nobody is there to log in."""
        for method in methods:
            names = [text(variable.get("name")) for variable in tables(method.get("vars"))]
            if names and all(self.environment.get(name) for name in names):
                return Request("authenticate", {"methodId": text(method.get("id"))})
        ways = ", ".join(filter(None, (text(method.get("name")) for method in methods)))
        raise RpcError(
            AUTHENTICATION_REQUIRED, f"the agent wants a login first: {ways or 'it does not say how'}"
        )

    def _choose(self, session: str, opened: Result, category: Category, wanted: str) -> Asking:
        if not wanted:
            return
        what = f"{'model' if category == 'model' else 'effort'} {wanted!r}"
        offered = offer(session, opened, category)
        value = offered.find([wanted]) if offered else ""
        if offered and value:
            yield from self._set(offered.request(value), what)
        else:
            choice = f"there are: {offered}" if offered else "it lets nobody choose"
            self._warn(f"the agent has no {what} and uses its own; {choice}")

    def _choose_mode(self, session: str, opened: Result) -> Asking:
        offered = offer(session, opened, "mode")
        value = offered.find(wanted_mode(self.spec.policy)) if offered else ""
        if offered and value not in ("", offered.current):
            yield from self._set(offered.request(value), f"mode {value!r}")

    def _set(self, request: Request, what: str) -> Asking:
        try:
            yield request
        except RpcError as error:
            self._warn(f"the agent did not take the {what}: {error.message}")

    def _warn(self, words: str) -> None:
        self.tell({"type": "warning", "text": words})


def _http_server(team: Team) -> Result:
    headers = [{"name": "Authorization", "value": f"Bearer {team.token}"}]
    return {"type": "http", "name": "team", "url": team.url, "headers": headers}


def _bridge(team: Team) -> Result:
    variables = {TEAM_URL: team.url, TEAM_TOKEN: team.token}
    return {
        "name": "team",
        "command": sys.executable,
        # -P: the working copy must not be searched for our own modules.
        "args": ["-P", "-m", "teamlead", "mcp"],
        "env": [{"name": name, "value": value} for name, value in variables.items()],
    }


class Offer(NamedTuple):
    """What a session offers to choose from: a mode, a model, an effort. Names differ from agent to agent.

    Newer agents offer options of categories, older ones lists of modes and models.
    """

    current: str
    names: Mapping[str, str]
    """By value."""
    method: str
    key: str
    """Of the parameter that takes the value."""
    further: Mapping[str, str]

    def find(self, wanted: Sequence[str]) -> str:
        """Returns the value that the first fitting one of the wanted words names; "" if none does."""
        for word in map(_plain, wanted):
            for value, name in self.names.items():
                if word in (_plain(value), _plain(name)):
                    return value
        return ""

    def request(self, value: str) -> Request:
        return Request(self.method, {**self.further, self.key: value})

    def __str__(self) -> str:
        shown = [*self.names][:SHOWN]
        return ", ".join(shown) + (", ..." if len(self.names) > SHOWN else "")


def wanted_mode(policy: ToolPolicy) -> Sequence[str]:
    if "edit" not in policy.tools:
        return READ_ONLY
    return ASKING if policy.asks else WRITING


def offer(session: str, opened: Mapping[str, Any], category: Category) -> Offer | None:
    """Returns what the answer to the session's opening offers; None for nothing of the kind."""
    for option in tables(opened.get("configOptions")):
        if option.get("category") == category:
            listed = tables(option.get("options"))
            values = [one for entry in listed for one in (tables(entry.get("options")) or [entry])]
            named = {"sessionId": session, "configId": text(option.get("id"))}
            return _offer(
                text(option.get("currentValue")),
                values,
                "value",
                ("session/set_config_option", "value", named),
            )
    own = {"sessionId": session}
    if category == "mode":
        modes = table(opened.get("modes"))
        values = tables(modes.get("availableModes"))
        return _offer(text(modes.get("currentModeId")), values, "id", ("session/set_mode", "modeId", own))
    if category == "model":
        models = table(opened.get("models"))
        values = tables(models.get("availableModels"))
        return _offer(
            text(models.get("currentModelId")), values, "modelId", ("session/set_model", "modelId", own)
        )
    return None


def _offer(
    current: str, values: Sequence[Mapping[str, Any]], key: str, way: tuple[str, str, Mapping[str, str]]
) -> Offer | None:
    names = {text(value.get(key)): text(value.get("name")) for value in values if text(value.get(key))}
    return Offer(current, names, *way) if names else None


def _plain(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())
