"""The real Claude Code and its team's server."""

from tests.mcp.support import FakeListener, serving
from tests.runners.claude_support import Claude, wait

from teamlead.core.facts import Reported
from teamlead.core.model import ToolPolicy
from teamlead.core.runs import RunEnd
from teamlead.ports.team import Letter, Team

STEPS = '{team = "report_progress", input = {text = "half done"}}, {run = "cat"}, {done = "made it"}'


def test_it_reports_to_its_team_and_hears_from_it(claude: Claude) -> None:
    claude.follows(STEPS)
    listener = FakeListener()
    listener.letters = [Letter("msg-1", "lead", "Mind the gap.")]

    async def main() -> RunEnd:
        async with serving(listener) as server:
            return await claude.end(team=server.admit("task-1", 1))

    end = wait(main())
    assert (end.status, end.denials) == ("ok", ())
    assert Reported("task-1", 1, "half done") in listener.facts
    assert "Mind the gap." in claude.model.requests[-1].content.decode()


def test_it_reaches_its_team_also_with_no_tool_of_its_own(claude: Claude) -> None:
    claude.follows(STEPS)
    listener = FakeListener()

    async def main() -> RunEnd:
        async with serving(listener) as server:
            return await claude.end(team=server.admit("task-1", 1), policy=ToolPolicy(tools=()))

    assert wait(main()).denials == ("Bash: it is taken away in this role",)
    assert listener.facts


def test_the_token_is_in_no_argument_and_in_no_file(claude: Claude) -> None:
    claude.follows('{run = "ps -ww -o args= -p $PPID > arguments"}, {done = "made it"}')

    async def main() -> Team:
        async with serving(FakeListener()) as server:
            team = server.admit("task-1", 1)
            await claude.end(team=team)
        return team

    team = wait(main())
    assert team.url in (claude.copy / "arguments").read_text()
    kept = [path for path in claude.root.rglob("*") if path.is_file()]
    assert not [path for path in kept if team.token.encode() in path.read_bytes()]


def test_a_team_that_is_not_there_does_not_keep_it_from_its_work(claude: Claude) -> None:
    end = claude.follows('{write = "a.txt", text = "x"}, {done = "made it"}').run(
        team=Team("http://127.0.0.1:9/mcp", "none")
    )
    assert end.status == "ok"
    assert claude.events("warning")[0]["text"] == "no connection to 'team'"
