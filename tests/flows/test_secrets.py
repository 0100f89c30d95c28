"""No secret is kept, told or merged, whoever prints it."""

import pytest
from tests.flows.support import Project, done, run, write

TOKEN = "b7Rk29xvpLmQ4"
PASSWORD = "zX81-kWq5-eT3n"


@pytest.fixture
def project(project: Project) -> Project:
    """Its user has a password in `.env`, which each copy gets, and a token in the environment."""
    (project.root / ".env").write_text(f"DB_PASSWORD={PASSWORD}\n")
    (project.root / ".git/info/exclude").write_text(".env\n")
    project.barrier("token").write_text(f"{TOKEN}\n")
    return project.settings(f'copy = [".env"]\npost_create = ["{prints(project)}"]\n')


def prints(project: Project) -> str:
    return f"cat .env {project.barrier('token')}"


def kept(project: Project, secret: str) -> list[str]:
    """Files that teamlead itself wrote and that hold it: working copies hold what agents wrote."""
    (copies,) = project.state_home.glob("*/copies")
    places = [project.state_home, project.root / ".teamlead"]
    files = [file for place in places for file in place.rglob("*") if file.is_file()]
    assert len(files) > 10
    own = [file for file in files if not file.is_relative_to(copies)]
    return [str(file) for file in own if secret.encode() in file.read_bytes()]


def start(project: Project, *options: str) -> int:
    script, plan = project.script, project.plan
    return project.teamlead("start", plan, "--agent", f"scripted:{script}", *options, DEPLOY_TOKEN=TOKEN).code


def test_whatever_prints_a_secret_no_file_of_a_session_holds_it(project: Project) -> None:
    steps = [run(prints(project)), write("a.txt", "a\n"), done(f"The password is {PASSWORD}.")]
    project.task(1, steps, checks=[prints(project)])
    assert start(project) == 3
    assert project.state_of(1) == "DONE"
    assert kept(project, PASSWORD) == []
    assert kept(project, TOKEN) == []
    for command in (["report"], ["logs", "1"], ["evidence", "1"], ["watch", "--json"]):
        assert PASSWORD not in project.teamlead(*command).out
    log = next(project.state_home.rglob("*post_create*.log"))
    assert log.read_text() == "DB_PASSWORD=[secret]\n[secret]\n"


def test_a_secret_in_the_work_goes_back_once_with_its_place(project: Project) -> None:
    project.task(
        1,
        [write("a.py", f"\nLOGIN = '{PASSWORD}'\n"), done("wrote it")],
        [write("a.py", "import os\nLOGIN = os.environ['DB_PASSWORD']\n"), done("read it")],
    )
    assert start(project) == 3
    assert project.state_of(1) == "DONE"
    assert "a.py:2: the value of DB_PASSWORD" in project.prompt(1, 2)
    assert PASSWORD not in project.content(project.integration, "a.py")
    assert kept(project, PASSWORD) == []


def test_a_secret_that_stays_in_the_work_waits_for_a_person(project: Project) -> None:
    project.task(1, [write("a.py", f"LOGIN = '{PASSWORD}'\n"), done("wrote it")])
    assert start(project, "--attempts", "2") == 3
    assert project.state_of(1) == "BLOCKED"
    question = project.teamlead("escalations").out
    assert "a.py:1: the value of DB_PASSWORD" in question
    assert PASSWORD not in question
