"""Settings, as they show in the working copies and in what is accepted."""

import os
from pathlib import Path

import pytest
from tests.flows.support import Project, fail, run, write

from teamlead.system.offline import why_not

ASKS = '[[default]]\nsteps = [{ask = "Well?"}]\n[[default]]\nsteps = [{write = "a.txt", text = "a"}]\n'


def test_what_a_copy_needs_besides_the_commit_is_there_and_is_never_committed(project: Project) -> None:
    project.settings(
        'room = false\npost_create = ["echo made > generated.txt; pwd"]\ncopy = [".env"]\nlink = ["deps"]\n'
    )
    (project.root / ".env").write_text("SECRET=1\n")
    (project.root / "deps").mkdir()
    (project.root / "deps" / "lib.txt").write_text("lib\n")
    needs = "test -f generated.txt && grep -q SECRET .env && test -L deps && cat deps/lib.txt"
    project.task(1, [run(needs), write("a.txt", "a\n")], checks=[needs])
    before = project.users_things()

    assert project.start().code == 3

    assert project.outcomes(1) == ["accepted"]
    assert set(project.files(project.integration)) == {"README.md", "shared.txt", "a.txt"}
    assert project.users_things() == before
    assert project.copies() == []
    # The last is of the copy in which the whole plan's checks ran.
    logs = sorted((project.sessions[-1] / "copies").glob("*post_create*"))
    assert len(logs) == 2
    assert all("/copies/" in log.read_text() for log in logs)


def test_a_copy_that_cannot_be_prepared_is_a_failed_attempt_with_the_output(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 1\npost_create = [\"echo nee''dle; exit 4\"]\n")
    project.task(1, [write("a.txt", "a\n")])

    assert project.start().code == 3

    assert project.outcomes(1) == ["failed"]
    reason = project.details_of(1)["reason"]
    assert "preparing the working copy failed" in reason
    assert "needle" in reason
    assert not project.attempt(1, 1).exists()


def test_checks_of_the_configuration_apply_to_every_task_after_its_own(project: Project) -> None:
    log = project.barrier("log")
    project.settings(f'retry_delay = 0\nchecks = ["echo all >> {log}", "test ! -f bad.txt"]\n')
    project.task(1, [write("a.txt", "a\n")], checks=[f"echo own >> {log}"])
    project.task(2, [write("bad.txt", "bad\n")], [run("mv bad.txt good.txt")], after=[1])

    assert project.start().code == 3

    # At the first task each is tried with garbage, too.
    first, second, on_the_merged_work = ["own", "own", "all", "all"], ["all", "all"], ["all", "own"]
    tried = log.read_text().split()
    assert sorted(tried[:2]) == ["all", "own"], "on the base, beside each other"
    assert tried[2:] == first + second + on_the_merged_work
    assert project.outcomes(1) == ["accepted"]
    assert project.outcomes(2) == ["refused", "accepted"]
    assert "the check `test ! -f bad.txt` failed with exit code 1" in project.prompt(2, 2)
    assert "test ! -f bad.txt" in project.prompt(1, 1)


@pytest.mark.skipif(bool(why_not()), reason="no network namespaces here")
def test_checks_have_no_network_where_the_configuration_says_so_and_agents_keep_theirs(
    project: Project,
) -> None:
    log = project.barrier("log")
    project.settings("check_network = false\n")
    where = f"readlink /proc/self/ns/net >> {log}"
    project.task(1, [run(where), write("a.txt", "a\n")], checks=[where])

    assert project.start().code == 3

    on_base, agents, checks = log.read_text().split()[:3]
    assert agents == os.readlink("/proc/self/ns/net")  # noqa: PTH115 - a name, not a path
    assert agents not in (on_base, checks)


def test_an_agent_of_the_repositorys_configuration_is_used_once_it_is_allowed(project: Project) -> None:
    project.commit(
        "settings",
        {
            ".teamlead/config.toml": 'agent = "scripted:team.toml"\n',
            "team.toml": '[[default]]\nsteps = [{write = "a.txt", text = "a"}]\n',
        },
    )
    project.task(1)
    assert project.teamlead("start", project.plan).code == 5
    assert project.teamlead("config", "allow", "--yes").code == 0

    assert project.teamlead("start", project.plan, "--approve").code == 0

    assert project.content("main", "a.txt") == "a"


def test_a_session_that_was_started_with_another_agent_goes_on_without_asking_for_the_repositorys(
    project: Project,
) -> None:
    project.commit("settings", {".teamlead/config.toml": 'agent = "scripted:team.toml"\n', "team.toml": ""})
    project.task(1, [{"ask": "Well?"}], [write("a.txt", "a\n")])
    assert project.start().code == 3
    assert project.resolve("yes").code == 0

    assert project.teamlead("resume").code == 3

    assert project.states() == {"task-1": "DONE"}


def test_a_session_whose_tasks_all_name_their_agent_goes_on_beside_a_repository_that_names_another(
    project: Project,
) -> None:
    project.commit(
        "settings",
        {".teamlead/config.toml": '[roles.worker]\nagent = "scripted:a.toml"\n', "a.toml": ASKS},
    )
    project.task(1)
    assert project.teamlead("config", "allow", "--yes").code == 0
    assert project.teamlead("start", project.plan).code == 3
    assert project.resolve("yes").code == 0
    (project.root / ".teamlead/config.toml").write_text('agent = "claude"\n')

    assert project.teamlead("resume").code == 3

    assert project.outcomes(1) == ["asked", "accepted"]


def test_a_repository_tightens_by_itself_and_loosens_only_what_the_user_allowed(project: Project) -> None:
    project.settings("retry_delay = 0\nattempts = 2\nbudget_turns = 100\n")
    project.commit("tighter", {".teamlead/config.toml": "attempts = 1\nbudget_turns = 50\n"})
    project.task(1, [fail("no")])
    assert project.start().code == 3
    assert project.outcomes(1) == ["failed"]

    looser = "attempts = 4\nbudget_turns = 0\njudge = false\nmodel = 'opus'\n"
    project.commit("looser", {".teamlead/config.toml": looser})
    refused = project.start()
    shown = project.teamlead("config", "show")

    assert (refused.code, shown.code) == (5, 0)
    for told in (refused.err, shown.err):
        assert '  model: "" -> "opus"\n  budget_turns: 100 -> 0\n  judge: "all" -> false\n' in told
        assert "  attempts: 2 -> 4\n" in told
        assert "`teamlead config allow`" in told
    assert len(project.sessions) == 1
    assert project.teamlead("config", "allow", "--yes").code == 0
    assert project.start().code == 3
    assert project.outcomes(1) == ["failed"] * 4


def test_a_flag_needs_no_consent_of_the_repository_now_or_when_the_session_goes_on(project: Project) -> None:
    project.commit("settings", {".teamlead/config.toml": "jobs = 1000\nattempts = 7\n"})
    project.task(1, [{"ask": "Well?"}], [write("a.txt", "a\n")])
    assert project.start("--jobs", "2").code == 5
    assert project.start("--jobs", "2", "--attempts", "2").code == 3
    assert project.resolve("yes").code == 0

    assert project.teamlead("resume").code == 3

    assert project.states() == {"task-1": "DONE"}


def test_files_behind_a_link_that_git_tracks_are_the_users_alone_whatever_is_to_be_copied(
    project: Project,
) -> None:
    data = project.barrier("mnt")
    data.mkdir()
    (data / "set.bin").write_text("the only one\n")
    (project.root / "data").symlink_to(data)
    project.git("add", "data")
    project.git("commit", "--quiet", "-m", "a link")
    project.commit("settings", {".teamlead/config.toml": 'copy = ["data/set.bin"]\n'})
    project.task(1, [run("grep only data/set.bin"), write("a.txt", "a\n")])
    refused = project.start()
    assert refused.code == 5
    assert 'copy: [] -> ["data/set.bin"]' in refused.err
    assert project.teamlead("config", "allow", "--yes").code == 0

    ended = project.start()

    assert ended.code == 3
    assert "`copy` passes over 'data/set.bin': 'data' is a symbolic link" in ended.err
    assert project.outcomes(1) == ["accepted"]
    assert (data / "set.bin").read_text() == "the only one\n"


def test_what_a_room_lays_open_is_not_for_a_repository_to_say(project: Project) -> None:
    project.commit("settings", {".teamlead/config.toml": 'expose = ["~/.ssh"]\n'})
    project.task(1, [write("a.txt", "a\n")])

    ended = project.start()

    assert ended.code == 2
    assert ".teamlead/config.toml:1: expose is no repository's to set: move it to your own" in ended.err


def test_each_agent_has_a_number_that_no_other_running_one_has(project: Project) -> None:
    here, there = project.barrier("here"), project.barrier("there")
    project.task(1, [{"touch": str(here)}, {"wait_for": str(there)}, write("one.txt", "{slot}\n")])
    project.task(2, [{"touch": str(there)}, {"wait_for": str(here)}, write("two.txt", "{slot}\n")])

    assert project.start("--jobs", "2").code == 3

    made = project.files(project.integration)
    assert {made["one.txt"], made["two.txt"]} == {"0", "1"}


def test_agents_and_checks_get_no_secret_of_the_users_environment(project: Project) -> None:
    seen = [project.barrier(name) for name in ("agent", "check")]
    project.task(1, [run(f"env > {seen[0]}"), write("a.txt", "a\n")], checks=[f"env > {seen[1]}"])

    ended = project.teamlead(
        "start",
        project.plan,
        "--agent",
        f"scripted:{project.script}",
        API_TOKEN="hush-hush",
        GIT_DIR=str(project.root / ".git"),
    )

    assert ended.code == 3, ended.err
    for path in seen:
        names = {line.partition("=")[0] for line in Path(path).read_text().splitlines()}
        assert "PATH" in names
        assert names.isdisjoint({"API_TOKEN", "GIT_DIR"})


def test_a_broken_configuration_stops_nobody_from_deciding(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n")])
    assert project.start().code == 3
    project.settings("jobs = = 3")

    assert project.teamlead("approve").code == 0
    assert "a.txt" in project.files("main")


def test_work_that_steers_teamlead_itself_is_marked_at_approval(project: Project) -> None:
    first = [write(".teamlead/config.toml", "jobs = 1\n")]
    project.task(1, first, [write("a.txt", "a\n")], scope=".teamlead/, a.txt")
    assert project.start().code == 3
    assert _steers(project)
    # What was merged the first time is still there after the task was done again.
    assert project.teamlead("retry", "1").code == 0
    assert project.teamlead("resume").code == 3
    assert _steers(project)


def _steers(project: Project) -> bool:
    (wait,) = [item for item in project.status()["session"]["waiting"] if item["what"] == "approval"]
    return "it changes how teamlead works here: .teamlead/config.toml" in wait["reason"]


def test_a_sparse_copy_holds_its_scope_and_loses_nothing(project: Project) -> None:
    project.settings("retry_delay = 0\nsparse = true\n")
    project.commit("more", {"src/app.py": "1\n", "docs/guide.md": "guide\n"})
    before = project.files("main")
    project.task(1, [run("test -f src/app.py && test ! -e docs"), write("src/app.py", "2\n")], scope="src/")

    assert project.start().code == 3

    assert project.outcomes(1) == ["accepted"]
    assert project.files(project.integration) == {**before, "src/app.py": "2"}
    assert "## What is in your copy" in project.prompt(1, 1)


def test_the_folder_of_a_copy_serves_another_session_until_it_is_cleaned_away(home: Project) -> None:
    project = home.has_repository({f"file-{number}.txt": f"{number}\n" for number in range(120)})
    (project.root / ".git/info/exclude").write_text("*.log\n")
    project.task(1, [run("touch left.log"), write("a.txt", "a\n")])
    assert project.start("--approve").code == 0
    assert project.copies() == []
    (waiting,) = project.state_home.glob("*/pool/*")

    project.new_plan().task(1, [run(f"test ! -e {waiting} && test ! -e left.log"), write("b.txt", "b\n")])
    assert project.start("--approve").code == 0

    assert project.outcomes(1) == ["accepted"]
    cleaned = project.teamlead("clean", "--yes", "--json")
    assert [item["kind"] for item in cleaned.json["items"]] == ["pool"]
    assert not list(project.state_home.glob("*/pool"))


def test_every_agent_owes_a_report_where_the_configuration_says_so_and_is_told_its_form(
    project: Project,
) -> None:
    project.settings("require_reports = true\nretry_delay = 0\n")
    project.task(1, [write("a.txt", "a\n")], [write("a.txt", "b\n")])

    project.start()

    assert project.outcomes(1)[0] == "returned"
    assert "### Key References" in project.prompt(1, 1)
