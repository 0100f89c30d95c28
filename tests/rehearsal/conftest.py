import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest

from teamlead.rehearsal.server import ScriptedModel
from teamlead.runners.script import check_script

PROMPT = "# task-1: A title\n\nThis is attempt {attempt}.\n\nDo it."


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)

    @property
    def events(self) -> list[Any]:
        lines = self.text.splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def ask(model: ScriptedModel, path: str, body: object, method: str = "POST") -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", "x-api-key": "secret", "Authorization": "Bearer secret"}
    request = urllib.request.Request(model.url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return Answer(response.status, dict(response.headers), response.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, dict(error.headers), error.read().decode())


Serve = Callable[..., ScriptedModel]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A model that follows these steps, for whatever task; each further list is a further attempt."""
    with ExitStack() as stack:

        def started(*attempts: str) -> ScriptedModel:
            text = "".join(f"[[default]]\nsteps = [{steps}]\n" for steps in attempts)
            return stack.enter_context(ScriptedModel(check_script(text, "script", "model")))

        yield started
