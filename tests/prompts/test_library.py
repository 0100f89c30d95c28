"""A prompt of the repository or the user takes the place of ours, if it is whole."""

import os
from pathlib import Path

import pytest
from tests.prompts.worlds import plain_world

from teamlead.errors import ConfigError
from teamlead.prompts.catalogue import CATALOGUE
from teamlead.prompts.library import BUILT_IN, LARGEST_FILE, Templates, built_in, examine, load_templates
from teamlead.prompts.worker import Circumstances, worker_prompt


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "repository"


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(text, encoding="utf-8")
    return path


def of_the_repository(root: Path, name: str, text: str) -> Path:
    return put(root / ".teamlead/prompts", name, text)


def of_the_user(root: Path, name: str, text: str) -> Path:
    return put(root.parent / "config/teamlead/prompts", name, text)


def own(name: str) -> str:
    return f"Our own way.\n\n{built_in(name).text}"


@pytest.mark.parametrize("name", CATALOGUE)
def test_without_others_ours_are_in_effect(root: Path, name: str) -> None:
    found = load_templates(root).of(name)
    assert (found.name, found.source) == (name, BUILT_IN)


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_of_ours_can_be_copied_and_changed(root: Path, name: str) -> None:
    of_the_repository(root, name, own(name))
    found = load_templates(root).of(name)
    assert found.text == own(name)
    assert found.source == f".teamlead/prompts/{name}.md"


def test_the_repositorys_goes_before_the_users(root: Path) -> None:
    theirs = of_the_user(root, "judge", own("judge"))
    assert load_templates(root).of("judge").source == str(theirs)
    of_the_repository(root, "judge", own("judge"))
    assert load_templates(root).of("judge").source == ".teamlead/prompts/judge.md"


def test_a_worker_is_told_what_the_template_in_effect_says(root: Path) -> None:
    of_the_repository(root, "worker", own("worker"))
    world = plain_world()
    told = worker_prompt(world.state, world.task(1), Circumstances(templates=load_templates(root)))
    assert told.startswith("# task-1: Title 1\n\nThis is attempt 1.\n\nOur own way.\n\nYou are the worker")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "judge",
            "Judge it.\n\n{{SCORE}}\n",
            ".teamlead/prompts/judge.md:3: unknown placeholder",
        ),
        ("judge", "Say {{TASK}}.", ".teamlead/prompts/judge.md: the placeholder {{ANSWER}} is missing"),
        ("judge", "", ".teamlead/prompts/judge.md: the placeholder {{EVIDENCE}} is missing"),
        ("jugde", "x", ".teamlead/prompts/jugde.md: there is no prompt 'jugde' (did you mean judge.md?)"),
        ("judge", "a" * (LARGEST_FILE + 1), ".teamlead/prompts/judge.md: it is larger than 64 KiB"),
    ],
)
def test_one_that_is_not_whole_is_refused_with_its_place(root: Path, name: str, text: str, told: str) -> None:
    of_the_repository(root, name, text)
    with pytest.raises(ConfigError) as caught:
        load_templates(root)
    assert told in str(caught.value)
    assert caught.value.exit_code == 2


def test_all_problems_are_told_at_once(root: Path) -> None:
    of_the_repository(root, "judge", "{{A}}{{ANSWER}}")
    of_the_user(root, "validator", "{{B}}")
    problems = examine(root)[1]
    assert any("judge.md:1: unknown placeholder {{A}}" in problem for problem in problems)
    assert any("validator.md:1: unknown placeholder {{B}}" in problem for problem in problems)


def test_text_that_is_none_is_refused(root: Path) -> None:
    of_the_repository(root, "judge", "").write_bytes(b"a\nb\xff")
    assert ".teamlead/prompts/judge.md: it is not UTF-8 (line 2)" in examine(root)[1]


def test_a_pipe_is_refused_and_not_waited_for(root: Path) -> None:
    of_the_repository(root, "judge", "").unlink()
    os.mkfifo(root / ".teamlead/prompts/judge.md")
    assert ".teamlead/prompts/judge.md: it is not a file" in examine(root)[1]


def test_a_link_out_of_the_repository_is_refused_since_a_model_would_read_what_is_there(root: Path) -> None:
    secret = put(root.parent / "elsewhere", "secret", own("judge"))
    of_the_repository(root, "judge", "").unlink()
    (root / ".teamlead/prompts/judge.md").symlink_to(secret)
    assert examine(root)[1] == (".teamlead/prompts/judge.md: it leads out of the repository",)
    assert examine(root)[0] == Templates()


def test_the_user_may_keep_theirs_elsewhere(root: Path) -> None:
    kept = put(root.parent / "dotfiles", "judge", own("judge"))
    of_the_user(root, "judge", "").unlink()
    (root.parent / "config/teamlead/prompts/judge.md").symlink_to(kept)
    assert load_templates(root).of("judge").text == own("judge")
