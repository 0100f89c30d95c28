from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from teamlead.cli.decision import Decision
from teamlead.cli.leading import lead_here, lead_in_background, tell_session
from teamlead.cli.options import detach_option, jobs_option, json_option, team_option, wait_option
from teamlead.cli.output import examples
from teamlead.cli.resume import offer_to_resume, resume
from teamlead.cli.staffing_options import staffing_options, staffing_settings
from teamlead.errors import NEEDS_PERSON, UsageError
from teamlead.sessions.desk import Desk
from teamlead.sessions.finding import initialised
from teamlead.settings.loading import load
from teamlead.system.repository import claim, discover


@click.command(
    cls=Decision,
    epilog=examples(
        "teamlead start plan.md --agent claude --budget '5 usd'",
        "teamlead start plan.md --role reviewer=codex  # a mix",
        "teamlead start plan.md --jobs 2 --approve     # unattended",
        "teamlead start plan.md --detach               # in the background",
        "teamlead start --session plan-20260127-0915   # what `teamlead plan` made",
        'teamlead start "the cart shows an error"      # the team that fits',
        'teamlead start --team bugfix "..."            # this one',
    ),
)
@click.argument("plan", metavar="[PLAN | TASK]", required=False)
@team_option()
@click.option(
    "--session",
    "--planner-session",
    "planner_session",
    metavar="ID",
    help="Carry out the plan of this planner session, or a session that nobody has led yet.",
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="TEXT",
    help="Answer a question of the planner, with --session: once for each question, in their order.",
)
@staffing_options
@jobs_option
@click.option("--attempts", type=int, metavar="N", help="How often a task may fail before you are asked.")
@click.option(
    "--approve", "auto_approve", is_flag=True, help="Approve without asking once everything is settled."
)
@click.option(
    "--sandbox",
    is_flag=True,
    help='Start nothing unless agents and checks run in strict rooms (room = "strict").',
)
@click.option("--stop-on-escalation", is_flag=True, help="Start nothing more while a question is open.")
@wait_option
@detach_option
@json_option
@click.pass_context
def start(
    ctx: click.Context,
    /,
    plan: str | None,
    *,
    team: str | None,
    planner_session: str | None,
    answers: tuple[str, ...],
    jobs: int | None,
    attempts: int | None,
    auto_approve: bool,
    sandbox: bool,
    stop_on_escalation: bool,
    wait: bool,
    detach: bool,
    as_json: bool,
    **staffing: Any,
) -> None:
    """Carry out a plan, or a task in words, with a team of agents.

    PLAN is a file: one that exists, or a word with a suffix or a separator. Anything else is a TASK, for the
    team that is named, or else for the one of whose keywords most are in it. Where none fits, one is proposed
    and nothing starts without your word.

    An agent works on each task in a working copy of its own. Accepted work is merged into an integration
    branch. Your own branch changes only when you approve.

    If the file does not mark its tasks, a planning agent first turns it into a plan, and asks you what it
    cannot know.

    If neither the plan nor an option nor the configuration names an agent, the first installed one works.
    What the plan says about a task takes precedence over these options.

    Exit codes: 0 everything is done, 1 the run failed, 3 a person is needed.
    """
    from teamlead.cli.person import at_terminal  # noqa: PLC0415 - a leader is slow to import: not for --help
    from teamlead.cli.plan_source import Sources, read  # noqa: PLC0415 - as above
    from teamlead.cli.session_opening import open_wanted  # noqa: PLC0415 - as above
    from teamlead.cli.team_source import names_a_file, of_team  # noqa: PLC0415 - as above
    from teamlead.sessions.opening import Wishes  # noqa: PLC0415 - as above

    if team is not None and (plan is None or names_a_file(plan)):
        raise UsageError(
            f"--team goes with a task in words{f', and {plan!r} is a file' if plan else ''}",
            remedy=f'teamlead start --team {team} "what is to be done"',
        )
    if (plan is None) == (planner_session is None):
        raise UsageError(
            "name a plan, a task or a planner session, and one of them only", remedy="teamlead start plan.md"
        )
    if answers and not planner_session:
        raise UsageError("--answer goes with --session", remedy="see `teamlead plan list`")
    task = plan if plan is not None and not names_a_file(plan) else None
    document = read(plan) if plan is not None and task is None else None
    repository = discover(Path.cwd())
    if planner_session and (waiting := initialised(repository, planner_session)):
        _require_settled(ctx, waiting.id)
        ctx.invoke(resume, session=waiting.id, wait=wait, detach=detach, as_json=as_json)
        return
    room = "strict" if sandbox else None
    options = {"jobs": jobs, "attempts": attempts, "room": room, **staffing_settings(**staffing)}
    settings = load(repository.root, options)
    other = offer_to_resume(repository, ask=at_terminal() and not as_json)
    if other:
        ctx.invoke(resume, session=other, wait=wait, detach=detach, as_json=as_json)
        return
    ask = at_terminal() and not as_json
    formed = None
    if task is not None:
        wanted, formed = of_team(repository, team, task, ask=ask) or (None, None)
    else:
        sources = Sources(repository, settings, ask, as_json)
        wanted = (
            sources.of_document(document) if document else sources.of_planning(planner_session or "", answers)
        )
    if wanted is None:
        ctx.exit(NEEDS_PERSON)
    wishes = Wishes(auto_approve, stop_on_escalation)
    folder = open_wanted(repository, settings, wanted, wishes, team=formed, roles=staffing["roles"])
    repository = claim(repository)
    desk = Desk(repository, folder, settings)
    # Before anything runs, so that an interrupted call leaves a handle.
    tell_session(folder.id, as_json=as_json and detach, err=as_json and not detach)
    if detach:
        lead_in_background(desk)
        return
    ctx.exit(lead_here(desk, wait=wait, as_json=as_json))


def _require_settled(ctx: click.Context, session: str) -> None:
    """All but how it is led was settled when the session was opened."""
    lead = {"planner_session", "wait", "detach", "as_json"}
    given = [name for name in ctx.params if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    options = {option.name: option.opts[0] for option in ctx.command.params}
    if further := [options[name] for name in given if name not in lead]:
        raise UsageError(
            f"{', '.join(further)} was settled when session {session!r} was opened",
            remedy=f"teamlead start --session {session}",
        )
