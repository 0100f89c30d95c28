"""Any program as an agent: its prompt is its input, and its last words are its summary."""

import shutil
from collections import deque
from collections.abc import Iterable, Sequence

from teamlead.errors import UsageError
from teamlead.ports.runner import Capabilities, RunHandle, RunSpec
from teamlead.runners.agent_homes import home_of
from teamlead.runners.attempt_folder import AttemptFolder
from teamlead.runners.program import Dialect, Invocation, ProgramRunner, launch
from teamlead.runners.refusals import refuse_asking
from teamlead.runners.run_events import LONGEST_REPORT, Event
from teamlead.system.environment import allowed

PROMPT_FILE = "{prompt_file}"
"""Stands in the command for the path of a file with the prompt."""
SUMMARY_LINES = 10


class CommandRunner(ProgramRunner):
    capabilities = Capabilities()

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv

    def validate(self) -> None:
        if shutil.which(self._argv[0], path=allowed().get("PATH")) is None:
            raise UsageError(
                f"no program {self._argv[0]!r}",
                remedy="install it, or write its path; a pipe or a redirection needs command:sh -c '...'",
            )

    async def start(self, spec: RunSpec) -> RunHandle:
        refuse_asking("a command", spec)
        prompt = str(AttemptFolder(spec.folder).prompt)
        argv = [word.replace(PROMPT_FILE, prompt) for word in self._argv]
        invocation = Invocation(
            [*argv, *spec.arguments],
            {"TEAMLEAD_PROMPT_FILE": prompt},
            spec.prompt.encode("utf-8", "replace"),
            home_of(argv),
        )
        return await launch(spec, invocation, CommandDialect())


class CommandDialect(Dialect):
    """A line that is an event is one. A program that knows nothing of events finishes by its end."""

    tells_calls = False

    def __init__(self) -> None:
        self._words: deque[str] = deque()
        self._length = 0
        self._finished = False

    def read(self, line: bytes) -> Iterable[Event]:
        for event in super().read(line):
            match event["type"]:
                case "raw":
                    self._hear(event["text"])
                case "finished" | "ask":
                    self._finished = True
            yield event

    def _hear(self, line: str) -> None:
        self._words.append(line)
        self._length += len(line) + 1
        while self._length > LONGEST_REPORT:
            self._length -= len(self._words.popleft()) + 1

    def close(self) -> Iterable[Event]:
        if not self._finished:
            last = list(self._words)[-SUMMARY_LINES:]
            yield {
                "type": "finished",
                "status": "ok",
                "summary": "\n".join(last).strip(),
                "report": "\n".join(self._words).strip(),
            }
