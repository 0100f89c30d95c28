"""Groups of commands that are imported when they run: help and completion of a group read its table only."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem


class Entry(NamedTuple):
    section: str
    target: str
    """The module in `teamlead.cli`, and the command in it."""
    help: str


class LazyGroup(click.Group):
    def __init__(self, *args: Any, table: "Mapping[str, Entry]", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name].target.partition(":")
        command = getattr(import_module(f"teamlead.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        width = max(map(len, self.table))
        for section in dict.fromkeys(entry.section for entry in self.table.values()):
            rows = [(n.ljust(width), e.help) for n, e in self.table.items() if e.section == section]
            with formatter.section(section):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only completion needs it

        names = [name for name in self.table if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self.table[name].help) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


def nearest(name: str, table: "Mapping[str, Entry]") -> str:
    """What a mistyped command may have meant, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistyped command needs it

    return "".join(get_close_matches(name, table, n=1))
