"""The config file that `init` writes: what a repository may set, each explained, and none of it set."""

import json
from collections.abc import Sequence

from teamlead.core.amounts import show_duration
from teamlead.settings.schema import KEYS, TABLES, Key, Table, Value

_HEADER = """\
# Settings of teamlead for this repository. Commit this file; every line is optional.
# `teamlead config show` tells each value and where it comes from.
# What tightens your own settings holds at once. What runs something, loosens them or has no such direction
# waits until each user has allowed it: `teamlead config allow`.
"""


def config_template(checks: Sequence[str] = ()) -> str:
    """`checks`: test commands that were found in the repository, as a proposal."""
    entries = (
        _proposed(key, checks) if key.name == "checks" and checks else _entry(key)
        for key in KEYS
        if not key.own_only
    )
    return "\n".join([_HEADER, *entries, *map(_table, TABLES)])


def _proposed(key: Key, checks: Sequence[str]) -> str:
    found = json.dumps(list(checks), ensure_ascii=False)
    return (
        f"# {key.description}\n"
        "# Found in this repository, and not tried: `teamlead doctor --checks` tries it.\n"
        f"# {key.name} = {found}\n"
    )


def as_toml(key: Key, value: Value) -> str:
    if key.kind == "duration":
        assert isinstance(value, int | float)
        return json.dumps(show_duration(value))
    # JSON's texts, numbers and lists of texts are TOML's too.
    return json.dumps(value, ensure_ascii=False)


def _table(table: Table) -> str:
    """A table comes last, for what stands below its head belongs to it."""
    head = f"# {table.description}\n# [{table.name}.{table.entry}]\n"
    return "\n".join([head, *map(_entry, table.keys)])


def _entry(key: Key) -> str:
    written = as_toml(key, key.default) if key.default else key.example
    return f"# {key.description}\n# {key.name} = {written}\n"
