"""Where the plan of a `start` comes from: a file in the form of a plan, one written freely, or a planning."""

from typing import TYPE_CHECKING, NamedTuple

from teamlead.cli.planning import Talk, answered, show_questions, shown_path, tell, tell_planning
from teamlead.errors import NotFound, PlanError, UsageError

if TYPE_CHECKING:
    from teamlead.core.model import Plan
    from teamlead.core.staffing import Staff
    from teamlead.plans.load import Loaded
    from teamlead.settings.loading import Settings
    from teamlead.system.repository import Repository
    from teamlead.wiring.planner_sessions import PlannerFolder, PlannerSession


class Source(NamedTuple):
    """As named on the command line; of a file, as read."""

    file: str = ""
    loaded: "Loaded | None" = None
    planning: str = ""
    answers: tuple[str, ...] = ()


def named(file: str | None, planning: str | None, answers: tuple[str, ...]) -> Source:
    """Raises where it cannot be used, before anything else is looked at."""
    from teamlead.plans.load import load, usable  # noqa: PLC0415 - reading Markdown is slow to import

    if bool(file) == bool(planning):
        raise UsageError("name a plan or a planner session, one of them", remedy="teamlead start plan.md")
    if answers and not planning:
        raise UsageError("--answer goes with --session", remedy="see `teamlead plan list`")
    if planning:
        return Source(planning=planning, answers=answers)
    assert file
    loaded = load(file)
    if not loaded.free_form:
        for warning in usable(loaded, file).warnings:
            tell(warning)
    return Source(file, loaded)


def chosen(
    source: Source, repository: "Repository", settings: "Settings", *, ask: bool, as_json: bool
) -> "Plan | None":
    """None: the planner has questions, which are shown."""
    from teamlead.wiring.planner_sessions import find_planning, linked, plan_of  # noqa: PLC0415 - as above

    if source.loaded is not None and not source.loaded.free_form:
        return linked(repository, source.loaded.plan)
    if source.loaded is not None:
        session = _interpreted(source, repository, settings, ask=ask)
    else:
        folder = find_planning(repository, source.planning)
        session = folder.load()
        if source.answers:
            session = _answered(folder, session, source.answers, repository, settings, ask=ask)
        elif session.edited:
            path = shown_path(session.markdown_path)
            tell(f"{path} was edited since, and that is not used here: teamlead start {path} takes it.")
    if session.status == "asking" and not (source.planning and not source.answers):
        _show_questions(session, as_json=as_json)
        return None
    return plan_of(session)


def _interpreted(
    source: Source, repository: "Repository", settings: "Settings", *, ask: bool
) -> "PlannerSession":
    from teamlead.system.repository import claim  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_sessions import new_folder  # noqa: PLC0415 - as above
    from teamlead.wiring.planning import begin_with_document  # noqa: PLC0415 - as above

    assert source.loaded is not None
    staffed = _planner(source, settings)
    repository = claim(repository)
    folder = new_folder(repository)
    tell_planning(folder.id)
    tell(f"{source.file} is not in the form of a plan: {staffed.agent} interprets it.")
    session = begin_with_document(folder, source.loaded.plan)
    return _settled(folder, session, staffed, repository, settings, ask=ask)


def _planner(source: Source, settings: "Settings") -> "Staff":
    """Without anybody who could interpret it, what is wrong with it as a plan is told."""
    from teamlead.plans.load import usable  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_runs import planner_of  # noqa: PLC0415 - as above

    assert source.loaded is not None
    try:
        return planner_of(settings, tell)
    except (UsageError, NotFound) as nobody:
        try:
            usable(source.loaded, source.file)
        except PlanError as error:
            raise PlanError(
                error.message, error.problems, remedy=f"nobody can interpret it as it is: {nobody}"
            ) from None
        raise


def _answered(
    folder: "PlannerFolder",
    session: "PlannerSession",
    answers: tuple[str, ...],
    repository: "Repository",
    settings: "Settings",
    *,
    ask: bool,
) -> "PlannerSession":
    from teamlead.system.repository import claim  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_runs import planner_of  # noqa: PLC0415 - as above
    from teamlead.wiring.planning import reply  # noqa: PLC0415 - as above

    if len(answers) != len(session.questions):
        raise UsageError(
            f"planner session {session.id!r} has {len(session.questions)} open questions, "
            f"and there are {len(answers)} answers",
            remedy="give one --answer for each, in their order",
        )
    staffed = planner_of(settings, tell)
    session = reply(folder, session, answered(session.questions, list(answers)))
    return _settled(folder, session, staffed, claim(repository), settings, ask=ask)


def _settled(
    folder: "PlannerFolder",
    session: "PlannerSession",
    staffed: "Staff",
    repository: "Repository",
    settings: "Settings",
    *,
    ask: bool,
) -> "PlannerSession":
    from teamlead.wiring.planner_runs import planner  # noqa: PLC0415 - as above
    from teamlead.wiring.planner_sessions import write_markdown  # noqa: PLC0415 - as above
    from teamlead.wiring.planning import accept  # noqa: PLC0415 - as above

    with planner(repository, settings, staffed, folder) as who:
        session = Talk(who, settings, repository).go_on(session, ask=ask)
    if session.status != "proposed":
        return session
    session = write_markdown(folder, accept(folder, session), folder.markdown)
    number = len(session.generated_tasks)
    tell(f"It is understood as {number} task{'s' * (number != 1)}; as a plan: {session.markdown_path}")
    return session


def _show_questions(session: "PlannerSession", *, as_json: bool) -> None:
    asked = " ".join(["--answer TEXT"] * len(session.questions))
    ways = [f"Answer: teamlead start --session {session.id} {asked}"]
    if session.document_path:
        path = shown_path(session.document_path)
        ways.append(f"Or say it in {path}, and start that again.")
    show_questions(session, ways, as_json=as_json)
