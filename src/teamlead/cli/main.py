"""The command line's front door: the table of commands, and what every error becomes.

A command ends well by returning, and otherwise by raising a TeamleadError or `click.exceptions.Exit`.
Commands are imported when they run: help and completion read only the table.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from teamlead import __version__
from teamlead.cli.lazy import Entry, LazyGroup, nearest
from teamlead.errors import BROKEN_PIPE, INTERRUPTED, MachineUnable, PlanError, TeamleadError
from teamlead.system.text import printable

COMMANDS: dict[str, Entry] = {
    "plan": Entry("Start", "plan:plan", "Make a plan, check one, or draw its graph."),
    "team": Entry("Start", "team:team", "Look at teams, and find the one that fits a task."),
    "rehearse": Entry(
        "Start", "rehearse:rehearse", "Try a plan with real programs and no model, at no cost."
    ),
    "start": Entry("Start", "start:start", "Carry out a plan with a team of agents."),
    "session": Entry("Start", "session_group:session_group", "Open a session that nobody leads yet."),
    "resume": Entry("Start", "resume:resume", "Go on with a session that was stopped."),
    "cancel": Entry("Start", "cancel:cancel", "End a session; its work is kept."),
    "demo": Entry("Start", "demo:demo", "Watch a scripted team at work; needs no agent and no key."),
    "status": Entry("Watch", "status:status", "Show a session's tasks and what it waits for."),
    "list": Entry("Watch", "list_sessions:list_sessions", "List the sessions of this repository."),
    "watch": Entry("Watch", "watch:watch", "Follow a session as it happens."),
    "logs": Entry("Watch", "logs:logs", "Show what an agent or a check printed."),
    "diff": Entry("Watch", "diff:diff", "Show what a task or a session changed."),
    "report": Entry("Watch", "report:report", "Sum up a session: done, verified, failed, spent."),
    "escalations": Entry("Decide", "escalations:escalations", "List the questions that wait for you."),
    "resolve": Entry("Decide", "resolve:resolve", "Answer a question."),
    "approve": Entry("Decide", "approve:approve", "Bring a session's work onto your branch."),
    "reject": Entry("Decide", "reject:reject", "Turn a session's work down; your branch stays as it is."),
    "revise": Entry("Decide", "revise:revise", "Have finished work done differently, from a stage on."),
    "tell": Entry("Steer", "tell:tell", "Send a message to the agent of a task."),
    "pause": Entry("Steer", "pause:pause", "Pause a task, or the whole session."),
    "retry": Entry("Steer", "retry:retry", "Continue a paused task, or run a failed or finished one again."),
    "skip": Entry("Steer", "skip:skip", "Leave a task out; the plan goes on without it."),
    "reassign": Entry("Steer", "reassign:reassign", "Give a task to another agent."),
    "state": Entry("Steer", "state:state", "Look at a session's phase, or move it into another one."),
    "release": Entry("Steer", "release:release", "End the hold on an agent now."),
    "evidence": Entry("Check", "evidence:evidence", "Show what speaks for and against a task's work."),
    "prove": Entry("Check", "prove:prove", "Examine a change of your own as an agent's work is examined."),
    "refs": Entry("Check", "refs:refs", "Check the files and lines that agents cite."),
    "result": Entry(
        "Check", "result:result", "Check what agents hand in, sum it up, or print its JSON Schema."
    ),
    "mend": Entry("Keep", "mend:mend", "Put back or accept what was changed in your repository."),
    "salvage": Entry("Keep", "salvage:salvage", "Look at work that no branch holds, or get it back."),
    "clean": Entry("Keep", "clean:clean", "Free disk space; shows first what goes, what stays, and why."),
    "init": Entry("Set up", "init:init", "Prepare this repository for teamlead."),
    "doctor": Entry("Set up", "doctor:doctor", "Check this machine, and say what is missing."),
    "agents": Entry("Set up", "agents:agents", "List the agents that are installed, and what they can do."),
    "config": Entry("Set up", "config:config", "Show settings, or allow what a repository asks for."),
    "prompts": Entry("Set up", "prompts:prompts", "Show what agents are told, or check your own wording."),
    "guard": Entry("Set up", "guard:guard", "Keep a model that leads to its rules; hooks for Claude Code."),
    "mcp": Entry("Set up", "mcp:mcp", "Connect an agent with its team; started by agents."),
}


class Front(LazyGroup):
    """What is no command is a plan: `teamlead plan.md` is short for `teamlead start plan.md`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if name.endswith(".md") or os.path.isfile(name):  # noqa: PTH113 - a start without pathlib
            return super().resolve_command(ctx, ["start", *args])
        meant = nearest(name, COMMANDS)
        hint = f"Did you mean {meant!r}?" if meant else "See: teamlead --help"
        raise click.UsageError(f"No such command {name!r}. {hint}", ctx)


EPILOG = f"""\b
Examples:
  teamlead demo                  watch a scripted team at work
  teamlead plan "add a login"    have an agent make a plan
  teamlead plan check plan.md    find the problems of a plan
  teamlead plan.md               short for: teamlead start plan.md
  teamlead status
\b
Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 a person is needed,
4 not found, 5 refused by a rule, {INTERRUPTED} interrupted.
\b
Completion of commands: eval "$(_TEAMLEAD_COMPLETE=bash_source teamlead)"
(also zsh_source, fish_source)."""


@click.group(
    cls=Front,
    table=COMMANDS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option(
    "-C",
    "directory",
    metavar="DIR",
    envvar="TEAMLEAD_REPOSITORY",
    type=click.Path(exists=True, file_okay=False),
    help="Work as if started in DIR, a repository (also: TEAMLEAD_REPOSITORY).",
)
def cli(directory: str | None) -> None:
    """A team lead for coding agents: runs them on a plan, checks what they claim, merges what holds."""
    if directory is not None:
        os.chdir(directory)


def main(arguments: Sequence[str] | None = None, *, platform: str = sys.platform) -> NoReturn:
    if platform == "win32":
        _complain("teamlead does not run on Windows itself.\nUse it inside WSL2: https://aka.ms/wsl")
        sys.exit(2)
    if "_TEAMLEAD_COMPLETE" in os.environ:
        cli.main(prog_name="teamlead")
    sys.exit(_run(sys.argv[1:] if arguments is None else list(arguments)))


def _run(arguments: list[str]) -> int:
    # click would turn a Ctrl-C into exit code 1 and hide a broken pipe, so its own runner is not used.
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except TeamleadError as error:
        _complain(_told(error))
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away; what is still buffered would raise again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the top: a bug must end in a message, too
        _complain(_of_the_disk(error) or _unexpected(error))
        return 1
    return code


def _invoke(arguments: list[str]) -> int:
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with cli.make_context("teamlead", arguments, color=color) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return 0


def _told(error: TeamleadError) -> str:
    problems = error.problems if isinstance(error, PlanError) else ()
    return "\n".join([error.message, *problems, *([error.remedy] if error.remedy else [])])


def _of_the_disk(error: Exception) -> str:
    from teamlead.system.disk import not_stored  # noqa: PLC0415 - a start without pathlib
    from teamlead.system.user_folders import state_home  # noqa: PLC0415 - as above

    if not isinstance(error, OSError):
        return ""
    told = not_stored(state_home(), error)
    return _told(told) if isinstance(told, MachineUnable) else ""


def _unexpected(error: Exception) -> str:
    import traceback  # noqa: PLC0415 - only a bug needs it

    what = f"unexpected {type(error).__name__}: {error}"
    trace = "".join(traceback.format_exception(error))
    if os.environ.get("TEAMLEAD_DEBUG"):
        return f"{what}\n{trace}"
    blame = "" if isinstance(error, OSError) else "This is a fault of teamlead. "
    return f"{what}\n{blame}{_kept(trace)}"


def _kept(trace: str) -> str:
    from teamlead.system.user_folders import state_home  # noqa: PLC0415 - a start without pathlib

    path = state_home() / "last-error.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(trace, encoding="utf-8", errors="replace")
    except OSError:
        return "TEAMLEAD_DEBUG=1 shows the traceback."
    return f"The traceback is in {path}; TEAMLEAD_DEBUG=1 shows it."


def _complain(text: str) -> None:
    # Where even that cannot be written, the exit code has to do.
    with suppress(OSError):
        click.echo(f"teamlead: {printable(text)}", err=True)
