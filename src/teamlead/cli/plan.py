"""`teamlead plan`: make a plan, and look at it before a team carries it out."""

import click

from teamlead.cli.lazy import Entry, LazyGroup, nearest
from teamlead.cli.output import examples

FORM = """\b
Each task of a plan is a numbered heading with bullets:
  ### 2. Add the login form
  - Scope: src/login/
  - Acceptance: a user can sign in with a password
  - Checks: `make test`
  - Depends on: 1
Other labels: type, role, form, agent, model, effort, arguments, budget, context,
description, estimate, outputs, critical, stage, branch."""


EXAMPLES = examples(
    'teamlead plan "add a login with a password"',
    "teamlead plan check plan.md",
    "teamlead plan graph plan.md",
)

COMMANDS: dict[str, Entry] = {
    "new": Entry("Commands", "plan_new:new", "Make a plan from an INSTRUCTION, with an agent that plans."),
    "list": Entry(
        "Commands",
        "plan_list:list_plannings",
        "List the planner sessions of this repository, the latest first.",
    ),
    "show": Entry("Commands", "plan_show:show", "Show the plan that a planner session came to."),
    "add": Entry("Commands", "plan_add:add", "Put further tasks into a session."),
    "check": Entry(
        "Commands",
        "plan_check:check",
        "List every problem of the plan FILE, each with its line and a remedy.",
    ),
    "graph": Entry("Commands", "plan_graph:graph", "Draw what depends on what in the plan FILE."),
}


class Plans(LazyGroup):
    """What is no command is an instruction: `plan "add a login"` is short for `plan new`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else "--help"
        if first not in {*COMMANDS, *ctx.help_option_names}:
            self._refuse_misspelling(ctx, args)
            args = ["new", *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelling(self, ctx: click.Context, args: list[str]) -> None:
        """Nobody means a planner by `plan chek plan.md`."""
        meant = nearest(args[0], COMMANDS)
        if meant:
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {meant!r}?", ctx)


@click.group(cls=Plans, table=COMMANDS, no_args_is_help=True, epilog=f"{FORM}\n\n{EXAMPLES}")
def plan() -> None:
    """Make a plan from an instruction, check one, or draw its graph.

    A plan is a Markdown file. Its labels may be English, Japanese or Korean.

    `teamlead plan "what you want"` is short for `teamlead plan new "what you want"`.
    """
