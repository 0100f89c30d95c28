"""`teamlead plan`: make a plan, and look at it before a team carries it out."""

from importlib import import_module
from typing import TYPE_CHECKING, Literal

import click

from teamlead.cli.output import echo_json, examples, paint, safe
from teamlead.cli.preview import outlook, show_outlook
from teamlead.system.text import printable

if TYPE_CHECKING:
    from teamlead.core.model import Plan
    from teamlead.plans.draft import Problem
    from teamlead.plans.load import Loaded

WRONG_USAGE = 2


FORM = """\b
Each task of a plan is a numbered heading with bullets:
  ### 2. Add the login form
  - Scope: src/login/
  - Acceptance: a user can sign in with a password
  - Checks: `make test`
  - Depends on: 1
Other labels: type, role, agent, model, effort, arguments, budget, context, description,
estimate, outputs, critical, branch."""


EXAMPLES = examples(
    'teamlead plan "add a login with a password"',
    "teamlead plan check plan.md",
    "teamlead plan graph plan.md",
)

FURTHER = {"new": "plan_new:new", "list": "plan_list:list_plannings", "add": "plan_add:add"}
"""Commands in files of their own, imported when they run."""


class Plans(click.Group):
    """What is no command is an instruction: `plan "add a login"` is short for `plan new`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*FURTHER, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in FURTHER:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = FURTHER[cmd_name].partition(":")
        command = getattr(import_module(f"teamlead.cli.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else "--help"
        if first not in {*self.list_commands(ctx), *ctx.help_option_names}:
            self._refuse_misspelling(ctx, args)
            args = ["new", *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelling(self, ctx: click.Context, args: list[str]) -> None:
        """Nobody means a planner by `plan chek plan.md`."""
        from difflib import get_close_matches  # noqa: PLC0415 - most calls do not need it

        close = get_close_matches(args[0], self.list_commands(ctx), n=1)
        if close:
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {close[0]!r}?", ctx)


@click.group(cls=Plans, no_args_is_help=True, epilog=f"{FORM}\n\n{EXAMPLES}")
def plan() -> None:
    """Make a plan from an instruction, check one, or draw its graph.

    A plan is a Markdown file. Its labels may be English, Japanese or Korean.

    `teamlead plan "what you want"` is short for `teamlead plan new "what you want"`.
    """


@plan.command(epilog=examples("teamlead plan check plan.md", "teamlead plan check plan.md --json"))
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.pass_context
def check(ctx: click.Context, file: str, *, as_json: bool) -> None:
    """List every problem of the plan FILE, each with its line and a remedy.

    Exit codes: 0 no errors (there may be warnings), 2 errors, 4 no such file.
    """
    from teamlead.plans.load import load  # noqa: PLC0415 - reading Markdown is slow to import

    loaded = load(file)
    if as_json:
        _print_check_json(file, loaded)
    else:
        for problem in loaded.problems:
            click.echo(_shown(problem, file))
        click.echo(_summary(file, loaded))
    if not loaded.ok:
        ctx.exit(WRONG_USAGE)


@plan.command(
    epilog=examples("teamlead plan graph plan.md", "teamlead plan graph plan.md --format mermaid > plan.mmd")
)
@click.argument("file", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid"]),
    default="text",
    show_default=True,
    help="Draw for the terminal, or for Mermaid.",
)
@click.option("--json", "as_json", is_flag=True, help="Nodes, edges and layers as one JSON object.")
def graph(file: str, form: Literal["text", "mermaid"], *, as_json: bool) -> None:
    """Draw what depends on what in the plan FILE.

    Tasks of one wave can run in parallel. The chain in the second line is the one that takes longest. Below
    the graph stands how many agents help, which tasks may conflict, and what the plan may cost.
    """
    from teamlead.plans.load import require  # noqa: PLC0415 - as above

    found = require(file).plan
    if as_json:
        _print_graph_json(file, found)
    elif form == "mermaid":
        from teamlead.plans.mermaid import mermaid  # noqa: PLC0415 - as above

        click.echo(printable(mermaid(found)))
    else:
        from teamlead.plans.drawing import draw  # noqa: PLC0415 - as above

        click.echo(printable(draw(found)) + "\n")
        show_outlook(found)


def _shown(problem: "Problem", file: str) -> str:
    text = printable(problem.show(file))
    colour = "red" if problem.severity == "error" else "yellow"
    severity = f" {problem.severity}: "
    return text.replace(severity, paint(severity, colour), 1)


def _summary(file: str, loaded: "Loaded") -> str:
    errors = sum(problem.severity == "error" for problem in loaded.problems)
    warnings = len(loaded.problems) - errors
    counts = [
        f"{number} {noun}{'' if number == 1 else 's'}"
        for number, noun in ((len(loaded.plan.tasks), "task"), (errors, "error"), (warnings, "warning"))
    ]
    return f"{safe(file)}: {', '.join(counts)}"


def _print_check_json(file: str, loaded: "Loaded") -> None:
    import msgspec  # noqa: PLC0415 - --help must not pay for it

    tasks = [
        {**msgspec.structs.asdict(task), "budget": msgspec.structs.asdict(task.budget)}
        for task in loaded.plan.tasks
    ]
    echo_json(
        {
            "file": file,
            "ok": loaded.ok,
            "title": loaded.plan.title,
            "tasks": tasks,
            "problems": [problem._asdict() for problem in loaded.problems],
            "preview": outlook(loaded.plan) if loaded.ok else None,
        }
    )


def _print_graph_json(file: str, found: "Plan") -> None:
    from teamlead.plans.waves import waves  # noqa: PLC0415 - as above

    layered = waves(found)
    echo_json(
        {
            "file": file,
            "title": found.title,
            "nodes": [{"id": t.id, "title": t.title, "type": t.type, "hours": t.hours} for t in found.tasks],
            "edges": [{"from": name, "to": task.id} for task in found.tasks for name in task.depends_on],
            "layers": [[task.id for task in wave] for wave in layered.waves],
            "longest_chain": [task.id for task in layered.chain],
            "longest_chain_hours": layered.hours,
            "preview": outlook(found),
        }
    )
