"""The templates in effect: ours, and what the user or the repository puts in their place."""

import os
import stat
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from teamlead.errors import ConfigError
from teamlead.prompts.catalogue import CATALOGUE
from teamlead.prompts.template import Template
from teamlead.system.user_folders import REPOSITORY_FILE, user_config_file

FOLDER: Final = "prompts"
BUILT_IN: Final = "built in"
LARGEST_FILE: Final = 64 * 1024


class Templates(NamedTuple):
    """What stands in the place of ours. The repository's goes before the user's."""

    repository: tuple[Template, ...] = ()
    user: tuple[Template, ...] = ()

    @property
    def overrides(self) -> tuple[Template, ...]:
        return (*self.repository, *self.user)

    def of(self, name: str) -> Template:
        return next((found for found in self.overrides if found.name == name), None) or built_in(name)


@cache
def built_in(name: str) -> Template:
    text = (files(__package__) / "templates" / f"{name}.md").read_text("utf-8")
    return Template(name, text, BUILT_IN)


def load_templates(root: Path) -> Templates:
    """Raises ConfigError that lists every problem of every file."""
    found, problems = examine(root)
    if problems:
        raise ConfigError(
            "\n".join(["these prompts cannot be used:", *problems]),
            remedy="mend or remove them; `teamlead prompts show NAME --default` prints ours",
        )
    return found


def examine(root: Path) -> tuple[Templates, tuple[str, ...]]:
    """Those that are there, good or bad, and all that is wrong with them, each problem with its file."""
    folders = (
        (root / REPOSITORY_FILE).parent / FOLDER,
        user_config_file().parent / FOLDER,
    )
    found: list[list[Template]] = []
    problems: list[str] = []
    for folder in folders:
        found.append([])
        for path in sorted(folder.glob("*.md")):
            inside = path.is_relative_to(root)
            shown = str(path.relative_to(root) if inside else path)
            try:
                template = Template(_known(path), _text(path, root if inside else None), shown)
            except ConfigError as error:
                problems.append(f"{shown}: {error}")
                continue
            found[-1].append(template)
            problems += _problems(template)
    return Templates(*map(tuple, found)), tuple(problems)


def _problems(template: Template) -> Iterator[str]:
    slots = CATALOGUE[template.name].slots
    needed = [name for name, slot in slots.items() if slot.needed]
    return template.problems(slots, needed)


def _known(path: Path) -> str:
    if path.stem not in CATALOGUE:
        close = get_close_matches(path.stem, CATALOGUE, n=1)
        hint = f"did you mean {close[0]}.md?" if close else f"known: {', '.join(CATALOGUE)}"
        raise ConfigError(f"there is no prompt {path.stem!r}", remedy=hint)
    return path.stem


def _text(path: Path, root: Path | None) -> str:
    """A repository's own file: a link out of it would hand what is there to a model."""
    try:
        if root and not path.resolve().is_relative_to(root.resolve()):
            raise ConfigError("it leads out of the repository")
        # Opening a pipe would wait for its writer for ever.
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - follows links on purpose
            raise ConfigError("it is not a file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise ConfigError(f"it is larger than {LARGEST_FILE // 1024} KiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"it is not UTF-8 (line {data.count(bytes([10]), 0, error.start) + 1})") from None
