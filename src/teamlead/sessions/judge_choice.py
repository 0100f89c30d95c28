"""Who judges where nobody has said it: a program of another vendor than the one that works, if there is one.

A model passes the failing work of its own kind far more often than that of another.
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from teamlead.core.model import RoleSettings, SessionSpec
from teamlead.core.roles import role_named
from teamlead.core.state.staffing import kind_of, staff
from teamlead.runners.detection import DEFAULTS, FoundProgram, find
from teamlead.runners.login_files import logged_in
from teamlead.sessions.consultants import MODELS, consultant
from teamlead.settings.loading import Settings

JUDGE = "judge"


def with_other_judge(session: SessionSpec, settings: Settings, tell: Callable[[str], object]) -> SessionSpec:
    said = role_named(JUDGE, session.roles).settings
    kinds = workers(session)
    if not settings.judge or said.agent or said.model or said.arguments or not kinds:
        return session
    if not kinds <= set(DEFAULTS):
        # Of other programs nobody knows whose model they ask.
        return session
    others = find(*(kind for kind in DEFAULTS if kind not in kinds))
    chosen = next((one.kind for one in others if _able(one, session)), "")
    if not chosen:
        return session
    worker = " and ".join(sorted(kinds))
    tell(
        f"{chosen} judges what {worker} does: another vendor's model passes less of what does not hold "
        f'(`[roles.judge]` with `agent = "{min(kinds)}"` stops that).'
    )
    roles = tuple(role for role in session.roles if role.name != JUDGE)
    known = next((role for role in session.roles if role.name == JUDGE), RoleSettings(JUDGE))
    return replace(session, roles=(*roles, replace(known, agent=chosen)))


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
