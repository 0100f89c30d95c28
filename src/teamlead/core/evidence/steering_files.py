"""What a check is made of besides the code it checks: files that decide which tests run, and how."""

import re
from collections.abc import Iterable, Sequence

STEERING = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        "setup.cfg",
        "tox.ini",
        "noxfile.py",
        "sitecustomize.py",
        "usercustomize.py",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "justfile",
        "Justfile",
        "package.json",
        "jest.config.js",
        "jest.config.ts",
        "vitest.config.js",
        "vitest.config.ts",
    }
)
"""By name, in any folder."""
_WORD = re.compile(r"[^\s;&|<>()'\"=]+")


def changed_machinery(commands: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """The paths that these commands are steered by, or run themselves."""
    if not commands:
        return ()
    named = {word.removeprefix("./") for command in commands for word in _WORD.findall(command)}
    return tuple(path for path in paths if path in named or path.rsplit("/", 1)[-1] in STEERING)
