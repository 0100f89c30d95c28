import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from teamlead.ports import RunEnd, RunSpec
from teamlead.runners.program import Dialect, Invocation, launch
from teamlead.runners.secrets import Secrets

TOKEN = "s3cr3t-of-the-team"
ODD = 'with "quotes" \\ and ünïcode'
SECRETS = Secrets(
    {"TEAMLEAD_TEAM_TOKEN": TOKEN, "api_key": ODD, "SHORT_KEY": "none", "HOME": "/home/somebody"}
)


class Words:
    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.pieces.append(data)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("cut", range(len(TOKEN) + 3))
def test_a_secret_is_hidden_wherever_the_output_is_cut(cut: int) -> None:
    said, words = f"a{TOKEN}b{TOKEN}".encode(), Words()
    guard = SECRETS.guard(words)
    for piece in (said[:cut], said[cut:]):
        guard.write(piece)
    guard.close()
    assert b"".join(words.pieces) == b"a[secret]b[secret]"
    assert words.closed


def test_it_is_hidden_byte_by_byte_too() -> None:
    words = Words()
    guard = SECRETS.guard(words)
    for byte in f"s3s3cr {TOKEN[:-1]} {TOKEN} {TOKEN[:5]}".encode():
        guard.write(bytes([byte]))
    guard.close()
    assert b"".join(words.pieces) == f"s3s3cr {TOKEN[:-1]} [secret] {TOKEN[:5]}".encode()


def test_it_is_hidden_as_json_writes_it() -> None:
    for form in (json.dumps({"key": ODD}), json.dumps({"key": ODD}, ensure_ascii=False)):
        assert json.loads(SECRETS.hidden(form.encode())) == {"key": "[secret]"}


def test_what_is_no_secret_goes_on_at_once() -> None:
    words = Words()
    SECRETS.guard(words).write(b"none /home/somebody SHORT_KEY\n")
    assert words.pieces == [b"none /home/somebody SHORT_KEY\n"]


def test_of_two_the_longer_counts() -> None:
    secrets = Secrets({"A_KEY": "abcdefgh", "B_KEY": "abcdefghijkl"})
    words = Words()
    guard = secrets.guard(words)
    guard.write(b"abcdefgh")
    guard.write(b"ijkl")
    guard.close()
    assert b"".join(words.pieces) == b"[secret]"


def test_without_any_nothing_is_changed() -> None:
    words = Words()
    none = Secrets({"HOME": "/home/somebody"})
    assert none.guard(words) is words
    assert none.hidden_in({"type": "text", "text": ""}) == {"type": "text", "text": ""}


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


def test_the_same_text_is_kept_where_it_is_none(spec: Callable[..., RunSpec]) -> None:
    _, files = kept(spec(), "MY_WORDS")
    assert len([path for path, content in files.items() if TOKEN.encode() in content]) == 4
