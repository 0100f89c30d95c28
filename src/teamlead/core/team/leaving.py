"""How the team of a session that has ended leaves: asked, waited for, and only then deleted.

Laws:
- Only a request asks a member to leave, and only while it is at work: whose turn has ended has left.
- A request belongs to one attempt. Who is silent is asked once more, and then its warden ends it.
- The team is deleted when its lead asks nobody any more and nothing of its members is alive.

A leader whose agents went with the leader before it asks nobody: there is nobody to answer.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.amounts import show_duration
from teamlead.core.effects import StopAgent
from teamlead.core.runs import RunEnd
from teamlead.core.state.records import Attempt, Leaver, Leaving, Task
from teamlead.core.state.team_state import TeamState
from teamlead.core.team.messages import LEAD
from teamlead.core.team.talk import speaker
from teamlead.core.transitions import AttemptPhase
from teamlead.errors import NotFound

Events = list[e.AnyEvent]

MOST_REQUESTS = 2
NOBODY_AT_WORK = "nobody was at work"
LET_THROUGH: tuple[AttemptPhase, ...] = ("integrating", "stopping")
"""What is being merged: whether it happened is for git to say. And what is being ended already."""

HOW: dict[e.Departure, str] = {
    "idle": "its turn had ended",
    "approved": "it agreed",
    "ended": "it was asked twice, did not leave, and was ended",
    "stopped": "it was ended without waiting for its answer",
}


def is_leaving(state: TeamState) -> bool:
    return state.leaving is not None and state.leaving.deleted_at is None


def go_on(state: TeamState) -> Events:
    """What a session that has ended asks for, one step at a time, until its team is deleted."""
    leaving = state.leaving
    if leaving is None:
        # Without a leader, nobody is reached.
        return [e.TeamLeaving(at_once=not state.leader)]
    if leaving.deleted_at is not None:
        return []
    return _stop(state, leaving) or _ask(state, leaving) or _gone(state, leaving) or _delete(state)


def _stop(state: TeamState, leaving: Leaving) -> Events:
    """Whose turn has ended is waited for no more; where nobody is asked, nobody is."""
    reason = state.phases[-1].reason
    spared = LET_THROUGH if leaving.at_once else (*LET_THROUGH, "working")
    return [
        e.AttemptStopping(task, attempt.number, reason)
        for task, attempt in state.active.items()
        if attempt.phase not in spared
    ]


def _ask(state: TeamState, leaving: Leaving) -> Events:
    new = [
        (name, attempt)
        for name, attempt in state.active.items()
        if attempt.phase == "working" and name not in leaving.leavers
    ]
    return [_request(state, name, attempt, before) for before, (name, attempt) in enumerate(new)]


def _request(
    state: TeamState, name: str, attempt: Attempt, before: int = 0, *, again: bool = False
) -> e.AnyEvent:
    number = f"msg-{len(state.messages) + before + 1}"
    limits = state.session.limits
    patience = show_duration(limits.leaving_again if again else limits.leaving)
    then = "you are ended" if again else "you are asked once more"
    text = (
        f"{'Once more: the' if again else 'The'} session has ended ({state.phases[-1].reason}). "
        "Leave your work as it is: it is kept, and nothing of it is merged any more. "
        f'Call answer_shutdown with request_id "{number}" if you have that tool, and end your turn. '
        f"In {patience} without your answer {then}."
    )
    return e.MessageSent(
        number,
        LEAD,
        name,
        text,
        type="shutdown_request",
        summary="please leave once more" if again else "please leave",
        attempt=attempt.number,
    )


def answered(state: TeamState, fact: f.ShutdownAnswered, now: float) -> Events:
    task, attempt = speaker(state, fact)
    leaver = task.member.leaver
    if leaver is None or leaver.attempt != attempt.number or fact.request not in leaver.requests:
        asked = (
            f"you were asked by {leaver.requests[-1]}"
            if leaver and leaver.requests
            else "go on with your task"
        )
        raise NotFound(f"nobody asked {fact.task} to leave by {fact.request!r}", remedy=asked)
    answer = e.MessageSent(
        f"msg-{len(state.messages) + 1}",
        fact.task,
        LEAD,
        fact.reason,
        type="shutdown_response",
        summary="leaves" if fact.approve else "does not leave",
        request=fact.request,
        approve=fact.approve,
    )
    agreed = e.AttemptStopping(fact.task, fact.attempt, "it agreed to leave")
    return [answer, agreed] if fact.approve else [answer]


def overdue(state: TeamState, fact: f.AnswerOverdue, now: float) -> Events:
    task = state.tasks.get(fact.task)
    attempt = task.live if task else None
    leaver = task.member.leaver if task else None
    if attempt is None or leaver is None or attempt.number != fact.attempt or attempt.phase != "working":
        return []
    if leaver.requests[-1:] != [fact.request]:
        return []
    if len(leaver.requests) < MOST_REQUESTS:
        return [_request(state, fact.task, attempt, again=True)]
    return [e.AttemptStopping(fact.task, fact.attempt, "it was asked to leave twice, and did not")]


def turn_ended(state: TeamState, task: Task, attempt: Attempt, end: RunEnd) -> Events:
    """Of a session that has ended: what it leaves in its copy is kept, and looked at no more."""
    name, leaver = task.spec.id, task.member.leaver
    ended = e.AttemptEnded(name, attempt.number, "stopped", (end.detail or "its session has ended",))
    if leaver is None or not leaver.requests:
        return [ended]
    notice = e.MessageSent(
        f"msg-{len(state.messages) + 1}",
        name,
        LEAD,
        end.summary or end.detail,
        type="idle_notification",
        summary="its turn has ended",
        request=leaver.requests[-1],
    )
    return [notice, ended]


def _gone(state: TeamState, leaving: Leaving) -> Events:
    return [
        e.MemberLeft(name, leaver.attempt, _how(leaver))
        for name, leaver in leaving.leavers.items()
        if leaver.how is None and name not in state.active
    ]


def _how(leaver: Leaver) -> e.Departure:
    if leaver.approved:
        return "approved"
    if not leaver.stopped:
        return "idle"
    return "ended" if len(leaver.requests) == MOST_REQUESTS else "stopped"


def _delete(state: TeamState) -> Events:
    rules = checklist(state)
    return [e.TeamDeleted(rules)] if all(rule.held for rule in rules) else []


def checklist(state: TeamState) -> tuple[e.RuleChecked, ...]:
    """What is made sure of before a team is deleted."""
    broken = {rule: "; ".join(check(state)) for rule, check in CHECKS.items()}
    found = {"lead-leaves-first": "the lead asks nobody any more", **_members_found(state)}
    return tuple(e.RuleChecked(rule, not why, why or found[rule]) for rule, why in broken.items())


def _members_found(state: TeamState) -> dict[str, str]:
    leavers = state.leaving.leavers.values() if state.leaving else ()
    counts = Counter(HOW[leaver.how] for leaver in leavers if leaver.how is not None)
    asked = sum(len(leaver.requests) for leaver in leavers)
    return {
        "members-left": "; ".join(f"{count}: {how}" for how, count in counts.items()) or NOBODY_AT_WORK,
        "asked-by-request": f"requests: {asked}" if asked else "nobody was asked",
    }


def lead_alive(state: TeamState) -> Iterator[str]:
    """What the lead asked a model, and is not over yet."""
    stopping = (effect.run for effect in state.due.values() if isinstance(effect, StopAgent))
    asked = (*state.advising, *(run for run in stopping if state.runs[run].purpose != "work"))
    yield from (f"{run} is still being asked" for run in asked)


def members_alive(state: TeamState) -> Iterator[str]:
    """Who has not left. Who is silent is no exception: it has left once it was ended."""
    yield from (f"something of {name} is alive" for name in state.active)
    leavers = state.leaving.leavers if state.leaving else {}
    yield from (f"{name} has not left" for name, leaver in leavers.items() if leaver.how is None)


def left_unasked(state: TeamState) -> Iterator[str]:
    """Who agreed to leave, or was ended for its silence, without a request of that type."""
    for name, leaver in (state.leaving.leavers if state.leaving else {}).items():
        requests = [state.messages[request] for request in leaver.requests]
        typed = [
            each for each in requests if each.type == "shutdown_request" and each.attempt == leaver.attempt
        ]
        needed = {"approved": 1, "ended": MOST_REQUESTS}.get(leaver.how or "", 0)
        if len(typed) != len(requests) or len(typed) < needed:
            yield f"{name} was asked to leave by a plain message"


CHECKS: dict[str, Callable[[TeamState], Iterator[str]]] = {
    "lead-leaves-first": lead_alive,
    "members-left": members_alive,
    "asked-by-request": left_unasked,
}
"""By rule: what breaks it."""
