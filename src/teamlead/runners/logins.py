"""Whether agents' programs would be let in: asked as cheaply as each allows. No model is asked.

Where a program cannot tell, or its answer is none that we know, nothing is claimed.
"""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from teamlead.errors import TeamleadError
from teamlead.runners.detection import LOGIN, Answer, ask, credentials, locate

ENDPOINTS = ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
"""Another service than the vendor's may let in whom it likes."""
OF_GEMINI = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_APPLICATION_CREDENTIALS")
PLACES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")


def missing_logins(kinds: Iterable[str], environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """By agent, what is missing and how to get it. All are asked at once."""

    async def look() -> dict[str, str]:
        asked = [kind for kind in dict.fromkeys(kinds) if kind in _MISSING]
        told = await asyncio.gather(*(_missing(kind, environment) for kind in asked))
        return {kind: remedy for kind, remedy in zip(asked, told, strict=True) if remedy}

    return asyncio.run(look())


async def _missing(kind: str, environment: Mapping[str, str]) -> str:
    if credentials(kind, environment) != LOGIN or any(environment.get(name) for name in ENDPOINTS):
        return ""
    return await _MISSING[kind](environment)


async def _of_claude(environment: Mapping[str, str]) -> str:
    answer = await _asked("claude", environment, "auth", "status")
    try:
        told = json.loads(answer.said) if answer is not None else None
    except ValueError:
        return ""
    if not isinstance(told, dict) or told.get("loggedIn") is not False:
        return ""
    return "run `claude auth login`, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN"


async def _of_codex(environment: Mapping[str, str]) -> str:
    home = Path(environment.get("CODEX_HOME") or Path.home() / ".codex")
    if _mentions(home / "config.toml", "model_provider"):
        # Another service, with credentials of its own.
        return ""
    answer = await _asked("codex", environment, "login", "status")
    if answer is None or answer.exit_code != 1 or "Not logged in" not in answer.said + answer.errors:
        return ""
    return "run `codex login`, or set CODEX_API_KEY"


async def _of_gemini(environment: Mapping[str, str]) -> str:
    """It has no word for it. Without a folder of its own, nobody has ever logged in."""
    home = Path(environment.get("GEMINI_CLI_HOME") or Path.home())
    if locate("gemini") is None or (home / ".gemini").exists() or any(map(environment.get, OF_GEMINI)):
        return ""
    return "run `gemini` once and log in, or set GEMINI_API_KEY"


async def _asked(kind: str, environment: Mapping[str, str], *arguments: str) -> Answer | None:
    path = locate(kind)
    if path is None:
        return None
    places = {name: environment[name] for name in PLACES if name in environment}
    try:
        return await ask(path, *arguments, environment=places)
    except TeamleadError:
        return None


def _mentions(file: Path, word: str) -> bool:
    try:
        return word in file.read_text("utf-8", "replace")
    except OSError:
        return False


_MISSING: dict[str, Callable[[Mapping[str, str]], Awaitable[str]]] = {
    "claude": _of_claude,
    "codex": _of_codex,
    "gemini": _of_gemini,
}
