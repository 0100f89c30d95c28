"""What is said of a team before it begins: how far each agent can be held, and which limits cannot."""

from collections.abc import Iterator, Mapping

from teamlead.core.budget_text import show_budget
from teamlead.core.model import Budget, SessionSpec
from teamlead.core.people.notices import DESKTOP
from teamlead.core.roles import BUILT_IN
from teamlead.ports.rooms import House
from teamlead.ports.runner import Capabilities
from teamlead.prompts.library import Templates
from teamlead.runners.detection import DEFAULTS, LOGIN, credentials
from teamlead.runners.refusals import UNHELD, cannot_hold
from teamlead.sessions.agent_rooms import known_means
from teamlead.sessions.consultants import consultant
from teamlead.sessions.judge_choice import told_of_judge
from teamlead.sessions.staffing import staffed_with
from teamlead.settings.loading import Settings
from teamlead.system.notifying import why_no_desktop
from teamlead.system.text import clip

_HOLDS = {
    "none": "what it does in its copy outside of its scope or role is detected and refused, not prevented",
    "kinds": "tools that its role forbids are taken away; what it changes in its copy outside of its scope "
    "is detected and refused, not prevented",
    "calls": "each tool call is judged before it runs; what its commands change in its copy outside of its "
    "scope is detected and refused, not prevented",
}
"""Inside of its copy. What holds outside of it is a matter of rooms, and told with them."""
_WITHOUT = "they see what you see, and what they do outside of their copies is noticed, not prevented"


def announcements(session: SessionSpec, agents: Mapping[str, Capabilities]) -> Iterator[str]:
    for agent, can in agents.items():
        yield f"{shown(agent)}: {_HOLDS[can.tool_limits]}{_sandbox(can)}; {_talk(can)}."
        if can.unheld:
            yield f"{agent} {cannot_hold(can.unheld)}. It runs only in roles that write and have {UNHELD}."
        if agent in DEFAULTS and credentials(agent) == LOGIN:
            yield f"{agent} uses your own login: the environment has no key for it."
    if any(agent.startswith("scripted:") for agent in agents):
        yield "A scripted agent follows a file: no model is asked."
    yield from _consulted(session)
    yield from _unknown_roles(session)
    yield from _unasked(session, agents)
    if session.budget != Budget():
        limit = show_budget(session.budget)
        yield f"Budget of the session: {limit}. At the limit nothing more starts, and you are asked."
    yield from _unheld_money(session, agents)
    yield from _notices(session)


def _notices(session: SessionSpec) -> Iterator[str]:
    reason = why_no_desktop() if DESKTOP in session.notify else ""
    ways = [clip(way, 60) for way in session.notify if way != DESKTOP or not reason]
    if ways:
        yield f"When you are needed, you are notified: {', '.join(ways)}."
    if reason:
        yield f"The desktop will not notify you: {reason}."


def overridden(templates: Templates) -> Iterator[str]:
    for template in templates.overrides:
        yield f"The prompt {template.name!r} is {template.source}."


def shown(agent: str) -> str:
    """A script is known by its name; its path would hide the rest."""
    return "scripted" if agent.startswith("scripted:") else clip(agent, 60)


def _sandbox(can: Capabilities) -> str:
    return "; the operating system keeps read-only roles from writing" if can.os_sandbox else ""


def _talk(can: Capabilities) -> str:
    if can.team:
        return "it can talk with the lead and its team while it works"
    return "it cannot talk while it works, and reports when it ends"


def _consulted(session: SessionSpec) -> Iterator[str]:
    by_agent: dict[str, list[str]] = {}
    for role in session.consultants:
        by_agent.setdefault(shown(consultant(session, role).agent), []).append(role)
    for agent, roles in by_agent.items():
        yield f"{agent} is consulted as {', '.join(roles)}."
    yield from told_of_judge(session)


def _unknown_roles(session: SessionSpec) -> Iterator[str]:
    known = {*BUILT_IN, *(role.name for role in session.roles)}
    unknown = dict.fromkeys(task.role for task in session.plan.tasks if task.role not in known)
    for role in unknown:
        yield f"The role {role!r} has no limits of its own (known: {', '.join(sorted(known))})."


def _unasked(session: SessionSpec, agents: Mapping[str, Capabilities]) -> Iterator[str]:
    """Who cannot be stopped before a single call cannot ask about it either."""
    pairs = dict.fromkeys(
        (task.role, who.agent)
        for task, who in ((task, staffed_with(session, task)) for task in session.plan.tasks)
        if who.policy.asks and agents[who.agent].tool_limits != "calls"
    )
    for role, agent in pairs:
        lost = f"`asks` of the role {role!r} does not hold it"
        yield f"{shown(agent)} does not ask before single calls: {lost}."


def _unheld_money(session: SessionSpec, agents: Mapping[str, Capabilities]) -> Iterator[str]:
    """What is not told cannot be counted."""
    unheld = dict.fromkeys(
        shown(who.agent)
        for task, who in ((task, staffed_with(session, task)) for task in session.plan.tasks)
        for budget in (session.budget, who.budget, task.budget)
        if budget.cost_usd is not None and budget.tokens is None and not agents[who.agent].cost
    )
    if unheld:
        yield (
            f"A limit in money does not hold {', '.join(unheld)}: no cost is reported. "
            "A limit in tokens would (--budget '2M tokens')."
        )


def told_of_roomless(house: House | None, agents: Mapping[str, Capabilities]) -> Iterator[str]:
    for agent, can in agents.items():
        if house is not None and can.roomless:
            yield (
                f"{agent} has no room: its own sandbox, which holds its commands, does not work in one here "
                f"({can.roomless})."
            )


def told_of_rooms(settings: Settings, house: House | None) -> str:
    """One sentence, before a session begins."""
    if house is None:
        why = known_means().why_not if settings.room else "room = false"
        return f"Agents and checks have no room of their own ({why}): {_WITHOUT}."
    if house.kind != "bubblewrap":
        why = known_means().why_not
        return (
            f"Agents and checks are held by {house.kind} alone ({why}): they cannot write or read what is "
            "not theirs, but their copies lie elsewhere than your checkout, and a check may look at that."
        )
    kind = "a strict room" if house.strict else "a room"
    return (
        f"Agents and checks run in {kind} of their own: their copy lies at the path of your checkout, and "
        "the rest of your disk is read-only."
    )
