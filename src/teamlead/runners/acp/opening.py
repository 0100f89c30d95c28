"""From the greeting to a session that is ready for its prompt: what is asked, in order.

A generator yields each request, and gets its result or, raised, the error that answers it.
"""

import sys
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

from teamlead import __version__
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.acp.choices import Category, offer, wanted_mode
from teamlead.runners.acp.ends import ConversationLost
from teamlead.runners.acp.rpc import AUTHENTICATION_REQUIRED, Problem, Request
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
            raise Problem(None, f"the agent speaks version {spoken!r} of ACP, and teamlead version {VERSION}")
        can = table(hello.get("agentCapabilities"))
        resumes = isinstance(table(can.get("sessionCapabilities")).get("resume"), dict)
        loads = can.get("loadSession") is True
        request = self._session(can, "session/resume" if resumes else "session/load" if loads else "")
        try:
            opened = yield from self._admitted(request, hello)
        except Problem as error:
            if self.spec.conversation and error.code != AUTHENTICATION_REQUIRED:
                raise ConversationLost(error.code, error.message) from error
            raise
        session = self.spec.conversation or text(opened.get("sessionId"))
        if not session:
            raise Problem(None, "the agent opened a session without an id")
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
        except Problem as error:
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
        raise Problem(
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
        except Problem as error:
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
