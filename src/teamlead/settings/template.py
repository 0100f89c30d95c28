"""The config file that `init` writes: what a repository may set, each explained, and none of it set."""

import json

from teamlead.core.amounts import show_duration
from teamlead.settings.schema import KEYS, TABLES, Key, Table, Value

_HEADER = """\
# Settings of teamlead for this repository. Commit this file; every line is optional.
# `teamlead config show` tells each value and where it comes from.
# What tightens your own settings holds at once. What runs something, loosens them or has no such direction
# waits until each user has allowed it: `teamlead config allow`.
"""


def config_template() -> str:
    return "\n".join([_HEADER, *(_entry(key) for key in KEYS if not key.own_only), *map(_table, TABLES)])


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
