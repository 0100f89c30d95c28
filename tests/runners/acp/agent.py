"""An agent built with the protocol's official library.

What it offers is its argument: an object of capabilities and choices. What it does is its prompt: a list of
steps; a prompt that is none gets those that it offers as `then`. What it was asked goes to the file `seen`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import acp
from acp import schema


class Agent:
    def __init__(self, offers: dict[str, Any]) -> None:
        self._offers = offers
        self._authenticated = not offers.get("auth_methods")
        self._cancelled = asyncio.Event()
        self._cwd = Path()

    def on_connect(self, connection: Any) -> None:
        self._client = connection

    async def initialize(self, **asked: Any) -> Any:
        self._note("initialize", asked)
        return schema.InitializeResponse.model_validate(
            {
                "protocolVersion": self._offers.get("version", 1),
                "agentCapabilities": self._offers.get("capabilities", {}),
                "authMethods": self._offers.get("auth_methods", []),
                "agentInfo": {"name": "probe", "version": "1.2"},
            }
        )

    async def authenticate(self, method_id: str, **_: Any) -> None:
        self._note("authenticate", {"method_id": method_id})
        self._authenticated = True

    async def new_session(self, cwd: str, **asked: Any) -> Any:
        self._note("new_session", {"cwd": cwd, **asked})
        if not self._authenticated:
            raise acp.RequestError.auth_required()
        self._cwd = Path(cwd)
        return {"sessionId": "s-1", **self._offers.get("session", {})}

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> Any:
        self._note("load_session", {"session_id": session_id})
        if session_id != "s-1":
            raise acp.RequestError.resource_not_found(session_id)
        self._cwd = Path(cwd)
        await self._update(acp.update_user_message_text("an old question"))
        await self._update(acp.update_agent_message_text("an old answer"))
        await self._update(acp.start_tool_call("old", "an old call", raw_input={"x": 1}, status="completed"))
        return schema.LoadSessionResponse.model_validate(self._offers.get("session", {}))

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> Any:
        self._note("resume_session", {"session_id": session_id})
        self._cwd = Path(cwd)
        return schema.ResumeSessionResponse()

    async def set_session_mode(self, mode_id: str, **_: Any) -> None:
        self._note("set_session_mode", {"mode_id": mode_id})

    async def set_config_option(self, config_id: str, value: Any, **_: Any) -> Any:
        self._note("set_config_option", {"config_id": config_id, "value": value})
        if value == "broken":
            raise acp.RequestError.internal_error({"details": "no such engine"})
        return schema.SetSessionConfigOptionResponse(config_options=[])

    async def cancel(self, **_: Any) -> None:
        self._note("cancel", {})
        self._cancelled.set()

    async def prompt(self, prompt: list[Any], **_: Any) -> Any:
        said = prompt[0].text
        self._note("prompt", {"text": said})
        answer: dict[str, Any] = {"stopReason": "end_turn"}
        for step in json.loads(said) if said.startswith("[") else self._offers["then"]:
            (name, value), *_ = step.items()
            found = await getattr(self, f"_{name}")(value)
            answer.update(found or {})
        return schema.PromptResponse.model_validate(answer)

    async def _say(self, text: str) -> None:
        await self._update(acp.update_agent_message_text(text))

    async def _tell(self, update: dict[str, Any]) -> None:
        await self._client._conn.send_notification("session/update", {"sessionId": "s-1", "update": update})

    async def _write(self, path: str) -> None:
        """As an agent does: it tells the call, asks, and does what it may."""
        where = str(self._cwd / path)
        tool = {"toolCallId": path, "title": f"Write {path}", "kind": "edit", "locations": [{"path": where}]}
        await self._tell({"sessionUpdate": "tool_call", "rawInput": {}, **tool})
        await self._tell(
            {"sessionUpdate": "tool_call_update", "toolCallId": path, "rawInput": {"file_path": where}}
        )
        chosen = await self._ask({"toolCallId": path})
        if chosen == "yes":
            await asyncio.to_thread(Path(where).write_text, "written\n")
        status = "completed" if chosen == "yes" else "failed"
        await self._tell({"sessionUpdate": "tool_call_update", "toolCallId": path, "status": status})

    async def _ask(self, tool: dict[str, Any], kinds: tuple[str, ...] = ("allow_once", "reject_once")) -> str:
        names = {"allow_once": "yes", "reject_once": "no", "allow_always": "always"}
        options = [{"optionId": names[kind], "name": names[kind], "kind": kind} for kind in kinds]
        params = {"sessionId": "s-1", "toolCall": tool, "options": options}
        answer = await self._client._conn.send_request("session/request_permission", params)
        self._note("permission", answer)
        return str(answer["outcome"].get("optionId", answer["outcome"]["outcome"]))

    async def _request(self, method: str) -> None:
        try:
            await self._client._conn.send_request(method, {"sessionId": "s-1"})
        except acp.RequestError as error:
            self._note(method, {"code": error.code, "message": str(error)})

    async def _answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        return answer

    async def _error(self, error: list[Any]) -> None:
        raise acp.RequestError(*error)

    async def _flood(self, size: int) -> None:
        await self._raw(f'{{"jsonrpc": "2.0", "method": "{"x" * size}"}}\n')

    async def _raw(self, text: str) -> None:
        data = memoryview(text.encode("utf-8", "surrogateescape"))
        while data:
            try:
                data = data[os.write(1, data) :]
            except BlockingIOError:
                await asyncio.sleep(0.001)

    async def _wait(self, _: bool) -> dict[str, Any]:
        await self._cancelled.wait()
        return {"stopReason": "cancelled"}

    async def _exit(self, code: int) -> None:
        os._exit(code)

    async def _update(self, update: Any) -> None:
        await self._client.session_update("s-1", update)

    def _note(self, what: str, asked: dict[str, Any]) -> None:
        if self._offers.get("seen"):
            plain = json.loads(json.dumps(asked, default=lambda model: model.model_dump(exclude_none=True)))
            with Path(self._offers["seen"]).open("a") as file:
                file.write(json.dumps([what, plain]) + "\n")


async def main() -> None:
    offers = json.loads(sys.argv[1])
    await acp.run_agent(Agent(offers), use_unstable_protocol=True)
    if offers.get("lingers"):
        await asyncio.Event().wait()
    sys.exit(offers.get("exit_code", 0))


if __name__ == "__main__":
    asyncio.run(main())
