"""The real programs in rooms: they work where the checkout lies, with their team, and as often as need be."""

from collections.abc import Iterator

import pytest
from tests.flows.real import Agent, RealTeam, team
from tests.flows.support import Project, done, run, write

AGENTS: tuple[Agent, ...] = ("claude", "codex")
REST = [write("rest.txt", "rest\n"), done("The rest is done.")]
MISSING = "test -e rest.txt"
"""A check that only a second attempt passes."""
SETTINGS = {"claude": "settings.json", "codex": "config.toml"}
"""By the user's own, a program runs code in the user's sessions."""

pytestmark = pytest.mark.usefixtures("rooms")
own_user = pytest.mark.parametrize("owner", ["own"], indirect=True)


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest) -> Agent:
    chosen: Agent = request.param
    return chosen


@pytest.fixture
def real(owner: Project, agent: Agent) -> Iterator[RealTeam]:
    real = RealTeam(owner, agent)
    yield real
    real.close()


def test_it_works_in_the_place_of_the_checkout_and_its_team_answers_and_its_conversation_goes_on(
    real: RealTeam,
) -> None:
    owner = real.project
    (owner.root / "mine.txt").write_text("of the user\n")
    look = f"( pwd; ls; find {owner.state_home} -name journal.db ) > found.txt"
    begun = [team("report_progress", text="I have begun."), run(look), done("A part of it is done.")]
    real.task(1, begun, REST, checks=[MISSING])

    assert real.start().code == 3

    assert owner.outcomes(1) == ["refused", "accepted"]
    found = owner.content(owner.integration, "found.txt").split()
    assert found == [str(owner.root), "README.md", "found.txt", "shared.txt"]
    assert [event["text"] for event in real.events_of("ProgressReported")] == ["I have begun."]
    first, second = (event["end"] for event in real.events_of("RunEnded"))
    assert first["conversation"] == second["conversation"] != ""
    assert real.model is not None
    asked = [request.content.decode() for request in real.model.requests]
    assert ["Recorded." in text for text in asked[:2]] == [False, True]
    assert ["A part of it is done." in text for text in (asked[2], asked[-1])] == [False, True]


@pytest.mark.parametrize("agent", ["codex"], indirect=True)
def test_its_own_sandbox_holds_its_commands_in_the_room_and_leaves_them_what_is_private(
    real: RealTeam,
) -> None:
    owner = real.project
    owner.commit("installed", {".gitignore": "node_modules/\n"})
    installed, cache = owner.root / "node_modules", real.home.parent / ".cache"
    for folder in (installed, cache):
        folder.mkdir()
        (folder / "old").touch()
    refused, allowed = owner.barrier("of-agent"), owner.barrier("of-check")
    places = f"new node_modules/new ~/.cache/new ~/new ../new {refused}"
    real.task(
        1,
        [run(f"for path in {places}; do touch $path && echo $path; done > found.txt; true"), done("Tried.")],
        checks=[f"touch {allowed}"],
    )

    assert real.start().code == 3

    assert owner.outcomes(1) == ["accepted"]
    written = owner.content(owner.integration, "found.txt").split()
    assert written == ["new", "node_modules/new", f"{cache}/new"]
    assert allowed.exists(), "the room itself lets it be written"
    assert not refused.exists()
    assert [path.name for folder in (installed, cache) for path in folder.iterdir()] == ["old", "old"]


@own_user
@pytest.mark.parametrize("agent", ["claude"], indirect=True)
def test_from_strict_rooms_all_of_them_reach_their_model_and_their_team(real: RealTeam) -> None:
    for number, fields in enumerate(([], real.beside("codex")), 1):
        steps = [team("report_progress", text="Begun."), write(f"{number}.txt", "1\n"), done("Written.")]
        real.task(number, steps, scope=f"{number}.txt", fields=fields)

    assert real.start("--sandbox", "--jobs", "2").code == 3

    assert real.project.states() == {"task-1": "DONE", "task-2": "DONE"}
    assert {event["task"] for event in real.events_of("ProgressReported")} == {"task-1", "task-2"}


@own_user
def test_by_the_users_login_it_goes_on_in_the_users_home_and_leaves_the_settings_there_alone(
    real: RealTeam,
) -> None:
    project = real.log_in().project
    settings = real.home / SETTINGS[real.agent]
    settings.write_text("")
    begun = [run(f"echo x > {settings} || echo refused > found.txt"), done("A part of it is done.")]
    real.task(1, begun, REST, checks=[MISSING])

    assert real.start().code == 3

    assert project.outcomes(1) == ["refused", "accepted"]
    assert project.content(project.integration, "found.txt") == "refused"
    assert settings.read_text() == ""
    first, second = (event["end"] for event in real.events_of("RunEnded"))
    assert first["conversation"] == second["conversation"]
    assert [*real.home.rglob(f"*{first['conversation']}.jsonl")]
