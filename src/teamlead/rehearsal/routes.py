"""Which interface a path belongs to, and what is asked there."""

import re
from typing import Literal, NamedTuple

from teamlead.rehearsal import anthropic, gemini, responses
from teamlead.rehearsal.model_interface import Interface

ANTHROPIC = Interface(anthropic.TOOLBOX, anthropic.read, anthropic.whole, anthropic.stream, anthropic.refusal)
RESPONSES = Interface(responses.TOOLBOX, responses.read, responses.whole, responses.stream, responses.refusal)
GEMINI = Interface(gemini.TOOLBOX, gemini.read, gemini.whole, gemini.stream, gemini.refusal)


class Route(NamedTuple):
    interface: Interface
    purpose: Literal["reply", "stream", "count", "models", "socket", "unknown"]
    """A reply is streamed where its path or its body asks for it."""


_ROUTES = (
    ("POST", re.compile(r"(/v1)?/messages"), Route(ANTHROPIC, "reply")),
    ("POST", re.compile(r"(/v1)?/messages/count_tokens"), Route(ANTHROPIC, "count")),
    ("POST", re.compile(r"(/v1)?/responses"), Route(RESPONSES, "reply")),
    ("GET", re.compile(r"(/v1)?/responses"), Route(RESPONSES, "socket")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:generateContent"), Route(GEMINI, "reply")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:streamGenerateContent"), Route(GEMINI, "stream")),
    ("POST", re.compile(r"(/v1\w*)?/models/[^/]+:countTokens"), Route(GEMINI, "count")),
    ("GET", re.compile(r"(/v1\w*)?/models"), Route(RESPONSES, "models")),
)


def find(method: str, path: str) -> Route:
    for wanted, pattern, route in _ROUTES:
        if method == wanted and pattern.fullmatch(path):
            return route
    return Route(ANTHROPIC, "unknown")
