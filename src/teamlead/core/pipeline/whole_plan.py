"""The checks of the whole plan, on all of the merged work together.

They run when every task is settled: what is right in each copy alone may be wrong together. What a task broke
goes back to it, once. After that, and where no task is to blame, a person is asked.
"""

from msgspec.structs import replace

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.asking import escalation
from teamlead.core.effects import CheckWhole
from teamlead.core.evidence.bisection import Command, Culprit, WholeCheck, WholeVerdict
from teamlead.core.evidence.values import Evidence, Verdict
from teamlead.core.model import Concern, Question, TaskSpec
from teamlead.core.pipeline.reopening import Reopened, reopen, within_bounds
from teamlead.core.state.records import Escalation, Task, Whole
from teamlead.core.state.team_state import TeamState
from teamlead.core.work.checking import BLIND, garbled, look_again, ran
from teamlead.errors import Refused

Events = list[e.AnyEvent]
HIDDEN = "a hidden check"


def commands(state: TeamState) -> tuple[Command, ...]:
    """The session's checks, and those of the tasks that are done or have left work here."""
    promised: dict[str, list[int]] = {text: [] for text in state.session.checks}
    places = {merge.task: place for place, merge in enumerate(state.merges, 1)} if state.own_checks else {}
    for name in state.own_checks:
        task = state.tasks[name]
        here = task.state == "DONE" or (task.state == "SKIPPED" and name in places)
        if here and task.spec.merges:
            for text in task.spec.own_checks:
                promised.setdefault(text, [])
                if name in places and _passed(task, text):
                    promised[text].append(places[name])
    return tuple(Command(text, min(since, default=0)) for text, since in promised.items())


def named(state: TeamState, command: str) -> str:
    """What everybody may read of it."""
    return HIDDEN if command in state.hidden_checks else f"`{command}`"


def _passed(task: Task, command: str) -> bool:
    """It did in the copy of an agent: then it has to, here."""
    checks = (check for attempt in task.attempts for check in attempt.checks)
    return any(check.command == command and check.passed for check in checks)


def wanted(state: TeamState) -> bool:
    """They are to run before anybody is asked to approve."""
    if not state.merges or not (state.session.checks or state.own_checks):
        return False
    given = {command.text for command in commands(state)}
    known = state.whole
    if known is None or known.tip != state.integration_tip or not given:
        return bool(given)
    settled = given == {check.command for check in known.checks} and (known.fine or known.accepted)
    return not settled and not _asked(state)


def undecided(state: TeamState) -> bool:
    """They are to run, or a person is asked what they came to."""
    return wanted(state) or bool(_asked(state))


def effect(state: TeamState) -> CheckWhole:
    known = state.whole
    turn = known.turn if known is not None and known.tip == state.integration_tip else 0
    return CheckWhole(state.integration_tip, turn)


def outdated(state: TeamState) -> Events:
    """A question about work that has changed since."""
    if state.whole is None or state.whole.tip == state.integration_tip:
        return []
    return [e.EscalationWithdrawn(name, "the merged work has changed since") for name in _asked(state)]


def _asked(state: TeamState) -> list[str]:
    return [record.id for record in state.open.values() if record.kind == "whole"]


def trial_begun(state: TeamState, fact: f.TrialBegun, now: float) -> Events:
    if fact.tip != state.integration_tip or effect(state).key not in state.due:
        return []
    return [e.TrialStarted(fact.tip, fact.command, fact.where)]


def ended(state: TeamState, fact: f.WholeEnded, now: float) -> Events:
    if fact.tip != state.integration_tip or effect(state).key not in state.due:
        return []
    checked = e.WholeChecked(fact.tip, tuple(_proof_or_not(state, check) for check in fact.checks))
    mendable = [
        task
        for task in _blamed(fact.checks)
        if state.tasks[task].state == "DONE" and not state.tasks[task].blamed
    ]
    if mendable and within_bounds(state, mendable):
        again = [Reopened(task, reason(state, fact.checks, task)) for task in mendable]
        return [checked, *reopen(state, again, bounded=True)]
    if all(check.fine for check in fact.checks):
        return [checked]
    return [checked, *_ask(state, fact.checks, _wrong(state, fact.checks))]


def _wrong(state: TeamState, checks: tuple[WholeCheck, ...]) -> str:
    """What could not be tried says nothing against the work."""
    untried = [check for check in checks if check.verdict == "unknown"]
    failed = [check for check in checks if not check.fine and check not in untried]
    told = [f"the merged work does not hold: {_listed(state, failed)}"] if failed else []
    told += [f"nobody knows whether the merged work holds: {_listed(state, untried)}"] if untried else []
    return "; ".join(told)


def _listed(state: TeamState, checks: list[WholeCheck]) -> str:
    """A question may go to a model: of a hidden check only its task, and that it does not pass."""
    kept = state.hidden_checks
    told = (
        f"{HIDDEN}{_since(check)}" if check.command in kept else f"`{check.command}`: {check.found}"
        for check in checks
    )
    return "; ".join(told)


def _since(check: WholeCheck) -> str:
    tasks = " and ".join(dict.fromkeys(culprit.task for culprit in check.culprits))
    return f", since the work of {tasks} was merged" if tasks else ""


def _proof_or_not(state: TeamState, check: WholeCheck) -> WholeCheck:
    blind = check.verdict == "passed" and check.command in state.blind_checks
    return replace(check, found=f"{check.found}, {BLIND}") if blind else check


def _ask(state: TeamState, checks: tuple[WholeCheck, ...], about: str) -> Events:
    blamed = _blamed(checks)
    retry = f"Send it back to {' and '.join(blamed)} again" if blamed else "Try again"
    advice = ", with your advice if you write any" if blamed else ""
    text = f"{about}\n{retry}{advice}, accept the work as it is, or stop the session?"
    question = Question(text, escalation.OPTIONS["whole"])
    return escalation.ask(state, "whole", about, question, *map(Concern, blamed))


def answer(state: TeamState, record: Escalation, text: str, by: str) -> Events:
    whole = state.whole
    assert whole is not None
    word = text.strip().lower()
    resolved = e.EscalationResolved(record.id, text.strip(), by)
    if word == escalation.STOP:
        return [
            resolved,
            *escalation.fail_session(state, f"stopped by {by} at {record.id}", except_for=record.id),
        ]
    if word == escalation.ACCEPT:
        return [resolved, e.WholeAccepted(whole.tip, by)]
    blamed = [task for task in _blamed(whole.checks) if state.tasks[task].state in {"DONE", "SKIPPED"}]
    if word == escalation.RETRY and not blamed:
        return [resolved, e.WholeRepeated(whole.tip)]
    if not blamed:
        raise Refused(f"{record.id} is answered with 'retry', 'accept' or 'stop', not {word!r}")
    advice = "" if word == escalation.RETRY else f"\n\nA person says: {text.strip()}"
    return [
        resolved,
        *reopen(
            state,
            [
                Reopened(task, f"{reason(state, whole.checks, task)}{advice}", own=bool(advice))
                for task in blamed
            ],
        ),
    ]


def _blamed(checks: tuple[WholeCheck, ...]) -> list[str]:
    return list(dict.fromkeys(culprit.task for check in checks for culprit in check.culprits))


def reason(state: TeamState, checks: tuple[WholeCheck, ...], task: str) -> str:
    """What the agent needs to know to mend it. Of a hidden check it hears nothing else than that it fails."""
    return "\n\n".join(
        _complaint(check, culprit, is_hidden=check.command in state.hidden_checks)
        for check in checks
        for culprit in check.culprits
        if culprit.task == task
    )


def _complaint(check: WholeCheck, culprit: Culprit, *, is_hidden: bool) -> str:
    where = f"on the merged work of all tasks since yours was merged ({culprit.merge[:10]})"
    if is_hidden:
        return f"{HIDDEN} fails {where}."
    tests = f" Tests that fail since then: {', '.join(culprit.tests)}." if culprit.tests else ""
    output = f"\n{check.output}" if check.output else ""
    return (
        f"the check `{check.command}` fails {where}: {check.found}.{tests} Change what is needed so that it "
        f"passes.{output}"
    )


VERDICTS: dict[WholeVerdict, Verdict] = {
    "passed": "proven",
    "failed before": "flagged",
    "flaky": "flagged",
    "broken": "refused",
    "unexplained": "refused",
    "unknown": "unknown",
}


def evidence(state: TeamState, spec: TaskSpec | None = None) -> tuple[Evidence, ...]:
    """What is known of the merged work as it is now: all of it, or what concerns one task."""
    whole = state.whole
    if whole is None or whole.tip != state.integration_tip:
        return ()
    return tuple(
        replace(
            _item(whole, check, state.blind_checks.get(check.command, ())),
            hidden=check.command in state.hidden_checks,
        )
        for check in whole.checks
        if spec is None or _concerns(check, spec)
    )


def _concerns(check: WholeCheck, spec: TaskSpec) -> bool:
    return check.command in spec.own_checks or any(culprit.task == spec.id for culprit in check.culprits)


def _item(whole: Whole, check: WholeCheck, unseen: tuple[str, ...]) -> Evidence:
    verdict, said = VERDICTS[check.verdict], ""
    if whole.accepted and not check.fine:
        verdict, said = "flagged", f"; accepted by {whole.accepted}"
    elif verdict == "proven" and unseen:
        # Of older sessions this was not recorded.
        verdict, said = "flagged", "" if check.found.endswith(BLIND) else f", {BLIND}"
    return Evidence(
        kind="whole",
        verdict=verdict,
        claim=f"`{check.command}` on the merged work of all tasks",
        found=f"{check.found}{said}",
        command=look_again(check.command, whole.tip, check.room),
        details=(
            *(f"{c.task}: {', '.join(c.tests) or c.merge[:10]}" for c in check.culprits),
            *garbled(unseen),
            *ran(check.room),
        ),
        log=check.log,
    )
