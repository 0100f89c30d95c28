from collections.abc import Mapping
from pathlib import Path

import pytest

from teamlead.core.model import Budget, Plan, SessionSpec, TaskSpec
from teamlead.errors import Refused, UsageError
from teamlead.ports.runner import Capabilities
from teamlead.runners import detection, registry
from teamlead.runners.detection import FoundProgram
from teamlead.runners.refusals import UNHELD
from teamlead.sessions import judge_choice
from teamlead.sessions import staffing as wired
from teamlead.sessions.announcements import announcements
from teamlead.sessions.consultants import consultant, consultants
from teamlead.sessions.staffing import Staffed, staff, staff_further, staffed_with
from teamlead.settings.loading import load
from teamlead.settings.roles import roles


class Program:
    """A runner of which only its abilities are looked at."""

    def __init__(self, capabilities: Capabilities) -> None:
        self.capabilities = capabilities

    def validate(self) -> None:
        pass


PROGRAMS = {
    "claude": Capabilities(team=True, steer=True, cost=True, tool_limits="calls"),
    "codex": Capabilities(team=True, tool_limits="kinds", os_sandbox=True),
    "command:x": Capabilities(),
    "acp:unheld": Capabilities(team=True, unheld="no namespaces"),
    "acp:roomless": Capabilities(team=True, os_sandbox=True, roomless="no further namespaces"),
}


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Capabilities]:
    def runner_for(agent: str) -> Program:
        if agent not in PROGRAMS:
            raise UsageError(f"unknown agent {agent!r}")
        return Program(PROGRAMS[agent])

    monkeypatch.setattr(registry, "runner_for", runner_for)
    monkeypatch.setattr(wired, "default_agent", lambda: "claude")
    monkeypatch.setattr(judge_choice, "find", lambda *_: [])
    for name in (name for program in detection.PROGRAMS for name in program.credentials):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("CODEX_API_KEY", "secret")
    return PROGRAMS


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".teamlead").mkdir(parents=True)
    return folder


def staffed(
    root: Path, *tasks: TaskSpec, config: str = "", told: list[str] | None = None, strict: bool = False
) -> Staffed:
    (root / ".teamlead" / "config.toml").write_text(config)
    settings = load(root)
    draft = SessionSpec(
        id="",
        plan=Plan("A plan", "", tasks),
        base_commit="",
        target_branch="main",
        agent=settings.agent,
        model=settings.model,
        roles=roles(settings),
        budget=settings.budget(),
        strict=strict,
    )
    return staff(draft, settings, ([] if told is None else told).append)


def task(number: int, **said: object) -> TaskSpec:
    return TaskSpec(f"task-{number}", "Title", **said)  # type: ignore[arg-type]


def models(found: Staffed) -> list[str]:
    return [staffed_with(found.session, task).model for task in found.session.plan.tasks]


def test_where_nobody_chose_an_agent_the_first_found_is_told_and_taken(root: Path) -> None:
    told: list[str] = []
    assert staffed(root, task(1), told=told).session.agent == "claude"
    assert told == ["No agent was chosen: claude is used, the first that was found (--agent names another)."]


def test_nothing_is_looked_for_where_every_task_has_an_agent(root: Path) -> None:
    told: list[str] = []
    found = staffed(
        root,
        task(1, agent="codex"),
        task(2, role="reviewer"),
        config='[roles.reviewer]\nagent = "codex"\n',
        told=told,
    )
    assert (found.session.agent, list(found.agents), told) == ("", ["codex"], [])


def test_an_agent_that_only_one_task_names_is_checked_too(root: Path) -> None:
    with pytest.raises(UsageError, match="hal9000"):
        staffed(root, task(1), task(2, agent="hal9000"))


def test_work_gets_the_model_for_its_kind_unless_somebody_names_one(root: Path) -> None:
    tasks = (task(1), task(2, role="code-explorer"), task(3, model="large"), task(4, model="opus-5"))
    assert models(staffed(root, *tasks)) == ["sonnet", "haiku", "opus", "opus-5"]
    assert models(staffed(root, *tasks, config='model = "other"\n')) == ["other", "other", "opus", "opus-5"]


def test_a_word_for_a_model_means_another_one_with_another_agent(root: Path) -> None:
    config = 'model = "small"\n[tiers.codex]\nsmall = "mini"\n[tiers.claude]\nsmall = "tiny"\n'
    assert models(staffed(root, task(1), task(2, agent="codex"), config=config)) == ["tiny", "mini"]


def test_a_word_without_a_model_is_told_once_and_left_to_the_program(root: Path) -> None:
    told: list[str] = []
    found = staffed(
        root, task(1, model="small"), task(2, model="small"), config='agent = "codex"\n', told=told
    )
    assert models(found) == ["", ""]
    assert [line.partition(",")[0] for line in told] == ["No small model is settled for codex"]


def test_each_task_has_the_default_budget_but_for_what_it_states(root: Path) -> None:
    config = "task_budget_usd = 2\ntask_budget_turns = 30\n"
    found = staffed(root, task(1), task(2, budget=Budget(cost_usd=9)), config=config)
    assert [task.budget for task in found.session.plan.tasks] == [
        Budget(cost_usd=2, turns=30),
        Budget(cost_usd=9, turns=30),
    ]


def test_a_program_that_asks_a_model_is_consulted_unless_the_user_does_not_want_it(root: Path) -> None:
    assert staffed(root, task(1)).session.consultants == ("judge", "planner", "validator")
    without = staffed(root, task(1), config="judge = false\nplanner = false\n")
    assert without.session.consultants == ("validator",)


@pytest.mark.parametrize(
    ("config", "judged"), [("", "all"), ("judge = true\n", "all"), ('judge = "undecided"\n', "undecided")]
)
def test_every_task_is_judged_unless_the_user_says_which(root: Path, config: str, judged: str) -> None:
    assert staffed(root, task(1), config=config).session.judged == judged


def test_a_command_is_consulted_only_where_it_is_named_for_it(root: Path) -> None:
    assert staffed(root, task(1), config='agent = "command:x"\n').session.consultants == ()
    named = 'agent = "command:x"\n[roles.judge]\nagent = "codex"\n'
    assert staffed(root, task(1), config=named).session.consultants == ("judge",)


def test_an_advisor_is_consulted_only_where_one_is_named(root: Path) -> None:
    session = staffed(root, task(1), config='[roles.advisor]\nagent = "codex"\n').session
    assert session.consultants == ("judge", "planner", "validator", "advisor")
    assert consultant(session, "advisor").agent == "codex"


def test_a_script_is_consulted_in_the_roles_that_it_has_tables_for(root: Path) -> None:
    steps = 'steps = [{done = "done"}]\n'
    script = root / "team.toml"
    script.write_text(f"[[default]]\n{steps}[[task-1-judge]]\n{steps}[[planner]]\n{steps}")
    session = SessionSpec("", Plan("", "", ()), "base", "main", f"scripted:{script}")
    assert list(consultants(session, load(root))) == ["judge", "planner"]


def announced(found: Staffed) -> list[str]:
    return list(announcements(found.session, found.agents))


def test_each_agent_is_announced_with_what_cannot_be_prevented(root: Path) -> None:
    found = staffed(root, task(1), task(2, agent="codex"), task(3, agent="command:x"))
    claude, codex, command, consulted, same = announced(found)
    assert claude.startswith("claude: each tool call is judged before it runs; what its commands change")
    assert claude.endswith("it can talk with the lead and its team while it works.")
    assert "the operating system keeps read-only roles from writing" in codex
    assert command.startswith("command:x: what it does in its copy outside of its scope or role is detected")
    assert "it cannot talk while it works" in command
    assert consulted == "claude is consulted as judge, planner, validator."
    assert same.startswith("The judge is of the same vendor as who works (claude)")


def test_another_vendors_program_judges_where_one_is_there_and_nobody_said_otherwise(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usable = [FoundProgram(kind, Path("/bin/true"), "1.0") for kind in ("codex", "gemini")]
    monkeypatch.setattr(
        judge_choice, "find", lambda *kinds: [program for program in usable if program.kind in kinds]
    )
    told: list[str] = []
    found = staffed(root, task(1), told=told, config='model = "opus"\n')
    judge = consultant(found.session, "judge")
    assert (judge.agent, judge.model) == ("codex", "")
    assert consultant(found.session, "planner").agent == "claude"
    assert set(found.agents) == {"claude", "codex"}
    (line,) = [line for line in told if "judges" in line]
    assert line.startswith("codex judges what claude does: ")
    assert line.endswith('(`[roles.judge]` with `agent = "claude"` stops that).')
    assert not any("same vendor" in line for line in announced(found))


@pytest.mark.parametrize(
    ("tasks", "config"),
    [
        ([task(1)], '[roles.judge]\nagent = "claude"\n'),
        ([task(1)], '[roles.judge]\nmodel = "opus"\n'),
        ([task(1)], "judge = false\n"),
        ([task(1), task(2, agent="codex")], ""),
        ([task(1, agent="command:x")], ""),
        ([task(1, delivers="plan")], ""),
    ],
    ids=["named", "its model named", "nobody judges", "both work", "unknown vendor", "a plan"],
)
def test_no_other_program_judges_where_somebody_said_who_or_it_would_be_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch, tasks: list[TaskSpec], config: str
) -> None:
    usable = [FoundProgram("codex", Path("/bin/true"), "1.0")]
    monkeypatch.setattr(
        judge_choice, "find", lambda *kinds: [program for program in usable if program.kind in kinds]
    )
    told: list[str] = []
    staffed(root, *tasks, told=told, config=config)
    assert not any("judges" in line for line in told)


def test_tests_that_the_worker_does_not_see_are_written_by_another_vendors_program_too(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usable = [FoundProgram("codex", Path("/bin/true"), "1.0")]
    monkeypatch.setattr(
        judge_choice, "find", lambda *kinds: [program for program in usable if program.kind in kinds]
    )
    told: list[str] = []
    config = 'independent_tests = true\n[roles.judge]\nagent = "claude"\n'
    found = staffed(root, task(1), told=told, config=config)
    assert "tester" in found.session.consultants
    assert consultant(found.session, "tester").agent == "codex"
    assert consultant(found.session, "judge").agent == "claude"
    assert any(line.startswith("codex tests what claude does: ") for line in told)


@pytest.mark.parametrize("why", ["not logged in", "unheld", "broken"])
def test_a_program_that_could_not_judge_is_not_chosen(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, why: str
) -> None:
    codex = FoundProgram("codex", Path("/bin/true"), "1.0")
    monkeypatch.setattr(
        judge_choice,
        "find",
        lambda *_: [codex._replace(unheld="no" * (why == "unheld"), problem="no" * (why == "broken"))],
    )
    if why == "not logged in":
        monkeypatch.delenv("CODEX_API_KEY")
        monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert consultant(staffed(root, task(1)).session, "judge").agent == "claude"
    if why == "not logged in":
        (tmp_path / "auth.json").write_text("{}")
        assert consultant(staffed(root, task(1)).session, "judge").agent == "codex"


def test_a_program_that_says_nobody_is_logged_in_does_not_judge_and_that_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever a file of an old login tells: over it a start would be refused whose worker is fine."""
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'Not logged in' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("TEAMLEAD_CODEX", str(program))
    monkeypatch.setattr(judge_choice, "find", lambda *_: [FoundProgram("codex", program, "1.0")])
    monkeypatch.delenv("CODEX_API_KEY")
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    (tmp_path / "auth.json").write_text("{}")
    told: list[str] = []
    assert consultant(staffed(root, task(1), told=told).session, "judge").agent == "claude"
    who = "codex is not logged in, and so it is not the one that judges others' work"
    assert f"{who}: run `codex login`, or set CODEX_API_KEY." in told


@pytest.mark.parametrize("further", [False, True])
def test_who_cannot_hold_its_commands_works_only_with_the_users_argument_for_that(
    root: Path, further: bool
) -> None:
    def begin(*arguments: str) -> object:
        unheld = task(2, agent="acp:unheld", arguments=arguments)
        if not further:
            return staffed(root, task(1), unheld)
        return staff_further(staffed(root, task(1)).session, load(root), [unheld], lambda _: None)

    refusal = r"acp:unheld cannot hold its commands on this machine: no namespaces.*bypass"
    with pytest.raises(Refused, match=refusal):
        begin()
    assert begin(UNHELD)


def test_who_cannot_hold_its_commands_in_a_room_does_not_work_where_rooms_are_strict(root: Path) -> None:
    roomless = task(1, agent="acp:roomless")
    assert staffed(root, roomless)
    with pytest.raises(Refused, match=r"acp:roomless cannot hold its commands.*no further namespaces"):
        staffed(root, roomless, strict=True)
    assert staffed(root, task(1, agent="acp:roomless", arguments=(UNHELD,)), strict=True)


def test_who_is_only_consulted_and_cannot_hold_its_commands_is_announced(root: Path) -> None:
    found = staffed(root, task(1), config='[roles.judge]\nagent = "acp:unheld"\n')
    told = "acp:unheld cannot hold its commands on this machine: no namespaces."
    assert [line.startswith(told) for line in announced(found)].count(True) == 1


def test_an_agent_that_uses_the_login_of_the_user_is_announced_as_such(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "claude uses your own login: the environment has no key for it."
    assert said not in announced(staffed(root, task(1)))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert said in announced(staffed(root, task(1)))


def test_a_limit_in_money_that_an_agent_cannot_be_held_to_is_announced(root: Path) -> None:
    said = "A limit in money does not hold codex"
    mixed = (task(1), task(2, agent="codex"))
    assert any(line.startswith(said) for line in announced(staffed(root, *mixed, config="budget_usd = 5\n")))
    assert any(
        line.startswith(said) for line in announced(staffed(root, *mixed, config="task_budget_usd = 5\n"))
    )
    for config in ("budget_usd = 5\nbudget_tokens = 1000\n", "budget_tokens = 1000\n", ""):
        assert not any(said in line for line in announced(staffed(root, *mixed, config=config)))
    assert not any(said in line for line in announced(staffed(root, task(1), config="budget_usd = 5\n")))
    own = (task(1, budget=Budget(cost_usd=5)), task(2, agent="codex"))
    assert not any(said in line for line in announced(staffed(root, *own)))


def test_a_role_whose_calls_need_a_yes_is_announced_where_its_agent_cannot_ask(root: Path) -> None:
    config = '[roles.worker]\nasks = ["shell"]\n'
    said = "codex does not ask before single calls: `asks` of the role 'worker' does not hold it."
    assert said in announced(staffed(root, task(1, agent="codex"), config=config))
    assert not any("single calls" in line for line in announced(staffed(root, task(1), config=config)))


def test_a_role_that_nobody_knows_is_announced(root: Path) -> None:
    known = '[roles.poet]\neffort = "low"\n'
    (line,) = [line for line in announced(staffed(root, task(1, role="poet"))) if "poet" in line]
    assert line.startswith("The role 'poet' has no limits of its own (known: ")
    assert not any(
        "has no limits" in line for line in announced(staffed(root, task(1, role="poet"), config=known))
    )
