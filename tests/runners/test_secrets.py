"""What is kept of a run, where its agent prints its environment."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from teamlead.core.runs import RunEnd
from teamlead.ports.runner import RunSpec
from teamlead.ports.team import Team
from teamlead.runners.program import Dialect, Invocation, launch

TOKEN = "s3cr3t-of-the-team"

CODE = """
import json, os, sys, time
token = os.environ["MY_TOKEN"]
print(json.dumps({"type": "text", "text": json.dumps(dict(os.environ))}), flush=True)
print("x" * 1_000_000 + token + "x" * 1_000_000, flush=True)
sys.stdout.write(token[:7]); sys.stdout.flush(); time.sleep(0.2); print(token[7:], flush=True)
sys.stderr.write(token[:7]); sys.stderr.flush(); time.sleep(0.2); print(token[7:], file=sys.stderr)
print(json.dumps({"type": "finished", "status": "error", "summary": token, "error": token}))
"""


class Late(Dialect):
    """Has something to say that it found elsewhere."""

    translates = True

    def close(self) -> list[dict[str, str]]:
        return [{"type": "denied", "name": "Bash", "reason": f"echo {TOKEN}"}]


def kept(spec: RunSpec, variable: str) -> tuple[RunEnd, dict[Path, bytes]]:
    async def main() -> RunEnd:
        argv = [sys.executable, "-c", CODE.replace("MY_TOKEN", variable)]
        return await (await launch(spec, Invocation(argv, {variable: TOKEN}), Late())).result()

    end = asyncio.run(asyncio.wait_for(main(), 60))
    return end, {path: path.read_bytes() for path in spec.folder.iterdir()}


def test_nothing_that_is_kept_of_a_run_holds_a_secret(spec: Callable[..., RunSpec]) -> None:
    end, files = kept(spec(), "MY_TOKEN")
    assert {path.name for path in files} >= {"events.jsonl", "raw.jsonl", "stderr.txt", "result.json"}
    assert [path.name for path, content in files.items() if TOKEN.encode() in content] == []
    assert TOKEN not in str(end)
    assert (end.summary, end.denials) == ("[secret]", ("Bash: echo [secret]",))


def test_the_token_of_its_team_is_hidden_however_the_agent_knows_it(spec: Callable[..., RunSpec]) -> None:
    _, files = kept(spec(team=Team("http://127.0.0.1:1/mcp", TOKEN)), "MY_WORDS")
    assert [path.name for path, content in files.items() if TOKEN.encode() in content] == []


def test_the_same_text_is_kept_where_it_is_none(spec: Callable[..., RunSpec]) -> None:
    _, files = kept(spec(), "MY_WORDS")
    assert len([path for path, content in files.items() if TOKEN.encode() in content]) == 4
