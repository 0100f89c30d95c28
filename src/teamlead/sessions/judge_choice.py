"""Who judges where nobody has said it: a program of another vendor than the one that works, if there is one.

A model passes the failing work of its own kind far more often than that of another.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from teamlead.core.asking.escalation import ANOTHER
from teamlead.core.attempts.independent_tests import TESTER
from teamlead.core.model import RoleSettings, SessionSpec
from teamlead.core.roles import role_named
from teamlead.core.state.staffing import kind_of, staff
from teamlead.errors import Refused
from teamlead.runners import registry
from teamlead.runners.detection import DEFAULTS, FoundProgram, find
from teamlead.runners.login_files import logged_in
from teamlead.runners.logins import missing_logins
from teamlead.runners.refusals import refuse_unheld
from teamlead.runners.script import script_roles
from teamlead.sessions.consultants import MODELS, consultant
from teamlead.settings.loading import Settings
from teamlead.system.user_folders import agent_at

JUDGE = "judge"
DOES = {JUDGE: "judges", TESTER: "tests"}
Tell = Callable[[str], object]


def with_other_judge(session: SessionSpec, settings: Settings, tell: Tell) -> SessionSpec:
    """So with who writes tests that the worker does not see."""
    asked = {JUDGE: bool(settings.judge), TESTER: settings.independent_tests}
    free = [role for role, wanted in asked.items() if wanted and not _chosen(session, role)]
    kinds = workers(session)
    # Of other programs nobody knows whose model they ask.
    if not free or not kinds or not kinds <= set(DEFAULTS):
        return session
    chosen = _other_vendor(session, kinds, free, tell)
    for role in free if chosen else ():
        roles = tuple(each for each in session.roles if each.name != role)
        known = next((each for each in session.roles if each.name == role), RoleSettings(role))
        session = replace(session, roles=(*roles, replace(known, agent=chosen)))
    return session


def _chosen(session: SessionSpec, role: str) -> bool:
    said = role_named(role, session.roles).settings
    return bool(said.agent or said.model or said.arguments)


def _other_vendor(session: SessionSpec, kinds: set[str], roles: list[str], tell: Tell) -> str:
    others = find(*(kind for kind in DEFAULTS if kind not in kinds))
    able = [one.kind for one in others if _able(one, session)]
    does = " and ".join(DOES[role] for role in roles)
    sections = " and ".join(f"`[roles.{role}]`" for role in roles)
    # A file of a login is no proof of one, and a start is refused over who is not logged in.
    missing = missing_logins(able)
    for kind, remedy in missing.items():
        tell(f"{kind} is not logged in, and so it is not the one that {does} others' work: {remedy}.")
    chosen = next((kind for kind in able if kind not in missing), "")
    if chosen:
        tell(
            f"{chosen} {does} what {' and '.join(sorted(kinds))} does: another vendor's model passes less of "
            f'what does not hold ({sections} with `agent = "{min(kinds)}"` stops that).'
        )
    return chosen


def checked_reply(text: str, session: SessionSpec, folder: Path) -> str:
    """What a person answers about a judge, the agent as others read it. Raises where that cannot judge."""
    if not text.strip().lower().startswith(ANOTHER):
        return text
    agent = agent_at(text.strip()[len(ANOTHER) :].strip(), folder)
    if not agent:
        return text
    runner = registry.runner_for(agent)
    runner.validate()
    kind, _, argument = agent.partition(":")
    if kind == "scripted" and JUDGE not in script_roles(Path(argument)):
        raise Refused(f"{agent!r} cannot judge: it has no [[judge]]", remedy="name another one")
    refuse_unheld(agent, runner.capabilities.roomless if session.strict else "", ())
    if remedy := missing_logins([kind]).get(kind):
        raise Refused(f"{agent!r} cannot judge: nobody is logged in", remedy=remedy)
    return f"{ANOTHER} {agent}"


def told_of_judge(session: SessionSpec) -> Iterator[str]:
    """That work is judged by its own kind, where it is."""
    judge = kind_of(consultant(session, JUDGE).agent)
    if JUDGE in session.consultants and judge.partition(":")[0] in MODELS and judge in workers(session):
        yield (
            f"The judge is of the same vendor as who works ({judge.partition(':')[0]}), and passes "
            "more of what does not hold than another would: log in to another program, or name it "
            '(`[roles.judge]`, `agent = "KIND"`).'
        )


def workers(session: SessionSpec) -> set[str]:
    """Kinds of agents that do work to be judged."""
    return {kind_of(staff(session, task).agent) for task in session.plan.tasks if not task.plans}


def _able(one: FoundProgram, session: SessionSpec) -> bool:
    held = not one.unheld and not (one.roomless and session.strict)
    return one.usable and held and logged_in(one.kind)
