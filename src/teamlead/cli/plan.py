"""`teamlead plan`: look at a plan before a team carries it out."""

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
estimate, branch."""


EXAMPLES = examples("teamlead plan check plan.md", "teamlead plan graph plan.md")


@click.group(no_args_is_help=True, epilog=f"{FORM}\n\n{EXAMPLES}")
def plan() -> None:
    """Check a plan, or draw its graph.

    A plan is a Markdown file. Its labels may be English, Japanese or Korean.
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
