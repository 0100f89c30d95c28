"""The real Claude Code and a person who must allow what it does."""

import asyncio

import pytest
from tests.runners.claude_support import Claude, until, wait

from teamlead.core.model import Tool, ToolPolicy
from teamlead.core.runs import RunEnd

ASKS_ALL = ToolPolicy(asks=("shell", "edit"))
STEPS = '{run = "touch a.txt"}, {write = "b.txt", text = "x"}, {done = "tried"}'


class Person:
    """Answers as it is told to, and remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    async def permit(self, sentence: str) -> str:
        self.asked.append(sentence)
        await asyncio.sleep(0)
        return self._answers.pop(0)


def test_what_a_person_allows_is_done(claude: Claude) -> None:
    person = Person("", "")
    end = claude.follows(STEPS).run(policy=ASKS_ALL, permit=person.permit)
    assert (end.summary, end.denials) == ("tried", ())
    assert person.asked == ["run `touch a.txt`", "edit b.txt"]
    assert claude.files() == ["a.txt", "b.txt"]


def test_what_a_person_refuses_is_not(claude: Claude) -> None:
    person = Person("the person said no", "")
    end = claude.follows(STEPS).run(policy=ASKS_ALL, permit=person.permit)
    assert (end.summary, end.denials) == ("tried", ("Bash: the person said no",))
    assert claude.files() == ["b.txt"]
    assert "the person said no" in claude.model.requests[1].content.decode()


def test_a_person_is_asked_once_about_what_the_program_asks_twice(claude: Claude) -> None:
    person = Person("")
    end = claude.follows('{write = ".claude/settings.json", text = "{}"}, {done = "tried"}').run(
        policy=ASKS_ALL, permit=person.permit
    )
    assert (end.denials, person.asked) == ((), ["edit .claude/settings.json"])
    assert claude.files() == [".claude/settings.json"]


@pytest.mark.parametrize("asks", [(), ("web",)])
def test_nobody_is_asked_about_anything_else(claude: Claude, asks: tuple[Tool, ...]) -> None:
    person = Person()
    end = claude.follows(STEPS).run(policy=ToolPolicy(asks=asks), permit=person.permit)
    assert (end.denials, person.asked) == ((), [])


def test_nobody_is_asked_about_what_the_policy_refuses(claude: Claude) -> None:
    person = Person("")
    claude.follows(STEPS).run(policy=ASKS_ALL, permit=person.permit, scope=("src/",))
    assert person.asked == ["run `touch a.txt`"]
    assert claude.files() == ["a.txt"]


def test_a_person_who_cannot_be_asked_has_not_allowed_it(claude: Claude) -> None:
    async def permit(sentence: str) -> str:
        raise OSError(sentence)

    async def main() -> RunEnd:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        return await claude.follows('{run = "touch a.txt"}, {done = "tried"}').end(
            policy=ASKS_ALL, permit=permit
        )

    assert wait(main()).denials == ("Bash: nobody could be asked whether it may be done",)
    assert claude.files() == []


def test_without_anybody_to_ask_it_is_not_done(claude: Claude) -> None:
    end = claude.follows('{run = "touch a.txt"}, {done = "tried"}').run(policy=ASKS_ALL)
    assert end.denials == ("Bash: nobody could be asked whether it may be done",)
    assert claude.files() == []


def test_cancelled_while_a_person_thinks_it_ends_and_asks_no_more(claude: Claude) -> None:
    thinking = asyncio.Event()
    given_up = asyncio.Event()

    async def permit(_: str) -> str:
        thinking.set()
        try:
            await asyncio.Event().wait()
        finally:
            given_up.set()
        return ""

    async def main() -> RunEnd:
        handle = await claude.follows('{run = "touch a.txt"}').start(policy=ASKS_ALL, permit=permit)
        await until(thinking.is_set)
        await handle.cancel(20.0)
        await asyncio.wait_for(given_up.wait(), 30)
        return await handle.result()

    assert wait(main()).status == "interrupted"
    assert claude.files() == []
