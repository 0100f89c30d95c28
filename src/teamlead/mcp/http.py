"""HTTP/1.1 on one connection, as much of it as a server on loopback needs. Knows nothing of MCP.

Laws:
- What a client sends is bounded: its header, its body, and the time until a request is complete. A stranger
  has less time.
- A request is admitted before its body is read; a connection that was turned away is closed.
- A connection that was admitted may be silent for as long as it likes.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import h11

MOST_HEADER = 16 * 1024
MOST_BODY = 1024 * 1024
DEADLINE = 10.0
"""Seconds until a request that was begun is complete, and until its answer is taken."""
STRANGERS_DEADLINE = 5.0
"""Seconds in which a stranger says who it is."""
LINGER = 1.0
"""Seconds in which a client that was turned away may notice it: a reset would swallow the answer."""
CHUNK = 16 * 1024
"""Read at a time, and so how much longer a header may be that comes in one piece."""


class RequestHead(NamedTuple):
    method: str
    target: str
    headers: dict[str, bytes]
    """By lower-case name; of a repeated one all values, joined by commas."""


class Answer(NamedTuple):
    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    delivered: Callable[[], Awaitable[None]] | None = None
    """Called once it was handed to a client that is still there."""


class Admitted(NamedTuple):
    guest: object
    respond: Callable[[bytes], Awaitable[Answer]]


Admit = Callable[[RequestHead], Admitted | Answer]


class Connection:
    def __init__(
        self, accepted: socket.socket, admit: Admit, malformed: Callable[[int, str], Answer]
    ) -> None:
        """`malformed` words the answer to what is no HTTP, or too much of it."""
        self.guest: object = None
        """Who was admitted; None for a stranger."""
        self._accepted = accepted
        self._admit = admit
        self._malformed = malformed
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEADER)
        self._reader = asyncio.StreamReader()
        self._writer: asyncio.StreamWriter

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.connect_accepted_socket(
            lambda: asyncio.StreamReaderProtocol(self._reader), self._accepted
        )
        # `drain` returns when all is sent: what the transport still held would go with it.
        transport.set_write_buffer_limits(0)
        self._writer = asyncio.StreamWriter(transport, protocol, self._reader, loop)
        try:
            while await self._exchange():
                self._http.start_next_cycle()
        except OSError:
            pass  # Gone, or too slow (a TimeoutError is one, too): there is nobody to tell.
        finally:
            self._writer.transport.abort()

    async def _exchange(self) -> bool:
        """One request and its answer. Returns whether another may follow."""
        if self.guest is not None and not self._http.trailing_data[0]:
            self._http.receive_data(await self._reader.read(CHUNK))
        try:
            async with asyncio.timeout(DEADLINE):
                async with asyncio.timeout(STRANGERS_DEADLINE if self.guest is None else None):
                    head = await self._head()
                if head is None:
                    return False
                admitted = self._admit(head)
                if isinstance(admitted, Admitted):
                    self.guest = admitted.guest
                    body = await self._body()
        except h11.RemoteProtocolError as error:
            return await self._turn_away(self._malformed(error.error_status_hint, str(error)))
        if isinstance(admitted, Answer):
            return await self._turn_away(admitted, bodiless=head.method == "HEAD")
        answer = await admitted.respond(body)
        await self._send(answer)
        if answer.delivered is not None and not self._reader.at_eof():
            await answer.delivered()
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _head(self) -> RequestHead | None:
        event = await self._event()
        if not isinstance(event, h11.Request):
            return None
        headers: dict[str, bytes] = {}
        for name, value in event.headers:
            key = name.decode("ascii")
            headers[key] = headers[key] + b", " + value if key in headers else value
        return RequestHead(event.method.decode("ascii"), event.target.decode("ascii"), headers)

    async def _body(self) -> bytes:
        parts = bytearray()
        while isinstance(event := await self._event(), h11.Data):
            parts += event.data
            if len(parts) > MOST_BODY:
                raise h11.RemoteProtocolError(f"a body has at most {MOST_BODY} bytes", 413)
        return bytes(parts)

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._reader.read(CHUNK))
        return event

    async def _turn_away(self, answer: Answer, *, bodiless: bool = False) -> bool:
        if self._http.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            closing = (*answer.headers, ("connection", "close"))
            await self._send(Answer(answer.status, b"" if bodiless else answer.body, closing))
            self._writer.write_eof()
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    while await self._reader.read(CHUNK):
                        pass
        return False

    async def _send(self, answer: Answer) -> None:
        headers = [*answer.headers]
        if answer.body:
            headers.append(("content-type", "application/json"))
        if answer.status != 204:
            headers.append(("content-length", str(len(answer.body))))
        body = [h11.Data(data=answer.body)] if answer.body else []
        self._write(h11.Response(status_code=answer.status, headers=headers), *body, h11.EndOfMessage())
        async with asyncio.timeout(DEADLINE):
            await self._writer.drain()

    def _write(self, *events: h11.Event) -> None:
        """Writes in one piece: a client that is gone then cannot fail it half-way."""
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
