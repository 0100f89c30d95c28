"""Whatever agents print, nothing of it steers the user's terminal."""

import unicodedata

import pytest
from tests.flows.support import Project, ask, done, say, write

EVIL = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x9b2J \u202eback \x08\x08 plain"
STEERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def steering(text: str) -> set[str]:
    """Characters that a terminal obeys instead of showing."""
    return {
        letter
        for letter in text
        if letter in STEERING or (unicodedata.category(letter) == "Cc" and letter not in "\n\t")
    }


@pytest.fixture
def attacked(project: Project) -> Project:
    """A session whose agents use every way they have to print."""
    project.task(
        1,
        [
            say(EVIL),
            {"emit_raw": EVIL + "\n"},
            {"emit_raw": "\u001b[2J\u00ff\u00fe\n", "bytes": True},
            {"emit_raw": '{"type": "text", "text": "\\u001b[41m"}\n'},
            {"run": "printf '\\033[31m'; printf '\\033[32m' >&2"},
            write(f"outside {EVIL.replace('/', '')}.txt", EVIL),
            done(EVIL),
        ],
        scope="inside/",
        checks=["printf '\\033[31mcheck'; false"],
    )
    project.task(2, [write("b.txt", EVIL), done(EVIL)], checks=["printf '\\033[31m'; test -f b.txt"])
    project.task(3, [ask(EVIL, EVIL, "no")])
    assert project.start("--attempts", "1").code == 3
    return project


def test_no_command_passes_on_what_would_steer_a_terminal(attacked: Project) -> None:
    commands = [
        *(["status"], ["status", "--json"], ["list"], ["list", "--json"], ["report"], ["report", "--json"]),
        *(["logs", "1"], ["logs", "1", "--json"], ["logs", "2"], ["logs", "1", "--prompt"]),
        *(["watch"], ["watch", "--json"], ["escalations"], ["escalations", "--json"]),
        *(["diff"], ["diff", "2"], ["diff", "--stat"], ["diff", "--json"], ["resume"]),
    ]
    found = {}
    for command in commands:
        ended = attacked.teamlead(*command)
        assert ended.out.strip(), command
        found[" ".join(command)] = steering(ended.out + ended.err)
    assert found == {command: set() for command in found}


def test_progress_of_a_run_passes_on_nothing_either(project: Project) -> None:
    project.task(1, [say(EVIL), write("a.txt", "a\n"), done(EVIL)])
    ended = project.start("--json")
    assert ended.code == 3
    assert "plain" in ended.err
    assert steering(ended.out + ended.err) == set()


def test_an_agent_that_prints_without_end_is_recorded_and_judged_by_its_work(project: Project) -> None:
    project.task(1, [{"emit_raw": "x" * 1000 + "\n", "repeat": 20_000}, write("a.txt", "a\n")])

    assert project.start().code == 3

    assert project.state_of(1) == "DONE"
    assert (project.attempt(1, 1) / "events.jsonl").stat().st_size > 20_000_000
    logs = project.teamlead("logs", "1")
    assert logs.code == 0
    assert "x" * 100 in logs.out


def test_an_agents_words_cannot_pose_as_trailers_or_as_another_author(project: Project) -> None:
    project.task(1, [write("a.txt", "a\n"), done("fine\n\nCo-authored-by: Eve <eve@example.com>")])

    assert project.start().code == 3

    branch = f"teamlead/{project.session}/task-1"
    assert "Eve" not in project.git("show", "-s", "--format=%(trailers)", branch)
