"""What agents say while they work, what they are told, and what another session has met before."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from msgspec.structs import replace
from tests.engine.support import World, task

from teamlead.core import events as e
from teamlead.core import facts as f
from teamlead.core.facts import Resolve, Tell
from teamlead.core.model import Budget, Limits, Question, Usage
from teamlead.core.runs import RunEnd
from teamlead.core.state.team_state import TeamState
from teamlead.engine.intake import nobody_listens
from teamlead.errors import Refused, StorageFailed
from teamlead.ports.journal import Commit
from teamlead.ports.runner import Capabilities, Held, RunSpec
from teamlead.ports.team import Listener, Team
from teamlead.testing.journal import MemoryJournal
from teamlead.testing.runner import FakeRun
from teamlead.testing.workspace import Call

PATIENCE = 30.0


class Tools:
    """Stands in for the team's server: agents of these tests call the leader without HTTP."""

    def __init__(self) -> None:
        self.listener: Listener | None = None
        self.inside: set[str] = set()
        self.closed = False

    def __call__(self, listener: Listener) -> "Tools":
        self.listener = listener
        return self

    async def start(self) -> None:
        pass

    def admit(self, task: str, attempt: int, role: str = "", form: str = "") -> Team:
        token = f"{task}/{attempt}/{role}"
        self.inside.add(token)
        return Team("memory", token)

    def dismiss(self, team: Team) -> None:
        self.inside.discard(team.token)

    async def close(self) -> None:
        self.closed = True


Talk = Callable[[Listener, RunSpec], Awaitable[RunEnd]]


def talking(world: World, talk: Talk) -> Tools:
    """Agents that have the team's tools, and use them."""
    tools = Tools()

    async def work(spec: RunSpec) -> RunEnd:
        assert spec.team is not None
        assert spec.team.token == f"{spec.task}/{spec.attempt}/{spec.role}"
        assert spec.team.token in tools.inside
        assert tools.listener is not None
        return await talk(tools.listener, spec)

    world.runner._work = work
    world.runner.capabilities = Capabilities(team=True, steer=True)
    return tools


def test_a_call_returns_when_its_fact_is_in_the_journal() -> None:
    world = World(task(1))

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        await listener.put(f.Reported(spec.task, spec.attempt, "begun"))
        assert [event.text for event in world.events(e.ProgressReported)] == ["begun"]
        return world.write(spec)

    tools = talking(world, talk)
    assert world.lead(team=tools) == "waiting"
    assert len(world.events(e.TaskDone)) == 1
    assert (tools.inside, tools.closed) == (set(), True)


def test_a_refusal_reaches_the_caller_and_the_leader_goes_on() -> None:
    world = World(task(1), task(2))

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        with pytest.raises(Refused):
            await listener.put(f.TaskUpdated(spec.task, spec.attempt, "task-9", "done"))
        return world.write(spec)

    assert world.lead(team=talking(world, talk)) == "waiting"
    assert len(world.events(e.TaskDone)) == 2


def test_an_answer_within_the_patience_is_the_calls_result() -> None:
    world = World(task(1))
    answers = []

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        asked = await listener.ask(spec.task, spec.attempt, Question("Which colour?"), "call-1")
        world.inbox.put(Resolve(asked, "blue"))
        answers.append(await listener.answer(asked, PATIENCE))
        return world.write(spec)

    world.lead(team=talking(world, talk))
    assert answers == ["blue"]
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["accepted"]
    assert world.events(e.QuestionParked) == []


def test_without_an_answer_in_time_the_question_is_parked_and_the_task_waits() -> None:
    world = World(task(1))
    answers = []

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        asked = await listener.ask(spec.task, spec.attempt, Question("Which colour?"), "call-1")
        answers.append(await listener.answer(asked, PATIENCE))
        return RunEnd("ok", conversation="c-1")

    assert world.lead(team=talking(world, talk)) == "waiting"
    assert answers == [None]
    assert [event.escalation for event in world.events(e.QuestionParked)] == ["esc-1"]
    assert world.state().tasks["task-1"].state == "BLOCKED"

    continued = []

    async def again(_: Listener, spec: RunSpec) -> RunEnd:
        continued.append(spec.conversation)
        return world.write(spec)

    tools = talking(world, again)
    world.inbox.put(Resolve("esc-1", "blue"))
    world.lead(team=tools)
    assert continued == ["c-1"]
    assert world.state().tasks["task-1"].guidance == [("Which colour?", "blue")]


def test_the_same_call_repeated_raises_no_second_question() -> None:
    world = World(task(1))

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        for _ in range(2):
            asked = await listener.ask(spec.task, spec.attempt, Question("Which colour?"), "call-1")
            assert asked == "esc-1"
        return RunEnd("ok")

    world.lead(team=talking(world, talk))
    assert len(world.events(e.EscalationRaised)) == 1


def test_one_who_waits_for_an_answer_is_told_that_the_session_was_cancelled() -> None:
    world = World(task(1))
    answers = []

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        asked = await listener.ask(spec.task, spec.attempt, Question("Which colour?"), "call-1")
        world.inbox.put(f.Cancel("enough"))
        answers.append(await listener.answer(asked, PATIENCE))
        return RunEnd("ok")

    assert world.lead(team=talking(world, talk)) == "finished"
    assert answers == ["(nobody will answer: enough)"]


def test_a_message_goes_into_a_running_agent_that_takes_them() -> None:
    world = World(task(1))
    heard: list[str] = []
    listening = asyncio.Event()

    async def send(_: FakeRun, text: str) -> bool:
        heard.append(text)
        listening.set()
        return True

    async def talk(_: Listener, spec: RunSpec) -> RunEnd:
        world.inbox.put(Tell("task-1", "Mind the header.", "ada"))
        await listening.wait()
        return world.write(spec)

    tools = talking(world, talk)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FakeRun, "send", send)
        world.lead(team=tools)
    assert heard == ["From ada:\n> Mind the header."]
    assert [event.messages for event in world.events(e.MessagesRead)] == [("msg-1",)]


def test_messages_of_one_sender_reach_an_agent_in_their_order_though_one_of_them_cannot_go_in() -> None:
    world = World(task(1))
    heard: list[str] = []
    refused = ["first"]

    async def send(_: FakeRun, text: str) -> bool:
        if any(word in text and refused.pop() for word in list(refused)):
            return False
        # As long as it takes: what comes after it waits for it.
        await asyncio.sleep(5 if "third" in text else 0)
        heard.append(text.rpartition(" ")[2])
        return True

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        for word, by in (("first", "ada"), ("second", "ada"), ("third", "bob"), ("fourth", "bob")):
            world.inbox.put(Tell("task-1", word, by))
        await asyncio.sleep(60)
        heard.extend(letter.text for letter in await listener.unread("task-1"))
        names = tuple(letter.id for letter in await listener.unread("task-1"))
        await listener.put(f.MessagesTaken(spec.task, spec.attempt, names))
        return world.write(spec)

    tools = talking(world, talk)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FakeRun, "send", send)
        world.lead(team=tools)
    assert heard == ["third", "fourth", "first", "second"]


def test_what_is_in_its_prompt_is_not_sent_to_an_agent_again() -> None:
    world = World(task(1))
    world.inbox.put(Tell("task-1", "Mind the header.", "ada"))
    heard: list[str] = []

    async def send(_: FakeRun, text: str) -> bool:
        heard.append(text)
        return True

    async def talk(_: Listener, spec: RunSpec) -> RunEnd:
        await asyncio.sleep(60)
        return world.write(spec)

    tools = talking(world, talk)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FakeRun, "send", send)
        world.lead(team=tools)
    assert [event.messages for event in world.events(e.MessagesRead)] == [("msg-1",)]
    assert heard == []


def test_a_message_that_cannot_go_in_is_in_the_next_prompt() -> None:
    world = World(task(1))
    world.inbox.put(Tell("task-1", "Mind the header.", "ada"))

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        assert await listener.unread("task-1") == [] or spec.attempt == 1
        return world.write(spec)

    world.lead(team=talking(world, talk))
    assert [event.attempt for event in world.events(e.MessagesRead)] == [1]


class BrokenJournal(MemoryJournal):
    """Takes everything but one kind of event."""

    def __init__(self, journal: MemoryJournal, refused: type[e.Event]) -> None:
        self.__dict__.update(vars(journal))
        self._refused = refused

    async def commit(self, commit: Commit) -> None:
        if any(isinstance(stamped.event, self._refused) for stamped in commit.events):
            raise StorageFailed("the journal takes nothing more")
        await super().commit(commit)


def test_a_leader_whose_journal_fails_ends_also_while_an_agent_is_being_told_something() -> None:
    world = World(task(1))
    world.inbox.put(Tell("task-1", "Mind the header.", "ada"))

    async def talk(_: Listener, spec: RunSpec) -> RunEnd:
        await asyncio.Event().wait()
        return world.write(spec)

    tools = talking(world, talk)
    with pytest.raises(StorageFailed):
        world.lead(team=tools, journal=BrokenJournal(world.journal, e.MessagesRead))
    assert (tools.inside, tools.closed) == (set(), True)


def test_calls_that_the_journal_cannot_take_are_refused_and_so_are_those_after_them() -> None:
    world = World(task(1))
    refusals = []

    async def talk(listener: Listener, spec: RunSpec) -> RunEnd:
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await listener.put(f.Reported(spec.task, spec.attempt, "begun"))
            refusals.append(refused.value.message)
        return world.write(spec)

    with pytest.raises(StorageFailed):
        world.lead(team=talking(world, talk), journal=BrokenJournal(world.journal, e.ProgressReported))
    assert refusals == [nobody_listens().message] * 2


@pytest.mark.parametrize("limit", [Budget(seconds=20), Budget(tokens=20), Budget(cost_usd=0.2)])
def test_an_agent_whose_budget_others_overran_before_it_began_does_not_start(limit: Budget) -> None:
    world = World(task(1), task(2), limits=Limits(jobs=2), budget=limit)
    overrun = asyncio.Event()

    async def wait(call: Call) -> None:
        if call[:2] == ("prepare", "task-2"):
            await overrun.wait()

    async def work(spec: RunSpec) -> RunEnd:
        await asyncio.sleep(100)
        return replace(world.write(spec), usage=Usage(50, 50, 5.0))

    def observe(recorded: Sequence[e.Recorded], _: TeamState) -> None:
        if any(isinstance(entry.event, e.RunEnded) for entry in recorded):
            overrun.set()

    world.workspace.before = wait
    world.runner._work = work
    world.lead(observe=observe)
    assert [spec.task for spec in world.runner.specs] == ["task-1"]
    assert [event.kind for event in world.events(e.EscalationRaised)] == ["budget"]
    assert world.state().tasks["task-2"].failures == 0


def test_what_another_session_has_met_keeps_agents_from_starting_until_its_moment() -> None:
    world = World(task(1))
    until = world.clock.now() + 600

    def held(kind: str) -> Held | None:
        return Held(until, "too many requests") if kind == "fake" and world.clock.now() < until else None

    world.lead(held=held)
    assert world.times(e.AgentHeld) == [0.0]
    assert world.times(e.AttemptStarted) == [600.0]
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["accepted"]


def test_a_limit_that_another_session_meets_meanwhile_ends_no_attempt_as_a_failure() -> None:
    world = World(task(1, agent="fake"), task(2, 1))
    until = world.clock.now() + 600
    met: list[str] = []

    def held(_: str) -> Held | None:
        return Held(until, "too many requests") if met and world.clock.now() < until else None

    def work(spec: RunSpec) -> RunEnd:
        met.append(spec.task)
        return world.write(spec)

    world.runner._work = work
    world.lead(held=held)
    assert [event.outcome for event in world.events(e.AttemptEnded)] == ["accepted", "held", "accepted"]
    assert world.state().tasks["task-2"].failures == 0
