"""`teamlead init`: settings, an example plan, and an exclude line. Nothing that exists is overwritten."""

from pathlib import Path

import click

from teamlead.cli.options import json_option
from teamlead.cli.output import echo_json, examples, table
from teamlead.errors import Failed, Refused
from teamlead.settings.found_checks import found_checks
from teamlead.settings.template import config_template
from teamlead.system.repository import Repository, discover, exclude_projections
from teamlead.system.user_folders import REPOSITORY_FILE
from teamlead.views.documents.setup import InitDocument, InitStepPart

EXAMPLE_FILE = ".teamlead/plan-example.md"
EXAMPLE = """\
# Greet people by name

The program greets the world. It should greet whoever runs it.

### 1. Take a name

- Scope: greet.py
- Acceptance: `greet("Ada")` returns "Hello, Ada!"
- Checks: `python3 -c "from greet import greet; assert greet('Ada') == 'Hello, Ada!'"`

### 2. Say so in the readme

- Type: documentation
- Scope: README.md
- Acceptance: the readme shows one call with a name
- Depends on: 1
"""


@click.command(epilog=examples("teamlead init", "teamlead init --json"))
@json_option
def init(as_json: bool) -> None:
    """Prepare this repository for teamlead.

    Writes an example plan, and .teamlead/config.toml, which explains every setting and sets none. Where test
    commands are found (pytest, tox, npm, pnpm, yarn, cargo, go, make), it proposes them there as `checks`.
    Keeps session files out of git through .git/info/exclude. Existing files stay as they are.
    """
    repository = discover(Path.cwd())
    folder = repository.root / ".teamlead"
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise Refused(f"{folder} is not a folder", remedy="move it away first")
    checks = found_checks(repository.root)
    try:
        folder.mkdir(exist_ok=True)
        steps = [
            _create(repository.root, REPOSITORY_FILE, config_template(checks)),
            _create(repository.root, EXAMPLE_FILE, EXAMPLE),
            _exclude(repository),
        ]
    except OSError as error:
        raise Failed(f"cannot write {error.filename!r}: {error.strerror}") from error
    following = [
        "teamlead doctor",
        f"teamlead plan check {EXAMPLE_FILE}",
        "teamlead start PLAN",
    ]
    if as_json:
        echo_json(InitDocument(folder=str(repository.root), steps=steps, checks=checks, commands=following))
        return
    click.echo(table([(step["done"], step["path"]) for step in steps]))
    if checks:
        told = ", ".join(f"`{check}`" for check in checks)
        click.echo(f"Test commands found: {told}; as `checks` they are for every task ({REPOSITORY_FILE}).")
    click.echo("Next:\n" + "\n".join(f"  {command}" for command in following))


def _create(root: Path, path: str, content: str) -> InitStepPart:
    try:
        with (root / path).open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        return InitStepPart(path=path, done="kept")
    return InitStepPart(path=path, done="created")


def _exclude(repository: Repository) -> InitStepPart:
    path = repository.common_dir / "info" / "exclude"
    before = path.read_bytes() if path.exists() else b""
    exclude_projections(repository)
    return InitStepPart(path=str(path), done="kept" if path.read_bytes() == before else "added")
