"""What must hold after every step of a simulated session, whatever went wrong before it.

Events are followed one by one as they reach the disk. The state is compared with them wherever a leader
comes or goes; in a thorough run after every turn.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from tests.core.oracle import Ledger, agent_kind, check_indexes, check_waits, startable
from tests.core.oracle import law as promise
from tests.simulation.copies import path_of
from tests.simulation.line import Line
from tests.simulation.replay import Replay

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.events import LAZY, Recorded
from teamlead.core.forms import FORM_OF_PURPOSE, READINGS
from teamlead.core.model import TaskSpec
from teamlead.core.state.team_state import TeamState
from teamlead.ports.journal import Outcome

if TYPE_CHECKING:
    from tests.simulation.world import World

MOST_STEPS = 6000
"""Of one run. The longest that are in order take a quarter of it."""


BLAME = {"refused", "failed"}

CARRIED_OUT: dict[type[Any], set[type[e.Event]]] = {
    f.Resolve: {e.EscalationResolved, e.EscalationAnswered},
    f.Approve: {e.ApprovalRequested},
    f.Reject: {e.PhaseChanged},
    f.Cancel: {e.PhaseChanged, e.TeamLeaving},
    f.AddTasks: {e.TaskAdded},
    f.SkipTask: {e.TaskSkipped},
    f.PauseTask: {e.TaskPaused},
    f.RetryTask: {e.TaskResumed, e.TaskUnblocked, e.TaskReopened},
    f.ReassignTask: {e.TaskReassigned},
    f.Revise: {e.TaskUnblocked, e.TaskResumed, e.TaskReopened},
    f.PauseSession: {e.LeaderStopping},
    f.Tell: {e.MessageSent},
}
"""What the transaction that says yes to a command holds, one of them."""


class Promises:
    def __init__(self, world: "World") -> None:
        self._world = world
        self.ledger = Ledger()
        self.replay = Replay()
        self.steps = 0
        self._specs: dict[str, TaskSpec] = {}
        self._merged: dict[str, str] = {}
        """What was merged of a task, which counts until something else is."""
        self._owing: set[str] = set()
        """Those that were done and shall change something again."""
        self._resolved: set[str] = set()
        self._applied = 0

    def spec(self, task: str) -> TaskSpec:
        return self._specs[task]

    # What reaches the disk

    def written(self, recorded: Sequence[Recorded]) -> None:
        self.replay.written(recorded)
        for event in recorded:
            self.ledger.observe(event.event, event.at)
            follow = _FOLLOWED.get(type(event.event))
            if follow is not None:
                follow(self, event.event)
        world = self._world
        promise(
            world.workspace.branches["main"] == world.truth.main, "the user's branch moved without approval"
        )

    def rewind(self, recorded: Sequence[Recorded]) -> None:
        """The power was cut: what was not synced has not happened."""
        self.replay.rewind(recorded)
        self.ledger = Ledger()
        for event in recorded:
            self.ledger.observe(event.event, event.at)

    def answered(self, command: f.Command, outcome: Outcome, recorded: Sequence[Recorded]) -> None:
        if outcome.accepted:
            done = {type(event.event) for event in recorded} & CARRIED_OUT[type(command)]
            undone = any(isinstance(event.event, e.TaskResumed) for event in recorded)
            so = undone or self._is_so(command)
            promise(done or so, f"{command!r} was accepted, and not done")
        else:
            promise(outcome.message, f"{command!r} was refused without a reason")

    def _is_so(self, command: f.Command) -> bool:
        """What is so already needs no event."""
        match command:
            case f.PauseTask():
                return command.task in self.ledger.paused
            case f.ReassignTask():
                spec, session = self._specs[command.task], self._world.spec
                role = next((each.agent for each in session.roles if each.name == spec.role), "")
                return (spec.agent or role or session.agent) == command.agent
            case f.PauseSession():
                return not self.ledger.leader
            case _:
                return False

    def _opened(self, event: e.SessionOpened) -> None:
        self._specs.update((spec.id, spec) for spec in event.spec.plan.tasks)

    def _added(self, event: e.TaskAdded) -> None:
        self._specs[event.spec.id] = event.spec

    def _reassigned(self, event: e.TaskReassigned) -> None:
        self._specs[event.task] = replace(self._specs[event.task], agent=event.agent)

    def _ended(self, event: e.AttemptEnded) -> None:
        world = self._world
        busy = [
            what
            for line, what in world.busy.get(event.task, ())
            if what != "release" and not (line.cut or line.stale)
        ]
        promise(not busy, f"attempt {event.attempt} of {event.task} ended, and {busy} is at work in its copy")
        alive = self._world.agents.in_copy.get(event.task)
        promise(
            alive is None or alive.spec.attempt != event.attempt,
            f"attempt {event.attempt} of {event.task} ended {event.outcome}, and its agent is alive",
        )
        blameless = (event.task, event.attempt) in world.leaders.line.blameless
        promise(
            not blameless or event.outcome not in BLAME,
            f"attempt {event.attempt} of {event.task} is to blame for a full disk",
        )

    def _integrated(self, event: e.WorkIntegrated) -> None:
        world = self._world
        promise(
            (event.task, event.commit) in world.truth.merges, f"{event.task} counts as merged, and is not"
        )

    def _asked(self, event: e.RunWanted) -> None:
        most = READINGS[FORM_OF_PURPOSE[event.purpose]]
        promise(event.tries < most, f"{event.run} is asked again, and could not be read {most} times")

    def _consulted(self, event: e.RunEnded) -> None:
        if event.answer is not None:
            said = self._world.consultants.said[event.run]
            promise(event.answer == said, f"{event.run} counts as {event.answer!r}, and said {said!r}")

    def _done(self, event: e.TaskDone) -> None:
        task, world = event.task, self._world
        confirmed = "" if task in self._owing else self._merged.get(task, "")
        if commit := event.commit or confirmed:
            there = world.workspace.history.contains(world.workspace.integration, commit)
            promise(there, f"{task} is DONE, and its work is not reachable")
            self._merged[task] = commit
        else:
            promise(not self._specs[task].needs_change, f"{task} is DONE without a change")
        self._owing.discard(task)

    def _reopened(self, event: e.TaskReopened) -> None:
        if not event.follows:
            self._owing.add(event.task)

    def _skipped(self, event: e.TaskSkipped) -> None:
        self._owing.discard(event.task)

    def _answer(self, event: e.EscalationResolved) -> None:
        promise(event.id not in self._resolved, f"{event.id} was answered twice")
        self._resolved.add(event.id)

    def _approved(self, event: e.ApprovalApplied) -> None:
        self._applied += 1
        promise(self._applied == 1, "the work was approved twice")
        main = self._world.truth.main
        there = self._world.workspace.history.contains(main, event.commit)
        promise(there, "the work counts as approved, and is not on the user's branch")

    def _whole(self, event: e.WholeChecked) -> None:
        truth = self._world.truth
        merges = [self._world.spec.base_commit]
        merges += [r.event.tip for r in self._world.disk.events if isinstance(r.event, e.WorkIntegrated)]
        for check in event.checks:
            if check.verdict != "unknown":
                promise((check.verdict == "passed") != truth.broken(event.tip), f"{check!r} is not true")
            for culprit in check.culprits:
                before = merges[merges.index(culprit.merge) - 1]
                guilty = truth.broken(culprit.merge) and not truth.broken(before)
                promise(guilty, f"{culprit.task} is blamed, and did not break it")

    # What a leader knows

    def turned(self, recorded: Sequence[Recorded], state: TeamState, synced: int) -> None:
        """After a turn: others are told of it."""
        for event in recorded:
            promise(
                event.seq <= synced or type(event.event) in LAZY, f"{event.event!r} is shown, and not synced"
            )
        if self._world.thorough:
            check_indexes(state)
            check_waits(state, state.updated_at)

    def arrived(self) -> TeamState:
        """What the next leader starts from."""
        state = self.replay.hand_over(self._world.disk.events)
        self._look(state)
        return state

    def _look(self, state: TeamState) -> None:
        self.ledger.compare(state)
        check_indexes(state)

    def left_nobody(self, line: Line) -> None:
        runs = (*self._world.agents.in_copy.values(), *self._world.consultants.in_copy.values())
        alive = [run.spec.task for run in runs if run.line is line]
        promise(not alive, f"the leader ended, and agents of its are alive: {alive}")

    def gave_way(self, line: Line) -> None:
        """The disk took nothing more, but the leader's last word."""
        if not self._world.disk.full and not line.full_late:
            led = any(type(event.event) is e.LeaderStarted for event in self._world.disk.events[line.began :])
            promise(not led or not self.replay.state.leader, "it gave way without a word")
            self.replay.same_as(line.leader.state)

    def left(self, line: Line, end: str) -> None:
        """A leader ended of its own accord. Its reason is looked into, not believed."""
        state = line.leader.state
        self.left_nobody(line)
        self.replay.same_as(state)
        if not line.leader._staffed:
            return
        self._look(state)
        promise(not state.leader, "it left without a word")
        if end == "finished":
            promise(state.final, f"finished in phase {state.phase}")
            promise(not state.due, f"finished, and {list(state.due)} is still to be done")
        if end == "waiting":
            self._waits_for_a_person(state)

    @staticmethod
    def _waits_for_a_person(state: TeamState) -> None:
        check_waits(state, state.updated_at)
        asked = [record for record in state.open.values() if record.question is not None]
        approval = state.phase == "AWAITING_APPROVAL" and state.approval is None
        promise(asked or approval or state.paused, f"it waits in {state.phase}, and nobody is asked anything")
        promise(not state.due, f"it waits, and {list(state.due)} is due")
        # Work that waits for its judge keeps its slot.
        if not state.held_up and len(state.active) < state.session.limits.jobs:
            about = {record.cause for record in asked}
            about |= {thing for thing, hold in state.holds.items() if hold.until is None}
            ready = [
                name
                for name, task in state.tasks.items()
                if task.stage is state.stage
                and startable(task)
                and not about & {"session", f"role:{task.spec.role}", agent_kind(state, task)}
            ]
            promise(not ready, f"it waits, and {ready} may start")

    def over(self) -> None:
        """The run has ended, and nobody comes any more."""
        world, state = self._world, self.replay.state
        alive = [*world.agents.in_copy, *world.consultants.in_copy]
        promise(not alive, f"agents are alive: {alive}")
        promise(not world.disk.inbox, f"nobody answers {list(world.disk.inbox)}")
        unanswered = [name for name in world.disk.asked if name not in world.disk.outcomes]
        promise(not unanswered, f"{unanswered} went away without an answer")
        recorded = {
            (event.event.task, event.event.commit)
            for event in world.disk.events
            if isinstance(event.event, e.WorkIntegrated)
        }
        promise(
            recorded == set(world.truth.merges), "the integration branch holds other work than was accepted"
        )
        if state.phase == "DONE" and state.approval is None:
            promise(world.truth.main in world.truth.users_own, "rejected, and the user's branch has moved")
        stay = {name: str(path_of(name)) for name in world.workspace.copies if state.final}
        unreported = [name for name, place in stay.items() if place not in state.kept]
        promise(not unreported, f"copies stay, and nobody is told: {unreported}")
        world.copies.nothing_lost()


_FOLLOWED: dict[type[Any], Any] = {
    e.SessionOpened: Promises._opened,
    e.TaskAdded: Promises._added,
    e.TaskReassigned: Promises._reassigned,
    e.AttemptEnded: Promises._ended,
    e.WorkIntegrated: Promises._integrated,
    e.TaskDone: Promises._done,
    e.TaskReopened: Promises._reopened,
    e.TaskSkipped: Promises._skipped,
    e.RunWanted: Promises._asked,
    e.RunEnded: Promises._consulted,
    e.EscalationResolved: Promises._answer,
    e.ApprovalApplied: Promises._approved,
    e.WholeChecked: Promises._whole,
}
