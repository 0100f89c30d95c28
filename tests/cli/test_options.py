"""What commands have in common says the same in all of them."""

from collections.abc import Iterator

import click
import pytest

from teamlead.cli.main import cli

MEANS_ANOTHER_THING = {
    "--all": {"status", "escalations", "refs verify"},
    "--before": {"plan add", "guard edit"},
    "--check": {"prove"},
    "--checks": {"doctor"},
    "--commit": {"refs verify", "approve"},
    "--form": {"result check", "result schema"},
    "--json": {"watch"},
    "--output": {"plan new", "result aggregate"},
    "--role": {"start", "rehearse", "result check"},
    "--scope": {"prove"},
    "--session": {"start", "plan new"},
    "--task": {"session init", "resolve", "refs verify"},
}
"""Where an option of the same name is about something else."""


def commands(command: click.Command = cli, name: str = "") -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for child in command.list_commands(context):
        found = command.get_command(context, child)
        assert found is not None
        yield from commands(found, f"{name} {child}".strip())


def test_an_option_that_several_commands_have_says_the_same_everywhere() -> None:
    told: dict[str, dict[str, set[str]]] = {}
    for name, command in commands():
        for option in command.params:
            for flag in option.opts if isinstance(option, click.Option) else ():
                if name not in MEANS_ANOTHER_THING.get(flag, ()):
                    told.setdefault(flag, {}).setdefault(str(option.help), set()).add(name)
    assert {flag: found for flag, found in told.items() if len(found) > 1} == {}


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_does_in_a_line_and_has_examples(name: str) -> None:
    command = COMMANDS[name]
    if " " in name:
        assert not command.get_short_help_str(limit=88).endswith("..."), "its group does not show it whole"
    assert all(option.help for option in command.params if isinstance(option, click.Option))
    if name != "guard hook":
        assert f"  teamlead {name}" in str(command.epilog).replace('teamlead plan "', 'teamlead plan new "')
