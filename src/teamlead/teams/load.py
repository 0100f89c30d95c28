"""The text of a preset → Preset, with all its problems."""

from pathlib import Path
from typing import NamedTuple

from teamlead.markup.files import read_document
from teamlead.markup.problems import Problem
from teamlead.teams.front_matter import read_head, split
from teamlead.teams.library import KIND, Found, read_preset
from teamlead.teams.markdown import parse
from teamlead.teams.preset import Preset
from teamlead.teams.validate import examine


class Loaded(NamedTuple):
    preset: Preset
    """To be used only if no problem is an error."""
    problems: list[Problem]

    @property
    def ok(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


def load(text: str, source: str) -> Loaded:
    apart = split(text)
    head = read_head(apart.head, apart.missing)
    draft = parse(apart.body, apart.begins)
    draft.problems += head.problems
    return Loaded(*examine(head.head, draft, text, source))


def load_file(path: str | Path) -> Loaded:
    """Raises NotFound or PlanError where the file itself cannot be read."""
    return load(read_document(path, KIND), str(path))


def load_found(found: Found, root: Path | None) -> Loaded:
    """Raises PlanError, as above."""
    return load(read_preset(found, root), found.shown)
