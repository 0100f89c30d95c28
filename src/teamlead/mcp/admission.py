"""Who may speak with the team: this is decided before anything else of a request is read.

The server listens on loopback, where every program of this machine and every page in a browser can knock.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from teamlead.mcp.http import MOST_BODY, Answer, RequestHead
from teamlead.mcp.protocol import NEGOTIABLE, refusal
from teamlead.system.secrets import Secrets

PATH: Final = "/mcp"


@dataclass(frozen=True, slots=True, eq=False)
class Guest:
    """An attempt that may speak with the team, known by its token."""

    task: str
    attempt: int
    role: str
    form: str
    """In which its result is asked for; empty: nobody has said."""
    token: bytes
    secrets: Secrets
    """That its agent may know and nobody is to keep."""


def enter(head: RequestHead, host: str, guests: Iterable[Guest]) -> Guest | Answer:
    """Tells whose request this is, or why it is turned away."""
    if head.headers.get("host") != host.encode():
        return refusal(403, "this server is asked for by another name than its own")
    if "origin" in head.headers:
        return refusal(403, "this server is not for browsers")
    if head.target != PATH:
        return refusal(404, f"there is nothing but {PATH} here")
    guest = _guest(head.headers.get("authorization", b""), guests)
    if guest is None:
        return refusal(401, "this attempt has ended, or its token is wrong", ("www-authenticate", "Bearer"))
    if head.method == "DELETE":
        return Answer(204)
    return _unreadable(head) or guest


def _guest(authorization: bytes, guests: Iterable[Guest]) -> Guest | None:
    scheme, _, token = authorization.partition(b" ")
    found = None
    # All are compared, each in constant time: how long it takes says nothing of any token.
    for guest in guests:
        if hmac.compare_digest(guest.token, token):
            found = guest
    return found if scheme.lower() == b"bearer" else None


def _unreadable(head: RequestHead) -> Answer | None:
    if head.method != "POST":
        return refusal(405, "this server sends nothing by itself: use POST", ("allow", "POST, DELETE"))
    content = head.headers.get("content-type", b"").partition(b";")[0].strip().lower()
    if content != b"application/json":
        return refusal(415, "a message is application/json")
    if int(head.headers.get("content-length", b"0")) > MOST_BODY:
        return refusal(413, f"a body has at most {MOST_BODY} bytes")
    version = head.headers.get("mcp-protocol-version", b"").decode("latin-1")
    if version and version not in NEGOTIABLE:
        return refusal(400, f"unknown MCP-Protocol-Version; known are {', '.join(NEGOTIABLE)}")
    return None
