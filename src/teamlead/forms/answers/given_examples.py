"""Examples of what a task asks for, as a model gives them: a command, perhaps a file, what must come out."""

from typing import Annotated, Any, Final

import msgspec

from teamlead.core.answers import Example, Examples
from teamlead.core.policy.paths import fault_of, inside
from teamlead.forms.answers.answer_shapes import AnswerJson, shaped
from teamlead.forms.answers.last_json import WrongShape

MOST: Final = 5
LONGEST_TEXT: Final = 3_000
"""Characters: all of it is kept in the journal, and told."""
MOST_LINES: Final = 30
"""Of what is printed: no more is looked at."""


class OneExample(AnswerJson, frozen=True):
    sentence: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]
    command: Annotated[str, msgspec.Meta(pattern=r"\A[^\n]{1,500}\Z")]
    file: Annotated[str, msgspec.Meta(max_length=200)] = ""
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] = ""
    output: Annotated[str, msgspec.Meta(max_length=2_000)] | None = None
    exit_code: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0


class GivenExamples(AnswerJson, frozen=True):
    examples: tuple[Any, ...]


def examples(given: Any) -> Examples:
    said = shaped(given, GivenExamples)
    if len(said.examples) > MOST:
        raise WrongShape(f"there are {len(said.examples)} examples", remedy=f"give at most {MOST}")
    return Examples(tuple(map(_example, said.examples)))


def _example(given: Any) -> Example:
    said = shaped(given, OneExample)
    if said.file and (fault := fault_of(said.file) or _fault(said.file)):
        raise WrongShape(f"the file {said.file!r} {fault}", remedy="name a new file in the repository")
    if said.text and not said.file:
        raise WrongShape("`text` has no `file` to stand in", remedy="name a new file in the repository")
    if said.output and len(said.output.splitlines()) > MOST_LINES:
        raise WrongShape(f"`output` has more than {MOST_LINES} lines", remedy="let it print less")
    return Example(
        command=said.command,
        file=inside(said.file) or "",
        text=said.text,
        output=said.output,
        exit_code=said.exit_code,
        sentence=said.sentence,
    )


def _fault(path: str) -> str:
    parts = (inside(path) or "").split("/")
    if not all(parts) or path.endswith("/"):
        return "is no file"
    return "is one of git's own" if any(part.casefold().startswith(".git") for part in parts) else ""
