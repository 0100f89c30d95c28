"""What is known of some agents beyond their protocol: how to make them ask, and what they need."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from teamlead.ports.runner import Capabilities

_SERVICES = (
    *("ANTHROPIC_", "CLAUDE_CODE_", "OPENAI_", "AZURE_OPENAI_", "CODEX_", "GEMINI_", "GOOGLE_", "VERTEX_"),
    *("AWS_", "OPENROUTER_", "MISTRAL_", "DEEPSEEK_", "GROQ_", "XAI_", "OPENCODE_"),
)
"""An agent that speaks ACP may use any service of models: the variables of those that are known are its."""
_FURTHER = ("CLAUDE_CONFIG_DIR", "IS_SANDBOX")
_ASKED = ("edit", "bash", "webfetch", "websearch", "codesearch")
"""The tools of opencode that a policy can forbid."""


class KnownAgent(NamedTuple):
    capabilities: Capabilities = Capabilities(team=True, resume=True)
    environment: Mapping[str, str] = {}
    meta: Mapping[str, Any] = {}
    """For the opening of a session: keeps the repository's own settings from taking effect."""
    settings: tuple[str, ...] = ()
    """The repository's own, from which nothing keeps it: beside them it starts only if they are allowed."""
    accumulates: bool = True
    """The cost it tells is that of the whole conversation, as the protocol has it; otherwise of the run."""


_KNOWN: Mapping[str, KnownAgent] = {
    "claude-agent-acp": KnownAgent(
        Capabilities(team=True, cost=True, resume=True, tool_limits="calls"),
        # Its own retries are ten, over minutes. The lead knows better when to come back.
        environment={"CLAUDE_CODE_MAX_RETRIES": "2"},
        meta={"claudeCode": {"options": {"settingSources": [], "strictMcpConfig": True}}},
        accumulates=False,
    ),
    "codex-acp": KnownAgent(Capabilities(team=True, steer=True, resume=True, tool_limits="kinds")),
    "opencode": KnownAgent(
        Capabilities(team=True, steer=True, cost=True, resume=True, tool_limits="calls"),
        # Unless it is told to ask, it allows itself everything.
        environment={"OPENCODE_PERMISSION": json.dumps(dict.fromkeys(_ASKED, "ask"))},
        # Its switches for that leave out one of its two ways to load plugins.
        settings=("opencode.json", "opencode.jsonc", ".opencode"),
    ),
}


def known_agent(argv: Sequence[str]) -> KnownAgent:
    names = (Path(word).name for word in argv)
    return next((_KNOWN[name] for name in names if name in _KNOWN), KnownAgent())


def of_services(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns the credentials and endpoints of services."""
    return {
        name: value for name, value in environment.items() if name.startswith(_SERVICES) or name in _FURTHER
    }
