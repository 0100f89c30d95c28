"""Simulated people: they answer at once or after days, wrongly, twice or never, and change their minds."""

import asyncio
from typing import TYPE_CHECKING

from tests.simulation.plans import AGENTS, random_task

from teamlead.core import facts as f
from teamlead.core.state.records import Escalation
from teamlead.core.state.team_state import TeamState

if TYPE_CHECKING:
    from tests.simulation.world import World

SOON = (0.0, 1.0, 60.0)
DELAYS = (0.0, 60.0, 600.0, 3 * 86400.0)
LONG = 25.0
"""Seconds in which the leader looks at its inbox, if people are busy."""
PATIENCE = 4
"""Answers about one task, after which a person lets it go."""


WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("limit", "budget", "rounds"), ("more",)),
    "agent": ("retry",),
    "judge": ("retry", "retry", "judge: other", "without"),
    "whole": ("accept", "accept", "retry", "retry", "stop"),
    "preflight": ("go on", "retry", "check: make test", "check: make lint => make fast", "stop"),
}
"""What is answered where nothing else counts but the kind of the question."""


class People:
    def __init__(self, world: "World") -> None:
        self._world = world
        self._seen: set[object] = set()
        self._answers: dict[str, int] = {}
        self._to_come = 0
        self._came = asyncio.Event()

    def plan_interference(self) -> None:
        """What somebody does without being asked."""
        random = self._world.random
        busy = self._world.weather.busy_people
        for _ in range(random.choice((2, 5, 8) if busy else (0, 0, 0, 1, 2))):
            self._later(random.random() * (300 if busy else 1500), self._interfere)

    async def say_something(self) -> bool:
        """Waits for a command. False: nobody will say anything."""
        while not self._world.disk.inbox:
            if not self._to_come:
                return False
            self._came.clear()
            await self._came.wait()
        return True

    def notice(self, state: TeamState) -> None:
        if state.open:
            for record in state.open.values():
                if record.id not in self._seen:
                    self._seen.add(record.id)
                    self._answer_soon(record)
        if state.phase == "AWAITING_APPROVAL" and state.approval is None:
            key = len(state.phases), self._world.truth.approvals_refused
            if key not in self._seen:
                self._seen.add(key)
                self._approve_soon(state.integration_tip)

    async def want_it_again(self, task: str) -> None:
        """The copy of a task that is settled is being removed, and somebody reopens it meanwhile."""
        if self._world.weather.busy_people and self._world.random.random() < 0.1:
            self._later(0.0, lambda: [f.RetryTask(task, "a failure was traced to it")])
            await asyncio.sleep(LONG)

    async def wait_no_longer(self, task: str) -> None:
        """Something takes its time in a copy, and somebody skips the task meanwhile."""
        if self._world.weather.busy_people and self._world.random.random() < 0.04:
            self._later(0.0, lambda: [f.SkipTask(task, "it takes too long")])
            await asyncio.sleep(LONG)

    def take_over(self) -> None:
        """A leader has died, and somebody does not wait for the next one."""
        random, active = self._world.random, list(self._world.state.active)
        if active and random.random() < 0.2:
            name = random.choice(active)
            self._later(0.0, lambda: [random.choice((f.SkipTask(name, "it hangs"), f.RetryTask(name)))])

    def _later(self, delay: float, act: object, *arguments: object) -> None:
        def come() -> None:
            self._to_come -= 1
            for command in act(*arguments):  # type: ignore[operator]
                self._world.tell(self._world.disk.put(command), command)
            self._came.set()

        self._to_come += 1
        asyncio.get_running_loop().call_later(delay, come)

    def _delay(self) -> float:
        return self._world.random.choice(SOON if self._world.weather.busy_people else DELAYS)

    def _answer_soon(self, record: Escalation) -> None:
        random = self._world.random
        dice = 1.0 if self._world.calm else random.random()
        if dice < 0.04:
            return
        delay = self._delay()
        if dice < 0.15:
            self._later(delay, lambda: [f.Resolve(record.id, random.choice((" ", "what?", "skip")))])
            delay += 30.0
        word = self._word(record)
        if record.cause and 0.3 <= dice < 0.7:
            self._later(delay, lambda: self._for_some(record, word))
            delay += 60.0
        self._later(delay, lambda: [f.Resolve(record.id, word)])
        if dice < 0.3:
            self._later(delay + random.choice((0.0, 10.0)), lambda: [f.Resolve(record.id, "retry")])

    def _for_some(self, record: Escalation, word: str) -> list[f.Command]:
        """Decides for some of its tasks, as they are by now: by an answer, or by their names."""
        random, tasks = self._world.random, list(record.tasks)
        if tasks and random.random() < 0.3:
            return [random.choice((f.SkipTask(tasks[0], "not needed"), f.RetryTask(tasks[-1])))]
        return [f.Resolve(record.id, word, tasks=tuple(random.sample(tasks, len(tasks) // 2)))]

    def _word(self, record: Escalation) -> str:
        random = self._world.random
        if record.kind in WORDS:
            return random.choice(WORDS[record.kind])
        if record.kind == "proposal":
            assert record.question is not None
            return random.choice((*record.question.options[:-1], "two of them"))
        if record.kind in {"plan", "completion"}:
            assert record.question is not None
            return "stop" if random.random() < 0.1 else random.choice(record.question.options[:-1])
        about = record.asker.task
        given = self._answers[about] = self._answers.get(about, 0) + 1
        if record.kind == "question":
            return "left"
        if given >= PATIENCE:
            return "skip"
        if record.kind == "scope":
            return random.choice(("allow src/more", "deny", "do it like this"))
        if record.question and "accept" in record.question.options and random.random() < 0.3:
            return "accept"
        return random.choice((*("retry",) * 5, "skip", "skip", "do it like this", "do it so", "stop"))

    def _approve_soon(self, shown: str) -> None:
        dice = self._world.random.random()
        delay = self._delay()
        if dice < 0.05:
            return
        if dice < 0.15 or self._world.truth.approvals_refused >= PATIENCE:
            self._later(delay, lambda: [f.Reject("not good enough")])
        elif dice < 0.3:
            self._later(
                delay, lambda: [f.Approve(shown), f.Cancel("too late"), f.Approve(shown, squash=True)]
            )
        else:
            self._later(delay, lambda: [f.Approve(shown, squash=dice < 0.5)])

    def _interfere(self) -> list[f.Command]:
        state, random = self._world.state, self._world.random
        name = random.choice(list(state.active or state.tasks))
        number = len(state.tasks) + 1
        if state.session.plan.tasks[0].plans and random.random() < 0.4:
            return [f.Revise("two of them", discuss=random.random() < 0.5)]
        if random.random() < 0.3:
            return self._steer(name)
        match random.randrange(12):
            case 10 | 11:
                return [f.Tell(name, "hurry up")]
            case 0:
                return [f.SkipTask(name, "not needed")]
            case 1 | 2:
                return [f.SkipTask(name, "not needed"), f.RetryTask(name, "needed after all")]
            case 3:
                done = [name for name, task in state.tasks.items() if task.state == "DONE"]
                return [f.RetryTask(random.choice(done or [name]), "a failure was traced to it")]
            case 4:
                return [f.AddTasks((random_task(random, number, (name,)),))]
            case 5 | 6:
                return [f.Approve(state.integration_tip), f.Resolve("esc-99", "yes")]
            case 7:
                self._world.truth.user_commits()
                return []
            case _:
                return [f.Cancel("enough")]

    def _steer(self, name: str) -> list[f.Command]:
        random = self._world.random
        match random.randrange(5):
            case 0 | 1:
                # Some forget that they wanted it again.
                if random.random() < 0.9:
                    self._later(self._delay(), lambda: [f.RetryTask(name)])
                return [f.PauseTask(name)]
            case 2:
                return [f.RetryTask(name, random.choice(("", "left")))]
            case 3:
                return [f.ReassignTask(name, random.choice(AGENTS) or self._world.spec.agent)]
            case _:
                return [f.PauseSession()]
