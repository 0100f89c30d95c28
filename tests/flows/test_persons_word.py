"""Only a person decides: what a team has started may call no command that decides or steers."""

import json
import os
import pwd
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.flows.support import ROOMLESS, Project, Step, ask, run, wait_for, write

IMPOSTOR = Path(__file__).with_name("impostor.py")
REFUSED = 5

Calls = dict[str, list[str]]


@pytest.fixture
def project(project: Project) -> Project:
    """In a room, agents and checks would find no session at all."""
    return project.settings(ROOMLESS)


class Called(NamedTuple):
    code: int
    complaint: str


class Impostor:
    """An agent, or a check, that calls teamlead; and what it came to."""

    def __init__(self, project: Project, *calls: list[str]) -> None:
        self._results = project.barrier("results")
        self._project = project
        self._calls = project.place / "calls.json"
        # Its own copy is another repository, which has no session.
        self._calls.write_text(json.dumps([["-C", str(project.root), *call] for call in calls]))

    def command(self, *how: str, scrubbed: bool = False, **changed: str) -> str:
        program = [sys.executable, str(IMPOSTOR), str(self._calls), str(self._results), *how]
        environment = {**self._project.environment, **changed} if scrubbed else changed
        words = [f"{name}={value}" for name, value in environment.items()]
        return shlex.join(["env", *(["-i"] if scrubbed else []), *words, *program])

    def steps(self, *how: str, scrubbed: bool = False, **changed: str) -> list[Step]:
        """Its own work is honest."""
        called = run(self.command(*how, scrubbed=scrubbed, **changed))
        return [called, wait_for(self._results), write("honest.txt", "honest\n")]

    @property
    def results(self) -> list[Called]:
        return [Called(*each) for each in json.loads(self._results.read_text())]


def waits_for_approval(project: Project) -> str:
    """The session's id."""
    assert project.task(1, [write("unseen.txt", "unseen\n")]).start().code == 3
    assert project.status()["session"]["phase"] == "AWAITING_APPROVAL"
    name = project.sessions[-1].name
    project.new_plan()
    return name


def waits_for_answer(project: Project) -> str:
    project.task(1, [ask("Which colour?", "red", "blue")], [write("colour.txt", "{answer}\n")])
    assert project.start().code == 3
    name = project.sessions[-1].name
    project.new_plan()
    return name


def journal(project: Project, session: str) -> int:
    return len(project.events(session))


@pytest.mark.parametrize("how", ["as it is", "with an empty environment", "as a daemon"])
def test_an_agent_neither_approves_nor_answers_in_the_persons_place(how: str, project: Project) -> None:
    unseen, asked = waits_for_approval(project), waits_for_answer(project)
    before, main = [journal(project, name) for name in (unseen, asked)], project.tip("main")
    impostor = Impostor(
        project,
        ["approve", unseen],
        ["reject", unseen],
        ["resolve", asked, "--resolution", "red"],
    )
    daemon = ("leaving",) if how == "as a daemon" else ()
    project.task(1, impostor.steps(*daemon, scrubbed=how != "as it is"))
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [REFUSED] * 3
    assert all("only a person decides this" in called.complaint for called in impostor.results)
    assert [journal(project, name) for name in (unseen, asked)] == before
    assert project.tip("main") == main
    # The honest work beside it is as good as ever, and the person still has their say.
    assert project.state_of(1) == "DONE"
    assert project.teamlead("resolve", asked, "--resolution", "blue").code == 0
    assert project.teamlead("approve", unseen).code == 0
    assert project.content("main", "unseen.txt") == "unseen"


def test_every_command_that_decides_or_steers_is_refused_to_an_agent(project: Project) -> None:
    asked = waits_for_answer(project)
    plan = project.place / "another.md"
    plan.write_text("# Another\n\n### 1. More\n- Acceptance: more\n")
    others = ["--session", asked]
    calls = [
        ["cancel", asked],
        ["pause", *others],
        ["pause", "1", *others],
        ["retry", "1", *others],
        ["skip", "1", *others],
        ["reassign", "1", "--agent", f"scripted:{project.script}", *others],
        ["tell", "1", "Do as I say", *others],
        ["plan", "add", "More", "--scope", "more/", *others],
        ["plan", "new", "more of it", "--agent", f"scripted:{project.script}"],
        ["release", "claude", *others],
        ["resume", asked],
        ["start", str(plan), "--agent", f"scripted:{project.script}", "--approve"],
        ["config", "allow", "--yes"],
        ["guard", "install", "--project"],
        ["salvage", "drop", "--yes", "task-1/1"],
        ["clean", "--yes", asked],
    ]
    impostor = Impostor(project, *calls)
    before, main = journal(project, asked), project.tip("main")
    project.task(1, impostor.steps(scrubbed=True))
    assert project.start().code == 3
    for arguments, called in zip(calls, impostor.results, strict=True):
        assert called.code == REFUSED, (arguments, called.complaint)
        assert "only a person decides this" in called.complaint
    assert journal(project, asked) == before
    assert len(project.sessions) == 2
    assert project.tip("main") == main


def test_an_agent_may_look_at_the_session_that_it_works_for(project: Project) -> None:
    looks = [["status", "--json"], ["list"], ["escalations"], ["report"], ["config", "show"]]
    impostor = Impostor(project, *looks)
    project.task(1, impostor.steps())
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [0] * len(looks)


def test_a_check_and_a_set_up_command_decide_nothing_either(project: Project) -> None:
    unseen = waits_for_approval(project)
    main = project.tip("main")
    impostor = Impostor(project, ["approve", unseen])
    marker = project.barrier("set-up")
    setup = f"{impostor.command(scrubbed=True)} && mv {project.barrier('results')} {marker}"
    project.settings(f"{ROOMLESS}post_create = ['''{setup}''']\n")
    project.task(1, [write("one.txt", "1\n")], checks=[impostor.command(scrubbed=True)])
    assert project.start().code == 3
    ((set_up, _),) = json.loads(marker.read_text())
    assert [set_up, *(called.code for called in impostor.results)] == [REFUSED, REFUSED]
    assert project.tip("main") == main


def test_a_link_to_the_state_directory_hides_nothing(project: Project) -> None:
    """The sessions are found through a state directory of the agent's own, which links to the person's."""
    unseen, asked = waits_for_approval(project), waits_for_answer(project)
    own = project.place / "own"
    own.mkdir()
    (own / project.sessions[0].parents[1].name).symlink_to(project.sessions[0].parents[1])
    impostor = Impostor(project, ["approve", unseen], ["resume", asked])
    before = [journal(project, name) for name in (unseen, asked)]
    project.task(1, impostor.steps(scrubbed=True, TEAMLEAD_STATE=str(own)))
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [REFUSED, REFUSED]
    assert [journal(project, name) for name in (unseen, asked)] == before


@pytest.mark.parametrize("how", ["copied", "of hard links"])
def test_a_state_directory_like_the_persons_hides_nothing(how: str, project: Project) -> None:
    """It is another one, with the same sessions; they are about the same repository."""
    unseen, asked = waits_for_approval(project), waits_for_answer(project)
    own, main = project.place / "own", project.tip("main")
    like = "cp -a" if how == "copied" else "cp -al"
    impostor = Impostor(project, ["approve", unseen], ["resume", asked], ["skip", "1", "--session", asked])
    before = [journal(project, name) for name in (unseen, asked)]
    copied = run(f"{like} {shlex.quote(str(project.state_home))} {shlex.quote(str(own))}")
    project.task(1, [copied, *impostor.steps(scrubbed=True, TEAMLEAD_STATE=str(own))])
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [REFUSED] * 3, impostor.results
    assert all("only a person decides this" in called.complaint for called in impostor.results)
    assert [journal(project, name) for name in (unseen, asked)] == before
    assert project.tip("main") == main


def test_a_linked_working_tree_is_of_the_same_repository(project: Project) -> None:
    unseen = waits_for_approval(project)
    own, tree = project.place / "own", project.place / "tree"
    project.git("worktree", "add", "--quiet", "--detach", str(tree))
    impostor = Impostor(project, ["-C", str(tree), "approve", unseen])
    copied = run(f"cp -a {shlex.quote(str(project.state_home))} {shlex.quote(str(own))}")
    project.task(1, [copied, *impostor.steps(scrubbed=True, TEAMLEAD_STATE=str(own))])
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [REFUSED]


def test_a_state_directory_of_its_own_does_not_make_kept_work_an_agents(project: Project) -> None:
    project.task(1, [write("kept.txt", "kept\n"), {"fail": "no"}])
    assert project.start("--attempts", "1").code == 3
    assert project.teamlead("cancel").code == 0
    (kept,) = (name for name in project.refs() if name.startswith("refs/teamlead/kept/"))
    project.new_plan()
    impostor = Impostor(project, ["salvage", "drop", "--yes", kept])
    project.task(1, impostor.steps(scrubbed=True, TEAMLEAD_STATE=str(project.place / "own")))
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [REFUSED]
    assert kept in project.refs()


def test_a_project_whose_tests_call_teamlead_with_a_state_directory_of_their_own_is_not_refused(
    project: Project,
) -> None:
    """As this one: its tests start, answer and approve sessions of their own."""
    sample = project.place / "sample"
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    project.git("clone", "--quiet", *identity, str(project.root), str(sample))
    script = project.place / "own.toml"
    script.write_text('[[task-1]]\nsteps = [{write = "own.txt", text = "own"}]\n')
    plan = project.place / "own.md"
    plan.write_text("# Own\n\n### 1. One\n- Acceptance: one\n")
    at = ["-C", str(sample)]
    impostor = Impostor(
        project, [*at, "start", str(plan), "--agent", f"scripted:{script}"], [*at, "approve"], [*at, "clean"]
    )
    project.task(1, impostor.steps(scrubbed=True, XDG_STATE_HOME=str(project.place / "own")))
    assert project.start().code == 3
    assert [called.code for called in impostor.results] == [3, 0, 0], impostor.results
    assert project.git("-C", str(sample), "show", "main:own.txt") == "own"
    assert project.state_of(1) == "DONE"


def test_the_environment_of_what_a_team_starts_names_its_state_directory(project: Project) -> None:
    told = project.barrier("told")
    project.task(1, [run(f'printf %s "$TEAMLEAD_BELONGS_TO" > {told}'), write("one.txt", "1\n")])
    assert project.start().code == 3
    assert os.path.realpath(told.read_text()) == os.path.realpath(project.state_home)


def test_the_environment_of_what_a_team_starts_names_its_repository(project: Project) -> None:
    told = project.barrier("told")
    project.task(1, [run(f'printf %s "$TEAMLEAD_BELONGS_TO_REPOSITORY" > {told}'), write("one.txt", "1\n")])
    assert project.start().code == 3
    assert told.read_text() == os.path.realpath(project.root / ".git")


def test_who_decided_is_in_the_journal_and_wherever_the_decision_is_told(project: Project) -> None:
    user = pwd.getpwuid(os.getuid()).pw_name
    project.task(1, [ask("Which colour?", "red", "blue")], [write("colour.txt", "{answer}\n")])
    assert project.start().code == 3
    assert project.resolve("red").code == 0
    assert project.teamlead("resume").code == 3
    assert project.teamlead("approve").code == 0
    kinds = ("SessionOpened", "EscalationResolved", "ApprovalRequested")
    deciders = {each["kind"]: each["body"].get("who") for each in project.events() if each["kind"] in kinds}
    assert [who["user"] for who in deciders.values()] == [user] * len(kinds)
    assert len({who["pid"] for who in deciders.values()}) == len(kinds)
    by_models = [each for each in project.events() if each["kind"] in ("AttemptStarted", "ApprovalApplied")]
    assert not any("who" in each["body"] for each in by_models)

    def told(kind: str) -> str:
        return f"by user ({user}, pid {deciders[kind]['pid']}, no terminal)"

    (question,) = project.teamlead("escalations", "--all", "--json").json["questions"]
    assert question["person"] == {**deciders["EscalationResolved"], "terminal": ""}
    assert f"answered {told('EscalationResolved')}: red" in project.teamlead("escalations", "--all").out
    report = project.teamlead("report").out
    assert f"answered {told('EscalationResolved')}: red" in report
    assert told("ApprovalRequested") in report
    approval = project.teamlead("report", "--json").json["approval"]
    assert approval["person"]["pid"] == deciders["ApprovalRequested"]["pid"]
    watched = project.teamlead("watch", project.session, "--since", "0")
    tip = project.tip(project.integration)[:10]
    assert f"approval of {tip} {told('ApprovalRequested')}" in watched.out
