"""What we say to Claude Code, one message a line."""

import uuid
from typing import Any

import msgspec

from teamlead.runners.program import ProgramInput


class OutgoingMessages:
    def __init__(self) -> None:
        self.line: ProgramInput | None = None

    def tell(self, said: str) -> str:
        """Speaks as the user. Returns the message's id; "" if it cannot arrive any more."""
        name = str(uuid.uuid4())
        body = {"role": "user", "content": said.encode("utf-8", "replace").decode()}
        # client_composed: neither a leading slash nor an @path in it is a command.
        message = {"type": "user", "message": body, "uuid": name, "client_composed": True}
        return name if self._send(message) else ""

    def ask(self, what: str, **fields: object) -> bool:
        """Asks something. The answer names what was asked."""
        request = {"subtype": what, **fields}
        return self._send({"type": "control_request", "request_id": what, "request": request})

    def answer(self, request: str, answer: dict[str, Any]) -> None:
        self._respond({"subtype": "success", "request_id": request, "response": answer})

    def decline(self, request: str, reason: str) -> None:
        self._respond({"subtype": "error", "request_id": request, "error": reason})

    def _respond(self, response: dict[str, Any]) -> None:
        self._send({"type": "control_response", "response": response})

    def _send(self, message: dict[str, Any]) -> bool:
        return self.line is not None and self.line.write(msgspec.json.encode(message) + b"\n")
